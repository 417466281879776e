// Counts of elements that are not zero, are NaNs, or lie in a range; and any, all and none, which
// are made of the first count.
#pragma once

#include <isofold/detail/core/fold.hpp>

namespace isofold::core {

enum class Match { nonzero, nan, in_range };

template <class T, Match match>
struct MatchPass {
  using element_type = T;
  using value_type = T;
  template <class V>
  using lane = signed_t<V>;
  static constexpr bool has_identity = true;
  static constexpr bool on_vectors = true;
  T low;
  T high;

  template <class V>
  ISOFOLD_ARITHMETIC signed_t<V> lift(V x, signed_t<V>) const {
    if constexpr (match == Match::nonzero) {
      return one_where<V>(x != splat<V>(T{0}));
    } else if constexpr (match == Match::nan) {
      return one_where<V>(x != x);
    } else {
      const V least = splat<V>(low);
      const V most = splat<V>(high);
      return one_where<V>((least <= x) & (x <= most));
    }
  }
  template <class V>
  ISOFOLD_ARITHMETIC signed_t<V> accumulate(signed_t<V> s, V x, signed_t<V> i) const {
    return s + lift(x, i);
  }
  template <class Lane>
  ISOFOLD_ARITHMETIC Lane combine(Lane a, Lane b) const {
    return a + b;
  }
  template <class V>
  ISOFOLD_ARITHMETIC signed_t<V> lane_identity() const {
    return signed_t<V>{};
  }
};

enum class Answer { count, any, all, none };

template <class T, Match match, Answer answer = Answer::count>
struct Count : OnePass {
  using element_type = T;
  using state_type = std::int64_t;
  using result_type = std::conditional_t<answer == Answer::count, std::int64_t, std::uint8_t>;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = false;
  T low{};
  T high{};

  ISOFOLD_HOST_DEVICE MatchPass<T, match> first() const { return {low, high}; }
  template <class Lane>
  ISOFOLD_HOST_DEVICE std::int64_t chunk(Lane lane, std::int64_t, int) const {
    return lane;
  }
  ISOFOLD_HOST_DEVICE std::int64_t combine(std::int64_t a, std::int64_t b) const { return a + b; }
  ISOFOLD_HOST_DEVICE std::int64_t identity() const { return 0; }
  ISOFOLD_HOST_DEVICE result_type finish(std::int64_t s, std::int64_t n) const {
    switch (answer) {
      case Answer::any: return s != 0;
      case Answer::all: return s == n;
      case Answer::none: return s == 0;
      default: return static_cast<result_type>(s);
    }
  }
  ISOFOLD_HOST_DEVICE result_type empty() const { return finish(0, 0); }
};

template <class T>
struct CountInRange : Count<T, Match::in_range> {
  static constexpr int parameters = 2;  // low and high
  ISOFOLD_HOST_DEVICE void take(const T* values) {
    this->low = values[0];
    this->high = values[1];
  }
};
template <class T>
using CountNonzero = Count<T, Match::nonzero>;
template <class T>
using CountNan = Count<T, Match::nan>;
template <class T>
using Any = Count<T, Match::nonzero, Answer::any>;
template <class T>
using All = Count<T, Match::nonzero, Answer::all>;
template <class T>
using None = Count<T, Match::nonzero, Answer::none>;

}  // namespace isofold::core
