// Several folds in one call: each result has the bits that it has alone, over every shape, type and
// number of threads; and what a fused call refuses.
#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <isofold/reducer.hpp>
#include <test_support.hpp>

namespace {

using isofold::array;
using isofold::box;
using isofold::exact;
using isofold::fuse;
using isofold::Reducer;
using isofold::rows;
using test_support::bits_of;

template <class T>
std::vector<T> numbers(std::int64_t n) {
  std::vector<T> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<T>(static_cast<T>(i * 2654435761U % 10007) / T{7}) - T{100};
  }
  return x;
}

template <class T>
bool same_bits(const T& a, const T& b) {
  return bits_of(a) == bits_of(b);
}

class Fused : public testing::TestWithParam<const char*> {
 protected:
  Reducer reduce{GetParam()};
};

TEST_P(Fused, EachHasTheBitsThatItHasAlone) {
  const std::vector<double> x = numbers<double>(3000017);
  for (const std::int64_t n : {1, 63, 1024, 1025, 4097, 100000, 3000017}) {
    const auto a = array(x.data(), n);
    const auto [sum, low, place, variance, norm, count] =
        reduce.reduce(fuse(isofold::sum, isofold::minimum, isofold::argmax, isofold::variance,
                           isofold::norm2, isofold::count_nonzero),
                      a);
    EXPECT_TRUE(same_bits(sum, reduce.sum(a))) << n;
    EXPECT_TRUE(same_bits(low, reduce.minimum(a))) << n;
    EXPECT_TRUE(same_bits(place.value, reduce.argmax(a).value)) << n;
    EXPECT_EQ(place.index, reduce.argmax(a).index) << n;
    EXPECT_TRUE(same_bits(variance, reduce.variance(a))) << n;
    EXPECT_TRUE(same_bits(norm, reduce.norm2(a))) << n;
    EXPECT_EQ(count, reduce.count_nonzero(a)) << n;
  }
}

TEST_P(Fused, RowsBoxesAndNarrowElements) {
  const std::vector<float> x = numbers<float>(50000);
  std::vector<float> sums(11);
  std::vector<isofold::Location<float>> places(11);
  reduce.reduce(fuse(isofold::sum, isofold::argmin), rows(x.data(), 11, 3001, 4000), sums.data(),
                places.data());
  std::vector<float> alone(11);
  std::vector<isofold::Location<float>> places_alone(11);
  reduce.sum(rows(x.data(), 11, 3001, 4000), alone.data());
  reduce.argmin(rows(x.data(), 11, 3001, 4000), places_alone.data());
  for (std::size_t row = 0; row < 11; ++row) {
    EXPECT_TRUE(same_bits(sums[row], alone[row])) << row;
    EXPECT_TRUE(same_bits(places[row].value, places_alone[row].value)) << row;
    EXPECT_EQ(places[row].index, places_alone[row].index) << row;
  }

  const auto field = isofold::interior(box(x.data(), {20, 50, 50}), 2);
  const auto [mean, high] = reduce.reduce(fuse(isofold::mean, isofold::maximum), field);
  EXPECT_TRUE(same_bits(mean, reduce.mean(field)));
  EXPECT_TRUE(same_bits(high, reduce.maximum(field)));

  std::vector<std::int8_t> narrow(10000, 3);
  const auto [total, most] =
      reduce.reduce(fuse(isofold::sum, isofold::maximum), array(narrow.data(), 10000));
  EXPECT_EQ(30000, total);
  EXPECT_EQ(3, most);
}

// Rows that lie side by side, folds of one pass and of two.
TEST_P(Fused, Columns) {
  const std::vector<float> x = numbers<float>(90 * 2500);
  for (const int threads : {1, 3}) {
    Reducer shared(GetParam(), isofold::Options{}.threads(threads));
    const auto columns = over(box(x.data(), {2500, 90}), {0});
    std::vector<float> sums(90);
    std::vector<double> means(90);
    std::vector<float> least(90);
    shared.reduce(fuse(isofold::sum, isofold::mean, isofold::minimum), columns, sums.data(),
                  means.data(), least.data());
    std::vector<float> sums_alone(90);
    std::vector<double> means_alone(90);
    std::vector<float> least_alone(90);
    shared.sum(columns, sums_alone.data());
    shared.mean(columns, means_alone.data());
    shared.minimum(columns, least_alone.data());
    EXPECT_TRUE(sums == sums_alone && means == means_alone && least == least_alone) << threads;
  }
}

// Boxes of another order than their memory, of slabs of whole chunks and of others.
TEST_P(Fused, Slabs) {
  const std::vector<float> x = numbers<float>(103 * 2048);
  for (const auto& field :
       {box(x.data(), {103, 2048}, {1, 103}), box(x.data(), {300, 700}, {1, 300})}) {
    for (const int threads : {1, 3}) {
      Reducer shared(GetParam(), isofold::Options{}.threads(threads));
      const auto [sum, mean, low] =
          shared.reduce(fuse(isofold::sum, isofold::mean, isofold::argmin), field);
      EXPECT_TRUE(same_bits(sum, shared.sum(field))) << threads;
      EXPECT_TRUE(same_bits(mean, shared.mean(field))) << threads;
      EXPECT_EQ(low.index, shared.argmin(field).index) << threads;
    }
  }
}

TEST_P(Fused, AnyNumberOfThreads) {
  const std::vector<double> x = numbers<double>(1000003);
  const auto a = array(x.data(), 1000003);
  const double sum = reduce.sum(a);
  const double mean = reduce.mean(a);
  for (const int threads : {1, 2, 3, 7}) {
    Reducer other(GetParam(), isofold::Options{}.threads(threads));
    const auto [s, m] = other.reduce(fuse(isofold::sum, isofold::mean), a);
    EXPECT_TRUE(same_bits(s, sum)) << threads;
    EXPECT_TRUE(same_bits(m, mean)) << threads;
  }
}

// Complex and real results together; elements that lie as their parts may.
TEST_P(Fused, ComplexElements) {
  const std::vector<double> parts = numbers<double>(2 * 20000 + 1);
  const auto* z = reinterpret_cast<const std::complex<double>*>(parts.data() + 1);
  for (const std::int64_t n : {1, 65, 1025, 20000}) {
    const auto a = array(z, n);
    const auto [sum, norm1, norm2, largest] = reduce.reduce(
        fuse(isofold::sum, isofold::norm1, isofold::norm2, isofold::absolute_maximum), a);
    static_assert(std::is_same_v<std::decay_t<decltype(sum)>, std::complex<double>> &&
                      std::is_same_v<std::decay_t<decltype(norm1)>, double>,
                  "Sums are complex, norms real.");
    EXPECT_TRUE(same_bits(sum, reduce.sum(a))) << n;
    EXPECT_TRUE(same_bits(norm1, reduce.norm1(a))) << n;
    EXPECT_TRUE(same_bits(norm2, reduce.norm2(a))) << n;
    EXPECT_TRUE(same_bits(largest, reduce.absolute_maximum(a))) << n;
  }
}

// Folds of one and of two arrays together, by way of the C interface.
TEST_P(Fused, OneAndTwoArrays) {
  const std::vector<double> x = numbers<double>(20000);
  const std::vector<double> y(x.rbegin(), x.rend());
  double results[2];
  isofold_request requests[2];
  for (int i = 0; i < 2; ++i) {
    requests[i] = test_support::array_request(i == 0 ? isofold::Fold::sum : isofold::Fold::dot,
                                              x.data(), 20000, &results[i]);
  }
  requests[1].second = y.data();
  requests[1].second_stride = 20000;
  ASSERT_EQ(ISOFOLD_ok, isofold_reduce_fused(reduce.handle(), requests, 2)) << isofold_last_error();
  EXPECT_TRUE(same_bits(results[0], reduce.sum(array(x.data(), 20000))));
  EXPECT_TRUE(same_bits(results[1], reduce.dot(array(x.data(), 20000), array(y.data(), 20000))));
}

// Folds of one array take the first; every shape of two arrays.
TEST_P(Fused, TwoArrays) {
  const std::vector<double> x = numbers<double>(20000);
  const std::vector<double> y(x.rbegin(), x.rend());
  for (const std::int64_t n : {1, 1023, 5000, 20000}) {
    const auto a = array(x.data(), n);
    const auto b = array(y.data(), n);
    const auto [dot, norm, distance] =
        reduce.reduce(fuse(isofold::dot, isofold::norm2, isofold::squared_distance), a, b);
    EXPECT_TRUE(same_bits(dot, reduce.dot(a, b))) << n;
    EXPECT_TRUE(same_bits(norm, reduce.norm2(a))) << n;
    EXPECT_TRUE(same_bits(distance, reduce.squared_distance(a, b))) << n;
  }

  const auto first = rows(x.data(), 4, 1500, 2000);
  const auto second = rows(y.data(), 4, 1500, 3000);
  double dots[2][4];
  double sums[2][4];
  reduce.reduce(fuse(isofold::sum, isofold::dot), first, second, sums[0], dots[0]);
  reduce.sum(first, sums[1]);
  reduce.dot(first, second, dots[1]);
  for (int row = 0; row < 4; ++row) {
    EXPECT_TRUE(same_bits(sums[0][row], sums[1][row])) << row;
    EXPECT_TRUE(same_bits(dots[0][row], dots[1][row])) << row;
  }

  const auto field = isofold::interior(box(x.data(), {20, 30, 30}), 2);
  const auto packed = box(y.data(), {16, 26, 26});
  const auto [inner, highest] = reduce.reduce(fuse(isofold::dot, isofold::maximum), field, packed);
  EXPECT_TRUE(same_bits(inner, reduce.dot(field, packed)));
  EXPECT_TRUE(same_bits(highest, reduce.maximum(field)));

  const auto planes = over(field, {1, 2});
  double low[2][16];
  double products[2][16];
  reduce.reduce(fuse(isofold::minimum, isofold::dot), planes, packed, low[0], products[0]);
  reduce.minimum(planes, low[1]);
  reduce.dot(planes, packed, products[1]);
  for (int plane = 0; plane < 16; ++plane) {
    EXPECT_TRUE(same_bits(low[0][plane], low[1][plane])) << plane;
    EXPECT_TRUE(same_bits(products[0][plane], products[1][plane])) << plane;
  }

  const double* const arrays[] = {x.data(), x.data() + 9000};
  const double* const others[] = {y.data(), y.data() + 9000};
  const std::int64_t lengths[] = {8000, 777};
  const auto joined = isofold::joined(isofold::batch(arrays, lengths, 2));
  const auto other = isofold::joined(isofold::batch(others, lengths, 2));
  double both[2];
  reduce.reduce(fuse(isofold::norm1, isofold::dot), joined, other, &both[0], &both[1]);
  EXPECT_TRUE(same_bits(both[0], reduce.norm1(joined)));
  EXPECT_TRUE(same_bits(both[1], reduce.dot(joined, other)));
}

TEST_P(Fused, BothDefinitions) {
  std::vector<double> x(100000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 1.0 / (static_cast<double>(i) + 1.0);
  }
  x[7] = 1e17;  // and away again, far from there
  x[50001] = -1e17;
  const double exact_sum = reduce.sum(exact(x));
  const double tree_sum = reduce.sum(x);
  ASSERT_NE(exact_sum, tree_sum) << "numbers that show which definition a fold has";
  const auto [exactly, sum, low] =
      reduce.reduce(fuse(exact(isofold::sum), isofold::sum, isofold::minimum), x);
  EXPECT_EQ(exact_sum, exactly);
  EXPECT_EQ(tree_sum, sum);
  EXPECT_EQ(reduce.minimum(x), low);
  EXPECT_EQ(exact_sum, reduce.reduce(exact(isofold::sum), x));
  EXPECT_EQ(reduce.dot(exact(x), exact(x)), reduce.reduce(exact(isofold::dot), x, x));
  double results[2] = {};
  reduce.reduce(fuse(exact(isofold::sum), isofold::maximum), x, &results[0], &results[1]);
  EXPECT_EQ(exact_sum, results[0]);
  EXPECT_EQ(reduce.maximum(x), results[1]);
  reduce.reduce(fuse(exact(isofold::dot), isofold::maximum), x, x, &results[0], &results[1]);
  EXPECT_EQ(reduce.dot(exact(x), exact(x)), results[0]);
  EXPECT_EQ(reduce.maximum(x), results[1]);
  reduce.reduce(exact(isofold::dot), x, x, &results[1]);
  EXPECT_EQ(results[0], results[1]);
  const auto [inner, norm] = reduce.reduce(fuse(exact(isofold::dot), isofold::norm2), x, x);
  EXPECT_EQ(reduce.dot(exact(x), exact(x)), inner);
  EXPECT_EQ(reduce.norm2(x), norm);
  const auto lines = rows(x.data(), 100, 1000);
  const auto [row_sums, row_highs] =
      reduce.reduce(fuse(exact(isofold::sum), isofold::maximum), lines);
  EXPECT_EQ(reduce.sum(exact(lines)), row_sums);
  EXPECT_EQ(reduce.maximum(lines), row_highs);
  const std::vector<std::int32_t> integers = {1, 2, 4};
  const auto [average, most] =
      reduce.reduce(fuse(exact(isofold::mean), isofold::maximum), integers);
  EXPECT_EQ(7.0 / 3.0, average);
  EXPECT_EQ(4, most);
}

TEST_P(Fused, RefusesTwoArraysOfDifferentShapes) {
  const std::vector<double> x = numbers<double>(100);
  const auto folds = fuse(isofold::sum, isofold::dot);
  try {
    static_cast<void>(reduce.reduce(folds, array(x.data(), 100), array(x.data(), 99)));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const isofold::Error& error) {
    EXPECT_NE(std::string::npos, std::string(error.what()).find("100 and 99 elements"))
        << error.what();
  }
  EXPECT_THROW(
      static_cast<void>(reduce.reduce(folds, box(x.data(), {10, 10}), box(x.data(), {5, 20}))),
      isofold::Error);
}

TEST_P(Fused, RefusesWhatItCannotDoTogether) {
  const std::vector<double> x = numbers<double>(100);
  double results[9] = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
  isofold_request requests[9];
  for (int i = 0; i < 9; ++i) {
    requests[i] = test_support::array_request(isofold::Fold::sum, x.data(), 100, &results[i]);
  }
  const auto refused = [&](std::int32_t count, const std::string& names) {
    EXPECT_EQ(ISOFOLD_invalid_argument, isofold_reduce_fused(reduce.handle(), requests, count));
    EXPECT_NE(std::string::npos, std::string(isofold_last_error()).find(names))
        << isofold_last_error();
    for (const double result : results) {
      EXPECT_EQ(-1, result);
    }
  };
  refused(0, "0 folds");
  refused(9, "9 folds");
  requests[1].length = 99;
  refused(2, "Request 1 of 2");
  requests[1].length = 100;
  requests[1].fold = ISOFOLD_FOLD_dot;
  refused(2, "second");
  requests[1].fold = ISOFOLD_FOLD_maximum;
  for (const std::int32_t flags : {std::int32_t{0}, std::int32_t{ISOFOLD_SKIP_NAN}}) {
    requests[0].flags = requests[1].flags = requests[2].flags = flags;
    requests[2].result = requests[1].result;
    EXPECT_EQ(ISOFOLD_overlap, isofold_reduce_fused(reduce.handle(), requests, 3));
    EXPECT_NE(std::string::npos, std::string(isofold_last_error()).find("requests 1 and 2 of 3"));
  }
  requests[0].flags = requests[1].flags = 0;
  EXPECT_EQ(ISOFOLD_ok, isofold_reduce_fused(reduce.handle(), requests, 2)) << isofold_last_error();
  EXPECT_EQ(results[0], reduce.sum(array(x.data(), 100)));
}

INSTANTIATE_TEST_SUITE_P(Backends, Fused, testing::Values("reference", "openmp"));

}  // namespace
