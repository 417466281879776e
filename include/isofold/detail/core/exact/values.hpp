// Questions about the exact folds that transform_reduce.hpp and device_reducer.hpp take, and the
// elements of such a fold that a map's value has.
#pragma once

#include <isofold/detail/core/exact/folds.hpp>
#include <isofold/detail/core/user_fold.hpp>

namespace isofold::core::exact {

// The number of array 0 or 1 of a map's value, as terms() takes it: a fold of two arrays takes the
// members `first` and `second` of a pair.
ISOFOLD_OF_EITHER_SIDE
template <class Fold, int array, class Value>
ISOFOLD_HOST_DEVICE auto number_of(const Value& value) {
  using T = typename Fold::element_type;
  if constexpr (Fold::arrays == 1) {
    return term_of(as_element<T>(value));
  } else if constexpr (array == 0) {
    return term_of(as_element<T>(value.first));
  } else {
    return term_of(as_element<T>(value.second));
  }
}

}  // namespace isofold::core::exact
