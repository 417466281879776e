// Text of the command line in pieces: the parts between separators, endings, and integers.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// The text without blanks around it.
inline std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

// "(3, 4,)" -> "3, 4", as Python writes tuples and slices: the text within brackets, if there are
// any around it, without a comma at its end.
inline std::string_view within_brackets(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || !((text.front() == '(' && text.back() == ')') ||
                           (text.front() == '[' && text.back() == ']'))) {
    return text;
  }
  text = trimmed(text.substr(1, text.size() - 2));
  return text.size() > 1 && text.back() == ',' ? trimmed(text.substr(0, text.size() - 1)) : text;
}

// "sum, min" -> "sum", "min"; every separator counts, so that an empty part shows, and blanks
// around a part do not.
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t end = text.find(separator); end != text.npos; end = text.find(separator)) {
    parts.emplace_back(trimmed(text.substr(0, end)));
    text.remove_prefix(end + 1);
  }
  parts.emplace_back(trimmed(text));
  return parts;
}

inline bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

// Empty for text that is no integer of 64 bits.
inline std::optional<std::int64_t> integer_of(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const std::from_chars_result read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc{} && read.ptr == end ? std::optional<std::int64_t>(value)
                                                   : std::nullopt;
}

}  // namespace cli
