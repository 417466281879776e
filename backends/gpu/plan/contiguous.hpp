// Plans for arrays and rows that lie in one stretch of memory each, for execute_contiguous.hpp:
// they cut chunks into tiles, and choose the numbers of blocks and threads, from tables of
// constants. Nothing here changes a bit; a request's schedule overrides any of it (conformance
// tests do).
#pragma once

#include <algorithm>

#include <backends/gpu/kernel/rows_in_registers.hpp>
#include <backends/gpu/kernel/rows_per_warp.hpp>
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

// A launch that a request's schedule asks for.
inline bool is_forced(const isofold_schedule& wish) {
  return wish.unit != 0 || wish.warps > 0 || wish.chunks > 0 || wish.blocks > 0;
}

// Whether rows of length >= 1 are short, and as many as a warp takes at once; or a unit smaller
// than a team asks for it.
inline bool are_short_rows(const Situation& at, const isofold_schedule& wish) {
  return at.length <= most_short_elements &&
         (!is_forced(wish) || (wish.unit > 0 && wish.unit < at.team)) &&
         at.rows >= rows_a_warp(at.row_shapes.holding(at.length), at);
}

// A team or a warp a row: where rows have a chunk, or a few and rows alone keep the device busy (16
// warps a multiprocessor), or the schedule asks for it.
enum class RowSharer { none, team, warp };
inline RowSharer sharer_of_rows(const Situation& at, const isofold_schedule& wish) {
  const std::int64_t row_chunks = core::chunk_count(at.length);
  if (wish.unit > 0 && wish.unit <= at.device.wave_width && row_chunks <= wish.unit) {
    return wish.unit > at.team || row_chunks > at.team ? RowSharer::warp : RowSharer::team;
  }
  if (is_forced(wish)) {
    return RowSharer::none;
  }
  if (row_chunks == 1) {
    return RowSharer::team;
  }
  return row_chunks <= warp_row_chunks && at.rows / 16 >= at.device.multiprocessors
             ? RowSharer::warp
             : RowSharer::none;
}

inline Plan plan_empty(std::int64_t rows) {
  Plan plan;
  plan.rows = rows;
  plan.launch.threads = 256;
  plan.launch.blocks = std::min(ceil_divide(rows, 256), most_blocks);
  return plan;
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
