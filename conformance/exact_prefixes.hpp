// Results of all prefixes of an array, where and as long as every order of combination is exact.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
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

// The elements themselves added up: of integers modulo 2^64.
template <class R, class T>
Prefixes<R> exact_sums(const std::vector<T>& data) {
  if constexpr (std::is_floating_point_v<T>) {
    return exact_sums_of<T, R>(
        data.size(), [&](std::size_t i) { return static_cast<std::int64_t>(data[i]); },
        [](std::int64_t sum, std::int64_t) { return static_cast<R>(sum); });
  } else {
    Prefixes<R> prefixes;
    std::uint64_t sum = 0;
    for (T x : data) {
      sum += static_cast<std::uint64_t>(static_cast<R>(x));
      prefixes.push_back(static_cast<R>(sum));
    }
    return prefixes;
  }
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
