// Facts about element types that folds need: wide integers, bit patterns, the canonical NaN, for
// hosts and devices. No function calls the standard library, which a device compiler would not
// accept.
#pragma once

#include <cfloat>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <isofold/detail/core/complex.hpp>

namespace isofold::core {

#if defined(FLT_EVAL_METHOD)
static_assert(FLT_EVAL_METHOD == 0,
              "Tree v1 needs float arithmetic in float: build without x87 (-mfpmath=sse).");
#endif

template <class T>
inline constexpr bool is_floating = std::is_floating_point_v<T>;

// The type that sums and products are computed in; integers are unsigned (wrapping), 64 bits wide.
template <class T>
using accumulator_t = std::conditional_t<is_complex<T>, Complex<part_t<T>>,
                                         std::conditional_t<is_floating<T>, T, std::uint64_t>>;
template <class T>
using wide_t = std::conditional_t<
    is_complex<T>, Complex<part_t<T>>,
    std::conditional_t<is_floating<T>, T,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>>;

template <class T>
using bits_t = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class To, class From>
ISOFOLD_HOST_DEVICE inline To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From), "A bit cast keeps every bit.");
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

// 2^exponent as a double; 0 below the subnormal range.
ISOFOLD_HOST_DEVICE inline double power_of_two(std::int64_t exponent) {
  // the place of a subnormal's bit
  const std::int64_t place = exponent < -1022 ? exponent + 1074 : 0;
  const std::int64_t subnormal = place < 0 ? 0 : std::int64_t{1} << place;
  const std::int64_t bits = exponent >= -1022 ? (exponent + 1023) << 52 : subnormal;
  return bit_cast<double>(bits);
}

template <class T>
ISOFOLD_HOST_DEVICE inline T canonical_nan() {
  static_assert(is_floating<T>, "Only floating-point types have a NaN.");
  if constexpr (sizeof(T) == 4) {
    return bit_cast<T>(std::uint32_t{0x7fc00000U});
  } else {
    return bit_cast<T>(std::uint64_t{0x7ff8000000000000U});
  }
}

// The value itself; any NaN becomes the one canonical quiet NaN, because payloads differ between
// machines.
template <class T>
ISOFOLD_HOST_DEVICE inline T canonical(T value) {
  if constexpr (is_floating<T>) {
    return value != value ? canonical_nan<T>() : value;
  } else {
    return value;
  }
}

template <class T>
ISOFOLD_HOST_DEVICE inline Complex<T> canonical(Complex<T> value) {
  return {canonical(value.re), canonical(value.im)};
}

// +infinity or the largest integer; -infinity or the lowest integer. The constants come first, as
// variables: device code may read those, but may not call std::numeric_limits<T>::infinity().
template <class T>
inline constexpr T highest_value = is_floating<T> ? std::numeric_limits<T>::infinity()
                                                  : std::numeric_limits<T>::max();
template <class T>
inline constexpr T lowest_value = is_floating<T> ? -std::numeric_limits<T>::infinity()
                                                 : std::numeric_limits<T>::lowest();
template <class T>
ISOFOLD_HOST_DEVICE constexpr T highest() {
  return highest_value<T>;
}
template <class T>
ISOFOLD_HOST_DEVICE constexpr T lowest() {
  return lowest_value<T>;
}

}  // namespace isofold::core
