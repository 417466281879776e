// Elements as the values that folds compute with: exact conversions, for hosts and devices. They
// are integer operations and one exact subtraction of normal numbers, so the flushing of subnormals
// cannot change them.
#pragma once

#include <isofold/detail/core/lane.hpp>
#include <isofold/element.hpp>

namespace isofold::core {

template <class T>
ISOFOLD_HOST_DEVICE inline computed_t<T> computed(T x) {
  return x;
}

template <class T>
ISOFOLD_HOST_DEVICE inline computed_t<Widened<T>> computed(Widened<T> x) {
  return x.value;
}

// Floating point narrower than f32 with this many significant bits, in words of `width` bits.
template <int width, int significant>
struct NarrowFormat {
  static constexpr int fraction = significant - 1;
  static constexpr int up = 23 - fraction;                       // to where a float's fraction ends
  static constexpr int most = (1 << (width - significant)) - 1;  // the exponent of infinities
  static constexpr int bias = most / 2;
  static constexpr std::int32_t sign = std::int32_t{1} << (width - 1);
  static constexpr float least_normal = 1.0F / (1 << (bias - 1));
};

// F is float, or a vector of floats. Selections only, no branches, and comparisons of signed
// integers, for SSE2 has no others. What is subnormal in f16 is m · 2^-24 and normal in f32:
// 2^-14 · (1 + m/1024), less 2^-14; the sign of 0 - 0 is the rounding mode's.
template <class F, class Format>
ISOFOLD_ARITHMETIC F from_narrow(signed_t<F> word) {
  using Bits = signed_t<F>;
  const Bits magnitude = word & (Format::sign - 1);
  const Bits shifted = magnitude << Format::up;
  const Bits normal = shifted + ((127 - Format::bias) << 23);
  const Bits infinite = shifted + ((255 - Format::most) << 23);  // also NaNs
  const F less =
      same_bits_as<F>(shifted + ((128 - Format::bias) << 23)) - splat<F>(Format::least_normal);
  const Bits subnormal = same_bits_as<Bits>(less) & 0x7fffffff;
  const Bits number = magnitude < (1 << Format::fraction) ? subnormal : normal;
  const Bits sign = (word & Format::sign) != 0 ? splat<Bits>(lowest_value<std::int32_t>) : Bits{};
  return same_bits_as<F>(sign |
                         (magnitude < (Format::most << Format::fraction) ? number : infinite));
}
template <class F>
ISOFOLD_ARITHMETIC F from_half(signed_t<F> half) {
  return from_narrow<F, NarrowFormat<16, 11>>(half);
}

#define ISOFOLD_COMPUTED(c_type, bits_type, significant)                        \
  ISOFOLD_HOST_DEVICE inline float computed(c_type x) {                         \
    using Format = NarrowFormat<8 * sizeof(c_type), significant>;               \
    if constexpr (Format::bias == 127) {                                        \
      return bit_cast<float>(static_cast<std::uint32_t>(x.bits) << Format::up); \
    } else {                                                                    \
      return from_narrow<float, Format>(static_cast<std::int32_t>(x.bits));     \
    }                                                                           \
  }
ISOFOLD_NARROW_FLOATS(ISOFOLD_COMPUTED)
#undef ISOFOLD_COMPUTED

}  // namespace isofold::core
