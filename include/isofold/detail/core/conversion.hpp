// Elements as the values that folds compute with: exact conversions. Host and device; integers and
// one exact subtraction of normal numbers, so that the flushing of subnormals has no say in it.
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

ISOFOLD_HOST_DEVICE inline float computed(isofold_bf16 x) {
  return bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
}

// F is float, or a vector of floats. Selections only, no branches, and comparisons of signed
// integers, for SSE2 has no others. What is subnormal in f16 is m · 2^-24 and normal in f32:
// 2^-14 · (1 + m/1024), less 2^-14; the sign of 0 - 0 is the rounding mode's.
template <class F>
ISOFOLD_ARITHMETIC F from_half(signed_t<F> half) {
  using Bits = signed_t<F>;
  const Bits magnitude = half & 0x7fff;
  const Bits shifted = magnitude << 13;
  const Bits normal = shifted + (112 << 23);    // exponents: 127 - 15
  const Bits infinite = shifted + (224 << 23);  // 255 - 31; also NaNs
  const F less = same_bits_as<F>(shifted + (113 << 23)) - splat<F>(0x1p-14F);
  const Bits subnormal = same_bits_as<Bits>(less) & 0x7fffffff;
  const Bits number = magnitude < 0x0400 ? subnormal : normal;
  const Bits sign = (half & 0x8000) != 0 ? splat<Bits>(lowest_value<std::int32_t>) : Bits{};
  return same_bits_as<F>(sign | (magnitude < 0x7c00 ? number : infinite));
}
ISOFOLD_HOST_DEVICE inline float computed(isofold_f16 x) {
  return from_half<float>(std::int32_t{x.bits});
}

}  // namespace isofold::core
