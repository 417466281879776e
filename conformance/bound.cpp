// Kind 3: random data against exact arithmetic; the error must lie within the bound that
// docs/folds.md states. A cell whose bound is wider than 1/16 of what it is relative to would prove
// nothing and is counted as refused. Results that bring their own bound must keep it, and it must
// not be wider than twice the bound that is known before the data are seen.
#include <algorithm>
#include <cmath>
#include <limits>

#include "bound_of_complex.hpp"
#include "bounds.hpp"
#include "sections.hpp"

namespace isofold::conformance {
namespace {

// What is known exactly of some elements.
template <class T>
struct Facts {
  std::int64_t n = 0;
  ExactSum sum;         // of x
  Long magnitudes = 0;  // sum of |x|
  Long squares = 0;     // sum of x²
  ExactSum products;    // of x·y
  Long product_magnitudes = 0;
  ExactSum seconds;            // of y
  Long second_magnitudes = 0;  // sum of |y|
  Long squared_distance = 0;   // sum of (x - y)²
  Long mean = 0;
  Long m2 = 0;
  Long largest = 0;
  ExactSum exponentials;  // of exp(x - largest)
  Long product = 1;       // 2^11 times finer than f64: its own error is 1/2048 of the bound
};

bool needs_m2(const Question& question) {
  return question.fold == ISOFOLD_FOLD_moments || question.fold == ISOFOLD_FOLD_variance ||
         question.fold == ISOFOLD_FOLD_sample_variance;
}

template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>
Facts<T> facts_of(const Question& question, const T* x, const T* y, std::int64_t n) {
  Facts<T> facts;
  ExactSum magnitudes;
  ExactSum squares;
  ExactSum product_magnitudes;
  ExactSum second_magnitudes;
  ExactSum distances;
  ExactSum from_mean;
  facts.n = n;
  facts.largest = static_cast<Long>(*std::max_element(x, x + n));
  const bool exponentials =
      question.fold == ISOFOLD_FOLD_log_sum_exp || question.fold == ISOFOLD_FOLD_softmax_statistics;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto a = static_cast<double>(x[i]);
    facts.sum.add(a);
    magnitudes.add(std::fabs(a));
    if (question.fold == ISOFOLD_FOLD_norm2) {
      add_product(squares, a, a);
    } else if (question.fold == ISOFOLD_FOLD_product) {
      facts.product *= static_cast<Long>(x[i]);
    } else if (exponentials) {
      add_long(facts.exponentials, std::exp(static_cast<Long>(x[i]) - facts.largest));
    } else if (takes_two(question)) {
      const auto b = static_cast<double>(y[i]);
      facts.seconds.add(b);
      second_magnitudes.add(std::fabs(b));
      add_product(facts.products, a, b);
      add_product(product_magnitudes, std::fabs(a), std::fabs(b));
      add_squared_difference(distances, a, b);
    }
  }
  facts.magnitudes = magnitudes.value();
  facts.squares = squares.value();
  facts.product_magnitudes = product_magnitudes.value();
  facts.second_magnitudes = second_magnitudes.value();
  facts.squared_distance = distances.value();
  facts.mean = facts.sum.value() / static_cast<Long>(n);
  const auto center = static_cast<double>(facts.mean);
  for (std::int64_t i = 0; i < n && needs_m2(question); ++i) {
    add_squared_difference(from_mean, static_cast<double>(x[i]), center);
  }
  const Long off = static_cast<Long>(center) - facts.mean;
  facts.m2 = from_mean.value() - static_cast<Long>(n) * off * off;
  return facts;
}

template <class T>
Long bound_of_mean(std::int64_t h, const Facts<T>& facts) {
  const Long u = unit_roundoff<T>;
  return gamma<T>(h) * facts.magnitudes / static_cast<Long>(facts.n) * (1 + u) +
         u * std::fabs(facts.mean);
}

template <class T>
Judgement judge_m2(std::int64_t h, const Facts<T>& facts, Long divisor, Long result) {
  const Long n_e2 =
      static_cast<Long>(facts.n) * bound_of_mean<T>(h, facts) * bound_of_mean<T>(h, facts);
  const Long bound = gamma<T>(h + 3) * (facts.m2 + n_e2) + n_e2;
  const Long rounding = std::numeric_limits<double>::epsilon() * std::fabs(result);
  return {"m2", std::fabs(result - facts.m2 / divisor), bound / divisor + rounding,
          facts.m2 / divisor};
}

// exp and log of docs/exponential.md err by at most 1 and 2 units in the last place, which are at
// most two units of roundoff each.
template <class T>
Long bound_of_exponentials(std::int64_t h, std::int64_t n) {
  const Long u = unit_roundoff<T>;
  const Long levels = static_cast<Long>(h - 21);
  const Long exponent = 2 * u * (1 + std::log(static_cast<Long>(n)));  // of x - m, on average
  return exponent + 2 * u + gamma<T>(h) + levels * (2 * u + 2 * u);
}

template <class T, class R>
std::vector<Judgement> judgements(const Target& target, const Question& question, Facts<T>& facts,
                                  const R& result) {
  const std::int64_t n = facts.n;
  const std::int64_t h = height(target, n);
  const Long u = unit_roundoff<T>;
  const Long least = static_cast<Long>(n) * smallest<T>;
  if constexpr (std::is_same_v<R, core::MomentsResult>) {
    return {
        {"count", result.count == n ? 0.0L : 1.0L, 0, 1},
        {"mean", std::fabs(result.mean - facts.mean), bound_of_mean<T>(h, facts), facts.magnitudes},
        judge_m2<T>(h, facts, 1, result.m2)};
  } else if constexpr (std::is_same_v<R, core::Two<T>>) {
    const auto value = static_cast<Long>(result.first);
    const auto second = static_cast<Long>(result.second);
    if (question.fold == ISOFOLD_FOLD_softmax_statistics) {
      const Long sum = facts.exponentials.value();
      return {
          {"maximum", std::fabs(value - facts.largest), 0, 1},
          {"sum", distance(facts.exponentials, second), bound_of_exponentials<T>(h, n) * sum, sum}};
    }
    if (question.fold == ISOFOLD_FOLD_weighted_sum) {
      return {{"sum", distance(facts.products, value),
               gamma<T>(h + 1) * facts.product_magnitudes + least, facts.product_magnitudes},
              {"weight", distance(facts.seconds, second), gamma<T>(h) * facts.second_magnitudes,
               facts.second_magnitudes}};
    }
    Long error = distance(facts.sum, value);
    Long before = gamma<T>(h) * facts.magnitudes;
    if (question.fold == ISOFOLD_FOLD_dot_with_bound) {
      error = distance(facts.products, value);
      before = gamma<T>(h + 1) * facts.product_magnitudes + least;
    } else if (question.fold == ISOFOLD_FOLD_mean_with_bound) {
      error = std::fabs(value - facts.mean);
      before = before / static_cast<Long>(n) + 2 * u * std::fabs(facts.mean) + 2 * smallest<T>;
    }
    return {
        {"value", error, second, std::numeric_limits<Long>::infinity()},
        {"width of the bound", second, 2 * before, std::numeric_limits<Long>::infinity(), false}};
  } else if constexpr (std::is_arithmetic_v<R>) {
    const auto value = static_cast<Long>(result);
    switch (question.fold) {
      case ISOFOLD_FOLD_sum:
        return {
            {"sum", distance(facts.sum, value), gamma<T>(h) * facts.magnitudes, facts.magnitudes}};
      case ISOFOLD_FOLD_product:
        // Below the normal range the relative bound does not hold.
        return {{"product", std::fabs(value - facts.product),
                 std::fabs(value) >= static_cast<Long>(std::numeric_limits<T>::min())
                     ? gamma<T>(n - 1) * std::fabs(facts.product) * 1.001L
                     : std::numeric_limits<Long>::infinity(),
                 std::fabs(facts.product)}};
      case ISOFOLD_FOLD_norm1:
        return {{"norm1", std::fabs(value - facts.magnitudes), gamma<T>(h) * facts.magnitudes,
                 facts.magnitudes}};
      case ISOFOLD_FOLD_norm2: {
        const Long exact = std::sqrt(facts.squares);
        return {{"norm2", std::fabs(value - exact), (gamma<T>(h + 4) / 2 + 2 * u) * exact, exact}};
      }
      case ISOFOLD_FOLD_dot:
        return {{"dot", distance(facts.products, value),
                 gamma<T>(h + 1) * facts.product_magnitudes + least, facts.product_magnitudes}};
      case ISOFOLD_FOLD_squared_distance:
        return {{"squared_distance", std::fabs(value - facts.squared_distance),
                 gamma<T>(h + 3) * facts.squared_distance + least, facts.squared_distance}};
      case ISOFOLD_FOLD_mean:
        return {
            {"mean", std::fabs(value - facts.mean), bound_of_mean<T>(h, facts), facts.magnitudes}};
      case ISOFOLD_FOLD_variance: return {judge_m2<T>(h, facts, static_cast<Long>(n), value)};
      case ISOFOLD_FOLD_sample_variance:
        if (n == 1) {
          return {{"sample_variance of one", value != value ? 0.0L : 1.0L, 0, 1}};
        }
        return {judge_m2<T>(h, facts, static_cast<Long>(n - 1), value)};
      case ISOFOLD_FOLD_log_sum_exp: {
        const Long log = std::log(facts.exponentials.value());
        const Long exact = facts.largest + log;
        return {{"log_sum_exp", std::fabs(value - exact),
                 u * std::fabs(exact) + 4 * u * log + bound_of_exponentials<T>(h, n),
                 1 + std::fabs(exact)}};
      }
      default: return {};
    }
  } else {
    return {};
  }
}

// Facts and judgements of numbers, or of complex numbers.
template <class T, class AnyFacts, class R>
void judge_result(const Target& target, const Question& question, Recipe recipe, AnyFacts& facts,
                  const R& result, Judge& judge) {
  for (const Judgement& judgement : judgements<T>(target, question, facts, result)) {
    if (!(judgement.bound <= judgement.scale / 16)) {
      judge.count_refused();
      continue;
    }
    const Long ratio = judgement.error == 0 ? 0 : judgement.error / judgement.bound;
    if (judgement.is_error) {
      judge.error_over_bound(static_cast<double>(ratio));
    }
    judge.holds(ratio <= 1, [&] {
      return case_name(question) + " " + test_data::name_of(recipe) +
             ", seed 8, n = " + std::to_string(facts.n) + ", " + judgement.what +
             ": the error is " + std::to_string(static_cast<double>(ratio)) + " times its bound";
    });
  }
}

std::vector<Recipe> recipes_for(const Question& question) {
  switch (question.fold) {
    case ISOFOLD_FOLD_product: return {Recipe::near_one};
    case ISOFOLD_FOLD_sum:
    case ISOFOLD_FOLD_dot:
    case ISOFOLD_FOLD_sum_with_bound:
    case ISOFOLD_FOLD_mean_with_bound:
    case ISOFOLD_FOLD_dot_with_bound:
    case ISOFOLD_FOLD_weighted_sum:
      return {Recipe::uniform, Recipe::normal, Recipe::cancelling, Recipe::wide};
    case ISOFOLD_FOLD_log_sum_exp:
    case ISOFOLD_FOLD_softmax_statistics: return {Recipe::uniform, Recipe::normal, Recipe::zeros};
    default: return {Recipe::uniform, Recipe::normal, Recipe::near_one, Recipe::wide};
  }
}

}  // namespace

void bound_section(Target& target, const Question& question, Judge& judge) {
  std::vector<std::int64_t> sizes{1, 2, 3, 10, 64, 65, 100, 1000, 1024, 1025, 5000, 20011};
  if (question.level != Level::quick) {
    sizes.insert(sizes.end(), {100003, 262144});
  }
  if (question.level == Level::exhaustive ||
      (question.level == Level::standard && question.fold <= ISOFOLD_FOLD_maximum)) {
    sizes.push_back(1 << 20);
  }
  if (question.level == Level::exhaustive) {
    sizes.insert(sizes.end(), {(1 << 22) + 1, 1 << 24});
  }
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    if constexpr (!std::is_integral_v<T>) {
      if (core::is_complex<T> || !is_free_of_order<T>(question)) {  // moduli are rounded
        for (Recipe recipe : recipes_for(question)) {
          judge.count_case();
          std::vector<Span> spans;
          for (std::int64_t n : sizes) {
            spans.push_back({0, n});
          }
          std::vector<T> data = balanced_set<T>(question, recipe, 8, sizes.back());
          append_second(question, data, second_set<T>(question, recipe, 9, sizes.back()), spans);
          const Placed<T> placed(target, data);
          const std::vector<R> found = results_of<R>(target, question, placed.data(), spans, judge);
          for (std::size_t i = 0; i < spans.size(); ++i) {
            auto facts =
                facts_of(question, data.data(), data.data() + spans[i].second, spans[i].count);
            judge_result<T>(target, question, recipe, facts, found[i], judge);
          }
        }
        return;
      }
    }
    judge.skip("these results are exact");
  });
}

}  // namespace isofold::conformance
