// Product: floating point in its own type, integers in wrapping 64 bits. Products of real numbers
// keep their exponent apart, so that no partial product overflows or vanishes. Padding is 1: x · 1
// = x for every x, signed zeros and subnormals included. Complex products have no padding: the
// product with an imaginary zero may change the sign of a zero, and makes a NaN of an infinity.
#pragma once

#include <isofold/detail/core/folds/converted.hpp>

namespace isofold::core {

// Integers and complex numbers.
template <class T>
struct PlainProduct : Converted<T, PlainProduct<T>> {
  using typename Converted<T, PlainProduct>::state_type;
  using typename Converted<T, PlainProduct>::result_type;

  static constexpr bool has_identity = !is_complex<T>;

  ISOFOLD_HOST_DEVICE constexpr state_type identity() const { return one<state_type>(); }
  template <class State>
  ISOFOLD_HOST_DEVICE State combine(State a, State b) const {
    return a * b;
  }
  ISOFOLD_HOST_DEVICE result_type empty() const { return one<result_type>(); }

 private:
  template <class R>
  ISOFOLD_HOST_DEVICE static constexpr R one() {
    if constexpr (is_complex<R>) {
      return {1, 0};
    } else {
      return R{1};
    }
  }
};

// x as a fraction from 1 to below 2 in magnitude and a power of two. Zeros, infinities and NaNs are
// their own fraction.
template <class V>
ISOFOLD_ARITHMETIC Scaled<V> fraction_and_exponent(V x) {
  using T = component_t<V>;
  using Bits = integers_t<V>;
  using Word = component_t<Bits>;
  constexpr int fraction_bits = sizeof(T) == 4 ? 23 : 52;
  constexpr Word bias = sizeof(T) == 4 ? 127 : 1023;
  constexpr Word most = 2 * bias + 1;  // the exponent's field of infinities and NaNs
  constexpr Word mask = most << fraction_bits;
  constexpr Word shift = 64;  // makes subnormal numbers normal
  const auto is_small = (bits_of(x) & splat<Bits>(mask)) == splat<Bits>(0);
  const V y = is_small ? x * splat<V>(T(0x1p64)) : x;
  const Bits bits = bits_of(y);
  const Bits field = (bits & splat<Bits>(mask)) >> fraction_bits;
  const auto is_special = field - splat<Bits>(1) >= splat<Bits>(most - 1);  // 0 or most
  const Bits fraction = (bits & splat<Bits>(~mask)) | splat<Bits>(bias << fraction_bits);
  const Bits exponent = field - (is_small ? splat<Bits>(bias + shift) : splat<Bits>(bias));
  return {is_special ? y : from_bits<V>(fraction),
          same_bits_as<signed_t<V>>(is_special ? splat<Bits>(0) : exponent)};
}

// A lane multiplies the fractions of its 16 elements, which reach 2^16, and adds their exponents.
template <class T>
struct ScaledFactors {
  using element_type = T;
  using value_type = T;
  template <class V>
  using lane = Scaled<V>;
  static constexpr bool has_identity = true;
  static constexpr bool on_vectors = true;

  template <class V>
  ISOFOLD_ARITHMETIC Scaled<V> lift(V x, signed_t<V>) const {
    return fraction_and_exponent(x);
  }
  template <class V>
  ISOFOLD_ARITHMETIC Scaled<V> accumulate(Scaled<V> s, V x, signed_t<V>) const {
    const Scaled<V> factor = fraction_and_exponent(x);
    return {s.fraction * factor.fraction, s.exponent + factor.exponent};
  }
  template <class V>
  ISOFOLD_ARITHMETIC Scaled<V> combine(Scaled<V> a, Scaled<V> b) const {
    const Scaled<V> product = fraction_and_exponent(a.fraction * b.fraction);
    return {product.fraction, product.exponent + (a.exponent + b.exponent)};
  }
  template <class V>
  ISOFOLD_ARITHMETIC Scaled<V> lane_identity() const {
    return {splat<V>(1), splat<signed_t<V>>(0)};
  }
};

struct ProductState {
  double fraction;  // 0, infinite or a NaN with the exponent 0, else from 1 to below 2 in magnitude
  std::int64_t exponent;
};

template <class T>
struct ScaledProduct {
  using element_type = T;
  using state_type = ProductState;
  using result_type = T;
  static constexpr int arrays = 1;
  static constexpr int stages = 1;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = false;

  ISOFOLD_HOST_DEVICE ScaledFactors<T> first() const { return {}; }
  ISOFOLD_HOST_DEVICE state_type chunk(Scaled<T> lane, std::int64_t, int) const {
    return state(lane.fraction, lane.exponent);
  }
  ISOFOLD_HOST_DEVICE state_type combine(state_type a, state_type b) const {
    return state(static_cast<T>(a.fraction) * static_cast<T>(b.fraction), a.exponent + b.exponent);
  }
  ISOFOLD_HOST_DEVICE state_type identity() const { return {1, 0}; }
  ISOFOLD_HOST_DEVICE T finish(state_type s, std::int64_t) const {
    // Two steps, the first of which is exact, reach subnormal numbers with one rounding.
    const std::int64_t exponent = clamp(s.exponent, 2000);
    const std::int64_t first = clamp(exponent, 1000);
    return canonical(
        static_cast<T>(s.fraction * power_of_two(first) * power_of_two(exponent - first)));
  }
  ISOFOLD_HOST_DEVICE T empty() const { return T{1}; }

 private:
  ISOFOLD_HOST_DEVICE static state_type state(T product, std::int64_t exponent) {
    const Scaled<T> split = fraction_and_exponent(product);
    const bool is_number = split.fraction - split.fraction == 0 && split.fraction != 0;
    return {static_cast<double>(split.fraction), is_number ? split.exponent + exponent : 0};
  }
  ISOFOLD_HOST_DEVICE static std::int64_t clamp(std::int64_t x, std::int64_t most) {
    return x > most ? most : x < -most ? -most : x;
  }
};

template <class T>
struct Product : std::conditional_t<is_floating<T>, ScaledProduct<T>, PlainProduct<T>> {};

}  // namespace isofold::core
