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

// Adds a number that is a term as it stands.
template <class Terms, class T, std::enable_if_t<is_floating<T>, int> = 0>
ISOFOLD_HOST_DEVICE void add(Words<Terms>& words, T x) {
  const Parts<T> parts(x);
  words.terms += 1;
  if (!parts.finite) {
    count_special(words, parts.is_nan(), parts.negative);
  } else if (parts.magnitude == 0) {
    words.not_minus_zero |= parts.negative ? 0 : 1;
  } else {
    words.not_minus_zero = 1;
    words.deposit(parts.magnitude, parts.exponent, parts.negative);
  }
}

// Adds a whole number.
template <class Terms, class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
ISOFOLD_HOST_DEVICE void add(Words<Terms>& words, T x) {
  const bool negative = x < 0;
  const auto bits = static_cast<std::uint64_t>(static_cast<wide_t<T>>(x));
  words.terms += 1;
  words.not_minus_zero = 1;
  words.deposit(negative ? ~bits + 1 : bits, 0, negative);
}

// Adds x * y; the product of two floats may be added as the double that it is.
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
    words.not_minus_zero |= negative ? 0 : 1;
    return;
  }
  words.not_minus_zero = 1;
  const int exponent = a.exponent + b.exponent;
  words.deposit(static_cast<std::uint64_t>(product), exponent, negative);
  if (const auto high = static_cast<std::uint64_t>(product >> 64); high != 0) {
    words.deposit(high, exponent + 64, negative);
  }
}

// The sum of squared distances of n elements from their mean, over `by`: the real value of
// (n * squares - sum^2) / (n * by), which is never negative. n is the number of terms of the sum;
// both have been carried.
template <class Terms, class Products>
ISOFOLD_HOST_DEVICE auto spread_of(const Words<Terms>& sum, const Words<Products>& squares,
                                   std::uint64_t by) {
  static_assert(Words<Products>::bias == 2 * Words<Terms>::bias,
                "A square has the digits of sums of products.");
  const auto squared = square_of(Magnitude<Terms>(sum).value);
  using Difference = std::decay_t<decltype(squared)>;
  static_assert(Difference::count >= Words<Products>::digits + 3, "n times a sum fits.");
  auto difference = extended<Difference::count>(Magnitude<Products>(squares).value);
  const auto n = static_cast<std::uint64_t>(sum.terms);
  difference.multiply(n);
  difference.subtract(squared);
  return quotient_of(difference, n, by);
}
template <class Terms>
ISOFOLD_HOST_DEVICE bool all_finite(const Words<Terms>& words) {
  return (words.nans | words.plus_infinities | words.minus_infinities) == 0;
}

}  // namespace isofold::core::exact
