// Text of the command line in pieces: the parts between separators, endings, and integers.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// "sum,min" -> "sum", "min"; every separator counts, so that an empty part shows.
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    c == separator ? parts.emplace_back() : parts.back() += c;
  }
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
