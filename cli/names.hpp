// Names on the command line: an unknown one is refused with the name that was probably meant.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace cli {

// "'suum' is no fold; did you mean sum? There are ...".
std::string no_such(const std::string& kind, const std::string& written,
                    const std::vector<std::string>& names);

// An option whose value is one of these names. `kind` says what they are the names of.
CLI::Validator one_of(const std::string& kind, const std::vector<std::string>& names);

// The backends that ISOFOLD_BACKEND names, separated by commas; none if it is not set or empty.
// Throws Failure(bad_input), which names the variable, for a name that is none.
std::vector<std::string> backends_of_environment();

}  // namespace cli
