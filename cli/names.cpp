// The validators of names, and the environment variable that holds some.
#include "names.hpp"

#include <cstdlib>

#include <isofold/backend.hpp>

#include "failure.hpp"
#include "pieces.hpp"
#include "types.hpp"

namespace cli {
namespace {

std::string lines_of(const std::vector<std::string>& names) {
  std::string lines;
  for (const std::string& name : names) {
    lines += (lines.empty() ? "" : "\n") + name;
  }
  return lines;
}

}  // namespace

void print_instead(const std::string& text) { throw CLI::CallForVersion(text, 0); }

CLI::Validator one_of(const std::string& kind, const std::vector<std::string>& names) {
  const auto check = [kind, names](const std::string& text) {
    if (text == "help") {
      print_instead(lines_of(names));
    }
    return holds(names, text) ? std::string{} : no_such(kind, text, names);
  };
  return CLI::Validator(check, "{" + listed(names) + "}");
}

CLI::Validator in_capitals() {
  const auto convert = [](std::string& text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
      return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return std::string{};
  };
  return CLI::Validator(convert, "");
}

std::vector<std::string> backends_of_environment() {
  const char* value = std::getenv("ISOFOLD_BACKEND");
  if (value == nullptr || *value == '\0') {
    return {};
  }
  std::vector<std::string> backends = split(value, ',');
  for (const std::string& name : backends) {
    if (!holds(isofold::backend_names(), name)) {
      throw Failure(Exit::bad_input,
                    "The environment variable ISOFOLD_BACKEND holds '" + std::string(value) +
                        "': " + no_such("backend", name, isofold::backend_names()) + ".");
    }
  }
  return backends;
}

}  // namespace cli
