// An unknown name is refused with the one that was probably meant.
#pragma once

#include <string>
#include <vector>

namespace cli {

bool holds(const std::vector<std::string>& names, const std::string& name);

// The one of `names` that `written` was probably meant to be: what numpy or C call it, or the one
// with the fewest letters to change. "" if none is near.
std::string nearest(const std::string& written, const std::vector<std::string>& names);

// "'suum' is no fold; did you mean sum? There are ...".
std::string no_such(const std::string& kind, const std::string& written,
                    const std::vector<std::string>& names);

}  // namespace cli
