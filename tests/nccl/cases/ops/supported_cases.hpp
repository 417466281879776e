// A few cases of tree v1 for the kernels of these tests, in place of src/ops/supported_cases.hpp: a
// fold of each form of partial results (core/partial/form.hpp). Their front knows all cases.
#pragma once

#include "../../../support/whole_table.hpp"

namespace isofold {

template <class Visit>
bool visit_case(std::int32_t fold, std::int32_t type, Visit&& visit) {
#define ISOFOLD_VISIT(a_fold, a_type, ...)                              \
  if (fold == ISOFOLD_FOLD_##a_fold && type == ISOFOLD_TYPE_##a_type) { \
    return visit_checked(__VA_ARGS__{}, visit);                         \
  }
  ISOFOLD_VISIT(minimum, f64, core::Minimum<double>)
  ISOFOLD_VISIT(argmax, f64, core::ArgMax<double>)
  ISOFOLD_VISIT(count_nan, f64, core::CountNan<double>)
  ISOFOLD_VISIT(any, f64, core::Any<double>)
  ISOFOLD_VISIT(sum, i64, core::Sum<std::int64_t>)
  ISOFOLD_VISIT(bit_xor, i64, core::BitXor<std::int64_t>)
#undef ISOFOLD_VISIT
  return false;
}

template <class T>
using FusableFolds = FoldNames<>;
template <class T>
using FusablePairs = FoldNames<>;

}  // namespace isofold
