// Product: floating point in its own type, integers in wrapping 64 bits. Padding is 1: x · 1 = x
// for every x, signed zeros and subnormals included. Complex products have no padding: the product
// with an imaginary zero may change the sign of a zero, and makes a NaN of an infinity.
#pragma once

#include <isofold/detail/core/folds/converted.hpp>

namespace isofold::core {

template <class T>
struct Product : Converted<T, Product<T>> {
  using typename Converted<T, Product>::state_type;
  using typename Converted<T, Product>::result_type;

  static constexpr bool has_identity = !is_complex<T>;

  ISOFOLD_HOST_DEVICE constexpr state_type identity() const { return one<state_type>(); }
  template <class State>
  ISOFOLD_HOST_DEVICE State combine(State a, State b) const {
    return a * b;
  }
  ISOFOLD_HOST_DEVICE result_type empty() const { return one<result_type>(); }

 private:
  template <class R>
  ISOFOLD_HOST_DEVICE static constexpr R one() {
    if constexpr (is_complex<R>) {
      return {1, 0};
    } else {
      return R{1};
    }
  }
};

}  // namespace isofold::core
