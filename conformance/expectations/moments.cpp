// Count, mean, the sum of squared distances from it, and the variances and standard deviations that
// it gives.
#include <conformance/expectation.hpp>

namespace isofold::conformance {
namespace {

// Data that repeat after `period` elements, which divides a chunk: every chunk of whole periods has
// the mean of one, which is a sum of powers of two and exact. 0: no such data.
std::int64_t period_of(Recipe recipe) {
  switch (recipe) {
    case Recipe::zeros: return 1;
    case Recipe::alternating: return 2;
    case Recipe::lanes: return 64;
    default: return 0;
  }
}

// `make` turns the exact moments of a prefix into its result.
template <class T, class Make>
auto exact_moments(Recipe recipe, const std::vector<T>& data, bool needs_squares, Make&& make) {
  Prefixes<decltype(make(Moments{}))> prefixes;
  const std::int64_t period = period_of(recipe);
  // Squares of distances of 20 bits have 40.
  const bool squares_fit = recipe != Recipe::lanes || sizeof(T) == 8;
  if (period == 0 || (!squares_fit && needs_squares)) {
    return prefixes;
  }
  Moments moments{};
  for (std::int64_t i = 0; i < period; ++i) {
    moments.mean +=
        static_cast<double>(data[static_cast<std::size_t>(i)]) / static_cast<double>(period);
  }
  for (const T x : data) {
    const double distance = static_cast<double>(x) - moments.mean;
    moments.m2 += distance * distance;
    if (moments.m2 > 0x1p45) {  // counted in 2^-8, no longer exact
      break;
    }
    if (++moments.count % period != 0) {
      prefixes.emplace_back();
    } else {
      prefixes.push_back(make(moments));
    }
  }
  return prefixes;
}

// The exact moments of some elements, and the bounds of their errors.
template <class T>
class MomentsOf {
 public:
  explicit MomentsOf(const Sample<T>& sample)
      : n_(static_cast<Long>(sample.n)), h_(sample.height()) {
    SumAndMagnitudes exact = sum_of(sample.x, sample.n);
    mean_ = exact.sum.value() / n_;
    magnitudes_ = exact.magnitudes;
    const auto center = static_cast<double>(mean_);
    const Long off = static_cast<Long>(center) - mean_;
    ExactSum from_center = exact_sum(sample, [&](ExactSum& sum, std::int64_t i) {
      add_squared_difference(sum, static_cast<double>(sample.x[i]), center);
    });
    m2_ = from_center.value() - n_ * off * off;
  }

  Judgement judge_mean(double result) const {
    return {"mean", std::fabs(result - mean_), bound_of_mean(), magnitudes_};
  }
  Judgement judge_m2(Long divisor, Long result) const {
    const Long n_e2 = n_ * bound_of_mean() * bound_of_mean();
    const Long bound = gamma<T>(h_ + 3) * (m2_ + n_e2) + n_e2;
    const Long rounding = 2 * std::numeric_limits<double>::epsilon() * std::fabs(result);
    return {"m2", std::fabs(result - m2_ / divisor), bound / divisor + rounding, m2_ / divisor};
  }

 private:
  Long bound_of_mean() const {
    const Long u = unit_roundoff<T>;
    return gamma<T>(h_) * magnitudes_ / n_ * (1 + u) + u * std::fabs(mean_);
  }

  Long n_;
  std::int64_t h_;
  Long mean_;
  Long magnitudes_;
  Long m2_;
};

struct OneMoment : Expected {
  static constexpr Kinds kinds = floating;
  static constexpr bool empty_is_error = true;
  static constexpr bool rounds = true;
  template <class T>
  static double empty() {
    return core::canonical_nan<double>();
  }
};

struct AllMoments : OneMoment {
  static constexpr const char* result_word = "moments";
  template <class T>
  static Moments empty() {
    return {0, core::canonical_nan<double>(), core::canonical_nan<double>()};
  }
  template <class T>
  static Prefixes<Moments> exact(Recipe recipe, const std::vector<T>& x, const std::vector<T>&) {
    return exact_moments(recipe, x, true, [](const Moments& all) { return all; });
  }
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, const Moments& result) {
    const MomentsOf<T> exact(sample);
    return {{"count", result.count == sample.n ? 0.0L : 1.0L, 0, 1},
            exact.judge_mean(result.mean),
            exact.judge_m2(1, result.m2)};
  }
};

struct Mean : OneMoment {
  template <class T>
  static Prefixes<double> exact(Recipe recipe, const std::vector<T>& x, const std::vector<T>&) {
    return exact_moments(recipe, x, false, [](const Moments& all) { return all.mean; });
  }
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, double result) {
    return {MomentsOf<T>(sample).judge_mean(result)};
  }
};

// The variance, and with one element less as the divisor that of a sample, which one element alone
// does not have; or their roots.
template <int less, bool root>
struct Variance : OneMoment {
  template <class T>
  static Prefixes<double> exact(Recipe recipe, const std::vector<T>& x, const std::vector<T>&) {
    return exact_moments(recipe, x, true, [](const Moments& all) {
      const double variance = all.count == less ? core::canonical_nan<double>()
                                                : all.m2 / static_cast<double>(all.count - less);
      return root ? core::canonical(std::sqrt(variance)) : variance;
    });
  }
  // A root is squared again: by the relative error of 2u, which its last rounding made.
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, double result) {
    if (sample.n == less) {
      return {{"that of one", result != result ? 0.0L : 1.0L, 0, 1}};
    }
    const MomentsOf<T> exact(sample);
    const auto divisor = static_cast<Long>(sample.n - less);
    if constexpr (root) {
      const Long value = result;
      return {exact.judge_m2(divisor, value * value)};
    } else {
      return {exact.judge_m2(divisor, result)};
    }
  }
};

}  // namespace

ISOFOLD_EXPECT(moments, AllMoments)
ISOFOLD_EXPECT(mean, Mean)
ISOFOLD_EXPECT(variance, Variance<0, false>)
ISOFOLD_EXPECT(sample_variance, Variance<1, false>)
ISOFOLD_EXPECT(standard_deviation, Variance<0, true>)
ISOFOLD_EXPECT(sample_standard_deviation, Variance<1, true>)

}  // namespace isofold::conformance
