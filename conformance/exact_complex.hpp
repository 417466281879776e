// Exact results over complex elements whose parts are integers, computed in integers.
#pragma once

#include <cmath>

#include "batch.hpp"
#include "exact_prefixes.hpp"

namespace isofold::conformance {

// Other elements of integers, where those of the recipe would soon be inexact. Factors of the
// recipe `signs` become 1, -1, i and -i, whose products have no end; elements of the folds of
// moduli become multiples of 3 + 4i and the like, whose moduli are integers.
template <class T>
void make_exact(const Question& question, Recipe recipe, std::vector<T>& data) {
  const bool moduli =
      question.fold == ISOFOLD_FOLD_norm1 || question.fold == ISOFOLD_FOLD_absolute_maximum;
  const bool units = question.fold == ISOFOLD_FOLD_product && recipe == Recipe::signs;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto [re, im] = data[i];
    if (units) {
      data[i] = re > 0 ? T{im, 0} : T{0, im};
    } else if (moduli) {
      const auto k = i % 8 < 4 ? re : im;
      const T multiples[] = {{3 * k, 4 * k}, {4 * k, -3 * k}, {5 * k, 0}, {0, -5 * k}};
      data[i] = multiples[i % 4];
    }
  }
}

// Integers of a sum's two terms an element: term(i, 0) and term(i, 1).
template <class T, class Term>
Prefixes<T> exact_sums_of_pairs(std::size_t count, Term&& term) {
  const Prefixes<T> all = exact_sums_of<T, T>(
      2 * count, [&](std::size_t i) { return term(i / 2, i % 2); },
      [](std::int64_t sum, std::int64_t) { return static_cast<T>(sum); });
  Prefixes<T> prefixes;
  for (std::size_t i = 1; i < all.size(); i += 2) {
    prefixes.push_back(all[i]);
  }
  return prefixes;
}

// A product of Gaussian integers is 2^exponent times one whose parts are at most the product of
// |re| + |im| of the factors, each divided by its powers of two; so is every part of every product
// on the way, and the real products that it is made of. Exact in every order while that is at most
// 2^24 or 2^53 and the whole stays finite.
template <class T>
class ExactComplexProduct {
 public:
  using Part = core::part_t<T>;
  // False when the next factor leaves what is exact in every order.
  bool take(T factor) {
    auto re = static_cast<std::int64_t>(factor.re);
    auto im = static_cast<std::int64_t>(factor.im);
    for (; (re != 0 || im != 0) && re % 2 == 0 && im % 2 == 0; re /= 2, im /= 2) {
      ++exponent_;
    }
    const std::uint64_t sum = magnitude(re) + magnitude(im);
    if (sum > largest_exact<Part> / largest_) {
      return false;
    }
    largest_ *= std::max<std::uint64_t>(sum, 1);
    const std::int64_t before = re_;
    re_ = re_ * re - im_ * im;
    im_ = before * im + im_ * re;
    return exponent_ + std::numeric_limits<Part>::digits < std::numeric_limits<Part>::max_exponent;
  }
  template <class R>
  R value() const {
    return {std::ldexp(static_cast<Part>(re_), exponent_),
            std::ldexp(static_cast<Part>(im_), exponent_)};
  }

 private:
  std::int64_t re_ = 1;
  std::int64_t im_ = 0;
  std::uint64_t largest_ = 1;
  int exponent_ = 0;
};

template <class T, class R>
Prefixes<R> exact_complex_products(const std::vector<T>& data) {
  Prefixes<R> prefixes;
  ExactComplexProduct<T> product;
  for (const T& z : data) {
    if (!product.take(z)) {
      break;
    }
    prefixes.push_back(product.template value<R>());
  }
  return prefixes;
}

// |z| of a z that make_exact() made. Where its square is 2^k times a number of 24 or 53 bits,
// squares, sum and square root are exact; else more than every sum may be.
template <class T>
std::int64_t exact_modulus(T z) {
  const auto re = static_cast<std::int64_t>(z.re);
  const auto im = static_cast<std::int64_t>(z.im);
  const std::int64_t modulus =
      re == 0 || im == 0 ? std::abs(re + im) : std::max(std::abs(re), std::abs(im)) / 4 * 5;
  std::int64_t odd = modulus;
  for (; odd != 0 && odd % 2 == 0; odd /= 2) {
  }
  constexpr std::uint64_t most = largest_exact<core::part_t<T>>;
  const bool fits = odd < (std::int64_t{1} << 31) && magnitude(odd * odd) <= most;
  return fits ? modulus : static_cast<std::int64_t>(most) + 1;
}

// Sums, dot products and products of integers.
template <class T, class R>
Prefixes<R> exact_complex_results(const Question& question, const std::vector<T>& x,
                                  const std::vector<T>& y) {
  using Part = core::part_t<T>;
  const auto whole = [](Part part) { return static_cast<std::int64_t>(part); };
  const auto sums = [&](auto&& term) {
    return exact_sums_of_pairs<Part>(
        x.size(), [&](std::size_t i, std::size_t which) { return term(i, which == 0); });
  };
  switch (question.fold) {
    case ISOFOLD_FOLD_sum:
      return joined<R>(sums([&](std::size_t i, bool first) { return first ? whole(x[i].re) : 0; }),
                       sums([&](std::size_t i, bool first) { return first ? whole(x[i].im) : 0; }));
    case ISOFOLD_FOLD_dot:
      return joined<R>(
          sums([&](std::size_t i, bool first) {
            return first ? whole(x[i].re) * whole(y[i].re) : whole(x[i].im) * whole(y[i].im);
          }),
          sums([&](std::size_t i, bool first) {
            return first ? whole(x[i].re) * whole(y[i].im) : -whole(x[i].im) * whole(y[i].re);
          }));
    default: return exact_complex_products<T, R>(x);
  }
}

// The largest of the moduli, while they are exact.
template <class T, class R>
Prefixes<R> exact_largest_modulus(const std::vector<T>& data) {
  Prefixes<R> prefixes;
  std::int64_t largest = 0;
  for (const T& z : data) {
    largest = std::max(largest, exact_modulus(z));
    if (magnitude(largest) > largest_exact<R>) {
      break;
    }
    prefixes.push_back(static_cast<R>(largest));
  }
  return prefixes;
}

// Norms and distances.
template <class T, class R>
Prefixes<R> exact_real_results(const Question& question, const std::vector<T>& x,
                               const std::vector<T>& y) {
  const auto number = [](std::int64_t sum, std::int64_t) { return static_cast<R>(sum); };
  const auto square = [](R part) {
    return static_cast<std::int64_t>(part) * static_cast<std::int64_t>(part);
  };
  switch (question.fold) {
    case ISOFOLD_FOLD_absolute_maximum: return exact_largest_modulus<T, R>(x);
    case ISOFOLD_FOLD_norm1:
      return exact_sums_of<R, R>(
          x.size(), [&](std::size_t i) { return exact_modulus(x[i]); }, number);
    case ISOFOLD_FOLD_norm2:
      return exact_sums_of<R, R>(
          x.size(), [&](std::size_t i) { return square(x[i].re) + square(x[i].im); },
          [](std::int64_t sum, std::int64_t) {
            return static_cast<R>(std::sqrt(static_cast<double>(sum)));
          });
    default:
      return exact_sums_of<R, R>(
          x.size(),
          [&](std::size_t i) { return square(x[i].re - y[i].re) + square(x[i].im - y[i].im); },
          number);
  }
}

template <class T, class R>
Prefixes<R> exact_complex(const Question& question, const std::vector<T>& x,
                          const std::vector<T>& y) {
  if constexpr (core::is_complex<R>) {
    return exact_complex_results<T, R>(question, x, y);
  } else {
    return exact_real_results<T, R>(question, x, y);
  }
}

}  // namespace isofold::conformance
