// Results that bring their own bound: it must hold, and must not be wider than twice the bound that
// is known before the data are seen. Values of integers are exact, whatever the bound.
#include <conformance/exact_complex.hpp>
#include <conformance/expectation.hpp>

namespace isofold::conformance {
namespace {

struct BoundedSum : Expected {
  static constexpr Kinds kinds = floating;
  static constexpr const char* result_word = "bounded_";
  static constexpr bool rounds = true;
  static std::vector<Recipe> bound_recipes() {
    return {Recipe::uniform, Recipe::normal, Recipe::cancelling, Recipe::wide};
  }
  template <class T>
  static Bounded<T> empty() {
    return {0, 0};
  }
  // The sums of terms; value(sum, n) makes the value of one.
  template <class T, class Term, class Value>
  static Prefixes<Bounded<T>> exact_of(std::size_t count, Term&& term, Value&& value) {
    return exact_sums_of<T, Bounded<T>>(count, term, [&](std::int64_t sum, std::int64_t n) {
      return Bounded<T>{value(static_cast<T>(sum), static_cast<T>(n)), 0};
    });
  }
  template <class T>
  static std::vector<Judgement> judged(Long error, Long before, Bounded<T> result) {
    const auto bound = static_cast<Long>(result.bound);
    constexpr Long any = std::numeric_limits<Long>::infinity();
    return {{"value", error, bound, any}, {"width of the bound", bound, 2 * before, any, false}};
  }
};

struct SumWithBound : BoundedSum {
  template <class T>
  static Prefixes<Bounded<T>> exact(Recipe, const std::vector<T>& x, const std::vector<T>&) {
    return exact_of<T>(
        x.size(), [&](std::size_t i) { return whole(x[i]); }, [](T sum, T) { return sum; });
  }
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, Bounded<T> result) {
    const SumAndMagnitudes exact = sum_of(sample.x, sample.n);
    return judged(distance(exact.sum, static_cast<Long>(result.value)),
                  gamma<T>(sample.height()) * exact.magnitudes, result);
  }
};

struct MeanWithBound : BoundedSum {
  static constexpr bool empty_is_error = true;
  template <class T>
  static Bounded<T> empty() {
    return {core::canonical_nan<T>(), core::canonical_nan<T>()};
  }
  template <class T>
  static Prefixes<Bounded<T>> exact(Recipe, const std::vector<T>& x, const std::vector<T>&) {
    return exact_of<T>(
        x.size(), [&](std::size_t i) { return whole(x[i]); }, [](T sum, T n) { return sum / n; });
  }
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, Bounded<T> result) {
    SumAndMagnitudes exact = sum_of(sample.x, sample.n);
    const auto n = static_cast<Long>(sample.n);
    const Long mean = exact.sum.value() / n;
    return judged(std::fabs(static_cast<Long>(result.value) - mean),
                  gamma<T>(sample.height()) * exact.magnitudes / n +
                      2 * unit_roundoff<T> * std::fabs(mean) + 2 * smallest<T>,
                  result);
  }
};

struct DotWithBound : BoundedSum {
  template <class T>
  static Prefixes<Bounded<T>> exact(Recipe, const std::vector<T>& x, const std::vector<T>& y) {
    return exact_of<T>(
        x.size(), [&](std::size_t i) { return whole(x[i]) * whole(y[i]); },
        [](T sum, T) { return sum; });
  }
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, Bounded<T> result) {
    const SumAndMagnitudes exact = products_of(sample);
    return judged(distance(exact.sum, static_cast<Long>(result.value)),
                  bound_of_products(sample, exact.magnitudes), result);
  }
};

}  // namespace

ISOFOLD_EXPECT(sum_with_bound, SumWithBound)
ISOFOLD_EXPECT(mean_with_bound, MeanWithBound)
ISOFOLD_EXPECT(dot_with_bound, DotWithBound)

}  // namespace isofold::conformance
