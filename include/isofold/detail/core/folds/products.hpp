// Sums over terms of one or two arrays: dot product, squared distance, norm1. If a term is a
// product, accumulate() adds it by fma, rounded once.
#pragma once

#include <isofold/detail/core/folds/sum.hpp>

namespace isofold::core {

// The common part of the three: terms are added as sums are, with the sum's padding of -0, since a
// dot product of terms that are all -0 is -0.
template <class T, int arrays_>
struct SumOfTerms {
  using element_type = T;
  using value_type = accumulator_t<T>;
  using state_type = value_type;
  using result_type = value_type;
  template <class V>
  using lane = V;
  static constexpr int arrays = arrays_;
  static constexpr int stages = 1;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = false;
  static constexpr bool on_vectors = true;

  template <class V>
  ISOFOLD_ARITHMETIC V combine(V a, V b) const {
    return a + b;
  }
  ISOFOLD_HOST_DEVICE state_type identity() const { return Sum<T>{}.identity(); }
  ISOFOLD_HOST_DEVICE result_type finish(state_type s, std::int64_t) const { return canonical(s); }
  ISOFOLD_HOST_DEVICE result_type empty() const { return {}; }
};

template <class T>
struct Dot : SumOfTerms<T, 2> {
  template <class V>
  ISOFOLD_ARITHMETIC V lift(V x, V y, signed_t<V>) const {
    return x * y;
  }
  template <class V>
  ISOFOLD_ARITHMETIC V accumulate(V s, V x, V y, signed_t<V>) const {
    return core::fma(x, y, s);
  }
};

template <class T>
struct SquaredDistance : SumOfTerms<T, 2> {
  template <class V>
  ISOFOLD_ARITHMETIC V lift(V x, V y, signed_t<V>) const {
    const V d = x - y;
    return d * d;
  }
  template <class V>
  ISOFOLD_ARITHMETIC V accumulate(V s, V x, V y, signed_t<V>) const {
    const V d = x - y;
    return core::fma(d, d, s);
  }
};

template <class T>
struct Norm1 : SumOfTerms<T, 1> {
  template <class V>
  ISOFOLD_ARITHMETIC V lift(V x, signed_t<V>) const {
    return magnitude(x);
  }
  template <class V>
  ISOFOLD_ARITHMETIC V accumulate(V s, V x, signed_t<V>) const {
    return s + magnitude(x);
  }
};

}  // namespace isofold::core
