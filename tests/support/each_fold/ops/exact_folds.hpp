// The cases of exact_v1 of builds that nothing measures or asks for more, in place of
// src/ops/exact_folds.hpp: a sum of three levels, and two sums of two, one of them of products, of
// which two folds are made.
#pragma once

#include <cstdint>
#include <isofold/detail/core/exact/folds.hpp>
#include <isofold/isofold.h>
#include <type_traits>

namespace isofold {

template <class T, class Visit>
bool visit_exact_fold(std::int32_t fold, Visit&& visit) {
  if constexpr (std::is_same_v<T, double>) {
    if (fold == ISOFOLD_FOLD_sum) {
      visit(core::exact::Sum<T>{});
      return true;
    }
  }
  if constexpr (std::is_same_v<T, float>) {
    if (fold == ISOFOLD_FOLD_variance) {
      visit(core::exact::Variance<T>{});
      return true;
    }
    if (fold == ISOFOLD_FOLD_moments) {
      visit(core::exact::AllMoments<T>{});
      return true;
    }
  }
  return false;
}

}  // namespace isofold
