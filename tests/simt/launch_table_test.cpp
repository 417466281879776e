// The launch table's arithmetic, over all tiles that it may choose: launches show few of them.
#include <gtest/gtest.h>

#include <backends/gpu/launch_table.hpp>

namespace {

namespace gpu = isofold::gpu;

// A tile's nodes are the largest aligned ones, all alike, so that a warp has a thread for each.
TEST(LaunchTable, TilesOfWholeNodes) {
  for (const int wave_width : {32, 64}) {
    for (int tile = 1; tile <= 2 * gpu::most_tile; ++tile) {
      const int found = gpu::whole_nodes(tile, wave_width);
      ASSERT_LE(found / gpu::grain_of(found), wave_width) << tile;
      ASSERT_GE(found, tile);
      for (int less = tile; less < found; ++less) {
        ASSERT_GT(less / gpu::grain_of(less), wave_width) << tile << ": " << less << " does, too";
      }
    }
  }
}

}  // namespace
