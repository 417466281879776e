// The launch table's arithmetic, over all tiles that it may choose: launches show few of them.
#include <gtest/gtest.h>

#include <backends/gpu/kernel/masked_columns_per_block.hpp>
#include <backends/gpu/kernel/masked_columns_per_thread.hpp>
#include <backends/gpu/kernel/masked_rows_per_warp.hpp>
#include <backends/gpu/kernel/segments_short.hpp>
#include <backends/gpu/kernel/transposed_long.hpp>
#include <backends/gpu/kernel/transposed_short.hpp>
#include <backends/gpu/plan/contiguous.hpp>
#include <backends/gpu/plan/listed_compacted.hpp>

namespace {

namespace gpu = isofold::gpu;

// An H200 of an unknown class would get what was measured on it; others what their caches hold.
TEST(LaunchTable, TuningOfDeviceClasses) {
  gpu::DeviceFacts facts;
  facts.multiprocessors = 132;
  facts.shared_bytes = 227 << 10;
  facts.l2_bytes = 60 << 20;
  for (const auto architecture : {gpu::Architecture::sm90, gpu::Architecture::other}) {
    facts.architecture = architecture;
    const gpu::Tuning tuning = gpu::tuning_of(facts);
    EXPECT_EQ(96U << 10, tuning.fused.bulk_bytes);
    EXPECT_EQ(256 << 10, tuning.fused.l1_bytes);
    EXPECT_EQ(4, tuning.fused.row_warps);
    EXPECT_EQ(128 << 10, tuning.columns.read_again);
    EXPECT_EQ(192 << 10, tuning.few_columns.read_again);
  }
  facts = {};
  facts.architecture = gpu::Architecture::sm80;
  facts.multiprocessors = 108;
  facts.shared_bytes = 163 << 10;
  facts.l2_bytes = 40 << 20;
  EXPECT_EQ(64U << 10, gpu::tuning_of(facts).fused.bulk_bytes);
  EXPECT_EQ(192 << 10, gpu::tuning_of(facts).fused.l1_bytes);
  EXPECT_EQ(128 << 10, gpu::tuning_of(facts).columns.read_again);
  facts.architecture = gpu::Architecture::gfx90a;
  facts.wave_width = 64;
  facts.shared_bytes = 64 << 10;
  facts.l2_bytes = 8 << 20;
  EXPECT_EQ(0, gpu::tuning_of(facts).fused.l1_bytes);
  EXPECT_EQ(0, gpu::tuning_of(facts).fused.row_warps);
  EXPECT_EQ(32 << 10, gpu::tuning_of(facts).columns.read_again);
  facts.architecture = gpu::Architecture::gfx942;
  facts.multiprocessors = 304;
  facts.l2_bytes = 4 << 20;
  EXPECT_EQ(32 << 10, gpu::tuning_of(facts).columns.read_again) << "An L2 serves a die.";
  facts.architecture = gpu::Architecture::gfx10;
  facts.wave_width = 32;
  EXPECT_EQ(0, gpu::tuning_of(facts).fused.l1_bytes);
  EXPECT_EQ(4, gpu::tuning_of(facts).fused.row_warps);
  EXPECT_EQ(16 << 10, gpu::tuning_of(facts).columns.read_again);
}

// A tile's nodes are the largest aligned ones, all alike, so that a warp has a thread for each.
TEST(LaunchTable, TilesOfWholeNodes) {
  for (const int wave_width : {32, 64}) {
    for (int tile = 1; tile <= 2 * gpu::sm90_tuning.rows.most_tile; ++tile) {
      const int found = gpu::whole_nodes(tile, wave_width);
      ASSERT_LE(found / gpu::grain_of(found), wave_width) << tile;
      ASSERT_GE(found, tile);
      for (int less = tile; less < found; ++less) {
        ASSERT_GT(less / gpu::grain_of(less), wave_width) << tile << ": " << less << " does, too";
      }
    }
  }
}

// Lists whose chunks come in parts go through shared memory by blocks of 96 KB of them, whole
// warps, where each warp has two chunks or there are many blocks.
TEST(LaunchTable, ListsInBulk) {
  gpu::RowsProblem at{};
  at.rows = 1;
  at.length = 1 << 20;
  at.team = 32;
  at.device.wave_width = 32;
  at.device.multiprocessors = 132;
  at.device.shared_bytes = 227 << 10;
  at.device.has_bulk_copies = true;
  gpu::TilePlan plan;
  plan.tile_shift = 7;
  plan.launch.threads = 256;
  plan.launch.blocks = 100;
  gpu::ListStage stage{true, 512, 8 << 10};  // of pairs of f64
  const auto threads = [&] { return gpu::threads_of_staged_lists(stage, plan, at); };
  EXPECT_EQ(192, threads());
  stage.thread_bytes = 1024;  // of pairs of c128
  EXPECT_EQ(96, threads());
  stage.thread_bytes = 512;
  stage.state_bytes = (35 << 9) - 256;
  EXPECT_EQ(0, threads()) << "Two blocks do not fit, with what they need besides.";
  stage.state_bytes = 8 << 10;
  plan.tile_shift = 4;
  EXPECT_EQ(192, threads()) << "Two rounds.";
  plan.tile_shift = 3;
  EXPECT_EQ(0, threads()) << "One round.";
  plan.launch.blocks = 8 * 132;
  EXPECT_EQ(192, threads()) << "One round of many blocks.";
  plan.tile_shift = 1;
  plan.launch.threads = 64;
  EXPECT_EQ(64, threads()) << "No more than the tile has.";
  at.team = 16;
  at.length = 2047;
  EXPECT_EQ(0, threads()) << "No whole chunk for each team of a warp.";
  at.length = 2048;
  EXPECT_EQ(64, threads());
  at.device.has_bulk_copies = false;
  at.device.has_stages = true;
  EXPECT_EQ(0, threads());
  stage.in_bulk = false;
  EXPECT_EQ(0, threads()) << "Few rounds.";
  plan.tile_shift = 7;
  plan.launch.threads = 256;
  EXPECT_EQ(0, threads()) << "All threads' chunks do not fit twice.";
  stage.thread_bytes = 256;
  EXPECT_EQ(256, threads());
}

// Segments of floats on a large device; their number, and that of their elements, is open.
gpu::ShortSegmentsProblem short_segments() {
  gpu::ShortSegmentsProblem at{};
  at.most_rows = INT32_MAX;
  at.element_bytes = 4;
  at.most_tile = [](int) { return 64; };
  at.warp_bytes = [](const gpu::ShortSegmentsTiles& tiles, int) { return 8 * tiles.window; };
  at.shared_bytes = [](const gpu::ShortSegmentsTiles& tiles, int warps, int) {
    return warps * 8 * tiles.window;
  };
  at.device.wave_width = 32;
  at.device.multiprocessors = 100;
  at.device.shared_bytes = 200 << 10;
  return at;
}

// Each half of a tile may leave rows.
TEST(LaunchTable, HalvesOfTilesHaveRoomForWhatTheyLeave) {
  gpu::ShortSegmentsProblem at = short_segments();
  at.rows = 1000003;
  at.elements = 138 * at.rows;
  const gpu::ShortSegmentsTiling plan = gpu::plan_short_segments(at);
  ASSERT_LT(0, plan.tiles.half);
  EXPECT_EQ(2 * plan.tiles.half, plan.tiles.rows);
  EXPECT_LE(at.rows, plan.room * plan.tiles.half);
}

// A sixteenth of the tiles is no block's own; the launch behind lists segments of 5 chunks and
// more.
TEST(LaunchTable, TilesThatBlocksTakeByTurns) {
  gpu::ShortSegmentsProblem at = short_segments();
  at.rows = 6400000;
  at.elements = 8 * at.rows;
  gpu::ShortSegmentsTiling plan = gpu::plan_short_segments(at);
  ASSERT_EQ(64, plan.tiles.rows);
  const std::int64_t assigned = plan.tiles.assigned * plan.launch.blocks;
  EXPECT_GE(100000 * 15 / 16, assigned);
  EXPECT_LT(100000 * 15 / 16 - plan.launch.blocks, assigned);
  EXPECT_EQ(16, plan.tiles.listed);
}

// Segments that ReduceShortSegments leaves go to ReduceLongSegments where chunks come in bulk, and
// are listed sooner then.
TEST(LaunchTable, WhoTakesWhatShortSegmentsFoldLeaves) {
  gpu::LongSegmentsProblem at{1 << 24, std::int64_t{1} << 27, 9000, {}};
  at.device.wave_width = 32;
  at.device.multiprocessors = 132;
  at.device.shared_bytes = 227 * 1024;
  for (const bool in_bulk : {false, true}) {
    at.device.has_bulk_copies = in_bulk;
    gpu::ShortSegmentsPlan plan;
    plan.short_segments.tiles.chunks = 16;
    plan_behind(at, plan);
    EXPECT_EQ(in_bulk, plan.behind.is_there);
    EXPECT_EQ(in_bulk ? 4 : 16, plan.short_segments.tiles.listed);
    EXPECT_EQ(in_bulk ? 4 : 16, plan.short_segments.tiles.chunks);
    plan.short_segments.tiles.chunks = 0;
    plan_behind(at, plan);
    EXPECT_EQ(0, plan.short_segments.tiles.chunks) << "a window holds no chunk";
  }
}

// A segment has at most so many tiles, whatever its length, and larger ones then.
TEST(LaunchTable, TilesOfVeryLongSegments) {
  gpu::LongTiles tiles;
  tiles.room = std::int64_t{1} << 20;
  tiles.shift = 3;
  using Kernel = gpu::ReduceLongSegments<isofold::core::Sum<float>>;
  Kernel kernel{};
  kernel.tiles = tiles;
  const gpu::TileList list = kernel.shared_rows();
  const auto tiles_of = [&](std::int64_t chunks) {
    return gpu::TileList::pieces(chunks, list.shift_for(chunks));
  };
  constexpr std::int64_t most = gpu::most_long_tiles;
  EXPECT_EQ(1, tiles_of(3));
  EXPECT_EQ(2, tiles_of(9));
  EXPECT_EQ(most, tiles_of(8 * most));
  EXPECT_EQ(most / 2 + 1, tiles_of(8 * most + 1));
  EXPECT_GE(most, tiles_of(std::int64_t{1} << 40));
  EXPECT_LT(most / 2, tiles_of((std::int64_t{1} << 40) + 1));
}

// Segments of one length, of a chunk or more, are ReduceStrided's where it folds two chunks at
// once.
TEST(LaunchTable, SegmentsOfOneLength) {
  gpu::ShortSegmentsProblem at = short_segments();
  at.rows = 200000;
  at.takes_long_rows = true;
  for (const bool pairs : {false, true}) {
    at.pairs_chunks = pairs;
    for (const std::int64_t length : {64, 1023, 1024, 2000}) {
      at.elements = length * at.rows;
      EXPECT_EQ(pairs && length >= 1024, gpu::plan_short_segments(at).room == 0) << length;
      --at.elements;
      EXPECT_LT(0, gpu::plan_short_segments(at).room) << length;
    }
  }
}

// Rows under a mask: as many shares of each as fill all warps in one round, if few are left.
TEST(LaunchTable, EvenSharesOfRowsUnderAMask) {
  const auto shares = [](std::int64_t rows, std::int64_t all_warps) {
    return gpu::even_shares(rows, all_warps, gpu::sm90_tuning.compacted.even_eighths);
  };
  EXPECT_EQ(3168, shares(1, 3168));
  EXPECT_EQ(6, shares(512, 3168)) << "3072 of 3168 warps; of 7 each 3584, a second round";
  EXPECT_EQ(1, shares(3168, 3168));
  EXPECT_EQ(1, shares(2772, 3168)) << "seven eighths";
  EXPECT_EQ(2, shares(2771, 3168));
  EXPECT_EQ(1, shares(100000, 3168));
}

// Short rows under a mask: which of them have a launch of their own, and its blocks.
gpu::ShortMaskedRows short_masked_rows() {
  gpu::ShortMaskedRows at{};
  at.rows = 512 * 500;
  at.length = 512;
  at.side_by_side = 500;
  at.device.multiprocessors = 132;
  at.device.shared_bytes = 227 << 10;
  return at;
}

TEST(LaunchTable, ShortColumnsUnderAMask) {
  const gpu::MaskedColumnsLimits kernel{
      32, 16, [](std::int64_t length, int) { return static_cast<std::size_t>(length) * 128; }};
  const auto with = [&](auto&& change) {
    gpu::ShortMaskedRows changed = short_masked_rows();
    change(changed);
    return plan_masked_columns(changed, kernel);
  };
  const auto plan = with([](auto&) {});
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(16, plan->cut.tiles);  // the last of 20 columns
  EXPECT_EQ(512 * 16, plan->cut.units);
  EXPECT_EQ(256, plan->launch.threads);
  EXPECT_EQ(64, with([](auto& at) { at.length = 30; })->launch.threads);
  EXPECT_EQ(64, with([](auto& at) {
                  at.length = 5;
                  at.device.wave_width = 64;
                })->launch.threads);
  EXPECT_FALSE(with([](auto& at) { at.length = 1025; }));
  EXPECT_FALSE(with([](auto& at) { at.side_by_side = 7; }));
  EXPECT_TRUE(with([](auto& at) { at.rows = 3 * 500; }));
  EXPECT_FALSE(with([](auto& at) { at.rows = 2 * 500; })) << "32 blocks";
  EXPECT_FALSE(with([](auto& at) { at.device.shared_bytes = 48 << 10; }));
}

// Many columns: a thread each, where lanes can be.
TEST(LaunchTable, ManyShortColumnsUnderAMask) {
  const auto with = [&](auto&& change, std::size_t thread_bytes = 512) {
    gpu::ShortMaskedRows changed = short_masked_rows();
    change(changed);
    return gpu::plan_masked_lanes(changed, thread_bytes);
  };
  const auto same = [](auto&) {};
  ASSERT_TRUE(with(same));
  EXPECT_EQ(128, with(same)->launch.threads);
  EXPECT_EQ(512 * 16 / 4, with(same)->launch.blocks);
  EXPECT_EQ(64, with(same, 768)->launch.threads);
  EXPECT_TRUE(with([](auto& at) { at.rows = 68 * 500; }));
  EXPECT_FALSE(with([](auto& at) { at.rows = 67 * 500; })) << "of 33792 threads";
  EXPECT_FALSE(with(same, 1 << 10)) << "7 warps";
  EXPECT_FALSE(with([](auto& at) { at.device.shared_bytes = 64 << 10; }));
  EXPECT_FALSE(with([](auto& at) { at.side_by_side = 7; }));
}

TEST(LaunchTable, ShortLinesUnderAMask) {
  const auto with = [&](auto&& change, std::size_t bytes_of_warp = 2048) {
    gpu::ShortMaskedRows changed = short_masked_rows();
    changed.side_by_side = 0;
    changed.in_line = true;
    change(changed);
    return gpu::plan_masked_lines(changed, bytes_of_warp);
  };
  const auto same = [](auto&) {};
  ASSERT_TRUE(with(same));
  EXPECT_EQ(128, with(same)->threads);
  EXPECT_EQ(64000, with(same)->blocks);
  EXPECT_FALSE(with([](auto& at) { at.in_line = false; }));
  EXPECT_FALSE(with([](auto& at) { at.length = 1025; }));
  EXPECT_FALSE(with([](auto& at) { at.side_by_side = 8; })) << "columns";
  EXPECT_TRUE(with([](auto& at) { at.rows = 1; }));
  EXPECT_EQ(64, with(same, 1 << 15)->threads) << "two warps have room";
}

// Slabs that lie side by side: which of them go by way of shared memory.
TEST(LaunchTable, ShortSlabsAndLongOnes) {
  gpu::ShortTransposedProblem brief{};
  brief.rows = 1;
  brief.length = 1 << 24;
  brief.slabs = {500, 33554, 33554};
  brief.element_bytes = 4;
  brief.chunk_bytes = 4096;
  brief.shared_bytes = [](std::int64_t length, int chunks) {
    return static_cast<std::size_t>(length) * 8 + static_cast<std::size_t>(chunks) * 4096;
  };
  brief.most_threads = 512;
  brief.device.multiprocessors = 132;
  brief.device.shared_bytes = 227 << 10;
  EXPECT_TRUE(gpu::are_short_slabs(brief));
  const gpu::ShortTransposedPlan plan = gpu::plan_short_slabs(brief);
  EXPECT_EQ(16, plan.cut.chunks);
  EXPECT_EQ(1024, plan.cut.units);
  EXPECT_EQ(512, plan.compacted.launch.threads);
  const auto with = [&](auto&& change) {
    gpu::ShortTransposedProblem changed = brief;
    change(changed);
    return changed;
  };
  EXPECT_FALSE(gpu::are_short_slabs(with([](auto& at) { at.slabs.length = 7; })));
  EXPECT_FALSE(gpu::are_short_slabs(with([](auto& at) { at.slabs.length = 2048; })));
  EXPECT_FALSE(gpu::are_short_slabs(with([](auto& at) { at.slabs.step = 7; })));
  EXPECT_FALSE(gpu::are_short_slabs(with([](auto& at) { at.length = 3 << 10; })));
  EXPECT_FALSE(gpu::are_short_slabs(with([](auto& at) { at.length = 131 << 10; })));
  EXPECT_FALSE(gpu::are_short_slabs(with([](auto& at) { at.device.shared_bytes = 8000; })));
  EXPECT_EQ(3, gpu::plan_short_slabs(with([](auto& at) { at.length = 1 << 20; })).cut.chunks)
      << "two ranges for each multiprocessor";
  EXPECT_EQ(1, gpu::plan_short_slabs(with([](auto& at) { at.chunk_bytes = 1 << 20; })).cut.chunks);

  gpu::LongTransposedProblem lines{};
  lines.rows = 1;
  lines.length = 125000000;
  lines.slabs = {250000, 500, 250000};
  lines.slabs_of_block = 32;
  lines.threads = 256;
  lines.shared_bytes = 38 << 10;
  lines.most_threads = 768;
  lines.device = brief.device;
  EXPECT_TRUE(gpu::are_long_slabs(lines));
  const gpu::LongSlabCut cut = gpu::plan_long_slabs(lines).cut;
  EXPECT_EQ(16, cut.lines);
  EXPECT_LE(245, cut.ranges * cut.chunks);
  EXPECT_GT(245, (cut.ranges - 1) * cut.chunks);
  EXPECT_EQ(cut.lines * cut.ranges, cut.units);
  EXPECT_GE(3 * 132, cut.units) << "one turn of all blocks";
  EXPECT_LT(2 * 132, cut.units);
  lines.slabs.neighbours = 23;
  EXPECT_FALSE(gpu::are_long_slabs(lines));
  lines.slabs = {2047, 500, 500};
  EXPECT_FALSE(gpu::are_long_slabs(lines));
  lines.slabs = {10000, 100, 10000};
  lines.length = 1000000;
  EXPECT_FALSE(gpu::are_long_slabs(lines));
}

// An array whose fold does more than a sum, on a device of 132 multiprocessors.
gpu::RowsProblem one_array(int team) {
  gpu::RowsProblem at{};
  at.rows = 1;
  at.team = team;
  at.wide = true;
  at.device.multiprocessors = 132;
  at.work = gpu::Work::more;
  return at;
}

// An array whose fold does more than a sum is cut for two blocks a multiprocessor, all of them at
// once; rows, and arrays of sums, are not.
TEST(LaunchTable, TwoBlocksForMoreThanSums) {
  gpu::RowsProblem at = one_array(16);
  const auto plan = [&](bool more) {
    at.work = more ? gpu::Work::more : gpu::Work::sums;
    return gpu::plan_grid(at, isofold_schedule{}, 512);
  };
  for (const int staged_threads : {0, 768}) {
    at.staged_threads = staged_threads;
    for (const int power : {22, 23, 24, 25}) {
      at.rows = 1;
      at.length = std::int64_t{1} << power;
      const int each = power > 22 ? 2 : 1;  // few chunks are one block's, a team's each
      EXPECT_EQ(512 / each, plan(true).launch.threads) << power;
      EXPECT_LE(plan(true).launch.blocks, each * 132) << power;
      EXPECT_LT((each - 1) * 132, plan(true).launch.blocks) << power;
      EXPECT_LE(at.length / 1024, plan(true).tiles * plan(true).tile_chunks) << power;
      EXPECT_LT(256, plan(false).launch.threads) << power;
      at.rows = 300;
      EXPECT_EQ(plan(false).tile_chunks, plan(true).tile_chunks) << power;
      EXPECT_EQ(plan(false).launch.threads, plan(true).launch.threads) << power;
    }
  }
}

// While each chunk gets a team, blocks have the threads for a multiprocessor's share of them.
TEST(LaunchTable, OneRoundForMoreThanSums) {
  gpu::RowsProblem at = one_array(16);
  for (const int power : {20, 21, 22}) {
    const int threads = 128 << (power - 20);
    at.length = std::int64_t{1} << power;
    const gpu::Plan plan = gpu::plan_grid(at, isofold_schedule{}, 512);
    EXPECT_EQ(threads, plan.launch.threads) << power;
    EXPECT_EQ(threads / 16, plan.tile_chunks) << power;
    EXPECT_EQ(128, plan.launch.blocks) << power;
  }
}

// Exponentials in registers: one block a multiprocessor, then the longest tiles. Chunks through
// shared memory: two blocks as long as all are at once.
TEST(LaunchTable, LongTilesForExponentials) {
  gpu::RowsProblem at = one_array(32);
  at.work = gpu::Work::exponentials;
  const auto plan = [&](int power) {
    at.length = std::int64_t{1} << power;
    return gpu::plan_grid(at, isofold_schedule{}, at.staged_threads > 0 ? at.staged_threads : 512);
  };
  EXPECT_EQ(256, plan(25).launch.threads);
  for (const int power : {26, 27, 28}) {
    EXPECT_EQ(512, plan(power).launch.threads) << power;
    EXPECT_EQ(power < 28 ? 128 : 256, plan(power).launch.blocks) << power;
  }
  EXPECT_EQ(1024, plan(28).tile_chunks);
  // All blocks have as much to do, in no more waves than it takes.
  for (const int multiprocessors : {108, 114, 132}) {
    at.device.multiprocessors = multiprocessors;
    for (const double elements : {1.04 * 0x1p27, 1.28 * 0x1p27, 1.07 * 0x1p28}) {
      at.length = static_cast<std::int64_t>(elements);
      const gpu::Plan even = gpu::plan_grid(at, isofold_schedule{}, 512);
      const std::int64_t waves = gpu::ceil_divide(even.launch.blocks, multiprocessors);
      EXPECT_LE(static_cast<double>(waves * even.tile_chunks * multiprocessors),
                1.3 * elements / 1024)
          << elements << " on " << multiprocessors;
    }
  }
  at.device.multiprocessors = 132;
  at.team = 16;
  at.staged_threads = 768;
  for (const int power : {25, 26, 27}) {
    EXPECT_EQ(256, plan(power).launch.threads) << power;
    EXPECT_EQ(256, plan(power).launch.blocks) << power;
  }
  EXPECT_NE(256, plan(28).launch.blocks);
}

// Up to sixteen chunks of a warp each: one block, but where they go through shared memory one of
// eight warps at most.
TEST(LaunchTable, SmallerSingleBlocksOfStagedChunks) {
  gpu::RowsProblem at = one_array(32);
  at.device.wave_width = 32;
  for (const std::int64_t chunks : {8, 16}) {
    at.length = 1024 * chunks;
    at.staged_threads = 0;
    EXPECT_EQ(1, gpu::plan_grid(at, isofold_schedule{}, 512).launch.blocks) << chunks;
    at.staged_threads = 768;
    EXPECT_EQ(chunks == 8, gpu::plan_grid(at, isofold_schedule{}, 512).launch.blocks == 1)
        << chunks;
  }
}

// Chunks that come in bulk have two blocks a multiprocessor of half of the threads whose chunks
// fit, all at once or with tiles of 512 chunks.
TEST(LaunchTable, TwoBlocksForBulkCopies) {
  gpu::RowsProblem at = one_array(32);
  at.staged_threads = 384;
  at.in_bulk = true;
  at.work = gpu::Work::twice;
  for (const int power : {25, 26, 27, 28, 29}) {
    at.length = std::int64_t{1} << power;
    const gpu::Plan plan = gpu::plan_grid(at, isofold_schedule{}, at.staged_threads);
    EXPECT_EQ(192, plan.launch.threads) << power;
    EXPECT_EQ(power < 29, plan.launch.blocks <= 2 * 132) << power;
    EXPECT_LE(at.length / 1024, plan.tiles * plan.tile_chunks) << power;
  }
  EXPECT_EQ(512, gpu::plan_grid(at, isofold_schedule{}, at.staged_threads).tile_chunks);
}

// Long segments, where there are bulk copies and enough elements, and room for all their tiles.
TEST(LaunchTable, LongSegmentsComeInBulk) {
  gpu::LongSegmentsProblem at{100000, 100000 * 1024, 9000, {}};
  at.device.wave_width = 32;
  at.device.multiprocessors = 132;
  at.device.shared_bytes = 227 * 1024;
  EXPECT_TRUE(gpu::are_long(at));
  EXPECT_FALSE(gpu::plan_long(at).is_there);
  at.device.has_bulk_copies = true;
  const gpu::LongPlan plan = gpu::plan_long(at);
  EXPECT_TRUE(plan.is_there);
  EXPECT_EQ(6 * 132, plan.launch.blocks);
  EXPECT_EQ(128, plan.launch.threads);
  EXPECT_LE(100000 / 4, plan.tiles.room);
  at.rows = 1 << 20;  // short ones
  EXPECT_FALSE(gpu::are_long(at));
  at.rows = 0;
  EXPECT_FALSE(gpu::are_long(at));
  at = {10, 10 * 10240, 9000, at.device};  // few elements
  EXPECT_FALSE(gpu::are_long(at));
}

// Ten of sixteen long segments are dealt out, in batches of as many as a warp has threads; where
// they are few, each comes by a turn of its own.
TEST(LaunchTable, LongSegmentsAreDealtOut) {
  gpu::LongSegmentsProblem at{0, std::int64_t{1} << 30, 9000, {}};
  at.device.wave_width = 32;
  at.device.multiprocessors = 132;
  at.device.shared_bytes = 227 * 1024;
  at.device.has_bulk_copies = true;
  constexpr std::int64_t warps = 6 * 132 * 4;
  const auto assignment = [&](std::int64_t rows) {
    at.rows = rows;
    return gpu::plan_long(at).tiles.assignment;
  };
  EXPECT_EQ(4, assignment(300 * warps).turn);
  EXPECT_EQ(32, assignment(300 * warps).batch);
  EXPECT_EQ(187 / 32, assignment(300 * warps).batches);
  EXPECT_EQ(20, assignment(32 * warps).batch);
  EXPECT_EQ(1, assignment(32 * warps).batches);
  EXPECT_EQ(0, assignment(1000).batches);
  EXPECT_EQ(1, assignment(1000).turn);
  EXPECT_EQ(1, assignment(8 * warps).turn);
  EXPECT_EQ(3, assignment(24 * warps).turn);
}

// Tiles of elements that are loaded twice are short from 2^25 complex numbers of 16 bytes on.
TEST(LaunchTable, ShortTilesOfElementsReadTwice) {
  gpu::RowsProblem at{};
  at.rows = 1;
  at.team = 32;
  at.wide = true;
  at.device.multiprocessors = 132;
  const auto tile = [&](gpu::Work work, int power) {
    at.work = work;
    at.length = std::int64_t{1} << power;
    return gpu::plan_grid(at, isofold_schedule{}, 512).tile_chunks;
  };
  for (const int power : {25, 27, 29}) {
    EXPECT_EQ(64, tile(gpu::Work::twice, power));
  }
  EXPECT_EQ(tile(gpu::Work::sums, 23), tile(gpu::Work::twice, 23));
}

}  // namespace
