// Norms: sums of magnitudes, and roots of sums of squares.
#include <conformance/bound_of_complex.hpp>
#include <conformance/exact_complex.hpp>
#include <conformance/expectation.hpp>

namespace isofold::conformance {
namespace {

struct Norm : Expected {
  static constexpr Kinds kinds = floating | complex;
  static constexpr bool rounds = true;
  template <class T>
  static core::part_t<T> empty() {
    return 0;
  }
};

struct Norm1 : Norm {
  static constexpr Marking marking = Marking::counted;
  template <class T>
  static void make_exact(Recipe, std::vector<T>& data) {
    make_moduli_exact(data);
  }
  template <class T>
  static Prefixes<core::part_t<T>> exact(Recipe, const std::vector<T>& x, const std::vector<T>&) {
    using R = core::part_t<T>;
    const auto term = [&](std::size_t i) {
      if constexpr (core::is_complex<T>) {
        return exact_modulus(x[i]);
      } else {
        return std::abs(whole(x[i]));
      }
    };
    return exact_sums_of<R, R>(x.size(), term,
                               [](std::int64_t sum, std::int64_t) { return static_cast<R>(sum); });
  }
  // A modulus errs by 2u (extrema.cpp): γ of 3 more, with room for the rounding of scaling back.
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, core::part_t<T> result) {
    using Part = core::part_t<T>;
    const auto add = [&](ExactSum& sum, std::int64_t i) {
      if constexpr (core::is_complex<T>) {
        add_long(sum, modulus_of(sample.x[i]));
      } else {
        sum.add(std::fabs(static_cast<double>(sample.x[i])));
      }
    };
    const int more = core::is_complex<T> ? 3 : 0;
    return judge_near("norm1", static_cast<Long>(result), exact_sum(sample, add).value(),
                      gamma<Part>(sample.height() + more));
  }
};

struct Norm2 : Norm {
  template <class T>
  static Prefixes<core::part_t<T>> exact(Recipe, const std::vector<T>& x, const std::vector<T>&) {
    using R = core::part_t<T>;
    const auto square = [](R part) { return whole(part) * whole(part); };
    const auto term = [&](std::size_t i) {
      if constexpr (core::is_complex<T>) {
        return square(x[i].re) + square(x[i].im);
      } else {
        return square(x[i]);
      }
    };
    return exact_sums_of<R, R>(x.size(), term, [](std::int64_t sum, std::int64_t) {
      return static_cast<R>(std::sqrt(static_cast<double>(sum)));
    });
  }
  // The bound has the longest path of squares and 3 more for scaling and combining, all of it
  // halved by the root; 2u are for the root and the product in `finish`. A square of a real element
  // is rounded, too.
  template <class T>
  static std::vector<Judgement> judgements(const Sample<T>& sample, core::part_t<T> result) {
    using Part = core::part_t<T>;
    const auto add_square = [](ExactSum& sum, Part part) {
      add_product(sum, static_cast<double>(part), static_cast<double>(part));
    };
    const auto add = [&](ExactSum& sum, std::int64_t i) {
      if constexpr (core::is_complex<T>) {
        add_square(sum, sample.x[i].re);
        add_square(sum, sample.x[i].im);
      } else {
        add_square(sum, sample.x[i]);
      }
    };
    const std::int64_t path =
        core::is_complex<T> ? height_of_pairs(sample) + 3 : sample.height() + 4;
    return judge_near("norm2", static_cast<Long>(result), std::sqrt(exact_sum(sample, add).value()),
                      gamma<Part>(path) / 2 + 2 * unit_roundoff<Part>);
  }
};

}  // namespace

ISOFOLD_EXPECT(norm1, Norm1)
ISOFOLD_EXPECT(norm2, Norm2)

}  // namespace isofold::conformance
