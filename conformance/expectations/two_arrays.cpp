// Sums of products and of squared distances over two arrays, and weighted sums.
#include <conformance/bound_of_complex.hpp>
#include <conformance/exact_complex.hpp>
#include <conformance/expectation.hpp>

namespace isofold::conformance {
namespace {

// The sums of products of real elements.
template <class T>
Prefixes<T> exact_products(const std::vector<T>& x, const std::vector<T>& y) {
  return exact_sums_of<T, T>(
      x.size(), [&](std::size_t i) { return whole(x[i]) * whole(y[i]); },
      [](std::int64_t sum, std::int64_t) { return static_cast<T>(sum); });
}

struct Dot : Expected {
  static constexpr Kinds kinds = floating | complex;
  static constexpr bool rounds = true;
  static constexpr bool zero_has_any_sign = true;
  static constexpr bool parts_have_any_sign = true;
  static constexpr Marking marking = Marking::counted;
  static std::vector<Recipe> bound_recipes() {
    return {Recipe::uniform, Recipe::normal, Recipe::cancelling, Recipe::wide};
  }
  template <class T>
  static core::wide_t<T> empty() {
    return {};
  }
  template <class T>
  static Prefixes<core::wide_t<T>> exact(Recipe, const std::vector<T>& x, const std::vector<T>& y) {
    if constexpr (core::is_complex<T>) {
      using Part = core::part_t<T>;
      const auto re = [&](std::size_t i, bool first) {
        return first ? whole(x[i].re) * whole(y[i].re) : whole(x[i].im) * whole(y[i].im);
      };
      const auto im = [&](std::size_t i, bool first) {
        return first ? whole(x[i].re) * whole(y[i].im) : -whole(x[i].im) * whole(y[i].re);
      };
      return joined<core::wide_t<T>>(exact_sums_of_pairs<Part>(x.size(), re),
                                     exact_sums_of_pairs<Part>(x.size(), im));
    } else {
      return exact_products(x, y);
    }
  }
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, T result) {
    const SumAndMagnitudes exact = products_of(sample);
    return {{"dot", distance(exact.sum, static_cast<Long>(result)),
             bound_of_products(sample, exact.magnitudes), exact.magnitudes}};
  }
  template <class T, class Part>
  static std::vector<Judgement> judgements(const Sample<T>& sample, core::Complex<Part> result) {
    PartOfSum parts[2];
    for (std::int64_t i = 0; i < sample.n; ++i) {
      const core::Complex<double> x{sample.x[i].re, sample.x[i].im};
      const core::Complex<double> y{sample.y[i].re, sample.y[i].im};
      parts[0].add_term(x.re, y.re);
      parts[0].add_term(x.im, y.im);
      parts[1].add_term(x.re, y.im);
      parts[1].add_term(-x.im, y.re);
    }
    return judge_parts(parts, result, gamma<Part>(height_of_pairs(sample)),
                       least_of_pairs<Part>(sample.n));
  }
};

struct SquaredDistance : Expected {
  static constexpr Kinds kinds = floating | complex;
  static constexpr bool rounds = true;
  template <class T>
  static core::part_t<T> empty() {
    return 0;
  }
  template <class T>
  static Prefixes<core::part_t<T>> exact(Recipe, const std::vector<T>& x, const std::vector<T>& y) {
    using R = core::part_t<T>;
    const auto square = [](std::int64_t part) { return part * part; };
    const auto term = [&](std::size_t i) {
      if constexpr (core::is_complex<T>) {
        return square(whole(x[i].re - y[i].re)) + square(whole(x[i].im - y[i].im));
      } else {
        return square(whole(x[i]) - whole(y[i]));
      }
    };
    return exact_sums_of<R, R>(x.size(), term,
                               [](std::int64_t sum, std::int64_t) { return static_cast<R>(sum); });
  }
  // Differences round twice in a square, so the bound is γ of the longest path and 2 more, and the
  // underflow. A square of a real element is rounded, too.
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, core::part_t<T> result) {
    using Part = core::part_t<T>;
    const auto add = [&](ExactSum& sum, std::int64_t i) {
      if constexpr (core::is_complex<T>) {
        add_squared_difference(sum, sample.x[i].re, sample.y[i].re);
        add_squared_difference(sum, sample.x[i].im, sample.y[i].im);
      } else {
        add_squared_difference(sum, sample.x[i], sample.y[i]);
      }
    };
    const Long exact = exact_sum(sample, add).value();
    const auto value = static_cast<Long>(result);
    if constexpr (core::is_complex<T>) {
      return judge_near("squared_distance", value, exact, gamma<Part>(height_of_pairs(sample) + 2),
                        least_of_pairs<Part>(sample.n));
    } else {
      return judge_near("squared_distance", value, exact, gamma<Part>(sample.height() + 3),
                        least_of<Part>(sample.n));
    }
  }
};

// Weights and the elements that they weigh: a prefix is exact while both sums are.
struct Weighted : Expected {
  static constexpr Kinds kinds = floating;
  static constexpr const char* result_word = "weighted_";
  static constexpr bool rounds = true;
  static constexpr bool zero_has_any_sign = true;
  static std::vector<Recipe> bound_recipes() { return Dot::bound_recipes(); }
  template <class T>
  static WeightedSum<T> empty() {
    return {0, 0};
  }
  template <class T>
  static Prefixes<WeightedSum<T>> exact(Recipe, const std::vector<T>& x,
                                        const std::vector<T>& weights) {
    return joined<WeightedSum<T>>(exact_products(x, weights), exact_sums<T>(weights));
  }
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, WeightedSum<T> result) {
    const SumAndMagnitudes sum = products_of(sample);
    const SumAndMagnitudes weight = sum_of(sample.y, sample.n);
    return {{"sum", distance(sum.sum, static_cast<Long>(result.sum)),
             bound_of_products(sample, sum.magnitudes), sum.magnitudes},
            {"weight", distance(weight.sum, static_cast<Long>(result.weight)),
             gamma<T>(sample.height()) * weight.magnitudes, weight.magnitudes}};
  }
};

}  // namespace

ISOFOLD_EXPECT(dot, Dot)
ISOFOLD_EXPECT(squared_distance, SquaredDistance)
ISOFOLD_EXPECT(weighted_sum, Weighted)

}  // namespace isofold::conformance
