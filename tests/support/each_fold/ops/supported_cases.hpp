// The table of cases of builds that nothing measures or asks for more, in place of
// src/ops/supported_cases.hpp: every kind of fold once or twice, and what consumers sum up. Kernels
// that nothing runs leave out those of the same kind (ISOFOLD_TEST_KINDS).
#pragma once

#include "../../whole_table.hpp"

namespace isofold {

// Lists of several folds: one whole menu, and where nothing runs them a part of it alone.
#ifdef ISOFOLD_TEST_KINDS
using MenuOfFolds = FoldNames<core::Sum, core::ArgMin, core::AllMoments>;
using MenuOfPairs = FoldNames<>;  // no fold here takes two arrays
using OtherMenus = FoldNames<>;
#else
using MenuOfFolds = AllFusableFolds<float>;
using MenuOfPairs = AllFusablePairs<float>;
using OtherMenus = FoldNames<core::Sum>;
#endif
template <class T>
using FusableFolds = std::conditional_t<std::is_same_v<T, float>, MenuOfFolds, OtherMenus>;
template <class T>
using FusablePairs = std::conditional_t<std::is_same_v<T, float>, MenuOfPairs, OtherMenus>;

template <class Visit>
bool visit_case(std::int32_t fold, std::int32_t type, Visit&& visit) {
// Folds of the same kernels as one of those below, or else of the same kind.
#ifdef ISOFOLD_TEST_KINDS
#define ISOFOLD_SAME_KINDS(X)                                 \
  X(argmin, f32, core::ArgMin<float>)                         \
  X(argmax, f32, core::ArgMax<float>)                         \
  X(argmin_last, f32, core::ArgMinLast<float>)                \
  X(mean, f64, core::Mean<double>)                            \
  X(variance, f64, core::Variance<double>)                    \
  X(sample_variance, f64, core::SampleVariance<double>)       \
  X(standard_deviation, f64, core::StandardDeviation<double>) \
  X(sample_standard_deviation, f64, core::SampleStandardDeviation<double>)
#else
#define ISOFOLD_SAME_KINDS(X)                            \
  X(sum, i32, core::Sum<std::int32_t>)                   \
  X(maximum, f64, core::Maximum<double>)                 \
  X(dot, f32, core::Dot<float>)                          \
  X(log_sum_exp, f32, core::LogSumExp<float>)            \
  X(count_in_range, f64, core::CountInRange<double>)     \
  X(sum, f64, core::Sum<double>)                         \
  X(product, f64, core::Product<double>)                 \
  X(norm2, f64, core::Norm2<double>)                     \
  X(argmin, f64, core::ArgMin<double>)                   \
  X(softmax_statistics, f64, core::SoftmaxOf<double>)    \
  X(minimum, f32, core::Minimum<float>)                  \
  X(squared_distance, f32, core::SquaredDistance<float>) \
  X(sum_with_bound, f32, core::SumWithBound<float>)      \
  X(sum, c64, core::Sum<isofold_c64>)                    \
  X(dot, c64, core::ComplexDot<isofold_c64>)             \
  X(norm1, c64, core::ComplexNorm1<isofold_c64>)
#endif
#define ISOFOLD_EACH_FOLD(X)                   \
  X(sum, f32, core::Sum<float>)                \
  X(argmax_last, f32, core::ArgMaxLast<float>) \
  X(moments, f64, core::AllMoments<double>)    \
  X(norm2, c128, core::ComplexNorm2<isofold_c128>)
#define ISOFOLD_VISIT(a_fold, a_type, ...)                              \
  if (fold == ISOFOLD_FOLD_##a_fold && type == ISOFOLD_TYPE_##a_type) { \
    return visit_checked(__VA_ARGS__{}, visit);                         \
  }
  ISOFOLD_EACH_FOLD(ISOFOLD_VISIT)
  ISOFOLD_SAME_KINDS(ISOFOLD_VISIT)
#undef ISOFOLD_VISIT
#undef ISOFOLD_EACH_FOLD
#undef ISOFOLD_SAME_KINDS
  return false;
}

}  // namespace isofold
