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

// Segments of one length, of a chunk or more, are PlacedFold's where it folds two chunks at once.
TEST(LaunchTable, SegmentsOfOneLength) {
  gpu::TinySituation at{};
  at.rows = 200000;
  at.most_rows = INT32_MAX;
  at.element_bytes = 4;
  at.most_tile = [](int) { return 64; };
  at.warp_bytes = [](const gpu::TinyTiles& tiles, int) { return 8 * tiles.window; };
  at.device.wave_width = 32;
  at.device.multiprocessors = 100;
  at.device.shared_bytes = 200 << 10;
  at.takes_long_rows = true;
  for (const bool pairs : {false, true}) {
    at.pairs_chunks = pairs;
    for (const std::int64_t length : {64, 1023, 1024, 2000}) {
      at.elements = length * at.rows;
      EXPECT_EQ(pairs && length >= 1024, gpu::plan_tiny(at).room == 0) << length;
      --at.elements;
      EXPECT_LT(0, gpu::plan_tiny(at).room) << length;
    }
  }
}

}  // namespace
