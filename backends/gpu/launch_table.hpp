// Which kernel runs, with how many blocks and threads: the one place that holds launch numbers.
// Nothing here changes a bit; a request's schedule overrides any of it (conformance tests do).
#pragma once

#include <algorithm>

#include <backends/gpu/platform.hpp>
#include <isofold/core/tree.hpp>

namespace isofold::gpu {

// A block's threads, and how many chunks each of its teams folds: its tile is both, times the
// teams. A row of the table applies up to so many `threads_needed` for each multiprocessor, if
// every team folded one chunk.
struct Tiling {
  std::int64_t threads_needed;
  int threads;
  int rounds;
};

// Measured on an H200 (gpu_bench --tune): every tiling of 1 to 16 warps at 21 sizes, f32 and f64,
// in a graph and launched one by one; the best per size lie on these rows for both. Few chunks:
// each gets a team, each multiprocessor some. More: about one large block a multiprocessor, whose
// launch may overlap the work before it (that is worth 1.5 us between launches), and whose teams
// fold more and more chunks. Then two smaller ones, and beyond 1 GiB many, so that their ends even
// out.
inline constexpr Tiling tilings[] = {
    {64, 128, 1},   {256, 256, 1},   {512, 512, 1},    {1024, 512, 2},      {2048, 512, 4},
    {4096, 512, 8}, {8192, 512, 16}, {32768, 256, 32}, {INT64_MAX, 512, 8},
};
inline constexpr int first_large_row = 2;   // from here on, a block fills a multiprocessor or half
inline constexpr int most_tile = 512;       // states in shared memory: 4 KiB of 8 bytes each
inline constexpr int node_states = 256;     // shared memory for the nodes of other blocks
inline constexpr int short_row_rounds = 4;  // a block a row: enough teams for the row's few chunks
inline constexpr int rows_threads = 256;    // a block of RowsFold
inline constexpr int warp_row_chunks = 8;   // longer rows get a block

enum class KernelKind { empty, grid, rows };

// What the launch depends on besides the request: the case and the device.
struct Situation {
  std::int64_t rows;
  std::int64_t length;
  int team;  // threads that share a chunk
  DeviceFacts device;
};

struct Plan {
  KernelKind kernel = KernelKind::empty;
  Launch launch;  // but shared_bytes, which depends on the state
  std::int64_t tiles = 1;
  int tile_shift = 0;
  int capacity = 1;
  bool warp_a_row = false;
  std::int64_t nodes() const { return tiles > 1 ? tiles * rows : 0; }
  std::int64_t counters() const { return tiles > 1 ? rows : 0; }
  std::int64_t rows = 0;
};

inline int floor_power(std::int64_t value) {
  int power = 1;
  while (2LL * power <= value && power < (1 << 30)) {
    power *= 2;
  }
  return power;
}
inline int ceil_shift(std::int64_t value) { return core::root_level(value < 1 ? 1 : value); }

inline std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0); }

// Another tiling where the last wave of blocks would leave more than a tenth of the multiprocessors
// idle, as at 1.5 times a power of two; measured there.
inline Tiling evened(const Tiling& row, std::int64_t chunks, int team, int multiprocessors) {
  const std::int64_t blocks = ceil_divide(chunks, row.threads / team * row.rounds);
  const std::int64_t at_once = std::int64_t{multiprocessors} * (512 / row.threads);
  const std::int64_t idle = ceil_divide(blocks, at_once) * at_once - blocks;
  if (idle * 10 <= blocks) {
    return row;
  }
  if (blocks > at_once) {  // many: 2 % faster than few
    return {row.threads_needed, 512, 8};
  }
  // More and smaller, whose ends even out: 1 to 4 % faster, and more where few would be at work.
  if (row.rounds >= 16 || blocks * 10 < at_once * 7) {
    return {row.threads_needed, 128, row.rounds};
  }
  // As many, of half the threads: overlapped launches would crowd large ones on some
  // multiprocessors (10 % faster between launches, 1 % slower in a graph).
  return {row.threads_needed, 256, row.rounds * 2};
}

// Few enough chunks for one block get a team each there, without counter or fence.
inline Tiling tiling_for(std::int64_t chunks, int team, int multiprocessors, int most_threads) {
  if (chunks <= most_threads / team) {
    return {0, (1 << ceil_shift(chunks)) * team, 1};
  }
  const Tiling* row = tilings;
  while (chunks / multiprocessors > row->threads_needed / team) {
    ++row;
  }
  return row < tilings + first_large_row ? *row : evened(*row, chunks, team, multiprocessors);
}

// A tile a block; rows longer than a tile are shared by several blocks.
inline Plan plan_grid(const Situation& at, const isofold_schedule& wish, int most_threads) {
  const std::int64_t row_chunks = core::chunk_count(at.length);
  const int whole_row = std::min(ceil_shift(row_chunks), ceil_shift(most_tile));
  const std::int64_t chunks =  // saturating: the front has checked that all bytes can be addressed
      row_chunks > INT64_MAX / at.rows ? INT64_MAX : row_chunks * at.rows;
  const Tiling tiling = tiling_for(chunks, at.team, at.device.multiprocessors, most_threads);

  int tile_shift = ceil_shift(std::max(1, tiling.threads / at.team) * tiling.rounds);
  const bool short_row = whole_row < tile_shift;
  tile_shift = std::min({tile_shift, whole_row, ceil_shift(most_tile)});
  const int rounds = short_row ? std::min(tiling.rounds, short_row_rounds) : tiling.rounds;
  int threads = std::max(1, (1 << tile_shift) / rounds) * at.team;
  if (wish.unit > 0) {  // one block a row
    tile_shift = whole_row;
    threads = floor_power(wish.unit);
  } else if (wish.unit < 0) {  // at most that many blocks a row, as far as shared memory allows
    tile_shift =
        std::min(ceil_shift(ceil_divide(row_chunks, -static_cast<std::int64_t>(wish.unit))),
                 ceil_shift(most_tile));
  }
  if (wish.warps > 0) {
    threads = floor_power(wish.warps) * at.device.wave_width;
  }
  threads = std::clamp(threads, at.device.wave_width, most_threads);
  if (wish.chunks > 0) {
    const std::int64_t tile =
        std::int64_t{floor_power(wish.chunks)} * (threads / at.device.wave_width);
    tile_shift = std::min(ceil_shift(tile), ceil_shift(most_tile));
  }

  Plan plan;
  plan.kernel = KernelKind::grid;
  plan.rows = at.rows;
  plan.tile_shift = tile_shift;
  plan.tiles = ceil_divide(row_chunks, std::int64_t{1} << tile_shift);
  plan.capacity = std::max(1 << tile_shift, plan.tiles > 1 ? node_states : 1);
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
  const std::int64_t threads = wish.warps > 0
                                   ? std::int64_t{wish.warps} * wave_width
                                   : std::min<std::int64_t>(rows_threads, at.rows * unit);
  plan.launch.threads = static_cast<int>(std::clamp<std::int64_t>(
      ceil_divide(threads, wave_width) * wave_width, wave_width, most_threads));
  plan.launch.blocks = std::min(ceil_divide(at.rows, plan.launch.threads / unit),
                                wish.blocks > 0 ? wish.blocks : most_blocks);
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
  if (wish.unit > 0 && wish.unit <= wave_width && row_chunks <= wish.unit) {
    const bool warp_a_row = wish.unit > at.team || row_chunks > at.team;
    return plan_rows(at, wish, warp_a_row, most_threads);
  }
  const bool forced = wish.unit != 0 || wish.warps > 0 || wish.chunks > 0 || wish.blocks > 0;
  if (!forced && row_chunks == 1) {
    return plan_rows(at, wish, false, most_threads);
  }
  // A warp a row only where rows alone keep the device busy: 16 warps a multiprocessor.
  if (!forced && row_chunks <= warp_row_chunks && at.rows / 16 >= at.device.multiprocessors) {
    return plan_rows(at, wish, true, most_threads);
  }
  return plan_grid(at, wish, most_threads);
}

// What ran, in the words of the schedule.
inline isofold_schedule describe(const Plan& plan, const Situation& at) {
  isofold_schedule ran{};
  ran.blocks = static_cast<std::int32_t>(plan.launch.blocks);
  ran.warps = plan.launch.threads / at.device.wave_width;
  ran.wave_width = at.device.wave_width;
  if (plan.kernel == KernelKind::grid) {
    ran.chunks = std::max(1, (1 << plan.tile_shift) / ran.warps);
    ran.unit = plan.tiles > 1 ? -static_cast<std::int32_t>(plan.tiles) : plan.launch.threads;
  } else if (plan.kernel == KernelKind::rows) {
    ran.chunks = static_cast<std::int32_t>(core::chunk_count(at.length));
    ran.unit = plan.warp_a_row ? at.device.wave_width : at.team;
  }
  return ran;
}

}  // namespace isofold::gpu
