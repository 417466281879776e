// src/ops/supported_cases.hpp under other names, for the tables of cases that take its place in
// builds for tests: visit_every_case(), AllFusableFolds and AllFusablePairs, of which nothing is
// compiled unless a table asks. visit_folds() goes by the table.
#pragma once

#define visit_case visit_every_case
#define visit_folds visit_all_folds
#define FusableFolds AllFusableFolds
#define FusablePairs AllFusablePairs
#include "../../src/ops/supported_cases.hpp"
#undef FusablePairs
#undef FusableFolds
#undef visit_folds
#undef visit_case

namespace isofold {

// The table's own visit_case(), of one element type alone; it is found where it is called.
template <class T, class Visit>
bool visit_folds(std::int32_t fold, Visit&& visit) {
  return visit_case(fold, type_number<T>(), [&](auto found) {
    if constexpr (std::is_same_v<typename decltype(found)::element_type, T>) {
      visit(found);
    }
  });
}

}  // namespace isofold
