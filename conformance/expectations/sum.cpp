// Sums; those of integers are modulo 2^64, those of complex numbers go part by part.
#include <conformance/bound_of_complex.hpp>
#include <conformance/exact_complex.hpp>
#include <conformance/expectation.hpp>

namespace isofold::conformance {
namespace {

struct Sum : Expected {
  static constexpr Kinds kinds = real | complex;
  static constexpr bool rounds = true;
  static constexpr bool zero_has_any_sign = true;
  static constexpr bool leads = true;
  static constexpr Marking marking = Marking::bits;
  static std::vector<Recipe> bound_recipes() {
    return {Recipe::uniform, Recipe::normal, Recipe::cancelling, Recipe::wide};
  }

  template <class T>
  static core::wide_t<T> empty() {
    return {};
  }

  template <class T>
  static Prefixes<core::wide_t<T>> exact(Recipe, const std::vector<T>& x, const std::vector<T>&) {
    if constexpr (core::is_complex<T>) {
      using Part = core::part_t<T>;
      const auto re = [&](std::size_t i, bool first) { return first ? whole(x[i].re) : 0; };
      const auto im = [&](std::size_t i, bool first) { return first ? whole(x[i].im) : 0; };
      return joined<core::wide_t<T>>(exact_sums_of_pairs<Part>(x.size(), re),
                                     exact_sums_of_pairs<Part>(x.size(), im));
    } else {
      return exact_sums<core::wide_t<T>>(x);
    }
  }

  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, T result) {
    const SumAndMagnitudes exact = sum_of(sample.x, sample.n);
    return {{"sum", distance(exact.sum, static_cast<Long>(result)),
             gamma<T>(sample.height()) * exact.magnitudes, exact.magnitudes}};
  }
  template <class T, class Part>
  static std::vector<Judgement> judgements(const Sample<T>& sample, core::Complex<Part> result) {
    PartOfSum parts[2];
    for (std::int64_t i = 0; i < sample.n; ++i) {
      parts[0].add(static_cast<double>(sample.x[i].re));
      parts[1].add(static_cast<double>(sample.x[i].im));
    }
    return judge_parts(parts, result, gamma<Part>(sample.height()));
  }
};

}  // namespace

ISOFOLD_EXPECT(sum, Sum)

}  // namespace isofold::conformance
