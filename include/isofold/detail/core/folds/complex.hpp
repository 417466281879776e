// Folds of complex elements beside the sum and the product (sum.hpp, product.hpp): inner product,
// squared distance and the norms. Distances and norms have real results, made of moduli that
// neither overflow nor underflow on the way.
#pragma once

#include <isofold/detail/core/folds/norm2.hpp>
#include <isofold/detail/core/folds/products.hpp>

namespace isofold::core {

// The larger of the magnitudes of the parts, a NaN above infinity.
template <class V>
ISOFOLD_ARITHMETIC V larger_part(Complex<V> z) {
  return AbsoluteMaximum<component_t<V>>{}.combine(magnitude(z.re), magnitude(z.im));
}

// The bits of 2^k and of 2^-k, where 2^k is the power of two at or below a magnitude, kept where
// both are normal.
template <class V>
struct Scales {
  V up;
  V down;
};
template <class V>
ISOFOLD_ARITHMETIC Scales<V> scales_of(V magnitude) {
  using Word = signed_t<V>;
  using Number = component_t<Word>;
  constexpr bool narrow = sizeof(Number) == 4;
  constexpr int fraction_bits = narrow ? 23 : 52;
  constexpr Number bias = narrow ? 127 : 1023;
  const Word field = same_bits_as<Word>(magnitude) >> fraction_bits;
  const Word low = splat<Word>(1);
  const Word high = splat<Word>(2 * bias - 1);
  const Word raised = field < low ? low : field;
  const Word kept = raised > high ? high : raised;
  return {same_bits_as<V>(kept << fraction_bits),
          same_bits_as<V>((splat<Word>(2 * bias) - kept) << fraction_bits)};
}

template <class V>
ISOFOLD_ARITHMETIC V squared_modulus(Complex<V> z) {
  return core::fma(z.im, z.im, z.re * z.re);
}
template <class V>
ISOFOLD_ARITHMETIC V add_squared_modulus(V s, Complex<V> z) {
  return core::fma(z.im, z.im, core::fma(z.re, z.re, s));
}

// |z|, at most 2u from it: scaled by a power of two, which is exact unless the smaller part
// vanishes beside the larger one. A NaN in either part makes a NaN, even beside an infinity.
template <class V>
ISOFOLD_ARITHMETIC V modulus(Complex<V> z) {
  const Scales<V> scales = scales_of(larger_part(z));
  const Complex<V> y{z.re * scales.down, z.im * scales.down};
  return square_root(squared_modulus(y)) * scales.up;
}

// The sum of conj(x) y.
template <class T>
struct ComplexDot : SumOfTerms<T, 2> {
  template <class V>
  ISOFOLD_ARITHMETIC V lift(V x, V y, signed_t<V>) const {
    return {core::fma(x.im, y.im, x.re * y.re), core::fma(-x.im, y.re, x.re * y.im)};
  }
  template <class V>
  ISOFOLD_ARITHMETIC V accumulate(V s, V x, V y, signed_t<V>) const {
    return {core::fma(x.im, y.im, core::fma(x.re, y.re, s.re)),
            core::fma(-x.im, y.re, core::fma(x.re, y.im, s.im))};
  }
};

// The members that sums of real terms over complex elements share.
template <class T, int arrays_>
struct SumOfRealTerms : SumOfTerms<part_t<T>, arrays_> {
  using element_type = T;
  using value_type = Complex<part_t<T>>;
  template <class V>
  using lane = part_t<V>;
};

template <class T>
struct ComplexSquaredDistance : SumOfRealTerms<T, 2> {
  template <class V>
  ISOFOLD_ARITHMETIC part_t<V> lift(V x, V y, signed_t<V>) const {
    return squared_modulus(x - y);
  }
  template <class V>
  ISOFOLD_ARITHMETIC part_t<V> accumulate(part_t<V> s, V x, V y, signed_t<V>) const {
    return add_squared_modulus(s, x - y);
  }
};

template <class T>
struct ComplexNorm1 : SumOfRealTerms<T, 1> {
  template <class V>
  ISOFOLD_ARITHMETIC part_t<V> lift(V x, signed_t<V>) const {
    return modulus(x);
  }
  template <class V>
  ISOFOLD_ARITHMETIC part_t<V> accumulate(part_t<V> s, V x, signed_t<V>) const {
    return s + modulus(x);
  }
};

// The largest term that Term makes of the elements: moduli, or the larger parts.
template <class T, class Term>
struct LargestTerm : AbsoluteMaximum<part_t<T>> {
  using element_type = T;
  using value_type = Complex<part_t<T>>;
  template <class V>
  using lane = part_t<V>;

  template <class V>
  ISOFOLD_ARITHMETIC part_t<V> lift(V x, signed_t<V>) const {
    return Term::of(x);
  }
  template <class V>
  ISOFOLD_ARITHMETIC part_t<V> accumulate(part_t<V> s, V x, signed_t<V>) const {
    return this->combine(s, Term::of(x));
  }
};
struct ModulusTerm {
  template <class V>
  static ISOFOLD_ARITHMETIC part_t<V> of(V x) {
    return magnitude(modulus(x));  // clears a NaN's sign, too
  }
};
struct LargerPartTerm {
  template <class V>
  static ISOFOLD_ARITHMETIC part_t<V> of(V x) {
    return larger_part(x);
  }
};
template <class T>
struct ComplexAbsoluteMaximum : LargestTerm<T, ModulusTerm> {};

// The sum of squared moduli, scaled.
template <class T>
struct ComplexScaledSquares {
  using element_type = T;
  using value_type = Complex<part_t<T>>;
  template <class V>
  using lane = part_t<V>;
  static constexpr bool has_identity = true;
  static constexpr bool on_vectors = true;
  part_t<T> scale;

  template <class V>
  ISOFOLD_ARITHMETIC part_t<V> lift(V x, signed_t<V>) const {
    return squared_modulus(scaled(x));
  }
  template <class V>
  ISOFOLD_ARITHMETIC part_t<V> accumulate(part_t<V> s, V x, signed_t<V>) const {
    return add_squared_modulus(s, scaled(x));
  }
  template <class V>
  ISOFOLD_ARITHMETIC V combine(V a, V b) const {
    return a + b;
  }
  template <class V>
  ISOFOLD_ARITHMETIC part_t<V> lane_identity() const {
    return splat<part_t<V>>(-part_t<T>{0});
  }

 private:
  template <class V>
  ISOFOLD_ARITHMETIC V scaled(V x) const {
    const auto by = splat<part_t<V>>(scale);
    return {x.re * by, x.im * by};
  }
};

// The norm of the parts' chunks; each element has two parts.
template <class T>
struct ComplexNorm2 : Norm2<part_t<T>> {
  using element_type = T;

  ISOFOLD_HOST_DEVICE LargestTerm<T, LargerPartTerm> first() const { return {}; }
  ISOFOLD_HOST_DEVICE ComplexScaledSquares<T> second(part_t<T> largest, int count) const {
    return {Norm2<part_t<T>>::second(largest, count).scale};
  }
  ISOFOLD_HOST_DEVICE RangedSquares<LargestTerm<T, LargerPartTerm>, ComplexScaledSquares<T>>
  one_pass() const {
    return {};
  }
};

}  // namespace isofold::core
