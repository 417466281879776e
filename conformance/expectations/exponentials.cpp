// Sums of exponentials: the logarithm, and the statistics of a softmax.
#include <algorithm>

#include <conformance/expectation.hpp>

namespace isofold::conformance {
namespace {

// The largest element, the sum of exp(x - largest) over all but one that is the largest, and the
// bound of the error of that sum.
struct Exponentials {
  Long largest;
  Long others;
  Long error;
};

// A term exp(-d) errs by u d because its argument is rounded, and by 2u as exp errs by one unit in
// the last place. The sums of a chunk round 22 times, and a level above it no more than four times
// and a product.
template <class T>
Exponentials exponentials_of(const Sample<T>& sample) {
  const T* const first = std::max_element(sample.x, sample.x + sample.n);
  const auto largest = static_cast<Long>(*first);
  const auto sum_of = [&](auto&& term) {
    return exact_sum(sample,
                     [&](ExactSum& sum, std::int64_t i) {
                       if (sample.x + i != first) {
                         add_long(sum, term(largest - static_cast<Long>(sample.x[i])));
                       }
                     })
        .value();
  };
  const Long others = sum_of([](Long d) { return std::exp(-d); });
  const Long of_arguments = sum_of([](Long d) { return std::exp(-d) * d; });
  const std::int64_t levels = sample.height() - 21;
  const Long subnormals = static_cast<Long>(sample.n) * smallest<T>;
  return {largest, others,
          unit_roundoff<T> * of_arguments + gamma<T>(24 + 4 * levels) * others + subnormals};
}

struct Exponential : Expected {
  static constexpr Kinds kinds = floating;
  static constexpr bool rounds = true;
  static std::vector<Recipe> bound_recipes() {
    return {Recipe::uniform, Recipe::normal, Recipe::zeros};
  }
};

// log1p(0) is 0: one element alone. log1p errs by at most 2.5 units in the last place, of two units
// of roundoff each.
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
    const Exponentials terms = exponentials_of(sample);
    const Long u = unit_roundoff<T>;
    const Long log = std::log1p(terms.others);
    const Long exact = terms.largest + log;
    const Long bound = (1 + u) * (5 * u * log + terms.error / (1 + terms.others - terms.error));
    return {{"log_sum_exp", std::fabs(static_cast<Long>(result) - exact),
             u * std::fabs(exact) + bound, 1 + std::fabs(exact)}};
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
    const Exponentials terms = exponentials_of(sample);
    const Long sum = 1 + terms.others;
    const Long bound = terms.error + unit_roundoff<T> * (sum + terms.error);
    return {{"maximum", std::fabs(static_cast<Long>(result.maximum) - terms.largest), 0, 1},
            {"sum", std::fabs(static_cast<Long>(result.sum) - sum), bound, sum}};
  }
};

}  // namespace

ISOFOLD_EXPECT(log_sum_exp, LogSumExp)
ISOFOLD_EXPECT(softmax_statistics, Softmax)

}  // namespace isofold::conformance
