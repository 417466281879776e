// The kernel for rows whose elements must be sought (masks, concatenated arrays, runs): a warp
// folds several chunks of a row, one after the other. The source knows where their elements come
// from, and how the warp gets at them.
//
// A source has the length of a row, known on the device only, selected_of(group, row); the meaning
// of an empty row, note_empty(group, row); and Walk<Fold>, which folds a row's elements chunk after
// chunk: fold(group, fold, begin, count), with bytes() of shared memory. compacted.hpp has them.
//
// A row is cut into tiles of a power of two of chunks, a node each, of which each warp has an even
// share, one after the other, because the place at which a loop begins must be sought. The node of
// a row of one tile is its result; CombineTiles folds those of other rows, in a second launch.
#pragma once

#include <backends/gpu/input/contiguous.hpp>
#include <backends/gpu/input/strided.hpp>
#include <isofold/detail/gpu/grid_fold.hpp>

namespace isofold::gpu {

// A block folds so many nodes of a row alone.
inline constexpr int compacted_group_shift = 12;

// The cut of the rows' chunks into tiles, by numbers that only the device knows.
struct CompactedTiles {
  static constexpr int largest_shift = 16;  // a warp has room for the nodes of 2^16 chunks
  int most_shift = 6;                       // a tile has at most 2^most_shift chunks
  std::int64_t most = 1;                    // tiles of a row
  std::int64_t enough = 0;                  // so many, if they come from larger tiles than a chunk
  std::int64_t shares = 1;                  // of a row, at most
  Divisor by_shares;
  RowUnits units;  // of them

  void share(std::int64_t rows, std::int64_t count, bool rows_first) {
    shares = count;
    by_shares = Divisor(count);
    units = RowUnits(rows, count, rows_first);
  }
  ISOFOLD_DEVICE int shift_for(std::int64_t chunks) const {
    int shift = 0;
    while (shift < most_shift && chunks >> (shift + 1) >= enough) {
      ++shift;
    }
    return shift;
  }
  ISOFOLD_DEVICE std::int64_t tiles_of(std::int64_t chunks) const {
    const int shift = shift_for(chunks);
    return (chunks + (std::int64_t{1} << shift) - 1) >> shift;
  }
};

template <class Fold, class Source>
struct ReduceCompacted {
  using State = typename Fold::state_type;
  using Walk = typename Source::template Walk<Fold>;
  static constexpr int max_threads = Walk::max_threads;

  Rows<Fold> rows;
  Source source;
  CompactedTiles tiles;
  State* nodes;  // tiles.most for each row; null: its one tile is the row

  // The shared memory of a warp: nodes over 1, 2, 4, ... chunks, and what its loop needs.
  static constexpr std::size_t stack_bytes =
      (sizeof(State) * (CompactedTiles::largest_shift + 1) + 15) / 16 * 16;
  ISOFOLD_HOST_DEVICE static constexpr std::size_t bytes_of_warp() {
    return stack_bytes + Walk::bytes();
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const WarpPlace<Group> place(group);
    auto* const memory = static_cast<unsigned char*>(group.shared()) +
                         static_cast<std::size_t>(place.warp) * bytes_of_warp();
    for (std::int64_t unit = group.block() * place.warps + place.warp;
         unit < rows.rows * tiles.shares; unit += group.blocks() * place.warps) {
      const auto [row, number] = tiles.units.unit(unit);
      const std::int64_t length = source.selected_of(group, row);
      const std::int64_t chunks = core::chunk_count(length);
      const std::int64_t all = tiles.tiles_of(chunks);
      const std::int64_t each = tiles.by_shares.divide(all + tiles.shares - 1);
      const std::int64_t first = number * each;
      if (first < all) {
        fold_tiles(group, memory, row, length, first, each);
      } else if (nodes == nullptr && place.thread == 0) {
        rows.write_ragged(row, missing(rows.fold), 0);
        source.note_empty(group, row);
      }
    }
  }

 private:
  // Folds `each` tiles of the row from number `first` on, or as many as there are. Collective:
  // every lane of the warp must call.
  template <class Group>
  ISOFOLD_DEVICE void fold_tiles(const Group& group, unsigned char* memory, std::int64_t row,
                                 std::int64_t length, std::int64_t first, std::int64_t each) const {
    auto* const stack = reinterpret_cast<State*>(memory);
    const int thread = group.thread() % Group::wave_width;
    const int shift = tiles.shift_for(core::chunk_count(length));
    std::int64_t begin = first << (shift + core::chunk_shift);
    const std::int64_t behind = begin + (each << (shift + core::chunk_shift));
    const std::int64_t end = behind < length ? behind : length;
    Walk walk(group, source, rows.first, row, begin, memory + stack_bytes);
#pragma unroll 1
    for (; begin < end; begin += core::chunk_elements) {
      const std::int64_t left = length - begin;
      const int elements =
          left < core::chunk_elements ? static_cast<int>(left) : core::chunk_elements;
      const State state = walk.fold(group, rows.fold, begin, elements);
      if (thread == 0) {
        add_chunk(stack, state, row, length, begin, shift);
      }
    }
  }

  // Adds the state of the chunk at `begin` to those before it in its tile.
  ISOFOLD_DEVICE void add_chunk(State* stack, State state, std::int64_t row, std::int64_t length,
                                std::int64_t begin, int shift) const {
    const std::int64_t chunk = begin >> core::chunk_shift;
    const int before = static_cast<int>(chunk) & ((1 << shift) - 1);
    int level = 0;
    for (; (before >> level & 1) != 0; ++level) {
      state = rows.fold.combine(stack[level], state);
    }
    const bool ends_row = begin + core::chunk_elements >= length;
    // The last node of a tile is stored as well, to no end: in branches of their own clang 15 made
    // one flat store of this one and those below, which waits for both kinds of memory.
    stack[level] = state;
    if (before + 1 != 1 << shift && !ends_row) {
      return;
    }
    for (++level; before >> level != 0; ++level) {  // what is left folds from the right
      if ((before >> level & 1) != 0) {
        state = rows.fold.combine(stack[level], state);
      }
    }
    if (nodes == nullptr) {
      rows.write_ragged(row, state, length);
    } else {
      nodes[row * tiles.most + (chunk >> shift)] = state;
    }
  }
};

// Folds the nodes that ReduceCompacted has left: a block has a group of them, a row one group or
// several. The last block of a row folds the roots of the groups.
template <class Fold, class Source>
struct CombineTiles {
  using State = typename Fold::state_type;
  static constexpr int max_threads = 512;
  static constexpr int group_shift = compacted_group_shift;
  static constexpr int shared_states = 128;  // in shared memory: a segment is a group

  Rows<Fold> rows;
  Source source;
  CompactedTiles tiles;
  std::int64_t groups;  // of a row, at most
  Divisor by_groups;
  const State* nodes;
  State* group_nodes;       // of all rows
  std::uint32_t* counters;  // a row each, all zero between launches, when groups > 1

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const BlockMemory<State> memory(group.shared(), shared_states, Group::wave_width);
    for (std::int64_t unit = group.block(); unit < rows.rows * groups; unit += group.blocks()) {
      const std::int64_t row = by_groups.divide(unit);
      const std::int64_t number = unit - row * groups;
      const std::int64_t length = source.selected_of(group, row);
      const std::int64_t count = tiles.tiles_of(core::chunk_count(length));
      const std::int64_t begin = number << group_shift;
      if (begin < count) {
        fold_group(group, memory, row, length, begin, count);
      } else if (number == 0 && group.thread() == 0) {
        rows.write_ragged(row, missing(rows.fold), 0);
        source.note_empty(group, row);
      }
    }
  }

 private:
  // Folds the nodes `begin` to begin + 2^group_shift of the row's `count`. Collective: every thread
  // of the block must call.
  template <class Group>
  ISOFOLD_DEVICE void fold_group(const Group& group, const BlockMemory<State>& memory,
                                 std::int64_t row, std::int64_t length, std::int64_t begin,
                                 std::int64_t count) const {
    const std::int64_t most = std::int64_t{1} << group_shift;
    const std::int64_t here = count - begin < most ? count - begin : most;
    State root =
        fold_nodes(group, rows.fold, memory, shared_states, nodes + row * tiles.most + begin, here);
    if (count > most) {
      State* const own = group_nodes + row * groups;
      if (group.thread() == 0) {
        own[begin >> group_shift] = root;
      }
      const std::int64_t left = (count + most - 1) >> group_shift;
      if (!is_last_tile(group, memory.flag, &counters[row], left, [&] { group.barrier(); })) {
        return;
      }
      root = fold_nodes(group, rows.fold, memory, shared_states, own, left);
    }
    if (group.thread() == 0) {
      rows.write_ragged(row, root, length);
    }
  }
};

}  // namespace isofold::gpu
