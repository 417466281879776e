// The table of cases of the mutation run's fault sweep, in place of src/ops/supported_cases.hpp:
// the folds that the entry points of tests/support/fault_sweep.hpp name, and no more, as each costs
// every mutant of a session seconds.
#pragma once

#include "../../../support/whole_table.hpp"

namespace isofold {

template <class T>
using FusableFolds =
    std::conditional_t<std::is_same_v<T, float>, FoldNames<core::Sum, core::AllMoments>,
                       FoldNames<core::Sum>>;
template <class T>
using FusablePairs = FoldNames<core::Sum>;

template <class Visit>
bool visit_case(std::int32_t fold, std::int32_t type, Visit&& visit) {
  const auto is = [&](std::int32_t a_fold, std::int32_t a_type) {
    return fold == a_fold && type == a_type;
  };
  if (is(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32)) {
    return visit_checked(core::Sum<float>{}, visit);
  }
  if (is(ISOFOLD_FOLD_maximum, ISOFOLD_TYPE_f64)) {
    return visit_checked(core::Maximum<double>{}, visit);
  }
  if (is(ISOFOLD_FOLD_dot, ISOFOLD_TYPE_f32)) {
    return visit_checked(core::Dot<float>{}, visit);
  }
  if (is(ISOFOLD_FOLD_moments, ISOFOLD_TYPE_f32)) {
    return visit_checked(core::AllMoments<float>{}, visit);
  }
  return false;
}

}  // namespace isofold
