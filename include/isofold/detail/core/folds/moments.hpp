// Count, mean and sum of squared distances from it, in two stages: the chunk's mean first, then the
// distances from that. Chunks merge in f64 by the formulas of docs/folds.md.
#pragma once

#include <isofold/detail/core/folds/sum.hpp>
#include <isofold/detail/core/square_root.hpp>

namespace isofold::core {

// The sum of distances from `center`, and of their squares.
template <class T>
struct Distances {
  using element_type = T;
  using value_type = T;
  template <class V>
  using lane = Two<V>;
  static constexpr bool has_identity = true;
  static constexpr bool on_vectors = true;
  T center;

  template <class V>
  ISOFOLD_ARITHMETIC Two<V> lift(V x, signed_t<V>) const {
    const V d = x - splat<V>(center);
    return {d, d * d};
  }
  template <class V>
  ISOFOLD_ARITHMETIC Two<V> accumulate(Two<V> s, V x, signed_t<V>) const {
    const V d = x - splat<V>(center);
    return {s.first + d, core::fma(d, d, s.second)};
  }
  template <class V>
  ISOFOLD_ARITHMETIC Two<V> combine(Two<V> a, Two<V> b) const {
    return {a.first + b.first, a.second + b.second};
  }
  template <class V>
  ISOFOLD_ARITHMETIC Two<V> lane_identity() const {
    return {splat<V>(-T{0}), splat<V>(-T{0})};
  }
};

struct MomentsState {
  double count;
  double mean;
  double m2;
};

template <class T>
struct MomentsBase {
  using element_type = T;
  using state_type = MomentsState;
  static constexpr int arrays = 1;
  static constexpr int stages = 2;
  static constexpr bool commutative_bits = false;
  static constexpr bool has_identity = false;  // no padding keeps the sign of a mean of -0
  static constexpr bool empty_is_error = true;

  ISOFOLD_HOST_DEVICE Sum<T> first() const { return {}; }
  ISOFOLD_HOST_DEVICE Distances<T> second(T sum, int count) const { return {center(sum, count)}; }
  ISOFOLD_HOST_DEVICE MomentsState chunk(T sum, Two<T> distances, int count) const {
    const auto a = static_cast<double>(center(sum, count));
    const double n = count;
    if (!is_finite(a)) {
      return {n, a, canonical_nan<double>()};
    }
    const auto d1 = static_cast<double>(distances.first);
    const auto d2 = static_cast<double>(distances.second);
    const double m2 = d2 - (d1 * d1) / n;
    return {n, a + d1 / n, m2 < 0 ? 0.0 : m2};  // d2 underflows before d1 * d1 does
  }
  ISOFOLD_HOST_DEVICE MomentsState combine(MomentsState a, MomentsState b) const {
    const double n = a.count + b.count;
    const double delta = b.mean - a.mean;
    double share = 0.5;
    if (a.count != b.count) {  // counts seldom differ: most steps of the tree have no division
      share = b.count / n;
    }
    const double mean =
        is_finite(delta) ? a.mean + delta * share : a.mean * (a.count / n) + b.mean * share;
    return {n, mean, (a.m2 + b.m2) + (delta * delta) * (a.count * share)};
  }

 private:
  ISOFOLD_HOST_DEVICE static T center(T sum, int count) { return sum / static_cast<T>(count); }
  ISOFOLD_HOST_DEVICE static bool is_finite(double x) { return x - x == 0; }
};

template <class T>
struct AllMoments : MomentsBase<T> {
  using result_type = Moments;
  ISOFOLD_HOST_DEVICE result_type finish(MomentsState s, std::int64_t n) const {
    return {n, canonical(s.mean), canonical(s.m2)};
  }
  ISOFOLD_HOST_DEVICE result_type empty() const {
    return {0, canonical_nan<double>(), canonical_nan<double>()};
  }
};

// One of the moments.
template <class T>
struct OneMoment : MomentsBase<T> {
  using result_type = double;
  ISOFOLD_HOST_DEVICE double empty() const { return canonical_nan<double>(); }
};
template <class T>
struct Mean : OneMoment<T> {
  ISOFOLD_HOST_DEVICE double finish(MomentsState s, std::int64_t) const {
    return canonical(s.mean);
  }
};
template <class T>
struct Variance : OneMoment<T> {
  ISOFOLD_HOST_DEVICE double finish(MomentsState s, std::int64_t) const {
    return canonical(s.m2 / s.count);
  }
};
template <class T>
struct SampleVariance : OneMoment<T> {
  ISOFOLD_HOST_DEVICE double finish(MomentsState s, std::int64_t) const {
    return s.count > 1 ? canonical(s.m2 / (s.count - 1)) : canonical_nan<double>();
  }
};
template <class Squared>
struct RootOf : Squared {
  ISOFOLD_HOST_DEVICE double finish(MomentsState s, std::int64_t n) const {
    return canonical(square_root(Squared::finish(s, n)));
  }
};
template <class T>
using StandardDeviation = RootOf<Variance<T>>;
template <class T>
using SampleStandardDeviation = RootOf<SampleVariance<T>>;

}  // namespace isofold::core
