// transform_reduce.hpp: folds of core have the Reducer's bits, folds of the caller's own have the
// same bits on any number of threads, and those of the tree evaluated by hand; wrong use is
// refused.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif
#if defined(_OPENMP)
#include <omp.h>
#endif

#include <isofold/detail/core/folds/extent.hpp>
#include <isofold/detail/core/folds/location.hpp>
#include <isofold/detail/core/folds/moments.hpp>
#include <isofold/detail/core/folds/norm2.hpp>
#include <isofold/detail/core/folds/products.hpp>
#include <isofold/reducer.hpp>
#include <isofold/transform_reduce.hpp>
#include <test_support.hpp>

namespace {

using isofold::transform_reduce;
using test_support::bits_of;

std::vector<double> numbers(std::int64_t n) {
  std::vector<double> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(i * 2654435761U % 10007) / 7 - 100;
  }
  return x;
}

template <class T>
bool same_bits(const T& a, const T& b) {
  return bits_of(a) == bits_of(b);
}

constexpr std::int64_t sizes[] = {1, 2, 63, 64, 65, 1023, 1024, 1025, 4096, 20000, 1000003};

TEST(TransformReduce, FoldsOfTheLibraryHaveItsBits) {
  const std::vector<double> x = numbers(1000003);
  const auto at = [&](std::int64_t i) { return x[static_cast<std::size_t>(i)]; };
  isofold::Reducer reduce("reference");
  for (const std::int64_t n : sizes) {
    const auto a = isofold::array(x.data(), n);
    EXPECT_TRUE(same_bits(reduce.sum(a), transform_reduce(n, at, isofold::core::Sum<double>{})));
    EXPECT_TRUE(
        same_bits(reduce.norm1(a), transform_reduce(n, at, isofold::core::Norm1<double>{})));
    const auto range = transform_reduce(n, at, isofold::core::MinimumMaximum<double>{});
    EXPECT_EQ(reduce.minimum(a), range.minimum);
    EXPECT_EQ(reduce.maximum(a), range.maximum);
    // Two passes over a chunk, and states that hold indices.
    EXPECT_TRUE(same_bits(reduce.mean(a), transform_reduce(n, at, isofold::core::Mean<double>{})));
    EXPECT_TRUE(
        same_bits(reduce.norm2(a), transform_reduce(n, at, isofold::core::Norm2<double>{})));
    EXPECT_EQ(reduce.argmin(a).index,
              transform_reduce(n, at, isofold::core::ArgMin<double>{}).index);
  }
}

// A mapped value: the bits of the array of mapped values.
TEST(TransformReduce, TheMapComesFirst) {
  const std::vector<double> x = numbers(50000);
  std::vector<double> weighted(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    weighted[i] = x[i] * static_cast<double>(i);
  }
  const double found = transform_reduce(
      50000,
      [&](std::int64_t i) { return x[static_cast<std::size_t>(i)] * static_cast<double>(i); },
      isofold::core::Sum<double>{});
  isofold::Reducer reduce("reference");
  EXPECT_TRUE(same_bits(reduce.sum(isofold::array(weighted.data(), 50000)), found));
}

struct Complex {
  double re;
  double im;
};
struct ComplexProduct {
  using state_type = Complex;
  Complex lift(Complex z) const { return z; }
  Complex combine(Complex a, Complex b) const {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};
Complex factor(std::int64_t i) { return {1 + 1e-6 * static_cast<double>(i % 7), 1e-3}; }

// docs/tree.md by hand, over whole arrays: a chunk, then the binary tree.
Complex product_by_hand(std::int64_t n) {
  const ComplexProduct fold;
  std::vector<Complex> level;
  for (std::int64_t begin = 0; begin < n; begin += 1024) {
    const std::int64_t count = n - begin < 1024 ? n - begin : 1024;
    std::vector<Complex> lane;
    for (std::int64_t i = 0; i < count; ++i) {
      if (i < 64) {
        lane.push_back(factor(begin + i));
      } else {
        auto& mine = lane[static_cast<std::size_t>(i % 64)];
        mine = fold.combine(mine, factor(begin + i));
      }
    }
    for (std::size_t half = 32; half >= 1; half /= 2) {
      for (std::size_t l = 0; l < half && l + half < lane.size(); ++l) {
        lane[l] = fold.combine(lane[l], lane[l + half]);
      }
    }
    level.push_back(lane[0]);
  }
  while (level.size() > 1) {
    std::vector<Complex> above;
    for (std::size_t i = 0; i < level.size(); i += 2) {
      above.push_back(i + 1 < level.size() ? fold.combine(level[i], level[i + 1]) : level[i]);
    }
    level = above;
  }
  return level[0];
}

TEST(TransformReduce, AFoldOfOnesOwnIsTheTree) {
  for (const std::int64_t n : sizes) {
    const Complex expected = product_by_hand(n);
    EXPECT_TRUE(same_bits(expected, transform_reduce(n, factor, ComplexProduct{}))) << n;
  }
}

#if defined(_OPENMP)
TEST(TransformReduce, AnyNumberOfThreads) {
  const int before = omp_get_max_threads();
  const Complex expected = product_by_hand(200000);
  for (const int threads : {1, 2, 3, 7, 16}) {
    omp_set_num_threads(threads);
    EXPECT_TRUE(same_bits(expected, transform_reduce(200000, factor, ComplexProduct{}))) << threads;
  }
  omp_set_num_threads(before);
}
#endif

#if defined(_OPENMP)
// The caller gets the exception that one thread would get, whatever the others have met.
template <class Map, class Fold>
std::string thrown_by(const Map& map, const Fold& fold) {
  const int before = omp_get_max_threads();
  std::string found;
  for (const int threads : {1, 2, 3, 7, 16}) {
    omp_set_num_threads(threads);
    std::string what = "nothing";
    try {
      static_cast<void>(transform_reduce(1 << 20, map, fold));
    } catch (const std::runtime_error& error) {
      what = error.what();
    }
    EXPECT_TRUE(found.empty() || found == what) << threads << " threads: " << what;
    found = what;
  }
  omp_set_num_threads(before);
  return found;
}
double raise_at(std::int64_t i) { throw std::runtime_error(std::to_string(i)); }
struct Refusing {  // throws from each of its functions, for values that say so
  using state_type = double;
  double lift(double x) const { return x == -1 ? raise_at(-1) : x; }
  double combine(double a, double b) const { return a + b == refused ? raise_at(-2) : a + b; }
  double accumulate(double s, double x) const { return x == -3 ? raise_at(-3) : s + x; }
  double finish(double s, std::int64_t) const { return s < 0 ? raise_at(-4) : s; }
  double refused = 0.5;
};

TEST(TransformReduce, TheExceptionOfTheLowestElement) {
  const isofold::core::Sum<double> sum;
  const auto one = [](std::int64_t) { return 1.0; };
  EXPECT_EQ("nothing", thrown_by(one, sum));
  const auto from = [](std::int64_t first) {
    return [first](std::int64_t i) { return i >= first ? raise_at(i) : 1.0; };
  };
  for (const std::int64_t first : {0, 1023, 31745, 524288, 777777, (1 << 20) - 1}) {
    EXPECT_EQ(std::to_string(first), thrown_by(from(first), sum));
    EXPECT_EQ(std::to_string(first), thrown_by(from(first), Refusing{}));
  }
  const auto value_from = [](std::int64_t first, double value) {
    return [first, value](std::int64_t i) { return i >= first ? value : 1.0; };
  };
  EXPECT_EQ("-1", thrown_by(value_from(600064 / 1024 * 1024, -1), Refusing{}));
  EXPECT_EQ("-3", thrown_by(value_from(600064, -3), Refusing{}));
  EXPECT_EQ("-4", thrown_by(value_from(0, -2), Refusing{}));
  // A combination of two threads' nodes, below an element that throws: one thread meets it first.
  EXPECT_EQ("-2", thrown_by(from(777777), Refusing{262144}));
  EXPECT_EQ("-2", thrown_by(from(777777), Refusing{524288}));
  EXPECT_EQ("500000", thrown_by(from(500000), Refusing{524288}));
}
#endif

// The examples of docs/user_folds.md.
TEST(TransformReduce, FoldsOfLambdas) {
  using isofold::fold_of;
  const std::vector<double> x = numbers(70001);
  const auto n = static_cast<std::int64_t>(x.size());
  const double largest = transform_reduce(
      n, [&](std::int64_t i) { return std::abs(x[static_cast<std::size_t>(i)]); },
      fold_of([](double value) { return value; },
              [](double a, double b) { return a > b ? a : b; }));
  isofold::Reducer reduce("reference");
  EXPECT_EQ(reduce.absolute_maximum(isofold::array(x.data(), n)), largest);

  struct Sums {
    double x;
    double squares;
  };
  const double rms = transform_reduce(
      n, [&](std::int64_t i) { return x[static_cast<std::size_t>(i)]; },
      fold_of(
          [](double value) {
            return Sums{value, value * value};
          },
          [](Sums a, Sums b) {
            return Sums{a.x + b.x, a.squares + b.squares};
          },
          [](Sums s, std::int64_t count) {
            return std::sqrt(s.squares / static_cast<double>(count));
          }));
  EXPECT_NEAR(reduce.norm2(isofold::array(x.data(), n)) / std::sqrt(static_cast<double>(n)), rms,
              1e-10);

  // Function objects, a generic lift, a finish of the state alone, a state that is named.
  const auto at = [&](std::int64_t i) { return x[static_cast<std::size_t>(i)]; };
  const double sum = reduce.sum(isofold::array(x.data(), n));
  EXPECT_TRUE(same_bits(
      sum, transform_reduce(n, at, fold_of([](auto value) { return value; }, std::plus<>{}))));
  EXPECT_TRUE(
      same_bits(-sum, transform_reduce(n, at,
                                       fold_of([](double value) { return value; },
                                               std::plus<double>{}, std::negate<double>{}))));
  EXPECT_EQ(n,
            transform_reduce(
                n, at, fold_of<std::int64_t>([](double) { return 1; }, std::plus<std::int64_t>{})));
  EXPECT_THROW(static_cast<void>(transform_reduce(
                   0, at, fold_of([](double value) { return value; }, std::plus<>{}))),
               isofold::Error);
}

struct Longest {  // with everything that is optional
  using state_type = std::int64_t;
  std::int64_t lift(const std::string& text) const {
    return static_cast<std::int64_t>(text.size());
  }
  std::int64_t accumulate(std::int64_t s, const std::string& text) const {
    return combine(s, lift(text));
  }
  std::int64_t combine(std::int64_t a, std::int64_t b) const { return a > b ? a : b; }
  std::string finish(std::int64_t s, std::int64_t n) const {
    return std::to_string(s) + " of " + std::to_string(n);
  }
  std::string empty() const { return "none"; }
};

TEST(TransformReduce, ValuesAndResultsOfAnyType) {
  const auto text = [](std::int64_t i) {
    return std::string(static_cast<std::size_t>(i % 13), 'x');
  };
  EXPECT_EQ("12 of 5000", transform_reduce(5000, text, Longest{}));
  EXPECT_EQ("none", transform_reduce(0, text, Longest{}));
}

template <class Call>
isofold::Code code_of(Call&& call) {
  try {
    call();
  } catch (const isofold::Error& error) {
    return error.code();
  }
  return isofold::Code::ok;
}

TEST(TransformReduce, RefusesWrongUse) {
  const auto sum = [](std::int64_t n) { return transform_reduce(n, factor, ComplexProduct{}).re; };
  EXPECT_EQ(isofold::Code::invalid_argument, code_of([&] { sum(-1); }));
  EXPECT_EQ(isofold::Code::empty_input, code_of([&] { sum(0); }));
  std::fesetround(FE_UPWARD);
  EXPECT_EQ(isofold::Code::unsupported, code_of([&] { sum(10); }));
  std::fesetround(FE_TONEAREST);
#if defined(__SSE2__)
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040U);  // results and operands that are subnormal become zero
  EXPECT_EQ(isofold::Code::unsupported, code_of([&] { sum(10); }));
  _mm_setcsr(before);
#endif
  EXPECT_EQ(isofold::Code::ok, code_of([&] { sum(10); }));
}

}  // namespace
