// Lists of folds as ReduceFusedOps folds them: the chunks of a tile that a warp takes, whole ones
// and a cut one, for some numbers of warps, of chunks in a tile, of tiles, rows and blocks.
#include "listed_folds.hpp"

namespace {

using isofold::simt::expected_of;
using isofold::simt::Listed;
using isofold::simt::ListedRows;
using isofold::simt::Random;
using isofold::simt::Way;
namespace core = isofold::core;
namespace gpu = isofold::gpu;

// Numbers whose sums round, so that the order of additions shows.
std::vector<float> some_numbers(std::size_t count, Random& random) {
  std::vector<float> x(count);
  for (float& each : x) {
    each = static_cast<float>(static_cast<int>(random.below(20000)) - 9000) / 700;
  }
  return x;
}

template <int width, class Lanes>
void check_sums(int apart, Random& random) {
  Listed<width, float, Lanes> list({ISOFOLD_FOLD_sum, ISOFOLD_FOLD_sum});
  for (int round = 0; round < 150; ++round) {
    const ListedRows shape = isofold::simt::some_rows<float>(apart, random);
    const std::vector<float> x =
        some_numbers(static_cast<std::size_t>(shape.rows * shape.stride + apart), random);
    const Way way = isofold::simt::some_way(width, random);
    std::vector<std::vector<unsigned char>> sums;
    list.run(shape, x, apart, way, sums);
    const auto expected = expected_of(core::Sum<float>{}, shape, x.data() + apart);
    for (const auto& each : sums) {
      ASSERT_EQ(expected, each) << shape.rows << " rows of " << shape.length << " elements, "
                                << shape.stride << " apart, waves of " << width << ", " << way;
    }
  }
}

// Chunks that come in parts, from a stage or not: of two arrays, or of elements of 16 bytes.
template <class T>
std::vector<T> other_numbers(std::size_t count, Random& random) {
  std::vector<T> x(count);
  for (T& each : x) {
    const auto number = [&] { return static_cast<double>(random.below(20000)) / 7 - 1000; };
    if constexpr (core::is_complex<T>) {
      each.re = static_cast<decltype(each.re)>(number());
      each.im = static_cast<decltype(each.im)>(number());
    } else {
      each = static_cast<T>(number());
    }
  }
  return x;
}

template <int width, class T, class Lanes, class Dot, class Norm>
void check_pairs(int apart, Random& random) {
  Listed<width, T, Lanes, 2> list({ISOFOLD_FOLD_dot, ISOFOLD_FOLD_norm2, ISOFOLD_FOLD_sum});
  for (int round = 0; round < 60; ++round) {
    const ListedRows shape = isofold::simt::some_rows<T>(apart, random);
    const auto count = static_cast<std::size_t>(shape.rows * shape.stride + apart);
    const auto x = other_numbers<T>(count, random);
    const auto y = other_numbers<T>(count, random);
    const Way way = isofold::simt::some_way(width, random);
    std::vector<std::vector<unsigned char>> found;
    list.run(shape, x, apart, way, found, y);
    std::vector<unsigned char> dots;
    for (std::int64_t row = 0; row < shape.rows; ++row) {
      const auto begin = row * shape.stride + apart;
      const auto of = [&](const std::vector<T>& all) {
        return std::vector<T>(all.begin() + begin, all.begin() + begin + shape.length);
      };
      const auto dot = isofold::simt::folded(Dot{}, of(x), of(y));
      const auto* const bytes = reinterpret_cast<const unsigned char*>(&dot);
      dots.insert(dots.end(), bytes, bytes + sizeof dot);
    }
    const std::vector<std::vector<unsigned char>> expected = {
        dots, expected_of(Norm{}, shape, x.data() + apart),
        expected_of(core::Sum<T>{}, shape, x.data() + apart)};
    ASSERT_EQ(expected, found) << shape.rows << " rows of " << shape.length << " pairs, "
                               << shape.stride << " apart, waves of " << width << ", " << way;
  }
}

TEST(Fused, Pairs) {
  Random random(2);
  check_pairs<32, float, gpu::WideLanes<float>, core::Dot<float>, core::Norm2<float>>(0, random);
  check_pairs<64, double, gpu::NarrowLanes<double>, core::Dot<double>, core::Norm2<double>>(1,
                                                                                            random);
  check_pairs<32, isofold_c128, gpu::WideLanes<isofold_c128>, core::ComplexDot<isofold_c128>,
              core::ComplexNorm2<isofold_c128>>(0, random);
#if ISOFOLD_TEST_ALL_KERNELS
  check_pairs<32, double, gpu::WideLanes<double>, core::Dot<double>, core::Norm2<double>>(0,
                                                                                          random);
  check_pairs<32, double, gpu::NarrowLanes<double>, core::Dot<double>, core::Norm2<double>>(1,
                                                                                            random);
  check_pairs<64, float, gpu::WideLanes<float>, core::Dot<float>, core::Norm2<float>>(0, random);
  check_pairs<32, isofold_c64, gpu::WideLanes<isofold_c64>, core::ComplexDot<isofold_c64>,
              core::ComplexNorm2<isofold_c64>>(0, random);
#endif
}

TEST(Fused, LargeElements) {
  using Element = isofold_c128;
  Random random(3);
  Listed<32, Element, gpu::WideLanes<Element>> list({ISOFOLD_FOLD_sum, ISOFOLD_FOLD_norm2});
  for (int round = 0; round < 60; ++round) {
    const ListedRows shape = isofold::simt::some_rows<Element>(0, random);
    const auto x =
        other_numbers<Element>(static_cast<std::size_t>(shape.rows * shape.stride), random);
    const Way way = isofold::simt::some_way(32, random);
    std::vector<std::vector<unsigned char>> found;
    list.run(shape, x, 0, way, found);
    const std::vector<std::vector<unsigned char>> expected = {
        expected_of(core::Sum<Element>{}, shape, x.data()),
        expected_of(core::ComplexNorm2<Element>{}, shape, x.data())};
    ASSERT_EQ(expected, found) << shape.rows << " rows of " << shape.length << " elements, " << way;
  }
}

TEST(Fused, SumsOfRows) {
  Random random(1);
  check_sums<32, gpu::WideLanes<float>>(0, random);
#if ISOFOLD_TEST_ALL_KERNELS
  check_sums<32, gpu::NarrowLanes<float>>(1, random);
  check_sums<64, gpu::WideLanes<float>>(0, random);
#endif
  check_sums<64, gpu::NarrowLanes<float>>(1, random);
}

}  // namespace
