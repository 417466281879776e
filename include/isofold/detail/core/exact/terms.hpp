// The terms of exact sums: what an element, or a product of two, adds to words (words.hpp).
#pragma once

#include <isofold/detail/core/exact/words.hpp>

namespace isofold::core::exact {

// A number's parts: magnitude * 2^exponent, and the sign. Infinities and NaN are not finite, and
// their exponent means nothing.
template <class T>
struct Parts {
  static constexpr int precision = std::numeric_limits<T>::digits;
  static constexpr int field_mask = std::numeric_limits<T>::max_exponent * 2 - 1;

  std::uint64_t magnitude;
  int exponent;
  bool negative;
  bool finite;

  ISOFOLD_HOST_DEVICE explicit Parts(T x) {
    const auto bits = bit_cast<bits_t<T>>(x);
    const int field = static_cast<int>(bits >> (precision - 1)) & field_mask;
    const std::uint64_t one = 1;
    const std::uint64_t fraction = bits & ((one << (precision - 1)) - 1);
    magnitude = field == 0 ? fraction : fraction | one << (precision - 1);
    exponent = (field == 0 ? 1 : field) + std::numeric_limits<T>::min_exponent - precision - 1;
    negative = (bits >> (sizeof(T) * 8 - 1)) != 0;
    finite = field != field_mask;
  }
  ISOFOLD_HOST_DEVICE bool is_nan() const {
    return !finite && magnitude != std::uint64_t{1} << (precision - 1);
  }
};

// Counts a term that is not finite.
template <class Terms>
ISOFOLD_HOST_DEVICE void count_special(Words<Terms>& words, bool is_nan, bool negative) {
  (is_nan ? words.nans : negative ? words.minus_infinities : words.plus_infinities) += 1;
}

// Adds an element.
template <class Terms, class T>
ISOFOLD_HOST_DEVICE void add(Words<Terms>& words, T x) {
  const Parts<T> parts(x);
  words.terms += 1;
  if (!parts.finite) {
    count_special(words, parts.is_nan(), parts.negative);
  } else if (parts.magnitude == 0) {
    words.minus_zeros += parts.negative ? 1 : 0;
  } else {
    words.deposit(parts.magnitude, parts.exponent, parts.negative);
  }
}

// Adds x * y.
template <class Terms, class T>
ISOFOLD_HOST_DEVICE void add_product(Words<Terms>& words, T x, T y) {
  const Parts<T> a(x);
  const Parts<T> b(y);
  const bool negative = a.negative != b.negative;
  words.terms += 1;
  if (!a.finite || !b.finite) {
    // Infinity times zero is NaN.
    const bool is_nan = a.is_nan() || b.is_nan() || a.magnitude == 0 || b.magnitude == 0;
    count_special(words, is_nan, negative);
    return;
  }
  const Uint128 product = static_cast<Uint128>(a.magnitude) * b.magnitude;
  if (product == 0) {
    words.minus_zeros += negative ? 1 : 0;
    return;
  }
  const int exponent = a.exponent + b.exponent;
  words.deposit(static_cast<std::uint64_t>(product), exponent, negative);
  if (const auto high = static_cast<std::uint64_t>(product >> 64); high != 0) {
    words.deposit(high, exponent + 64, negative);
  }
}

// The variance of n elements from their sum and the sum of their squares: the real value of
// (n * squares - sum^2) / (n * (n - less)), rounded once. n > less.
template <class T>
ISOFOLD_HOST_DEVICE T variance_of(Words<TermsOfF64> sum, Words<ProductsOfF64> squares,
                                  std::uint64_t n, std::uint64_t less) {
  if (sum.nans > 0 || sum.plus_infinities > 0 || sum.minus_infinities > 0) {
    return canonical_nan<T>();
  }
  sum.carry();
  squares.carry();
  static_assert(Words<ProductsOfF64>::bias == 2 * Words<TermsOfF64>::bias,
                "A square has the digits of sums of products.");
  const auto squared = square_of(Magnitude<TermsOfF64>(sum).value);
  using Difference = std::decay_t<decltype(squared)>;
  static_assert(Difference::count >= Words<ProductsOfF64>::digits + 3, "n times a sum fits.");
  auto difference = extended<Difference::count, 0>(Magnitude<ProductsOfF64>(squares).value);
  difference.multiply(n);
  difference.subtract(squared);
  difference.divide(n);
  difference.divide(n - less);
  return rounded<T>(difference);
}

}  // namespace isofold::core::exact
