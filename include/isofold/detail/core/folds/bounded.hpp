// Sum, dot product and mean with a rigorous bound of their error, from one read: the state has the
// sum, and beside it the sum of the magnitudes of all its rounded intermediate results.
#pragma once

#include <isofold/detail/core/folds/products.hpp>

namespace isofold::core {

enum class BoundedKind { sum, dot, mean };

template <class T, BoundedKind kind>
struct BoundedSum {
  using element_type = T;
  using value_type = T;
  using state_type = Two<T>;
  using result_type = Bounded<T>;
  template <class V>
  using lane = Two<V>;
  static constexpr int arrays = kind == BoundedKind::dot ? 2 : 1;
  static constexpr int stages = 1;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = false;  // whatever is added counts as an addition
  static constexpr bool empty_is_error = kind == BoundedKind::mean;
  static constexpr bool on_vectors = true;

  template <class V>
  ISOFOLD_ARITHMETIC Two<V> lift(V x, signed_t<V>) const {
    return {x, V{}};
  }
  template <class V>
  ISOFOLD_ARITHMETIC Two<V> lift(V x, V y, signed_t<V>) const {
    const V product = x * y;
    return {product, magnitude(product)};
  }
  template <class V>
  ISOFOLD_ARITHMETIC Two<V> accumulate(Two<V> s, V x, signed_t<V>) const {
    return noted(s.first + x, s.second);
  }
  template <class V>
  ISOFOLD_ARITHMETIC Two<V> accumulate(Two<V> s, V x, V y, signed_t<V>) const {
    return noted(core::fma(x, y, s.first), s.second);
  }
  template <class V>
  ISOFOLD_ARITHMETIC Two<V> combine(Two<V> a, Two<V> b) const {
    return noted(a.first + b.first, a.second + b.second);
  }
  ISOFOLD_HOST_DEVICE result_type finish(state_type s, std::int64_t n) const {
    const auto count = static_cast<T>(n);
    T value = s.first;
    T bound = s.second * roundoff * slack;
    if constexpr (kind == BoundedKind::dot) {
      bound = (bound + count * smallest) * slack;
    } else if constexpr (kind == BoundedKind::mean) {
      value = s.first / count;
      bound = (bound / count + magnitude(value) * (2 * roundoff)) * slack + 2 * smallest;
    }
    if (value - value != 0) {
      bound = value != value ? value : highest<T>();
    }
    return {canonical(value), canonical(bound)};
  }
  ISOFOLD_HOST_DEVICE result_type empty() const {
    const T value = kind == BoundedKind::mean ? canonical_nan<T>() : T{0};
    return {value, value};
  }

 private:
  static constexpr bool narrow = sizeof(T) == 4;
  static constexpr T roundoff = static_cast<T>(narrow ? 0x1p-24 : 0x1p-53);
  static constexpr T slack = static_cast<T>(narrow ? 1 + 0x1p-10 : 1 + 0x1p-40);
  static constexpr T smallest = narrow ? static_cast<T>(0x1p-149) : static_cast<T>(0x1p-1074);

  template <class V>
  ISOFOLD_ARITHMETIC static Two<V> noted(V sum, V magnitudes) {
    return {sum, magnitudes + magnitude(sum)};
  }
};

template <class T>
using SumWithBound = BoundedSum<T, BoundedKind::sum>;
template <class T>
using DotWithBound = BoundedSum<T, BoundedKind::dot>;
template <class T>
using MeanWithBound = BoundedSum<T, BoundedKind::mean>;

}  // namespace isofold::core
