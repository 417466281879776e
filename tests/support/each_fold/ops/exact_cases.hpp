// The cases of exact_v1 of builds that nothing measures or asks for more, in place of
// src/ops/exact_cases.hpp: a sum of three levels, and two sums of two, one of them of products.
#pragma once

#define visit_exact_fold visit_every_exact_fold
#define visit_exact_case visit_every_exact_case
#define visit_fold_of visit_every_fold_of
#include "../../../../src/ops/exact_cases.hpp"
#undef visit_exact_fold
#undef visit_exact_case
#undef visit_fold_of

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
  }
  return false;
}

template <class Visit>
bool visit_exact_case(std::int32_t fold, std::int32_t type, Visit&& visit) {
  return type == ISOFOLD_TYPE_f64   ? visit_exact_fold<double>(fold, visit)
         : type == ISOFOLD_TYPE_f32 ? visit_exact_fold<float>(fold, visit)
                                    : false;
}

template <class Visit>
bool visit_fold_of(const isofold_request& request, Visit&& visit) {
  const std::int32_t type = computed_type(request);
  return is_exact(request) ? visit_exact_case(request.fold, type, visit)
                           : visit_case(request.fold, type, visit);
}

}  // namespace isofold
