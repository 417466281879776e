// The kernels that find the beginnings of many arrays in the row that they are together
// (concatenated.hpp). Two launches add their lengths up, in the workspace: those of each tile
// (ScanLengths), then those before each array (ScatterLengths).
#pragma once

#include <backends/gpu/input/strided.hpp>
#include <isofold/detail/gpu/chunk_fold.hpp>

namespace isofold::gpu {

// The arrays have at most so many elements, if the layout does not say: 2^16 tiles of 2^16 chunks.
inline constexpr int joined_most_shift = 42;

struct JoinedArrays {
  std::int64_t count = 0;
  // The number of elements in the arrays before each; then that of all. The sums of tiles follow
  // behind them, for ScatterLengths.
  std::int64_t* before = nullptr;

  template <class Group>
  ISOFOLD_DEVICE std::int64_t elements(const Group& group) const {
    return group.template load<std::int64_t, 1>(before + count).value[0];
  }
  ISOFOLD_HOST_DEVICE std::int64_t* sums_of_tiles() const { return before + count + 1; }
};

// The lengths of the arrays, a tile of them for each block. Lengths may be anything, and nothing is
// read by a wrong one: an array of a negative length is empty, as is one at no address if lists are
// checked. The array with which there are more elements than may be is empty, too, and so are all
// after it.
struct ListedLengths {
  static constexpr int at_once = 8;                 // loads of a thread
  static constexpr std::int64_t most_tiles = 1024;  // each block adds up those before its own

  JoinedArrays joined;
  const void* lengths;
  bool wide_lengths;     // of 64 bits
  const void* lists[2];  // of pointers; the second may be none
  std::int64_t most;     // elements of the row, at most 2^61
  Fault* fault;          // null: lists are trusted
  std::int64_t tile;     // arrays of a tile

  ISOFOLD_HOST_DEVICE static constexpr std::int64_t tile_of(std::int64_t count, int threads) {
    const std::int64_t least = std::int64_t{threads} * at_once;
    const std::int64_t even = (count + most_tiles - 1) / most_tiles;
    return even > least ? even : least;
  }
  static constexpr std::int64_t tiles_of(std::int64_t count, std::int64_t tile) {
    return (count + tile - 1) / tile;
  }

 protected:
  // Sums stop behind `most`, so none overflows, and their order does not matter.
  ISOFOLD_DEVICE std::int64_t add(std::int64_t a, std::int64_t b) const {
    return a + b <= most ? a + b : most + 1;
  }
  template <class Group>
  ISOFOLD_DEVICE std::int64_t sum_over_warp(const Group& group, std::int64_t sum) const {
    for (int distance = 1; distance < Group::wave_width; distance *= 2) {
      sum = add(sum, exchange(group, sum, distance));
    }
    return sum;
  }
  // The sum over all threads of the block; `sums` is shared memory for one of each warp.
  // Collective: every thread of the block must call.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t sum_over_block(const Group& group, std::int64_t sum,
                                             std::int64_t* sums) const {
    const WarpPlace<Group> place(group);
    sum = sum_over_warp(group, sum);
    group.barrier();  // those of an earlier sum have been read
    if (place.thread == 0) {
      sums[place.warp] = sum;
    }
    group.barrier();
    std::int64_t all = 0;
    for (int warp = 0; warp < place.warps; ++warp) {
      all = add(all, sums[warp]);
    }
    return all;
  }

  // The length as it stands in the list.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t length_of(const Group& group, std::int64_t array) const {
    return wide_lengths ? group
                              .template load<std::int64_t, 1>(
                                  static_cast<const std::int64_t*>(lengths) + array)
                              .value[0]
                        : group
                              .template load<std::int32_t, 1>(
                                  static_cast<const std::int32_t*>(lengths) + array)
                              .value[0];
  }

  // Reads the entries of a list from this thread's number i on; the last one stands for those past
  // the end, because loads behind a test each would wait for one another.
  template <class Entry, class Group, class Value>
  ISOFOLD_DEVICE void read(const Group& group, const void* list, std::int64_t i,
                           Value (&value)[at_once]) const {
#pragma unroll
    for (int j = 0; j < at_once; ++j) {
      const std::int64_t number = i + j * Group::wave_width;
      const std::int64_t at = number < joined.count ? number : joined.count - 1;
      value[j] = static_cast<Value>(
          group.template load<Entry, 1>(static_cast<const Entry*>(list) + at).value[0]);
    }
  }

  // Reads the lengths that count, of the arrays from this thread's number i on.
  template <class Group>
  ISOFOLD_DEVICE void read_lengths(const Group& group, std::int64_t i, std::int64_t end,
                                   bool complains, std::int64_t (&length)[at_once]) const {
    std::uint64_t array[at_once]{};
    std::uint64_t second[at_once]{};
    const bool checks = fault != nullptr;
    if (wide_lengths) {
      read<std::int64_t>(group, lengths, i, length);
    } else {
      read<std::int32_t>(group, lengths, i, length);
    }
    if (checks) {
      read<std::uint64_t>(group, lists[0], i, array);
      read<std::uint64_t>(group, lists[lists[1] != nullptr ? 1 : 0], i, second);
    }
    loads_issued(group);
#pragma unroll
    for (int j = 0; j < at_once; ++j) {
      const std::int64_t number = i + j * Group::wave_width;
      const bool is_there = number < end;
      const bool is_wrong =
          checks && (length[j] < 0 || (length[j] > 0 && (array[j] == 0 || second[j] == 0)));
      if (is_wrong && is_there && complains) {
        complain(group, fault, ISOFOLD_SHAPE_joined, number, length[j]);
      }
      const std::int64_t counted = length[j] <= most ? length[j] : most + 1;
      length[j] = !is_there || is_wrong || counted < 0 ? 0 : counted;
    }
  }

  // The end of the arrays of tile number `number`.
  ISOFOLD_DEVICE std::int64_t end_of(std::int64_t number) const {
    const std::int64_t end = (number + 1) * tile;
    return end < joined.count ? end : joined.count;
  }
};

// Adds the lengths of each tile up, and reports wrong ones. It is not launched if there is but one
// tile.
struct ScanLengths : ListedLengths {
  static constexpr int max_threads = 512;

  static constexpr std::size_t shared_bytes(int threads, int wave_width) {
    return static_cast<std::size_t>(threads / wave_width) * sizeof(std::int64_t);
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const WarpPlace<Group> place(group);
    const std::int64_t end = end_of(group.block());
    const int step = at_once * group.threads();
    std::int64_t sum = 0;
#pragma unroll 1
    for (std::int64_t round = group.block() * tile; round < end; round += step) {
      std::int64_t length[at_once];
      read_lengths(group, round + place.warp * at_once * Group::wave_width + place.thread, end,
                   true, length);
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        sum = add(sum, length[j]);
      }
    }
    sum = sum_over_block(group, sum, static_cast<std::int64_t*>(group.shared()));
    if (group.thread() == 0) {
      joined.sums_of_tiles()[group.block()] = sum;
    }
  }
};

// Writes the number of elements before each array.
struct ScatterLengths : ListedLengths {
  static constexpr int max_threads = 512;

  static constexpr std::size_t shared_bytes(int threads, int wave_width) {
    return static_cast<std::size_t>(2 * (threads / wave_width) + 2) * sizeof(std::int64_t);
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const WarpPlace<Group> place(group);
    auto* const sums = static_cast<std::int64_t*>(group.shared());  // two for each warp
    std::int64_t* const cut = sums + 2 * place.warps;  // elements before the first that is beyond
    if (group.thread() == 0) {
      *cut = none;
    }
    const std::int64_t own = group.block();
    std::int64_t before = 0;
#pragma unroll 1  // for one round of most blocks; how many there are would be a division
    for (std::int64_t number = group.thread(); number < own; number += group.threads()) {
      before = add(before, sum_of(group, number));
    }
    before = sum_over_block(group, before, sums);
    if (before > most) {  // an earlier tile has the array that is beyond
      const std::int64_t number = find_beyond(group, &before);
      walk<false>(group, number, before, sums, cut);
      before = most + 1;
    }
    before = walk<true>(group, own, before, sums, cut);
    if (*cut != none) {
      before = before <= most ? before : *cut;
      const std::int64_t end = end_of(own);
#pragma unroll 1
      for (std::int64_t i = first_of(group, own * tile); i < end; i += at_once * group.threads()) {
        cut_sums(group, i, end, *cut);
      }
    }
    if (end_of(own) == joined.count && group.thread() == 0) {
      joined.before[joined.count] = before;
    }
  }

 private:
  static constexpr std::int64_t none = -1;

  template <class Group>
  ISOFOLD_DEVICE std::int64_t sum_of(const Group& group, std::int64_t number) const {
    return group.template load<std::int64_t, 1>(joined.sums_of_tiles() + number).value[0];
  }
  // This thread's first array of a round.
  template <class Group>
  ISOFOLD_DEVICE static std::int64_t first_of(const Group& group, std::int64_t round) {
    const WarpPlace<Group> place(group);
    return round + place.warp * at_once * Group::wave_width + place.thread;
  }

  // The tile with which there are more elements than may be, and how many are before it.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t find_beyond(const Group& group, std::int64_t* before) const {
    *before = 0;
    std::int64_t number = 0;
    while (add(*before, sum_of(group, number)) <= most) {
      *before = add(*before, sum_of(group, number));
      ++number;
    }
    return number;
  }

  // Adds up the lengths of a tile, `before` elements being before it; returns the number before the
  // next. Collective: every thread of the block must call.
  template <bool writes, class Group>
  ISOFOLD_DEVICE std::int64_t walk(const Group& group, std::int64_t number, std::int64_t before,
                                   std::int64_t* sums, std::int64_t* cut) const {
    const WarpPlace<Group> place(group);
    const std::int64_t end = end_of(number);
    const bool complains = joined.count <= tile;  // ScanLengths has not
    int parity = 1;  // a round writes where the sum or round before it does not read
#pragma unroll 1
    for (std::int64_t round = number * tile; round < end; round += at_once * group.threads()) {
      std::int64_t length[at_once];
      const std::int64_t i = first_of(group, round);
      read_lengths(group, i, end, complains, length);
      std::int64_t sum = 0;
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        sum = add(sum, length[j]);
      }
      std::int64_t* const of_warps = sums + parity * place.warps;
      sum = sum_over_warp(group, sum);
      if (place.thread == 0) {
        of_warps[place.warp] = sum;
      }
      group.barrier();
      std::int64_t at = before;
      for (int warp = 0; warp < place.warps; ++warp) {
        at = warp < place.warp ? add(at, of_warps[warp]) : at;
        before = add(before, of_warps[warp]);
      }
      write_sums<writes>(group, i, end, length, at, cut);
      parity ^= 1;
    }
    group.barrier();  // all know of the cut
    return before;
  }

  // Writes the sums of this thread's arrays of a round, `before` being the elements before the
  // warp's.
  template <bool writes, class Group>
  ISOFOLD_DEVICE void write_sums(const Group& group, std::int64_t i, std::int64_t end,
                                 const std::int64_t (&length)[at_once], std::int64_t before,
                                 std::int64_t* cut) const {
#pragma unroll
    for (int j = 0; j < at_once; ++j) {
      const std::int64_t number = i + j * Group::wave_width;
      std::int64_t at = before;
      std::int64_t all = length[j];
      for (int distance = 1; distance < Group::wave_width; distance *= 2) {
        const std::int64_t other = exchange(group, all, distance);
        at = (group.thread() & distance) != 0 ? add(at, other) : at;
        all = add(all, other);
      }
      if (number < end) {
        if (writes) {
          joined.before[number] = at;
        }
        if (at <= most && add(at, length[j]) > most) {  // of one array at most
          *cut = at;
          if (writes && fault != nullptr) {
            complain(group, fault, ISOFOLD_SHAPE_joined, number, length_of(group, number), true);
          }
        }
      }
      before = add(before, all);
    }
  }

  // Corrects the sums that write_sums() has written of them beyond the most elements.
  template <class Group>
  ISOFOLD_DEVICE void cut_sums(const Group&, std::int64_t i, std::int64_t end,
                               std::int64_t cut) const {
#pragma unroll 1
    for (int j = 0; j < at_once; ++j, i += Group::wave_width) {
      if (i < end) {
        joined.before[i] = joined.before[i] <= most ? joined.before[i] : cut;
      }
    }
  }
};

}  // namespace isofold::gpu
