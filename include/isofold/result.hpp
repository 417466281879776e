// What reductions with more than one component return: plain structs, as they lie in memory.
// docs/folds.md defines the components.
#pragma once

#include <cstdint>

namespace isofold {

// The result of argmin, argmax and their _last variants. In memory every byte of padding is zero.
template <class T>
struct Location {
  T value;
  std::int64_t index;  // from 0 in its row; -1 of no elements
};

template <class T>
struct Extent {  // minmax
  T minimum;
  T maximum;
};

template <class T>
struct Locations {  // argminmax
  Location<T> minimum;
  Location<T> maximum;
};

struct Moments {
  std::int64_t count;
  double mean;
  double m2;  // the sum of squared distances from the mean
};

template <class T>
struct SoftmaxStatistics {
  T maximum;
  T sum;  // of exp(x - maximum)
};

template <class T>
struct Bounded {  // |value - exact| <= bound
  T value;
  T bound;
};

template <class T>
struct WeightedSum {
  T sum;     // of x times its weight
  T weight;  // of all weights
  T mean() const { return sum / weight; }
};

}  // namespace isofold
