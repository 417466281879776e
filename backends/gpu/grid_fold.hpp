// The kernels: everything a reduction runs is one launch of one of them.
//   GridFold  a tile a block. One tile a row: the block writes the row's result. More: the block
//   that
//             arrives last at the row's counter folds the row's nodes and writes the result.
//   RowsFold  short rows, a team or a warp of threads a row.
// Each exists for wide and for narrow loads: four kernel bodies a fold and type. Where fences are
// slow, GridFold leaves the nodes and NodesFold follows: a second launch instead of the hand-over.
#pragma once

#include <backends/gpu/block_fold.hpp>

namespace isofold::gpu {

// The rows of a request and what becomes of their roots. An array is one row.
template <class Fold>
struct Rows {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;

  Fold fold;
  const Element* data;
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;
  void* result;
  bool write_state;  // the fold's state instead of the finished result

  ISOFOLD_DEVICE const Element* row(std::int64_t number) const { return data + number * stride; }
  ISOFOLD_DEVICE void write(std::int64_t number, const State& root) const {
    if (write_state) {
      static_cast<State*>(result)[number] = root;
    } else {
      static_cast<typename Fold::result_type*>(result)[number] = fold.finish(root, length);
    }
  }
};

template <class Fold, class LanesOf>
struct GridFold {
  using State = typename Fold::state_type;
  // 16 warps of 32, or 8 of 64. It also bounds the registers: 128 a thread on NVIDIA's.
  static constexpr int max_threads = 512;
  // Up to so many nodes for each thread of a warp, one warp folds them.
  static constexpr int few_nodes = 4;

  Rows<Fold> rows;          // length >= 1
  std::int64_t tiles;       // of a row
  int tile_shift;           // a tile has 2^tile_shift chunks
  int capacity;             // states in shared memory: at least a tile
  State* nodes;             // rows x tiles, when tiles > 1
  std::uint32_t* counters;  // a row each, all zero between launches, when tiles > 1; null: the
                            // nodes are left to NodesFold

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const BlockMemory<State> memory(group.shared(), capacity, Group::wave_width);
    const std::int64_t units = rows.rows * tiles;
    for (std::int64_t unit = group.block(); unit < units; unit += group.blocks()) {
      const std::int64_t row = rows.rows == 1 ? 0 : tiles == 1 ? unit : unit / tiles;
      const std::int64_t tile = unit - row * tiles;
      const std::int64_t first_chunk = tile << tile_shift;
      const std::int64_t chunks_left = core::chunk_count(rows.length) - first_chunk;
      const int chunks = chunks_left < std::int64_t{1} << tile_shift ? static_cast<int>(chunks_left)
                                                                     : 1 << tile_shift;
      State state = fold_tile<LanesOf>(group, rows.fold, memory, rows.row(row), rows.length,
                                       first_chunk, chunks);
      if (may_have_slow_fences<Group> && tiles > 1 && counters == nullptr) {
        if (group.thread() == 0) {
          nodes[row * tiles + tile] = state;
        }
      } else if (tiles > 1) {
        const State* const row_nodes = nodes + row * tiles;
        if (tiles <= few_nodes * Group::wave_width) {
          if (group.thread() < Group::wave_width &&
              hand_over(group, memory, row, tile, state, [&] { group.warp_barrier(); })) {
            const int count = static_cast<int>(tiles);
            write(group, row,
                  count <= Group::wave_width
                      ? fold_few_nodes<1>(group, rows.fold, row_nodes, count)
                      : fold_few_nodes<few_nodes>(group, rows.fold, row_nodes, count));
          }
        } else if (hand_over(group, memory, row, tile, state, [&] { group.barrier(); })) {
          write(group, row, fold_nodes(group, rows.fold, memory, capacity, row_nodes, tiles));
        }
      } else {
        write(group, row, state);
      }
      if (unit + group.blocks() < units) {
        group.barrier();  // the next tile writes the shared memory that the first warp has read
      }
    }
  }

 private:
  template <class Group>
  ISOFOLD_DEVICE void write(const Group& group, std::int64_t row, const State& root) const {
    if (group.thread() == 0) {
      rows.write(row, root);
    }
  }

  // Leaves the tile's node, held by the first thread; true for the row's last tile, and then every
  // node of the row can be read and the counter is zero again. All whom the barrier holds call: the
  // block, or the first warp alone, which needs no other where it can fold all nodes itself.
  template <class Group, class Barrier>
  ISOFOLD_DEVICE bool hand_over(const Group& group, const BlockMemory<State>& memory,
                                std::int64_t row, std::int64_t tile, const State& state,
                                Barrier&& barrier) const {
    if (group.thread() == 0) {
      nodes[row * tiles + tile] = state;
      const bool last = group.arrive(&counters[row]) == static_cast<std::uint32_t>(tiles - 1);
      if (last) {
        counters[row] = 0;
      }
      *memory.flag = last;
    }
    barrier();  // the next tile's barriers are between this read of the flag and its next write
    return *memory.flag != 0;
  }
};

// The nodes that GridFold left, a block a row, in a launch of its own.
template <class Fold>
struct NodesFold {
  using State = typename Fold::state_type;
  static constexpr int max_threads = 512;

  Rows<Fold> rows;
  std::int64_t tiles;  // of a row
  int capacity;        // states in shared memory
  const State* nodes;  // rows x tiles

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const BlockMemory<State> memory(group.shared(), capacity, Group::wave_width);
    for (std::int64_t row = group.block(); row < rows.rows; row += group.blocks()) {
      const State root = fold_nodes(group, rows.fold, memory, capacity, nodes + row * tiles, tiles);
      if (group.thread() == 0) {
        rows.write(row, root);
      }
    }
  }
};

// unit: the threads that share a row, a team or a warp. A row has at most as many chunks as a unit
// has threads; above that a block a row is faster anyway.
template <class Fold, class LanesOf>
struct RowsFold {
  using State = typename Fold::state_type;
  using Element = typename Fold::element_type;
  static constexpr int max_threads = 512;

  Rows<Fold> rows;  // length >= 1
  bool warp_a_row;

  static constexpr std::size_t shared_bytes(int threads) {
    return sizeof(State) * static_cast<std::size_t>(threads);
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    constexpr int teams_a_warp = Group::wave_width / LanesOf::team;
    const WarpPlace<Group> place(group);
    const int team = place.thread / LanesOf::team;
    const int thread = place.thread % LanesOf::team;
    const int rows_a_warp = warp_a_row ? 1 : teams_a_warp;
    const int teams_a_row = warp_a_row ? teams_a_warp : 1;
    const int row_of_warp = warp_a_row ? 0 : team;
    const int team_of_row = warp_a_row ? team : 0;
    const int thread_of_row = warp_a_row ? place.thread : thread;
    State* const states = static_cast<State*>(group.shared()) + group.thread() - thread_of_row;

    const int chunks = static_cast<int>(core::chunk_count(rows.length));
    const std::int64_t step = group.blocks() * place.warps * rows_a_warp;
    const std::int64_t first = (group.block() * place.warps + place.warp) * rows_a_warp;
    for (std::int64_t base = first; base < rows.rows; base += step) {
      const std::int64_t row = base + row_of_warp;
      // Teams without a row or a chunk read one that is there: all of the warp can take the path of
      // whole chunks then.
      const bool there = row < rows.rows;
      const Element* const data = rows.row(there ? row : base);
      State state = missing(rows.fold);
      for (int round = 0; round < chunks; round += teams_a_row) {
        const int chunk = round + team_of_row;
        const int end = round + teams_a_row < chunks ? round + teams_a_row : chunks;
        const std::int64_t offset = static_cast<std::int64_t>(chunk < end ? chunk : round)
                                    << core::chunk_shift;
        const std::int64_t left = rows.length - offset;
        const bool whole = static_cast<std::int64_t>(end) << core::chunk_shift <= rows.length;
        const int count =
            left > core::chunk_elements ? core::chunk_elements : static_cast<int>(left);
        state = fold_chunk<LanesOf>(group, rows.fold, data + offset, offset, count, whole, thread);
        if (chunks > 1 && thread == 0 && chunk < chunks) {
          states[chunk] = state;
        }
      }
      if (chunks > 1) {
        group.warp_barrier();
        state = thread_of_row < chunks ? states[thread_of_row] : missing(rows.fold);
        state = fold_nodes_of_warp(group, rows.fold, state, thread_of_row, chunks);
        group.warp_barrier();  // the next row writes what has just been read
      }
      if (there && thread_of_row == 0) {
        rows.write(row, state);
      }
    }
  }
};

// The result of no elements, for each row.
template <class Fold>
struct EmptyRows {
  static constexpr int max_threads = 256;
  Rows<Fold> rows;

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const std::int64_t step = group.blocks() * group.threads();
    for (std::int64_t row = group.block() * group.threads() + group.thread(); row < rows.rows;
         row += step) {
      static_cast<typename Fold::result_type*>(rows.result)[row] = rows.fold.empty();
    }
  }
};

}  // namespace isofold::gpu
