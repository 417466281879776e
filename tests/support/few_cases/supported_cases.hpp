// The table of cases of the builds under the sanitizers, in place of src/supported_cases.hpp: each
// size of element and of state once, two arrays, and two stages with states whose order matters.
// Kernels do not differ in more; compiling them does.
#pragma once

#include "../whole_table.hpp"

namespace isofold {

template <class Visit>
bool visit_case(std::int32_t fold, std::int32_t type, Visit&& visit) {
  if (fold == ISOFOLD_FOLD_sum && type == ISOFOLD_TYPE_f32) {
    visit(core::Sum<float>{});
  } else if (fold == ISOFOLD_FOLD_sum && type == ISOFOLD_TYPE_i32) {
    visit(core::Sum<std::int32_t>{});
  } else if (fold == ISOFOLD_FOLD_maximum && type == ISOFOLD_TYPE_f64) {
    visit(core::Maximum<double>{});
  } else if (fold == ISOFOLD_FOLD_dot && type == ISOFOLD_TYPE_f32) {
    visit(core::Dot<float>{});
  } else if (fold == ISOFOLD_FOLD_moments && type == ISOFOLD_TYPE_f32) {
    visit(core::AllMoments<float>{});
  } else if (fold == ISOFOLD_FOLD_sum_with_bound && type == ISOFOLD_TYPE_f64) {
    visit(core::SumWithBound<double>{});
  } else if (fold == ISOFOLD_FOLD_product && type == ISOFOLD_TYPE_c64) {
    visit(core::Product<isofold_c64>{});
  } else if (fold == ISOFOLD_FOLD_norm2 && type == ISOFOLD_TYPE_c128) {
    visit(core::ComplexNorm2<isofold_c128>{});
  } else {
    return false;
  }
  return true;
}

template <class T>
using FusableFolds =
    std::conditional_t<core::is_floating<T>,
                       FoldNames<core::Sum, core::Maximum, core::AllMoments, core::SumWithBound>,
                       FoldNames<core::Sum>>;

}  // namespace isofold
