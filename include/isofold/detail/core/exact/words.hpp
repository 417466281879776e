// The exact value of a sum as 64-bit words, for exact_v1 (docs/exact.md). Words of parts of the
// data are merged by adding them, one by one and in any order: by merge(), by an MPI or NCCL sum of
// 64-bit integers, by anything else that adds integers.
#pragma once

#include <isofold/detail/core/exact/digits.hpp>

namespace isofold::core::exact {

// The kinds of terms that a sum may have, by the exponents of the lowest and of the highest bit of
// any of them.
struct TermsOfF32 {
  static constexpr int lowest = -149;
  static constexpr int highest = 127;
};
struct TermsOfF64 {
  static constexpr int lowest = -1074;
  static constexpr int highest = 1023;
};
struct ProductsOfF32 {
  static constexpr int lowest = -298;
  static constexpr int highest = 255;
};
struct ProductsOfF64 {
  static constexpr int lowest = -2148;
  static constexpr int highest = 2047;
};
struct Integers {
  static constexpr int lowest = 0;
  static constexpr int highest = 63;
};

// The state: counts first, then the digits of the sum. Digit k counts multiples of
// 2^(32 k - bias); it may be negative, and beyond 32 bits between two calls of carry().
template <class Terms>
struct Words {
  static constexpr int bias = (31 - Terms::lowest) / 32 * 32;
  // 2^63 terms fit, and a sign.
  static constexpr int digits = (bias + Terms::highest + 1 + 64 + 31) / 32;

  std::int64_t terms = 0;
  std::int64_t not_minus_zero = 0;  // 0 as long as every term is -0; carry() makes it 0 or 1
  std::int64_t nans = 0;
  std::int64_t plus_infinities = 0;
  std::int64_t minus_infinities = 0;
  std::int64_t digit[static_cast<std::size_t>(digits)] = {};

  // Adds magnitude * 2^exponent, or minus that: a sum of at most 2^63 terms, however it is written.
  // A digit changes by less than 2^32, and carry() leaves less than that: at most 2^30 deposits lie
  // between two calls of it.
  ISOFOLD_HOST_DEVICE void deposit(std::uint64_t magnitude, int exponent, bool negative) {
    int place = exponent + bias;
    if (place < 0) {  // the bits below the lowest digit are zeros
      magnitude = place > -64 ? magnitude >> -place : 0;
      place = 0;
    }
    int k = place / 32;
    const int shift = place % 32;
    Uint128 rest = static_cast<Uint128>(magnitude) << shift;
    for (; rest != 0; ++k, rest >>= 32) {
      const auto piece = static_cast<std::int64_t>(static_cast<std::uint32_t>(rest));
      digit[k] += negative ? -piece : piece;
    }
  }

  // Moves what is beyond 32 bits of a digit into the next one: afterwards each is in [0, 2^32), but
  // the last, which has the sign. Words of equal sums are equal then.
  ISOFOLD_HOST_DEVICE void carry() {
    not_minus_zero = not_minus_zero != 0 ? 1 : 0;
    ISOFOLD_NOT_UNROLLED
    for (int k = 0; k + 1 < digits; ++k) {
      const auto low = static_cast<std::int64_t>(static_cast<std::uint32_t>(digit[k]));
      digit[k + 1] += (digit[k] - low) / (std::int64_t{1} << 32);
      digit[k] = low;
    }
  }

  // Takes the words of a part away again. A sum that is zero afterwards is +0.
  ISOFOLD_HOST_DEVICE void subtract(const Words& other) {
    terms -= other.terms;
    not_minus_zero |= other.not_minus_zero;
    nans -= other.nans;
    plus_infinities -= other.plus_infinities;
    minus_infinities -= other.minus_infinities;
    ISOFOLD_NOT_UNROLLED
    for (int k = 0; k < digits; ++k) {
      digit[k] -= other.digit[k];
    }
  }

  // Adds the words of another part. Both were carried at most 2^30 merges ago.
  ISOFOLD_HOST_DEVICE void merge(const Words& other) {
    terms += other.terms;
    not_minus_zero += other.not_minus_zero;
    nans += other.nans;
    plus_infinities += other.plus_infinities;
    minus_infinities += other.minus_infinities;
    ISOFOLD_NOT_UNROLLED
    for (int k = 0; k < digits; ++k) {
      digit[k] += other.digit[k];
    }
  }
};

// The magnitude of the sum of carried words, and its sign.
template <class Terms>
struct Magnitude {
  Digits<Words<Terms>::digits + 1> value;
  bool negative = false;
  bool zero = true;

  ISOFOLD_HOST_DEVICE explicit Magnitude(const Words<Terms>& carried) {
    constexpr int digits = Words<Terms>::digits;
    negative = carried.digit[digits - 1] < 0;
    value.exponent = -Words<Terms>::bias;
    Uint128 sum = negative ? 1 : 0;  // of the complement: -x is ~x + 1
    ISOFOLD_NOT_UNROLLED
    for (int k = 0; k <= digits; ++k) {
      const std::int64_t last = carried.digit[digits - 1];
      const std::int64_t own = k < digits - 1 ? carried.digit[k] : k < digits ? last : last >> 32;
      const auto piece = static_cast<std::uint32_t>(own);
      sum += negative ? ~piece : piece;
      value.digit[k] = static_cast<std::uint32_t>(sum);
      sum >>= 32;
      zero = zero && value.digit[k] == 0;
    }
  }
};

// NaN, or an infinity, if the terms have such a sum whatever the others are.
template <class T, class Terms>
ISOFOLD_HOST_DEVICE bool special_sum(const Words<Terms>& words, T& sum) {
  const bool both = words.plus_infinities > 0 && words.minus_infinities > 0;
  if (words.nans > 0 || both) {
    sum = canonical_nan<T>();
    return true;
  }
  constexpr T infinity = highest<T>();
  sum = words.plus_infinities > 0 ? infinity : -infinity;
  return words.plus_infinities > 0 || words.minus_infinities > 0;
}

// Results are made of words that have been carried.
//
// Rounds digits(magnitude of the sum) once, and gives it the sum's sign. A sum that is zero is +0,
// or -0 if all terms are -0.
template <class T, class Terms, class DigitsOf>
ISOFOLD_HOST_DEVICE T rounded_of(const Words<Terms>& words, const DigitsOf& digits) {
  T special;
  if (special_sum(words, special)) {
    return special;
  }
  const Magnitude<Terms> magnitude(words);
  const bool all_minus = words.terms > 0 && words.not_minus_zero == 0;
  const T result = rounded<T>(digits(magnitude.value));
  return (magnitude.zero ? all_minus : magnitude.negative) ? -result : result;
}

// The sum, rounded once.
template <class T, class Terms>
ISOFOLD_HOST_DEVICE T sum_of(const Words<Terms>& words) {
  return rounded_of<T>(words, [](const auto& magnitude) { return magnitude; });
}

// A sum of whole numbers as a T; fits_integer() says whether T holds it, and the result is the
// lowest 64 bits otherwise.
template <class T, class Terms>
ISOFOLD_HOST_DEVICE T integer_of(const Words<Terms>& words) {
  return static_cast<T>(static_cast<std::uint64_t>(words.digit[0]) |
                        static_cast<std::uint64_t>(words.digit[1]) << 32);
}
template <class T, class Terms>
ISOFOLD_HOST_DEVICE bool fits_integer(const Words<Terms>& words) {
  const bool negative = std::is_signed_v<T> && (words.digit[1] >> 31) != 0;
  const std::int64_t above = negative ? 0xffffffff : 0;
  return words.digit[2] == above && words.digit[3] == (negative ? -1 : 0);
}

// The sum over `by` (1 or more), rounded once.
template <class T, class Terms>
ISOFOLD_HOST_DEVICE T quotient_of(const Words<Terms>& words, std::uint64_t by) {
  return rounded_of<T>(words, [by](const auto& magnitude) { return quotient_of(magnitude, by); });
}

// The square root of a sum of squares, rounded once.
template <class T, class Terms>
ISOFOLD_HOST_DEVICE T root_of(const Words<Terms>& words) {
  return rounded_of<T>(words, [](const auto& magnitude) { return square_root_of(magnitude); });
}

}  // namespace isofold::core::exact
