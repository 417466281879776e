// The table of cases of the builds under the sanitizers, in place of src/supported_cases.hpp: each
// size of element and of state once. Kernels do not differ in more; compiling them does.
#pragma once

#include <cstdint>

#include <isofold/core/folds/extremum.hpp>
#include <isofold/core/folds/product.hpp>
#include <isofold/core/folds/sum.hpp>
#include <isofold/isofold.h>

namespace isofold {

template <class Visit>
bool visit_case(std::int32_t fold, std::int32_t type, Visit&& visit) {
  if (fold == ISOFOLD_FOLD_sum && type == ISOFOLD_TYPE_f32) {
    visit(core::Sum<float>{});
  } else if (fold == ISOFOLD_FOLD_sum && type == ISOFOLD_TYPE_i32) {
    visit(core::Sum<std::int32_t>{});
  } else if (fold == ISOFOLD_FOLD_maximum && type == ISOFOLD_TYPE_f64) {
    visit(core::Maximum<double>{});
  } else {
    return false;
  }
  return true;
}

}  // namespace isofold
