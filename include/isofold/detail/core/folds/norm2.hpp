// The largest magnitude, and with it the Euclidean norm, safe from overflow and underflow: a chunk
// is scaled by the power of two next to its largest magnitude, which is exact.
#pragma once

#include <isofold/detail/core/folds/extremum.hpp>
#include <isofold/detail/core/square_root.hpp>

namespace isofold::core {

template <class T>
struct AbsoluteMaximum : Maximum<T> {
  static constexpr bool empty_is_error = false;
  static constexpr bool selects = false;

  ISOFOLD_HOST_DEVICE T identity() const { return T{0}; }
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

// The sum of squares, scaled.
template <class T>
struct ScaledSquares {
  using element_type = T;
  using value_type = T;
  template <class V>
  using lane = V;
  static constexpr bool has_identity = true;
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
  ISOFOLD_ARITHMETIC V lane_identity() const {
    return splat<V>(-T{0});
  }
};

// The magnitude, less one unit of its last bit; zero becomes a NaN, which is above all others.
template <class V>
ISOFOLD_ARITHMETIC V magnitude_but_zero(V x) {
  using Bits = integers_t<V>;
  return magnitude(same_bits_as<V>(same_bits_as<Bits>(x) - splat<Bits>(component_t<Bits>{1})));
}
template <class V>
ISOFOLD_ARITHMETIC V lesser_magnitude(V a, V b) {
  const auto x = same_bits_as<signed_t<V>>(a);
  const auto y = same_bits_as<signed_t<V>>(b);
  return same_bits_as<V>(x < y ? x : y);
}
template <class V>
ISOFOLD_ARITHMETIC V least_magnitude(V x) {
  return magnitude_but_zero(x);
}
template <class V>
ISOFOLD_ARITHMETIC V least_magnitude(Complex<V> x) {
  return lesser_magnitude(magnitude_but_zero(x.re), magnitude_but_zero(x.im));
}

// Both passes at once: the sum of unscaled squares, and the range of the squared magnitudes, which
// tells whether scaled squares would have been rounded likewise.
template <class Largest, class Squares>
struct RangedSquares {
  using element_type = typename Squares::element_type;
  using value_type = typename Squares::value_type;
  template <class V>
  using lane = part_t<V>;
  template <class V>
  using watch = Range<part_t<V>>;
  static constexpr bool on_vectors = true;

  template <class V>
  ISOFOLD_ARITHMETIC part_t<V> lift(V x, signed_t<V> i) const {
    return Squares{1}.lift(x, i);
  }
  template <class V>
  ISOFOLD_ARITHMETIC part_t<V> accumulate(part_t<V> s, V x, signed_t<V> i) const {
    return Squares{1}.accumulate(s, x, i);
  }
  template <class V>
  ISOFOLD_ARITHMETIC V combine(V a, V b) const {
    return a + b;
  }
  template <class V>
  ISOFOLD_ARITHMETIC Range<V> unseen() const {
    return {splat<V>(0), magnitude_but_zero(splat<V>(0))};
  }
  template <class V>
  ISOFOLD_ARITHMETIC Range<part_t<V>> see(Range<part_t<V>> seen, V x, signed_t<V> i) const {
    return {Largest{}.accumulate(seen.largest, x, i),
            lesser_magnitude(seen.least, least_magnitude(x))};
  }
  template <class V>
  ISOFOLD_ARITHMETIC Range<V> combine(Range<V> a, Range<V> b) const {
    return {Largest{}.combine(a.largest, b.largest), lesser_magnitude(a.least, b.least)};
  }
  template <class V>
  ISOFOLD_ARITHMETIC Ranged<V> combine(Ranged<V> a, Ranged<V> b) const {
    return {a.sum + b.sum, combine(a.range, b.range)};
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
  static constexpr bool has_identity = true;
  static constexpr bool empty_is_error = false;

  ISOFOLD_HOST_DEVICE AbsoluteMaximum<T> first() const { return {}; }
  ISOFOLD_HOST_DEVICE ScaledSquares<T> second(T largest, int) const {
    return {bit_cast<T>(static_cast<bits_t<T>>(bias - exponent_of(largest)) << fraction_bits)};
  }
  ISOFOLD_HOST_DEVICE state_type chunk(T largest, T squares, int) const {
    if (largest == T{0}) {
      return identity();
    }
    if (!(largest < highest<T>())) {                // infinite, or a NaN
      return {static_cast<double>(largest), 1023};  // above all others: infinity times 0 is a NaN
    }
    return {static_cast<double>(squares), exponent_of(largest)};
  }

  // It is enough if magnitudes are zero or from 2^-250 to 2^250 (f32: 30): no square, scaled or
  // not, is too small or too large for the usual rounding, and scales change exponents alone.
  ISOFOLD_HOST_DEVICE RangedSquares<AbsoluteMaximum<T>, ScaledSquares<T>> one_pass() const {
    return {};
  }
  ISOFOLD_HOST_DEVICE static bool is_enough(Ranged<T> s) {
    constexpr int most = sizeof(T) == 4 ? 30 : 250;
    return s.range.largest == T{0} ||
           (exponent_of(s.range.largest) < most && exponent_of(s.range.least) >= -most);
  }
  ISOFOLD_HOST_DEVICE state_type chunk(Ranged<T> s, int) const {
    if (s.range.largest == T{0}) {
      return identity();
    }
    const int exponent = exponent_of(s.range.largest);
    return {static_cast<double>(s.sum) * power_of_two(-2 * exponent), exponent};
  }

  ISOFOLD_HOST_DEVICE state_type combine(state_type a, state_type b) const {
    const std::int64_t exponent = a.exponent > b.exponent ? a.exponent : b.exponent;
    return {a.squares * squared_power(a.exponent - exponent) +
                b.squares * squared_power(b.exponent - exponent),
            exponent};
  }
  ISOFOLD_HOST_DEVICE state_type identity() const { return {0, -2000}; }
  ISOFOLD_HOST_DEVICE T finish(state_type s, std::int64_t) const {
    return canonical(static_cast<T>(square_root(s.squares) * power_of_two(s.exponent)));
  }
  ISOFOLD_HOST_DEVICE T empty() const { return T{0}; }

 private:
  static constexpr int fraction_bits = sizeof(T) == 4 ? 23 : 52;
  static constexpr int bias = sizeof(T) == 4 ? 127 : 1023;

  // The exponent of the power of two at or below a magnitude, kept in the range in which that power
  // and its inverse are normal.
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
