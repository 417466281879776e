// carry_words(): Words::carry() by a warp, in a few steps for any number of digits. One thread
// would take a digit after the other.
#pragma once

#include <utility>

#include <isofold/detail/core/exact/words.hpp>
#include <isofold/detail/gpu/warp_fold.hpp>

namespace isofold::gpu {

// A bit for each digit of a sum, as ballots have them: bit `lane` of word j is digit
// lane + j * wave_width.
template <class Group, int words>
struct DigitBits {
  using Word = decltype(std::declval<const Group&>().ballot(true));
  Word word[std::size_t{words}];
};

// Returns, for each digit, whether the digit below it hands it a carry: a digit that `makes` one
// does, and one that `passes` it on if it is handed one itself. (Those are the carries of the sum
// of two binary numbers, makes | passes and makes.)
template <class Group, int words>
ISOFOLD_DEVICE DigitBits<Group, words> handed(const DigitBits<Group, words>& makes,
                                              const DigitBits<Group, words>& passes) {
  using Word = typename DigitBits<Group, words>::Word;
  DigitBits<Group, words> carries;
  Word carry = 0;
#pragma unroll
  for (int j = 0; j < words; ++j) {
    const Word a = makes.word[j] | passes.word[j];
    const Word b = makes.word[j];
    const Word sum = a + b;
    const Word all = sum + carry;
    carries.word[j] = all ^ a ^ b;
    carry = sum < a || all < sum ? 1 : 0;
  }
  return carries;
}

// As sum.carry(). Collective: every lane of the warp must call.
template <class Group, class Terms>
ISOFOLD_DEVICE_APART void carry_words(const Group group, core::exact::Words<Terms>& sum) {
  constexpr int digits = core::exact::Words<Terms>::digits;
  constexpr int width = Group::wave_width;
  constexpr int each = (digits + width - 1) / width;
  constexpr std::int64_t base = std::int64_t{1} << 32;
  using Bits = DigitBits<Group, each>;
  const int lane = group.thread() % width;
  const auto low = [](std::int64_t digit) {
    return static_cast<std::int64_t>(static_cast<std::uint32_t>(digit));
  };
  // Every digit hands on what is beyond its 32 bits: twice, and digits are in [-1, 2^32] but for
  // the last, which keeps all.
  std::int64_t digit[std::size_t{each}];
#pragma unroll
  for (int step = 0; step < 2; ++step) {
#pragma unroll
    for (int j = 0; j < each; ++j) {
      const int k = lane + j * width;
      digit[j] = 0;
      if (k < digits) {
        const std::int64_t own = sum.digit[k];
        const std::int64_t below = k > 0 ? sum.digit[k - 1] : 0;
        digit[j] = (k < digits - 1 ? low(own) : own) + ((below - low(below)) >> 32);
      }
    }
    group.warp_barrier();
#pragma unroll
    for (int j = 0; j < each; ++j) {
      if (const int k = lane + j * width; k < digits) {
        sum.digit[k] = digit[j];
      }
    }
    group.warp_barrier();
  }
  // What is left are carries of 1, and then those of -1, which may run through many digits.
#pragma unroll
  for (int sign = 1; sign >= -1; sign -= 2) {
    Bits makes;
    Bits passes;
#pragma unroll
    for (int j = 0; j < each; ++j) {
      const bool hands_on = lane + j * width < digits - 1;
      makes.word[j] = group.ballot(hands_on && digit[j] == (sign > 0 ? base : -1));
      passes.word[j] = group.ballot(hands_on && digit[j] == (sign > 0 ? base - 1 : 0));
    }
    const Bits carries = handed<Group, each>(makes, passes);
#pragma unroll
    for (int j = 0; j < each; ++j) {
      const bool hands_on = lane + j * width < digits - 1;
      digit[j] += (carries.word[j] >> lane & 1) != 0 ? sign : 0;
      digit[j] -= hands_on && (sign > 0 ? digit[j] >= base : digit[j] < 0) ? sign * base : 0;
    }
  }
#pragma unroll
  for (int j = 0; j < each; ++j) {
    if (const int k = lane + j * width; k < digits) {
      sum.digit[k] = digit[j];
    }
  }
  if (lane == 0) {
    sum.not_minus_zero = sum.not_minus_zero != 0 ? 1 : 0;
  }
  group.warp_barrier();
}

}  // namespace isofold::gpu
