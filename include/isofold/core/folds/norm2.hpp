// The largest magnitude, and with it the Euclidean norm, safe from overflow and underflow: a chunk
// is scaled by the power of two next to its largest magnitude, which is exact.
#pragma once

#include <isofold/core/folds/extremum.hpp>
#include <isofold/core/square_root.hpp>

namespace isofold::core {

template <class T>
struct AbsoluteMaximum : Maximum<T> {
  static constexpr bool empty_is_error = false;
  static constexpr bool selects = false;

  ISOFOLD_HOST_DEVICE T padding() const { return T{0}; }
  template <class V>
  ISOFOLD_ARITHMETIC V lift(V x, signed_t<V>) const {
    return magnitude(x);
  }
  template <class V>
  ISOFOLD_ARITHMETIC V accumulate(V s, V x, signed_t<V>) const {
    return combine(s, magnitude(x));
  }
  // Magnitudes are ordered as their bits are, NaNs above infinity.
  template <class V>
  ISOFOLD_ARITHMETIC V combine(V a, V b) const {
    const auto x = same_bits_as<signed_t<V>>(a);
    const auto y = same_bits_as<signed_t<V>>(b);
    return same_bits_as<V>(x > y ? x : y);
  }
  ISOFOLD_HOST_DEVICE T empty() const { return T{0}; }
};

// 2^exponent as a double; 0 below the subnormal range.
ISOFOLD_HOST_DEVICE inline double power_of_two(std::int64_t exponent) {
  const std::int64_t place = exponent < -1022 ? exponent + 1074 : 0;  // of a subnormal's bit
  const std::int64_t subnormal = place < 0 ? 0 : std::int64_t{1} << place;
  const std::int64_t bits = exponent >= -1022 ? (exponent + 1023) << 52 : subnormal;
  return bit_cast<double>(bits);
}

// The sum of squares, scaled.
template <class T>
struct ScaledSquares {
  using element_type = T;
  using value_type = T;
  template <class V>
  using lane = V;
  static constexpr bool has_padding = true;
  static constexpr bool on_vectors = true;
  T scale;

  template <class V>
  ISOFOLD_ARITHMETIC V lift(V x, signed_t<V>) const {
    const V y = x * splat<V>(scale);
    return y * y;
  }
  template <class V>
  ISOFOLD_ARITHMETIC V accumulate(V s, V x, signed_t<V>) const {
    const V y = x * splat<V>(scale);
    return core::fma(y, y, s);
  }
  template <class V>
  ISOFOLD_ARITHMETIC V combine(V a, V b) const {
    return a + b;
  }
  template <class V>
  ISOFOLD_ARITHMETIC V lane_padding() const {
    return splat<V>(-T{0});
  }
};

struct NormState {
  double squares;  // times 4^exponent
  std::int64_t exponent;
};

template <class T>
struct Norm2 {
  using element_type = T;
  using result_type = T;
  using state_type = NormState;
  static constexpr int arrays = 1;
  static constexpr int stages = 2;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_padding = true;
  static constexpr bool empty_is_error = false;

  ISOFOLD_HOST_DEVICE AbsoluteMaximum<T> first() const { return {}; }
  ISOFOLD_HOST_DEVICE ScaledSquares<T> second(T largest, int) const {
    return {bit_cast<T>(static_cast<bits_t<T>>(bias - exponent_of(largest)) << fraction_bits)};
  }
  ISOFOLD_HOST_DEVICE state_type chunk(T largest, T squares, int) const {
    if (largest == T{0}) {
      return padding();
    }
    if (!(largest < highest<T>())) {                // infinite, or a NaN
      return {static_cast<double>(largest), 1023};  // above all others: infinity times 0 is a NaN
    }
    return {static_cast<double>(squares), exponent_of(largest)};
  }
  ISOFOLD_HOST_DEVICE state_type combine(state_type a, state_type b) const {
    const std::int64_t exponent = a.exponent > b.exponent ? a.exponent : b.exponent;
    return {a.squares * squared_power(a.exponent - exponent) +
                b.squares * squared_power(b.exponent - exponent),
            exponent};
  }
  ISOFOLD_HOST_DEVICE state_type padding() const { return {0, -2000}; }
  ISOFOLD_HOST_DEVICE T finish(state_type s, std::int64_t) const {
    return canonical(static_cast<T>(square_root(s.squares) * power_of_two(s.exponent)));
  }
  ISOFOLD_HOST_DEVICE T empty() const { return T{0}; }

 private:
  static constexpr int fraction_bits = sizeof(T) == 4 ? 23 : 52;
  static constexpr int bias = sizeof(T) == 4 ? 127 : 1023;

  // Of the power of two at or below a magnitude, kept where that and its inverse are normal.
  ISOFOLD_HOST_DEVICE static int exponent_of(T largest) {
    const int exponent = static_cast<int>(bit_cast<bits_t<T>>(largest) >> fraction_bits) - bias;
    const int low = exponent < 1 - bias ? 1 - bias : exponent;
    return low > bias - 1 ? bias - 1 : low;
  }
  // 4^k for k <= 0.
  ISOFOLD_HOST_DEVICE static double squared_power(std::int64_t k) {
    return k < -511 ? 0.0 : power_of_two(2 * k);
  }
};

}  // namespace isofold::core
