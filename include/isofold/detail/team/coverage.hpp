// Coverage: a fingerprint of a set of indices that is added over ranks, so that gaps and overlaps
// are noticed by a message of constant size. The indices of a set become the sum of g^index modulo
// the prime 2^61 - 1; all of [0, total) has a sum that is known. Another set of indices, of any
// shape, has it by chance alone. Boxes take a few powers, lists one multiplication for each index
// that follows the one before.
#pragma once

#include <cstdint>

namespace isofold::team::detail {

inline constexpr std::uint64_t coverage_prime = (std::uint64_t{1} << 61) - 1;
inline constexpr std::uint64_t coverage_base = 1234567890123456789U % coverage_prime;

[[nodiscard]] inline std::uint64_t reduced(std::uint64_t x) {
  const std::uint64_t folded = (x >> 61) + (x & coverage_prime);
  return folded >= coverage_prime ? folded - coverage_prime : folded;
}
[[nodiscard]] inline std::uint64_t added(std::uint64_t a, std::uint64_t b) {
  return reduced(a + b);
}
[[nodiscard]] inline std::uint64_t subtracted(std::uint64_t a, std::uint64_t b) {
  return reduced(a + coverage_prime - b);
}
// The product, by halves of 31 and 30 bits.
[[nodiscard]] inline std::uint64_t multiplied(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t low31 = (std::uint64_t{1} << 31) - 1;
  constexpr std::uint64_t low30 = (std::uint64_t{1} << 30) - 1;
  const std::uint64_t a_high = a >> 31;
  const std::uint64_t a_low = a & low31;
  const std::uint64_t b_high = b >> 31;
  const std::uint64_t b_low = b & low31;
  const std::uint64_t middle = a_low * b_high + a_high * b_low;
  return reduced(reduced(2 * (a_high * b_high) + (middle >> 30) + ((middle & low30) << 31)) +
                 reduced(a_low * b_low));
}
[[nodiscard]] inline std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1U) {
    result = (exponent & 1U) != 0 ? multiplied(result, base) : result;
    base = multiplied(base, base);
  }
  return result;
}
// The sum of base^i for begin <= i < end.
[[nodiscard]] inline std::uint64_t power_sum(std::uint64_t base, std::int64_t begin,
                                             std::int64_t end) {
  if (begin >= end) {
    return 0;
  }
  if (base == 1) {
    return reduced(static_cast<std::uint64_t>(end - begin));
  }
  const std::uint64_t difference = subtracted(power(base, static_cast<std::uint64_t>(end)),
                                              power(base, static_cast<std::uint64_t>(begin)));
  return multiplied(difference, power(subtracted(base, 1), coverage_prime - 2));
}

// The coverage of all of [0, total).
[[nodiscard]] inline std::uint64_t coverage_of_all(std::int64_t total) {
  return power_sum(coverage_base, 0, total);
}
// The coverage of a box of `extents` at `offsets` in a row-major box of `whole` extents.
[[nodiscard]] inline std::uint64_t coverage_of_box(std::int32_t dimensions,
                                                   const std::int64_t* extents,
                                                   const std::int64_t* offsets,
                                                   const std::int64_t* whole) {
  std::uint64_t product = 1;
  std::uint64_t base = coverage_base;  // g to the power of the dimension's stride
  for (std::int32_t d = dimensions - 1; d >= 0; --d) {
    product = multiplied(product, power_sum(base, offsets[d], offsets[d] + extents[d]));
    base = power(base, static_cast<std::uint64_t>(whole[d]));
  }
  return product;
}
// The coverage of a list of indices.
[[nodiscard]] inline std::uint64_t coverage_of_list(const std::int64_t* indices,
                                                    std::int64_t count) {
  std::uint64_t sum = 0;
  std::uint64_t term = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    term = i > 0 && indices[i] == indices[i - 1] + 1
               ? multiplied(term, coverage_base)
               : power(coverage_base, static_cast<std::uint64_t>(indices[i]));
    sum = added(sum, term);
  }
  return sum;
}

}  // namespace isofold::team::detail
