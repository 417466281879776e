// Numbers on the command line. The parser's own conversions let -1 wrap round and cut off numbers
// that are too large, so these read every digit and refuse with a sentence.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

#include <CLI/CLI.hpp>

namespace cli {

// An option whose value is a whole number in [least, most], written in digits only.
template <class T>
CLI::Validator whole_number(T least = 0, T most = std::numeric_limits<T>::max()) {
  const auto check = [least, most](const std::string& text) -> std::string {
    T value{};
    const char* end = text.data() + text.size();
    const std::from_chars_result read = std::from_chars(text.data(), end, value);
    if (read.ec == std::errc{} && read.ptr == end && value >= least && value <= most) {
      return {};
    }
    return "'" + text + "' is no whole number from " + std::to_string(least) + " to " +
           std::to_string(most);
  };
  return CLI::Validator(check, "");
}

// The text without the _ between two digits, as Python writes 1_000_000.
inline std::string without_separators(const std::string& text) {
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_' || i == 0 || !is_digit(i - 1) || !is_digit(i + 1)) {
      made += text[i];
    }
  }
  return made;
}

// A number of elements, at least `least`: digits, or such as 2^20, 1e6 or 1_000_000. The text
// becomes digits.
inline CLI::Validator number_of_elements(std::int64_t least) {
  const auto convert = [least](std::string& text) -> std::string {
    const std::size_t sign = text.find_first_of("^eE");
    const bool has_power = sign != std::string::npos;
    const std::string front = without_separators(text.substr(0, sign));
    const std::string power = has_power ? text.substr(sign + 1) : "0";
    std::int64_t value = 0;
    bool fine = whole_number<std::int64_t>()(front).empty() && whole_number<int>()(power).empty();
    if (fine) {
      value = std::stoll(front);
      const bool raised = has_power && text[sign] == '^';  // front^power, else front * 10^power
      const std::int64_t factor = raised ? value : 10;
      value = raised ? 1 : value;
      // 64 factors are too many but for 0 and 1, which any further factor leaves as they are.
      for (int i = 0; i < std::min(std::stoi(power), 64); ++i) {
        fine = !__builtin_mul_overflow(value, factor, &value) && fine;
      }
    }
    if (!fine || value < least) {
      return "'" + text + "' is no count: digits, or such as 2^20 or 1e6, at least " +
             std::to_string(least) + " and below 2^63";
    }
    text = std::to_string(value);
    return {};
  };
  return CLI::Validator(convert, "");
}

// A number of bytes, at least 1: digits, and perhaps a unit (KiB, MiB, GiB, kB, MB, GB). The text
// becomes plain digits.
inline CLI::Validator number_of_bytes() {
  const auto convert = [](std::string& text) -> std::string {
    struct Unit {
      const char* name;
      std::uint64_t bytes;
    };
    static constexpr Unit units[] = {{"", 1},
                                     {"B", 1},
                                     {"KiB", std::uint64_t{1} << 10},
                                     {"MiB", std::uint64_t{1} << 20},
                                     {"GiB", std::uint64_t{1} << 30},
                                     {"kB", 1000},
                                     {"MB", 1000000},
                                     {"GB", 1000000000}};
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const std::from_chars_result read = std::from_chars(text.data(), end, value);
    const std::string written_unit(read.ptr, end);
    for (const Unit& unit : units) {
      std::uint64_t bytes = 0;
      if (read.ec == std::errc{} && written_unit == unit.name && value > 0 &&
          !__builtin_mul_overflow(value, unit.bytes, &bytes)) {
        text = std::to_string(bytes);
        return {};
      }
    }
    return "'" + text + "' is no number of bytes: digits, then perhaps KiB, MiB, GiB, kB, MB or GB";
  };
  return CLI::Validator(convert, "");
}

}  // namespace cli
