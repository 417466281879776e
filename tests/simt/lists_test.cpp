// Folds of a list that share states: which of them have an entry together, and the places of
// extrema, found at once or, for both ends of doubles, where a tile ends.
#include <cmath>
#include <limits>

#include "listed_folds.hpp"

namespace {

using isofold::simt::expected_of;
using isofold::simt::expected_states_of;
using isofold::simt::Listed;
using isofold::simt::ListedRows;
using isofold::simt::Random;
using isofold::simt::request_of;
using isofold::simt::Way;
namespace core = isofold::core;
namespace gpu = isofold::gpu;

// Few values, so that extrema are there several times; some have zeros of both signs, or nothing
// but infinities and NaNs of any sign and payload.
template <class T>
std::vector<T> ties(std::size_t count, Random& random) {
  const std::uint64_t values = 1 + random.below(random.coin() ? 2 : 400);
  std::vector<T> x(count);
  if constexpr (core::is_floating<T>) {
    const bool nans = random.below(4) == 0;
    const bool infinities = random.below(4) == 0;
    for (T& each : x) {
      each = static_cast<T>(random.below(values)) - (random.coin() ? static_cast<T>(values) : T{0});
      each = each == 0 && random.coin() ? -T{0} : each;
      each = infinities ? each / T{0} : each;
      if (nans && random.below(3000) == 0) {
        auto bits = core::same_bits_as<core::signed_t<T>>(std::numeric_limits<T>::quiet_NaN());
        bits |= static_cast<core::signed_t<T>>(random.below(1000));
        each = std::copysign(core::same_bits_as<T>(bits), random.coin() ? T{1} : T{-1});
      }
    }
  } else {
    for (T& each : x) {
      each = static_cast<T>(random.below(values)) - static_cast<T>(random.below(values));
    }
  }
  return x;
}

// States of floats, all NaNs of which are one: each machine has its own rule for their payloads,
// which results never show (docs/tree.md, "What breaks bits").
std::vector<unsigned char> with_one_nan(std::vector<unsigned char> states) {
  for (std::size_t i = 0; i + sizeof(float) <= states.size(); i += sizeof(float)) {
    float x = 0;
    std::memcpy(&x, states.data() + i, sizeof x);
    if (std::isnan(x)) {
      std::memset(states.data() + i, 0xff, sizeof x);
    }
  }
  return states;
}

// Checks that each fold of the list has the bits that `expected` says, for some rows and some ways;
// result number `float_states` is states of floats.
template <class T, class List, class Expected>
void check(List& list, int width, int apart, Random& random, Expected&& expected,
           std::size_t float_states = SIZE_MAX) {
  const ListedRows shape = isofold::simt::some_rows<T>(apart, random);
  const std::vector<T> x =
      ties<T>(static_cast<std::size_t>(shape.rows * shape.stride + apart), random);
  const Way way = isofold::simt::some_way(width, random);
  std::vector<std::vector<unsigned char>> found;
  list.run(shape, x, apart, way, found);
  std::vector<std::vector<unsigned char>> wanted = expected(shape, x.data() + apart);
  if (float_states < wanted.size()) {
    wanted[float_states] = with_one_nan(wanted[float_states]);
    found[float_states] = with_one_nan(found[float_states]);
  }
  ASSERT_EQ(wanted, found) << shape.rows << " rows of " << shape.length << " elements, "
                           << shape.stride << " apart, waves of " << width << ", " << way;
}

template <int width, class T, class Lanes>
void check_places(int apart, Random& random) {
  Listed<width, T, Lanes> list({ISOFOLD_FOLD_minimum, ISOFOLD_FOLD_argmin, ISOFOLD_FOLD_minimum,
                                ISOFOLD_FOLD_argmin, ISOFOLD_FOLD_argmax_last,
                                ISOFOLD_FOLD_argminmax, ISOFOLD_FOLD_maximum});
  ASSERT_EQ(3, list.entries()) << "Extrema are had of their places' states.";
  for (int round = 0; round < 60; ++round) {
    check<T>(list, width, apart, random, [](const ListedRows& shape, const T* rows) {
      const auto minimum = expected_of(core::Minimum<T>{}, shape, rows);
      const auto argmin = expected_of(core::ArgMin<T>{}, shape, rows);
      return std::vector<std::vector<unsigned char>>{
          minimum,
          argmin,
          minimum,
          argmin,
          expected_of(core::ArgMaxLast<T>{}, shape, rows),
          expected_of(core::LocateBoth<T>{}, shape, rows),
          expected_of(core::Maximum<T>{}, shape, rows)};
    });
  }
}

TEST(Lists, PlacesOfExtrema) {
  Random random(2);
  check_places<32, float, gpu::WideLanes<float>>(0, random);
#if ISOFOLD_TEST_ALL_KERNELS
  check_places<32, double, gpu::NarrowLanes<double>>(1, random);
#endif
  check_places<64, float, gpu::NarrowLanes<float>>(1, random);
#if ISOFOLD_TEST_ALL_KERNELS
  check_places<64, double, gpu::WideLanes<double>>(0, random);
  check_places<32, std::uint32_t, gpu::WideLanes<std::uint32_t>>(0, random);
#endif
  check_places<64, std::int64_t, gpu::NarrowLanes<std::int64_t>>(1, random);
}

// States, which forests join, with the place.
TEST(Lists, StatesOfPlaces) {
  Random random(3);
  std::vector<isofold_request> requests = {request_of<float>(ISOFOLD_FOLD_argmin_last),
                                           request_of<float>(ISOFOLD_FOLD_argmax)};
  for (isofold_request& each : requests) {
    each.flags = ISOFOLD_STATE;
  }
  Listed<32, float, gpu::WideLanes<float>> list(requests);
  for (int round = 0; round < 30; ++round) {
    check<float>(list, 32, 0, random, [](const ListedRows& shape, const float* rows) {
      return std::vector<std::vector<unsigned char>>{
          expected_states_of(core::ArgMinLast<float>{}, shape, rows),
          expected_states_of(core::ArgMax<float>{}, shape, rows)};
    });
  }
}

// Members of families, and a sum that a bound's states have.
TEST(Lists, ResultsOfSharedStates) {
  Random random(4);
  Listed<32, float, gpu::WideLanes<float>> list({ISOFOLD_FOLD_sum, ISOFOLD_FOLD_mean_with_bound,
                                                 ISOFOLD_FOLD_sum_with_bound, ISOFOLD_FOLD_mean,
                                                 ISOFOLD_FOLD_variance, ISOFOLD_FOLD_count_nonzero,
                                                 ISOFOLD_FOLD_any, ISOFOLD_FOLD_log_sum_exp});
  ASSERT_EQ(4, list.entries());
  for (int round = 0; round < 30; ++round) {
    check<float>(list, 32, 0, random, [](const ListedRows& shape, const float* rows) {
      return std::vector<std::vector<unsigned char>>{
          expected_of(core::Sum<float>{}, shape, rows),
          expected_of(core::MeanWithBound<float>{}, shape, rows),
          expected_of(core::SumWithBound<float>{}, shape, rows),
          expected_of(core::Mean<float>{}, shape, rows),
          expected_of(core::Variance<float>{}, shape, rows),
          expected_of(core::CountNonzero<float>{}, shape, rows),
          expected_of(core::Any<float>{}, shape, rows),
          expected_of(core::LogSumExp<float>{}, shape, rows)};
    });
  }
}

// A sum whose chunks moments have summed, wherever it stands in the list.
template <int width, class T, class Lanes>
void check_sums_of_moments(int apart, Random& random) {
  Listed<width, T, Lanes> list(
      {ISOFOLD_FOLD_sum, ISOFOLD_FOLD_minimum, ISOFOLD_FOLD_variance, ISOFOLD_FOLD_norm2});
  ASSERT_EQ(4, list.entries());
  for (int round = 0; round < 60; ++round) {
    check<T>(list, width, apart, random, [](const ListedRows& shape, const T* rows) {
      return std::vector<std::vector<unsigned char>>{expected_of(core::Sum<T>{}, shape, rows),
                                                     expected_of(core::Minimum<T>{}, shape, rows),
                                                     expected_of(core::Variance<T>{}, shape, rows),
                                                     expected_of(core::Norm2<T>{}, shape, rows)};
    });
  }
}

// States of such a sum, and several of them.
TEST(Lists, StatesOfSumsOfMoments) {
  Random random(8);
  std::vector<isofold_request> requests = {
      request_of<float>(ISOFOLD_FOLD_sum), request_of<float>(ISOFOLD_FOLD_sum),
      request_of<float>(ISOFOLD_FOLD_mean), request_of<float>(ISOFOLD_FOLD_sum_with_bound)};
  requests[1].flags = ISOFOLD_STATE;
  Listed<32, float, gpu::WideLanes<float>> list(requests);
  ASSERT_EQ(3, list.entries());
  for (int round = 0; round < 30; ++round) {
    check<float>(
        list, 32, 0, random,
        [](const ListedRows& shape, const float* rows) {
          return std::vector<std::vector<unsigned char>>{
              expected_of(core::Sum<float>{}, shape, rows),
              expected_states_of(core::Sum<float>{}, shape, rows),
              expected_of(core::Mean<float>{}, shape, rows),
              expected_of(core::SumWithBound<float>{}, shape, rows)};
        },
        1);
  }
}

TEST(Lists, SumsOfMoments) {
  Random random(6);
  check_sums_of_moments<32, float, gpu::WideLanes<float>>(0, random);
#if ISOFOLD_TEST_ALL_KERNELS
  check_sums_of_moments<64, float, gpu::NarrowLanes<float>>(1, random);
  check_sums_of_moments<64, double, gpu::WideLanes<double>>(0, random);
#endif
  check_sums_of_moments<32, double, gpu::NarrowLanes<double>>(1, random);
}

// Counts in ranges share states if both of their ends are the same.
TEST(Lists, CountsInRanges) {
  Random random(5);
  const float ranges[][2] = {{0, 1}, {0, 2}, {1, 2}, {0, 0}, {0, 1}};
  std::vector<isofold_request> requests = {request_of<float>(ISOFOLD_FOLD_count_nonzero)};
  for (const auto& range : ranges) {
    requests.push_back(request_of<float>(ISOFOLD_FOLD_count_in_range, range));
  }
  Listed<32, float, gpu::WideLanes<float>> list(requests);
  ASSERT_EQ(5, list.entries());
  for (int round = 0; round < 10; ++round) {
    check<float>(list, 32, 0, random, [&](const ListedRows& shape, const float* rows) {
      std::vector<std::vector<unsigned char>> counts = {
          expected_of(core::CountNonzero<float>{}, shape, rows)};
      for (const auto& range : ranges) {
        core::CountInRange<float> fold;
        fold.take(range);
        counts.push_back(expected_of(fold, shape, rows));
      }
      return counts;
    });
  }
}

// Folds that can be had of the same states share an entry; states that are asked for do not.
TEST(Lists, EntriesAreShared) {
  using Floats = Listed<32, float, gpu::WideLanes<float>>;
  const auto entries = [](const std::vector<std::int32_t>& folds) {
    return Floats(folds).entries();
  };
  EXPECT_EQ(1, entries({ISOFOLD_FOLD_mean, ISOFOLD_FOLD_variance, ISOFOLD_FOLD_moments,
                        ISOFOLD_FOLD_sample_variance, ISOFOLD_FOLD_standard_deviation}));
  EXPECT_EQ(1,
            entries({ISOFOLD_FOLD_sum, ISOFOLD_FOLD_mean_with_bound, ISOFOLD_FOLD_sum_with_bound}));
  EXPECT_EQ(1, entries({ISOFOLD_FOLD_count_nonzero, ISOFOLD_FOLD_any, ISOFOLD_FOLD_none}));
  EXPECT_EQ(2, entries({ISOFOLD_FOLD_count_nonzero, ISOFOLD_FOLD_count_nan}));
  EXPECT_EQ(1, entries({ISOFOLD_FOLD_log_sum_exp, ISOFOLD_FOLD_softmax_statistics}));
  EXPECT_EQ(1, entries({ISOFOLD_FOLD_maximum, ISOFOLD_FOLD_argmax_last}));
  EXPECT_EQ(2, entries({ISOFOLD_FOLD_maximum, ISOFOLD_FOLD_argmin}));
  EXPECT_EQ(2, entries({ISOFOLD_FOLD_argmax, ISOFOLD_FOLD_argmax_last}));
  EXPECT_EQ(3, entries({ISOFOLD_FOLD_sum, ISOFOLD_FOLD_minimum, ISOFOLD_FOLD_maximum,
                        ISOFOLD_FOLD_argmax}));

  // Folds that run over a chunk.
  const auto run = [](std::vector<std::int32_t> folds) {
    std::vector<isofold_request> requests;
    for (const std::int32_t fold : folds) {
      requests.push_back(request_of<float>(fold));
    }
    const bool done[ISOFOLD_MOST_FUSED]{};
    Floats::Kernel kernel{};
    const Floats::List list(kernel, requests.data(), static_cast<std::int32_t>(folds.size()), done);
    return kernel.chunk_folds;
  };
  EXPECT_EQ(1, run({ISOFOLD_FOLD_sum, ISOFOLD_FOLD_mean}));
  EXPECT_EQ(2, run({ISOFOLD_FOLD_sum, ISOFOLD_FOLD_variance, ISOFOLD_FOLD_minimum}));
  EXPECT_EQ(2, run({ISOFOLD_FOLD_sum, ISOFOLD_FOLD_norm2}));
  EXPECT_EQ(2, run({ISOFOLD_FOLD_mean, ISOFOLD_FOLD_minimum}));
  EXPECT_EQ(2, run({ISOFOLD_FOLD_sum, ISOFOLD_FOLD_mean, ISOFOLD_FOLD_mean_with_bound}));

  isofold_request requests[] = {request_of<float>(ISOFOLD_FOLD_maximum),
                                request_of<float>(ISOFOLD_FOLD_argmax)};
  requests[0].flags = ISOFOLD_STATE;
  const bool done[] = {false, false};
  Floats::Kernel kernel{};
  EXPECT_EQ(2, Floats::List(kernel, requests, 2, done).entries());
}

}  // namespace
