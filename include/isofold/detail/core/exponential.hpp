// exp, log and log1p with the same bits on every machine: one fixed sequence of additions,
// multiplications, fma and integer operations, each rounded once by IEEE 754, without a branch or a
// table. They take floats, doubles, and on hosts GNU vectors of them. Results of exp and
// log are at most 1 ulp from the exact value, subnormal ones included, of log1p at most 2.5.
// Method, sources, errors and hashes: docs/exponential.md.
#pragma once

#include <isofold/detail/core/fma.hpp>

namespace isofold::core {

// Unsigned integers of V's shape, which hold V's bits.
template <class V, class = void>
struct IntegersOf {
  typedef bits_t<component_t<V>> type __attribute__((vector_size(sizeof(V))));
};
template <class V>
struct IntegersOf<V, std::enable_if_t<std::is_arithmetic_v<V>>> {
  using type = bits_t<V>;
};
template <class V>
using integers_t = typename IntegersOf<V>::type;

template <class V>
ISOFOLD_ARITHMETIC V splat(component_t<V> value) {
  if constexpr (std::is_arithmetic_v<V>) {
    return value;
  } else {
    return value - V{};  // value - (+0) is value, bit for bit
  }
}

template <class V>
ISOFOLD_ARITHMETIC integers_t<V> bits_of(V value) {
  if constexpr (std::is_arithmetic_v<V>) {
    return bit_cast<integers_t<V>>(value);
  } else {
    return reinterpret_cast<integers_t<V>>(value);  // for vectors this cast keeps the bits
  }
}
template <class V>
ISOFOLD_ARITHMETIC V from_bits(integers_t<V> bits) {
  if constexpr (std::is_arithmetic_v<V>) {
    return bit_cast<V>(bits);
  } else {
    return reinterpret_cast<V>(bits);
  }
}

// c0 + c1 x + c2 x^2 + ..., by Horner's rule.
template <class V>
ISOFOLD_ARITHMETIC V polynomial(V, component_t<V> c0) {
  return splat<V>(c0);
}
template <class V, class... Others>
ISOFOLD_ARITHMETIC V polynomial(V x, component_t<V> c0, Others... others) {
  return fma(polynomial(x, others...), x, splat<V>(c0));
}

template <class T>
struct ExponentialConstants;

template <>
struct ExponentialConstants<float> {
  static constexpr int fraction_bits = 23;
  static constexpr std::uint32_t one = 0x3f800000U;
  static constexpr std::uint32_t sqrt_half = 0x3f3504f3U;
  static constexpr float smallest_normal = 0x1p-126F;
  static constexpr float log2_e = 0x1.715476p+0F;
  // ln 2 = ln2 + ln2_rest to 53 bits; = ln2_short + ln2_short_rest, and products of ln2_short with
  // exponents are exact.
  static constexpr float ln2 = 0x1.62e43p-1F;
  static constexpr float ln2_rest = -0x1.05c61p-29F;
  static constexpr float ln2_short = 0x1.62e4p-1F;
  static constexpr float ln2_short_rest = 0x1.7f7d1cp-20F;
  // x + integer_at is rounded to an integer, which then stands in the last bits of the sum.
  static constexpr float integer_at = 0x1.8p+23F;
  // exp of less is less than half of the smallest subnormal; exp of more is infinite.
  static constexpr float exp_lowest = -104.0F;
  static constexpr float exp_highest = 89.0F;
  // A power of two between the exponents of exp's smallest results and those of normal numbers.
  static constexpr float lift = 64.0F;
  static constexpr float unlift = 0x1p-64F;
  static constexpr float log_lift = 24.0F;
  static constexpr float log_lift_factor = 0x1p+24F;
  static constexpr float exponent_at = 0x1p+23F;
  static constexpr float bias = 127.0F;
};

template <>
struct ExponentialConstants<double> {
  static constexpr int fraction_bits = 52;
  static constexpr std::uint64_t one = 0x3ff0000000000000U;
  static constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcdU;
  static constexpr double smallest_normal = 0x1p-1022;
  static constexpr double log2_e = 0x1.71547652b82fep+0;
  static constexpr double ln2 = 0x1.62e42fefa39efp-1;
  static constexpr double ln2_rest = 0x1.abc9e3b39803fp-56;
  static constexpr double ln2_short = 0x1.62e42fefa4p-1;
  static constexpr double ln2_short_rest = -0x1.8432a1b0e2634p-43;
  static constexpr double integer_at = 0x1.8p+52;
  static constexpr double exp_lowest = -746.0;
  static constexpr double exp_highest = 710.0;
  static constexpr double lift = 512.0;
  static constexpr double unlift = 0x1p-512;
  static constexpr double log_lift = 54.0;
  static constexpr double log_lift_factor = 0x1p+54;
  static constexpr double exponent_at = 0x1p+52;
  static constexpr double bias = 1023.0;
};

// exp(r) for |r| <= ln(2)/2: 1 + r q(r), q minimax for the relative error of exp.
template <class V>
ISOFOLD_ARITHMETIC V exp_near_zero(V r) {
  if constexpr (sizeof(component_t<V>) == 4) {
    return polynomial(r, 1.0F, 0x1p+0F, 0x1.ffffacp-2F, 0x1.5554d4p-3F, 0x1.559ca2p-5F,
                      0x1.1214ccp-7F, 0x1.376fc8p-10F);
  } else {
    return polynomial(r, 1.0, 0x1p+0, 0x1.000000000000fp-1, 0x1.5555555555587p-3,
                      0x1.555555554ed1cp-5, 0x1.11111110fff23p-7, 0x1.6c16c1898cfdcp-10,
                      0x1.a01a02142a16fp-13, 0x1.a0198cc560c52p-16, 0x1.71dcfdedf298cp-19,
                      0x1.28b8a7e6fcb3p-22, 0x1.b1078150591abp-26);
  }
}

// exp(x) = 2^k * power, where the last bits of shifted are those of k + lift.
template <class V>
struct ExpParts {
  V power;
  integers_t<V> shifted;
};

// For x between exp_lowest and exp_highest, or NaN.
template <class V>
ISOFOLD_ARITHMETIC ExpParts<V> exp_parts(V x, component_t<V> lift) {
  using C = ExponentialConstants<component_t<V>>;
  const V integer_at = splat<V>(C::integer_at + lift);
  const V shifted = fma(x, splat<V>(C::log2_e), integer_at);
  const V k = shifted - integer_at;
  const V nearly = fma(k, splat<V>(-C::ln2), x);  // exact
  const V r = fma(k, splat<V>(-C::ln2_rest), nearly);
  return {exp_near_zero(r), bits_of(shifted)};
}

// e^x. NaN gives NaN, -infinity +0, +infinity itself, +0 and -0 give 1.
template <class V>
ISOFOLD_ARITHMETIC V exp(V x) {
  using C = ExponentialConstants<component_t<V>>;
  const V low = splat<V>(C::exp_lowest);
  const V high = splat<V>(C::exp_highest);
  const V from_low = x < low ? low : x;
  const ExpParts<V> parts = exp_parts<V>(high < from_low ? high : from_low, 0);
  // 2^k in two factors, for k alone is beyond the exponents of normal numbers at both ends. Only
  // the second product is ever rounded: once, when the result is subnormal.
  const integers_t<V> half = parts.shifted >> 1;
  const V first = from_bits<V>((half << C::fraction_bits) + C::one);
  const V second = from_bits<V>(((parts.shifted - half) << C::fraction_bits) + C::one);
  return parts.power * first * second;
}

// exp(x), bit for bit, in fewer operations, for exp_lowest <= x <= 0 or NaN alone.
template <class V>
ISOFOLD_ARITHMETIC V exp_of_bounded(V x) {
  using C = ExponentialConstants<component_t<V>>;
  const ExpParts<V> parts = exp_parts<V>(x, C::lift);
  const V scale = from_bits<V>((parts.shifted << C::fraction_bits) + C::one);
  return parts.power * scale * splat<V>(C::unlift);
}
// exp(x), bit for bit, for x <= 0 or NaN alone.
template <class V>
ISOFOLD_ARITHMETIC V exp_nonpositive(V x) {
  const V low = splat<V>(ExponentialConstants<component_t<V>>::exp_lowest);
  return exp_of_bounded<V>(x < low ? low : x);
}

// (log(1 + f) - f) / f^2 for sqrt(1/2) <= 1 + f <= sqrt(2), minimax for the relative error of log.
template <class V>
ISOFOLD_ARITHMETIC V log_near_one(V f) {
  if constexpr (sizeof(component_t<V>) == 4) {
    return polynomial(f, -0x1p-1F, 0x1.555544p-2F, -0x1.ffffep-3F, 0x1.99a626p-3F, -0x1.55664cp-3F,
                      0x1.2327cap-3F, -0x1.fadd02p-4F, 0x1.e67234p-4F, -0x1.e4992p-4F,
                      0x1.1c9f18p-4F);
  } else {
    return polynomial(f, -0x1p-1, 0x1.555555555558cp-2, -0x1.0000000000034p-2, 0x1.999999998f6a6p-3,
                      -0x1.555555554713ap-3, 0x1.24924929c9f6bp-3, -0x1.00000009a447dp-3,
                      0x1.c71c6f2c6dfa6p-4, -0x1.99999398554e1p-4, 0x1.745d73e87832ep-4,
                      -0x1.55565907cca65p-4, 0x1.3b0c311defd44p-4, -0x1.2478a4ae75b08p-4,
                      0x1.11690330c627bp-4, -0x1.0182c52b2a422p-4, 0x1.de2beaf55bc18p-5,
                      -0x1.accd2af0e3b07p-5, 0x1.abb18851de61p-5, -0x1.06942b21102ebp-4,
                      0x1.039af1a89c233p-4, -0x1.d83439c5386cdp-6);
  }
}

// The natural logarithm. NaN and negative numbers give NaN, +0 and -0 -infinity, +infinity itself,
// 1 gives +0.
template <class V>
ISOFOLD_ARITHMETIC V log(V x) {
  using T = component_t<V>;
  using C = ExponentialConstants<T>;
  const V smallest_normal = splat<V>(C::smallest_normal);
  const V zero = splat<V>(0);
  const V lifted = x * C::log_lift_factor;
  const V normal = x < smallest_normal ? lifted : x;
  // normal = 2^k m with sqrt(1/2) <= m < sqrt(2); distance is how far its bits are from those of
  // sqrt(1/2).
  constexpr integers_t<T> fraction = (integers_t<T>{1} << C::fraction_bits) - 1;
  const integers_t<V> distance = bits_of(normal) + (C::one - C::sqrt_half);
  const V f = from_bits<V>((distance & fraction) + C::sqrt_half) - T{1};
  // The biased exponent in the last bits of a float: its value, without a conversion.
  const integers_t<V> exponent_at = bits_of(splat<V>(C::exponent_at));
  const V biased = from_bits<V>((distance >> C::fraction_bits) | exponent_at);
  const V k = biased - (x < smallest_normal ? splat<V>(C::exponent_at + C::bias + C::log_lift)
                                            : splat<V>(C::exponent_at + C::bias));
  // k ln 2 + f + f^2 q, with the rounding error of the first sum (Dekker: the product is exact, and
  // 0 or larger than f).
  const V product = k * C::ln2_short;
  const V sum = product + f;
  const V lost = (product - sum) + f;
  const V rest = fma(k, splat<V>(C::ln2_short_rest), lost);
  const V result = sum + fma(f * f, log_near_one(f), rest);
  const V finite = x < splat<V>(highest<T>()) ? result : x;
  const V positive = x == zero ? splat<V>(lowest<T>()) : finite;
  return x < zero ? splat<V>(canonical_nan<T>()) : positive;
}

// The natural logarithm of 1 + x, for x >= 0 or NaN alone. +0 gives +0.
template <class V>
ISOFOLD_ARITHMETIC V log1p(V x) {
  using T = component_t<V>;
  // Below, 1 + x is in the range of the polynomial, and x itself is its argument.
  const T sqrt_two_less_one = 2 * bit_cast<T>(ExponentialConstants<T>::sqrt_half) - 1;
  const V near = fma(x * x, log_near_one(x), x);
  return x < splat<V>(sqrt_two_less_one) ? near : core::log(splat<V>(1) + x);
}

}  // namespace isofold::core
