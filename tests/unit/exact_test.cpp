// exact_v1: sums of real numbers, rounded once. tests/oracle/check_exact.py judges the values; here
// are the shapes, orders, partial results, and what is refused.
#include <algorithm>
#include <cmath>
#include <complex>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <sys/mman.h>
#include <tuple>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include <isofold/isofold.hpp>

#include <sanitized.hpp>
#include <test_support.hpp>

#include "published_sums.hpp"

namespace {

using isofold::array;
using isofold::box;
using isofold::Code;
using isofold::exact;
using isofold::Exact;
using isofold::Fold;
using isofold::Reducer;
using test_support::bits_of;
using test_support::code_of;

// Numbers over some binades, of both signs, so that a sum in any order of roundings is another one.
template <class T>
std::vector<T> some(std::size_t n, unsigned seed = 1, int binades = 40) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> fractions(-1, 1);
  std::uniform_int_distribution<int> exponents(-binades / 2, binades / 2);
  std::vector<T> x(n);
  for (T& element : x) {
    element = static_cast<T>(std::ldexp(fractions(random), exponents(random)));
  }
  return x;
}

class ExactOf : public testing::TestWithParam<std::string> {
 protected:
  Reducer reduce_{GetParam().c_str()};

  // The sum of a view is that of these elements, by the definition.
  template <class View, class T>
  void expect_sum(const View& view, const std::vector<T>& elements, const char* what) {
    Reducer reference("reference");
    EXPECT_EQ(bits_of(reduce_.sum(exact(view))), bits_of(reference.sum(exact(elements)))) << what;
  }
};

TEST_P(ExactOf, PublishedSums) {
  for (const auto& [terms, sum] : test_support::published_sums()) {
    EXPECT_EQ(bits_of(reduce_.sum(exact(terms))), bits_of(sum)) << sum;
  }
  EXPECT_TRUE(std::signbit(reduce_.sum(exact(std::vector<double>(3000, -0.0)))));
  EXPECT_FALSE(std::signbit(reduce_.sum(exact(std::vector<double>{-0.0, 0.0}))));
  EXPECT_FALSE(std::signbit(reduce_.sum(exact(std::vector<double>{}))));
}

TEST_P(ExactOf, NoOrderCounts) {
  auto x = some<double>(300000, 2, 90);
  const double sum = reduce_.sum(exact(x));
  const double variance = reduce_.variance(exact(x));
  const double norm = reduce_.norm2(exact(x));
  std::mt19937 random(3);
  for (int i = 0; i < 3; ++i) {
    std::shuffle(x.begin(), x.end(), random);
    EXPECT_EQ(reduce_.sum(exact(x)), sum);
    EXPECT_EQ(reduce_.variance(exact(x)), variance);
    EXPECT_EQ(reduce_.norm2(exact(x)), norm);
  }
  std::sort(x.begin(), x.end());
  EXPECT_EQ(reduce_.sum(exact(x)), sum);
}

TEST_P(ExactOf, AnyNumberOfThreads) {
  const auto x = some<float>(1000003, 4);
  const auto y = some<float>(1000003, 5);
  const float dot = Reducer("reference").dot(exact(x), y);
  for (const int threads : {1, 2, 3, 7}) {
    Reducer reduce(GetParam().c_str(), isofold::Options{}.threads(threads));
    EXPECT_EQ(reduce.dot(exact(x), y), dot) << threads;
  }
}

TEST_P(ExactOf, Shapes) {
  const auto x = some<double>(20 * 30 * 50, 6, 100);
  const auto at = [&](int i, int j, int k) {
    return x[static_cast<std::size_t>((i * 30 + j) * 50 + k)];
  };
  std::vector<double> inside;
  std::vector<double> odd;
  std::vector<std::vector<double>> over_middle(20 * 50);
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 30; ++j) {
      for (int k = 0; k < 50; ++k) {
        if (i > 0 && i < 19 && j > 0 && j < 29 && k > 0 && k < 49) {
          inside.push_back(at(i, j, k));
        }
        if ((i + j + k) % 2 == 1) {
          odd.push_back(at(i, j, k));
        }
        over_middle[static_cast<std::size_t>(i * 50 + k)].push_back(at(i, j, k));
      }
    }
  }
  const auto field = box(x.data(), {20, 30, 50});
  expect_sum(field, x, "box");
  expect_sum(isofold::interior(field, 1), inside, "interior");
  // Fortran numbers these elements in another order, and a box may walk them backwards.
  expect_sum(box(x.data(), {50, 30, 20}, {1, 50, 1500}), x, "transposed");
  expect_sum(box(x.data() + x.size() - 1, {20, 30, 50}, {-1500, -50, -1}), x, "backwards");
  std::vector<unsigned char> mask;
  for (int i = 0; i < 20 * 30 * 50; ++i) {
    mask.push_back((i / 1500 + i / 50 % 30 + i % 50) % 2 == 1 ? 1 : 0);
  }
  expect_sum(isofold::masked(field, mask.data()), odd, "masked");
  const std::vector<double> middle = reduce_.sum(exact(isofold::over(field, {1})));
  ASSERT_EQ(middle.size(), over_middle.size());
  Reducer reference("reference");
  for (std::size_t r = 0; r < middle.size(); ++r) {
    ASSERT_EQ(middle[r], reference.sum(exact(over_middle[r]))) << r;
  }
  // Columns: rows that lie side by side.
  const std::vector<double> columns =
      reduce_.sum(exact(isofold::over(box(x.data(), {600, 50}), {0})));
  for (std::size_t c = 0; c < 50; ++c) {
    std::vector<double> column;
    for (std::size_t r = 0; r < 600; ++r) {
      column.push_back(x[r * 50 + c]);
    }
    ASSERT_EQ(columns[c], reference.sum(exact(column))) << c;
  }
}

TEST_P(ExactOf, RowsSegmentsGathersAndBatches) {
  const auto x = some<float>(30000, 7);
  Reducer reference("reference");
  const std::vector<float> rows = reduce_.sum(exact(isofold::rows(x.data(), 100, 250, 300)));
  for (std::size_t r = 0; r < 100; ++r) {
    ASSERT_EQ(rows[r], reference.sum(exact(array(x.data() + r * 300, 250))));
  }
  const std::vector<std::int64_t> offsets{0, 0, 1, 1026, 20000, 30000};
  const std::vector<float> segments =
      reduce_.sum(exact(isofold::segments(x.data(), offsets.data(), 5)));
  for (std::size_t s = 0; s < 5; ++s) {
    ASSERT_EQ(
        bits_of(segments[s]),
        bits_of(reference.sum(exact(array(x.data() + offsets[s], offsets[s + 1] - offsets[s])))));
  }
  std::vector<std::int32_t> indices;
  std::vector<float> gathered;
  for (std::int32_t i = 0; i < 30000; i += 3) {
    indices.push_back(29999 - i);
    gathered.push_back(x[static_cast<std::size_t>(29999 - i)]);
  }
  expect_sum(isofold::gather(x.data(), indices.data(), static_cast<std::int64_t>(indices.size())),
             gathered, "gather");
  const float* const arrays[] = {x.data() + 5000, x.data(), x.data() + 20000};
  const std::int64_t lengths[] = {700, 0, 10000};
  std::vector<float> joined(x.begin() + 5000, x.begin() + 5700);
  joined.insert(joined.end(), x.begin() + 20000, x.end());
  const auto batch = isofold::batch(arrays, lengths, 3);
  expect_sum(isofold::joined(batch), joined, "joined");
  EXPECT_EQ(reduce_.sum(exact(batch))[2], reference.sum(exact(array(arrays[2], 10000))));
  EXPECT_EQ(reduce_.mean(exact(batch)).size(), 3U);
  EXPECT_TRUE(std::isnan(reduce_.mean(exact(batch))[1]));  // the empty value
}

TEST_P(ExactOf, ElementsAndResultsOfOtherTypes) {
  const auto x = some<float>(5000, 8, 200);
  const double wide = reduce_.sum(exact(isofold::widened(array(x.data(), 5000))));
  EXPECT_EQ(wide, Reducer("reference").sum(exact(std::vector<double>(x.begin(), x.end()))));
  EXPECT_EQ(static_cast<float>(wide), reduce_.sum(exact(x)));
  std::vector<isofold::bfloat16> narrow(5000);
  std::vector<float> values;
  for (std::size_t i = 0; i < narrow.size(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &x[i], sizeof bits);
    narrow[i].bits = static_cast<std::uint16_t>(bits >> 16);
    bits &= 0xffff0000U;
    values.emplace_back();
    std::memcpy(&values.back(), &bits, sizeof bits);
  }
  EXPECT_EQ(reduce_.sum(exact(narrow)), reduce_.sum(exact(values)));
  const std::vector<std::complex<double>> z{{1e300, 1}, {1e-300, 2}, {-1e300, -1e-320}};
  EXPECT_EQ(reduce_.sum(exact(z)), (std::complex<double>{1e-300, 3}));
}

TEST_P(ExactOf, Integers) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int64_t> x{most, most, -most, -most, most};
  EXPECT_EQ(reduce_.sum(exact(x)), most);
  const std::vector<std::int64_t> too_large{most, 1};
  EXPECT_EQ(code_of([&] { (void)reduce_.sum(exact(too_large)); }), Code::out_of_range);
  EXPECT_EQ(reduce_.mean(exact(too_large)), 4611686018427387904.0);
  const std::vector<std::uint64_t> unsigned_most(3, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(code_of([&] { (void)reduce_.sum(exact(unsigned_most)); }), Code::out_of_range);
  EXPECT_EQ(reduce_.mean(exact(unsigned_most)), 18446744073709551616.0);
  EXPECT_EQ(reduce_.mean(exact(std::vector<std::uint8_t>{1, 2, 4})), 7.0 / 3);
  EXPECT_EQ(reduce_.fold("mean", exact(std::vector<int>{1, 2})).as<double>(), 1.5);
  // The row that does not fit is named, and the next call works.
  std::int64_t rows[2];
  try {
    reduce_.sum(exact(isofold::rows(too_large.data(), 2, 1)), rows);
    const std::vector<std::int64_t> second{1, 1, most, most};
    reduce_.sum(exact(isofold::rows(second.data(), 2, 2)), rows);
    ADD_FAILURE() << "2^64 fits in 63 bits";
  } catch (const isofold::Error& error) {
    EXPECT_EQ(error.code(), Code::out_of_range);
    EXPECT_NE(std::string(error.what()).find("row 1"), std::string::npos) << error.what();
  }
  EXPECT_EQ(reduce_.sum(exact(std::vector<int>{1, 2})), 3);
}

TEST_P(ExactOf, DataThatBreakSums) {
  // One sign, one ulp below a power of two, and many: every accumulator goes to its end.
  const std::vector<double> high(1 << 20, std::nextafter(2.0, 0.0));
  EXPECT_EQ(reduce_.sum(exact(high)), std::nextafter(2.0, 0.0) * (1 << 20));
  const std::vector<float> floats(3000001, std::nextafter(2.0F, 0.0F));
  EXPECT_EQ(reduce_.sum(exact(isofold::widened(array(floats.data(), 3000001)))),
            static_cast<double>(std::nextafter(2.0F, 0.0F)) * 3000001);
  const std::vector<double> least(5000, std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(reduce_.sum(exact(least)), 5000 * std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(reduce_.norm2(exact(least)),
            std::sqrt(5000.0) < 71 ? 71 * std::numeric_limits<double>::denorm_min() : 0);
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(reduce_.sum(exact(std::vector<double>{largest, std::ldexp(1.0, 969)})), largest);
  EXPECT_TRUE(std::isinf(reduce_.sum(exact(std::vector<double>{largest, std::ldexp(1.0, 970)}))));
  EXPECT_EQ(reduce_.mean(exact(std::vector<double>(4000, largest))), largest);
  EXPECT_EQ(reduce_.variance(exact(std::vector<double>(4000, largest))), 0);
  std::vector<double> mixed(5000, 1);
  mixed[4321] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isinf(reduce_.sum(exact(mixed))));
  EXPECT_TRUE(std::isinf(reduce_.mean(exact(mixed))));
  EXPECT_TRUE(std::isnan(reduce_.variance(exact(mixed))));
  mixed[17] = -mixed[4321];
  EXPECT_TRUE(std::isnan(reduce_.sum(exact(mixed))));
  EXPECT_TRUE(std::isinf(reduce_.norm2(exact(mixed))));
  EXPECT_EQ(reduce_.squared_distance(exact(mixed), std::vector<double>(5000, 0)),
            std::numeric_limits<double>::infinity());
}

// The windows of a CPU at their ends, term after term of one sign: a first accumulator that all
// terms drive to the end of its binade, while every tile has a term far below the last level, and a
// second one that all remainders drive.
TEST_P(ExactOf, WindowsAtTheirEnds) {
  Reducer reduce(GetParam().c_str(), isofold::Options{}.threads(1));
  Reducer reference("reference");
  for (const double sign : {1.0, -1.0}) {
    for (const std::size_t lead : {std::size_t{64}, std::size_t{512}, std::size_t{1024}}) {
      std::vector<double> x(32 * 1024, sign * std::nextafter(2.0, 0.0));
      std::fill_n(x.begin(), lead, sign * std::nextafter(0.25, 0.0));
      for (std::size_t i = 0; i < x.size(); i += 64) {
        x[i] = sign * 0x1p-300;
      }
      EXPECT_EQ(reduce.sum(exact(x)), reference.sum(exact(x))) << sign << ' ' << lead;
      EXPECT_EQ(reduce.norm2(exact(x)), reference.norm2(exact(x))) << sign << ' ' << lead;
    }
    const std::vector<double> remainders(1 << 16, sign * (1 + 0x1p-40));
    EXPECT_EQ(reduce.sum(exact(remainders)), sign * (0x1p16 + 0x1p-24));
  }
}

TEST_P(ExactOf, RoundedOnce) {
  // Half-way in f32, but for a bit far below, which a result by way of f64 would lose.
  for (const float below : {0x1p-80F, std::numeric_limits<float>::denorm_min()}) {
    EXPECT_EQ(reduce_.sum(exact(std::vector<float>{1, 0x1p-24F, below})), 1 + 0x1p-23F);
    EXPECT_EQ(reduce_.sum(exact(std::vector<float>{1, 0x1p-24F, -below})), 1);
  }
  EXPECT_EQ(reduce_.sum(exact(std::vector<float>{1, 0x1p-24F})), 1);  // to even
  EXPECT_EQ(reduce_.sum(exact(std::vector<float>{1, 0x1p-23F, 0x1p-24F})), 1 + 0x1p-22F);
  // In f64, by a bit 2000 below.
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(reduce_.sum(exact(std::vector<double>{0x1p926, 0x1p873, least})), 0x1p926 + 0x1p874);
  EXPECT_EQ(reduce_.sum(exact(std::vector<double>{0x1p926, 0x1p873, -least})), 0x1p926);
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(reduce_.sum(exact(std::vector<double>{largest, 0x1p970, -least})), largest);
  EXPECT_TRUE(std::isinf(reduce_.sum(exact(std::vector<double>{largest, 0x1p970, least}))));
  // A product has 106 bits, and the last of them may be all that is left.
  EXPECT_EQ(reduce_.dot(exact(std::vector<double>{1 + 0x1p-30, -1}),
                        std::vector<double>{1 + 0x1p-30, 1 + 0x1p-29}),
            0x1p-60);
  // The mean is that of the sum, not of the sum's rounding, which is 1 + 2^-52.
  const std::vector<double> thirds{1, 0x1p-53, 0x1p-106};
  EXPECT_EQ(reduce_.mean(exact(thirds)), 0x1.5555555555556p-2);
  EXPECT_EQ(reduce_.mean(exact(std::vector<double>{largest, largest})), largest);
  // A mean that is subnormal, half-way and decided by parity.
  EXPECT_EQ(reduce_.mean(exact(std::vector<double>{3 * least, 0})), 2 * least);
  EXPECT_EQ(reduce_.mean(exact(std::vector<double>{least, 0})), 0);
  // Quotients that are half-way, but for a remainder, which may be 1 in the last of the digits that
  // are divided, 2^-72, or below them all. The mean is 2^53 + 1 and the fourth number's share.
  for (const double rest : {0x1p-72, 0x1p-71, least}) {
    EXPECT_EQ(reduce_.mean(exact(std::vector<double>{0x1p55, 0x1p53, 5, rest, 0})), 0x1p53 + 2);
    EXPECT_EQ(reduce_.mean(exact(std::vector<double>{0x1p55, 0x1p53, 5, -rest, 0})), 0x1p53);
  }
  EXPECT_EQ(reduce_.mean(exact(std::vector<double>{0x1p55, 0x1p53, 5, 0, 0})), 0x1p53);
  // The variance of 0 and 2 (2^27 - 1) is 2^54 - 2^28 + 1.
  const double twice = 0x1p28 - 2;
  EXPECT_EQ(reduce_.variance(exact(std::vector<double>{0, twice})), 0x1p54 - 0x1p28);
  EXPECT_EQ(reduce_.variance(exact(std::vector<double>{least, twice})), 0x1p54 - 0x1p28);
  EXPECT_EQ(reduce_.variance(exact(std::vector<double>{-least, twice})), 0x1p54 - 0x1p28 + 2);
}

TEST_P(ExactOf, CountsOfPartialResults) {
  using Sum = Exact<Fold::sum, double>;
  const auto part = [&](const std::vector<double>& x) {
    Sum made;
    made.add(reduce_, x);
    return made;
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto merged = [&](const std::vector<double>& x, const std::vector<double>& y) {
    Sum both = part(x);
    both.merge(part(y));
    return both.finish();
  };
  EXPECT_TRUE(std::isnan(merged({1, 2}, {std::nan(""), 3})));
  EXPECT_EQ(merged({1, 2}, {infinity, 3}), infinity);
  EXPECT_EQ(merged({1, 2}, {3, -infinity}), -infinity);
  EXPECT_TRUE(std::isnan(merged({infinity}, {-infinity})));
  EXPECT_EQ(bits_of(merged({-0.0}, {-0.0, -0.0})), bits_of(-0.0));
  EXPECT_EQ(bits_of(merged({-0.0}, {0.0})), bits_of(0.0));
  EXPECT_EQ(bits_of(merged({-0.0}, {})), bits_of(-0.0));
  EXPECT_EQ(bits_of(merged({-0.0}, {1, -1})), bits_of(0.0));
  // More than 2^31 partial results, each carried: all digits full, and added as integers are.
  Sum many = part({-0x1p-1074});
  const Sum one = many;
  for (int i = 0; i < 33; ++i) {
    many.merge(many);
  }
  EXPECT_EQ(many.finish(), -0x1p-1041);
  Sum sum;
  for (int k = 0; k < sum.word_count(); ++k) {
    sum.words()[k] = one.words()[k] * (std::int64_t{1} << 29);
  }
  sum.merge(one);
  EXPECT_EQ(sum.finish(), -(0x1p-1045 + 0x1p-1074));
}

TEST_P(ExactOf, PartialResults) {
  const auto x = some<double>(100000, 9, 300);
  const double sum = reduce_.sum(exact(x));
  Exact<Fold::sum, double> all;
  std::size_t first = 0;
  std::mt19937 random(10);
  while (first < x.size()) {
    const std::size_t count = std::min<std::size_t>(random() % 20000, x.size() - first);
    Exact<Fold::sum, double> part;
    part.add(reduce_, array(x.data() + first, static_cast<std::int64_t>(count)));
    // As a message, and as a sum of integers.
    const auto bytes = part.to_bytes();
    EXPECT_EQ(bytes.size(), (Exact<Fold::sum, double>::max_bytes()));
    const auto read = Exact<Fold::sum, double>::from_bytes(bytes.data(), bytes.size());
    for (int k = 0; k < all.word_count(); ++k) {
      all.words()[k] += read.words()[k];
    }
    first += count;
  }
  EXPECT_EQ(all.finish(), sum);
  Exact<Fold::sum, double> half;
  half.add(reduce_, array(x.data(), 50000));
  all.subtract(half);
  EXPECT_EQ(all.finish(), reduce_.sum(exact(array(x.data() + 50000, 50000))));
  // 2^40 copies of one element.
  Exact<Fold::sum, double> many;
  many.add(reduce_, array(x.data(), 1));
  for (int i = 0; i < 40; ++i) {
    many.merge(many);
  }
  EXPECT_EQ(many.finish(), std::ldexp(x[0], 40));
  EXPECT_EQ((Exact<Fold::sum, double>().finish()), 0);
  EXPECT_TRUE(std::isnan(Exact<Fold::mean, float>().finish()));

  Exact<Fold::dot, float> dot;
  const auto y = some<float>(1000, 11);
  dot.add(reduce_, y, y);
  EXPECT_EQ(dot.finish(), reduce_.dot(exact(y), y));
}

TEST_P(ExactOf, BesideOtherFoldsAndModifiers) {
  const auto x = some<double>(4000, 12);
  const auto [sum, least, at] =
      reduce_.reduce(isofold::fuse(isofold::sum, isofold::minimum, isofold::argmax), exact(x));
  EXPECT_EQ(sum, reduce_.sum(exact(x)));
  EXPECT_EQ(least, reduce_.minimum(x));
  EXPECT_EQ(at.index, reduce_.argmax(x).index);
  auto with_nan = x;
  with_nan.push_back(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(reduce_.sum(exact(isofold::skip_nan(with_nan))), sum);
  EXPECT_EQ(reduce_.sum(isofold::skip_nan(exact(with_nan))), sum);
  Reducer by_default(GetParam().c_str(),
                     isofold::Options{}.definition(isofold::Definition::exact_v1));
  EXPECT_EQ(by_default.sum(x), sum);
  EXPECT_EQ(by_default.minimum(x), least);
  by_default.reserve(isofold::sum, x);
}

// The bits of a list's results, and of each fold by itself, where a view has one result.
template <class View>
void expect_each(Reducer& reduce, const View& view, const char* what) {
  const auto x = exact(view);
  const auto [sum, variance, mean, moments, norm, deviation] =
      reduce.reduce(isofold::fuse(isofold::sum, isofold::variance, isofold::mean, isofold::moments,
                                  isofold::norm2, isofold::sample_standard_deviation),
                    x);
  EXPECT_EQ(bits_of(sum), bits_of(reduce.sum(x))) << what;
  EXPECT_EQ(bits_of(variance), bits_of(reduce.variance(x))) << what;
  EXPECT_EQ(bits_of(mean), bits_of(reduce.mean(x))) << what;
  EXPECT_EQ(bits_of(moments), bits_of(reduce.moments(x))) << what;
  EXPECT_EQ(bits_of(norm), bits_of(reduce.norm2(x))) << what;
  EXPECT_EQ(bits_of(deviation), bits_of(reduce.sample_standard_deviation(x))) << what;
  const auto [one, largest, other, least] = reduce.reduce(
      isofold::fuse(isofold::norm1, isofold::absolute_maximum, isofold::sum, isofold::minimum), x);
  EXPECT_EQ(bits_of(one), bits_of(reduce.norm1(x))) << what;
  EXPECT_EQ(bits_of(other), bits_of(sum)) << what;
  EXPECT_EQ(bits_of(largest), bits_of(reduce.absolute_maximum(x))) << what;
  EXPECT_EQ(bits_of(least), bits_of(reduce.minimum(x))) << what;
}
TEST_P(ExactOf, ListsHaveTheBitsOfEachFold) {
  for (const std::size_t n : {1U, 1000U, 5000U, 300000U}) {
    expect_each(reduce_, some<double>(n, 20, 60), "f64");
    expect_each(reduce_, some<double>(n, 21, 900), "f64 of many binades");
    expect_each(reduce_, some<float>(n, 22), "f32");
  }
  auto x = some<double>(20 * 30 * 50, 23);
  const auto field = box(x.data(), {20, 30, 50});
  expect_each(reduce_, isofold::interior(field, 1), "interior");
  expect_each(reduce_, box(x.data(), {50, 30, 20}, {1, 50, 1500}), "transposed");
  std::vector<unsigned char> mask(x.size());
  for (std::size_t i = 0; i < mask.size(); i += 3) {
    mask[i] = 1;
  }
  expect_each(reduce_, masked(field, mask.data()), "masked");
  expect_each(reduce_, std::vector<double>(3000, -0.0), "negative zeros");
  x[777] = -std::numeric_limits<double>::infinity();
  expect_each(reduce_, x, "an infinity");
  expect_each(reduce_, isofold::skip_nan(x), "skip_nan");
  x[778] = std::nan("");
  expect_each(reduce_, x, "a NaN");
}
// The bytes of some vectors.
template <class... Vectors>
std::string bytes_of(const std::tuple<Vectors...>& results) {
  std::string bytes;
  const auto add = [&](const auto& each) {
    bytes.append(reinterpret_cast<const char*>(each.data()), each.size() * sizeof(each[0]));
  };
  std::apply([&](const auto&... each) { (add(each), ...); }, results);
  return bytes;
}
TEST_P(ExactOf, ListsOfRowsAndIntegers) {
  const auto x = some<float>(3000 * 64, 24);
  const std::vector<std::int16_t> narrow(3000 * 64, -7);
  for (const int threads : {1, 3}) {
    Reducer reduce(GetParam().c_str(), isofold::Options{}.threads(threads));
    const auto check = [&](const auto& view, const auto&... folds) {
      const auto together = reduce.reduce(isofold::fuse(folds...), exact(view));
      const auto alone = std::make_tuple(reduce.reduce(folds, exact(view))...);
      EXPECT_EQ(bytes_of(together), bytes_of(alone)) << threads;
    };
    check(isofold::rows(x.data(), 3000, 64), isofold::mean, isofold::sample_variance, isofold::sum);
    check(isofold::rows(x.data(), 3, 64000), isofold::norm2, isofold::sum, isofold::variance);
    check(over(box(x.data(), {3000, 64}), {0}), isofold::sum, isofold::standard_deviation);
    check(isofold::rows(narrow.data(), 3000, 64), isofold::sum, isofold::mean);
    check(isofold::rows(x.data(), 4, 0), isofold::sum, isofold::mean, isofold::variance);
  }
  std::vector<std::uint64_t> large(10, 3);
  large[9] = std::numeric_limits<std::uint64_t>::max();
  const auto means = [&](auto first, auto second) {
    std::vector<double> results(2);
    std::vector<std::uint64_t> sums(2);
    EXPECT_EQ(code_of([&] {
                reduce_.reduce(isofold::fuse(first, second),
                               exact(isofold::rows(large.data(), 2, 5)), results.data(),
                               sums.data());
              }),
              Code::out_of_range);
    EXPECT_EQ(sums[0], 15);
    return results;
  };
  EXPECT_EQ(means(isofold::mean, isofold::sum)[0], 3);
  EXPECT_EQ(code_of([&] {
              (void)reduce_.reduce(isofold::fuse(isofold::sum, isofold::mean),
                                   exact(std::vector<double>{}));
            }),
            Code::empty_input);
}

TEST_P(ExactOf, WhatHasNoExactValueIsRefused) {
  const std::vector<double> x{1, 2, 3};
  EXPECT_EQ(code_of([&] { (void)reduce_.product(exact(x)); }), Code::unsupported);
  EXPECT_EQ(code_of([&] { (void)reduce_.log_sum_exp(exact(x)); }), Code::unsupported);
  EXPECT_EQ(code_of([&] { (void)reduce_.sum_with_bound(exact(x)); }), Code::unsupported);
  EXPECT_FALSE(reduce_.supports(isofold::product, exact(x)));
  EXPECT_TRUE(reduce_.supports(isofold::variance, exact(x)));
  EXPECT_EQ(code_of([&] { (void)reduce_.mean(exact(std::vector<double>{})); }), Code::empty_input);
  using Minimum = Exact<Fold::minimum, double>;
  EXPECT_EQ(code_of([] { Minimum(); }), Code::unsupported);
  using Sum = Exact<Fold::sum, double>;
  Sum sum;
  sum.add(reduce_, x);
  auto bytes = sum.to_bytes();
  bytes[60] ^= 1;
  EXPECT_EQ(code_of([&] { (void)Sum::from_bytes(bytes.data(), bytes.size()); }), Code::mismatch);
  bytes[60] ^= 1;
  EXPECT_EQ(code_of([&] { (void)Sum::from_bytes(bytes.data(), bytes.size() - 1); }),
            Code::mismatch);
  EXPECT_EQ(
      code_of([&] { (void)Exact<Fold::mean, double>::from_bytes(bytes.data(), bytes.size()); }),
      Code::mismatch);
  bytes.resize(bytes.size() + 9);  // padding
  EXPECT_EQ(Sum::from_bytes(bytes.data(), bytes.size()).finish(), 6);
  // Words that no partial results add up to; the sum stays as it was.
  Sum broken;
  broken.words()[10] = std::int64_t{1} << 62;
  EXPECT_EQ(code_of([&] { sum.merge(broken); }), Code::mismatch);
  EXPECT_EQ(sum.finish(), 6);
  broken = Sum();
  broken.subtract(Sum());
  EXPECT_EQ(code_of([&] { broken.subtract(sum); }), Code::mismatch);
  EXPECT_EQ(broken.finish(), 0);
}

INSTANTIATE_TEST_SUITE_P(Host, ExactOf, testing::ValuesIn(test_support::host_backends()),
                         [](const auto& tested) { return tested.param; });

TEST(ExactElsewhere, OtherBackendsSaySo) {
  if (!isofold::is_available("kokkos")) {
    GTEST_SKIP() << isofold::describe("kokkos");
  }
  Reducer reduce(isofold::Backend::kokkos,
                 isofold::Options{}.guarantee(isofold::Guarantee::within_bound));
  const std::vector<double> x{1, 2, 3};
  EXPECT_EQ(code_of([&] { (void)reduce.sum(exact(x)); }), Code::unsupported);
  EXPECT_EQ(reduce.minimum(exact(x)), 1);
}

// One of these pages is readable at a time: each step to another one is counted.
class CountedPages {
 public:
  CountedPages() {
    memory = static_cast<char*>(
        mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    const auto x = some<double>(bytes() / sizeof(double), 25, 4);
    std::memcpy(memory, x.data(), bytes());
    struct sigaction action {};
    action.sa_sigaction = take_page;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, &before_);
  }
  ~CountedPages() {
    sigaction(SIGSEGV, &before_, nullptr);
    munmap(memory, bytes());
  }
  CountedPages(const CountedPages&) = delete;
  CountedPages& operator=(const CountedPages&) = delete;

  static constexpr int pages = 60;
  static std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
  static std::size_t bytes() { return pages * page_bytes(); }
  static isofold::Array<double> view() {
    return array(reinterpret_cast<const double*>(memory),
                 static_cast<std::int64_t>(bytes() / sizeof(double)));
  }
  template <class Read>
  static int steps_of(Read&& read) {
    mprotect(memory, bytes(), PROT_NONE);
    steps = 0;
    read();
    return steps;
  }

 private:
  static void take_page(int, siginfo_t* info, void*) {
    const std::ptrdiff_t at = static_cast<char*>(info->si_addr) - memory;
    if (at < 0 || at >= static_cast<std::ptrdiff_t>(bytes())) {
      signal(SIGSEGV, SIG_DFL);
      return;
    }
    mprotect(memory, bytes(), PROT_NONE);
    const auto page = static_cast<std::ptrdiff_t>(page_bytes());
    mprotect(memory + at / page * page, page_bytes(), PROT_READ);
    ++steps;
  }
  static inline char* memory = nullptr;
  static inline volatile int steps = 0;
  struct sigaction before_ {};
};

class ExactLists : public testing::Test {
 protected:
  void SetUp() override {
    if (ISOFOLD_TEST_SANITIZED != 0) {
      GTEST_SKIP() << "A sanitizer has signals of its own.";
    }
  }
  template <class... Folds>
  int steps(const Folds&... folds) {
    return CountedPages::steps_of([&] { (void)reduce_.reduce(fuse(folds...), pages_.view()); });
  }

 private:
  Reducer reduce_{"openmp", isofold::Options{}.threads(1)};
  CountedPages pages_;
};

TEST_F(ExactLists, AreOneReadOnOpenmp) {
  const int one = steps(exact(isofold::variance));
  EXPECT_LT(CountedPages::pages - 1, one);
  EXPECT_GT(CountedPages::pages * 3 / 2, one);
  EXPECT_EQ(steps(exact(isofold::sum), exact(isofold::moments), exact(isofold::mean),
                  exact(isofold::norm2), exact(isofold::sample_variance)),
            one);
  const int of_sums = steps(exact(isofold::mean));
  EXPECT_EQ(steps(exact(isofold::sum), exact(isofold::mean)), of_sums);
  EXPECT_EQ(steps(exact(isofold::sum), exact(isofold::norm1), exact(isofold::mean)),
            of_sums + steps(exact(isofold::norm1)));
}
TEST_F(ExactLists, AndFoldsOfTreeV1OneMore) {
  EXPECT_EQ(steps(exact(isofold::sum), isofold::minimum, exact(isofold::mean), isofold::sum),
            steps(exact(isofold::sum)) + steps(isofold::minimum, isofold::sum));
}

TEST(ExactElsewhere, MeansOfIntegersByTreeV1AreRefusedWithTheWayOut) {
  Reducer reduce("reference");
  const std::int32_t x[2] = {1, 2};
  double mean = 0;
  isofold_request request = test_support::array_request(Fold::mean, x, 2, &mean);
  EXPECT_EQ(isofold_reduce(reduce.handle(), &request), ISOFOLD_unsupported);
  EXPECT_NE(std::string(isofold_last_error()).find("exact(x)"), std::string::npos);
  request.definition = ISOFOLD_DEFINITION_exact_v1;
  ASSERT_EQ(isofold_reduce(reduce.handle(), &request), ISOFOLD_ok) << isofold_last_error();
  EXPECT_EQ(mean, 1.5);
  request.definition = 3;
  EXPECT_EQ(isofold_reduce(reduce.handle(), &request), ISOFOLD_unsupported);
}

}  // namespace
