// The common part of sums and products: an element enters as a conversion to the state's type,
// floating point in its own type, complex numbers too, integers in wrapping 64 bits; the state
// leaves as the result. Fold is the derived struct, which adds combine(), identity() and empty().
#pragma once

#include <isofold/detail/core/fold.hpp>

namespace isofold::core {

template <class T, class Fold>
struct Converted : OnePass {
  using element_type = T;
  using value_type = accumulator_t<T>;
  using state_type = value_type;
  using result_type = wide_t<T>;
  template <class V>
  using lane = V;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = false;
  static constexpr bool on_vectors = true;
  static constexpr bool lift_is_conversion = !is_complex<T>;

  template <class V>
  ISOFOLD_ARITHMETIC V lift(V x, signed_t<V>) const {
    return x;
  }
  template <class V>
  ISOFOLD_ARITHMETIC V accumulate(V s, V x, signed_t<V>) const {
    return Fold{}.combine(s, x);
  }
  ISOFOLD_HOST_DEVICE result_type finish(state_type s, std::int64_t) const {
    return canonical(static_cast<result_type>(s));
  }
};

}  // namespace isofold::core
