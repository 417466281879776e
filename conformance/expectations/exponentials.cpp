// Sums of exponentials: the logarithm, and the statistics of a softmax.
#include <algorithm>

#include <conformance/expectation.hpp>

namespace isofold::conformance {
namespace {

// The largest element, and the sum of exp(x - largest).
struct Exponentials {
  Long largest;
  ExactSum sum;
};

template <class T>
Exponentials exponentials_of(const Sample<T>& sample) {
  const auto largest = static_cast<Long>(*std::max_element(sample.x, sample.x + sample.n));
  return {largest, exact_sum(sample, [&](ExactSum& sum, std::int64_t i) {
            add_long(sum, std::exp(static_cast<Long>(sample.x[i]) - largest));
          })};
}

// exp and log of docs/exponential.md err by at most 1 and 2 units in the last place, which are at
// most two units of roundoff each.
template <class T>
Long bound_of_exponentials(const Sample<T>& sample) {
  const Long u = unit_roundoff<T>;
  const std::int64_t h = sample.height();
  const Long levels = static_cast<Long>(h - 21);
  const Long exponent =
      2 * u * (1 + std::log(static_cast<Long>(sample.n)));  // of x - m, on average
  return exponent + 2 * u + gamma<T>(h) + levels * (2 * u + 2 * u);
}

struct Exponential : Expected {
  static constexpr Kinds kinds = floating;
  static constexpr bool rounds = true;
  static std::vector<Recipe> bound_recipes() {
    return {Recipe::uniform, Recipe::normal, Recipe::zeros};
  }
};

// log(1) is 0: one element alone.
struct LogSumExp : Exponential {
  template <class T>
  static T empty() {
    return core::lowest<T>();
  }
  template <class T>
  static Prefixes<T> exact(Recipe, const std::vector<T>& x, const std::vector<T>&) {
    return {x[0]};
  }
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, T result) {
    Exponentials exponentials = exponentials_of(sample);
    const Long u = unit_roundoff<T>;
    const Long log = std::log(exponentials.sum.value());
    const Long exact = exponentials.largest + log;
    return {{"log_sum_exp", std::fabs(static_cast<Long>(result) - exact),
             u * std::fabs(exact) + 4 * u * log + bound_of_exponentials(sample),
             1 + std::fabs(exact)}};
  }
};

// exp(0) is 1: the sums of zeros, and one element alone.
struct Softmax : Exponential {
  static constexpr const char* result_word = "softmax_";
  template <class T>
  static SoftmaxStatistics<T> empty() {
    return {core::lowest<T>(), 0};
  }
  template <class T>
  static Prefixes<SoftmaxStatistics<T>> exact(Recipe recipe, const std::vector<T>& x,
                                              const std::vector<T>&) {
    Prefixes<SoftmaxStatistics<T>> prefixes{SoftmaxStatistics<T>{x[0], 1}};
    const auto limit =
        static_cast<std::size_t>(std::min<std::uint64_t>(x.size(), largest_exact<T>));
    while (recipe == Recipe::zeros && prefixes.size() < limit) {
      prefixes.push_back(SoftmaxStatistics<T>{0, static_cast<T>(prefixes.size() + 1)});
    }
    return prefixes;
  }
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, SoftmaxStatistics<T> result) {
    Exponentials exponentials = exponentials_of(sample);
    const Long sum = exponentials.sum.value();
    const Long error = std::fabs(static_cast<Long>(result.maximum) - exponentials.largest);
    return {{"maximum", error, 0, 1},
            {"sum", distance(exponentials.sum, static_cast<Long>(result.sum)),
             bound_of_exponentials(sample) * sum, sum}};
  }
};

}  // namespace

ISOFOLD_EXPECT(log_sum_exp, LogSumExp)
ISOFOLD_EXPECT(softmax_statistics, Softmax)

}  // namespace isofold::conformance
