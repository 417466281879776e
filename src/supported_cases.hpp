// The one table of what the library computes: fold x element type -> the fold's struct.
// Every backend, the Forest and the conformance suite dispatch through it.
#pragma once

#include <cstdint>
#include <type_traits>

#include <isofold/core/folds/extremum.hpp>
#include <isofold/core/folds/product.hpp>
#include <isofold/core/folds/sum.hpp>
#include <isofold/isofold.h>

namespace isofold {

// Visits one fold, having checked that it is one.
template <class Fold, class Visit>
bool visit_checked(Fold fold, Visit&& visit) {
  static_assert(core::CheckFold<Fold>::value, "core/fold.hpp says what a fold is.");
  visit(fold);
  return true;
}

// Calls visit(core::F<T>{}) for the case (fold, type) and returns true; false where there is none.
template <class T, class Visit>
bool visit_fold(std::int32_t fold, Visit&& visit) {
  switch (fold) {
    case ISOFOLD_FOLD_sum: return visit_checked(core::Sum<T>{}, visit);
    case ISOFOLD_FOLD_product: return visit_checked(core::Product<T>{}, visit);
    case ISOFOLD_FOLD_minimum: return visit_checked(core::Minimum<T>{}, visit);
    case ISOFOLD_FOLD_maximum: return visit_checked(core::Maximum<T>{}, visit);
    default: return false;
  }
}

template <class Visit>
bool visit_case(std::int32_t fold, std::int32_t type, Visit&& visit) {
  switch (type) {
#define ISOFOLD_CASE(name, number, c_type) \
  case number: return visit_fold<c_type>(fold, visit);
    ISOFOLD_TYPES(ISOFOLD_CASE)
#undef ISOFOLD_CASE
    default: return false;
  }
}

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

}  // namespace isofold
