// Launches of tiles of a power of two of chunks: how many chunks a tile, tiles a row, threads a
// block. They serve kernels that the tuned constants (backends/gpu/tuning) do
// not cover.
#pragma once

#include <algorithm>

#include <isofold/detail/core/tree.hpp>
#include <isofold/detail/gpu/platform.hpp>

namespace isofold::gpu {

inline int floor_power(std::int64_t value) {
  int power = 1;
  while (2LL * power <= value && power < (1 << 30)) {
    power *= 2;
  }
  return power;
}
constexpr int ceil_shift(std::int64_t value) { return core::root_level(value < 1 ? 1 : value); }
inline int floor_shift(std::int64_t value) { return ceil_shift(floor_power(value)); }
inline std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0); }

// Shared memory for the nodes of other blocks.
inline constexpr int node_states = 256;

struct TilePlan {
  Launch launch;           // without shared_bytes, which depends on the states
  std::int64_t tiles = 1;  // tiles of a row
  int tile_shift = 0;      // a tile, and its node, covers 2^tile_shift chunks
};

inline constexpr int tile_threads = 256;    // two such blocks fit: one loads, the other folds
inline constexpr int least_tile_shift = 2;  // for tiles that do not hold the row
inline constexpr int most_tile_shift = 7;   // states of 8 folds, or of 64 bytes, fit into 48 KiB

// Plans rows of `length` >= 1 elements each; `team` threads take a chunk. A tile has 2^most_shift
// chunks at most, and 2^least_shift at least if a row has as many.
inline TilePlan plan_tiles(std::int64_t rows, std::int64_t length, int team,
                           const DeviceFacts& device, int most_threads,
                           int most_shift = most_tile_shift, int least_shift = least_tile_shift) {
  const std::int64_t chunks = core::chunk_count(length);
  const int row_shift = ceil_shift(std::min<std::int64_t>(chunks, std::int64_t{1} << 30));
  const std::int64_t each = std::max<std::int64_t>(1, chunks / device.multiprocessors * rows);
  TilePlan plan;
  plan.tile_shift = std::min(row_shift, std::clamp(floor_shift(each), least_shift, most_shift));
  plan.tiles = ceil_divide(chunks, std::int64_t{1} << plan.tile_shift);
  plan.launch.threads =
      std::clamp(team << plan.tile_shift, device.wave_width, std::min(tile_threads, most_threads));
  plan.launch.blocks = std::min(rows * plan.tiles, most_blocks);
  return plan;
}

}  // namespace isofold::gpu
