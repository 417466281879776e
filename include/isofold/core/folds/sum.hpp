// Sum: floating point in its own type, integers in wrapping 64 bits.
// Padding is -0.0: x + (-0.0) = x for every x, while +0.0 would turn a sum of -0.0 into +0.0.
#pragma once

#include <isofold/core/fold.hpp>

namespace isofold::core {

template <class T>
struct Sum {
  using element_type = T;
  using state_type = accumulator_t<T>;
  using result_type = wide_t<T>;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_padding = true;
  static constexpr bool empty_is_error = false;
  static constexpr bool lift_is_conversion = true;

  ISOFOLD_HOST_DEVICE constexpr state_type padding() const {
    if constexpr (is_floating<T>) {
      return -state_type{0};
    } else {
      return state_type{0};
    }
  }
  // Signed elements are sign-extended before they become unsigned.
  ISOFOLD_HOST_DEVICE state_type lift(T x, std::int64_t) const {
    return static_cast<state_type>(static_cast<wide_t<T>>(x));
  }
  ISOFOLD_HOST_DEVICE state_type accumulate(state_type s, T x, std::int64_t i) const {
    return combine(s, lift(x, i));
  }
  template <class State>
  ISOFOLD_HOST_DEVICE State combine(State a, State b) const {
    return a + b;
  }
  ISOFOLD_HOST_DEVICE result_type finish(state_type s, std::int64_t) const {
    return canonical(static_cast<result_type>(s));
  }
  ISOFOLD_HOST_DEVICE result_type empty() const { return result_type{0}; }
};

}  // namespace isofold::core
