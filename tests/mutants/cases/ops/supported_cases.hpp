// The table of cases of the mutation run's quick build tree, in place of
// src/ops/supported_cases.hpp: each kind of kernel and of CPU loop at least once, so that a mutant
// of theirs compiles in seconds.
#pragma once

#include "../../../support/whole_table.hpp"

namespace isofold {

template <class T>
using FusableFolds = FoldNames<core::Sum>;
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
  if (is(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_i32)) {
    return visit_checked(core::Sum<std::int32_t>{}, visit);
  }
  if (is(ISOFOLD_FOLD_maximum, ISOFOLD_TYPE_f64)) {
    return visit_checked(core::Maximum<double>{}, visit);
  }
  if (is(ISOFOLD_FOLD_dot, ISOFOLD_TYPE_f32)) {
    return visit_checked(core::Dot<float>{}, visit);
  }
  if (is(ISOFOLD_FOLD_dot, ISOFOLD_TYPE_f64)) {
    return visit_checked(core::Dot<double>{}, visit);
  }
  if (is(ISOFOLD_FOLD_argmin, ISOFOLD_TYPE_f32)) {
    return visit_checked(core::ArgMin<float>{}, visit);
  }
  if (is(ISOFOLD_FOLD_argmax_last, ISOFOLD_TYPE_u32)) {
    return visit_checked(core::ArgMaxLast<std::uint32_t>{}, visit);
  }
  if (is(ISOFOLD_FOLD_moments, ISOFOLD_TYPE_f64)) {
    return visit_checked(core::AllMoments<double>{}, visit);
  }
  if (is(ISOFOLD_FOLD_sum_with_bound, ISOFOLD_TYPE_f64)) {
    return visit_checked(core::SumWithBound<double>{}, visit);
  }
  if (is(ISOFOLD_FOLD_softmax_statistics, ISOFOLD_TYPE_f32)) {
    return visit_checked(core::SoftmaxOf<float>{}, visit);
  }
  if (is(ISOFOLD_FOLD_log_sum_exp, ISOFOLD_TYPE_f32)) {
    return visit_checked(core::LogSumExp<float>{}, visit);
  }
  if (is(ISOFOLD_FOLD_product, ISOFOLD_TYPE_c64)) {
    return visit_checked(core::Product<isofold_c64>{}, visit);
  }
  if (is(ISOFOLD_FOLD_dot, ISOFOLD_TYPE_c64)) {
    return visit_checked(core::ComplexDot<isofold_c64>{}, visit);
  }
  if (is(ISOFOLD_FOLD_norm2, ISOFOLD_TYPE_c128)) {
    return visit_checked(core::ComplexNorm2<isofold_c128>{}, visit);
  }
  return false;
}

}  // namespace isofold
