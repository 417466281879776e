// Kind 2: integer-valued data within the limits where every order of combination is exact, so that
// every backend must have the exact result, bit for bit. Computed in integers (expectations/),
// sharing nothing with any walk. Extrema and counts are exact on all data.
#include <algorithm>

#include "sections.hpp"

namespace isofold::conformance {
namespace {

bool is_integer_valued(Recipe recipe) {
  return recipe == Recipe::iota || recipe == Recipe::alternating || recipe == Recipe::lanes ||
         recipe == Recipe::signs || recipe == Recipe::small || recipe == Recipe::zeros;
}

template <class T>
bool is_exact_recipe(const Question& question, Recipe recipe) {
  return test_data::has_recipe<T>(recipe) &&
         (is_integer_valued(recipe) ||
          (is_free_of_order<T>(question) && !core::is_complex<T>));  // moduli are rounded
}

}  // namespace

void exact_section(Target& target, const Question& question, Judge& judge) {
  const Expectation& expectation = expectation_of(question.fold);
  const bool is_quick =
      question.level == Level::quick || (question.level == Level::standard && !expectation.leads());
  const std::int64_t largest = is_quick                            ? 20000
                               : question.level == Level::standard ? 200000
                                                                   : 3000000;
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    for (Recipe recipe : test_data::recipes) {
      if (!is_exact_recipe<T>(question, recipe)) {
        continue;
      }
      judge.count_case();
      std::vector<T> data = data_set<T>(recipe, 7, largest);
      expectation.make_exact(question.type, recipe, &data);
      const std::vector<T> other = second_set<T>(question, recipe, 8, largest);
      const auto expected =
          std::any_cast<Prefixes<R>>(expectation.exact(question.type, recipe, &data, &other));
      std::vector<Span> spans;
      const auto limit = static_cast<std::int64_t>(expected.size());
      const std::int64_t step = is_quick ? 41 : 1;
      const auto ask_of = [&](std::int64_t n) {
        if (n > 0 && expected[static_cast<std::size_t>(n - 1)].has_value()) {
          spans.push_back({0, n});
        }
      };
      for (std::int64_t n = 1; n <= limit; n += n < 130 ? 1 : n < 2100 ? step : 1 + n / 5) {
        ask_of(n);
      }
      ask_of(limit / 64 * 64);  // a whole number of every period
      ask_of(limit);
      append_second(question, data, other, spans);
      const Placed<T> placed(target, data);
      const std::vector<R> found = results_of<R>(target, question, placed.data(), spans, judge);
      for (std::size_t i = 0; i < spans.size(); ++i) {
        R exact = *expected[static_cast<std::size_t>(spans[i].count - 1)];
        const auto describe = [&] {
          return case_name(question) + " " + test_data::name_of(recipe) +
                 ", seed 7, n = " + std::to_string(spans[i].count) + ", exact in every order";
        };
        if constexpr (std::is_same_v<R, Bounded<T>>) {
          exact.bound = found[i].bound;  // the section `bound` judges it
        }
        const bool any_sign = core::is_complex<R> && expectation.parts_have_any_sign();
        if (!any_sign && (target.promises_same_bits() || !expectation.zero_has_any_sign())) {
          judge.same_bits(exact, found[i], describe);
        } else {
          judge.same_value(exact, found[i], describe);
        }
      }
    }
  });
}

}  // namespace isofold::conformance
