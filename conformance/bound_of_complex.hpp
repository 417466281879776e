// The exact results over complex elements, and the bounds of their errors.
//
// Two terms an element, each added by a rounding of its own: the first rounds a product and adds
// another one, the 15 after it in a lane add two each, and 6 + (h - 21) combinations follow. The
// longest path of tree v1 has 2 + 30 + 6 + (h - 21) = h + 17 roundings; in any other order there
// are 2n at most.
#pragma once

#include <cmath>
#include <vector>

#include "bounds.hpp"

namespace isofold::conformance {

// What a fold adds up, exactly, or the product, or the largest modulus.
template <class T>
struct ComplexFacts {
  std::int64_t n = 0;
  ExactSum sum[2];           // part by part; of squares, moduli and distances in the first
  ExactSum magnitudes[2];    // of what is added to the sums
  Long largest = 0;          // of |x|
  Long product[2] = {1, 0};  // 2^11 times finer than c128, as moduli are

  void add(int part, double a) {
    sum[part].add(a);
    magnitudes[part].add(std::fabs(a));
  }
  void add_term(int part, double a, double b) {
    add_product(sum[part], a, b);
    add_product(magnitudes[part], std::fabs(a), std::fabs(b));
  }
  void multiply(double re, double im) {
    const Long before = product[0];
    product[0] = before * re - product[1] * im;
    product[1] = before * im + product[1] * re;
  }
  void take_modulus(double re, double im) {
    const Long modulus = std::hypot(static_cast<Long>(re), static_cast<Long>(im));
    add_long(sum[0], modulus);
    largest = std::fmax(largest, modulus);
  }
  // Of the element x; y is that of the second array, for folds of two.
  void take(std::int32_t fold, core::Complex<double> x, core::Complex<double> y) {
    switch (fold) {
      case ISOFOLD_FOLD_sum:
        add(0, x.re);
        add(1, x.im);
        break;
      case ISOFOLD_FOLD_product: multiply(x.re, x.im); break;
      case ISOFOLD_FOLD_norm2:
        add_term(0, x.re, x.re);
        add_term(0, x.im, x.im);
        break;
      case ISOFOLD_FOLD_dot:
        add_term(0, x.re, y.re);
        add_term(0, x.im, y.im);
        add_term(1, x.re, y.im);
        add_term(1, -x.im, y.re);
        break;
      case ISOFOLD_FOLD_squared_distance:
        add_squared_difference(sum[0], x.re, y.re);
        add_squared_difference(sum[0], x.im, y.im);
        break;
      default: take_modulus(x.re, x.im); break;
    }
  }
};

template <class T, std::enable_if_t<core::is_complex<T>, int> = 0>
ComplexFacts<T> facts_of(const Question& question, const T* x, const T* y, std::int64_t n) {
  const auto in_doubles = [](const T& z) {
    return core::Complex<double>{static_cast<double>(z.re), static_cast<double>(z.im)};
  };
  ComplexFacts<T> facts;
  facts.n = n;
  for (std::int64_t i = 0; i < n; ++i) {
    facts.take(question.fold, in_doubles(x[i]), in_doubles(takes_two(question) ? y[i] : x[i]));
  }
  return facts;
}

// The longest path of a sum of two terms an element.
inline std::int64_t height_of_pairs(const Target& target, std::int64_t n) {
  return target.promises_same_bits() ? tree_height(n) + 17 : 2 * n;
}

// What underflows: half the smallest subnormal at most in each of 2n roundings, of which the rest
// may make a little more.
template <class Part>
Long least_of_pairs(std::int64_t n) {
  return 2 * static_cast<Long>(n) * smallest<Part>;
}

// Each multiplication of complex numbers errs by at most √5·u of the modulus of its result (Brent,
// Percival, Zimmermann, "Error bounds on complex floating-point multiplication", 2007), and n
// elements make n - 1 of them. The balanced factors keep all moduli far from the ends of the range,
// so that what underflows in a part is nothing beside the other one; below 2^-60 that would not be
// known. The factor 1.001 covers the error of the reference.
template <class T, class Part>
std::vector<Judgement> judge_product(const ComplexFacts<T>& facts, core::Complex<Part> result) {
  const Long modulus = std::hypot(facts.product[0], facts.product[1]);
  const Long error = std::hypot(static_cast<Long>(result.re) - facts.product[0],
                                static_cast<Long>(result.im) - facts.product[1]);
  const Long all = static_cast<Long>(facts.n - 1) * std::sqrt(5.0L) * unit_roundoff<Part>;
  const bool known = modulus >= 0x1p-60L && all < 1;
  return {{"product", error,
           known ? all / (1 - all) * modulus * 1.001L : std::numeric_limits<Long>::infinity(),
           modulus}};
}

// Part by part. Of the sum, as of a sum of real elements. Of the dot product, γ of the longest
// path, and what underflows.
template <class T, class Part>
std::vector<Judgement> judgements(const Target& target, const Question& question,
                                  ComplexFacts<T>& facts, core::Complex<Part> result) {
  if (question.fold == ISOFOLD_FOLD_product) {
    return judge_product(facts, result);
  }
  const Part parts[] = {result.re, result.im};
  const char* names[] = {"real part", "imaginary part"};
  std::vector<Judgement> all;
  for (int i : {0, 1}) {
    const Long magnitudes = facts.magnitudes[i].value();
    const Long bound = question.fold == ISOFOLD_FOLD_sum
                           ? gamma<Part>(height(target, facts.n)) * magnitudes
                           : gamma<Part>(height_of_pairs(target, facts.n)) * magnitudes +
                                 least_of_pairs<Part>(facts.n);
    all.push_back(
        {names[i], distance(facts.sum[i], static_cast<Long>(parts[i])), bound, magnitudes});
  }
  return all;
}

// A modulus is the root, rounded, of a square that two roundings made, of at most u/(1 + u) each:
// ((1 + 2u)/(1 + u))^2 <= 1 + 2u. Beside it what scaling back rounds where the result is subnormal.
// So the largest errs by 2u, and norm1, a sum of moduli, by γ_{h+3}, with room for that. Squared
// distances: differences round twice in a square, so γ of the longest path and 2 more, and what
// underflows. norm2: the longest path of squares, the same 3 as of real elements for scaling and
// combining, of which the root halves all; 2u for the root and the product in `finish`.
template <class T, class Part, std::enable_if_t<std::is_floating_point_v<Part>, int> = 0>
std::vector<Judgement> judgements(const Target& target, const Question& question,
                                  ComplexFacts<T>& facts, Part result) {
  const auto value = static_cast<Long>(result);
  const auto judgement = [&](const char* what, Long exact, Long relative, Long absolute = 0) {
    return std::vector<Judgement>{
        {what, std::fabs(value - exact), relative * exact + absolute, exact}};
  };
  const std::int64_t pairs = height_of_pairs(target, facts.n);
  switch (question.fold) {
    case ISOFOLD_FOLD_absolute_maximum:
      return judgement("absolute_maximum", facts.largest, 2 * unit_roundoff<Part>,
                       smallest<Part> / 2);
    case ISOFOLD_FOLD_norm1:
      return judgement("norm1", facts.sum[0].value(), gamma<Part>(height(target, facts.n) + 3));
    case ISOFOLD_FOLD_norm2:
      return judgement("norm2", std::sqrt(facts.sum[0].value()),
                       gamma<Part>(pairs + 3) / 2 + 2 * unit_roundoff<Part>);
    default:
      return judgement("squared_distance", facts.sum[0].value(), gamma<Part>(pairs + 2),
                       least_of_pairs<Part>(facts.n));
  }
}

}  // namespace isofold::conformance
