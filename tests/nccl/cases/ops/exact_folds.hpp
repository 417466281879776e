// A few cases of exact_v1 for the kernels of these tests, in place of src/ops/exact_folds.hpp: each
// kind of state once. Their front knows all cases.
#pragma once

#include <cstdint>
#include <isofold/detail/core/exact/folds.hpp>
#include <isofold/isofold.h>
#include <type_traits>

namespace isofold {

template <class T, class Visit>
bool visit_exact_fold(std::int32_t fold, Visit&& visit) {
  namespace exact = core::exact;
  const auto found = [&](auto f) {
    visit(f);
    return true;
  };
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    if (fold == ISOFOLD_FOLD_sum) {
      return found(exact::Sum<T>{});
    }
  }
  if constexpr (std::is_same_v<T, double>) {
    if (fold == ISOFOLD_FOLD_mean) {
      return found(exact::Mean<T>{});
    }
    if (fold == ISOFOLD_FOLD_dot) {
      return found(exact::Dot<T>{});
    }
  }
  if constexpr (std::is_same_v<T, std::int64_t>) {
    if (fold == ISOFOLD_FOLD_sum) {
      return found(exact::Sum<T>{});
    }
  }
  return false;
}

}  // namespace isofold
