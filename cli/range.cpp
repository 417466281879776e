// Reads the two ends of a range with std::from_chars: no locale, and no detour over another type.
#include "range.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

#include <isofold/detail/core/conversion.hpp>

#include "failure.hpp"
#include "pieces.hpp"
#include "types.hpp"
#include "values.hpp"

namespace cli {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw Failure(Exit::bad_input, "--range LOW,HIGH: " + why);
}

// Numbers that can be written instead, for a sentence.
template <class T>
std::string way_out(isofold::Type type) {
  if (bytes_of(type) != sizeof(T)) {
    return "a number, inf or -inf";
  }
  const T lowest = std::numeric_limits<T>::lowest();
  const T largest = std::numeric_limits<T>::max();
  const std::string limits =
      " from " + value_text(type, &lowest) + " to " + value_text(type, &largest);
  return std::is_integral_v<T> ? "a whole number" + limits : "a number" + limits + ", inf or -inf";
}

template <class T>
T number_of(std::string_view text, isofold::Type type) {
  T value{};
  const std::from_chars_result read =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) {
    refuse("'" + std::string(text) + "' is no " + type_name(type) +
           ", which the input holds; write " + way_out<T>(type) + ".");
  }
  if (std::is_floating_point_v<T> && value != value) {
    refuse("no number lies beside a NaN, so it ends no range; the fold count_nan counts them.");
  }
  return value;
}

// The number of 16-bit floating point nearest to another one, found among all of them.
template <class T>
T nearest(float value) {
  T best{};
  float least = std::numeric_limits<float>::max();
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const T candidate{static_cast<std::uint16_t>(bits)};
    const float number = isofold::core::computed(candidate);
    const float distance = number == value ? 0.0F : std::fabs(number - value);
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

template <class T>
T end_of(std::string_view text, isofold::Type type) {
  if constexpr (std::is_arithmetic_v<T>) {
    return number_of<T>(text, type);
  } else {
    return nearest<T>(number_of<float>(text, type));
  }
}

// The two ends, as a request's parameters.
template <class T>
Range ends_of(std::string_view low, std::string_view high, isofold::Type type) {
  const T ends[2] = {end_of<T>(low, type), end_of<T>(high, type)};
  if (isofold::core::computed(ends[0]) > isofold::core::computed(ends[1])) {
    refuse("the low end " + value_text(type, &ends[0]) + " is above the high end " +
           value_text(type, &ends[1]) + ", so no element lies between; write the lower one first.");
  }
  Range range{};
  std::memcpy(range.data(), ends, sizeof ends);
  return range;
}

}  // namespace

Range range_of(const std::string& text, isofold::Type type) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) {
    refuse("'" + text + "' has no comma; write both ends, such as 0,1.");
  }
  Range range{};
  visit_type(type, [&](auto typed) {
    using T = decltype(typed);
    if constexpr (isofold::core::is_complex<T>) {
      refuse("the input holds " + type_name(type) +
             ", and complex numbers have no order: none lies between two others. Elements of " +
             type_name(type) + " have the folds " + listed(folds_over(type)) + ".");
    } else {
      const std::string_view whole = text;
      range = ends_of<T>(trimmed(whole.substr(0, comma)), trimmed(whole.substr(comma + 1)), type);
    }
  });
  return range;
}

}  // namespace cli
