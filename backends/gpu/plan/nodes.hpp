// Functions that the plans of several kernels share: for rows of tiles whose nodes a second launch
// folds, and for the number of blocks that a multiprocessor has at once.
#pragma once

#include <algorithm>

#include <backends/gpu/input/compacted.hpp>
#include <backends/gpu/plan/kernel.hpp>

namespace isofold::gpu {

inline constexpr std::size_t shared_memory = 48 << 10;  // that every device gives a block
inline constexpr std::int64_t most_room = 1 << 20;      // entries of a list of tiles
inline constexpr std::size_t compacted_block_bytes =
    1024;  // of shared memory that a block takes besides

// The block of CombineNodes for a row of so many nodes: a thread each, as far as that goes.
inline int node_threads(std::int64_t nodes, int wave_width, int most_threads) {
  const std::int64_t wanted = ceil_divide(nodes, wave_width) * wave_width;
  return static_cast<int>(std::min<std::int64_t>(wanted, most_threads));
}

struct CompactedPlan {
  CompactedTiles tiles;
  Launch launch;
  std::int64_t groups = 0;  // of nodes, for each row; none: tiles are rows
  Launch nodes_launch;      // but shared_bytes, which depends on the state
};

// Blocks that a multiprocessor has at once, where registers suffice for so many threads.
inline std::int64_t blocks_at_once(const DeviceFacts& device, std::int64_t threads,
                                   std::size_t shared_bytes, int most_threads) {
  const auto fit = static_cast<std::int64_t>((device.shared_bytes + compacted_block_bytes) /
                                             (shared_bytes + compacted_block_bytes));
  return std::max<std::int64_t>(1, std::min(fit, most_threads / threads));
}

// The launch for the nodes of rows of more tiles than one.
inline void plan_nodes(std::int64_t rows, const TunedDevice& device, CompactedPlan& plan) {
  plan.groups = ceil_divide(plan.tiles.most, std::int64_t{1} << compacted_group_shift);
  plan.nodes_launch.blocks = std::min(rows * plan.groups, most_blocks);
  plan.nodes_launch.threads =
      node_threads(plan.tiles.most, device.wave_width, device.tuning->compacted.node_threads);
}

// Tiles, and if there is more than one to a row, the nodes of all of them and of groups of them.
inline std::size_t node_bytes(const Problem& problem, const CompactedPlan& plan) {
  const std::int64_t nodes = plan.groups > 0 ? problem.rows * plan.tiles.most : 0;
  return aligned(static_cast<std::size_t>(nodes) * problem.fold.state_bytes);
}
inline Needs needs_of_tiles(const Problem& problem, const CompactedPlan& plan) {
  const std::int64_t counters = plan.groups > 1 ? problem.rows : 0;
  return {node_bytes(problem, plan) +
              static_cast<std::size_t>(counters * plan.groups) * problem.fold.state_bytes,
          counters};
}

// The second launch for rows of more tiles than one.
template <class Platform, class Fold>
Status launch_nodes(const Call<Platform, Fold>& call, const CompactedPlaces& places,
                    const CompactedPlan& plan, typename Fold::state_type* nodes,
                    typename Fold::state_type* group_nodes) {
  using Nodes = CombineTiles<Fold, CompactedPlaces>;
  Launch size = plan.nodes_launch;
  size.shared_bytes = BlockMemory<typename Fold::state_type>::bytes(Nodes::shared_states,
                                                                    call.problem.device.wave_width);
  return call.launch(Nodes{call.rows, places, plan.tiles, plan.groups, Divisor(plan.groups), nodes,
                           group_nodes, call.counters},
                     size);
}

// launch_all(nodes) folds the tiles of rows of one length; then their nodes are folded.
template <class Platform, class Fold, class LaunchAll>
Status launch_tiles(const Call<Platform, Fold>& call, const CompactedPlan& plan,
                    LaunchAll&& launch_all) {
  using State = typename Fold::state_type;
  auto* const memory = static_cast<char*>(call.memory);
  auto* const nodes = plan.groups > 0 ? reinterpret_cast<State*>(memory) : nullptr;
  const Status launched = launch_all(nodes);
  if (!launched.ok() || nodes == nullptr) {
    return launched;
  }
  CompactedPlaces even;
  even.is_even = true;
  even.masked.length = call.problem.length;
  return launch_nodes(call, even, plan, nodes,
                      reinterpret_cast<State*>(memory + node_bytes(call.problem, plan)));
}

}  // namespace isofold::gpu
