// The kernel for rows of any shape. A row is shared by a power of two of neighbouring threads, its
// sharers: few where rows lie side by side (columns) or are short, a warp where a row is one
// stretch. Sharer t of s takes the lanes t, t + s, t + 2s, ... of each chunk.
#pragma once

#include <backends/gpu/block_fold.hpp>
#include <backends/gpu/places.hpp>
#include <backends/gpu/rows.hpp>

namespace isofold::gpu {

// A tile of a ragged row that blocks share.
struct SharedTile {
  std::int64_t row;  // negative: none
  std::int64_t tile;
};

// The low `bits` bits of n < 64 in reverse: the order in which halving joins lanes.
ISOFOLD_DEVICE inline int reversed(int n, int bits) {
  const int all =
      (n & 1) << 5 | (n & 2) << 3 | (n & 4) << 1 | (n & 8) >> 1 | (n & 16) >> 3 | (n & 32) >> 5;
  return all >> (6 - bits);
}

// A chunk as its sharers see it.
template <class Fold>
struct PlacedChunk {
  core::Elements<Fold> data;
  Cursor<Fold::arrays> cursor;
  std::int64_t begin;  // in its row
  int count;           // of its elements; none: it is not there
  int thread;          // of its sharers
  int shift;           // 2^shift of them
  int lane_bits;       // each has 2^lane_bits lanes
};

// Loads the chunk's elements index[s] to x[a][s]. Every index is inside the chunk.
template <class Group, class Fold>
ISOFOLD_DEVICE void load_placed(const Group& group, const Places& places,
                                const PlacedChunk<Fold>& chunk, const int (&index)[placed_loads],
                                typename Fold::element_type (&x)[Fold::arrays][placed_loads]) {
  using Element = typename Fold::element_type;
  const Element* const arrays[] = {chunk.data.data, chunk.data.second};
  if (places.shape == ISOFOLD_SHAPE_gather) {
    std::int64_t at[placed_loads];
#pragma unroll
    for (int s = 0; s < placed_loads; ++s) {
      at[s] = places.index(group, chunk.begin + index[s]);
    }
#pragma unroll
    for (int s = 0; s < Fold::arrays * placed_loads; ++s) {
      x[s / placed_loads][s % placed_loads] =
          group.template load<Element, 1>(arrays[s / placed_loads] + at[s % placed_loads]).value[0];
    }
  } else {
#pragma unroll
    for (int s = 0; s < Fold::arrays * placed_loads; ++s) {
      const int a = s / placed_loads;
      const std::int64_t at = chunk.cursor.offset(a, index[s % placed_loads]);
      x[a][s % placed_loads] = group.template load<Element, 1>(arrays[a] + at).value[0];
    }
  }
}

// Nodes over a thread's lanes, as they are finished: a binary counter in registers.
template <class Lane>
struct LaneNodes {
  static constexpr int levels = 6;  // over 64 lanes
  Lane node[levels];

  // Adds a node over 2^level lanes whose first one has number n; there(m) tells whether the lane of
  // number m exists. Returns the highest node that this completes.
  template <int level, class Fold, class There>
  ISOFOLD_DEVICE Lane add(const Fold& fold, const Lane& right, int n, There&& there) {
    if constexpr (level < levels) {
      if ((n >> level & 1) != 0) {
        const Lane joined = join(fold, node[level], right, false, there(n >> level << level));
        return add<level + 1>(fold, joined, n, there);
      }
      node[level] = right;
    }
    return right;
  }
};

// What a pass makes of a chunk of at most 64 * rows elements. All of the warp call, with the same
// shift and lane_bits; every sharer gets the chunk's value.
template <int rows, class Group, class Fold, class Pass>
ISOFOLD_DEVICE core::LaneOf<Pass> pass_over(const Group& group, const Places& places,
                                            const PlacedChunk<Fold>& chunk, const Pass& pass) {
  using Lane = core::LaneOf<Pass>;
  constexpr int held = placed_loads / rows;  // lanes
  constexpr int held_level = core::root_level(held);
  const LaneFold<Pass> fold{pass};
  const int mine = 1 << chunk.lane_bits;
  const auto lane_of = [&](int n) {
    return n < mine ? chunk.thread + (reversed(n, chunk.lane_bits) << chunk.shift)
                    : core::chunk_elements;
  };
  const auto there = [&](int n) { return lane_of(n) < chunk.count; };
  Lane root = missing(fold);
  LaneNodes<Lane> nodes;
  for (Lane& node : nodes.node) {
    node = root;
  }
#pragma unroll 1
  for (int n = 0; n < mine; n += held) {
    typename Fold::element_type x[Fold::arrays][placed_loads];
    Lane lane[held];
#pragma unroll
    for (int j = 0; j < held; ++j) {
      lane[j] = missing(fold);
    }
    int index[placed_loads];
#pragma unroll
    for (int s = 0; s < placed_loads; ++s) {
      index[s] = lane_of(n + s / rows) + s % rows * core::lanes;
    }
#pragma unroll
    for (int s = 0; s < Fold::arrays * placed_loads; ++s) {
      x[s / placed_loads][s % placed_loads] = anything<typename Fold::element_type>(chunk.thread);
    }
    if (chunk.count > 0) {  // a missing element is the chunk's first once more
      int inside[placed_loads];
#pragma unroll
      for (int s = 0; s < placed_loads; ++s) {
        inside[s] = index[s] < chunk.count ? index[s] : 0;
      }
      load_placed(group, places, chunk, inside, x);
    }
    loads_issued(group);  // all of them are in flight before the first is used
#pragma unroll
    for (int s = 0; s < placed_loads; ++s) {
      Lane next;
      const auto value = core::value_of<Pass>(x[0][s]);
      if constexpr (Fold::arrays == 2) {
        next = taken(pass, s % rows == 0, lane[s / rows], index[s], value,
                     core::value_of<Pass>(x[1][s]));
      } else {
        next = taken(pass, s % rows == 0, lane[s / rows], index[s], value);
      }
      lane[s / rows] = chosen(index[s] < chunk.count, next, lane[s / rows]);
    }
#pragma unroll
    for (int step = 1; step < held; step *= 2) {
#pragma unroll
      for (int j = 0; j < held; j += 2 * step) {
        lane[j] = join(fold, lane[j], lane[j + step], false, there(n + j + step));
      }
    }
    root = nodes.template add<held_level>(fold, lane[0], n, there);
  }
  for (int distance = 1 << chunk.shift >> 1; distance >= 1; distance /= 2) {
    const auto other = exchange(group, root, distance);
    root = join(fold, root, other, (chunk.thread & distance) != 0,
                (chunk.thread & (distance - 1)) + distance < chunk.count);
  }
  return root;
}

// The state of a chunk. All of the warp call; no chunk of theirs has more than `most` elements.
template <class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type fold_placed_chunk(const Group& group, const Fold& fold,
                                                           const Places& places,
                                                           PlacedChunk<Fold> chunk, int most) {
  const int lane_bits = core::root_level(most < core::lanes ? most : core::lanes) - chunk.shift;
  chunk.lane_bits = lane_bits < 0 ? 0 : lane_bits;
  return state_by_passes(fold, chunk.begin, chunk.count, [&](const auto& pass) {
    if (most <= core::lanes) {
      return pass_over<1>(group, places, chunk, pass);
    }
    if (most <= 4 * core::lanes) {
      return pass_over<4>(group, places, chunk, pass);
    }
    return pass_over<core::rows_per_chunk>(group, places, chunk, pass);
  });
}

// The largest of the values of all threads of the warp. All of the warp call.
template <class Group>
ISOFOLD_DEVICE int largest_of_warp(const Group& group, int value) {
  for (int distance = 1; distance < Group::wave_width; distance *= 2) {
    const auto other =
        static_cast<int>(group.exchange(static_cast<std::uint32_t>(value), distance));
    value = other > value ? other : value;
  }
  return value;
}

// Folds nodes[0, count), 1 <= count <= wave_width squared, of device memory, as the aligned binary
// tree. All of the warp call; each of its threads gets the root.
template <class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type fold_nodes_by_warp(const Group& group, const Fold& fold,
                                                            const typename Fold::state_type* nodes,
                                                            int count) {
  constexpr int width = Group::wave_width;
  const int thread = group.thread() % width;
  const int groups = (count + width - 1) / width;
  auto mine = missing(fold);
  for (int g = 0; g < groups; ++g) {
    const int here = count - g * width < width ? count - g * width : width;
    auto state = thread < here ? nodes[g * width + thread] : missing(fold);
    state = fold_nodes_of_warp(group, fold, state, thread, here);
    mine = chosen(thread == g, state, mine);
  }
  return fold_nodes_of_warp(group, fold, mine, thread, groups);
}

template <class Fold>
struct PlacedFold {
  using State = typename Fold::state_type;
  static constexpr int max_threads = 512;
  // States of a row that a warp has under way: nodes over 1, 2, 4, ... chunks.
  static constexpr int stack_levels = core::max_root_level + 1;

  Rows<Fold> rows;
  Places places;
  Sharing sharing;
  State* nodes;             // of rows that blocks share
  std::uint32_t* counters;  // likewise, all zero between launches
  // Ragged rows: tiles of rows that blocks share, at most sharing.room; the counters before
  // `counters` count them, and the blocks that are done with them.
  SharedTile* list;
  bool from_list;  // the second launch

  static constexpr std::size_t shared_bytes(int threads, int wave_width, const Sharing& sharing,
                                            bool ragged) {
    const std::size_t slots = static_cast<std::size_t>(threads >> sharing.shift);
    const std::size_t warps = static_cast<std::size_t>(threads / wave_width);
    const std::size_t stack =
        ragged ? stack_levels * warps : (core::root_level(placed_tile_chunks) + 1) * slots;
    return BlockMemory<State>::bytes(placed_node_states, wave_width) +
           sizeof(State) * (slots + stack);
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    if (!places.is_ragged()) {
      fold_even(group);
    } else if (from_list) {
      fold_list(group);
    } else {
      fold_ragged(group);
    }
  }

 private:
  // What each thread needs to know of where it is.
  template <class Group>
  struct Here {
    WarpPlace<Group> place;
    BlockMemory<State> memory;
    State* slots;  // a state for each row that a warp has
    State* stack;
    ISOFOLD_DEVICE explicit Here(const Group& group, int shift)
        : place(group),
          memory(group.shared(), placed_node_states, Group::wave_width),
          slots(reinterpret_cast<State*>(memory.flag + 4)),  // after the 16 bytes of the flag
          stack(slots + (group.threads() >> shift)) {}
  };

  // A row's `chunks` chunks from number `first` on. All of the warp call, each with its row but all
  // with the same number of chunks; sharer 0 gets the state. The stack has a level each `apart`
  // states.
  template <class Group>
  ISOFOLD_DEVICE State fold_chunks(const Group& group, const PlacedRow<Fold>& row, bool there,
                                   std::int64_t first, std::int64_t chunks, int shift, State* stack,
                                   int apart) const {
    const int thread = group.thread() & ((1 << shift) - 1);
    State state = missing(rows.fold);
    for (std::int64_t n = 0; n < chunks; ++n) {
      const std::int64_t begin = (first + n) << core::chunk_shift;
      const std::int64_t left = row.length - begin;
      const int count = left < core::chunk_elements ? static_cast<int>(left) : core::chunk_elements;
      state = fold_placed_chunk(group, rows.fold, places,
                                PlacedChunk<Fold>{row.data, places.cursor(row, begin), begin,
                                                  there ? count : 0, thread, shift, 0},
                                count);
      if (chunks > 1 && thread == 0) {
        int level = 0;
        for (; (n >> level & 1) != 0; ++level) {
          state = rows.fold.combine(stack[level * apart], state);
        }
        stack[level * apart] = state;
      }
    }
    if (chunks > 1 && thread == 0) {  // what is left folds from the right
      int level = 0;
      while ((chunks >> level & 1) == 0) {
        ++level;
      }
      state = stack[level * apart];
      for (++level; chunks >> level != 0; ++level) {
        if ((chunks >> level & 1) != 0) {
          state = rows.fold.combine(stack[level * apart], state);
        }
      }
    }
    return state;
  }

  // Joins the states of `warps` neighbouring warps' tiles of one row: slots[w * apart], of which
  // the first `count` are there.
  ISOFOLD_DEVICE State join_tiles(State* slots, int apart, int warps, std::int64_t count) const {
    for (int distance = 1; distance < warps; distance *= 2) {
      for (int w = 0; w + distance < warps && w + distance < count; w += 2 * distance) {
        slots[w * apart] = rows.fold.combine(slots[w * apart], slots[(w + distance) * apart]);
      }
    }
    return slots[0];
  }

  // True in all threads of the last of `count` blocks; then their nodes can be read, and the
  // counter is zero again. All of the block call.
  template <class Group>
  ISOFOLD_DEVICE bool is_last(const Group& group, const Here<Group>& here, std::uint32_t* counter,
                              std::int64_t count) const {
    group.barrier();
    if (group.thread() == 0) {
      const bool last = group.arrive(counter) == static_cast<std::uint32_t>(count - 1);
      if (last) {
        *counter = 0;
      }
      *here.memory.flag = last;
    }
    group.barrier();
    return *here.memory.flag != 0;
  }

  // Rows of one length, neighbours in neighbouring sharers.
  template <class Group>
  ISOFOLD_DEVICE void fold_even(const Group& group) const {
    const Here<Group> here(group, sharing.shift);
    const int thread = here.place.thread;
    const int rows_a_warp = Group::wave_width >> sharing.shift;
    const int rows_a_block = here.place.warps / sharing.warps_a_row * rows_a_warp;
    const int part = here.place.warp % sharing.warps_a_row;
    const int slot =
        here.place.warp / sharing.warps_a_row * rows_a_warp + (thread >> sharing.shift);
    const std::int64_t chunks = core::chunk_count(rows.length);
    const std::int64_t tile_chunks = std::int64_t{sharing.warps_a_row} * sharing.tile_chunks;
    const std::int64_t sets = (rows.rows + rows_a_block - 1) / rows_a_block;
    for (std::int64_t unit = group.block(); unit < sets * sharing.tiles; unit += group.blocks()) {
      const std::int64_t set = sharing.tiles == 1 ? unit : unit / sharing.tiles;
      const std::int64_t tile = unit - set * sharing.tiles;
      const std::int64_t number = set * rows_a_block + slot;
      const bool there = number < rows.rows;
      const PlacedRow<Fold> row =
          places.row<Fold>(group, rows.first, rows.length, there ? number : 0);
      const std::int64_t first = tile * tile_chunks + std::int64_t{part} * sharing.tile_chunks;
      const std::int64_t left = chunks - first;
      const State state =
          fold_chunks(group, row, there, first,
                      left < sharing.tile_chunks ? left : sharing.tile_chunks, sharing.shift,
                      here.stack + part * rows_a_block + slot, sharing.warps_a_row * rows_a_block);
      const bool first_sharer = (thread & ((1 << sharing.shift) - 1)) == 0;
      if (sharing.warps_a_row == 1) {
        if (there && first_sharer) {
          leave(number, tile, state);
        }
      } else {
        if (first_sharer) {
          here.slots[part * rows_a_block + slot] = state;
        }
        group.barrier();
        const std::int64_t mine = set * rows_a_block + group.thread();
        if (group.thread() < rows_a_block && mine < rows.rows) {
          const std::int64_t tiles_left = chunks - tile * tile_chunks;
          leave(mine, tile,
                join_tiles(here.slots + group.thread(), rows_a_block, sharing.warps_a_row,
                           (tiles_left + sharing.tile_chunks - 1) / sharing.tile_chunks));
        }
      }
      if (sharing.tiles > 1 && is_last(group, here, &counters[set], sharing.tiles)) {
        fold_nodes_of_set(group, here, set * rows_a_block, rows_a_block);
      }
      if (unit + group.blocks() < sets * sharing.tiles) {
        group.barrier();  // the next unit writes the shared memory that this one has read
      }
    }
  }

  // The state of a tile: the row's, where it has no other.
  ISOFOLD_DEVICE void leave(std::int64_t number, std::int64_t tile, const State& state) const {
    if (sharing.tiles == 1) {
      rows.write(number, state);
    } else {
      nodes[number * sharing.tiles + tile] = state;
    }
  }

  // The nodes of the rows from `first` on, all of them left by now: a warp a row, or the block.
  template <class Group>
  ISOFOLD_DEVICE void fold_nodes_of_set(const Group& group, const Here<Group>& here,
                                        std::int64_t first, int count) const {
    const std::int64_t end = first + count < rows.rows ? first + count : rows.rows;
    const std::int64_t tiles = sharing.tiles;
    if (tiles <= Group::wave_width * Group::wave_width) {
      for (std::int64_t row = first + here.place.warp; row < end; row += here.place.warps) {
        const State root =
            fold_nodes_by_warp(group, rows.fold, nodes + row * tiles, static_cast<int>(tiles));
        if (here.place.thread == 0) {
          rows.write(row, root);
        }
      }
    } else {
      for (std::int64_t row = first; row < end; ++row) {
        const State root = fold_nodes(group, rows.fold, here.memory, placed_node_states,
                                      nodes + row * tiles, tiles);
        if (group.thread() == 0) {
          rows.write(row, root);
        }
      }
    }
  }

  // Rows of many lengths: the short ones several in a warp, then each of the others.
  template <class Group>
  ISOFOLD_DEVICE void fold_ragged(const Group& group) const {
    const Here<Group> here(group, sharing.shift);
    const int thread = here.place.thread & ((1 << sharing.shift) - 1);
    const int rows_a_warp = Group::wave_width >> sharing.shift;
    const std::int64_t step = group.blocks() * here.place.warps * rows_a_warp;
    for (std::int64_t base = (group.block() * here.place.warps + here.place.warp) * rows_a_warp;
         base < rows.rows; base += step) {
      const std::int64_t number = base + (here.place.thread >> sharing.shift);
      const bool there = number < rows.rows;
      PlacedRow<Fold> row = places.row<Fold>(group, rows.first, 0, there ? number : base);
      const bool is_long = there && row.length > sharing.longest;
      const int count = there && !is_long ? static_cast<int>(row.length) : 0;
      const int most = largest_of_warp(group, is_long ? INT32_MAX : count);
      const int most_short = most < INT32_MAX ? most : largest_of_warp(group, count);
      State state = missing(rows.fold);
      if (most_short > 0) {
        state = fold_placed_chunk(
            group, rows.fold, places,
            PlacedChunk<Fold>{row.data, places.cursor(row, 0), 0, count, thread, sharing.shift, 0},
            most_short);
      }
      if (there && !is_long && thread == 0) {
        rows.write_ragged(number, state, count);
      }
      if (most == INT32_MAX) {
        fold_long_rows(group, here, base,
                       base + rows_a_warp < rows.rows ? base + rows_a_warp : rows.rows);
      }
    }
  }

  // Those of the rows [begin, end) that are long: the warp folds them, or leaves them to blocks.
  template <class Group>
  ISOFOLD_DEVICE void fold_long_rows(const Group& group, const Here<Group>& here,
                                     std::int64_t begin, std::int64_t end) const {
    constexpr int whole_warp = core::root_level(Group::wave_width);
    for (std::int64_t number = begin; number < end; ++number) {
      const PlacedRow<Fold> row = places.row<Fold>(group, rows.first, 0, number);
      const std::int64_t chunks = core::chunk_count(row.length);
      if (row.length > sharing.longest &&
          (chunks <= sharing.shared || !list_tiles(group, here, number, chunks))) {
        const State state = fold_chunks(group, row, true, 0, chunks, whole_warp,
                                        here.stack + here.place.warp * stack_levels, 1);
        if (here.place.thread == 0) {
          rows.write_ragged(number, state, row.length);
        }
      }
    }
  }

  // Chunks that a warp of a block takes of a row of so many.
  template <class Group>
  ISOFOLD_DEVICE static int listed_tile(const Group& group, std::int64_t chunks) {
    const int warps = group.threads() / Group::wave_width;
    int tile = 1;
    while (tile < placed_tile_chunks && std::int64_t{tile} * warps < chunks) {
      tile *= 2;
    }
    return tile;
  }
  template <class Group>
  ISOFOLD_DEVICE static std::int64_t tiles_of(const Group& group, std::int64_t chunks) {
    const std::int64_t each =
        std::int64_t{listed_tile(group, chunks)} * (group.threads() / Group::wave_width);
    return (chunks + each - 1) / each;
  }

  // Puts the row's tiles on the list; false where it has no room for them all. All of the warp
  // call.
  template <class Group>
  ISOFOLD_DEVICE bool list_tiles(const Group& group, const Here<Group>& here, std::int64_t number,
                                 std::int64_t chunks) const {
    const std::int64_t tiles = tiles_of(group, chunks);
    if (tiles > sharing.room) {
      return false;
    }
    std::uint32_t first = 0;
    if (here.place.thread == 0) {
      first = group.claim(counters - 2, static_cast<std::uint32_t>(tiles));
    }
    for (int distance = 1; distance < Group::wave_width; distance *= 2) {
      const std::uint32_t other = group.exchange(first, distance);
      first = (here.place.thread & distance) != 0 ? other : first;
    }
    const bool fits = std::int64_t{first} + tiles <= sharing.room;
    for (std::int64_t t = here.place.thread; t < tiles && first + t < sharing.room;
         t += Group::wave_width) {
      list[first + t] = {fits ? number : -1, t};
    }
    return fits;
  }

  // The second launch: each block takes tiles from the list.
  template <class Group>
  ISOFOLD_DEVICE void fold_list(const Group& group) const {
    constexpr int whole_warp = core::root_level(Group::wave_width);
    const Here<Group> here(group, whole_warp);
    const std::int64_t listed = counters[-2];
    const std::int64_t count = listed < sharing.room ? listed : sharing.room;
    for (std::int64_t entry = group.block(); entry < count; entry += group.blocks()) {
      if (list[entry].row >= 0) {
        fold_shared_tile(group, here, entry);
      }
      group.barrier();  // the next tile writes the shared memory that this one has read
    }
    if (is_last(group, here, counters - 1, group.blocks()) && group.thread() == 0) {
      counters[-2] = 0;
    }
  }

  template <class Group>
  ISOFOLD_DEVICE void fold_shared_tile(const Group& group, const Here<Group>& here,
                                       std::int64_t entry) const {
    constexpr int whole_warp = core::root_level(Group::wave_width);
    const std::int64_t number = list[entry].row;
    const std::int64_t tile = list[entry].tile;
    const PlacedRow<Fold> row = places.row<Fold>(group, rows.first, 0, number);
    const std::int64_t chunks = core::chunk_count(row.length);
    const std::int64_t each = listed_tile(group, chunks);
    const std::int64_t begin = tile * each * here.place.warps;
    const std::int64_t first = begin + each * here.place.warp;
    const std::int64_t left = chunks - first;
    const State state = fold_chunks(group, row, true, first, left < each ? left : each, whole_warp,
                                    here.stack + here.place.warp * stack_levels, 1);
    if (here.place.thread == 0) {
      here.slots[here.place.warp] = state;
    }
    group.barrier();
    const std::int64_t tiles = tiles_of(group, chunks);
    if (group.thread() == 0) {
      const State joined =
          join_tiles(here.slots, 1, here.place.warps, (chunks - begin + each - 1) / each);
      if (tiles == 1) {
        rows.write_ragged(number, joined, row.length);
      } else {
        nodes[entry] = joined;
      }
    }
    if (tiles > 1 && is_last(group, here, &counters[entry - tile], tiles)) {
      const State root = fold_nodes(group, rows.fold, here.memory, placed_node_states,
                                    nodes + (entry - tile), tiles);
      if (group.thread() == 0) {
        rows.write_ragged(number, root, row.length);
      }
    }
  }
};

}  // namespace isofold::gpu
