// The rules of AMD's floating-point arithmetic where IEEE 754 leaves a choice, or an instruction
// has a rule of its own.
#pragma once

#include <cmath>
#include <limits>

#include <simulator/amd/random.hpp>

namespace isofold::amd {

template <class T>
struct Format;
template <>
struct Format<f32> {
  using Bits = u32;
  static constexpr int fraction = 23;
  static constexpr int most_exponent = 0xff;
};
template <>
struct Format<f64> {
  using Bits = u64;
  static constexpr int fraction = 52;
  static constexpr int most_exponent = 0x7ff;
};

template <class T>
using BitsOf = typename Format<T>::Bits;

template <class T>
inline constexpr BitsOf<T> sign_bit = BitsOf<T>{1} << (sizeof(T) * 8 - 1);
template <class T>
inline constexpr BitsOf<T> quiet_bit = BitsOf<T>{1} << (Format<T>::fraction - 1);
template <class T>
inline constexpr BitsOf<T> infinity_bits =
    BitsOf<T>{Format<T>::most_exponent} << Format<T>::fraction;

template <class T>
inline T default_nan() {
  return bits_as<T>(infinity_bits<T> | quiet_bit<T>);
}
template <class T>
inline T quieted(T x) {
  return bits_as<T>(bits_as<BitsOf<T>>(x) | quiet_bit<T>);
}
template <class T>
inline bool is_signaling(T x) {
  return x != x && (bits_as<BitsOf<T>>(x) & quiet_bit<T>) == 0;
}
template <class T>
inline bool is_negative(T x) {
  return (bits_as<BitsOf<T>>(x) & sign_bit<T>) != 0;
}
template <class T>
inline T absolute(T x) {
  return bits_as<T>(bits_as<BitsOf<T>>(x) & ~sign_bit<T>);
}
template <class T>
inline T with_sign(T x, bool negative) {
  return bits_as<T>((bits_as<BitsOf<T>>(x) & ~sign_bit<T>) | (negative ? sign_bit<T> : 0));
}

// A result, in place of which the first operand that is no number is delivered, or the default.
template <class T>
inline T arithmetic(T result, T a, T b) {
  const T none = a != a ? quieted(a) : b != b ? quieted(b) : default_nan<T>();
  return result != result ? none : result;
}
template <class T>
inline T arithmetic(T result, T a, T b, T c) {
  const T none = a != a ? quieted(a) : b != b ? quieted(b) : c != c ? quieted(c) : default_nan<T>();
  return result != result ? none : result;
}
inline f32 fused(f32 a, f32 b, f32 c) { return arithmetic(__builtin_fmaf(a, b, c), a, b, c); }
inline f64 fused(f64 a, f64 b, f64 c) { return arithmetic(__builtin_fma(a, b, c), a, b, c); }

// An extremum of the IEEE mode, in which kernels run: numbers win over quiet NaNs, -0 is less than
// +0.
template <class T>
inline T least(T a, T b) {
  const T number = a < b ? a : b < a ? b : is_negative(a) ? a : b;
  const T other = a != a ? b : a;
  return is_signaling(a)    ? quieted(a)
         : is_signaling(b)  ? quieted(b)
         : a != a || b != b ? other
                            : number;
}
template <class T>
inline T greatest(T a, T b) {
  const T number = a > b ? a : b > a ? b : is_negative(a) ? b : a;
  const T other = a != a ? b : a;
  return is_signaling(a)    ? quieted(a)
         : is_signaling(b)  ? quieted(b)
         : a != a || b != b ? other
                            : number;
}

inline constexpr u64 estimate_ulps_f64 = u64{1} << 28;  // half of what is allowed

// The seed that errors of estimates are drawn by; 0: the nearest number.
extern u64 estimate_seed;

// An estimate of f32: one of the two numbers beside the exact result, so less than one unit in the
// last place away. (Two would break divisions of integers, whose code counts on one.)
inline f32 estimated(f64 exact, f32 operand) {
  const f32 nearest = static_cast<f32>(exact);
  const f64 off = exact - static_cast<f64>(nearest);
  const u32 bits = bits_as<u32>(nearest);
  const u32 exponent = bits >> 23 & 0xff;
  const bool moves = estimate_seed != 0 && exponent != 0 && exponent != 0xff && off != 0 &&
                     (mixed(estimate_seed ^ bits_as<u32>(operand)) & 1) != 0;
  const u32 outwards = (off > 0) == (exact > 0) ? 1u : ~0u;
  return bits_as<f32>(moves ? bits + outwards : bits);
}

// An estimate of f64, whose documented error is 2^29 units in the last place.
inline f64 estimated(f64 nearest, f64 operand) {
  const u64 bits = bits_as<u64>(nearest);
  const u64 exponent = bits >> 52 & 0x7ff;
  if (estimate_seed == 0 || exponent == 0 || exponent == 0x7ff) {
    return nearest;
  }
  const u64 error = mixed(estimate_seed ^ bits_as<u64>(operand)) % (estimate_ulps_f64 * 2 + 1);
  return bits_as<f64>(bits + error - estimate_ulps_f64);
}

template <class T>
inline int exponent_field(T x) {
  return static_cast<int>(bits_as<BitsOf<T>>(x) >> Format<T>::fraction &
                          BitsOf<T>{Format<T>::most_exponent});
}
template <class T>
inline bool is_subnormal(T x) {
  return exponent_field(x) == 0 && absolute(x) != T{0};
}

template <class T>
inline T scaled(T x, int exponent) {
  return std::ldexp(x, exponent);
}

// Numbers of 113 bits, in which a product of two f64 is exact.
__extension__ using Quadruple = __float128;

// A division's steps. v_div_scale moves numerator or denominator (the one that is `operand`) away
// from where an intermediate would overflow or become subnormal; the flag tells v_div_fmas to undo
// it.
template <class T>
struct Division;
template <>
struct Division<f32> {
  static constexpr int far_apart = 96;
  static constexpr int scale = 64;
  static constexpr int tiny_numerator = 23;
  static constexpr int vanishes = -150;
  static constexpr int bias = 127;
};
template <>
struct Division<f64> {
  static constexpr int far_apart = 768;
  static constexpr int scale = 128;
  static constexpr int tiny_numerator = 53;
  static constexpr int vanishes = -1075;
  static constexpr int bias = 1023;
};

// The quotient of two numbers lies among subnormal ones. (Of f64 it is compared without being
// rounded.)
template <class T>
inline bool quotient_is_subnormal(T numerator, T denominator) {
  return is_subnormal(numerator / denominator);
}

template <class T>
struct Scaled {
  T value;
  bool flag;
};

template <class T>
inline Scaled<T> division_scaled(T operand, T denominator, T numerator) {
  using D = Division<T>;
  const bool is_denominator = bits_as<BitsOf<T>>(operand) == bits_as<BitsOf<T>>(denominator);
  const bool is_numerator = bits_as<BitsOf<T>>(operand) == bits_as<BitsOf<T>>(numerator);
  if (denominator == T{0} || numerator == T{0}) {
    return {default_nan<T>(), false};
  }
  if (exponent_field(numerator) - exponent_field(denominator) >= D::far_apart) {
    return {is_denominator ? scaled(operand, D::scale) : operand, true};
  }
  if (is_subnormal(denominator)) {
    return {scaled(operand, D::scale), false};
  }
  const bool reciprocal_is_subnormal = quotient_is_subnormal(T{1}, denominator);
  if (reciprocal_is_subnormal && quotient_is_subnormal(numerator, denominator)) {
    return {is_denominator ? scaled(operand, -D::scale) : operand, true};
  }
  if (reciprocal_is_subnormal) {
    return {scaled(operand, -D::scale), false};
  }
  if (quotient_is_subnormal(numerator, denominator)) {
    return {is_numerator ? scaled(operand, D::scale) : operand, true};
  }
  if (exponent_field(numerator) <= D::tiny_numerator) {
    return {scaled(operand, D::scale), false};
  }
  return {operand, false};
}

// The last step of the quotient, whose scale is undone where v_div_scale said so: up for a quotient
// of a scaled denominator that is large still, down otherwise. All is rounded once, or subnormal
// quotients would be wrong.
template <class T>
inline T division_fused(T a, T b, T c, bool unscale) {
  const T result = fused(a, b, c);
  if (!unscale || result != result || absolute(result) == std::numeric_limits<T>::infinity()) {
    return result;
  }
  const int scale =
      exponent_field(c) > Division<T>::bias ? Division<T>::scale : -Division<T>::scale;
  const Quadruple power = scaled(T{1}, scale);
  return static_cast<T>((static_cast<Quadruple>(a) * b + c) * power);
}

template <class T>
inline T division_fixed(T quotient, T denominator, T numerator) {
  const bool negative = is_negative(denominator) != is_negative(numerator);
  const T infinity = std::numeric_limits<T>::infinity();
  if (numerator != numerator) {
    return quieted(numerator);
  }
  if (denominator != denominator) {
    return quieted(denominator);
  }
  const T top = absolute(numerator);
  const T bottom = absolute(denominator);
  if ((top == T{0} && bottom == T{0}) || (top == infinity && bottom == infinity)) {
    return with_sign(default_nan<T>(), true);
  }
  if (bottom == T{0} || top == infinity) {
    return with_sign(infinity, negative);
  }
  if (bottom == infinity || top == T{0}) {
    return with_sign(T{0}, negative);
  }
  if (exponent_field(numerator) - exponent_field(denominator) < Division<T>::vanishes) {
    return with_sign(T{0}, negative);
  }
  if (quotient != quotient) {
    return with_sign(infinity, negative);
  }
  return with_sign(quotient, negative);
}

// A number to an integer: towards zero, to the nearest that there is, NaN to zero.
template <class Integer, class T>
inline Integer converted(T x) {
  if (x != x) {
    return 0;
  }
  constexpr T beyond = static_cast<T>(u64{1} << (std::numeric_limits<Integer>::digits - 1)) * 2;
  if (x >= beyond) {
    return std::numeric_limits<Integer>::max();
  }
  if constexpr (std::is_signed_v<Integer>) {
    if (x <= -beyond) {
      return std::numeric_limits<Integer>::min();
    }
  } else if (x <= T{-1}) {
    return 0;
  }
  return static_cast<Integer>(x);
}

f32 widened(f16 half);
f16 narrowed(f32 x);

}  // namespace isofold::amd
