// Bitwise and, or, exclusive or of integers.
#pragma once

#include <isofold/detail/core/fold.hpp>

namespace isofold::core {

enum class BitOperation { and_, or_, xor_ };

template <class T, BitOperation operation>
struct Bitwise : OnePass {
  using element_type = T;
  using value_type = T;
  using state_type = T;
  using result_type = T;
  template <class V>
  using lane = V;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = false;
  static constexpr bool on_vectors = true;

  template <class V>
  ISOFOLD_ARITHMETIC V lift(V x, signed_t<V>) const {
    return x;
  }
  template <class V>
  ISOFOLD_ARITHMETIC V accumulate(V s, V x, signed_t<V>) const {
    return combine(s, x);
  }
  template <class V>
  ISOFOLD_ARITHMETIC V combine(V a, V b) const {
    if constexpr (operation == BitOperation::and_) {
      return a & b;
    } else if constexpr (operation == BitOperation::or_) {
      return a | b;
    } else {
      return a ^ b;
    }
  }
  ISOFOLD_HOST_DEVICE T identity() const {
    return operation == BitOperation::and_ ? static_cast<T>(~T{0}) : T{0};
  }
  ISOFOLD_HOST_DEVICE T finish(T s, std::int64_t) const { return s; }
  ISOFOLD_HOST_DEVICE T empty() const { return identity(); }
};

template <class T>
using BitAnd = Bitwise<T, BitOperation::and_>;
template <class T>
using BitOr = Bitwise<T, BitOperation::or_>;
template <class T>
using BitXor = Bitwise<T, BitOperation::xor_>;

}  // namespace isofold::core
