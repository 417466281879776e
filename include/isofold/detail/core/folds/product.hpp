// Product: floating point in its own type, integers in wrapping 64 bits. Products of real and
// complex numbers keep their exponents apart, so that no partial product overflows or vanishes.
// Padding is 1: x · 1 = x for every x, signed zeros and subnormals included. Complex products have
// no padding: the product with an imaginary zero may change the sign of a zero, and makes a NaN of
// an infinity.
#pragma once

#include <isofold/detail/core/folds/converted.hpp>

namespace isofold::core {

// Integers.
template <class T>
struct PlainProduct : Converted<T, PlainProduct<T>> {
  using typename Converted<T, PlainProduct>::state_type;
  using typename Converted<T, PlainProduct>::result_type;

  ISOFOLD_HOST_DEVICE constexpr state_type identity() const { return 1; }
  template <class State>
  ISOFOLD_HOST_DEVICE State combine(State a, State b) const {
    return a * b;
  }
  ISOFOLD_HOST_DEVICE result_type empty() const { return 1; }
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
ISOFOLD_HOST_DEVICE inline ProductState product_state(T product, std::int64_t exponent) {
  const Scaled<T> split = fraction_and_exponent(product);
  const bool is_number = split.fraction - split.fraction == 0 && split.fraction != 0;
  return {static_cast<double>(split.fraction), is_number ? split.exponent + exponent : 0};
}
template <class T>
ISOFOLD_HOST_DEVICE inline T product_of_state(ProductState s) {
  const auto clamp = [](std::int64_t x, std::int64_t most) {
    return x > most ? most : x < -most ? -most : x;
  };
  // Two steps, the first of which is exact, reach subnormal numbers with one rounding.
  const std::int64_t exponent = clamp(s.exponent, 2000);
  const std::int64_t first = clamp(exponent, 1000);
  return canonical(
      static_cast<T>(s.fraction * power_of_two(first) * power_of_two(exponent - first)));
}

template <class T>
struct ScaledProduct : OnePass {
  using element_type = T;
  using state_type = ProductState;
  using result_type = T;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = false;

  ISOFOLD_HOST_DEVICE ScaledFactors<T> first() const { return {}; }
  ISOFOLD_HOST_DEVICE state_type chunk(Scaled<T> lane, std::int64_t, int) const {
    return product_state(lane.fraction, lane.exponent);
  }
  ISOFOLD_HOST_DEVICE state_type combine(state_type a, state_type b) const {
    return product_state(static_cast<T>(a.fraction) * static_cast<T>(b.fraction),
                         a.exponent + b.exponent);
  }
  ISOFOLD_HOST_DEVICE state_type identity() const { return {1, 0}; }
  ISOFOLD_HOST_DEVICE T finish(state_type s, std::int64_t) const { return product_of_state<T>(s); }
  ISOFOLD_HOST_DEVICE T empty() const { return T{1}; }
};

// Complex numbers: each part has an exponent of its own, for one may be beyond all that the other's
// scale reaches. P is a part as a lane holds it (Scaled), or with an exponent of 64 bits.
template <class T>
struct ProductPart {
  T fraction;
  std::int64_t exponent;
};

// 2^k for k from the least exponent of a normal number to 0; 0 for k below that.
template <class V, class E>
ISOFOLD_ARITHMETIC V power_up_to_one(E k) {
  using Word = component_t<signed_t<V>>;
  constexpr int fraction_bits = sizeof(Word) == 4 ? 23 : 52;
  constexpr int bias = sizeof(Word) == 4 ? 127 : 1023;
  const E field = (k < splat<E>(1 - bias) ? splat<E>(-bias) : k) + splat<E>(bias);
  if constexpr (std::is_arithmetic_v<V>) {
    return bit_cast<V>(static_cast<Word>(static_cast<Word>(field) << fraction_bits));
  } else {
    return same_bits_as<V>(field << fraction_bits);
  }
}

// An exponent for comparisons: that of a zero is below, that of an infinity or a NaN above those of
// all numbers.
template <class P>
ISOFOLD_ARITHMETIC auto rank_of(P x) {
  using V = decltype(x.fraction);
  using E = decltype(x.exponent);
  constexpr auto far = static_cast<component_t<E>>(1) << (sizeof(component_t<E>) == 4 ? 28 : 60);
  const V zero = splat<V>(0);
  const E ranked = x.fraction == zero ? splat<E>(-far) : x.exponent;
  return x.fraction - x.fraction == zero ? ranked : splat<E>(far);
}

template <class P>
ISOFOLD_ARITHMETIC P times(P a, P b) {
  return {a.fraction * b.fraction, a.exponent + b.exponent};
}
template <class P>
ISOFOLD_ARITHMETIC P negated(P a) {
  return {-a.fraction, a.exponent};
}
// The sum of two products of fractions. The smaller one is brought to the exponent of the larger
// one, exactly, or vanishes where it is too small to change it: the sum is rounded as a plain one.
template <class P>
ISOFOLD_ARITHMETIC P plus(P a, P b) {
  using V = decltype(a.fraction);
  using E = decltype(a.exponent);
  const E rank_a = rank_of(a);
  const E rank_b = rank_of(b);
  const E top = rank_a > rank_b ? rank_a : rank_b;
  const V sum =
      a.fraction * power_up_to_one<V>(rank_a - top) + b.fraction * power_up_to_one<V>(rank_b - top);
  const auto split = fraction_and_exponent(sum);
  // Infinities and NaNs have the exponent 0, here and in `split`.
  const V zero = splat<V>(0);
  const E nonzero = sum == zero ? splat<E>(0) : top;
  return {split.fraction, split.exponent + (sum - sum == zero ? nonzero : splat<E>(0))};
}
template <class P>
ISOFOLD_ARITHMETIC Two<P> complex_product(Two<P> a, Two<P> b) {
  return {plus(times(a.first, b.first), negated(times(a.second, b.second))),
          plus(times(a.first, b.second), times(a.second, b.first))};
}

template <class T>
struct ScaledComplexFactors {
  using element_type = T;
  using value_type = Complex<part_t<T>>;
  template <class V>
  using lane = Two<Scaled<part_t<V>>>;
  static constexpr bool has_identity = false;
  static constexpr bool on_vectors = true;

  template <class V>
  ISOFOLD_ARITHMETIC lane<V> lift(V x, signed_t<V>) const {
    return {fraction_and_exponent(x.re), fraction_and_exponent(x.im)};
  }
  template <class V>
  ISOFOLD_ARITHMETIC lane<V> accumulate(lane<V> s, V x, signed_t<V> i) const {
    return complex_product(s, lift(x, i));
  }
  template <class V>
  ISOFOLD_ARITHMETIC Two<Scaled<V>> combine(Two<Scaled<V>> a, Two<Scaled<V>> b) const {
    return complex_product(a, b);
  }
};

template <class T>
struct ComplexProduct : OnePass {
  using element_type = T;
  using state_type = Two<ProductState>;
  using result_type = Complex<part_t<T>>;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = false;
  static constexpr bool empty_is_error = false;

  ISOFOLD_HOST_DEVICE ScaledComplexFactors<T> first() const { return {}; }
  ISOFOLD_HOST_DEVICE state_type chunk(Two<Scaled<part_t<T>>> lane, std::int64_t, int) const {
    return {product_state(lane.first.fraction, lane.first.exponent),
            product_state(lane.second.fraction, lane.second.exponent)};
  }
  ISOFOLD_HOST_DEVICE state_type combine(state_type a, state_type b) const {
    const auto product = complex_product(parts(a), parts(b));
    return {product_state(product.first.fraction, product.first.exponent),
            product_state(product.second.fraction, product.second.exponent)};
  }
  ISOFOLD_HOST_DEVICE state_type identity() const { return {{1, 0}, {0, 0}}; }
  ISOFOLD_HOST_DEVICE result_type finish(state_type s, std::int64_t) const {
    return {product_of_state<part_t<T>>(s.first), product_of_state<part_t<T>>(s.second)};
  }
  ISOFOLD_HOST_DEVICE result_type empty() const { return {1, 0}; }

 private:
  ISOFOLD_HOST_DEVICE static Two<ProductPart<part_t<T>>> parts(const state_type& s) {
    return {{static_cast<part_t<T>>(s.first.fraction), s.first.exponent},
            {static_cast<part_t<T>>(s.second.fraction), s.second.exponent}};
  }
};

template <class T>
struct Product
    : std::conditional_t<is_complex<T>, ComplexProduct<T>,
                         std::conditional_t<is_floating<T>, ScaledProduct<T>, PlainProduct<T>>> {};

}  // namespace isofold::core
