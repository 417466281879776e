// Exact results over complex elements whose parts are integers, computed in integers.
#pragma once

#include <cmath>
#include <cstdlib>
#include <vector>

#include "exact_prefixes.hpp"
#include <isofold/detail/core/complex.hpp>

namespace isofold::conformance {

template <class Part>
std::int64_t whole(Part part) {
  return static_cast<std::int64_t>(part);
}

// Integers of a sum's two terms an element: term(i, true) and term(i, false).
template <class T, class Term>
Prefixes<T> exact_sums_of_pairs(std::size_t count, Term&& term) {
  const Prefixes<T> all = exact_sums_of<T, T>(
      2 * count, [&](std::size_t i) { return term(i / 2, i % 2 == 0); },
      [](std::int64_t sum, std::int64_t) { return static_cast<T>(sum); });
  Prefixes<T> prefixes;
  for (std::size_t i = 1; i < all.size(); i += 2) {
    prefixes.push_back(all[i]);
  }
  return prefixes;
}

// Elements of integers whose moduli are integers, too: multiples of 3 + 4i and the like, in place
// of a recipe's, whose moduli would be rounded.
template <class T>
void make_moduli_exact(std::vector<T>& data) {
  if constexpr (core::is_complex<T>) {
    for (std::size_t i = 0; i < data.size(); ++i) {
      const auto k = i % 8 < 4 ? data[i].re : data[i].im;
      const T multiples[] = {{3 * k, 4 * k}, {4 * k, -3 * k}, {5 * k, 0}, {0, -5 * k}};
      data[i] = multiples[i % 4];
    }
  }
}

// |z| of a z that make_moduli_exact() made. Where its square is 2^k times a number of 24 or 53
// bits, squares, sum and square root are exact; else more than every sum may be.
template <class T>
std::int64_t exact_modulus(T z) {
  const auto re = whole(z.re);
  const auto im = whole(z.im);
  const std::int64_t modulus =
      re == 0 || im == 0 ? std::abs(re + im) : std::max(std::abs(re), std::abs(im)) / 4 * 5;
  std::int64_t odd = modulus;
  for (; odd != 0 && odd % 2 == 0; odd /= 2) {
  }
  constexpr std::uint64_t most = largest_exact<core::part_t<T>>;
  const bool fits = odd < (std::int64_t{1} << 31) && magnitude(odd * odd) <= most;
  return fits ? modulus : static_cast<std::int64_t>(most) + 1;
}

}  // namespace isofold::conformance
