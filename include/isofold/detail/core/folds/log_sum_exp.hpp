// log(sum of exp(x)) and the statistics of a softmax, in two stages: the chunk's maximum, then the
// sum of exp(x - maximum) without the largest term, which is 1: next to it small terms would vanish
// whose logarithm is the result if the maximum is 0. exponential.hpp has the exponential and the
// logarithms.
#pragma once

#include <isofold/detail/core/folds/extremum.hpp>

namespace isofold::core {

// The second pass: elements at the shift are counted, the exponentials of the others summed. If
// `nonpositive`, no element is above the shift, and a shorter exponential has equal bits.
template <class T, bool nonpositive>
struct ShiftedExponentials {
  using element_type = T;
  using value_type = T;
  template <class V>
  using lane = CountedSum<V>;
  static constexpr bool has_identity = true;
  static constexpr bool on_vectors = true;
  T shift;

  template <class V>
  ISOFOLD_ARITHMETIC CountedSum<V> lift(V x, signed_t<V>) const {
    const V d = x - splat<V>(shift);
    const auto at_shift = d == splat<V>(0);
    V term;
    if constexpr (nonpositive) {
      term = exp_nonpositive(d);
    } else {
      term = core::exp(d);
    }
    return {at_shift ? splat<V>(-T{0}) : term, one_where<V>(at_shift)};
  }
  template <class V>
  ISOFOLD_ARITHMETIC CountedSum<V> accumulate(CountedSum<V> s, V x, signed_t<V> i) const {
    return combine(s, lift(x, i));
  }
  template <class V>
  ISOFOLD_ARITHMETIC CountedSum<V> combine(CountedSum<V> a, CountedSum<V> b) const {
    return {a.sum + b.sum, a.count + b.count};
  }
  template <class V>
  ISOFOLD_ARITHMETIC CountedSum<V> lane_identity() const {
    return {splat<V>(-T{0}), splat<signed_t<V>>(0)};
  }
};

template <class T>
struct ExponentialState {
  T maximum;
  T others;  // the sum of exp(x - maximum), or of exp(x) if the maximum is infinite, less 1
};

template <class T>
struct ExponentialSum {
  using element_type = T;
  using state_type = ExponentialState<T>;
  static constexpr int arrays = 1;
  static constexpr int stages = 2;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = false;

  ISOFOLD_HOST_DEVICE Maximum<T> first() const { return {}; }
  ISOFOLD_HOST_DEVICE ShiftedExponentials<T, false> second(T maximum, int) const {
    return {is_likely(maximum) ? maximum : T{0}};
  }
  // Likely means finite.
  ISOFOLD_HOST_DEVICE bool is_likely(T maximum) const { return maximum - maximum == 0; }
  ISOFOLD_HOST_DEVICE ShiftedExponentials<T, true> likely_second(T maximum, int) const {
    return {maximum};
  }
  ISOFOLD_HOST_DEVICE state_type chunk(T maximum, CountedSum<T> terms, int) const {
    return {maximum, terms.sum + static_cast<T>(terms.count - 1)};
  }
  ISOFOLD_HOST_DEVICE state_type combine(state_type a, state_type b) const {
    if (b.maximum == lowest<T>()) {
      return a;
    }
    if (a.maximum == lowest<T>()) {
      return b;
    }
    if (a.maximum == b.maximum) {
      return {Maximum<T>{}.combine(a.maximum, b.maximum),  // zeros have signs
              (a.others + b.others) + 1};
    }
    if (a.maximum != a.maximum || b.maximum != b.maximum) {
      return {canonical_nan<T>(), canonical_nan<T>()};
    }
    const state_type high = a.maximum > b.maximum ? a : b;
    const state_type low = a.maximum > b.maximum ? b : a;
    return {high.maximum,
            core::fma(low.others + 1, core::exp(low.maximum - high.maximum), high.others)};
  }
  ISOFOLD_HOST_DEVICE state_type identity() const { return {lowest<T>(), T{-1}}; }
};

template <class T>
struct LogSumExp : ExponentialSum<T> {
  using typename ExponentialSum<T>::state_type;
  using result_type = T;
  ISOFOLD_HOST_DEVICE T finish(state_type s, std::int64_t) const {
    return canonical(s.maximum - s.maximum == 0 ? s.maximum + core::log1p(s.others) : s.maximum);
  }
  ISOFOLD_HOST_DEVICE T empty() const { return lowest<T>(); }
};

template <class T>
struct SoftmaxOf : ExponentialSum<T> {
  using typename ExponentialSum<T>::state_type;
  using result_type = SoftmaxStatistics<T>;
  ISOFOLD_HOST_DEVICE result_type finish(state_type s, std::int64_t) const {
    return {canonical(s.maximum), canonical(s.others + 1)};
  }
  ISOFOLD_HOST_DEVICE result_type empty() const { return {lowest<T>(), T{0}}; }
};

}  // namespace isofold::core
