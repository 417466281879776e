// Folds inside a block, for kernels: a tile of consecutive chunks, and nodes in shared or device
// memory. Chunk states wait in shared memory and are folded once, after all of the tile's chunks:
// there is no barrier in the stream of loads.
#pragma once

#include <isofold/detail/gpu/bulk_stage.hpp>

namespace isofold::gpu {

// The layout of a block's shared memory; the host asks for bytes(), the device carves it up.
template <class State>
struct BlockMemory {
  State* states;    // `capacity` states of chunks, or of nodes
  State* partials;  // a warp's worth of nodes over the states
  State* stack;     // nodes of finished segments, one a level
  int* flag;        // one word from the first thread to all

  static constexpr int stack_levels = 64;

  static constexpr std::size_t bytes(int capacity, int wave_width) {
    return sizeof(State) * static_cast<std::size_t>(capacity + wave_width + stack_levels) + 16;
  }
  ISOFOLD_DEVICE BlockMemory(void* shared, int capacity, int wave_width)
      : states(static_cast<State*>(shared)),
        partials(states + capacity),
        stack(partials + wave_width),
        flag(reinterpret_cast<int*>(stack + stack_levels)) {
    static_assert(alignof(State) <= 16, "Shared memory is aligned to 16 bytes.");
  }
};

// One warp folds up to this many nodes for each of its threads. States of one number join in a few
// cycles, so more of them are no loss.
template <class Fold>
inline constexpr bool has_number_states = std::is_arithmetic_v<typename Fold::state_type>;
template <class Fold>
inline constexpr int few_nodes = has_number_states<Fold> ? 8 : 4;

// The node over few_nodes of nodes[0, count), from number `first` on, or missing(). A thread joins
// neighbours before anything travels, because each state that travels costs more than a join
// (docs/decisions/002).
template <class Fold>
ISOFOLD_DEVICE typename Fold::state_type join_neighbours(const Fold& fold,
                                                         const typename Fold::state_type* nodes,
                                                         int first, int count) {
  constexpr int few = few_nodes<Fold>;
  typename Fold::state_type state[std::size_t{few}];
#pragma unroll
  for (int j = 0; j < few; ++j) {
    state[j] = first + j < count ? nodes[first + j] : missing(fold);
  }
#pragma unroll
  for (int distance = 1; distance < few; distance *= 2) {
#pragma unroll
    for (int j = 0; j < few; j += 2 * distance) {
      state[j] = join(fold, state[j], state[j + distance], false, first + j + distance < count);
    }
  }
  return state[0];
}

// Folds nodes[0, count), 1 <= count <= few_nodes * wave_width, as the aligned binary tree, up to
// nodes over `span` threads' worth each, without a barrier. The threads get nodes as those of
// fold_nodes_of_warp(). Collective: every lane of the warp must call.
template <class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type fold_few_nodes(const Group& group, const Fold& fold,
                                                        const typename Fold::state_type* nodes,
                                                        int count, int span = Group::wave_width) {
  constexpr int few = few_nodes<Fold>;
  const int thread = group.thread() % Group::wave_width;
  const auto state = join_neighbours(fold, nodes, thread * few, count);
  return fold_nodes_of_warp(group, fold, state, thread, (count + few - 1) / few, span);
}

// The nodes of a tile in the first warp: node t >> shift in every thread t whose low `shift` bits
// are zero. The other threads, and the other warps, hold something else.
template <class State>
struct HeldNodes {
  State state;
  int shift;
};

// Folds memory.states[0, count), 1 <= count <= wave_width squared, as the aligned binary tree, up
// to nodes over 2^grain_shift states each, at most wave_width of them; the first warp gets the
// nodes. Collective: every thread of the block must call, after a barrier that follows the writes.
// The caller needs a barrier before memory is written again. `memory` comes by value: choosing
// between members of a reference cost AMD's compiler the registers of all of them, so that every
// kernel had scratch memory.
template <class Group, class Fold>
ISOFOLD_DEVICE HeldNodes<typename Fold::state_type> fold_states(
    const Group& group, const Fold& fold, BlockMemory<typename Fold::state_type> memory, int count,
    int grain_shift) {
  constexpr int width = Group::wave_width;
  constexpr int width_shift = core::root_level(width);
  const WarpPlace<Group> place(group);
  // Larger states lose more by the neighbours' joins than they save by travelling less
  // (docs/decisions/002).
  if constexpr (has_number_states<Fold>) {
    constexpr int few_shift = core::root_level(few_nodes<Fold>);
    if (grain_shift >= few_shift && count <= few_nodes<Fold> * width) {
      grain_shift -= few_shift;
      const int span_shift = grain_shift < width_shift ? grain_shift : width_shift;
      return {place.warp == 0 ? fold_few_nodes(group, fold, memory.states, count, 1 << span_shift)
                              : missing(fold),
              grain_shift};
    }
  }
  const auto* source = memory.states;
  if (count > width) {
    const int groups = (count + width - 1) / width;
    const int node_shift = grain_shift < width_shift ? grain_shift : width_shift;
    for (int g = place.warp; g < groups; g += place.warps) {
      const int first = g * width;
      const int here = count - first < width ? count - first : width;
      auto state = place.thread < here ? memory.states[first + place.thread] : missing(fold);
      state = fold_nodes_of_warp(group, fold, state, place.thread, here, 1 << node_shift);
      if ((place.thread & ((1 << node_shift) - 1)) == 0) {
        memory.partials[(first + place.thread) >> node_shift] = state;
      }
    }
    group.barrier();
    source = memory.partials;
    count = (count + (1 << node_shift) - 1) >> node_shift;
    grain_shift -= node_shift;
  }
  auto state = missing(fold);
  if (place.warp == 0) {
    if (place.thread < count) {
      state = source[place.thread];
    }
    state = fold_nodes_of_warp(group, fold, state, place.thread, count,
                               1 << (grain_shift < width_shift ? grain_shift : width_shift));
  }
  return {state, grain_shift};
}

// A chunk on its way through a team of threads.
struct TeamChunk {
  int number;          // in the tile
  bool is_there;       // else the team reads its neighbour's chunk
  std::int64_t begin;  // the index of its first element in the row
  int count;           // its elements
  bool whole;          // this chunk, and those of all other teams of the warp, have 1024 elements
  int thread;          // this thread's number in its team
  bool is_first;       // it is the first that the team takes
};

// Calls fold_one(chunk, next) for the `chunks` chunks from chunk number `first_chunk` of a row of
// `length` elements; `next` is the chunk that the team takes after it, with no elements if there is
// none. Warps take neighbouring chunks in turn, so the block reads one contiguous stretch.
// Collective: every thread of the block must call.
template <class Lanes, class Group, class FoldOne>
ISOFOLD_DEVICE void for_chunks_of_tile(const Group& group, std::int64_t length,
                                       std::int64_t first_chunk, int chunks, FoldOne&& fold_one) {
  constexpr int teams_a_warp = Group::wave_width / Lanes::team;
  static_assert(teams_a_warp >= 1, "A team lies inside one warp.");
  const WarpPlace<Group> place(group);
  const int team = place.thread / Lanes::team;
  const std::int64_t begin = first_chunk << core::chunk_shift;
  const std::int64_t left = length - begin;
  const int whole_chunks =
      left >> core::chunk_shift < chunks ? static_cast<int>(left >> core::chunk_shift) : chunks;

  const int first = place.warp * teams_a_warp;
  const int step = place.warps * teams_a_warp;
  const auto chunk_at = [&](int base) {
    // A team without a chunk reads its neighbour's again, so that the whole warp can take the path
    // of whole chunks.
    const int chunk = base + team;
    const int source = chunk < chunks ? chunk : base;
    const std::int64_t offset = static_cast<std::int64_t>(source) << core::chunk_shift;
    const bool whole =
        (base + teams_a_warp < chunks ? base + teams_a_warp : chunks) <= whole_chunks;
    const int count = base >= chunks ? 0
                      : whole || left - offset > core::chunk_elements
                          ? core::chunk_elements
                          : static_cast<int>(left - offset);
    return TeamChunk{chunk,        chunk < chunks, begin + offset,
                     count,        whole,          place.thread % Lanes::team,
                     base == first};
  };
  for (int base = first; base < chunks; base += step) {
    fold_one(chunk_at(base), chunk_at(base + step));
  }
}

// The state of a chunk of a row in memory. Rows that are elsewhere have an overload of their own
// beside their type. Collective: every lane of the warp must call; every thread of the team gets
// the state.
template <class Lanes, class Group, class Fold, class OfRow>
ISOFOLD_DEVICE typename Fold::state_type state_of_chunk(const Group& group, const Fold& fold,
                                                        const core::Elements<OfRow>& row,
                                                        const TeamChunk& chunk) {
  const core::Elements<OfRow> x = row.from(chunk.begin);
  return fold_chunk<Lanes>(group, fold, core::Elements<Fold>{x.data, x.second}, chunk.begin,
                           chunk.count, chunk.whole, chunk.thread);
}

// state_of_chunk() of a row in memory whose chunks go through `stage`. The copy of a chunk begins
// when the one before it has been read.
template <class Lanes, class Group, class Fold, class AnyStage, class OfRow>
ISOFOLD_DEVICE typename Fold::state_type state_of_staged_chunk(const Group& group, const Fold& fold,
                                                               AnyStage& stage,
                                                               const core::Elements<OfRow>& row,
                                                               const TeamChunk& chunk,
                                                               const TeamChunk& next) {
  const auto begin = [&](const TeamChunk& begun) {
    const core::Elements<OfRow> x = row.from(begun.begin);
    stage.begin(group, x.data, x.second, begun.count, begun.thread);
  };
  if (chunk.is_first) {
    begin(chunk);
  }
  return fold_staged_chunk<Lanes>(group, fold, stage, chunk.begin, chunk.count, chunk.whole,
                                  chunk.thread, [&] {
                                    if (next.count > 0) {
                                      begin(next);
                                    }
                                  });
}

// Folds the tile of `chunks` chunks from chunk number `first_chunk` of a row of `length` elements;
// it begins and ends between nodes of 2^grain_shift chunks, except at the row's end. A chunk's
// state is state_of(chunk, the team's next one). Collective: every thread of the block must call;
// the first warp gets the tile's nodes, at most wave_width.
template <class Lanes, class Group, class Fold, class StateOf>
ISOFOLD_DEVICE HeldNodes<typename Fold::state_type> fold_tile(
    const Group& group, const Fold& fold, const BlockMemory<typename Fold::state_type>& memory,
    std::int64_t length, std::int64_t first_chunk, int chunks, int grain_shift,
    StateOf&& state_of) {
  const auto fold_one = [&](const TeamChunk& chunk, const TeamChunk& next) {
    const auto state = state_of(chunk, next);
    if (chunk.thread == 0 && chunk.is_there) {
      memory.states[chunk.number] = state;
    }
  };
  for_chunks_of_tile<Lanes>(group, length, first_chunk, chunks, fold_one);
  group.barrier();
  return fold_states(group, fold, memory, chunks, grain_shift);
}

// Folds nodes[0, count), count >= 1, of device memory, as the aligned binary tree. Collective:
// every thread of the block must call; the first thread gets the root. A segment is as many nodes
// as fit into shared memory once every warp has folded a few nodes for each of its threads; roots
// of segments join like a binary counter.
template <class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type fold_nodes(
    const Group& group, const Fold& fold, const BlockMemory<typename Fold::state_type>& memory,
    int capacity, const typename Fold::state_type* nodes, std::int64_t count) {
  constexpr int batch = few_nodes<Fold> * Group::wave_width;
  constexpr int whole_tree = 2 * core::root_level(Group::wave_width);
  const WarpPlace<Group> place(group);
  const std::int64_t segment = static_cast<std::int64_t>(capacity) * batch;
  auto root = missing(fold);
  std::int64_t number = 0;
  for (std::int64_t begin = 0; begin < count; begin += segment, ++number) {
    const int here = static_cast<int>(count - begin < segment ? count - begin : segment);
    const int groups = (here + batch - 1) / batch;
    group.barrier();  // the states of the last segment, or of the tile, have been read
    for (int g = place.warp; g < groups; g += place.warps) {
      const int left = here - g * batch;
      const auto state = fold_few_nodes(group, fold, nodes + begin + std::int64_t{g} * batch,
                                        left < batch ? left : batch);
      if (place.thread == 0) {
        memory.states[g] = state;
      }
    }
    group.barrier();
    root = fold_states(group, fold, memory, groups, whole_tree).state;
    if (count > segment && group.thread() == 0) {
      int level = 0;
      for (; (number >> level & 1) != 0; ++level) {
        root = fold.combine(memory.stack[level], root);
      }
      memory.stack[level] = root;
    }
  }
  if (count > segment && group.thread() == 0) {  // the nodes left on the stack fold from the right
    int level = 0;
    while ((number >> level & 1) == 0) {
      ++level;
    }
    root = memory.stack[level];
    for (++level; number >> level != 0; ++level) {
      if ((number >> level & 1) != 0) {
        root = fold.combine(memory.stack[level], root);
      }
    }
  }
  return root;
}

}  // namespace isofold::gpu
