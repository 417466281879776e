// What bounds of errors are made of, and exact sums to measure errors with.
#pragma once

#include <cmath>
#include <limits>

#include "batch.hpp"
#include "exact_sum.hpp"

namespace isofold::conformance {

using Long = long double;
static_assert(std::numeric_limits<Long>::digits >= 64,
              "Exact references need a type that is finer than double.");

template <class T>
constexpr Long unit_roundoff = static_cast<Long>(std::numeric_limits<T>::epsilon()) / 2;
template <class T>
constexpr Long smallest = static_cast<Long>(std::numeric_limits<T>::denorm_min());

// gamma_k of the error analysis; infinite where it says nothing.
template <class T>
Long gamma(std::int64_t k) {
  const Long ku = static_cast<Long>(k) * unit_roundoff<T>;
  return ku < 1 ? ku / (1 - ku) : std::numeric_limits<Long>::infinity();
}

// The longest path of tree v1: 15 in the lane, 6 in the chunk, and the binary tree above.
inline std::int64_t tree_height(std::int64_t n) {
  std::int64_t height = 21;
  while ((std::int64_t{1024} << (height - 21)) < n) {
    ++height;
  }
  return height;
}

// a · b exactly, as two doubles; far from under- and overflow.
inline void add_product(ExactSum& sum, double a, double b) {
  const double high = a * b;
  sum.add(high);
  sum.add(std::fma(a, b, -high));
}

// (a - b)² exactly: the difference is high + low.
inline void add_squared_difference(ExactSum& sum, double a, double b) {
  const double high = a - b;
  const double back = a - high;
  const double low = (a - (high + back)) + (back - b);
  add_product(sum, high, high);
  add_product(sum, 2 * high, low);
  add_product(sum, low, low);
}

inline void add_long(ExactSum& sum, Long value) {
  const auto high = static_cast<double>(value);
  sum.add(high);
  sum.add(static_cast<double>(value - high));
}

// |result - exact|, exactly where the exact value is a sum.
inline Long distance(ExactSum exact, Long result) {
  if (!std::isfinite(result)) {
    return std::numeric_limits<Long>::infinity();  // a wrong result can be anything
  }
  add_long(exact, -result);
  return std::fabs(exact.value());
}

struct Judgement {
  const char* what;
  Long error;
  Long bound;
  Long scale;  // a bound wider than 1/16 of this proves nothing
  bool is_error = true;
};

// The longest sequence of additions: of tree v1, or of any order.
inline std::int64_t height(const Target& target, std::int64_t n) {
  return target.promises_same_bits() ? tree_height(n) : n - 1;
}

}  // namespace isofold::conformance
