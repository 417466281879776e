// Plans for arrays and rows that lie in one stretch of memory each, for listed_rows.hpp:
// they cut chunks into tiles, and choose the numbers of blocks and threads, from tables of
// constants. Nothing here changes a bit; a request's schedule overrides any of it (conformance
// tests do).
#pragma once

#include <algorithm>

#include <backends/gpu/kernel/rows_in_registers.hpp>
#include <backends/gpu/kernel/rows_per_warp.hpp>
#include <backends/gpu/tuning/tuning_of.hpp>
#include <isofold/detail/gpu/tile_plan.hpp>

namespace isofold::gpu {

enum class KernelKind { empty, grid, rows, short_rows };

// A fold's cost class: its work for an array's elements.
enum class Work {
  sums,  // one number a lane in one pass, or as little of two arrays
  more,
  exponentials,  // more, and an exponential for each two states that are joined
  twice          // two passes, each of which loads the elements
};

// A launch depends on these besides the request: the case and the device.
struct RowsProblem {
  std::int64_t rows;
  std::int64_t length;
  int team;   // threads that share a chunk
  bool wide;  // wide loads
  TunedDevice device;
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

// This returns the tiling with tiles of so many chunks: no more teams than take them in as few
// rounds.
inline Tiling shared_evenly(Tiling tiling, std::int64_t tile, const RowsProblem& at) {
  const std::int64_t most_teams = std::max(1, tiling.threads / at.team);
  const std::int64_t rounds = ceil_divide(tile, most_teams);
  const std::int64_t threads = ceil_divide(tile, rounds) * at.team;
  const int wave_width = at.device.wave_width;
  tiling.rounds = static_cast<int>(rounds);
  tiling.threads = static_cast<int>(ceil_divide(threads, wave_width)) * wave_width;
  tiling.tile = tile;
  return tiling;
}

inline Tiling staged_tiling(const RowsProblem& at, std::int64_t chunks) {
  const StagedTuning& staged = at.device.tuning->staged;
  const RowsTuning& tuning = at.device.tuning->rows;
  const std::int64_t each = ceil_divide(chunks, at.device.multiprocessors);
  if (each * at.team <= staged.few_threads) {
    const int threads = std::max(1 << ceil_shift(each * at.team), staged.least_threads);
    return {0, std::min(at.staged_threads, threads), 0, 1};
  }
  if (each <= tuning.most_tile) {
    return {0, at.staged_threads, 1, 0};
  }
  const int warps = at.staged_threads / staged.blocks / at.device.wave_width;
  const int threads = std::max(1, warps) * at.device.wave_width;
  return {0, threads, 0, std::max(1, staged.tile * at.team / threads)};
}

inline Tiling bulk_tiling(const RowsProblem& at, std::int64_t chunks) {
  const StagedTuning& staged = at.device.tuning->staged;
  const RowsTuning& tuning = at.device.tuning->rows;
  const std::int64_t each = ceil_divide(chunks, at.device.multiprocessors);
  if (each * at.team <= staged.few_threads) {
    return staged_tiling(at, chunks);
  }
  const int threads =
      std::max(1, at.staged_threads / 2 / at.device.wave_width) * at.device.wave_width;
  if (each <= 2 * tuning.most_tile) {
    return {0, threads, 2, 0};
  }
  return {0, threads, 0, std::max(1, staged.bulk_tile * at.team / threads)};
}

// This tiles one array for more work than a sum's.
inline Tiling tiling_of_more(const RowsProblem& at, std::int64_t needed) {
  const RowsTuning& tuning = at.device.tuning->rows;
  for (const Tiling& one_round : tuning.one_round_tilings) {
    if (needed <= one_round.threads_needed) {
      return one_round;
    }
  }
  if (at.work == Work::exponentials && at.staged_threads == 0 &&
      needed > tuning.long_exponentials) {
    const std::int64_t waves = ceil_divide(needed, std::int64_t{tuning.most_tile} * at.team);
    return {0, tuning.long_exponentials_threads, static_cast<int>(waves), 0};
  }
  const int rounds = std::max(1, tuning.two_blocks_tile * at.team / tuning.two_blocks.threads);
  return needed <= tuning.two_blocks_at_once ? tuning.two_blocks
                                             : Tiling{0, tuning.two_blocks.threads, 0, rounds};
}
inline bool takes_tiling_of_more(const RowsProblem& at, std::int64_t needed) {
  const RowsTuning& tuning = at.device.tuning->rows;
  const StagedTuning& staged = at.device.tuning->staged;
  const std::int64_t most_staged =
      at.work == Work::exponentials ? tuning.two_blocks_at_once : staged.two_blocks_at_once;
  return at.rows == 1 && (at.work == Work::more || at.work == Work::exponentials) &&
         needed > tuning.tilings[0].threads_needed &&
         (at.staged_threads == 0 || needed <= most_staged);
}

// Few enough chunks for one block get a team each there, without counter or fence.
inline Tiling tiling_for(const RowsProblem& at, std::int64_t chunks, int most_threads) {
  const RowsTuning& tuning = at.device.tuning->rows;
  const StagedTuning& staged = at.device.tuning->staged;
  const int team = at.team;
  const int multiprocessors = at.device.multiprocessors;
  // (Of rows, which take what follows as a block's size, nothing was measured.)
  const bool is_staged_array = at.staged_threads > 0 && at.rows == 1;
  const int most_alone =
      is_staged_array ? std::min(most_threads, staged.alone_threads) : most_threads;
  if (chunks <= most_alone / team) {
    return {0, std::min(most_threads, (1 << ceil_shift(chunks)) * team), 0, 1};
  }
  const std::int64_t each = ceil_divide(chunks, multiprocessors);
  const Tiling* row = tuning.tilings.data();
  while (each > row->threads_needed / team) {
    ++row;
  }
  Tiling tiling = *row;
  const std::int64_t needed = each * team;
  if (at.rows == 1 && at.work == Work::twice && needed > tuning.long_to_read_twice && !at.in_bulk) {
    tiling = tuning.read_twice;
  } else if (takes_tiling_of_more(at, needed)) {
    tiling = tiling_of_more(at, needed);
  } else if (at.staged_threads > 0) {
    tiling = at.in_bulk ? bulk_tiling(at, chunks) : staged_tiling(at, chunks);
  }
  if (!at.wide && tiling.blocks != 1 && tiling.threads > tuning.narrow_threads) {
    tiling.threads /= 2;
    tiling.blocks *= 2;
    tiling.rounds *= 2;
  }
  if (tiling.blocks > 0) {
    const std::int64_t even = ceil_divide(chunks, std::int64_t{tiling.blocks} * multiprocessors);
    const int node = std::max(1, floor_power(even) / tuning.even_tile_nodes);
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
inline Plan plan_grid(const RowsProblem& at, const isofold_schedule& wish, int most_threads) {
  const RowsTuning& tuning = at.device.tuning->rows;
  const std::int64_t row_chunks = core::chunk_count(at.length);
  const int whole_row = 1 << std::min(ceil_shift(row_chunks), ceil_shift(tuning.most_tile));
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
    const int rounds = std::min(std::max(1, tiling.rounds), tuning.block_a_row_rounds);
    threads = floor_power(std::max<std::int64_t>(1, tile / rounds)) * at.team;
    threads = std::min(threads, at.wide && !two_each ? most_threads : tuning.narrow_threads);
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
    const std::int64_t enough = ceil_divide(chunks, std::int64_t{tuning.waves} * multiprocessors);
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
  plan.tile_chunks =
      std::min(tuning.most_tile,
               whole_nodes(static_cast<int>(std::min<std::int64_t>(tile, tuning.most_tile)),
                           at.device.wave_width));
  plan.tiles = ceil_divide(row_chunks, plan.tile_chunks);
  plan.grain_shift = ceil_shift(plan.tiles > 1 ? grain_of(plan.tile_chunks) : plan.tile_chunks);
  plan.row_nodes = ceil_divide(row_chunks, std::int64_t{1} << plan.grain_shift);
  plan.capacity = std::max(plan.tile_chunks, plan.tiles > 1 ? node_states : 1);
  const std::int64_t units = plan.tiles * at.rows;
  plan.launch.blocks = std::min(units, wish.blocks > 0 ? wish.blocks : most_blocks);
  plan.launch.threads = threads;
  return plan;
}

inline Plan plan_rows(const RowsProblem& at, const isofold_schedule& wish, bool warp_a_row,
                      int most_threads) {
  const RowsTuning& tuning = at.device.tuning->rows;
  const StagedTuning& staged = at.device.tuning->staged;
  const int wave_width = at.device.wave_width;
  const int unit = warp_a_row ? wave_width : at.team;
  Plan plan;
  plan.kernel = KernelKind::rows;
  plan.rows = at.rows;
  plan.warp_a_row = warp_a_row;
  const int block_threads = at.staged_threads > 0 ? staged.rows_threads : tuning.threads;
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

inline int rows_a_warp(const RowShape& shape, const RowsProblem& at) {
  return at.device.wave_width / shape.team * at.row_shapes.rows_a_team(shape);
}

inline Plan plan_short_rows(const RowsProblem& at, const isofold_schedule& wish, int most_threads) {
  const RowsTuning& tuning = at.device.tuning->rows;
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
      std::min<std::int64_t>(threads, wish.warps > 0 ? most_threads : tuning.threads));
  plan.launch.blocks =
      std::min(ceil_divide(warps, plan.launch.threads / wave_width),
               wish.blocks > 0 ? std::int64_t{wish.blocks}
                               : std::int64_t{tuning.short_blocks} * at.device.multiprocessors);
  return plan;
}

// A launch that a request's schedule asks for.
inline bool is_forced(const isofold_schedule& wish) {
  return wish.unit != 0 || wish.warps > 0 || wish.chunks > 0 || wish.blocks > 0;
}

// This tells whether rows of length >= 1 are short, and as many as a warp takes at once; or a unit
// smaller than a team asks for it.
inline bool are_short_rows(const RowsProblem& at, const isofold_schedule& wish) {
  return at.length <= most_short_elements &&
         (!is_forced(wish) || (wish.unit > 0 && wish.unit < at.team)) &&
         at.rows >= rows_a_warp(at.row_shapes.holding(at.length), at);
}

// A team or a warp a row: where rows have a chunk, or a few and rows alone keep the device busy, or
// the schedule asks for it.
enum class RowSharer { none, team, warp };
inline RowSharer sharer_of_rows(const RowsProblem& at, const isofold_schedule& wish) {
  const RowsTuning& tuning = at.device.tuning->rows;
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
  return row_chunks <= tuning.warp_chunks &&
                 at.rows / tuning.busy_warps >= at.device.multiprocessors
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

// This tells whether the folds of a list get one launch.
inline bool takes_lists(const RowsProblem& at) {
  const FusedTuning& fused = at.device.tuning->fused;
  return at.length > most_short_elements || at.rows <= fused.most_short_rows;
}

// How a list's chunks can go through shared memory (fused_ops.hpp).
struct ListStage {
  bool in_bulk;              // those that come in parts
  std::size_t thread_bytes;  // of chunks, for each thread
  std::size_t state_bytes;   // of a block
};

// This tells whether each team folds many chunks in a tile.
inline bool has_many_rounds(const TilePlan& plan, const RowsProblem& at) {
  const FusedTuning& fused = at.device.tuning->fused;
  return 1 << plan.tile_shift >= fused.least_rounds * plan.launch.threads / at.team;
}

// A block needs this besides, for its copies, its flag and the part that the device keeps, at
// most.
inline constexpr std::size_t list_further_bytes = 512;

// The threads of a block whose chunks go through a stage, or 0, where that gains nothing or two
// blocks do not fit with their chunks under way (docs/decisions/048).
inline int threads_of_staged_lists(const ListStage& stage, const TilePlan& plan,
                                   const RowsProblem& at) {
  const FusedTuning& fused = at.device.tuning->fused;
  const int width = at.device.wave_width;
  const auto most = static_cast<int>(fused.bulk_bytes / stage.thread_bytes);
  const int threads =
      stage.in_bulk ? std::min(plan.launch.threads, most / width * width) : plan.launch.threads;
  const bool has_whole = at.length / core::chunk_elements >= width / at.team;  // for each team
  const bool gains =
      stage.in_bulk
          ? at.device.has_bulk_copies && has_whole &&
                (plan.launch.blocks >= fused.many_bulk * at.device.multiprocessors ||
                 1 << plan.tile_shift >= fused.bulk_rounds * plan.launch.threads / at.team)
          : at.device.has_stages && has_many_rounds(plan, at);
  const std::size_t bytes = static_cast<std::size_t>(threads) * stage.thread_bytes +
                            list_further_bytes + stage.state_bytes;
  return gains && 2 * bytes <= at.device.shared_bytes ? threads : 0;
}

// This says what ran, in the words of the schedule.
inline isofold_schedule describe(const Plan& plan, const RowsProblem& at) {
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
