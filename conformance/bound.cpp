// Kind 3: random data against exact arithmetic; the error must lie within the bound that
// docs/folds.md states. A cell whose bound is wider than 1/16 of what it is relative to would prove
// nothing and is counted as refused. Results that bring their own bound must keep it, and it must
// not be wider than twice the bound that is known before the data are seen.
#include "sections.hpp"

namespace isofold::conformance {
namespace {

template <class T, class R>
void judge_result(const Question& question, Recipe recipe, const Sample<T>& sample, const R& result,
                  Judge& judge) {
  for (const Judgement& judgement :
       expectation_of(question.fold).judgements(question.type, &sample, &result)) {
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
             ", seed 8, n = " + std::to_string(sample.n) + ", " + judgement.what +
             ": the error is " + std::to_string(static_cast<double>(ratio)) + " times its bound";
    });
  }
}

}  // namespace

void bound_section(Target& target, const Question& question, Judge& judge) {
  std::vector<std::int64_t> sizes{1, 2, 3, 10, 64, 65, 100, 1000, 1024, 1025, 5000, 20011};
  if (question.level != Level::quick) {
    sizes.insert(sizes.end(), {100003, 262144});
  }
  if (question.level == Level::exhaustive ||
      (question.level == Level::standard && expectation_of(question.fold).leads())) {
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
        for (Recipe recipe : expectation_of(question.fold).bound_recipes()) {
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
            const Sample<T> sample{data.data(), data.data() + spans[i].second, spans[i].count,
                                   target.promises_same_bits()};
            judge_result(question, recipe, sample, found[i], judge);
          }
        }
        return;
      }
    }
    judge.skip("these results are exact");
  });
}

}  // namespace isofold::conformance
