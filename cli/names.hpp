// Names on the command line: an unknown one is refused with the name that was probably meant.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "nearest.hpp"

namespace cli {

// The entry of that name, which must be there.
template <class Named, std::size_t size>
const Named& named(const Named (&list)[size], const std::string& name) {
  return *std::find_if(std::begin(list), std::end(list),
                       [&](const Named& entry) { return name == entry.name; });
}

// Ends the parser, which prints the text and does nothing else: for a value "help".
[[noreturn]] void print_instead(const std::string& text);

// An option whose value is one of these names; "help" lists them. `kind` says what they are the
// names of.
CLI::Validator one_of(const std::string& kind, const std::vector<std::string>& names);

// Turns the lower-case letters of a value into capitals before it is checked.
CLI::Validator in_capitals();

// The backends that ISOFOLD_BACKEND names, separated by commas; none if it is not set or empty.
// Throws Failure(bad_input), which names the variable, for a name that is none.
std::vector<std::string> backends_of_environment();

// Throws as backends_of_environment() does: commands that ask all backends, whatever the variable
// names, refuse a misspelt name all the same.
inline void check_environment() { static_cast<void>(backends_of_environment()); }

}  // namespace cli
