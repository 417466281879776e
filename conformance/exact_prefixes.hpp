// Results of all prefixes of an array, where and as long as every order of combination is exact.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace isofold::conformance {

// After each element.
template <class R>
using Prefixes = std::vector<std::optional<R>>;

template <class T>
constexpr std::uint64_t largest_exact = std::uint64_t{1} << std::numeric_limits<T>::digits;

template <class T>
std::uint64_t magnitude(T x) {
  return static_cast<std::uint64_t>(x < 0 ? -x : x);
}

// Floating point T: the sums of `count` integers term(i), exact while their magnitudes add up to at
// most 2^24 or 2^53. `make` turns a sum and its count into the result.
template <class T, class R, class Term, class Make>
Prefixes<R> exact_sums_of(std::size_t count, Term&& term, Make&& make) {
  Prefixes<R> prefixes;
  std::int64_t sum = 0;
  std::uint64_t magnitudes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t next = term(i);
    magnitudes += magnitude(next);
    if (magnitude(next) > largest_exact<T> || magnitudes > largest_exact<T>) {
      break;
    }
    sum += next;
    prefixes.push_back(make(sum, static_cast<std::int64_t>(i) + 1));
  }
  return prefixes;
}

// Results of two components, where both are exact.
template <class R, class T>
Prefixes<R> joined(const Prefixes<T>& first, const Prefixes<T>& second) {
  Prefixes<R> prefixes;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    prefixes.push_back(R{*first[i], *second[i]});
  }
  return prefixes;
}

}  // namespace isofold::conformance
