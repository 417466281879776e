// Values at the edges of what folds can hold, with results that are known by hand: the largest
// powers of two, infinity beside large numbers, underflow, zeros of both signs, late indices. The
// suite compares other backends with the reference, and golden lines draw such data seldom.
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <test_support.hpp>

namespace {

using isofold::array;
using isofold::Reducer;
using test_support::bits_of;

// Elements 0 and 1500 are in different chunks of 1024.
constexpr std::int64_t several_chunks = 3000;

class EdgeValues : public testing::TestWithParam<std::string> {
 protected:
  Reducer reduce_{GetParam().c_str()};
};

template <class T>
std::vector<T> zeros_but(std::int64_t n, std::int64_t first, T x, std::int64_t second, T y) {
  std::vector<T> all(static_cast<std::size_t>(n));
  all[static_cast<std::size_t>(first)] = x;
  all[static_cast<std::size_t>(second)] = y;
  return all;
}

template <class T>
T norm2_of(Reducer& reduce, const std::vector<T>& x) {
  return reduce.norm2(array(x.data(), static_cast<std::int64_t>(x.size())));
}

template <class T>
void norms_of_edges(Reducer& reduce) {
  using Limits = std::numeric_limits<T>;
  // The inverse of the largest power of two is subnormal.
  const T power = std::ldexp(T{1}, Limits::max_exponent - 1);
  EXPECT_EQ(norm2_of<T>(reduce, {power}), power);
  EXPECT_EQ(norm2_of<T>(reduce, {power / 2, power / 2, power / 2, power / 2}), power);
  EXPECT_EQ(norm2_of<T>(reduce, {Limits::denorm_min()}), Limits::denorm_min());
  // Infinity times a scale of 0 would be a NaN.
  const T infinity = Limits::infinity();
  EXPECT_EQ(norm2_of(reduce, zeros_but(several_chunks, 0, infinity, 1500, power)), infinity);
  EXPECT_EQ(norm2_of(reduce, zeros_but(several_chunks, 0, power, 1500, -infinity)), infinity);
}
TEST_P(EdgeValues, Norms) {
  norms_of_edges<float>(reduce_);
  norms_of_edges<double>(reduce_);
}

// Powers of two scale a norm exactly, however far from one, though squares would overflow or
// vanish. Zeros change nothing, nor do elements that vanish beside one large chunk.
template <class T, class Element>
void norms_scale_exactly(Reducer& reduce, Element unit) {
  const int furthest = std::numeric_limits<T>::max_exponent - 28;
  for (const int n : {70, 5000, 300'000}) {
    const auto norm_scaled_by = [&](auto&& factor) {
      std::vector<Element> x(static_cast<std::size_t>(n));
      for (int i = 0; i < n; ++i) {
        const T value =
            std::ldexp(static_cast<T>(i % 5 == 0 ? 0 : 1 + i * 37L % 1009), i / 1024 % 4);
        x[static_cast<std::size_t>(i)] = unit * (value * factor(i));
      }
      return reduce.norm2(array(x.data(), n));
    };
    const T norm = norm_scaled_by([](int) { return T{1}; });
    EXPECT_GT(norm, std::abs(unit) * 400 * std::sqrt(static_cast<T>(n))) << n;
    for (const int exponent : {1, 12, 19, 20, 29, 31, 63, 70, 239, 240, 250, 500, 600, furthest}) {
      for (const int signed_exponent : {exponent, -exponent}) {
        const T power = std::ldexp(T{1}, signed_exponent);
        if (exponent <= furthest) {
          EXPECT_EQ(norm_scaled_by([&](int) { return power; }), norm * power)
              << n << " elements, times 2^" << signed_exponent;
        }
      }
    }
    const T far = std::ldexp(T{1}, furthest);
    const auto chunk_alone = [&](T others) {
      return norm_scaled_by([&](int i) { return i / 1024 == 2 ? far : others; });
    };
    EXPECT_EQ(chunk_alone(1), n == 70 ? norm : chunk_alone(0)) << n;
    const auto chunk_left_out = [&](T others) {
      return norm_scaled_by([&](int i) { return i < 1024 ? T{0} : others; });
    };
    EXPECT_EQ(chunk_left_out(far), chunk_left_out(1) * far) << n;
  }
}
TEST_P(EdgeValues, NormsScaleExactly) {
  norms_scale_exactly<float>(reduce_, 1.0F);
  norms_scale_exactly<double>(reduce_, -1.0);
  norms_scale_exactly<float>(reduce_, std::complex<float>{0.5F, -3.0F});
}
TEST_P(EdgeValues, ComplexNormsScaleExactly) {
  norms_scale_exactly<double>(reduce_, std::complex<double>{0.0, 1.0});
}

// The mean of three is 0 when it is rounded to f32, the squares of the distances underflow, and the
// square of their sum does not: the difference would be less than zero.
TEST_P(EdgeValues, SquaresAreNeverNegative) {
  const float least = std::numeric_limits<float>::denorm_min();
  const std::vector<float> x{least, 0, 0};
  const isofold::Moments moments = reduce_.moments(array(x.data(), 3));
  EXPECT_EQ(moments.count, 3);
  EXPECT_EQ(moments.mean, static_cast<double>(least) / 3);
  EXPECT_EQ(bits_of(moments.m2), bits_of(0.0));
  EXPECT_EQ(bits_of(reduce_.variance(array(x.data(), 3))), bits_of(0.0));
}

// +0 is the larger zero, whichever comes first.
TEST_P(EdgeValues, MaximaOfExponentials) {
  for (const bool is_last : {false, true}) {
    std::vector<double> x(several_chunks, -0.0);
    x[is_last ? 1500 : 0] = 0.0;
    const auto found = reduce_.softmax_statistics(array(x.data(), several_chunks));
    EXPECT_EQ(bits_of(found.maximum), bits_of(0.0));
    EXPECT_EQ(found.sum, several_chunks);
  }
}

// Beside the largest term, 1, the small ones vanish from a sum; if the maximum is 0, their
// logarithm is the result.
template <class T>
void small_terms(Reducer& reduce, T x, T expected) {
  const std::vector<T> both{0, x, 0};
  EXPECT_EQ(bits_of(reduce.log_sum_exp(array(both.data(), 2))), bits_of(expected));
  EXPECT_EQ(bits_of(reduce.log_sum_exp(array(both.data() + 1, 2))), bits_of(expected));
  // Chunks join to the same terms, whichever has the largest one.
  std::vector<T> far(several_chunks, -std::numeric_limits<T>::infinity());
  for (const std::size_t largest : {std::size_t{1500}, std::size_t{20}}) {
    far[largest] = 0;
    far[1520 - largest] = x;
    EXPECT_EQ(bits_of(reduce.log_sum_exp(array(far.data(), several_chunks))), bits_of(expected));
  }
  // Fifteen of them share a lane with the largest one, and sixteen are in the next chunk.
  std::vector<T> many(1024 + 16, x);
  many[0] = 0;
  const T sum = std::log1p(1039 * expected);
  EXPECT_NEAR(reduce.log_sum_exp(array(many.data(), 1040)), sum,
              sum * 32 * std::numeric_limits<T>::epsilon());
}
TEST_P(EdgeValues, SmallTermsBesideTheLargest) {
  small_terms<double>(reduce_, -40, 4.248354255291589e-18);
  small_terms<float>(reduce_, -20, 2.0611537e-9F);
}

// One of four neighbouring chunks has an infinite maximum, by which its exponentials are not
// shifted: infinity less itself would be a NaN.
TEST_P(EdgeValues, AnInfiniteMaximumAmongFiniteOnes) {
  constexpr std::int64_t n = 8192;
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> x = zeros_but<float>(n, 1500, infinity, 7000, 1);
  const auto found = reduce_.softmax_statistics(array(x.data(), n));
  EXPECT_EQ(found.maximum, infinity);
  EXPECT_EQ(found.sum, infinity);
  EXPECT_EQ(reduce_.log_sum_exp(array(x.data(), n)), infinity);
}

// The examples of docs/folds.md: a chunk of f32 is computed in f32, unless it is widened.
TEST_P(EdgeValues, MomentsOutOfTheRangeOfFloats) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<float> large{3e38F, 3e38F, 3e38F};
  const std::vector<float> far{1e30F, -1e30F};
  const std::vector<float> near{1e-30F, 3e-30F};
  EXPECT_EQ(reduce_.mean(array(large.data(), 3)), infinity);
  EXPECT_EQ(reduce_.mean(widened(array(large.data(), 3))), static_cast<double>(3e38F));
  EXPECT_EQ(reduce_.variance(array(far.data(), 2)), infinity);
  EXPECT_DOUBLE_EQ(reduce_.variance(widened(array(far.data(), 2))), std::pow(1e30F, 2.0));
  EXPECT_EQ(reduce_.variance(array(near.data(), 2)), 0);
  EXPECT_NEAR(reduce_.variance(widened(array(near.data(), 2))), 1e-60, 1e-66);
}

TEST_P(EdgeValues, StandardDeviations) {
  const std::vector<double> x{2, 4, 4, 4, 5, 5, 7, 9};
  const auto eight = array(x.data(), 8);
  EXPECT_EQ(reduce_.standard_deviation(eight), 2);
  EXPECT_EQ(reduce_.sample_standard_deviation(eight), std::sqrt(32.0 / 7));
  EXPECT_EQ(reduce_.standard_deviation(array(x.data(), 1)), 0);
  EXPECT_TRUE(std::isnan(reduce_.sample_standard_deviation(array(x.data(), 1))));
  // Any other divisor is taken of the moments.
  const isofold::Moments moments = reduce_.moments(eight);
  EXPECT_EQ(moments.variance(), reduce_.variance(eight));
  EXPECT_EQ(moments.variance(1), reduce_.sample_variance(eight));
  EXPECT_EQ(moments.variance(1.5), 32 / 6.5);
  EXPECT_EQ(moments.standard_deviation(), 2);
  EXPECT_EQ(moments.standard_deviation(6), 4);
  EXPECT_TRUE(std::isnan(moments.variance(8)));
  EXPECT_TRUE(std::isnan(moments.standard_deviation(9)));
}

template <class T>
void largest_magnitudes(Reducer& reduce) {
  using Limits = std::numeric_limits<T>;
  const auto at = [&](const std::vector<T>& x) {
    return reduce.argabsmax(array(x.data(), static_cast<std::int64_t>(x.size())));
  };
  const auto expect = [&](const std::vector<T>& x, T value, std::int64_t index) {
    const auto found = at(x);
    EXPECT_EQ(bits_of(found.value), bits_of(value));
    EXPECT_EQ(found.index, index);
  };
  expect({1, -3, 2}, 3, 1);
  expect({2, -3, 3, -3}, 3, 1);  // of magnitudes that are equal the first
  expect({-T{0}, 0}, 0, 0);
  expect({1, -Limits::infinity(), Limits::infinity()}, Limits::infinity(), 1);
  expect(zeros_but<T>(100000, 70001, -2, 99999, 2), 2, 70001);
  const auto nan = at({Limits::infinity(), 1, -Limits::quiet_NaN(), Limits::quiet_NaN()});
  EXPECT_TRUE(std::isnan(nan.value));
  EXPECT_EQ(nan.index, 2);
}
TEST_P(EdgeValues, LargestMagnitudes) {
  largest_magnitudes<float>(reduce_);
  largest_magnitudes<double>(reduce_);
}

// Plain products of these would overflow in one lane and vanish in another, or on the way.
template <class T>
void products_of_any_size(Reducer& reduce) {
  using Limits = std::numeric_limits<T>;
  const auto product_of = [&](const std::vector<T>& x) {
    return reduce.product(array(x.data(), static_cast<std::int64_t>(x.size())));
  };
  std::vector<T> turns;
  std::vector<T> halves;
  for (int i = 0; i < 256; ++i) {
    turns.push_back(static_cast<T>(i % 2 == 0 ? 1e5 : 1e-5));
    halves.push_back(static_cast<T>(i) / 2);
  }
  EXPECT_NEAR(product_of(turns), 1, 256 * Limits::epsilon());
  EXPECT_EQ(bits_of(product_of(halves)), bits_of(T{0}));
  // Powers of two are exact: chunks that leave the range on either side, and subnormal factors.
  const T power = std::ldexp(T{1}, Limits::max_exponent - 1);
  std::vector<T> powers(2 * several_chunks, power);
  for (std::size_t i = 0; i < powers.size() / 2; ++i) {
    powers[i] = -1 / power;
  }
  EXPECT_EQ(product_of(powers), 1);
  powers.push_back(Limits::denorm_min());
  EXPECT_EQ(product_of(powers), Limits::denorm_min());
  powers.back() = -std::ldexp(T{3}, Limits::max_exponent - 2);
  EXPECT_EQ(product_of(powers), powers.back());
  powers.push_back(-2);
  EXPECT_EQ(product_of(powers), Limits::infinity());
  powers.back() = 0;
  EXPECT_EQ(bits_of(product_of(powers)), bits_of(-T{0}));
  powers[0] = Limits::infinity();
  EXPECT_TRUE(std::isnan(product_of(powers)));
}
TEST_P(EdgeValues, ProductsOfAnySize) {
  products_of_any_size<float>(reduce_);
  products_of_any_size<double>(reduce_);
}

template <class T>
void late_indices(Reducer& reduce) {
  constexpr std::int64_t n = 100000;
  const std::vector<T> x = zeros_but<T>(n, 70001, 2, 99999, 2);
  const auto all = array(x.data(), n);
  EXPECT_EQ(reduce.argmax(all).index, 70001);
  EXPECT_EQ(reduce.argmax_last(all).index, 99999);
  EXPECT_EQ(reduce.argmin_last(all).index, 99998);
  EXPECT_EQ(reduce.argminmax(all).maximum.index, 70001);
}
TEST_P(EdgeValues, LateIndices) {
  late_indices<float>(reduce_);
  late_indices<double>(reduce_);
  late_indices<std::uint8_t>(reduce_);
}

INSTANTIATE_TEST_SUITE_P(Host, EdgeValues, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

}  // namespace
