// Kind 3: random data against exact arithmetic; the error must lie within the bound that
// docs/guarantees.md states. A cell whose bound is wider than 1/16 of the sum of the magnitudes
// would prove nothing and is counted as refused.
#include <cmath>
#include <limits>

#include "exact_sum.hpp"
#include "sections.hpp"

namespace isofold::conformance {
namespace {

template <class T>
constexpr long double unit_roundoff = static_cast<long double>(std::numeric_limits<T>::epsilon()) /
                                      2;

// gamma_k of the error analysis; infinite where it says nothing.
template <class T>
long double gamma(std::int64_t k) {
  const long double ku = static_cast<long double>(k) * unit_roundoff<T>;
  return ku < 1 ? ku / (1 - ku) : std::numeric_limits<long double>::infinity();
}

// The longest path of tree v1: 15 in the lane, 6 in the chunk, and the binary tree above.
std::int64_t tree_height(std::int64_t n) {
  std::int64_t height = 21;
  while ((std::int64_t{1024} << (height - 21)) < n) {
    ++height;
  }
  return height;
}

struct Judgement {
  long double error;  // |result - exact|
  long double scale;  // what the bound is relative to
};

template <class T>
Judgement judge_sum(const T* data, std::int64_t n, T result) {
  ExactSum exact;
  ExactSum magnitudes;
  for (std::int64_t i = 0; i < n; ++i) {
    exact.add(static_cast<double>(data[i]));
    magnitudes.add(std::fabs(static_cast<double>(data[i])));
  }
  exact.add(-static_cast<double>(result));
  return {std::fabs(exact.value()), magnitudes.value()};
}

// In long double, which is 2^11 times finer than f64: its own error is 1/2048 of the bound.
template <class T>
Judgement judge_product(const T* data, std::int64_t n, T result) {
  static_assert(std::numeric_limits<long double>::digits >= 64,
                "The exact product needs a type that is finer than double.");
  long double product = 1;
  for (std::int64_t i = 0; i < n; ++i) {
    product *= static_cast<long double>(data[i]);
  }
  return {std::fabs(static_cast<long double>(result) - product), std::fabs(product)};
}

template <class T>
void judge_result(const Target& target, const Question& question, Recipe recipe, const T* data,
                  std::int64_t n, T result, Judge& judge) {
  const bool is_sum = question.fold == ISOFOLD_FOLD_sum;
  const std::int64_t k = is_sum && target.promises_same_bits() ? tree_height(n) : n - 1;
  const long double relative = gamma<T>(k);
  if (!(relative <= 1.0L / 16)) {
    judge.count_refused();
    return;
  }
  if (!is_sum && !(std::fabs(result) >= std::numeric_limits<T>::min())) {
    judge.count_refused();  // below the normal range the relative bound does not hold
    return;
  }
  const Judgement judgement = is_sum ? judge_sum(data, n, result) : judge_product(data, n, result);
  const long double bound = relative * judgement.scale * (is_sum ? 1.0L : 1.001L);
  const long double ratio = judgement.error == 0 ? 0 : judgement.error / bound;
  judge.error_over_bound(static_cast<double>(ratio));
  judge.holds(ratio <= 1, [&] {
    return case_name(question) + " " + test_data::name_of(recipe) +
           ", seed 8, n = " + std::to_string(n) + ": the error is " +
           std::to_string(static_cast<double>(ratio)) + " times its bound";
  });
}

}  // namespace

void bound_section(Target& target, const Question& question, Judge& judge) {
  std::vector<std::int64_t> sizes{1, 2, 3, 10, 64, 65, 100, 1000, 1024, 1025, 5000, 20011};
  if (question.level != Level::quick) {
    sizes.insert(sizes.end(), {100003, 262144, 1 << 20});
  }
  if (question.level == Level::exhaustive) {
    sizes.insert(sizes.end(), {(1 << 22) + 1, 1 << 24});
  }
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    if constexpr (std::is_floating_point_v<T>) {
      if (!is_free_of_order<T>(question)) {
        std::vector<Recipe> recipes{Recipe::near_one};
        if (question.fold == ISOFOLD_FOLD_sum) {
          recipes = {Recipe::uniform, Recipe::normal, Recipe::cancelling, Recipe::wide};
        }
        for (Recipe recipe : recipes) {
          judge.count_case();
          std::vector<Span> spans;
          for (std::int64_t n : sizes) {
            spans.push_back({0, n});
          }
          const std::vector<T> data = data_set<T>(recipe, 8, sizes.back());
          const Placed<T> placed(target, data);
          const std::vector<R> found = results_of<R>(target, question, placed.data(), spans, judge);
          for (std::size_t i = 0; i < spans.size(); ++i) {
            judge_result<T>(target, question, recipe, data.data(), spans[i].count, found[i], judge);
          }
        }
        return;
      }
    }
    judge.skip("these results are exact");
  });
}

}  // namespace isofold::conformance
