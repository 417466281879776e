// The kernel for arrays and long rows, in memory or made by a map, for the GPU backends and
// DeviceReducer: a tile of chunks a block. If a row has one tile, the block writes the row's
// result. If it has more, the block that arrives last at the row's counter folds the row's nodes
// and writes the result, all in one launch (docs/decisions/001).
#pragma once

#include <isofold/detail/gpu/block_fold.hpp>

namespace isofold::gpu {

// True for the last of `tiles` that arrive at the counter: every node that they have left can then
// be read, and the counter is zero again. Collective: every thread that the barrier holds must
// call, the first warp among them, which has left its nodes.
template <class Group, class Barrier>
ISOFOLD_DEVICE bool is_last_tile(const Group& group, int* flag, std::uint32_t* counter,
                                 std::int64_t tiles, Barrier&& barrier) {
  if (group.thread() < Group::wave_width) {
    group.warp_barrier();  // arrive() releases what the whole warp has written
  }
  if (group.thread() == 0) {
    const bool last = group.arrive(counter) == static_cast<std::uint32_t>(tiles - 1);
    if (last) {
      *counter = 0;
    }
    *flag = last;
  }
  barrier();  // the next tile's barriers are between this read of the flag and its next write
  return *flag != 0;
}

// Calls fold_all(are_few) in the last of `tiles`, to fold the `count` nodes of a row: in its first
// warp alone if they are few, which then waits for no other warp; else in the block. Collective:
// every thread of the block must call.
template <class Fold, class Group, class FoldAll>
ISOFOLD_DEVICE void in_last_tile(const Group& group, int* flag, std::uint32_t* counter,
                                 std::int64_t tiles, std::int64_t count, FoldAll&& fold_all) {
  if (count > few_nodes<Fold> * Group::wave_width) {
    if (is_last_tile(group, flag, counter, tiles, [&] { group.barrier(); })) {
      fold_all(std::false_type{});
    }
  } else if (group.thread() < Group::wave_width &&
             is_last_tile(group, flag, counter, tiles, [&] { group.warp_barrier(); })) {
    fold_all(std::true_type{});
  }
}

// The root of a row's nodes, `are_few` as in_last_tile() says.
template <bool are_few, class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type root_of_nodes(
    const Group& group, const Fold& fold, const BlockMemory<typename Fold::state_type>& memory,
    int capacity, const typename Fold::state_type* nodes, std::int64_t count) {
  if constexpr (are_few) {
    return fold_few_nodes(group, fold, nodes, static_cast<int>(count));
  } else {
    return fold_nodes(group, fold, memory, capacity, nodes, count);
  }
}

// This tells whether Rows' elements lie in memory as they are computed with.
template <class Rows>
inline constexpr bool are_in_memory = std::is_same_v<decltype(std::declval<const Rows&>().row(0)),
                                                     core::Elements<decltype(Rows::fold)>>;

// The way of Rows' chunks through shared memory, and the staged_threads and bulk_threads of its
// kernel. Rows whose elements are converted may have one of their own beside their type.
template <class Rows, class Lanes, bool in_memory = are_in_memory<Rows>>
struct StagedChunks {
  template <class Group>
  using Stage = NoStage;
  static constexpr int staged_threads = 0;
  static constexpr int bulk_threads = 0;
};
template <class Rows, class Lanes>
struct StagedChunks<Rows, Lanes, true> {
  using Fold = decltype(Rows::fold);
  template <class Group>
  using Stage = StageFor<Group, Fold, Lanes>;
  static constexpr int staged_threads = gpu::staged_chunk_threads<Fold, Lanes>();
  static constexpr int bulk_threads = gpu::bulk_chunk_threads<Fold, Lanes>();
};

// The kernel. Rows has `fold`, how many `rows` there are, the `length` of each, row(number), which
// state_of_chunk() takes, and write(number, root).
template <class Rows, class LanesOf>
struct ReduceByBlocks {
  using Fold = decltype(Rows::fold);
  using State = typename Fold::state_type;
  // 16 warps of 32, or 8 of 64: 128 registers a thread on NVIDIA's devices, fewer with a stage.
  static constexpr int max_threads = 512;
  using Chunks = StagedChunks<Rows, LanesOf>;

  Rows rows;           // length >= 1
  std::int64_t tiles;  // tiles of a row
  int tile_chunks;     // chunks of a tile: whole nodes
  int grain_shift;     // a node covers 2^grain_shift chunks; a tile has at most a warp's worth
  int capacity;        // states in shared memory: at least a tile
  State* nodes;        // nodes of all rows, when tiles > 1
  // one a row, all zero between launches, when tiles > 1; null: the nodes are left to CombineNodes
  std::uint32_t* counters;

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    // Shared memory begins with the stage, if there is one.
    using Stage = typename Chunks::template Stage<Group>;
    auto* const shared = static_cast<char*>(group.shared());
    Stage stage(group, shared);
    const BlockMemory<State> memory(shared + Stage::bytes(group.threads()), capacity,
                                    Group::wave_width);
    const std::int64_t units = rows.rows * tiles;
    for (std::int64_t unit = group.block(); unit < units; unit += group.blocks()) {
      const std::int64_t row = rows.rows == 1 ? 0 : tiles == 1 ? unit : unit / tiles;
      const std::int64_t tile = unit - row * tiles;
      const std::int64_t first_chunk = tile * tile_chunks;
      const std::int64_t row_chunks = core::chunk_count(rows.length);
      const std::int64_t chunks_left = row_chunks - first_chunk;
      const int chunks = chunks_left < tile_chunks ? static_cast<int>(chunks_left) : tile_chunks;
      const auto data = rows.row(row);
      const auto state_of_next = [&](const TeamChunk& chunk, const TeamChunk& next) {
        return state_of(group, rows.fold, stage, data, chunk, next);
      };
      const HeldNodes<State> held = fold_tile<LanesOf>(
          group, rows.fold, memory, rows.length, first_chunk, chunks, grain_shift, state_of_next);
      if (tiles == 1) {
        write(group, row, held.state);
      } else {
        State* const row_nodes = nodes + row * nodes_over(row_chunks);
        State* const own_nodes = row_nodes + (first_chunk >> grain_shift);
        leave(group, held, own_nodes, nodes_over(chunks));
        if (!may_have_slow_fences<Group> || counters != nullptr) {
          const std::int64_t count = nodes_over(row_chunks);
          in_last_tile<Fold>(group, memory.flag, &counters[row], tiles, count, [&](auto are_few) {
            write(group, row,
                  root_of_nodes<decltype(are_few)::value>(group, rows.fold, memory, capacity,
                                                          row_nodes, count));
          });
        }
      }
      if (unit + group.blocks() < units) {
        group.barrier();  // the next tile writes the shared memory that the first warp has read
      }
    }
  }

 private:
  template <class Group, class Stage, class Row>
  ISOFOLD_DEVICE static State state_of(const Group& group, const Fold& fold,
                                       [[maybe_unused]] Stage& stage, const Row& row,
                                       const TeamChunk& chunk,
                                       [[maybe_unused]] const TeamChunk& next) {
    if constexpr (is_stage<Stage>) {
      return state_of_staged_chunk<LanesOf>(group, fold, stage, row, chunk, next);
    } else {
      return state_of_chunk<LanesOf>(group, fold, row, chunk);
    }
  }

  template <class Group>
  ISOFOLD_DEVICE void write(const Group& group, std::int64_t row, const State& root) const {
    if (group.thread() == 0) {
      rows.write(row, root);
    }
  }

  ISOFOLD_DEVICE std::int64_t nodes_over(std::int64_t chunks) const {
    return (chunks + (std::int64_t{1} << grain_shift) - 1) >> grain_shift;
  }

  // Writes a tile's `count` nodes, which the first warp holds.
  template <class Group>
  ISOFOLD_DEVICE void leave(const Group& group, const HeldNodes<State>& held, State* own_nodes,
                            std::int64_t count) const {
    const int node = group.thread() >> held.shift;
    if (group.thread() < Group::wave_width && node << held.shift == group.thread() &&
        node < count) {
      own_nodes[node] = held.state;
    }
  }
};

template <class Rows, class LanesOf>
inline constexpr int staged_threads<ReduceByBlocks<Rows, LanesOf>> =
    StagedChunks<Rows, LanesOf>::staged_threads;
template <class Rows, class LanesOf>
inline constexpr int bulk_threads<ReduceByBlocks<Rows, LanesOf>> =
    StagedChunks<Rows, LanesOf>::bulk_threads;

// The kernel for the nodes that ReduceByBlocks left, a block a row, in a launch of its own
// (docs/decisions/046).
template <class Rows>
struct CombineNodes {
  using State = typename decltype(Rows::fold)::state_type;
  static constexpr int max_threads = 512;

  Rows rows;
  std::int64_t count;  // nodes of a row
  int capacity;        // states in shared memory
  const State* nodes;  // nodes of all rows

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const BlockMemory<State> memory(group.shared(), capacity, Group::wave_width);
    for (std::int64_t row = group.block(); row < rows.rows; row += group.blocks()) {
      const State root = fold_nodes(group, rows.fold, memory, capacity, nodes + row * count, count);
      if (group.thread() == 0) {
        rows.write(row, root);
      }
    }
  }
};

}  // namespace isofold::gpu
