// The one table of what the library computes: fold x element type -> the fold's struct.
// Every backend, the Forest and the conformance suite dispatch through it.
#pragma once

#include <cstdint>
#include <type_traits>

#include <isofold/detail/core/folds/bitwise.hpp>
#include <isofold/detail/core/folds/bounded.hpp>
#include <isofold/detail/core/folds/complex.hpp>
#include <isofold/detail/core/folds/counting.hpp>
#include <isofold/detail/core/folds/extent.hpp>
#include <isofold/detail/core/folds/location.hpp>
#include <isofold/detail/core/folds/log_sum_exp.hpp>
#include <isofold/detail/core/folds/moments.hpp>
#include <isofold/detail/core/folds/norm2.hpp>
#include <isofold/detail/core/folds/product.hpp>
#include <isofold/detail/core/folds/products.hpp>
#include <isofold/detail/core/folds/weighted.hpp>
#include <isofold/isofold.h>

namespace isofold {

// Visits one fold, having checked that it is one.
template <class Fold, class Visit>
bool visit_checked(Fold fold, Visit&& visit) {
  static_assert(core::CheckFold<Fold>::value, "isofold/detail/core/fold.hpp says what a fold is.");
  visit(fold);
  return true;
}

template <class T, class Visit>
bool visit_floating(std::int32_t fold, Visit&& visit) {
  switch (fold) {
    case ISOFOLD_FOLD_absolute_maximum: return visit_checked(core::AbsoluteMaximum<T>{}, visit);
    case ISOFOLD_FOLD_norm1: return visit_checked(core::Norm1<T>{}, visit);
    case ISOFOLD_FOLD_norm2: return visit_checked(core::Norm2<T>{}, visit);
    case ISOFOLD_FOLD_dot: return visit_checked(core::Dot<T>{}, visit);
    case ISOFOLD_FOLD_squared_distance: return visit_checked(core::SquaredDistance<T>{}, visit);
    case ISOFOLD_FOLD_moments: return visit_checked(core::AllMoments<T>{}, visit);
    case ISOFOLD_FOLD_mean: return visit_checked(core::Mean<T>{}, visit);
    case ISOFOLD_FOLD_variance: return visit_checked(core::Variance<T>{}, visit);
    case ISOFOLD_FOLD_sample_variance: return visit_checked(core::SampleVariance<T>{}, visit);
    case ISOFOLD_FOLD_log_sum_exp: return visit_checked(core::LogSumExp<T>{}, visit);
    case ISOFOLD_FOLD_softmax_statistics: return visit_checked(core::SoftmaxOf<T>{}, visit);
    case ISOFOLD_FOLD_sum_with_bound: return visit_checked(core::SumWithBound<T>{}, visit);
    case ISOFOLD_FOLD_mean_with_bound: return visit_checked(core::MeanWithBound<T>{}, visit);
    case ISOFOLD_FOLD_dot_with_bound: return visit_checked(core::DotWithBound<T>{}, visit);
    case ISOFOLD_FOLD_weighted_sum: return visit_checked(core::WeightedSum<T>{}, visit);
    case ISOFOLD_FOLD_argabsmax: return visit_checked(core::ArgAbsMax<T>{}, visit);
    case ISOFOLD_FOLD_standard_deviation: return visit_checked(core::StandardDeviation<T>{}, visit);
    case ISOFOLD_FOLD_sample_standard_deviation:
      return visit_checked(core::SampleStandardDeviation<T>{}, visit);
    default: return false;
  }
}
template <class T, class Visit>
bool visit_integral(std::int32_t fold, Visit&& visit) {
  switch (fold) {
    case ISOFOLD_FOLD_bit_and: return visit_checked(core::BitAnd<T>{}, visit);
    case ISOFOLD_FOLD_bit_or: return visit_checked(core::BitOr<T>{}, visit);
    case ISOFOLD_FOLD_bit_xor: return visit_checked(core::BitXor<T>{}, visit);
    default: return false;
  }
}

template <class T, class Visit>
bool visit_complex(std::int32_t fold, Visit&& visit) {
  switch (fold) {
    case ISOFOLD_FOLD_sum: return visit_checked(core::Sum<T>{}, visit);
    case ISOFOLD_FOLD_product: return visit_checked(core::Product<T>{}, visit);
    case ISOFOLD_FOLD_absolute_maximum:
      return visit_checked(core::ComplexAbsoluteMaximum<T>{}, visit);
    case ISOFOLD_FOLD_norm1: return visit_checked(core::ComplexNorm1<T>{}, visit);
    case ISOFOLD_FOLD_norm2: return visit_checked(core::ComplexNorm2<T>{}, visit);
    case ISOFOLD_FOLD_dot: return visit_checked(core::ComplexDot<T>{}, visit);
    case ISOFOLD_FOLD_squared_distance:
      return visit_checked(core::ComplexSquaredDistance<T>{}, visit);
    default: return false;
  }
}

// Calls visit(core::F<T>{}) for the case (fold, type) and returns true; false if there is no such
// case.
template <class T, class Visit>
bool visit_real(std::int32_t fold, Visit&& visit) {
  switch (fold) {
    case ISOFOLD_FOLD_sum: return visit_checked(core::Sum<T>{}, visit);
    case ISOFOLD_FOLD_product: return visit_checked(core::Product<T>{}, visit);
    case ISOFOLD_FOLD_minimum: return visit_checked(core::Minimum<T>{}, visit);
    case ISOFOLD_FOLD_maximum: return visit_checked(core::Maximum<T>{}, visit);
    case ISOFOLD_FOLD_argmin: return visit_checked(core::ArgMin<T>{}, visit);
    case ISOFOLD_FOLD_argmax: return visit_checked(core::ArgMax<T>{}, visit);
    case ISOFOLD_FOLD_argmin_last: return visit_checked(core::ArgMinLast<T>{}, visit);
    case ISOFOLD_FOLD_argmax_last: return visit_checked(core::ArgMaxLast<T>{}, visit);
    case ISOFOLD_FOLD_minmax: return visit_checked(core::MinimumMaximum<T>{}, visit);
    case ISOFOLD_FOLD_argminmax: return visit_checked(core::LocateBoth<T>{}, visit);
    case ISOFOLD_FOLD_count_nonzero: return visit_checked(core::CountNonzero<T>{}, visit);
    case ISOFOLD_FOLD_count_nan: return visit_checked(core::CountNan<T>{}, visit);
    case ISOFOLD_FOLD_count_in_range: return visit_checked(core::CountInRange<T>{}, visit);
    case ISOFOLD_FOLD_any: return visit_checked(core::Any<T>{}, visit);
    case ISOFOLD_FOLD_all: return visit_checked(core::All<T>{}, visit);
    case ISOFOLD_FOLD_none: return visit_checked(core::None<T>{}, visit);
    default:
      if constexpr (core::is_floating<T>) {
        return visit_floating<T>(fold, visit);
      } else {
        return visit_integral<T>(fold, visit);
      }
  }
}

template <class T, class Visit>
bool visit_fold(std::int32_t fold, Visit&& visit) {
  if constexpr (core::is_complex<T>) {
    return visit_complex<T>(fold, visit);
  } else {
    return visit_real<T>(fold, visit);
  }
}

// `type` is one that folds compute in (converted_elements.hpp).
template <class Visit>
bool visit_case(std::int32_t fold, std::int32_t type, Visit&& visit) {
  switch (type) {
#define ISOFOLD_CASE(name, number, c_type) \
  case number: return visit_fold<c_type>(fold, visit);
    ISOFOLD_COMPUTED_TYPES(ISOFOLD_CASE)
#undef ISOFOLD_CASE
    default: return false;
  }
}

// The folds of fused kernels over one array, one of each set that computes equal states. A fold is
// found by one comparison after the other, so the most frequent ones come first. Exponentials of
// doubles are not among them: with them nvcc spilled registers of all others.
template <template <class> class... Folds>
struct FoldNames {};
template <class T>
struct FusableFoldsOf {
  using type = FoldNames<core::Sum, core::Minimum, core::ArgMin, core::MinimumMaximum,
                         core::Product, core::LocateBoth, core::CountNonzero, core::BitAnd>;
};
template <>
struct FusableFoldsOf<float> {
  using type =
      FoldNames<core::Sum, core::Minimum, core::Maximum, core::ArgMin, core::MinimumMaximum,
                core::AllMoments, core::Norm2, core::AbsoluteMaximum, core::Norm1, core::Product,
                core::LocateBoth, core::CountNonzero, core::LogSumExp, core::SumWithBound>;
};
template <>
struct FusableFoldsOf<double> {
  using type =
      FoldNames<core::Sum, core::Minimum, core::Maximum, core::ArgMin, core::MinimumMaximum,
                core::AllMoments, core::Norm2, core::AbsoluteMaximum, core::Norm1, core::Product,
                core::LocateBoth, core::CountNonzero, core::SumWithBound>;
};
struct FusableComplexFolds {
  using type = FoldNames<core::Sum, core::Product, core::ComplexAbsoluteMaximum, core::ComplexNorm1,
                         core::ComplexNorm2>;
};
template <>
struct FusableFoldsOf<isofold_c64> : FusableComplexFolds {};
template <>
struct FusableFoldsOf<isofold_c128> : FusableComplexFolds {};
template <class T>
using FusableFolds = typename FusableFoldsOf<T>::type;

// The folds of fused kernels over two arrays: those that take both, and the folds that solvers ask
// of the first array beside them.
template <class T>
struct FusablePairsOf {
  using type = std::conditional_t<
      core::is_complex<T>,
      FoldNames<core::ComplexDot, core::ComplexSquaredDistance, core::Sum,
                core::ComplexAbsoluteMaximum, core::ComplexNorm2>,
      FoldNames<core::Dot, core::SquaredDistance, core::WeightedSum, core::DotWithBound, core::Sum,
                core::AbsoluteMaximum, core::Norm2>>;
};
template <class T>
using FusablePairs = typename FusablePairsOf<T>::type;

// The isofold_type of a C++ type.
template <class T>
constexpr std::int32_t type_number() {
  std::int32_t number = ISOFOLD_TYPE_none;
#define ISOFOLD_NUMBER(name, value, c_type) \
  if (std::is_same_v<T, c_type>) {          \
    number = value;                         \
  }
  ISOFOLD_TYPES(ISOFOLD_NUMBER)
#undef ISOFOLD_NUMBER
  return number;
}

// As visit_case(), of one element type alone: nothing of the other types is compiled.
template <class T, class Visit>
bool visit_folds(std::int32_t fold, Visit&& visit) {
  return visit_fold<T>(fold, visit);
}

}  // namespace isofold
