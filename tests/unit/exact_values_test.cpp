// Exact folds of transform_reduce: the bits of Reducer's exact_v1 over the mapped values, for any
// number of threads, and what has no result. tests/oracle/check_exact.py judges the values.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#if defined(_OPENMP)
#include <omp.h>
#endif

#include <isofold/folds.hpp>
#include <isofold/isofold.hpp>
#include <isofold/transform_reduce.hpp>
#include <test_support.hpp>

#include "published_sums.hpp"

namespace {

namespace folds = isofold::core::exact;
using isofold::array;
using isofold::Code;
using isofold::exact;
using isofold::transform_reduce;
using test_support::bits_of;
using test_support::code_of;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Numbers over so many binades, of both signs.
template <class T>
std::vector<T> some(std::size_t n, unsigned seed, int binades) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> fractions(-1, 1);
  std::uniform_int_distribution<int> exponents(-binades / 2, binades / 2);
  std::vector<T> x(n);
  for (T& element : x) {
    element = static_cast<T>(std::ldexp(fractions(random), exponents(random)));
  }
  return x;
}
template <class T>
auto at(const std::vector<T>& x) {
  return [&x](std::int64_t i) { return x[static_cast<std::size_t>(i)]; };
}
template <class T>
std::int64_t size_of(const std::vector<T>& x) {
  return static_cast<std::int64_t>(x.size());
}

template <class T>
void expect_the_reducers_bits(const std::vector<T>& all, const std::vector<T>& others) {
  isofold::Reducer reduce("reference");
  for (const std::int64_t n : {1, 2, 3, 63, 512, 513, 5000, 70001}) {
    const auto map = at(all);
    const auto pairs = [&](std::int64_t i) { return std::pair(map(i), at(others)(i)); };
    const auto x = exact(array(all.data(), n));
    const auto y = array(others.data(), n);
    const auto expect = [&](const auto& expected, const auto& found, const char* fold) {
      EXPECT_EQ(bits_of(expected), bits_of(found)) << fold << " of " << n;
    };
    expect(reduce.sum(x), transform_reduce(n, map, folds::Sum<T>{}), "sum");
    expect(reduce.mean(x), transform_reduce(n, map, folds::Mean<T>{}), "mean");
    expect(reduce.norm1(x), transform_reduce(n, map, folds::Norm1<T>{}), "norm1");
    expect(reduce.norm2(x), transform_reduce(n, map, folds::Norm2<T>{}), "norm2");
    expect(reduce.dot(x, y), transform_reduce(n, pairs, folds::Dot<T>{}), "dot");
    expect(reduce.squared_distance(x, y), transform_reduce(n, pairs, folds::SquaredDistance<T>{}),
           "squared_distance");
    expect(reduce.variance(x), transform_reduce(n, map, folds::Variance<T>{}), "variance");
    expect(reduce.moments(x), transform_reduce(n, map, folds::AllMoments<T>{}), "moments");
  }
}

TEST(ExactValues, HaveTheReducersBits) {
  for (const int binades : {2, 30, 60, 100, 200}) {
    expect_the_reducers_bits(some<double>(70001, 1, binades), some<double>(70001, 2, binades));
    expect_the_reducers_bits(some<float>(70001, 3, binades), some<float>(70001, 4, binades / 2));
  }
  expect_the_reducers_bits(some<double>(70001, 5, 2000), some<double>(70001, 6, 2000));
  auto odd = some<double>(70001, 7, 20);
  odd[30000] = infinity;
  odd[2] = -std::numeric_limits<double>::denorm_min();
  expect_the_reducers_bits(odd, some<double>(70001, 8, 20));
  odd[60000] = -infinity;
  expect_the_reducers_bits(odd, some<double>(70001, 8, 20));
}

TEST(ExactValues, OfComplexNumbersAndIntegers) {
  const auto parts = some<double>(20001, 9, 40);
  std::vector<std::complex<double>> z;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    z.emplace_back(parts[i], parts[i + 1]);
  }
  isofold::Reducer reduce("reference");
  const std::complex<double> sum = reduce.sum(exact(z));
  const auto found = transform_reduce(size_of(z), at(z), folds::Sum<isofold_c128>{});
  EXPECT_EQ(sum, std::complex<double>(found.re, found.im));
  EXPECT_EQ(reduce.norm2(exact(z)),
            transform_reduce(size_of(z), at(z), folds::Norm2<isofold_c128>{}));
  const std::complex<double> dot = reduce.dot(exact(z), z);
  const auto pair = [&](std::int64_t i) { return std::pair(at(z)(i), at(z)(i)); };
  const auto found_dot = transform_reduce(size_of(z), pair, folds::Dot<isofold_c128>{});
  EXPECT_EQ(dot, std::complex<double>(found_dot.re, found_dot.im));

  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto alternating = [](std::int64_t i) { return i % 2 == 0 ? most : -most; };
  EXPECT_EQ(most, transform_reduce(100001, alternating, folds::Sum<std::int64_t>{}));
  const auto large = [](std::int64_t) { return most; };
  EXPECT_EQ(Code::out_of_range, code_of([&] {
              static_cast<void>(transform_reduce(2, large, folds::Sum<std::int64_t>{}));
            }));
  EXPECT_EQ(0x1p63, transform_reduce(100001, large, folds::Mean<std::int64_t>{}));
}

TEST(ExactValues, SpecialValues) {
  const auto sum = [](const std::vector<double>& x) {
    return transform_reduce(size_of(x), at(x), folds::Sum<double>{});
  };
  const auto mean = [](const std::vector<double>& x) {
    return transform_reduce(size_of(x), at(x), folds::Mean<double>{});
  };
  for (const auto& [terms, expected] : test_support::published_sums()) {
    EXPECT_EQ(bits_of(expected), bits_of(sum(terms))) << expected;
  }
  EXPECT_EQ(bits_of(0.0), bits_of(sum({})));
  EXPECT_EQ(Code::empty_input, code_of([&] { mean({}); }));
  EXPECT_EQ(bits_of(-0.0), bits_of(sum(std::vector<double>(3000, -0.0))));
  EXPECT_EQ(bits_of(-0.0), bits_of(mean(std::vector<double>(3000, -0.0))));
  EXPECT_EQ(bits_of(0.0), bits_of(sum({-0.0, 0.0, -0.0})));
  EXPECT_EQ(bits_of(0.0), bits_of(sum({1, -1})));
  EXPECT_TRUE(std::isnan(sum({1, std::nan(""), 2})));
  EXPECT_TRUE(std::isnan(sum({infinity, 1, -infinity})));
  EXPECT_EQ(-infinity, sum({1, -infinity, 2}));
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(largest, sum({largest, largest, -largest}));  // overflow half-way
  EXPECT_EQ(infinity, sum({largest, largest}));
  EXPECT_EQ(largest, mean({largest, largest}));
  EXPECT_EQ(largest, sum({largest, std::ldexp(1.0, 969)}));
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(5000 * least, sum(std::vector<double>(5000, least)));
  EXPECT_EQ(largest, sum({largest, least, -least}));
  // One sign, one ulp below a power of two, and many.
  const double below = std::nextafter(2.0, 0.0);
  EXPECT_EQ(below * (1 << 20), sum(std::vector<double>(1 << 20, below)));
  // Windows at their ends, while each tile has a term far below the last level; remainders of one
  // sign.
  for (const std::size_t lead : {std::size_t{64}, std::size_t{512}}) {
    std::vector<double> high(32 * 1024, below);
    std::fill_n(high.begin(), lead, std::nextafter(0.25, 0.0));
    for (std::size_t i = 0; i < high.size(); i += 64) {
      high[i] = 0x1p-300;
    }
    isofold::Reducer reduce("reference");
    EXPECT_EQ(reduce.sum(exact(high)), sum(high)) << lead;
    EXPECT_EQ(reduce.norm2(exact(high)),
              transform_reduce(size_of(high), at(high), folds::Norm2<double>{}));
  }
  EXPECT_EQ(0x1p16 + 0x1p-24, sum(std::vector<double>(1 << 16, 1 + 0x1p-40)));
  // Rounded once to f32, although the double that is nearest lies half-way.
  const std::vector<float> halves{1, 0x1p-24F, 0x1p-80F};
  EXPECT_EQ(1 + 0x1p-23F, transform_reduce(3, at(halves), folds::Sum<float>{}));
  EXPECT_EQ(Code::invalid_argument, code_of([&] {
              static_cast<void>(transform_reduce(-1, at(halves), folds::Sum<float>{}));
            }));
}

#if defined(_OPENMP)
TEST(ExactValues, AnyNumberOfThreads) {
  const auto x = some<double>(300007, 10, 300);
  const auto map = at(x);
  const int before = omp_get_max_threads();
  const double sum = isofold::Reducer("reference").sum(exact(x));
  const double norm = isofold::Reducer("reference").norm2(exact(x));
  const auto thrown = [&] {
    try {
      static_cast<void>(transform_reduce(
          300007,
          [](std::int64_t i) {
            return i >= 100000 ? throw std::runtime_error(std::to_string(i)) : 1.0;
          },
          folds::Sum<double>{}));
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  for (const int threads : {1, 2, 3, 7, 16}) {
    omp_set_num_threads(threads);
    EXPECT_EQ(sum, transform_reduce(size_of(x), map, folds::Sum<double>{})) << threads;
    EXPECT_EQ(norm, transform_reduce(size_of(x), map, folds::Norm2<double>{})) << threads;
    EXPECT_EQ("100000", thrown()) << threads;
  }
  omp_set_num_threads(before);
}
#endif

// The example of docs/user_folds.md.
TEST(ExactValues, Example) {
  const std::vector<double> m{1, 2, 3};
  const std::vector<double> v{0.1, 0.2, 0.3};
  const std::int64_t n = 3;
  const double energy = isofold::transform_reduce(
      n,
      [&](std::int64_t i) {
        const auto k = static_cast<std::size_t>(i);
        return 0.5 * m[k] * v[k] * v[k];
      },
      isofold::core::exact::Sum<double>{});
  const double momentum = isofold::transform_reduce(
      n,
      [&](std::int64_t i) {
        return std::pair(m[static_cast<std::size_t>(i)], v[static_cast<std::size_t>(i)]);
      },
      isofold::core::exact::Dot<double>{});
  EXPECT_NEAR(0.18, energy, 1e-15);
  EXPECT_EQ(1.4, momentum);
}

}  // namespace
