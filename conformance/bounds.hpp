// The parts of error bounds, and exact sums to measure errors with.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

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

// The elements of one result, and of what order it was combined in: tree v1's, or any.
template <class T>
struct Sample {
  const T* x;
  const T* y;  // of folds of two arrays
  std::int64_t n;
  bool in_tree_order;

  // The longest sequence of additions.
  std::int64_t height() const { return in_tree_order ? tree_height(n) : n - 1; }
};

// The sum of what add(sum, i) adds for each element.
template <class T, class Add>
ExactSum exact_sum(const Sample<T>& sample, Add&& add) {
  ExactSum sum;
  for (std::int64_t i = 0; i < sample.n; ++i) {
    add(sum, i);
  }
  return sum;
}

// A sum and that of its terms' magnitudes, which bounds of its error are relative to.
struct SumAndMagnitudes {
  ExactSum sum;
  Long magnitudes;
};

template <class T>
SumAndMagnitudes sum_of(const T* x, std::int64_t n) {
  ExactSum sum;
  ExactSum magnitudes;
  for (std::int64_t i = 0; i < n; ++i) {
    sum.add(static_cast<double>(x[i]));
    magnitudes.add(std::fabs(static_cast<double>(x[i])));
  }
  return {sum, magnitudes.value()};
}

template <class T>
SumAndMagnitudes products_of(const Sample<T>& sample) {
  ExactSum sum;
  ExactSum magnitudes;
  for (std::int64_t i = 0; i < sample.n; ++i) {
    const auto a = static_cast<double>(sample.x[i]);
    const auto b = static_cast<double>(sample.y[i]);
    add_product(sum, a, b);
    add_product(magnitudes, std::fabs(a), std::fabs(b));
  }
  return {sum, magnitudes.value()};
}

// The most that n roundings of subnormal results lose.
template <class T>
Long least_of(std::int64_t n) {
  return static_cast<Long>(n) * smallest<T>;
}

// A dot product: each rounding of the longest path, one of them of a product, and what underflows.
template <class T>
Long bound_of_products(const Sample<T>& sample, Long magnitudes) {
  return gamma<T>(sample.height() + 1) * magnitudes + least_of<T>(sample.n);
}

}  // namespace isofold::conformance
