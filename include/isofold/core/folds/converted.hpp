// What sums and products share: an element enters as a conversion to the state's type, floating
// point in its own type, integers in wrapping 64 bits; the state leaves as the result.
// Fold is the derived struct, which adds combine(), padding() and empty().
#pragma once

#include <isofold/core/fold.hpp>

namespace isofold::core {

template <class T, class Fold>
struct Converted {
  using element_type = T;
  using state_type = accumulator_t<T>;
  using result_type = wide_t<T>;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_padding = true;
  static constexpr bool empty_is_error = false;
  static constexpr bool lift_is_conversion = true;

  // Signed elements are sign-extended before they become unsigned.
  ISOFOLD_HOST_DEVICE state_type lift(T x, std::int64_t) const {
    return static_cast<state_type>(static_cast<wide_t<T>>(x));
  }
  ISOFOLD_HOST_DEVICE state_type accumulate(state_type s, T x, std::int64_t i) const {
    return Fold{}.combine(s, lift(x, i));
  }
  ISOFOLD_HOST_DEVICE result_type finish(state_type s, std::int64_t) const {
    return canonical(static_cast<result_type>(s));
  }
};

}  // namespace isofold::core
