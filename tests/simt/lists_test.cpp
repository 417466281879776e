// Folds of a list that share what they are made of: which have an entry together, and the places of
// extrema, at once or where a tile ends.
#include <cmath>
#include <limits>

#include "listed_folds.hpp"

namespace {

using isofold::simt::expected_of;
using isofold::simt::Listed;
using isofold::simt::OnDevice;
using isofold::simt::Random;
using isofold::simt::request_of;
using isofold::simt::Shape;
using isofold::simt::Way;
namespace core = isofold::core;
namespace gpu = isofold::gpu;

// Few values, so that extrema are there several times; some rows have zeros of both signs, some
// have NaNs.
template <class T>
std::vector<T> ties(std::size_t count, Random& random) {
  const std::uint64_t values = 1 + random.below(random.coin() ? 2 : 400);
  const bool nans = random.below(4) == 0;
  std::vector<T> x(count);
  for (T& each : x) {
    each = static_cast<T>(random.below(values)) - (random.coin() ? static_cast<T>(values) : T{0});
    each = each == 0 && random.coin() ? -T{0} : each;
    if (nans && random.below(3000) == 0) {
      each = std::copysign(std::numeric_limits<T>::quiet_NaN(), random.coin() ? T{1} : T{-1});
    }
  }
  return x;
}

template <int width, class T, class Lanes>
void check_places(int apart, Random& random) {
  Listed<width, T, Lanes> list({ISOFOLD_FOLD_minimum, ISOFOLD_FOLD_argmin, ISOFOLD_FOLD_argmax_last,
                                ISOFOLD_FOLD_argminmax, ISOFOLD_FOLD_maximum});
  ASSERT_EQ(3, list.entries()) << "Extrema are had of their places' states.";
  for (int round = 0; round < 60; ++round) {
    const Shape shape = isofold::simt::some_shape<T>(apart, random);
    const std::vector<T> x =
        ties<T>(static_cast<std::size_t>(shape.rows * shape.stride + apart), random);
    const T* const rows = x.data() + apart;
    const OnDevice<width, T> data(x);
    const Way way = isofold::simt::some_way<width>(random);
    std::vector<std::vector<unsigned char>> found;
    list.run(shape, data.data() + apart, way, found);
    const std::vector<std::vector<unsigned char>> expected = {
        expected_of(core::Minimum<T>{}, shape, rows), expected_of(core::ArgMin<T>{}, shape, rows),
        expected_of(core::ArgMaxLast<T>{}, shape, rows),
        expected_of(core::LocateBoth<T>{}, shape, rows),
        expected_of(core::Maximum<T>{}, shape, rows)};
    ASSERT_EQ(expected, found) << shape.rows << " rows of " << shape.length << " elements, "
                               << shape.stride << " apart, waves of " << width << ", " << way;
  }
}

TEST(Lists, PlacesOfExtrema) {
  Random random(2);
  check_places<32, float, gpu::WideLanes<float>>(0, random);
  check_places<32, double, gpu::NarrowLanes<double>>(1, random);
  check_places<64, float, gpu::NarrowLanes<float>>(1, random);
  check_places<64, double, gpu::WideLanes<double>>(0, random);
}

// Folds that can be had of the same states share an entry; states that are asked for do not.
TEST(Lists, EntriesAreShared) {
  using Floats = Listed<32, float, gpu::WideLanes<float>>;
  const auto entries = [](const std::vector<std::int32_t>& folds) {
    return Floats(folds).entries();
  };
  EXPECT_EQ(1, entries({ISOFOLD_FOLD_mean, ISOFOLD_FOLD_variance, ISOFOLD_FOLD_moments,
                        ISOFOLD_FOLD_sample_variance}));
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

  isofold_request requests[] = {request_of<float>(ISOFOLD_FOLD_maximum),
                                request_of<float>(ISOFOLD_FOLD_argmax)};
  requests[0].flags = ISOFOLD_STATE;
  const bool done[] = {false, false};
  Floats::Kernel kernel{};
  EXPECT_EQ(2, Floats::List(kernel, requests, 2, done).entries());
}

}  // namespace
