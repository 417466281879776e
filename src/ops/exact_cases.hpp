// The table of exact_v1: fold x element type -> the fold's struct, beside that of tree v1
// (supported_cases.hpp), and which folds both definitions compute alike.
#pragma once

#include <isofold/detail/core/exact/folds.hpp>
#include <ops/supported_cases.hpp>
#include <request/converted_elements.hpp>

namespace isofold {

// This tells whether a fold rounds nothing, so that its result is the same in any order: tree v1's
// fold is exact_v1's, too.
constexpr bool is_order_free(std::int32_t fold) {
  switch (fold) {
    case ISOFOLD_FOLD_minimum:
    case ISOFOLD_FOLD_maximum:
    case ISOFOLD_FOLD_argmin:
    case ISOFOLD_FOLD_argmax:
    case ISOFOLD_FOLD_argmin_last:
    case ISOFOLD_FOLD_argmax_last:
    case ISOFOLD_FOLD_minmax:
    case ISOFOLD_FOLD_argminmax:
    case ISOFOLD_FOLD_absolute_maximum:
    case ISOFOLD_FOLD_argabsmax:
    case ISOFOLD_FOLD_count_nonzero:
    case ISOFOLD_FOLD_count_nan:
    case ISOFOLD_FOLD_count_in_range:
    case ISOFOLD_FOLD_any:
    case ISOFOLD_FOLD_all:
    case ISOFOLD_FOLD_none:
    case ISOFOLD_FOLD_bit_and:
    case ISOFOLD_FOLD_bit_or:
    case ISOFOLD_FOLD_bit_xor: return true;
    default: return false;
  }
}

// This tells whether a request is for the sums of exact_v1, and not for a fold of tree v1's table.
inline bool is_exact(const isofold_request& request) {
  return request.definition == ISOFOLD_DEFINITION_exact_v1 && !is_order_free(request.fold);
}

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

// Calls visit(the fold's struct) for the case of exact_v1 and returns true; false if there is none,
// or no sum to keep for it. `type` is one that folds compute in.
template <class Visit>
bool visit_exact_case(std::int32_t fold, std::int32_t type, Visit&& visit) {
  switch (type) {
#define ISOFOLD_CASE(name, number, c_type) \
  case number: return visit_exact_fold<c_type>(fold, visit);
    ISOFOLD_COMPUTED_TYPES(ISOFOLD_CASE)
#undef ISOFOLD_CASE
    default: return false;
  }
}

// Calls visit(the struct) for the fold of a request, by the definition that it asks for.
template <class Visit>
bool visit_fold_of(const isofold_request& request, Visit&& visit) {
  const std::int32_t type = computed_type(request);
  return is_exact(request) ? visit_exact_case(request.fold, type, visit)
                           : visit_case(request.fold, type, visit);
}

}  // namespace isofold
