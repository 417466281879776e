// Minimum and maximum by IEEE 754-2019 `minimum` and `maximum`: NaN wins, and -0 < +0. std::min,
// fmin and the SSE instruction each break one of the two rules; the comparison below breaks none
// and depends on no argument order.
#pragma once

#include <isofold/detail/core/fold.hpp>

namespace isofold::core {

enum class Toward { lowest, highest };

template <class T, Toward toward>
struct Extremum : OnePass {
  using element_type = T;
  using value_type = T;
  using state_type = T;
  using result_type = T;
  template <class V>
  using lane = V;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = true;
  static constexpr bool on_vectors = true;
  static constexpr bool selects = true;

  ISOFOLD_HOST_DEVICE constexpr T identity() const {
    return toward == Toward::lowest ? highest<T>() : lowest<T>();
  }
  template <class V>
  ISOFOLD_ARITHMETIC V lift(V x, signed_t<V>) const {
    return x;
  }
  template <class V>
  ISOFOLD_ARITHMETIC V accumulate(V s, V x, signed_t<V>) const {
    return combine(s, x);
  }

  // There are selections only: early returns would make a GPU compiler branch in each of a chunk's
  // rows. Operands of which none is less, greater or equal are unordered: one is a NaN.
  template <class V>
  ISOFOLD_ARITHMETIC V combine(V a, V b) const {
    const auto take_a = toward == Toward::lowest ? a < b : b < a;
    if constexpr (is_floating<T>) {
      const auto take_b = toward == Toward::lowest ? b < a : a < b;
      const V tied = a == b ? join_equal(a, b) : splat<V>(canonical_nan<T>());
      return take_a ? a : take_b ? b : tied;
    } else {
      return take_a ? a : b;
    }
  }
  // combine() for values that are neither NaNs nor zeros of two signs; also on vectors of values.
  // SSE, AVX and NEON have one instruction for this form of it.
  template <class V>
  ISOFOLD_HOST_DEVICE V select(V a, V b) const {
    if constexpr (toward == Toward::lowest) {
      return a < b ? a : b;
    } else {
      return b < a ? a : b;
    }
  }
  // The zero that combine prefers to the other one.
  ISOFOLD_HOST_DEVICE constexpr T zero_that_wins() const {
    return toward == Toward::lowest ? -T{0} : T{0};
  }
  ISOFOLD_HOST_DEVICE T finish(T s, std::int64_t) const { return canonical(s); }
  ISOFOLD_HOST_DEVICE T empty() const { return identity(); }

 private:
  // Equal values differ at most in the sign of a zero: the minimum takes a sign bit from either,
  // the maximum only from both.
  template <class V>
  ISOFOLD_ARITHMETIC static V join_equal(V a, V b) {
    using Bits = integers_t<V>;
    const auto x = same_bits_as<Bits>(a);
    const auto y = same_bits_as<Bits>(b);
    return same_bits_as<V>(toward == Toward::lowest ? x | y : x & y);
  }
};

template <class T>
using Minimum = Extremum<T, Toward::lowest>;
template <class T>
using Maximum = Extremum<T, Toward::highest>;

}  // namespace isofold::core
