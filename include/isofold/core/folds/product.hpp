// Product: floating point in its own type, integers in wrapping 64 bits.
// Padding is 1: x · 1 = x for every x, signed zeros and subnormals included.
#pragma once

#include <isofold/core/folds/converted.hpp>

namespace isofold::core {

template <class T>
struct Product : Converted<T, Product<T>> {
  using typename Converted<T, Product>::state_type;
  using typename Converted<T, Product>::result_type;

  ISOFOLD_HOST_DEVICE constexpr state_type padding() const { return state_type{1}; }
  template <class State>
  ISOFOLD_HOST_DEVICE State combine(State a, State b) const {
    return a * b;
  }
  ISOFOLD_HOST_DEVICE result_type empty() const { return result_type{1}; }
};

}  // namespace isofold::core
