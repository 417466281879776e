// The contents of a chunk's lane: a value, real or complex, two of them, a key and an index, a sum
// and a count, a fraction and an exponent, or a sum and a range. V is a number, or a GNU vector of
// one for each of several lanes side by side, so that one function of a fold runs in a GPU's thread
// and on a CPU's vector registers.
#pragma once

#include <isofold/detail/core/exponential.hpp>

namespace isofold::core {

// Signed integers of V's shape: keys, indices and counts.
template <class V, class = void>
struct SignedOf {
  using number = std::conditional_t<sizeof(component_t<V>) == 4, std::int32_t, std::int64_t>;
  typedef number type __attribute__((vector_size(sizeof(V))));
};
template <class V>
struct SignedOf<V, std::enable_if_t<std::is_arithmetic_v<V>>> {
  static_assert(sizeof(V) == 4 || sizeof(V) == 8, "Lanes hold numbers of 4 or 8 bytes.");
  using type = std::conditional_t<sizeof(V) == 4, std::int32_t, std::int64_t>;
};
template <class V>
struct SignedOf<Complex<V>> : SignedOf<V> {};
template <class V>
using signed_t = typename SignedOf<V>::type;

template <class To, class From>
ISOFOLD_ARITHMETIC To same_bits_as(From from) {
  if constexpr (std::is_arithmetic_v<From>) {
    return bit_cast<To>(from);
  } else {
    return reinterpret_cast<To>(from);  // for vectors this cast keeps the bits
  }
}

// A condition on each component, as 0 or 1.
template <class V, class Condition>
ISOFOLD_ARITHMETIC signed_t<V> one_where(Condition condition) {
  if constexpr (std::is_arithmetic_v<V>) {
    return static_cast<signed_t<V>>(condition);
  } else {
    return -condition;  // vectors compare to 0 and -1
  }
}

// |x|: the sign bit cleared.
template <class V>
ISOFOLD_ARITHMETIC V magnitude(V x) {
  using Bits = integers_t<V>;
  using Word = component_t<Bits>;
  return same_bits_as<V>(same_bits_as<Bits>(x) & splat<Bits>(static_cast<Word>(-1) >> 1));
}

template <class V>
ISOFOLD_ARITHMETIC Complex<V> operator+(Complex<V> a, Complex<V> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class V>
ISOFOLD_ARITHMETIC Complex<V> operator-(Complex<V> a, Complex<V> b) {
  return {a.re - b.re, a.im - b.im};
}
// a b, rounded before it is used. GCC 12 before 12.3 fuses products of numbers, -ffp-contract=off
// or not, if one is subtracted from beside one that is added to (its bug 107647): complex products
// in double were vfmaddsub.
template <class V>
ISOFOLD_ARITHMETIC V rounded_product(V a, V b) {
  V product = a * b;
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__)
  if constexpr (std::is_arithmetic_v<V>) {
#if defined(__x86_64__)
    asm("" : "+x"(product));
#elif defined(__aarch64__)
    asm("" : "+w"(product));
#else
    asm("" : "+m"(product));
#endif
  }
#endif
  return product;
}
template <class V>
ISOFOLD_ARITHMETIC Complex<V> operator*(Complex<V> a, Complex<V> b) {
  return {rounded_product(a.re, b.re) - rounded_product(a.im, b.im),
          rounded_product(a.re, b.im) + rounded_product(a.im, b.re)};
}

template <class V>
struct Two {
  V first;
  V second;
};

template <class V>
struct Indexed {
  V key;
  V index;
};

// A sum, and how many elements are counted rather than summed.
template <class V>
struct CountedSum {
  V sum;
  signed_t<V> count;
};

// The number fraction · 2^exponent.
template <class V>
struct Scaled {
  V fraction;
  signed_t<V> exponent;
};

// A sum, and the range of the magnitudes that are in it.
template <class V>
struct Range {
  V largest;
  V least;
};
template <class V>
struct Ranged {
  V sum;
  Range<V> range;
};

// f on each component of two lanes, by which lanes are moved and selected.
template <class V, class F>
ISOFOLD_ARITHMETIC V zip(F f, V a, V b) {
  return f(a, b);
}
template <class V, class F>
ISOFOLD_ARITHMETIC Complex<V> zip(F f, Complex<V> a, Complex<V> b) {
  return {f(a.re, b.re), f(a.im, b.im)};
}
template <class V, class F>
ISOFOLD_ARITHMETIC Indexed<V> zip(F f, Indexed<V> a, Indexed<V> b) {
  return {f(a.key, b.key), f(a.index, b.index)};
}
template <class V, class F>
ISOFOLD_ARITHMETIC CountedSum<V> zip(F f, CountedSum<V> a, CountedSum<V> b) {
  return {f(a.sum, b.sum), f(a.count, b.count)};
}
template <class V, class F>
ISOFOLD_ARITHMETIC Scaled<V> zip(F f, Scaled<V> a, Scaled<V> b) {
  return {f(a.fraction, b.fraction), f(a.exponent, b.exponent)};
}
template <class V, class F>
ISOFOLD_ARITHMETIC Ranged<V> zip(F f, Ranged<V> a, Ranged<V> b) {
  return {f(a.sum, b.sum), {f(a.range.largest, b.range.largest), f(a.range.least, b.range.least)}};
}
template <class V, class F>
ISOFOLD_ARITHMETIC Two<V> zip(F f, Two<V> a, Two<V> b) {
  return {zip(f, a.first, b.first), zip(f, a.second, b.second)};
}

// Component i of a lane of vectors: the lane of one number that stands there.
template <class V>
ISOFOLD_ARITHMETIC auto component(V lane, int i) {
  return lane[i];
}
template <class V>
ISOFOLD_ARITHMETIC auto component(Complex<V> lane, int i) {
  return Complex<component_t<V>>{lane.re[i], lane.im[i]};
}
template <class V>
ISOFOLD_ARITHMETIC auto component(Indexed<V> lane, int i) {
  return Indexed<component_t<V>>{lane.key[i], lane.index[i]};
}
template <class V>
ISOFOLD_ARITHMETIC auto component(CountedSum<V> lane, int i) {
  return CountedSum<component_t<V>>{lane.sum[i], lane.count[i]};
}
template <class V>
ISOFOLD_ARITHMETIC auto component(Scaled<V> lane, int i) {
  return Scaled<component_t<V>>{lane.fraction[i], lane.exponent[i]};
}
template <class V>
ISOFOLD_ARITHMETIC auto component(Ranged<V> lane, int i) {
  return Ranged<component_t<V>>{lane.sum[i], {lane.range.largest[i], lane.range.least[i]}};
}
template <class V>
ISOFOLD_ARITHMETIC auto component(Two<V> lane, int i) {
  const auto first = component(lane.first, i);
  return Two<std::remove_const_t<decltype(first)>>{first, component(lane.second, i)};
}

// The number of numbers in a lane.
template <class V>
inline constexpr int numbers_in = 1;
template <class V>
inline constexpr int numbers_in<Complex<V>> = 2;
template <class V>
inline constexpr int numbers_in<Indexed<V>> = 2;
template <class V>
inline constexpr int numbers_in<CountedSum<V>> = 2;
template <class V>
inline constexpr int numbers_in<Scaled<V>> = 2;
template <class V>
inline constexpr int numbers_in<Two<V>> = 2 * numbers_in<V>;

}  // namespace isofold::core
