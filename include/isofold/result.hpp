// The results of reductions with more than one component: plain structs, as they lie in memory,
// which the folds themselves write. docs/folds.md defines the components.
//
// Each struct says what its components are, in the order of memory: components(use) calls
// use(name, value of the component's type) for each.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace isofold {

// The result of argmin, argmax, their _last variants and argabsmax. Every byte of padding in memory
// is zero. The index is that of the element in the array: in its row, whatever a mask takes, and
// in the data of a gather and of segments. packed_index(x) numbers the elements that are taken
// (shape.hpp).
template <class T>
struct Location {
  T value;
  std::int64_t index;  // from 0 in its row; -1: there are no elements

  template <class Use>
  static constexpr void components(Use&& use) {
    use("value", T{});
    use("index", std::int64_t{});
  }
};

template <class T>
struct Extent {  // the result of minmax
  T minimum;
  T maximum;

  template <class Use>
  static constexpr void components(Use&& use) {
    use("minimum", T{});
    use("maximum", T{});
  }
};

template <class T>
struct Locations {  // the result of argminmax
  Location<T> minimum;
  Location<T> maximum;

  template <class Use>
  static constexpr void components(Use&& use) {
    use("minimum", T{});
    use("minimum_index", std::int64_t{});
    use("maximum", T{});
    use("maximum_index", std::int64_t{});
  }
};

// The result of moments, from which mean and variance are taken.
struct Moments {
  std::int64_t count;
  double mean;
  double m2;  // the sum of squared distances from the mean
  // The variance with any divisor, count - ddof, and its root; NaN if the divisor is not above 0.
  // With ddof 0 and 1 they have the bits of the folds variance, sample_variance, standard_deviation
  // and sample_standard_deviation, unless the caller's compiler relaxes floating point.
  double variance(double ddof = 0) const {
    const double divisor = static_cast<double>(count) - ddof;
    return divisor > 0 ? m2 / divisor : std::numeric_limits<double>::quiet_NaN();
  }
  double standard_deviation(double ddof = 0) const { return std::sqrt(variance(ddof)); }

  template <class Use>
  static constexpr void components(Use&& use) {
    use("count", std::int64_t{});
    use("mean", double{});
    use("m2", double{});
  }
};

template <class T>
struct SoftmaxStatistics {
  T maximum;
  T sum;  // of exp(x - maximum)

  template <class Use>
  static constexpr void components(Use&& use) {
    use("maximum", T{});
    use("sum", T{});
  }
};

template <class T>
struct Bounded {  // |value - exact| <= bound
  T value;
  T bound;

  template <class Use>
  static constexpr void components(Use&& use) {
    use("value", T{});
    use("bound", T{});
  }
};

template <class T>
struct WeightedSum {
  T sum;     // the sum of x times its weight
  T weight;  // the sum of all weights
  // The weighted mean. Weights that add up to 0 have an infinity or a NaN, which is the canonical
  // one as in all results, though machines and compilers differ in the sign of that of 0 / 0.
  T mean() const {
    const T quotient = sum / weight;
    return quotient != quotient ? std::numeric_limits<T>::quiet_NaN() : quotient;
  }

  template <class Use>
  static constexpr void components(Use&& use) {
    use("sum", T{});
    use("weight", T{});
  }
};

}  // namespace isofold
