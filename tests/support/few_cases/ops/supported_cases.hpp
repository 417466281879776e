// The table of cases of the emulated GPUs, in place of src/ops/supported_cases.hpp:
// each size of element and of state once, two arrays, and two stages with states whose order
// matters. Kernels do not differ in more; compiling them does. ISOFOLD_TEST_HALF (1 or 2) leaves
// half of them and no long lists of folds, but with ISOFOLD_TEST_WHOLE; 3 the plainest and the
// widest; 4 these and what the consumers of tests/install ask for; 5 the plainest alone.
#pragma once

#include "../../whole_table.hpp"

#if defined(ISOFOLD_TEST_WHOLE)
#undef ISOFOLD_TEST_HALF
#endif
#ifndef ISOFOLD_TEST_HALF
#define ISOFOLD_TEST_HALF 0
#endif

namespace isofold {

template <class Visit>
bool visit_case(std::int32_t fold, std::int32_t type, Visit&& visit) {
#define ISOFOLD_VISIT(a_fold, a_type, ...)                              \
  if (fold == ISOFOLD_FOLD_##a_fold && type == ISOFOLD_TYPE_##a_type) { \
    return visit_checked(__VA_ARGS__{}, visit);                         \
  }
  ISOFOLD_VISIT(sum, f32, core::Sum<float>)
#if ISOFOLD_TEST_HALF < 2
  ISOFOLD_VISIT(maximum, f64, core::Maximum<double>)
  ISOFOLD_VISIT(moments, f32, core::AllMoments<float>)
#if defined(ISOFOLD_TEST_WHOLE)
  ISOFOLD_VISIT(moments, f64, core::AllMoments<double>)
#endif
  ISOFOLD_VISIT(product, c64, core::Product<isofold_c64>)
  ISOFOLD_VISIT(norm2, c128, core::ComplexNorm2<isofold_c128>)
#endif
#if ISOFOLD_TEST_HALF == 4
  ISOFOLD_VISIT(sum, f64, core::Sum<double>)
  ISOFOLD_VISIT(minimum, f32, core::Minimum<float>)
#elif ISOFOLD_TEST_HALF % 2 == 0
  ISOFOLD_VISIT(sum, i32, core::Sum<std::int32_t>)
  ISOFOLD_VISIT(dot, f32, core::Dot<float>)
#endif
#if ISOFOLD_TEST_HALF != 1 && ISOFOLD_TEST_HALF != 5
  ISOFOLD_VISIT(sum_with_bound, f64, core::SumWithBound<double>)
#endif
#undef ISOFOLD_VISIT
  return false;
}

// The lists of several folds, for f32 alone where half of the cases are.
using MenuOfFolds =
    std::conditional_t<ISOFOLD_TEST_HALF == 0,
                       FoldNames<core::Sum, core::Maximum, core::AllMoments, core::SumWithBound>,
                       FoldNames<core::Sum>>;
template <class T>
inline constexpr bool has_menu = std::is_same_v<T, float> ||
                                 (std::is_same_v<T, double> && ISOFOLD_TEST_HALF == 0);
template <class T>
using FusableFolds = std::conditional_t<has_menu<T>, MenuOfFolds, FoldNames<>>;
template <class T>
using FusablePairs = std::conditional_t<has_menu<T>, FoldNames<core::Sum>, FoldNames<>>;

}  // namespace isofold
