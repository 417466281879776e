// The cases of exact_v1 (exact_folds.hpp) beside those of tree v1 (supported_cases.hpp), and which
// folds both definitions compute alike.
#pragma once

#include <ops/exact_folds.hpp>
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
