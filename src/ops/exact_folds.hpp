// The table of exact_v1: fold x element type -> the fold's struct. Builds of fewer kernels put
// another table in its place.
#pragma once

#include <cstdint>
#include <isofold/detail/core/exact/folds.hpp>
#include <isofold/isofold.h>
#include <type_traits>

namespace isofold {

// Calls visit(the struct) for a fold over elements of T and returns true; false if there is none,
// or no sum to keep for it.
template <class T, class Visit>
bool visit_exact_fold(std::int32_t fold, Visit&& visit) {
  namespace exact = core::exact;
  const auto found = [&](auto f) {
    visit(f);
    return true;
  };
  if (fold == ISOFOLD_FOLD_sum) {
    return found(exact::Sum<T>{});
  }
  if constexpr (!core::is_complex<T>) {
    if (fold == ISOFOLD_FOLD_mean) {
      return found(exact::Mean<T>{});
    }
  }
  if constexpr (!std::is_integral_v<T>) {
    switch (fold) {
      case ISOFOLD_FOLD_norm2: return found(exact::Norm2<T>{});
      case ISOFOLD_FOLD_dot: return found(exact::Dot<T>{});
      case ISOFOLD_FOLD_squared_distance: return found(exact::SquaredDistance<T>{});
      default: break;
    }
  }
  if constexpr (core::is_floating<T>) {
    switch (fold) {
      case ISOFOLD_FOLD_norm1: return found(exact::Norm1<T>{});
      case ISOFOLD_FOLD_weighted_sum: return found(exact::WeightedSum<T>{});
      case ISOFOLD_FOLD_moments: return found(exact::AllMoments<T>{});
      case ISOFOLD_FOLD_variance: return found(exact::Variance<T>{});
      case ISOFOLD_FOLD_sample_variance: return found(exact::SampleVariance<T>{});
      case ISOFOLD_FOLD_standard_deviation: return found(exact::StandardDeviation<T>{});
      case ISOFOLD_FOLD_sample_standard_deviation:
        return found(exact::SampleStandardDeviation<T>{});
      default: break;
    }
  }
  return false;
}

}  // namespace isofold
