// Which kernel runs, with how many blocks and threads: the one place that holds launch numbers.
// Nothing here changes a bit; a request's schedule overrides any of it (conformance tests do).
#pragma once

#include <algorithm>

#include <backends/gpu/input/strided.hpp>
#include <backends/gpu/kernel/columns_interleaved.hpp>
#include <backends/gpu/kernel/columns_per_thread.hpp>
#include <backends/gpu/kernel/rows_compacted.hpp>
#include <backends/gpu/kernel/rows_in_registers.hpp>
#include <backends/gpu/kernel/rows_per_warp.hpp>
#include <backends/gpu/kernel/segments_long.hpp>
#include <backends/gpu/kernel/segments_short.hpp>
#include <isofold/detail/gpu/tile_plan.hpp>

namespace isofold::gpu {

// A block's threads, and how many chunks each of its teams folds: its tile is both, times the
// teams. Given either as `rounds`, or by the blocks that a multiprocessor has at once: then they
// share the work evenly, in one wave. A row of the table applies up to so many `threads_needed` for
// each multiprocessor, if every team folded one chunk.
struct Tiling {
  std::int64_t threads_needed;
  int threads;
  int blocks;
  int rounds;
  std::int64_t tile = 0;  // chunks, where it is not all teams times all rounds
};

// Measured on two H200s (gpu_bench --tune: blocks of 2 to 16 warps, 0.5 to 32 of them a
// multiprocessor, 21 sizes, f32 and f64, in a graph and one by one). Few chunks: each gets a team,
// each multiprocessor some. More: one block a multiprocessor, all of the same size, whose launch
// overlaps the end of the work before it: within 1 % of the best up to 400 MiB. From there on tiles
// of one size, many waves of them. The best there differs between the two devices, by up to 3 % in
// either direction: these are within 1.5 % on both.
//
// What bounds it (ncu): at 2^12 elements instruction fetch (3.7 of the 13 cycles that a warp waits
// for each instruction) and one latency of the memory; at 2^18 and 2^22 the latencies of the
// hand-over; from 2^26 on DRAM (86 % of its peak at 2^26, 90 % at 2^28, and 8 % of the issue
// slots).
inline constexpr Tiling tilings[] = {
    {64, 128, 0, 1},    {256, 256, 0, 1},   {12288, 512, 1, 0},
    {20480, 256, 0, 8}, {40960, 512, 0, 4}, {INT64_MAX, 512, 0, 8},
};
// Of one array and more work than a sum's: each chunk gets a team up to 512 threads_needed, above
// that there are two blocks a multiprocessor, of which one computes while the other waits for its
// first chunk, or folds its last states; all at once up to so many threads_needed, and in tiles of
// so many chunks above. Measured on an H200 (gpu_bench --tune, 2026-11-26, seven folds of f32 and
// f64): a block of 512 threads at 2^22 elements of f32 and 2^21 of f64 takes 2 to 12 % less than
// one of 256 whose teams take two chunks each (on an H100, eight folds, that one had taken 1 to 9 %
// less than two blocks of 256), blocks of 128 threads at half of 256 threads_needed 1 to 3 % less
// than half as many of 256, two blocks at once at 2^27 elements of f32 and 2^26 of f64 0.5 to 2 %
// less than tiles of 128 chunks (on an H100 1 % more, but for argminmax). With one block of 512
// threads above, moments of f32 had taken 14.2 instead of 12.6 us at 2^23.
inline constexpr Tiling one_round_tilings[] = {
    {128, 128, 0, 1}, {256, 256, 0, 1}, {512, 512, 1, 0}};
inline constexpr Tiling two_blocks_tiling = {0, 256, 2, 0};
inline constexpr std::int64_t two_blocks_at_once = 16384;
inline constexpr int two_blocks_tile = 128;
// Where chunks go through shared memory, up to so many threads_needed only; but of exponentials as
// long as all blocks are at once (log-sum-exp of f32 at 2^26 and 2^27 elements: 67.5 and 129.8 us,
// and 69.9 and 132.8 in blocks of all threads that fit).
inline constexpr std::int64_t two_blocks_staged = 4096;
// Of exponentials that hold their chunks in registers, above so many threads_needed: as few waves
// of one block a multiprocessor as there can be, for each two states that are joined take an
// exponential, too (log-sum-exp of f64 at 2^27 and 2^29 elements: 295 and 1146 us in tiles of 128
// chunks, 285 and 1119 in one wave and four).
inline constexpr std::int64_t long_exponentials = 8192;
inline constexpr int long_exponentials_threads = 512;
// Of one array and Work::twice, above so many threads_needed: short tiles, whose chunks the second
// pass finds in L1. (Norm2 of c128 takes 2140 instead of 2450 us at 2^29 elements, 144 instead of
// 176 at 2^25.)
inline constexpr std::int64_t long_to_read_twice = 4096;
inline constexpr Tiling tiling_to_read_twice = {0, 512, 0, 4};
// Of kernels whose chunks go through shared memory: one block a multiprocessor while its states fit
// there, for a last block that folds many nodes costs more than uneven ends (three blocks of a
// third each, in even waves, took 15 % longer at 2^27 elements of f32); then thirds, with tiles of
// so many chunks.
inline constexpr int staged_tile = 128;
inline constexpr int staged_blocks = 3;
inline constexpr int bulk_tile = 512;  // where they come in bulk: two blocks of half of what fits
inline constexpr int staged_alone = 256;  // of a single block, at most: of 512 threads it took 4.8
                                          // us and not 3.6 for minmax of 2^14 doubles,
                                          // when it was staged (an H100)
inline constexpr int staged_few_threads = 256;   // of a multiprocessor, up to which each chunk gets
inline constexpr int staged_least_threads = 64;  // its team, and each multiprocessor a block
inline constexpr std::int64_t staged_word_chunks = 32;  // of elements of other types: so many for
                                                        // each multiprocessor, at least
inline constexpr int staged_rows_threads = 128;  // a block of RowsFold: so many use what fits
inline constexpr int most_tile = 1024;           // states in shared memory: 8 KiB of 8 bytes each
inline constexpr int narrow_threads = 256;  // narrow loads: two or three such blocks fit, of 512
                                            // only one (12 % slower at 2^29)
inline constexpr int even_tile_nodes = 4;  // of a tile that shares the work evenly, at least: it is
                                           // rounded up to whole ones, for many nodes cost more
                                           // than an uneven end (1351 chunks of f64: tiles of 12
                                           // took 10 % less than tiles of 11)
inline constexpr int short_row_rounds = 4;  // a block a row: enough teams for the row's few chunks
inline constexpr int row_waves = 8;         // several blocks a row: so many waves, at most
inline constexpr int rows_threads = 256;    // a block of RowsFold or ShortRowsFold
// Blocks of ShortRowsFold for each multiprocessor: they walk the rows in several rounds then. One
// round each took 15 % longer for rows of 7, 17 and 129; half as many blocks, 2 % for rows of 4.
// ncu: rows of 256 wait for DRAM (90 % of its peak).
inline constexpr int short_row_blocks = 64;
inline constexpr int warp_row_chunks = 8;  // longer rows get a block
// Of short rows that are more, each fold of a list gets a launch of its own. Measured on an H200,
// 2^19 rows of 256, f32: sum and minimum together 679 us, apart 243; eight folds 2588 and 990; 2^21
// rows of 64 2678 and 256: together, a row takes 1.3 to 5 ns, and a launch apart 2.5 us more.
inline constexpr std::int64_t most_listed_short_rows = 2048;

enum class KernelKind { empty, grid, rows, short_rows };

// What a fold does with an array's elements.
enum class Work {
  sums,  // one number a lane in one pass, or as little of two arrays
  more,
  exponentials,  // more, and an exponential for each two states that are joined
  twice          // two passes, each of which loads the elements
};

// What the launch depends on besides the request: the case and the device.
struct Situation {
  std::int64_t rows;
  std::int64_t length;
  int team;   // threads that share a chunk
  bool wide;  // wide loads
  DeviceFacts device;
  RowShapes row_shapes;    // for short rows
  int staged_threads = 0;  // of a multiprocessor, where chunks go through shared memory
  bool in_bulk = false;    // by bulk copies
  Work work = Work::sums;
};

struct Plan {
  KernelKind kernel = KernelKind::empty;
  Launch launch;  // but shared_bytes, which depends on the state
  std::int64_t tiles = 1;
  int tile_chunks = 1;
  int grain_shift = 0;
  std::int64_t row_nodes = 1;
  int capacity = 1;
  bool warp_a_row = false;
  int row_shape = 0;
  std::int64_t nodes() const { return tiles > 1 ? row_nodes * rows : 0; }
  std::int64_t counters() const { return tiles > 1 ? rows : 0; }
  std::int64_t rows = 0;
};

// The same with tiles of so many chunks: no more teams than take them in as few rounds.
inline Tiling shared_evenly(Tiling tiling, std::int64_t tile, const Situation& at) {
  const std::int64_t most_teams = std::max(1, tiling.threads / at.team);
  const std::int64_t rounds = ceil_divide(tile, most_teams);
  const std::int64_t threads = ceil_divide(tile, rounds) * at.team;
  const int wave_width = at.device.wave_width;
  tiling.rounds = static_cast<int>(rounds);
  tiling.threads = static_cast<int>(ceil_divide(threads, wave_width)) * wave_width;
  tiling.tile = tile;
  return tiling;
}

inline Tiling staged_tiling(const Situation& at, std::int64_t chunks) {
  const std::int64_t each = ceil_divide(chunks, at.device.multiprocessors);
  if (each * at.team <= staged_few_threads) {
    const int threads = std::max(1 << ceil_shift(each * at.team), staged_least_threads);
    return {0, std::min(at.staged_threads, threads), 0, 1};
  }
  if (each <= most_tile) {
    return {0, at.staged_threads, 1, 0};
  }
  const int warps = at.staged_threads / staged_blocks / at.device.wave_width;
  const int threads = std::max(1, warps) * at.device.wave_width;
  return {0, threads, 0, std::max(1, staged_tile * at.team / threads)};
}

inline Tiling bulk_tiling(const Situation& at, std::int64_t chunks) {
  const std::int64_t each = ceil_divide(chunks, at.device.multiprocessors);
  if (each * at.team <= staged_few_threads) {
    return staged_tiling(at, chunks);
  }
  const int threads =
      std::max(1, at.staged_threads / 2 / at.device.wave_width) * at.device.wave_width;
  if (each <= 2 * most_tile) {
    return {0, threads, 2, 0};
  }
  return {0, threads, 0, std::max(1, bulk_tile * at.team / threads)};
}

// Of one array and more work than a sum's.
inline Tiling tiling_of_more(const Situation& at, std::int64_t needed) {
  for (const Tiling& one_round : one_round_tilings) {
    if (needed <= one_round.threads_needed) {
      return one_round;
    }
  }
  if (at.work == Work::exponentials && at.staged_threads == 0 && needed > long_exponentials) {
    const std::int64_t waves = ceil_divide(needed, std::int64_t{most_tile} * at.team);
    return {0, long_exponentials_threads, static_cast<int>(waves), 0};
  }
  const int rounds = std::max(1, two_blocks_tile * at.team / two_blocks_tiling.threads);
  return needed <= two_blocks_at_once ? two_blocks_tiling
                                      : Tiling{0, two_blocks_tiling.threads, 0, rounds};
}
inline bool takes_tiling_of_more(const Situation& at, std::int64_t needed) {
  const std::int64_t most_staged =
      at.work == Work::exponentials ? two_blocks_at_once : two_blocks_staged;
  return at.rows == 1 && (at.work == Work::more || at.work == Work::exponentials) &&
         needed > tilings[0].threads_needed && (at.staged_threads == 0 || needed <= most_staged);
}

// Few enough chunks for one block get a team each there, without counter or fence.
inline Tiling tiling_for(const Situation& at, std::int64_t chunks, int most_threads) {
  const int team = at.team;
  const int multiprocessors = at.device.multiprocessors;
  // (Of rows, which take what follows as a block's size, nothing was measured.)
  const bool is_staged_array = at.staged_threads > 0 && at.rows == 1;
  const int most_alone = is_staged_array ? std::min(most_threads, staged_alone) : most_threads;
  if (chunks <= most_alone / team) {
    return {0, std::min(most_threads, (1 << ceil_shift(chunks)) * team), 0, 1};
  }
  const std::int64_t each = ceil_divide(chunks, multiprocessors);
  const Tiling* row = tilings;
  while (each > row->threads_needed / team) {
    ++row;
  }
  Tiling tiling = *row;
  const std::int64_t needed = each * team;
  if (at.rows == 1 && at.work == Work::twice && needed > long_to_read_twice && !at.in_bulk) {
    tiling = tiling_to_read_twice;
  } else if (takes_tiling_of_more(at, needed)) {
    tiling = tiling_of_more(at, needed);
  } else if (at.staged_threads > 0) {
    tiling = at.in_bulk ? bulk_tiling(at, chunks) : staged_tiling(at, chunks);
  }
  if (!at.wide && tiling.blocks != 1 && tiling.threads > narrow_threads) {
    tiling.threads /= 2;
    tiling.blocks *= 2;
    tiling.rounds *= 2;
  }
  if (tiling.blocks > 0) {
    const std::int64_t even = ceil_divide(chunks, std::int64_t{tiling.blocks} * multiprocessors);
    const int node = std::max(1, floor_power(even) / even_tile_nodes);
    tiling = shared_evenly(tiling, ceil_divide(even, node) * node, at);
  }
  return tiling;
}

// The most chunks of an aligned node that tiles of so many chunks are made of.
inline int grain_of(int tile) { return tile & -tile; }

// The next tile that has at most a node for each thread of a warp.
inline int whole_nodes(int tile, int wave_width) {
  while (tile / grain_of(tile) > wave_width) {
    tile += grain_of(tile);
  }
  return tile;
}

// A tile a block; rows longer than a tile are shared by several blocks.
inline Plan plan_grid(const Situation& at, const isofold_schedule& wish, int most_threads) {
  const std::int64_t row_chunks = core::chunk_count(at.length);
  const int whole_row = 1 << std::min(ceil_shift(row_chunks), ceil_shift(most_tile));
  const std::int64_t chunks =  // saturating: the front has checked that all bytes can be addressed
      row_chunks > INT64_MAX / at.rows ? INT64_MAX : row_chunks * at.rows;
  Tiling tiling = tiling_for(at, chunks, most_threads);

  std::int64_t tile = std::int64_t{std::max(1, tiling.threads / at.team)} * tiling.rounds;
  tile = tiling.tile > 0 ? tiling.tile : tile;
  const int multiprocessors = at.device.multiprocessors;
  const bool two_each = at.rows > multiprocessors && at.rows <= 2 * multiprocessors;
  const bool one_wave = tiling.tile > 0 || tiling.rounds == 1;
  int threads = tiling.threads;
  if (at.rows > 1 && row_chunks <= std::int64_t{1} << ceil_shift(tile)) {  // a block a row
    tile = whole_row;
    const int rounds = std::min(std::max(1, tiling.rounds), short_row_rounds);
    threads = floor_power(std::max<std::int64_t>(1, tile / rounds)) * at.team;
    threads = std::min(threads, at.wide && !two_each ? most_threads : narrow_threads);
  } else if (at.rows > 1 && one_wave) {  // as many a row as let all rows run at once
    std::int64_t blocks = multiprocessors / at.rows;
    // Smaller blocks where the largest would leave more than an eighth of the device idle.
    for (int parts = 1; tiling.tile > 0 && parts <= 4; parts *= 2) {
      tiling.threads = most_threads / parts;
      blocks = std::int64_t{parts} * multiprocessors / at.rows;
      if (8 * blocks * at.rows >= std::int64_t{7} * parts * multiprocessors) {
        break;
      }
    }
    tile = std::max(tiling.tile > 0 ? 1 : tile,
                    ceil_divide(row_chunks, std::max<std::int64_t>(1, blocks)));
    threads = shared_evenly(tiling, tile, at).threads;
  } else if (at.rows > 1) {  // several, all of one size, and enough that their ends even out
    const int teams = std::max(1, threads / at.team);
    const std::int64_t enough = ceil_divide(chunks, std::int64_t{row_waves} * multiprocessors);
    const std::int64_t tiles =
        ceil_divide(row_chunks, std::clamp<std::int64_t>(enough, teams, tile));
    tile = ceil_divide(ceil_divide(row_chunks, tiles), teams) * teams;
  }
  if (wish.unit > 0) {  // one block a row
    tile = whole_row;
    threads = floor_power(wish.unit);
  } else if (wish.unit < 0) {  // at most that many blocks a row, as far as shared memory allows
    tile = std::int64_t{1} << ceil_shift(
               ceil_divide(row_chunks, -static_cast<std::int64_t>(wish.unit)));
  }
  if (wish.warps > 0) {
    threads = std::min(wish.warps, most_threads) * at.device.wave_width;
  }
  threads = std::clamp(threads, at.device.wave_width, most_threads);
  if (wish.chunks > 0) {
    tile = std::int64_t{wish.chunks} * (threads / at.device.wave_width);
  }

  Plan plan;
  plan.kernel = KernelKind::grid;
  plan.rows = at.rows;
  plan.tile_chunks = std::min(
      most_tile,
      whole_nodes(static_cast<int>(std::min<std::int64_t>(tile, most_tile)), at.device.wave_width));
  plan.tiles = ceil_divide(row_chunks, plan.tile_chunks);
  plan.grain_shift = ceil_shift(plan.tiles > 1 ? grain_of(plan.tile_chunks) : plan.tile_chunks);
  plan.row_nodes = ceil_divide(row_chunks, std::int64_t{1} << plan.grain_shift);
  plan.capacity = std::max(plan.tile_chunks, plan.tiles > 1 ? node_states : 1);
  const std::int64_t units = plan.tiles * at.rows;
  plan.launch.blocks = std::min(units, wish.blocks > 0 ? wish.blocks : most_blocks);
  plan.launch.threads = threads;
  return plan;
}

// The block of NodesFold for a row of so many nodes: a thread each, as far as that goes.
inline int node_threads(std::int64_t nodes, int wave_width, int most_threads) {
  const std::int64_t wanted = ceil_divide(nodes, wave_width) * wave_width;
  return static_cast<int>(std::min<std::int64_t>(wanted, most_threads));
}

inline Plan plan_rows(const Situation& at, const isofold_schedule& wish, bool warp_a_row,
                      int most_threads) {
  const int wave_width = at.device.wave_width;
  const int unit = warp_a_row ? wave_width : at.team;
  Plan plan;
  plan.kernel = KernelKind::rows;
  plan.rows = at.rows;
  plan.warp_a_row = warp_a_row;
  const int block_threads = at.staged_threads > 0 ? staged_rows_threads : rows_threads;
  const std::int64_t threads = wish.warps > 0
                                   ? std::int64_t{wish.warps} * wave_width
                                   : std::min<std::int64_t>(block_threads, at.rows * unit);
  plan.launch.threads = static_cast<int>(std::clamp<std::int64_t>(
      ceil_divide(threads, wave_width) * wave_width, wave_width, most_threads));
  std::int64_t blocks = ceil_divide(at.rows, plan.launch.threads / unit);
  if (at.staged_threads > 0) {  // so that there is a next row: as many blocks as run at once
    const std::int64_t at_once =
        std::int64_t{at.staged_threads / plan.launch.threads} * at.device.multiprocessors;
    blocks = ceil_divide(blocks, ceil_divide(blocks, std::max<std::int64_t>(1, at_once)));
  }
  plan.launch.blocks = std::min(blocks, wish.blocks > 0 ? wish.blocks : most_blocks);
  return plan;
}

inline int rows_a_warp(const RowShape& shape, const Situation& at) {
  return at.device.wave_width / shape.team * at.row_shapes.rows_a_team(shape);
}

inline Plan plan_short_rows(const Situation& at, const isofold_schedule& wish, int most_threads) {
  const int wave_width = at.device.wave_width;
  Plan plan;
  plan.kernel = KernelKind::short_rows;
  plan.rows = at.rows;
  plan.row_shape = at.row_shapes.number_holding(at.length);
  const std::int64_t warps =
      ceil_divide(at.rows, rows_a_warp(at.row_shapes.shape[plan.row_shape], at));
  // Few rows: smaller blocks, so that every multiprocessor gets some.
  const std::int64_t spread =
      floor_power(std::max<std::int64_t>(1, warps / at.device.multiprocessors));
  const std::int64_t threads = (wish.warps > 0 ? wish.warps : spread) * wave_width;
  plan.launch.threads = static_cast<int>(
      std::min<std::int64_t>(threads, wish.warps > 0 ? most_threads : rows_threads));
  plan.launch.blocks =
      std::min(ceil_divide(warps, plan.launch.threads / wave_width),
               wish.blocks > 0 ? std::int64_t{wish.blocks}
                               : std::int64_t{short_row_blocks} * at.device.multiprocessors);
  return plan;
}

inline Plan make_plan(const Situation& at, const isofold_schedule& wish, int most_threads) {
  if (at.length == 0 || at.rows == 0) {
    Plan plan;
    plan.rows = at.rows;
    plan.launch.threads = 256;
    plan.launch.blocks = std::min(ceil_divide(at.rows, 256), most_blocks);
    return plan;
  }
  const std::int64_t row_chunks = core::chunk_count(at.length);
  const int wave_width = at.device.wave_width;
  // Forced by a unit smaller than a team; else chosen.
  const bool forced = wish.unit != 0 || wish.warps > 0 || wish.chunks > 0 || wish.blocks > 0;
  if (at.length <= most_short_elements && (!forced || (wish.unit > 0 && wish.unit < at.team)) &&
      at.rows >= rows_a_warp(at.row_shapes.holding(at.length), at)) {
    return plan_short_rows(at, wish, most_threads);
  }
  if (wish.unit > 0 && wish.unit <= wave_width && row_chunks <= wish.unit) {
    const bool warp_a_row = wish.unit > at.team || row_chunks > at.team;
    return plan_rows(at, wish, warp_a_row, most_threads);
  }
  if (!forced && row_chunks == 1) {
    return plan_rows(at, wish, false, most_threads);
  }
  // A warp a row only where rows alone keep the device busy: 16 warps a multiprocessor.
  if (!forced && row_chunks <= warp_row_chunks && at.rows / 16 >= at.device.multiprocessors) {
    return plan_rows(at, wish, true, most_threads);
  }
  return plan_grid(at, wish, most_threads);
}

// Whether the folds of a list get one launch.
inline bool takes_lists(const Situation& at) {
  return at.length > most_short_elements || at.rows <= most_listed_short_rows;
}

// How a list's chunks can go through shared memory (fused_ops.hpp).
struct ListStage {
  bool in_bulk;              // those that come in parts
  std::size_t thread_bytes;  // of chunks, for each thread
  std::size_t state_bytes;   // of a block
};

// Whether each warp folds chunks eight times or more in a tile.
inline bool has_many_rounds(const TilePlan& plan, const Situation& at) {
  constexpr int least_rounds = 8;
  return 1 << plan.tile_shift >= least_rounds * plan.launch.threads / at.team;
}

// What comes in parts has so many bytes of chunks in a block, of which two fit: lists of two f64
// arrays of 2^25 to 2^27 elements took from 1 % more to 23 % less so on an H200 than with 64, 128
// or 192 KB.
inline constexpr std::size_t bulk_list_bytes = 96 << 10;
// What a block needs besides, for its copies and its flag, and what the device keeps of it, at
// most.
inline constexpr std::size_t list_further_bytes = 512;
// It gains where tiles of blocks as they were planned have two rounds (but at 2^23 f32 dot and
// norm2 take 6 % longer), or where there are so many blocks for each multiprocessor: of one round,
// at 2^20 to 2^22 f32, they took 4 to 19 % longer, but of 16384 rows of 2048 25 % less.
inline constexpr int bulk_list_rounds = 2;
inline constexpr std::int64_t many_bulk_lists = 8;

// The threads of a block whose chunks go through a stage, or 0, where that gains nothing or two
// blocks do not fit with their chunks under way. What is in registers meanwhile is done sooner
// without in tiles of few rounds: of two or four, at 2^21 to 2^23 f32, lists took 1 to 13 % longer
// with it, of more up to 6 % less (an H200).
inline int threads_of_staged_lists(const ListStage& stage, const TilePlan& plan,
                                   const Situation& at) {
  const int width = at.device.wave_width;
  const auto most = static_cast<int>(bulk_list_bytes / stage.thread_bytes);
  const int threads =
      stage.in_bulk ? std::min(plan.launch.threads, most / width * width) : plan.launch.threads;
  const bool has_whole = at.length / core::chunk_elements >= width / at.team;  // for each team
  const bool gains =
      stage.in_bulk ? at.device.has_bulk_copies && has_whole &&
                          (plan.launch.blocks >= many_bulk_lists * at.device.multiprocessors ||
                           1 << plan.tile_shift >= bulk_list_rounds * plan.launch.threads / at.team)
                    : at.device.has_stages && has_many_rounds(plan, at);
  const std::size_t bytes = static_cast<std::size_t>(threads) * stage.thread_bytes +
                            list_further_bytes + stage.state_bytes;
  return gains && 2 * bytes <= at.device.shared_bytes ? threads : 0;
}

// A shape of rows with places of their own (rows_strided.hpp).
struct PlacedSituation {
  std::int64_t rows;
  std::int64_t length;    // of each; ragged: of the average, where that is known, else 0
  std::int64_t elements;  // ragged: of all rows, or more of them; 0: not known
  bool columns;           // neighbouring rows are nearer to each other than a row's elements
  bool ragged;
  bool blocks_may_share;  // ragged: there are rows long enough, or it is not known
  bool tabled;            // elements are where a table says, 8 bytes each; never if ragged
  Slabs slabs;            // of a row
  // Of a block of so many threads, for waves of such a width.
  std::size_t (*shared_bytes)(int threads, int wave_width, const Sharing& sharing, bool ragged);
  DeviceFacts device;
};

struct PlacedPlan {
  Sharing sharing;
  Launch launch;                   // but shared_bytes, which depends on the state
  std::int64_t second_blocks = 0;  // of a launch for the rows that blocks share
  int second_threads = 0;
  std::int64_t nodes = 0;
  std::int64_t counters = 0;
};

// A block's threads; fewer where the states of all of its rows, or a table for each of its warps,
// would not fit into the shared memory that every device gives a block.
inline constexpr int placed_threads = 256;
inline constexpr std::size_t shared_memory = 48 << 10;
inline constexpr int placed_warps = 32;  // for each multiprocessor, if there is work
// Of columns. With 16, those of 65536 x 2048 f64 took 9 % longer on an H200, of 2^24 x 3 7 %; with
// 32 16 and 22 % longer in f32, 8 and 13 % in f64.
inline constexpr int column_warps = 8;
inline constexpr int ragged_warps = 16;             // likewise, before rows get more threads
inline constexpr int one_sharer_elements = 16;      // of a row: a thread takes them all at once
inline constexpr int few_sharers_elements = 256;    // longer rows get a warp
inline constexpr int ragged_blocks = 64;            // for each multiprocessor, at most
inline constexpr int listed_warps = 32;             // likewise, of the list of shared rows
inline constexpr std::int64_t most_room = 1 << 20;  // entries of that
inline constexpr std::int64_t likely_room = 1 << 16;

// Ragged rows of at most so many elements on average: 2^shift threads share a row of up to
// `longest` elements; a longer one, found beside others by the same warp, gets that to itself.
// Measured on an H200 (shapes_bench, shifts 0 to 5 and longest 64 to 1024), share of the read
// limit, f32 / f64: mean 8: 19 / 29 %, and half of that with each shift more; 64: 34 / 44 (shift 2:
// 25 / 38, shift 0: 32 / 31); 1024: 66 / 84 (a warp for each from the start: 45 / 70); 65536: 49 /
// 66 (a warp: 70 / 84).
struct RaggedSharing {
  std::int64_t most_mean;
  int shift;
  std::int64_t longest;
};
inline constexpr RaggedSharing ragged_sharings[] = {{16, 0, 512}, {256, 1, 256}, {8192, 0, 64}};
inline constexpr std::int64_t likely_mean = 64;  // where it is not known

// The list of rows of more than 2^placed_tile_shift chunks: blocks of so many warps share it, of
// which each has 2^shift chunks of a tile at most. Small blocks do not wait for their last warp.
// Measured on an H200 (1 to 8 warps, shifts 0 to 4), f32 / f64, in us: mean 16384: 185 / 280 with 8
// warps and shift 4, 168 / 272 with 2 and 4; 65536: 167 / 278, 154 / 268; 300000: 156 / 268, 159 /
// 274, and 152 / 266 with 2 and 3; 4000000: 140 / 253, 137 / 254.
struct ListSharing {
  std::int64_t most_mean;
  int warps;
  int shift;
};
inline constexpr ListSharing list_sharings[] = {
    {16383, 8, 4}, {131072, 2, 4}, {1 << 20, 2, 3}, {INT64_MAX, 2, 4}};

inline std::int64_t mean_of(const PlacedSituation& at) {
  return at.length > 0 ? at.length : likely_mean;
}

// Of segments and batches: shift, and longest.
inline void share_ragged(const PlacedSituation& at, Sharing& sharing) {
  const int wave_width = at.device.wave_width;
  const std::int64_t mean = mean_of(at);
  const int whole_warp = ceil_shift(wave_width);
  sharing.shift = whole_warp;
  sharing.longest = core::chunk_elements;
  for (const RaggedSharing& each : ragged_sharings) {
    if (mean <= each.most_mean) {
      sharing.shift = each.shift;
      sharing.longest = each.longest;
      break;
    }
  }
  // More where that leaves multiprocessors without work.
  const std::int64_t enough = std::int64_t{ragged_warps} * at.device.multiprocessors * wave_width;
  while (sharing.shift < whole_warp && at.rows << sharing.shift < enough) {
    ++sharing.shift;
  }
}

// Segments that TinyFold takes. Measured on an H200 at 2^27 elements in all, sums of f32 / f64, us,
// tiles of so many rows: mean 16: 64 157 / 291, 32 170 / 295; mean 32: 32 163 / 306, 16 196 / 281;
// mean 64: 16 147 / 271, 8 180 / 280; mean 128: 16 149 / 318, 8 140 / 268; mean 256: 8 139 / 277,
// 4 149 / 278. Most of all counts that many warps fit on a multiprocessor (mean 8 of f32: 24 183,
// 20 195, 12 221), then that few tiles exceed their window: with windows of 1024 elements, for more
// warps, tiles of 8 rows of mean 128 took 164 / 291. Of a power law of mean 19: windows of 1536
// elements 226 of f32, of 1024 237. Since a block's warps take tiles in turn (on another H200):
// 210 and 226; of f64 with windows of 1536 elements for 8 warps 382, of 1024 for 12 342, mean 16
// 290 and 295. With 128 elements of a segment for four threads, not 256, 218 and 347; with 1024 212
// and 348. Tiles of fewer rows: 32 266 and 418, 48 248 and 359.
// Windows are for half a tile, but of those that may differ: where most rows are shorter than the
// mean, for some are very long, the tile fits. On an H200 one of them half of all 181 / 325 so 149
// / 270, mean 256 137 / 277 so 134 / 260, others as before, a power law 210 / 341 so 215 / 343.
inline constexpr std::int64_t tiny_most_mean = 2048;  // elements
inline constexpr std::int64_t tiny_thread_mean = 32;  // up to here a thread folds short ones alone
// A tile has at most so many elements on average, and bytes of all arrays; one of more than
// tiny_tall_rows rows fewer. It has tiny_least_rows at least, or the other number of rows of more
// than 4 bytes an element.
inline constexpr std::int64_t tiny_tile_elements = 1152;
inline constexpr std::int64_t tiny_tile_bytes = 9216;
inline constexpr std::int64_t tiny_tall_tile_bytes = 4608;
inline constexpr int tiny_tall_rows = 16;
inline constexpr int tiny_least_rows = 8;
inline constexpr int tiny_least_wide_rows = 4;
inline constexpr int tiny_warps[] = {24, 20, 16, 12, 8, 4};  // of a multiprocessor, not fewer
inline constexpr int tiny_block = 8;                         // warps, or half as many
inline constexpr std::int64_t tiny_block_bytes =
    1024 + 16;  // of shared memory that a block takes besides, and its counter of tiles
// Rows for each thread of one warp a multiprocessor: fewer are not worth two launches more.
inline constexpr int tiny_rounds = 64;
inline constexpr std::int64_t tiny_mean_of_rounds = 32;  // longer ones count as several
// Few elements on average may be many of few and some of many: above the first of these means, to
// the second, the largest tiles, and a window that holds a chunk.
inline constexpr std::int64_t tiny_plain_mean = 10;
inline constexpr std::int64_t tiny_differing_mean = 24;
inline constexpr int tiny_chunk_warps = 12;  // with it, at least
// Folds that are not light come here up to this mean: more was not measured for them.
inline constexpr std::int64_t tiny_heavy_mean = 256;
// Above this one a round is about a chunk; for fewer warps than so many PlacedFold is faster.
inline constexpr std::int64_t tiny_chunk_mean = 511;
inline constexpr int tiny_long_rows = 4;  // of a tile then, so that warps have alike many
inline constexpr int tiny_long_warps = 16;
// Sixteenths of the tiles that are dealt out to blocks, the others being taken by turns. All of
// them dealt out / 15 / 14 / 12 of 16, on an H200, f32: mean 8 181 / 180 / 184, 32 169 / 165 / 166
// / 166, 128 139 / 136 / 136 / 137, 256 137 / 133 / 133 / 134, a power law 216 / 212; f64: mean 8
// 315 / 312 / 315, 64 274 / 273, a power law 345 / 332.
inline constexpr int tiny_dealt = 15;
inline constexpr std::int64_t tiny_shared = 256;  // elements of a segment that four threads share,
                                                  // or four times the mean

struct TinySituation {
  std::int64_t rows;
  std::int64_t elements;       // of all rows, or more of them; 0: not known
  std::int64_t most_rows;      // that the kernel can count
  std::int64_t element_bytes;  // of all arrays
  int (*most_tile)(int wave_width);
  int (*warp_bytes)(const TinyTiles& tiles, int wave_width);
  int (*shared_bytes)(const TinyTiles& tiles, int warps, int wave_width);  // of a block
  DeviceFacts device;
  bool takes_long_rows;  // as long as a chunk, on average
  bool pairs_chunks;     // PlacedFold does, of such rows
};

struct TinyPlan {
  TinyTiles tiles;
  Launch launch;
  std::int64_t room = 0;         // for entries of rows that are left; none: by PlacedFold alone
  std::int64_t left_blocks = 0;  // of the launch for these,
  bool leaves_few = false;       // which is that of the rows that blocks share
};

// Elements that a tile of so many rows seldom exceeds. Of rows of 0 to twice the mean, each length
// as likely, 64 have 1.25 times as many as on average once in 3000 tiles, 8 have 1.5 times once in
// 140.
inline std::int64_t likely_window(int rows, std::int64_t mean) {
  const int percent = 125 + 8 * std::max(0, 6 - floor_shift(rows));
  return rows * mean * percent / 100 + 16;
}

// Whether enough warps fit whose windows hold a chunk.
inline bool holds_chunks(const TinySituation& at, TinyTiles tiles) {
  tiles.window = core::chunk_elements;
  const std::int64_t bytes =
      at.warp_bytes(tiles, at.device.wave_width) + tiny_block_bytes / tiny_block;
  return tiny_chunk_warps * bytes <= static_cast<std::int64_t>(at.device.shared_bytes);
}

// Whether tiles of half as many rows are better.
inline bool is_large_tile(int rows, std::int64_t mean, std::int64_t element_bytes) {
  const std::int64_t elements = rows * mean;
  const std::int64_t most = rows > tiny_tall_rows ? tiny_tall_tile_bytes : tiny_tile_bytes;
  return elements > tiny_tile_elements || elements * element_bytes > most;
}

// Rows of one length each, of a chunk or more, are better left to PlacedFold where it folds two
// chunks at once: there is nothing to even out. On an H200 2^27 elements of f32 in rows of 1024
// took 140 us so, 187 here.
inline bool are_pairs(const TinySituation& at, std::int64_t mean) {
  return at.pairs_chunks && mean >= core::chunk_elements && at.rows * mean == at.elements;
}

// Of segments that follow one another.
inline TinyPlan plan_tiny(const TinySituation& at) {
  const int wave_width = at.device.wave_width;
  const std::int64_t enough = std::int64_t{tiny_rounds} * wave_width * at.device.multiprocessors;
  const std::int64_t mean = at.rows > 0 ? ceil_divide(at.elements, at.rows) : 0;
  if (mean == 0 || mean > tiny_most_mean || at.rows > at.most_rows || are_pairs(at, mean) ||
      at.rows * std::max<std::int64_t>(1, mean / tiny_mean_of_rounds) < enough) {
    return {};
  }
  TinyPlan plan;
  TinyTiles& tiles = plan.tiles;
  tiles.rows = at.most_tile(wave_width);
  const bool is_long = mean > tiny_chunk_mean;
  const bool may_differ =
      mean > tiny_plain_mean && mean <= tiny_differing_mean && holds_chunks(at, tiles);
  if (mean > tiny_heavy_mean && !at.takes_long_rows) {
    return {};
  }
  const int least_rows = is_long                ? tiny_long_rows
                         : at.element_bytes > 4 ? tiny_least_wide_rows
                                                : tiny_least_rows;
  while (!may_differ && is_large_tile(tiles.rows, mean, at.element_bytes) &&
         tiles.rows > least_rows) {
    tiles.rows /= 2;
  }
  tiles.by_thread = mean <= tiny_thread_mean && tiles.rows >= wave_width;
  tiles.shared = static_cast<int>(std::max(tiny_shared, 4 * mean));
  std::int64_t wanted = likely_window(tiles.rows, mean);
  if (may_differ) {
    wanted = at.element_bytes > 4 ? std::int64_t{core::chunk_elements}
                                  : std::max<std::int64_t>(core::chunk_elements, wanted);
  } else if (is_long) {
    wanted = core::chunk_elements;
  } else if (tiles.rows < at.most_tile(wave_width)) {  // for the shorter ones among long ones
    tiles.half = tiles.rows;
    tiles.rows *= 2;
  }
  // The largest window with which most warps fit.
  for (const int warps : tiny_warps) {
    const int block = std::min(warps, warps >= 2 * tiny_block ? tiny_block : tiny_block / 2);
    const std::int64_t bytes =
        static_cast<std::int64_t>(at.device.shared_bytes) / warps - tiny_block_bytes / block;
    tiles.window = 0;
    const std::int64_t fits = (bytes - at.warp_bytes(tiles, wave_width)) / (2 * at.element_bytes);
    if (is_long && warps < tiny_long_warps) {
      return {};
    }
    if (fits >= wanted) {
      tiles.window = static_cast<int>(
          std::min({fits, 2 * wanted, std::int64_t{TinyTiles::most_window}}) / 32 * 32);
      tiles.chunks = tiles.window < core::chunk_elements ? 0 : tiny_most_chunks;
      plan.leaves_few = tiles.chunks > 0;
      // A tile leaves rows once, or once for each of its halves.
      plan.room = ceil_divide(at.rows, tiles.half > 0 ? tiles.half : tiles.rows);
      plan.launch.threads = block * wave_width;
      plan.launch.shared_bytes =
          static_cast<std::size_t>(at.shared_bytes(tiles, block, wave_width));
      plan.launch.blocks = std::min(ceil_divide(ceil_divide(at.rows, tiles.rows), block),
                                    std::int64_t{warps / block} * at.device.multiprocessors);
      plan.left_blocks = std::min(plan.room, std::int64_t{4} * at.device.multiprocessors);
      tiles.dealt =
          static_cast<int>(ceil_divide(at.rows, tiles.rows) * tiny_dealt / 16 / plan.launch.blocks);
      return plan;
    }
  }
  return {};
}

// Segments that LongSegmentsFold takes. Measured on an H200, 2^27 elements of f32 / f64, us, before
// and with it, when each warp had a share of the elements and no turns: mean 400 215 / 389 -> 156 /
// 272, mean 1024 154 / 278 -> 141 / 258, mean 65536 147 / 268 -> 142 / 263; mean 256, by TinyFold
// 139 / 277, took 221 / 345 so. As it is now: 137 / 250, 131 / 247, 138 / 252.
inline constexpr std::int64_t long_least_mean = 320;          // elements
inline constexpr std::int64_t long_least_elements = 1 << 15;  // for each multiprocessor
inline constexpr int long_block = 4;                          // warps
// Longer segments are listed: with 4 or 8 chunks, those of mean 65536 took 1 to 5 % longer, for a
// warp folds them one after the other. TinyFold, with 16, 8, 4 and 2 chunks, took 209, 205, 201 and
// 204 us of f32 for a power law of mean 19 (f64 335, 331, 331 and 336).
inline constexpr std::int64_t long_most_here = 2;
inline constexpr int long_most_in_tiny = 4;
// 2^3 chunks has a tile of the list, but of very long segments. With 2^2 and 2^4 mean 65536 took
// 141 and 138 of f32 where it took 137, of f64 257 and 254 where it took 252.
inline constexpr int long_tile_shift = 3;
// Sixteenths of the segments that are dealt out, then how many come by a turn at most, and turns
// for each warp, if there are as many. With 8 and 12 sixteenths mean 1024 took 132 and 134 where it
// took 131 (with turns of 8 segments 138), mean 400 141 and 136 where 136; mean 65536, 2034 of
// them, 141 with turns of 4.
inline constexpr int long_dealt = 10;
inline constexpr std::int64_t long_turn = 4;
inline constexpr std::int64_t long_turns = 8;

struct LongSituation {
  std::int64_t rows;
  std::int64_t elements;  // of all rows, or more of them; 0: not known
  std::size_t warp_bytes;
  DeviceFacts device;
};

struct LongPlan {
  bool is_there = false;
  LongTiles tiles;
  Launch launch;
};

// Whether LongSegmentsFold takes them all.
inline bool are_long(const LongSituation& at) {
  return at.rows > 0 && at.elements >= long_least_elements * at.device.multiprocessors &&
         at.elements / at.rows >= long_least_mean;
}

inline LongPlan plan_long(const LongSituation& at) {
  LongPlan plan;
  if (!at.device.has_bulk_copies) {
    return plan;
  }
  constexpr std::size_t kept = 1024;  // by the device, for each block
  const std::size_t block = long_block * at.warp_bytes;
  const auto blocks = static_cast<std::int64_t>((at.device.shared_bytes + kept) / (block + kept));
  if (blocks == 0) {
    return plan;
  }
  plan.is_there = true;
  plan.launch.threads = long_block * at.device.wave_width;
  plan.launch.shared_bytes = block;
  plan.launch.blocks = blocks * at.device.multiprocessors;
  const std::int64_t chunks = at.elements >> core::chunk_shift;
  const std::int64_t warps = plan.launch.blocks * long_block;
  plan.tiles.dealing = Dealing::of(
      at.rows, warps, long_dealt, at.device.wave_width,
      static_cast<int>(std::clamp<std::int64_t>(at.rows / (long_turns * warps), 1, long_turn)));
  plan.tiles.most_here = long_most_here;
  plan.tiles.shift = long_tile_shift;
  plan.tiles.room = std::min(most_room, (chunks >> long_tile_shift) + chunks / long_most_here + 1);
  return plan;
}

// Segments that follow one another: LongSegmentsFold takes them all, or TinyFold does and
// LongSegmentsFold what that leaves, or TinyFold and PlacedFold, or PlacedFold alone.
struct SegmentsPlan {
  TinyPlan tiny;
  LongPlan behind;
};
inline SegmentsPlan plan_segments(const TinyPlan& tiny, const LongSituation& at) {
  SegmentsPlan plan{tiny, {}};
  if (!are_long(at) && tiny.room == 0) {
    return plan;
  }
  plan.behind = plan_long(at);
  if (plan.behind.is_there && are_long(at)) {
    plan.tiny = {};
  } else if (plan.behind.is_there) {
    TinyTiles& tiles = plan.tiny.tiles;
    tiles.listed = long_most_in_tiny;
    tiles.chunks = std::min(tiles.chunks, long_most_in_tiny);
  }
  return plan;
}

// log2 of the threads that share a row.
inline int sharers_shift(const PlacedSituation& at) {
  const int whole_warp = ceil_shift(at.device.wave_width);
  if (!at.columns) {
    return at.length > few_sharers_elements
               ? whole_warp
               : std::clamp(ceil_shift(ceil_divide(at.length, one_sharer_elements)), 0,
                            placed_few_sharers);
  }
  // Columns: the rows of a warp side by side; more sharers only while there are too few warps, and
  // few, so that a warp's rows fill the sectors of the memory.
  int shift = std::max(0, whole_warp - ceil_shift(at.rows));
  const std::int64_t enough =
      std::int64_t{column_warps} * at.device.multiprocessors * at.device.wave_width;
  const std::int64_t chunks = core::chunk_count(at.length);
  while (shift < placed_few_sharers && at.length >> shift > one_sharer_elements &&
         (at.rows << shift) < enough / chunks) {
    ++shift;
  }
  return shift;
}

inline PlacedPlan plan_ragged(const PlacedSituation& at, PlacedPlan plan) {
  const int wave_width = at.device.wave_width;
  Sharing& sharing = plan.sharing;
  const ListSharing* list = list_sharings;
  while (mean_of(at) > list->most_mean) {
    ++list;
  }
  const int warps = std::min(plan.launch.threads / wave_width, list->warps);
  plan.second_threads = warps * wave_width;
  sharing.block_shift = ceil_shift(warps);
  sharing.list_shift = list->shift;
  // A row that is listed has at least so many elements for each of its tiles.
  const int least = std::min(placed_tile_shift, sharing.block_shift + sharing.list_shift - 1);
  const std::int64_t tile = std::int64_t{1} << (least + core::chunk_shift);
  sharing.room = at.elements > 0 ? std::min(at.elements / tile + 1, most_room) : likely_room;
  const std::int64_t all_warps = ceil_divide(at.rows, wave_width >> sharing.shift);
  plan.launch.blocks = std::min(ceil_divide(all_warps, plan.launch.threads / wave_width),
                                std::int64_t{ragged_blocks} * at.device.multiprocessors);
  if (at.blocks_may_share) {
    plan.second_blocks =
        std::min(sharing.room, std::int64_t{listed_warps / warps} * at.device.multiprocessors);
  } else {
    sharing.room = 0;
  }
  plan.nodes = sharing.room;
  plan.counters = sharing.room + 2;
  return plan;
}

inline PlacedPlan plan_placed(const PlacedSituation& at) {
  const int wave_width = at.device.wave_width;
  PlacedPlan plan;
  plan.sharing.tabled = at.tabled;
  if (at.ragged) {
    share_ragged(at, plan.sharing);
  } else {
    plan.sharing.shift = sharers_shift(at);
  }
  plan.launch.threads = placed_threads;
  while (plan.launch.threads > wave_width &&
         at.shared_bytes(plan.launch.threads, wave_width, plan.sharing, at.ragged) >
             shared_memory) {
    plan.launch.threads /= 2;
  }
  plan.sharing.block_shift = ceil_shift(plan.launch.threads / wave_width);
  if (at.ragged) {
    return plan_ragged(at, plan);
  }
  Sharing& sharing = plan.sharing;
  const int rows_a_warp = wave_width >> sharing.shift;
  const int warps = plan.launch.threads / wave_width;
  const std::int64_t chunks = core::chunk_count(at.length);
  const std::int64_t groups = ceil_divide(at.rows, rows_a_warp);
  const std::int64_t enough =
      std::int64_t{at.columns ? column_warps : placed_warps} * at.device.multiprocessors;
  const std::int64_t all = chunks > INT64_MAX / groups ? INT64_MAX : chunks * groups;
  sharing.tile_shift = std::min(placed_tile_shift, floor_shift(all / enough));
  const std::int64_t tiles = ceil_divide(chunks, std::int64_t{1} << sharing.tile_shift);
  sharing.warps_shift = std::min(sharing.block_shift, ceil_shift(tiles));
  sharing.tiles = ceil_divide(tiles, std::int64_t{1} << sharing.warps_shift);
  sharing.by_tiles = Divisor(sharing.tiles);
  sharing.sets = ceil_divide(groups, warps >> sharing.warps_shift);
  plan.launch.blocks = std::min(sharing.sets * sharing.tiles, most_blocks);
  plan.nodes = sharing.tiles > 1 ? at.rows * sharing.tiles : 0;
  plan.counters = sharing.tiles > 1 ? sharing.sets : 0;
  return plan;
}

// Rows side by side: short ones, of which a thread takes some at once (columns_per_thread.hpp), and
// long ones, of which a block takes tiles (columns_tiled.hpp).
struct ColumnsSituation {
  std::int64_t rows;
  std::int64_t length;
  bool columns;             // as in PlacedSituation
  std::int64_t least_long;  // elements of a row that blocks take tiles of
  std::int64_t read_again;  // bytes of an element that a second pass reads again; 0 without one
  int long_blocks;          // of those that take tiles, on a multiprocessor at once
  DeviceFacts device;
};

// Measured on an H200: blocks of 256 took up to 4 % longer; 8 of these for each multiprocessor up
// to 5, one round of them up to 15.
inline constexpr int short_column_threads = 128;
inline constexpr int short_column_warps = 4;    // for each multiprocessor, at least
inline constexpr int short_column_blocks = 64;  // likewise, at most

// Fewer rows leave threads idle that could share one.
inline bool are_short_columns(const ColumnsSituation& at) {
  return at.columns && at.length <= short_column_elements &&
         at.rows >=
             std::int64_t{short_column_warps} * at.device.wave_width * at.device.multiprocessors;
}

inline Launch plan_short_columns(const ColumnsSituation& at, int rows_at_once) {
  Launch launch;
  launch.threads = short_column_threads;
  launch.blocks = std::min(ceil_divide(at.rows, std::int64_t{rows_at_once} * launch.threads),
                           std::int64_t{short_column_blocks} * at.device.multiprocessors);
  return launch;
}

struct ColumnsPlan {
  ColumnTiles cut;
  Launch launch;  // but shared_bytes, which depends on the fold
  std::int64_t nodes = 0;
  std::int64_t counters = 0;
};

inline constexpr int columns_rows_shift = 6;  // of a tile, at most
inline constexpr int columns_narrowest = ceil_shift(columns_threads) - columns_parts_shift;
inline constexpr int columns_units = 3;        // tiles for each multiprocessor, at least
inline constexpr int columns_node_share = 16;  // of the chunks of all rows: the last block of a set
                                               // folds no more nodes than that part of them
inline constexpr std::int64_t columns_read_again = 128 * 1024;  // bytes of a tile's chunk

inline bool are_columns(const ColumnsSituation& at) {
  return at.columns && at.length >= at.least_long &&
         at.rows >= std::int64_t{1} << columns_rows_shift;
}

// The widest tiles, but where a second pass reads a chunk of them again: of all that run at once
// (two to a multiprocessor) these then are in the L2. (norm2 of 65536 x 2048 on an H200, tiles of
// 64, 32, 16 columns of f32: 260, 198, 265 us, 32 and 16 of f64: 477, 355; of 512 x 262144 203,
// 220, 377 and 335, 465.)
inline int columns_widest(const ColumnsSituation& at) {
  const std::int64_t row = at.read_again * std::min<std::int64_t>(at.length, core::chunk_elements);
  int shift = columns_rows_shift;
  while (shift > columns_narrowest && row << shift > columns_read_again) {
    --shift;
  }
  return shift;
}

// Of rows of one chunk: how wide tiles are done soonest, all blocks at once and as often as it
// takes; each time costs as much as 16 columns besides. (norm2 of f32, 300 x 5000, 10000, 14000, 64
// columns, 32, 16: -, 8.1, 11.7 us, 11.5, 12.1, 16.8, 11.7, 14.6, 22.3; sums of f32, 1000 x 10000:
// 13.3, 10.6, 15.5.)
inline int columns_width_of_one_chunk(const ColumnsSituation& at) {
  const std::int64_t at_once = std::int64_t{at.long_blocks} * at.device.multiprocessors;
  int best = columns_widest(at);
  const auto cost = [&](int shift) {
    const std::int64_t width = std::int64_t{1} << shift;
    return ceil_divide(ceil_divide(at.rows, width), at_once) * (width + 16);
  };
  for (int shift = best - 1; shift >= columns_narrowest; --shift) {
    best = cost(shift) < cost(best) ? shift : best;
  }
  return best;
}

// Of longer rows: the widest tiles of as many chunks as leave enough of them, and few nodes for
// each set's last block. (65536 x 2048 of f32 on an H200, tiles of 64 columns with 1, 2, 4, 8
// chunks: 146, 137, 133, 170 us; 2^20 x 128, of 64 columns with 4 chunks 156, of 32 with 8 141, of
// 16 with 16 162; a row of two chunks in one tile 129, in two 143.)
inline void cut_columns(const ColumnsSituation& at, std::int64_t chunks, ColumnTiles& cut) {
  const std::int64_t wanted = std::int64_t{columns_units} * at.device.multiprocessors;
  for (cut.rows_shift = columns_widest(at);; --cut.rows_shift) {
    cut.sets = ceil_divide(at.rows, std::int64_t{1} << cut.rows_shift);
    cut.chunks_shift = std::min(columns_chunks_shift, ceil_shift(chunks));
    const auto tiles = [&] { return ceil_divide(chunks, std::int64_t{1} << cut.chunks_shift); };
    while (cut.chunks_shift > 0 && cut.sets * tiles() < wanted) {
      --cut.chunks_shift;
    }
    cut.tiles = tiles();
    const std::int64_t nodes = cut.tiles > 1 ? cut.tiles << cut.rows_shift : 0;
    if (cut.rows_shift == columns_narrowest ||
        (cut.sets * cut.tiles >= wanted && nodes <= at.rows * chunks / columns_node_share)) {
      return;
    }
  }
}

inline ColumnsPlan plan_columns(const ColumnsSituation& at) {
  const std::int64_t chunks = core::chunk_count(at.length);
  ColumnsPlan plan;
  ColumnTiles& cut = plan.cut;
  if (chunks > 1) {
    cut_columns(at, chunks, cut);
  } else {
    cut.rows_shift = columns_width_of_one_chunk(at);
    cut.sets = ceil_divide(at.rows, std::int64_t{1} << cut.rows_shift);
  }
  cut.parts_shift = ceil_shift(columns_threads) - cut.rows_shift;
  cut.by_sets = Divisor(cut.sets);
  plan.launch.threads = columns_threads;
  plan.launch.blocks = std::min(cut.sets * cut.tiles, most_blocks);
  plan.nodes = cut.tiles > 1 ? at.rows * cut.tiles : 0;
  plan.counters = cut.tiles > 1 ? cut.sets : 0;
  return plan;
}

// Rows whose elements must be sought (rows_compacted.hpp).
struct PackedSituation {
  std::int64_t rows;
  std::int64_t length;  // of the longest row that may come
  int most_shift;       // of a tile's chunks
  bool has_runs;        // as in PackedPlaces
  bool is_joined;
  std::size_t warp_bytes;  // of shared memory
  int most_threads;        // of a multiprocessor, for registers
  DeviceFacts device;
  bool rows_first = false;    // as in RowUnits
  bool side_by_side = false;  // neighbouring rows' entries are, under a mask
};

struct PackedPlan {
  PackedTiles tiles;
  Launch launch;
  std::int64_t groups = 0;  // of nodes, for each row; none: tiles are rows
  Launch nodes_launch;      // but shared_bytes, which depends on the state
};

inline constexpr int packed_threads = 256;    // of a block, if its shared memory suffices
inline constexpr int least_packed_block = 4;  // warps, where fewer make no more fit at once
inline constexpr int runs_threads = 128;      // of boxes in runs (with 256: 1 to 4 % longer)
inline constexpr std::size_t packed_block_bytes =
    1024;                                 // of shared memory that a block takes besides
inline constexpr int packed_rounds = 16;  // of blocks, at most
inline constexpr int packed_node_threads = 512;

// How many tiles there are, and who takes them. Where a walk begins is found at once in a box of
// runs: a share is a tile there, and tiles that are folded at the same time lie near one another
// (with as many shares as there are warps, sums of f64 over interiors took 16 % longer on an H200,
// columns of f32 30 %). Of masks and joined arrays it must be sought: a share for each warp that
// runs, of so many tiles that shares are even, but of no more chunks than so many.
inline constexpr int runs_tiles = 8;    // for each warp, at least (times within 4 % from 4 to 16)
inline constexpr int mask_tiles = 16;   // likewise
inline constexpr int joined_tiles = 8;  // likewise
inline constexpr int runs_tile_shift = 2;  // but 2^2 chunks for a tile, if each warp then has one
inline constexpr int joined_rounds = 2;    // shares for each warp: arrays differ
inline constexpr int packed_share = 64;

// Blocks that a multiprocessor has at once, where registers suffice for so many threads.
inline std::int64_t blocks_at_once(const DeviceFacts& device, std::int64_t threads,
                                   std::size_t shared_bytes, int most_threads) {
  const auto fit = static_cast<std::int64_t>((device.shared_bytes + packed_block_bytes) /
                                             (shared_bytes + packed_block_bytes));
  return std::max<std::int64_t>(1, std::min(fit, most_threads / threads));
}

// The launch for the nodes of rows of more tiles than one.
inline void plan_nodes(std::int64_t rows, int wave_width, PackedPlan& plan) {
  plan.groups = ceil_divide(plan.tiles.most, std::int64_t{1} << packed_group_shift);
  plan.nodes_launch.blocks = std::min(rows * plan.groups, most_blocks);
  plan.nodes_launch.threads = node_threads(plan.tiles.most, wave_width, packed_node_threads);
}

// Warps that a multiprocessor has at once, by blocks of so many.
inline std::int64_t packed_warps(const PackedSituation& at, std::int64_t block) {
  return block * blocks_at_once(at.device, block * at.device.wave_width,
                                static_cast<std::size_t>(block) * at.warp_bytes, at.most_threads);
}
// So many of a block that there are most of them at once.
inline std::int64_t warps_of_packed_block(const PackedSituation& at) {
  // Of the threads that bound its registers at most half, as needs_registers asks.
  const int threads = std::min(at.has_runs ? runs_threads : packed_threads, at.most_threads / 2);
  const std::int64_t most = std::min<std::int64_t>(
      threads / at.device.wave_width, static_cast<std::int64_t>(shared_memory / at.warp_bytes));
  std::int64_t best = floor_power(std::max<std::int64_t>(1, most));
  for (std::int64_t block = best / 2; block >= least_packed_block; block /= 2) {
    best = packed_warps(at, block) > packed_warps(at, best) ? block : best;
  }
  return best;
}

// Shares of each of some rows under a mask: as many as all warps take in one round, if that leaves
// few of them without one; else a share for each, some in a second round. (512 rows of 2^18 entries
// on an H100, 3168 warps: sums of f32 317 us with 7 of each, 265 with 6.)
inline constexpr int even_eighths = 7;
inline std::int64_t even_shares(std::int64_t rows, std::int64_t all_warps) {
  const std::int64_t in_one_round = all_warps / rows;
  return 8 * in_one_round * rows >= even_eighths * all_warps ? in_one_round
                                                             : ceil_divide(all_warps, rows);
}

inline PackedPlan plan_packed(const PackedSituation& at) {
  const int wave_width = at.device.wave_width;
  const std::int64_t chunks = core::chunk_count(at.length);
  const std::int64_t block = warps_of_packed_block(at);
  const std::int64_t all_warps = packed_warps(at, block) * at.device.multiprocessors;
  const std::int64_t most_tile = std::int64_t{1} << at.most_shift;
  PackedPlan plan;
  PackedTiles& tiles = plan.tiles;
  tiles.most_shift = at.most_shift;
  std::int64_t all = 1;  // shares
  if (chunks > most_tile || (chunks > 1 && (at.rows == 1 || at.rows < all_warps))) {
    const int each = at.has_runs ? runs_tiles : at.is_joined ? joined_tiles : mask_tiles;
    tiles.enough = ceil_divide(each * all_warps, at.rows);
    if (at.has_runs) {
      tiles.enough = std::min(tiles.enough,
                              std::max(ceil_divide(all_warps, at.rows), chunks >> runs_tile_shift));
    }
    tiles.most = std::min(chunks, std::max(2 * tiles.enough, ceil_divide(chunks, most_tile)));
    // Of columns even shares are no better: f64 over yz took 1158 us on an H100, not 1043.
    const std::int64_t shares = at.is_joined      ? ceil_divide(all_warps * joined_rounds, at.rows)
                                : at.side_by_side ? ceil_divide(all_warps, at.rows)
                                                  : even_shares(at.rows, all_warps);
    const std::int64_t least = at.is_joined ? 1 : chunks / packed_share;
    // As many for each warp.
    all = at.has_runs ? tiles.most
                      : std::min(tiles.most, ceil_divide(std::max(shares, least), shares) * shares);
    plan_nodes(at.rows, wave_width, plan);
  }
  tiles.share(at.rows, all, at.rows_first);
  plan.launch.threads = static_cast<int>(block) * wave_width;
  plan.launch.shared_bytes = static_cast<std::size_t>(block) * at.warp_bytes;
  plan.launch.blocks = std::min(ceil_divide(at.rows * tiles.shares, block),
                                packed_rounds * ceil_divide(all_warps, block));
  return plan;
}

// Short rows under a mask (masked_row.hpp), side by side (masked_columns_per_block.hpp; of many
// masked_columns_per_thread.hpp) or in line (masked_rows_per_warp.hpp).
struct ShortMaskedSituation {
  std::int64_t rows;
  std::int64_t length;
  std::int64_t side_by_side;  // rows; 0: they do not lie so
  bool in_line;               // elements and entries of a row lie one after the other
  int columns;                // of a block
  int copies;                 // of a thread at once
  std::size_t (*column_bytes)(std::int64_t length, int threads);  // of a block's shared memory
  std::size_t (*line_bytes)(std::int64_t length);                 // of a warp's
  std::size_t lane_bytes;  // of a thread that has a row's lanes there; 0: the fold's cannot be
  DeviceFacts device;
};

struct ShortMaskedPlan {
  bool are_columns = false;
  bool are_lanes = false;
  bool are_lines = false;
  MaskedColumnCut cut;
  Launch launch;

  bool is_taken() const { return are_columns || are_lanes || are_lines; }
};

inline constexpr int masked_line_threads = 128;
inline constexpr int masked_column_threads = 256;        // of a block
inline constexpr std::int64_t least_masked_columns = 8;  // side by side
inline constexpr std::int64_t masked_columns_share = 4;  // of multiprocessors, one has a block
// Of a multiprocessor, there and at once, at least: fewer threads that go down a column each have
// too little on its way. (Chosen, not measured.)
inline constexpr std::int64_t masked_lanes_warps = 8;
inline constexpr std::size_t most_line_bytes = 64 << 10;  // of a block; else it has fewer warps

inline void plan_masked_columns(const ShortMaskedSituation& at, ShortMaskedPlan& plan) {
  plan.cut = MaskedColumnCut(at.rows, at.side_by_side, at.columns);
  // No more threads than have elements, but whole warps.
  const std::int64_t lines = ceil_divide(at.length, std::int64_t{at.copies});
  int threads = at.device.wave_width;
  while (threads < masked_column_threads && threads / at.columns < lines) {
    threads *= 2;
  }
  plan.launch.threads = threads;
  plan.launch.shared_bytes = at.column_bytes(at.length, threads);
  plan.launch.blocks = std::min(plan.cut.units, most_blocks);
  plan.are_columns = plan.cut.units * masked_columns_share >= at.device.multiprocessors &&
                     plan.launch.shared_bytes <= at.device.shared_bytes;
}

// Whole warps of a block, as many as have room.
inline void take_masked_warps(std::size_t bytes_of_warp, std::int64_t units,
                              const DeviceFacts& device, Launch& launch) {
  int warps = masked_line_threads / device.wave_width;
  while (warps > 1 && static_cast<std::size_t>(warps) * bytes_of_warp > most_line_bytes) {
    warps /= 2;
  }
  launch.threads = warps * device.wave_width;
  launch.shared_bytes = static_cast<std::size_t>(warps) * bytes_of_warp;
  launch.blocks = std::min(ceil_divide(units, std::int64_t{warps}), most_blocks);
}

inline void plan_masked_lanes(const ShortMaskedSituation& at, ShortMaskedPlan& plan) {
  const int width = at.device.wave_width;
  const std::size_t bytes_of_warp = at.lane_bytes * static_cast<std::size_t>(width);
  plan.are_lanes = at.lane_bytes > 0 &&
                   at.device.shared_bytes / bytes_of_warp >= masked_lanes_warps &&
                   at.rows >= masked_lanes_warps * width * at.device.multiprocessors;
  if (plan.are_lanes) {
    plan.cut = MaskedColumnCut(at.rows, at.side_by_side, width);
    take_masked_warps(bytes_of_warp, plan.cut.units, at.device, plan.launch);
  }
}

inline void plan_masked_lines(const ShortMaskedSituation& at, ShortMaskedPlan& plan) {
  take_masked_warps(at.line_bytes(at.length), at.rows, at.device, plan.launch);
  plan.are_lines = plan.launch.shared_bytes <= at.device.shared_bytes;
}

inline ShortMaskedPlan plan_short_masked(const ShortMaskedSituation& at) {
  ShortMaskedPlan plan;
  if (at.length <= core::chunk_elements && at.side_by_side >= least_masked_columns) {
    plan_masked_lanes(at, plan);
    if (!plan.are_lanes) {
      plan_masked_columns(at, plan);
    }
  } else if (at.length <= core::chunk_elements && at.in_line) {
    plan_masked_lines(at, plan);
  }
  return plan;
}

// Few columns (columns_interleaved.hpp).
struct FewColumnsSituation {
  std::int64_t rows;
  std::int64_t length;
  std::int64_t columns;     // rows that lie side by side; 0: not so, or other rows lie between them
  int lanes_at_once;        // of a thread
  std::int64_t read_again;  // as in ColumnsSituation
  bool tabled;              // as in PlacedSituation
  std::size_t shared_bytes;  // of a block
  int most_threads;          // of a multiprocessor, for registers
  DeviceFacts device;
};

struct FewColumnsPlan {
  FewColumns cut;
  PackedPlan packed{};
};

inline constexpr std::int64_t few_columns_length = 640;  // at least
inline constexpr std::int64_t few_columns_short = 128;   // likewise, of no more sets than
                                                         // multiprocessors
inline constexpr int few_columns_tiles = 8;  // for each block that fits, before they get larger
inline constexpr int few_columns_threads = 256;
inline constexpr int few_columns_rounds = 3;  // in which a block takes all lanes, at least
inline constexpr int few_columns_busy = 93;   // per cent of its threads, in all of them
// Bytes of the chunks of a multiprocessor's blocks that a second pass finds in the L2.
inline constexpr std::int64_t few_columns_read_again = 192 * 1024;

// (2^26 f32 in sets of 3 columns of 300 elements on an H200: sums 178 us, by PlacedFold 110; of 700
// 85 and 160. One set of them: 2.8 and 4.3.)
inline bool are_few_columns(const FewColumnsSituation& at) {
  if (at.columns == 0 || at.columns > most_few_columns || at.shared_bytes > shared_memory) {
    return false;
  }
  const bool is_alone = at.rows <= at.columns * at.device.multiprocessors;
  return at.length >= (is_alone ? few_columns_short : few_columns_length);
}

// Sums of f32 over 2^27 elements on an H200 (limit 120.5 us), in 3 and 5 columns by blocks of 32
// threads 133 and 139 us, in 9 and 17 by blocks of 256 156 and 150, by these 130, 131, 136 and 139.
// norm2 of f64 in 8 columns by blocks of 32 threads 490, of 256 291.
//
// As many threads as are busy in all rounds; more where shared memory would not suffice for as many
// blocks as registers do, or where a second pass then finds its elements in the L2.
inline int few_columns_block(const FewColumnsSituation& at) {
  const std::int64_t lanes = core::lanes * at.columns;
  const std::int64_t again = at.columns * at.read_again * core::chunk_elements;
  const auto is_busy = [&](std::int64_t threads) {
    const std::int64_t a_round = threads * at.lanes_at_once;
    const std::int64_t rounds = ceil_divide(lanes, a_round);
    return rounds >= few_columns_rounds && lanes * 100 >= rounds * a_round * few_columns_busy;
  };
  int threads = at.device.wave_width;
  for (int more = 2 * threads; more <= few_columns_threads; more *= 2) {
    const int blocks = at.most_threads / threads;
    const bool lacks = threads < at.columns || again * blocks > few_columns_read_again ||
                       at.shared_bytes * static_cast<std::size_t>(blocks) > at.device.shared_bytes;
    threads = lacks || is_busy(more) ? more : threads;
  }
  return threads;
}

inline FewColumnsPlan plan_few_columns(const FewColumnsSituation& at) {
  const int wave_width = at.device.wave_width;
  const std::int64_t chunks = core::chunk_count(at.length);
  const int threads = few_columns_block(at);
  FewColumnsPlan plan{FewColumns(static_cast<int>(at.columns), threads, wave_width)};
  FewColumns& cut = plan.cut;
  PackedPlan& packed = plan.packed;
  packed.launch.threads = threads;
  packed.launch.shared_bytes = at.shared_bytes;
  const std::int64_t all_blocks =
      at.device.multiprocessors *
      blocks_at_once(at.device, threads, at.shared_bytes, at.most_threads);
  cut.tabled = at.tabled;
  cut.sets = at.rows / at.columns;
  const auto tiles = [&](int shift) { return ceil_divide(chunks, std::int64_t{1} << shift); };
  while (cut.chunks_shift < few_columns_chunks_shift && tiles(cut.chunks_shift) > 1 &&
         cut.sets * tiles(cut.chunks_shift + 1) >= few_columns_tiles * all_blocks) {
    ++cut.chunks_shift;
  }
  cut.tiles = tiles(cut.chunks_shift);
  cut.by_tiles = Divisor(cut.tiles);
  packed.tiles.most_shift = cut.chunks_shift;  // and so many they are, whatever is enough
  packed.tiles.most = cut.tiles;
  packed.launch.blocks = std::min(cut.sets * cut.tiles, packed_rounds * all_blocks);
  if (cut.tiles > 1) {
    plan_nodes(at.rows, wave_width, packed);
  }
  return plan;
}

// Rows whose neighbours in memory are in neighbouring slabs, as in a box of another order than its
// memory. A line of slabs goes through shared memory, a block each (transposed_long.hpp).
struct LongSlabsSituation {
  std::int64_t rows;
  std::int64_t length;
  Slabs slabs;
  int slabs_of_block;
  std::int64_t threads;  // of a block
  std::size_t shared_bytes;
  int most_threads;  // of a multiprocessor, for registers
  DeviceFacts device;
};

struct LongSlabsPlan {
  LongSlabCut cut;
  PackedPlan packed;
};

inline constexpr std::int64_t least_slab_chunks = 2;  // of a slab of a line
inline constexpr int most_turns = 8;                  // of all blocks, of those that are tried
inline constexpr std::int64_t most_range_chunks = 1 << 20;  // then windows are counted in 32 bits

// Whether there are slabs to fill a line, and a block for each multiprocessor. (Of f32 100 x 100 x
// 100 took 69 us on an H100, by 8 blocks, and 16 chunk by chunk.)
inline bool are_long_slabs(const LongSlabsSituation& at) {
  const std::int64_t chunks = at.length / at.slabs_of_block >> core::chunk_shift;
  return at.slabs.length >= least_slab_chunks * core::chunk_elements &&
         4 * at.slabs.neighbours >= 3 * at.slabs_of_block &&
         at.rows * chunks >= at.device.multiprocessors;
}

inline LongSlabsPlan plan_long_slabs(const LongSlabsSituation& at) {
  LongSlabsPlan plan;
  LongSlabCut& cut = plan.cut;
  cut.length = at.slabs.length;
  cut.neighbours = at.slabs.neighbours;
  cut.sides = at.length / (cut.length * cut.neighbours);
  cut.lines = ceil_divide(cut.neighbours, std::int64_t{at.slabs_of_block});
  cut.nodes = core::chunk_count(at.length);
  const std::int64_t sets = at.rows * cut.sides * cut.lines;
  const std::int64_t all_blocks =
      at.device.multiprocessors *
      blocks_at_once(at.device, at.threads, at.shared_bytes, at.most_threads);
  // A range loads a chunk more than it folds: as many as take the least time in turns of all
  // blocks.
  const std::int64_t chunks = core::chunk_count(cut.length);
  std::int64_t least = INT64_MAX;
  for (int turns = 1; turns <= most_turns; ++turns) {
    const std::int64_t ranges = std::clamp<std::int64_t>(turns * all_blocks / sets, 1, chunks);
    const std::int64_t each = std::min(ceil_divide(chunks, ranges), most_range_chunks);
    const std::int64_t time =
        ceil_divide(sets * ceil_divide(chunks, each), all_blocks) * (each + 1);
    if (time < least) {
      least = time;
      cut.chunks = each;
    }
  }
  cut.ranges = ceil_divide(chunks, cut.chunks);
  cut.units = sets * cut.ranges;
  cut.by_sides = Divisor(cut.sides);
  cut.by_lines = Divisor(cut.lines);
  cut.by_ranges = Divisor(cut.ranges);
  PackedPlan& packed = plan.packed;
  packed.tiles.most_shift = 0;
  packed.tiles.most = cut.nodes;
  packed.launch.threads = static_cast<int>(at.threads);
  packed.launch.shared_bytes = at.shared_bytes;
  packed.launch.blocks = std::min(cut.units, most_blocks);
  plan_nodes(at.rows, at.device.wave_width, packed);
  return plan;
}

// Slabs of fewer elements: a block takes some chunks, and packs them (transposed_short.hpp).
struct ShortSlabsSituation {
  std::int64_t rows;
  std::int64_t length;
  Slabs slabs;
  std::int64_t element_bytes;                                    // of an array
  std::size_t chunk_bytes;                                       // of all
  std::size_t (*shared_bytes)(std::int64_t length, int chunks);  // of a block
  int most_threads;                                              // of a block
  DeviceFacts device;
};

struct ShortSlabsPlan {
  ShortSlabCut cut;
  PackedPlan packed;
};

inline constexpr std::int64_t slab_bytes = 32;       // a sector: steps between slabs are shorter
inline constexpr std::int64_t least_slabs = 4;       // chunks of a row, or slabs
inline constexpr std::int64_t least_short_slab = 8;  // elements
// Slabs of at most so many elements: a range of so many bytes is a block's, of so many threads.
// Measured on an H100, sums of f32 / f64, us, 2^27 elements but for 65536 x 2000, ranges of 32 KiB
// with 256 threads, 64 with 256, and 64 with 512: 8 columns 248 / 349, 240 / 353, 257 / 358; 64
// columns 210 / 350, 212 / 358, 222 / 374; 500 columns 271 / 455, 314 / 574, 257 / 432; 2000
// columns 477 / 896, 365 / 626, 326 / 597.
struct ShortSlabsRange {
  std::int64_t most_length;
  std::size_t bytes;
  int threads;
};
inline constexpr ShortSlabsRange short_slabs_ranges[] = {{256, 32 << 10, 256},
                                                         {INT64_MAX, 64 << 10, 512}};
inline constexpr int ranges_of_shared = 3;  // a multiprocessor has room for so many, but tables
inline constexpr std::int64_t least_ranges = 2;  // for each multiprocessor, if short ones do

inline ShortSlabsPlan plan_short_slabs(const ShortSlabsSituation& at) {
  ShortSlabsPlan plan;
  ShortSlabCut& cut = plan.cut;
  cut.length = at.slabs.length;
  cut.by_length = Divisor(cut.length);
  cut.mixed_bits = cut.length % 2 == 0 ? 31 : 0;
  cut.nodes = core::chunk_count(at.length);
  const ShortSlabsRange* range = short_slabs_ranges;
  while (cut.length > range->most_length) {
    ++range;
  }
  const std::size_t room = std::min(range->bytes, at.device.shared_bytes / ranges_of_shared);
  const std::int64_t each =
      at.rows * cut.nodes / (least_ranges * std::int64_t{at.device.multiprocessors});
  cut.chunks = static_cast<int>(std::clamp<std::int64_t>(
      std::min(static_cast<std::int64_t>(room / at.chunk_bytes), each), 1, cut.nodes));
  cut.ranges = ceil_divide(cut.nodes, std::int64_t{cut.chunks});
  cut.by_ranges = Divisor(cut.ranges);
  cut.units = at.rows * cut.ranges;
  PackedPlan& packed = plan.packed;
  packed.tiles.most_shift = 0;
  packed.tiles.most = cut.nodes;
  packed.launch.threads = std::min(range->threads, at.most_threads);
  packed.launch.shared_bytes = at.shared_bytes(cut.length, cut.chunks);
  packed.launch.blocks = std::min(cut.units, most_blocks);
  plan_nodes(at.rows, at.device.wave_width, packed);
  return plan;
}

// Of a slab whose elements share sectors a warp's loads use these well.
inline bool are_short_slabs(const ShortSlabsSituation& at) {
  return at.slabs.length >= least_short_slab && at.slabs.step * at.element_bytes >= slab_bytes &&
         at.slabs.length < least_slab_chunks * core::chunk_elements &&
         at.length >= least_slabs * core::chunk_elements &&
         at.rows * core::chunk_count(at.length) >= at.device.multiprocessors &&
         plan_short_slabs(at).packed.launch.shared_bytes <= at.device.shared_bytes;
}

// Others take theirs chunk by chunk: what a sector brings besides, other warps read at about the
// same time, from caches. (Before and since, on an H200, in us: sums of f32 over 8 x 10000000 with
// strides 1, 8 541 and 209; of two arrays that fit into the L2, 4000 x 4000, 403 and 475.)
struct SlabsPlan {
  PlacedPlan placed;
  PackedPlan packed;
};

inline constexpr std::int64_t least_slab = 128;  // elements; shorter ones are taken as they come

inline bool are_slabs(const PlacedSituation& at) {
  return !at.ragged && !at.columns && at.slabs.length >= least_slab &&
         at.length / at.slabs.length >= least_slabs &&
         at.length >= least_slabs * core::chunk_elements;
}

inline SlabsPlan plan_slabs(const PlacedSituation& at) {
  SlabsPlan plan{plan_placed(at), {}};
  Sharing& sharing = plan.placed.sharing;
  sharing.by_chunks = true;
  sharing.shift = ceil_shift(at.device.wave_width);
  sharing.tile_shift = 0;
  sharing.tiles = core::chunk_count(at.length);
  sharing.by_tiles = Divisor(sharing.tiles);
  sharing.slabs =
      at.slabs.length >= least_slab_chunks * core::chunk_elements ? at.length / at.slabs.length : 1;
  sharing.slab_chunks = sharing.tiles / sharing.slabs;
  sharing.by_slabs = Divisor(sharing.slabs);
  PackedPlan& packed = plan.packed;
  packed.tiles.most_shift = 0;
  packed.tiles.most = sharing.tiles;
  packed.launch.threads = plan.placed.launch.threads;
  const std::int64_t warps = packed.launch.threads / at.device.wave_width;
  packed.launch.blocks = std::min(ceil_divide(at.rows * sharing.tiles, warps), most_blocks);
  plan_nodes(at.rows, at.device.wave_width, packed);
  return plan;
}

// Boxes without a mask, whose elements lie in runs (strided_runs.hpp).
struct RunsSituation {
  std::int64_t rows;
  std::int64_t length;
  std::int64_t run;  // elements; 0: they do not lie side by side
  std::size_t element_bytes;
  DeviceFacts device;
};

// Bytes of a run, at least. (Sums of 2^20 runs on an H200, with this kernel and without: of 64 f32
// 86 and 135 us, of 96 117 and 187, of 64 f64 143 and 162; shorter ones were not tried.)
inline constexpr int least_run_bytes = 256;
inline constexpr int least_run_chunks = 4;  // of a row, and for each multiprocessor, at least

// A row that is one run has no ends to step over; few elements are folded sooner by one launch.
inline bool are_runs(const RunsSituation& at) {
  const std::int64_t chunks = core::chunk_count(at.length);
  return at.run >= least_run &&
         at.run * static_cast<std::int64_t>(at.element_bytes) >= least_run_bytes &&
         at.run < at.length && chunks >= least_run_chunks &&
         chunks * at.rows >= std::int64_t{least_run_chunks} * at.device.multiprocessors;
}

// What ran, in the words of the schedule.
inline isofold_schedule describe(const Plan& plan, const Situation& at) {
  isofold_schedule ran{};
  ran.blocks = static_cast<std::int32_t>(plan.launch.blocks);
  ran.warps = plan.launch.threads / at.device.wave_width;
  ran.wave_width = at.device.wave_width;
  if (plan.kernel == KernelKind::grid) {
    ran.chunks = std::max(1, plan.tile_chunks / ran.warps);
    ran.unit = plan.tiles > 1 ? -static_cast<std::int32_t>(plan.tiles) : plan.launch.threads;
  } else if (plan.kernel == KernelKind::rows) {
    ran.chunks = static_cast<std::int32_t>(core::chunk_count(at.length));
    ran.unit = plan.warp_a_row ? at.device.wave_width : at.team;
  } else if (plan.kernel == KernelKind::short_rows) {
    ran.chunks = 1;
    ran.unit = at.row_shapes.shape[plan.row_shape].team;
  }
  return ran;
}

}  // namespace isofold::gpu
