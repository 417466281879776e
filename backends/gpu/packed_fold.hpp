// The kernel for rows whose elements must be sought one by one: a warp packs those of a chunk into
// shared memory, then folds the chunk from there. Where they come from is the source's business.
//
// A source has the length of a row, known on the device only, taken_of(group, row); what an empty
// row means, note_empty(group, row); whether some may be written behind a chunk, by_groups(); and
// Walk<Fold>, which brings a row's elements chunk after chunk: fill(group, begin, count, buffer).
// packed_source.hpp has them.
//
// A row is cut into tiles of a power of two of chunks, a node each, of which each warp takes an
// even share, one after the other: where a walk begins must be sought. The node of a row of one
// tile is its result; of others PackedNodes makes that, in a second launch.
#pragma once

#include <backends/gpu/packing.hpp>
#include <backends/gpu/places.hpp>
#include <backends/gpu/rows.hpp>
#include <isofold/gpu/grid_fold.hpp>

namespace isofold::gpu {

// A Group whose loads are of shared memory.
template <class Group>
struct FromShared : Group {
  ISOFOLD_DEVICE explicit FromShared(const Group& group) : Group(group) {}

  template <class T, int count>
  ISOFOLD_DEVICE Pack<T, count> load(const T* address) const {
    Pack<T, count> pack;
    memcpy(&pack, __builtin_assume_aligned(address, sizeof pack), sizeof pack);
    return pack;
  }
  template <class T>
  ISOFOLD_DEVICE Pack<T, 2> load_two(const T* address) const {
    return load<T, 2>(address);  // the buffer aligns elements to their size
  }
};
template <class Group>
inline constexpr bool has_as_loaded<FromShared<Group>> = has_as_loaded<Group>;

// What a thread holds of a packed chunk: a quarter of its rows, for registers; they are soon there
// again. Of what is folded by whole lanes all of them.
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr int packed_parts() {
  return folds_whole_lanes<core::FirstPass<Fold>> ? 1 : 4;
}
template <class Fold>
using PackedRows = HeldRows<typename Fold::element_type, NarrowLanes<typename Fold::element_type>,
                            Fold::arrays, packed_parts<Fold>()>;

// The state of the chunk that lies packed at `x`, in shared memory. All of the warp call; every
// thread gets it.
template <bool whole, class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type fold_packed_chunk(const Group& group, const Fold& fold,
                                                           const core::Elements<Fold>& x,
                                                           std::int64_t begin, int count) {
  using Lanes = NarrowLanes<typename Fold::element_type>;
  const FromShared<Group> from(group);
  const typename Fold::element_type* const arrays[] = {x.data, x.second};
  const int thread = group.thread() % Lanes::team;  // teams of a warp do the same
  PackedRows<Fold> held;
  const auto load = [&](int part) {
    load_part<whole, Lanes>(from, held, arrays, part, count, thread);
  };
  if constexpr (PackedRows<Fold>::parts == 1) {
    load(0);
  }
  return state_of_held<whole, Lanes>(from, fold, held, begin, count, thread, load);
}

// It bounds the registers of NVIDIA's threads. 80 suffice for sums, products and extrema of one
// array of 4 bytes, and 24 warps fit at once (with 20, interiors and masks took 13 to 15 % longer
// on an H200); of 8 bytes they spilled 20, and with 96 for 20 warps take 11 to 16 % less. Others
// spilled 8 to 640 bytes, so they have 128, and those that spilled 48 to 80 of these, all. (With 64
// all of ten folds spilled, 36 to 1280 bytes.)
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr int packed_most_threads() {
  using Element = typename Fold::element_type;
  constexpr bool is_large =
      core::has_likely_second<Fold> || (Fold::arrays == 2 && sizeof(Element) > sizeof(double));
  constexpr bool is_small = Fold::stages == 1 && !folds_whole_lanes<core::FirstPass<Fold>> &&
                            Fold::arrays == 1 && sizeof(Element) <= 8 &&
                            sizeof(core::LaneOf<core::FirstPass<Fold>>) == sizeof(Element);
  return is_large ? 256 : !is_small ? 512 : sizeof(Element) == 8 ? 640 : 768;
}

// So many nodes of a row a block folds alone.
inline constexpr int packed_group_shift = 12;

// How the rows' chunks are cut into tiles, by numbers that only the device knows.
struct PackedTiles {
  static constexpr int largest_shift = 16;  // a warp has room for the nodes of 2^16 chunks
  int most_shift = 6;                       // a tile has at most 2^most_shift chunks
  std::int64_t most = 1;                    // tiles of a row
  std::int64_t enough = 0;                  // so many, if they come from larger tiles than a chunk
  std::int64_t shares = 1;                  // of a row, at most
  Divisor by_shares;

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
struct PackedFold {
  using State = typename Fold::state_type;
  using Element = typename Fold::element_type;
  using Walk = typename Source::template Walk<Fold>;
  static constexpr int max_threads = packed_most_threads<Fold>();

  Rows<Fold> rows;
  Source source;
  PackedTiles tiles;
  State* nodes;  // tiles.most for each row; null: its one tile is the row

  // Of a warp: what its walk needs, nodes over 1, 2, 4, ... chunks, and the chunk. Behind that is
  // room for a group, where elements may come by groups: not elsewhere, for what shared memory does
  // not take is L1, in which elements that are on their way have their place.
  static constexpr std::size_t before_buffer =
      (Walk::scratch_bytes + sizeof(State) * (PackedTiles::largest_shift + 1) + 15) / 16 * 16;
  static constexpr std::size_t warp_bytes =
      before_buffer + sizeof(Element) * Fold::arrays * packed_stride<Fold>();
  ISOFOLD_HOST_DEVICE static constexpr std::size_t bytes_of_warp(bool by_groups) {
    return by_groups ? warp_bytes : warp_bytes - sizeof(Element) * packed_group<Fold>();
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const WarpPlace<Group> place(group);
    auto* const memory = static_cast<unsigned char*>(group.shared()) +
                         static_cast<std::size_t>(place.warp) * bytes_of_warp(source.by_groups());
    for (std::int64_t unit = group.block() * place.warps + place.warp;
         unit < rows.rows * tiles.shares; unit += group.blocks() * place.warps) {
      const std::int64_t row = tiles.by_shares.divide(unit);
      const std::int64_t length = source.taken_of(group, row);
      const std::int64_t chunks = core::chunk_count(length);
      const std::int64_t all = tiles.tiles_of(chunks);
      const std::int64_t each = tiles.by_shares.divide(all + tiles.shares - 1);
      const std::int64_t first = (unit - row * tiles.shares) * each;
      if (first < all) {
        fold_tiles(group, memory, row, length, first, each);
      } else if (nodes == nullptr && place.thread == 0) {
        rows.write_ragged(row, missing(rows.fold), 0);
        source.note_empty(group, row);
      }
    }
  }

 private:
  // `each` tiles of the row from number `first` on, or as many as there are. All of the warp call.
  template <class Group>
  ISOFOLD_DEVICE void fold_tiles(const Group& group, unsigned char* memory, std::int64_t row,
                                 std::int64_t length, std::int64_t first, std::int64_t each) const {
    auto* const buffer = reinterpret_cast<Element*>(memory + before_buffer);
    auto* const stack = reinterpret_cast<State*>(memory + Walk::scratch_bytes);
    const int thread = group.thread() % Group::wave_width;
    const int shift = tiles.shift_for(core::chunk_count(length));
    std::int64_t begin = first << (shift + core::chunk_shift);
    const std::int64_t behind = begin + (each << (shift + core::chunk_shift));
    const std::int64_t end = behind < length ? behind : length;
    Walk walk(group, source, rows.first, row, begin, memory);
    const core::Elements<Fold> packed{buffer,
                                      Fold::arrays == 2 ? buffer + packed_stride<Fold>() : nullptr};
#pragma unroll 1
    for (; begin < end; begin += core::chunk_elements) {
      const std::int64_t left = length - begin;
      const int elements =
          left < core::chunk_elements ? static_cast<int>(left) : core::chunk_elements;
      walk.fill(group, begin, elements, buffer);
      if constexpr (has_copies_to_shared<Group>) {
        group.wait_for_copies();
      }
      group.warp_barrier();
      const State state = elements == core::chunk_elements
                              ? fold_packed_chunk<true>(group, rows.fold, packed, begin, elements)
                              : fold_packed_chunk<false>(group, rows.fold, packed, begin, elements);
      group.warp_barrier();  // the next chunk's copies write what this one has read
      if (thread == 0) {
        add_chunk(stack, state, row, length, begin, shift);
      }
    }
  }

  // The state of the chunk at `begin`, after those before it in its tile.
  ISOFOLD_DEVICE void add_chunk(State* stack, State state, std::int64_t row, std::int64_t length,
                                std::int64_t begin, int shift) const {
    const std::int64_t chunk = begin >> core::chunk_shift;
    const int before = static_cast<int>(chunk) & ((1 << shift) - 1);
    int level = 0;
    for (; (before >> level & 1) != 0; ++level) {
      state = rows.fold.combine(stack[level], state);
    }
    const bool ends_row = begin + core::chunk_elements >= length;
    if (before + 1 != 1 << shift && !ends_row) {
      stack[level] = state;
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

// The nodes that PackedFold has left: a block a group of them, one or several groups a row. The
// last one of a row folds what the groups made.
template <class Fold, class Source>
struct PackedNodes {
  using State = typename Fold::state_type;
  static constexpr int max_threads = 512;
  static constexpr int group_shift = packed_group_shift;
  static constexpr int shared_states = 128;  // in shared memory: a segment is a group

  Rows<Fold> rows;
  Source source;
  PackedTiles tiles;
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
      const std::int64_t length = source.taken_of(group, row);
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
  // Nodes `begin` to begin + 2^group_shift of the row's `count`. All of the block call.
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
