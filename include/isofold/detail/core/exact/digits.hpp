// Unsigned integers of many digits, and their one rounding to a floating-point number: what
// exact_v1 (docs/exact.md) makes of a sum that it holds exactly. All steps are integer arithmetic,
// so neither rounding mode nor flush-to-zero of a machine reaches them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include <isofold/detail/core/bits.hpp>
#include <isofold/detail/core/number.hpp>

namespace isofold::core::exact {

// Integers of 128 bits are an extension of g++, clang++, nvcc and hipcc.
__extension__ typedef unsigned __int128 Uint128;

// Divides by a number from 1 to 2^63, a digit after the other, from the highest down: step()
// returns the quotient of rest * 2^32 + digit by it, for a rest below it, and leaves the remainder
// there. AMD's compiler has no division of 128 bits on the device, and that of 64 bits has been
// wrong: clang 15 divides 2^64 - 1 by an int in f32.
class DigitDivision {
 public:
  ISOFOLD_HOST_DEVICE explicit DigitDivision(std::uint64_t by) : by_(by) {
#if defined(__AMDGCN__)
    std::uint64_t rest = 0;
    ISOFOLD_NOT_UNROLLED
    for (int i = 0; i < 2; ++i) {
      inverse_ = inverse_ << 32 | step_of_any(rest, 0xffffffff);
    }
#else
    inverse_ = ~std::uint64_t{0} / by;
#endif
  }
  ISOFOLD_HOST_DEVICE std::uint32_t step(std::uint64_t& rest, std::uint32_t digit) const {
    if (by_ >> 32 != 0) {
      return step_of_any(rest, digit);
    }
    // As counts nearly always are. The product lacks less than rest / 2^64 of the quotient: this is
    // it, or 1 too small.
    rest = rest << 32 | digit;
    const auto quotient = static_cast<std::uint32_t>(static_cast<Uint128>(rest) * inverse_ >> 64);
    rest -= quotient * by_;
    const bool is_small = rest >= by_;
    rest -= is_small ? by_ : 0;
    return is_small ? quotient + 1 : quotient;
  }

 private:
  ISOFOLD_HOST_DEVICE std::uint32_t step_of_any(std::uint64_t& rest, std::uint32_t digit) const {
#if defined(__AMDGCN__)
    std::uint32_t quotient = 0;
    ISOFOLD_NOT_UNROLLED
    for (int bit = 31; bit >= 0; --bit) {
      rest = rest << 1 | (digit >> bit & 1U);
      quotient = quotient << 1 | (rest >= by_ ? 1U : 0U);
      rest -= rest >= by_ ? by_ : 0;
    }
    return quotient;
#else
    const Uint128 all = static_cast<Uint128>(rest) << 32 | digit;
    rest = static_cast<std::uint64_t>(all % by_);
    return static_cast<std::uint32_t>(all / by_);
#endif
  }

  std::uint64_t by_;
  std::uint64_t inverse_ = 0;  // (2^64 - 1) / by
};

// The number digit[0] + digit[1] * 2^32 + ... times 2^exponent, and less than 2^exponent more if
// `more` is set: quotients and roots are cut off there.
template <int count_>
struct Digits {
  static constexpr int count = count_;
  std::uint32_t digit[static_cast<std::size_t>(count)] = {};
  int exponent = 0;
  bool more = false;

  ISOFOLD_HOST_DEVICE std::uint64_t at(int i) const { return i >= 0 && i < count ? digit[i] : 0; }
  // The place of the highest bit that is set, or -1.
  ISOFOLD_HOST_DEVICE int highest_bit() const {
    int i = count - 1;
    ISOFOLD_NOT_UNROLLED
    while (i >= 0 && digit[i] == 0) {
      --i;
    }
    return i < 0 ? -1 : 32 * i + bit_width(digit[i]) - 1;
  }
  ISOFOLD_HOST_DEVICE bool bit(int place) const {
    return place >= 0 && ((at(place / 32) >> (place % 32)) & 1U) != 0;
  }
  // Bits [low, low + 64), of which those below place 0 are zero. (No recursion: a GPU's compiler
  // could not tell how much stack a kernel needs, and 1 KB is what it gets then.)
  ISOFOLD_HOST_DEVICE std::uint64_t bits_from(int low) const {
    const int below = low < 0 ? -low : 0;
    const int place = low + below;
    const int first = place / 32;
    const int shift = place % 32;
    const std::uint64_t pair = at(first) | at(first + 1) << 32;
    const std::uint64_t bits = shift == 0 ? pair : pair >> shift | at(first + 2) << (64 - shift);
    return below < 64 ? bits << below : 0;
  }
  // This tells whether anything is set below a place.
  ISOFOLD_HOST_DEVICE bool any_below(int place) const {
    bool any = more;
    ISOFOLD_NOT_UNROLLED
    for (int i = 0; i < count && 32 * i < place; ++i) {
      const int left = place - 32 * i;
      const std::uint32_t mask = left >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << left) - 1;
      any = any || (digit[i] & mask) != 0;
    }
    return any;
  }

  // Divides by a number from 1 to 2^63, and keeps in `more` whether anything was left.
  ISOFOLD_HOST_DEVICE void divide(std::uint64_t by) {
    const DigitDivision division(by);
    std::uint64_t rest = 0;
    ISOFOLD_NOT_UNROLLED
    for (int i = count - 1; i >= 0; --i) {
      digit[i] = division.step(rest, digit[i]);
    }
    more = more || rest != 0;
  }
  // Multiplies; the product must have no more digits.
  ISOFOLD_HOST_DEVICE void multiply(std::uint64_t by) {
    Uint128 carry = 0;
    ISOFOLD_NOT_UNROLLED
    for (int i = 0; i < count; ++i) {
      carry += static_cast<Uint128>(digit[i]) * by;
      digit[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  // Subtracts a number that is not larger, whose exponent is the same.
  ISOFOLD_HOST_DEVICE void subtract(const Digits& other) {
    std::int64_t borrow = 0;
    ISOFOLD_NOT_UNROLLED
    for (int i = 0; i < count; ++i) {
      borrow += static_cast<std::int64_t>(digit[i]) - static_cast<std::int64_t>(other.digit[i]);
      digit[i] = static_cast<std::uint32_t>(borrow & 0xffffffff);
      borrow >>= 32;  // 0 or -1
    }
  }
};

// The leading bits of a number, the first of which is set; zero has none. The quotient of these by
// an integer n has the leading bits of the number's own, since floor(x / n) = floor(floor(x) / n):
// long numbers need not be divided to their ends.
template <int count, int from>
ISOFOLD_HOST_DEVICE Digits<count> leading(const Digits<from>& x) {
  static_assert(count % 2 == 0, "Digits come in pairs.");
  const int low = x.highest_bit() + 1 - 32 * count;
  Digits<count> lead;
  ISOFOLD_NOT_UNROLLED
  for (int i = 0; i < count; i += 2) {
    const std::uint64_t pair = x.bits_from(low + 32 * i);
    lead.digit[i] = static_cast<std::uint32_t>(pair);
    lead.digit[i + 1] = static_cast<std::uint32_t>(pair >> 32);
  }
  lead.exponent = x.exponent + low;
  lead.more = x.any_below(low);
  return lead;
}

// x / by, cut off behind at least 64 bits, and x / by / again behind at least 126.
template <int count>
ISOFOLD_HOST_DEVICE Digits<4> quotient_of(const Digits<count>& x, std::uint64_t by) {
  auto quotient = leading<4>(x);
  quotient.divide(by);
  return quotient;
}
template <int count>
ISOFOLD_HOST_DEVICE Digits<8> quotient_of(const Digits<count>& x, std::uint64_t by,
                                          std::uint64_t again) {
  auto quotient = leading<8>(x);
  quotient.divide(by);
  quotient.divide(again);
  return quotient;
}

// Returns the number with more digits.
template <int count, int from>
ISOFOLD_HOST_DEVICE Digits<count> extended(const Digits<from>& x) {
  static_assert(count >= from, "The digits fit.");
  Digits<count> wider;
  ISOFOLD_NOT_UNROLLED
  for (int i = 0; i < from; ++i) {
    wider.digit[i] = x.digit[i];
  }
  wider.exponent = x.exponent;
  wider.more = x.more;
  return wider;
}

template <int count>
ISOFOLD_HOST_DEVICE Digits<2 * count> square_of(const Digits<count>& x) {
  Digits<2 * count> product;
  product.exponent = 2 * x.exponent;
  ISOFOLD_NOT_UNROLLED
  for (int i = 0; i < count; ++i) {
    std::uint64_t carry = 0;
    ISOFOLD_NOT_UNROLLED
    for (int j = 0; j < count; ++j) {
      carry += std::uint64_t{x.digit[i]} * x.digit[j] + product.digit[i + j];
      product.digit[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product.digit[i + count] = static_cast<std::uint32_t>(carry);
  }
  return product;
}

// The number of T nearest to x, ties to even; infinity if that is out of range.
template <class T, int count>
ISOFOLD_HOST_DEVICE T rounded(const Digits<count>& x) {
  using Bits = bits_t<T>;
  constexpr int precision = std::numeric_limits<T>::digits;
  constexpr int least = std::numeric_limits<T>::min_exponent - precision;  // of a subnormal's bit
  constexpr Bits infinity = Bits{std::numeric_limits<T>::max_exponent * 2 - 1} << (precision - 1);
  const int highest = x.highest_bit();
  if (highest < 0) {
    return T{0};  // what is left is below any bit of T
  }
  const int lowest = highest - precision + 1 + x.exponent;
  const int last = lowest < least ? least : lowest;  // the exponent of the last bit that is kept
  const int drop = last - x.exponent;
  if (drop > highest + 1) {
    return T{0};
  }
  const std::uint64_t window = drop > highest ? 0 : x.bits_from(drop);
  std::uint64_t kept = window & ((std::uint64_t{1} << precision) - 1);
  const bool half = x.bit(drop - 1);
  kept += half && (x.any_below(drop - 1) || (kept & 1U) != 0) ? 1U : 0U;
  if (last - least >= std::numeric_limits<T>::max_exponent * 2 - 1) {
    return bit_cast<T>(infinity);
  }
  // A carry out of the fraction raises the exponent, up to infinity, whose bits come next.
  const Bits bits = (static_cast<Bits>(last - least) << (precision - 1)) + static_cast<Bits>(kept);
  return bit_cast<T>(bits < infinity ? bits : infinity);
}

// The square root, cut off behind more bits than any T keeps, of a number that is not cut off
// before its 126th bit.
template <int count>
ISOFOLD_HOST_DEVICE Digits<2> square_root_of(const Digits<count>& x) {
  Digits<2> root;
  const int highest = x.highest_bit();
  if (highest < 0) {
    return root;
  }
  // The radicand has 125 or 126 bits, the root 63; the radicand's exponent is even.
  int low = highest - 125;
  low += (low + x.exponent) % 2 != 0 ? 1 : 0;
  const Uint128 radicand = static_cast<Uint128>(x.bits_from(low + 64)) << 64 | x.bits_from(low);
  std::uint64_t r = 0;
  ISOFOLD_NOT_UNROLLED
  for (int bit = 62; bit >= 0; --bit) {
    const std::uint64_t next = r | std::uint64_t{1} << bit;
    if (static_cast<Uint128>(next) * next <= radicand) {
      r = next;
    }
  }
  root.digit[0] = static_cast<std::uint32_t>(r);
  root.digit[1] = static_cast<std::uint32_t>(r >> 32);
  root.exponent = (low + x.exponent) / 2;
  root.more = x.any_below(low) || static_cast<Uint128>(r) * r != radicand;
  return root;
}

}  // namespace isofold::core::exact
