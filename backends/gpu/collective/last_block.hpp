// Rows that several blocks share, each with a tile, for every kernel that leaves nodes:
// is_last_block() elects the block that arrives last, and finish_rows() folds the nodes that all of
// them have left. ChunkCounter joins the chunk states of one row as they come.
#pragma once

#include <backends/gpu/input/contiguous.hpp>
#include <isofold/detail/gpu/block_fold.hpp>

namespace isofold::gpu {

inline constexpr int shared_row_states = 64;  // shared memory for nodes of other blocks

// States of neighbouring chunks, added one after the other, as a binary counter; the state of each
// level lies `apart` states from the next. One thread calls.
template <class Fold>
class ChunkCounter {
  using State = typename Fold::state_type;

 public:
  ISOFOLD_DEVICE ChunkCounter(State* states, int apart) : states_(states), apart_(apart) {}

  // Adds a node over 2^level chunks, of which `number`, a multiple of that, is the first.
  ISOFOLD_DEVICE void add(const Fold& fold, State node, std::int64_t number, int level = 0) const {
    for (; (number >> level & 1) != 0; ++level) {
      node = fold.combine(states_[level * apart_], node);
    }
    states_[level * apart_] = node;
  }
  // The root over `count` chunks: the states that are left join from the right.
  ISOFOLD_DEVICE State root(const Fold& fold, std::int64_t count) const {
    int level = 0;
    while ((count >> level & 1) == 0) {
      ++level;
    }
    State state = states_[level * apart_];
    for (++level; count >> level != 0; ++level) {
      if ((count >> level & 1) != 0) {
        state = fold.combine(states_[level * apart_], state);
      }
    }
    return state;
  }

 private:
  State* states_;
  int apart_;
};

// This tells whether the condition holds in all threads of the block. Nobody else reads or writes
// `words` of shared memory, one for each warp, meanwhile. Collective: every thread of the block
// must call.
template <class Group>
ISOFOLD_DEVICE bool all_of_block(const Group& group, std::uint32_t* words, bool condition) {
  const WarpPlace<Group> place(group);
  const bool holds = all_of_warp(group, condition);
  if (place.thread == 0) {
    words[place.warp] = holds ? 1 : 0;
  }
  group.barrier();
  std::uint32_t all = 1;
  for (int w = 0; w < place.warps; ++w) {
    all &= words[w];
  }
  return all != 0;
}

// True in all threads of the last of `count` blocks that count themselves; then their nodes can be
// read, and the counter is zero again. `flag` is a word of shared memory. Collective: every thread
// of the block must call.
template <class Group>
ISOFOLD_DEVICE bool is_last_block(const Group& group, int* flag, std::uint32_t* counter,
                                  std::int64_t count) {
  group.barrier();
  if (group.thread() == 0) {
    const bool last = group.arrive(counter) == static_cast<std::uint32_t>(count - 1);
    if (last) {
      *counter = 0;
    }
    *flag = last;
  }
  group.barrier();
  return *flag != 0;
}

// Folds nodes[0, count), 1 <= count <= wave_width squared, of device memory, as the aligned binary
// tree. Collective: every lane of the warp must call; its first thread gets the root.
template <class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type fold_nodes_by_warp(const Group& group, const Fold& fold,
                                                            const typename Fold::state_type* nodes,
                                                            int count) {
  constexpr int width = Group::wave_width;
  constexpr int batch = few_nodes<Fold> * width;
  const int thread = group.thread() % width;
  const int groups = (count + batch - 1) / batch;
  auto mine = missing(fold);
  for (int g = 0; g < groups; ++g) {
    const int left = count - g * batch;
    auto state = fold_few_nodes(group, fold, nodes + g * batch, left < batch ? left : batch);
    // The first threads alone have the root of fewer nodes, and thread g may be none of them.
    for (int distance = 1; left < batch && distance < width; distance *= 2) {
      const auto other = exchange(group, state, distance);
      state = chosen((thread & distance) != 0, other, state);
    }
    mine = chosen(thread == g, state, mine);
  }
  return fold_nodes_of_warp(group, fold, mine, thread, groups);
}

// Writes rows [first, end), of each of which nodes[row * tiles, (row + 1) * tiles) are there.
// Several threads share a row of few nodes, and each of them joins neighbours, so that a block
// folds all of its rows at once; a warp, or the block, folds a row of more (docs/decisions/026).
// Collective: every thread of the block must call.
template <class Group, class Fold>
ISOFOLD_DEVICE void finish_rows(const Group& group, const Rows<Fold>& rows,
                                const BlockMemory<typename Fold::state_type>& memory,
                                const typename Fold::state_type* nodes, std::int64_t tiles,
                                std::int64_t first, std::int64_t end) {
  constexpr int few = few_nodes<Fold>;
  const WarpPlace<Group> place(group);
  if (tiles <= few * Group::wave_width) {
    const int count = static_cast<int>(tiles);
    const int held = (count + few - 1) / few;
    const int team_shift = core::root_level(held);
    const int thread = group.thread() & ((1 << team_shift) - 1);
    const int at_once = group.threads() >> team_shift;
    for (std::int64_t base = first; base < end; base += at_once) {
      const std::int64_t row = base + (group.thread() >> team_shift);
      const std::int64_t read = row < end ? row : end - 1;
      auto root = join_neighbours(rows.fold, nodes + read * tiles, thread * few, count);
      root = fold_nodes_of_warp(group, rows.fold, root, thread, held);
      if (thread == 0 && row < end) {
        rows.write(row, root);
      }
    }
    return;
  }
  const bool by_warps = tiles <= Group::wave_width * Group::wave_width;
  for (std::int64_t row = by_warps ? first + place.warp : first; row < end;
       row += by_warps ? place.warps : 1) {
    const auto root =
        by_warps
            ? fold_nodes_by_warp(group, rows.fold, nodes + row * tiles, static_cast<int>(tiles))
            : fold_nodes(group, rows.fold, memory, shared_row_states, nodes + row * tiles, tiles);
    if ((by_warps ? place.thread : group.thread()) == 0) {
      rows.write(row, root);
    }
  }
}

}  // namespace isofold::gpu
