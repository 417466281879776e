// The names that the program suggests are those that the library does.
#include "nearest.hpp"

#include <algorithm>

#include <isofold/detail/nearest_name.hpp>

namespace cli {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string nearest(const std::string& written, const std::vector<std::string>& names) {
  return isofold::detail::nearest_name(written, names);
}

std::string no_such(const std::string& kind, const std::string& written,
                    const std::vector<std::string>& names) {
  return isofold::detail::no_such_name(kind, written, names);
}

}  // namespace cli
