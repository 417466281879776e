// Minimum and maximum in one read; each has the bits that it has alone.
#pragma once

#include <isofold/detail/core/folds/extremum.hpp>

namespace isofold::core {

template <class T>
struct MinimumMaximum : OnePass {
  using element_type = T;
  using value_type = T;
  using state_type = Two<T>;
  using result_type = Extent<T>;
  template <class V>
  using lane = Two<V>;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = true;
  static constexpr bool on_vectors = true;

  template <class V>
  ISOFOLD_ARITHMETIC lane<V> lift(V x, signed_t<V>) const {
    return {x, x};
  }
  template <class V>
  ISOFOLD_ARITHMETIC lane<V> accumulate(lane<V> s, V x, signed_t<V> i) const {
    return combine(s, lift(x, i));
  }
  template <class V>
  ISOFOLD_ARITHMETIC Two<V> combine(Two<V> a, Two<V> b) const {
    return {Minimum<T>{}.combine(a.first, b.first), Maximum<T>{}.combine(a.second, b.second)};
  }
  template <class V>
  ISOFOLD_ARITHMETIC lane<V> lane_identity() const {
    return {splat<V>(Minimum<T>{}.identity()), splat<V>(Maximum<T>{}.identity())};
  }
  ISOFOLD_HOST_DEVICE state_type identity() const { return lane_identity<T>(); }
  ISOFOLD_HOST_DEVICE result_type finish(state_type s, std::int64_t) const {
    return {canonical(s.first), canonical(s.second)};
  }
  ISOFOLD_HOST_DEVICE result_type empty() const { return finish(identity(), 0); }
};

}  // namespace isofold::core
