// Weighted sum: the sum of x times its weight, by fma, and the sum of the weights, from one read of
// both arrays.
#pragma once

#include <isofold/detail/core/folds/products.hpp>

namespace isofold::core {

// The first number is a dot product's, the second a sum's, bit for bit.
template <class T>
struct WeightedSum {
  using element_type = T;
  using value_type = T;
  using state_type = Two<T>;
  using result_type = isofold::WeightedSum<T>;
  template <class V>
  using lane = Two<V>;
  static constexpr int arrays = 2;
  static constexpr int stages = 1;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = false;
  static constexpr bool on_vectors = true;

  template <class V>
  ISOFOLD_ARITHMETIC Two<V> lift(V x, V weight, signed_t<V>) const {
    return {x * weight, weight};
  }
  template <class V>
  ISOFOLD_ARITHMETIC Two<V> accumulate(Two<V> s, V x, V weight, signed_t<V>) const {
    return {core::fma(x, weight, s.first), s.second + weight};
  }
  template <class V>
  ISOFOLD_ARITHMETIC Two<V> combine(Two<V> a, Two<V> b) const {
    return {a.first + b.first, a.second + b.second};
  }
  ISOFOLD_HOST_DEVICE state_type identity() const {
    return {Sum<T>{}.identity(), Sum<T>{}.identity()};
  }
  ISOFOLD_HOST_DEVICE result_type finish(state_type s, std::int64_t) const {
    return {canonical(s.first), canonical(s.second)};
  }
  ISOFOLD_HOST_DEVICE result_type empty() const { return {T{0}, T{0}}; }
};

}  // namespace isofold::core
