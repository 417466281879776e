// Lists of folds as FusedFold folds them: which of a tile's chunks a warp takes, whole ones and
// those of which one is cut, by some numbers of warps, of chunks in a tile, of tiles, rows and
// blocks.
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

TEST(Fused, SumsOfRows) {
  Random random(1);
  check_sums<32, gpu::WideLanes<float>>(0, random);
  check_sums<32, gpu::NarrowLanes<float>>(1, random);
  check_sums<64, gpu::WideLanes<float>>(0, random);
  check_sums<64, gpu::NarrowLanes<float>>(1, random);
}

}  // namespace
