// Sum: floating point in its own type, complex numbers part by part, integers in wrapping 64 bits.
// Padding is -0.0: x + (-0.0) = x for every x, while +0.0 would turn a sum of -0.0 into +0.0.
#pragma once

#include <isofold/detail/core/folds/converted.hpp>

namespace isofold::core {

template <class T>
struct Sum : Converted<T, Sum<T>> {
  using typename Converted<T, Sum>::state_type;
  using typename Converted<T, Sum>::result_type;

  ISOFOLD_HOST_DEVICE constexpr state_type identity() const {
    if constexpr (is_complex<T>) {
      return {-part_t<T>{0}, -part_t<T>{0}};
    } else if constexpr (is_floating<T>) {
      return -state_type{0};
    } else {
      return state_type{0};
    }
  }
  template <class State>
  ISOFOLD_HOST_DEVICE State combine(State a, State b) const {
    return a + b;
  }
  ISOFOLD_HOST_DEVICE result_type empty() const { return {}; }
};

}  // namespace isofold::core
