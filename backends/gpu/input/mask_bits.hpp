// The bits of the elements that a mask selects of the rows of a box, and their counts. One launch
// makes the bits in the workspace, unless the mask has them, and counts them (MaskToBits;
// mask_to_bits_of_columns.hpp for columns, mask_to_bits_strided.hpp for places in memory). A second
// launch adds the counts up (ScanCounts). SelectedElements reads what they leave
// (select_by_mask.hpp).
#pragma once

#include <algorithm>
#include <cstring>

#include <backends/gpu/input/compact.hpp>
#include <backends/gpu/input/strided.hpp>
#include <isofold/detail/gpu/chunk_fold.hpp>

namespace isofold::gpu {

// The entries of a mask that are counted together, as a power of two.
inline constexpr int mask_block_shift = 12;
inline constexpr int word_bits_shift = 5;
inline constexpr int word_bits = 1 << word_bits_shift;

// A mask of at least so many entries is read by words: then an aligned load lies inside it.
inline constexpr std::int64_t some_entries = 64;

// This tells whether each of 16 bytes differs from 0, as bits. The bits of two words at a time are
// multiplied, and the products' bits meet nowhere.
ISOFOLD_DEVICE inline std::uint32_t bits_of_bytes(const Pack<std::uint32_t, 4>& bytes) {
  constexpr std::uint32_t low = 0x7f7f7f7f;
  std::uint32_t top[4];  // of each byte the highest bit
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t x = bytes.value[i];
    top[i] = (((x & low) + low) | x) & ~low;
  }
  const std::uint32_t first = (top[0] >> 7 | top[1] >> 3) * 0x00204081U;
  const std::uint32_t second = (top[2] >> 7 | top[3] >> 3) * 0x00204081U;
  return (first >> 21 & 0xffU) | (second >> 13 & 0xff00U);
}

// The rows of a box whose elements a mask selects. Their entries are numbered as elements, or as
// places in memory (mask_to_bits_strided.hpp).
struct MaskedRows {
  static constexpr int room = 2 * word_bits;  // words: of the window past the last one
  Places places;
  const unsigned char* entries = nullptr;  // a byte each, or a bit
  bool of_bits = false;
  bool in_line = false;  // a row's lie one after the other, and there are a few dozen in all
  static constexpr int piece = 16;  // entries of a load
  bool in_pieces = false;           // of bytes not in line: each line is whole loads, aligned
  std::int64_t rows = 0;
  std::int64_t length = 0;  // entries of a row, or its places
  // The number of selected elements before each block of entries of each row; then the number of
  // all of the row's. The counts of the blocks of entries follow behind them, in 32 bits.
  std::int64_t* selected_before = nullptr;
  // A bit for each entry of each row; loops read the room behind them.
  std::uint32_t* taken = nullptr;
  // Not null: the mask itself is such bits, of one row. Only its last block of entries is copied.
  const std::uint32_t* in_place = nullptr;

  ISOFOLD_HOST_DEVICE std::int64_t blocks() const {
    return (length + (std::int64_t{1} << mask_block_shift) - 1) >> mask_block_shift;
  }
  ISOFOLD_HOST_DEVICE std::int64_t words() const {
    return (length + word_bits - 1) >> word_bits_shift;
  }
  ISOFOLD_HOST_DEVICE std::int64_t* counts_of(std::int64_t row) const {
    return selected_before + row * (blocks() + 1);
  }
  ISOFOLD_DEVICE std::uint32_t* in_blocks(std::int64_t row) const {
    return reinterpret_cast<std::uint32_t*>(counts_of(rows)) + row * blocks();
  }
  ISOFOLD_DEVICE std::uint32_t* bits_of(std::int64_t row) const { return taken + row * words(); }
  // The mask itself holds the words of a row before this one.
  ISOFOLD_DEVICE std::int64_t copied_from() const {
    return in_place == nullptr ? 0 : (blocks() - 1) << (mask_block_shift - word_bits_shift);
  }
  // The address from which word number `number` of a row is read.
  ISOFOLD_DEVICE const std::uint32_t* word_of(std::int64_t row, std::int64_t number) const {
    return (number < copied_from() ? in_place : bits_of(row)) + number;
  }

  // So many numbers of 64 bits are at `selected_before`, of 32 bits at `taken`.
  ISOFOLD_HOST_DEVICE std::int64_t counts() const {
    return rows * (blocks() + 1) + (rows * blocks() + 1) / 2;
  }
  ISOFOLD_HOST_DEVICE std::int64_t bit_words() const { return rows * words() + room; }

  // This tells whether rows are nearer to one another than their elements: rows in columns, or of
  // lines that lie apart.
  bool rows_first() const { return rows > 1 && !in_line && !places.reduced.is_line(1); }

  // The number of rows that lie side by side in the mask; 0: they do not.
  std::int64_t neighbours() const {
    const int inner = places.kept.count - 1;
    return inner >= 0 && places.kept.strides[mask_array][inner] == 1 ? places.kept.extents[inner]
                                                                     : 0;
  }

  // Lets bits of one row that are whole words be read from the mask.
  void find_in_place() {
    const bool in_words = reinterpret_cast<std::uintptr_t>(entries) % sizeof(std::uint32_t) == 0;
    in_place = of_bits && in_line && rows == 1 && in_words
                   ? reinterpret_cast<const std::uint32_t*>(entries)
                   : nullptr;
  }

  // Finds out whether all lines begin at a multiple of so many bytes. They are as long, too: a mask
  // is row-major, so the step of its next dimension is the length of a line.
  void find_pieces() {
    const Axes& axes = places.reduced;
    const int inner = axes.count - 1;
    in_pieces = !of_bits && !in_line && inner >= 0 && axes.strides[mask_array][inner] == 1 &&
                reinterpret_cast<std::uintptr_t>(entries) % piece == 0;
    for (int d = 0; d < inner; ++d) {
      in_pieces = in_pieces && axes.strides[mask_array][d] % piece == 0;
    }
    for (int d = 0; d < places.kept.count; ++d) {
      in_pieces = in_pieces && places.kept.strides[mask_array][d] % piece == 0;
    }
  }

  // Entries are numbered as the places of a line in memory from now on.
  void number_places(const Axes& line) {
    places.reduced = line;
    places.cursor_reaches = true;
    length = line.extents[0];
    in_line = false;
    in_pieces = false;
    in_place = nullptr;
  }

  // Notes the count of a block of entries.
  ISOFOLD_DEVICE void note_block(std::int64_t row, std::int64_t block, std::uint32_t count) const {
    if (blocks() > 1) {
      in_blocks(row)[block] = count;
    } else {
      counts_of(row)[0] = 0;
      counts_of(row)[1] = count;
    }
  }
  // Clears the words behind the last row's bits, which loops read, by so many threads.
  ISOFOLD_DEVICE void clear_behind(int thread, int threads) const {
    std::uint32_t* const behind = bits_of(rows);
    for (int i = thread; i < room; i += threads) {
      behind[i] = 0;
    }
  }

  // The number of a row's elements, once they are counted.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t selected_of(const Group& group, std::int64_t row) const {
    return group.template load<std::int64_t, 1>(counts_of(row) + blocks()).value[0];
  }
  // This tells whether the mask selects the element of index i of the row whose entries begin at
  // `first`.
  template <class Group>
  ISOFOLD_DEVICE bool takes(const Group& group, std::int64_t first, std::int64_t i) const {
    const std::int64_t at = first + places.reduced.offset(mask_array, i);
    return is_set(group.template load<unsigned char, 1>(entry(at)).value[0], at);
  }
  // The entries index, index + every, ... of a row whose entries begin with number `first`, as
  // bits; `left` entries from the first of them on count. Collective: every lane of the warp must
  // call.
  template <int count, int every, class Group>
  ISOFOLD_DEVICE std::uint32_t entries_selected(const Group& group, std::int64_t first,
                                                std::int64_t index, std::int64_t left) const;

  // The byte that holds an entry, and whether it says that the element is selected.
  ISOFOLD_DEVICE const unsigned char* entry(std::int64_t at) const {
    return entries + (of_bits ? at >> 3 : at);
  }
  ISOFOLD_DEVICE bool is_set(std::uint32_t byte, std::int64_t at) const {
    return (byte & (of_bits ? 1U << (at & 7) : 0xffU)) != 0;
  }
};

// The places of a mask's entries of a row from one of them on, to the end of its line and in all of
// the next one: without a division for each.
class MaskStretch {
 public:
  ISOFOLD_DEVICE MaskStretch(const Axes& axes, std::int64_t index) {
    const int inner = axes.count > 0 ? axes.count - 1 : 0;
    step_ = axes.strides[mask_array][inner];
    if (inner == 0) {
      own_ = next_ = index * step_;
      to_end_ = covered_ = INT32_MAX;
      return;
    }
    const std::int64_t extent = axes.extents[inner];
    const std::int64_t line = axes.by[inner].divide(index);
    const std::int64_t at = index - line * extent;
    own_ = axes.line_offset(mask_array, line) + at * step_;
    next_ = axes.line_offset(mask_array, line + 1) - (extent - at) * step_;
    to_end_ = at_most(extent - at);
    covered_ = at_most(2 * extent - at);
  }

  // This tells whether the entry of offset(count - 1) is of those two lines.
  ISOFOLD_DEVICE bool covers(int count) const { return count <= covered_; }
  // This tells whether it is of the first one: then offset_in_line() returns the value of offset()
  // in fewer instructions.
  ISOFOLD_DEVICE bool is_one_line(int count) const { return count <= to_end_; }
  ISOFOLD_DEVICE std::int64_t offset_in_line(int i) const { return own_ + i * step_; }
  // The distance from the row's first entry to the one that is i further on.
  ISOFOLD_DEVICE std::int64_t offset(int i) const {
    return (i < to_end_ ? own_ : next_) + i * step_;
  }

 private:
  ISOFOLD_DEVICE static std::int32_t at_most(std::int64_t count) {
    return count < INT32_MAX ? static_cast<std::int32_t>(count) : INT32_MAX;
  }

  std::int64_t own_;
  std::int64_t next_;  // as if the next line were this one
  std::int64_t step_;
  std::int32_t to_end_;
  std::int32_t covered_;
};

template <int count, int every, class Group>
ISOFOLD_DEVICE std::uint32_t MaskedRows::entries_selected(const Group& group, std::int64_t first,
                                                          std::int64_t index,
                                                          std::int64_t left) const {
  constexpr int span = (count - 1) * every + 1;
  const MaskStretch stretch(places.reduced, index);
  std::uint32_t taken = 0;
  if (all_of_warp(group, !of_bits && left >= span && stretch.is_one_line(span))) {
    std::uint32_t byte[count];
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const unsigned char* const from = entries + first + stretch.offset_in_line(j * every);
      byte[j] = group.template load<unsigned char, 1>(from).value[0];
    }
    loads_issued(group);
#pragma unroll
    for (int j = 0; j < count; ++j) {
      taken |= byte[j] != 0 ? 1U << j : 0U;
    }
  } else {
    const bool is_covered = all_of_warp(group, stretch.covers(span));  // else lines are short
    constexpr int at_once = 8;
    static_assert(count % at_once == 0, "All of them.");
#pragma unroll 1
    for (int i = 0; i < count; i += at_once) {
      std::int64_t at[at_once];
      std::uint32_t byte[at_once];
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        const int own = left > (i + j) * every ? (i + j) * every : 0;
        at[j] =
            first + (is_covered ? stretch.offset(own)
                                : places.reduced.offset(mask_array, left > 0 ? index + own : 0));
        byte[j] = group.template load<unsigned char, 1>(entry(left > 0 ? at[j] : first)).value[0];
      }
      loads_issued(group);
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        taken |= left > (i + j) * every && is_set(byte[j], at[j]) ? 1U << (i + j) : 0U;
      }
    }
  }
  return taken;
}

// The place at which a loop over the selected elements begins: a block of entries, and the number
// of the row's elements before it.
struct MaskedPlace {
  std::int64_t block;
  std::int64_t before;
};

// The block of entries that holds element number `element` of a row, which exists, by the counts
// before each block. Collective: every lane of the warp must call.
template <class Group>
ISOFOLD_DEVICE MaskedPlace find_place(const Group& group, const MaskedRows& masked,
                                      std::int64_t row, std::int64_t element) {
  const std::int64_t* const before = masked.counts_of(row);
  const std::int64_t block = find_part(group, before, masked.blocks(), element);
  return {block, group.template load<std::int64_t, 1>(before + block).value[0]};
}
// A warp has a block of entries: count(row, block, first) makes its bits, if the row's entries
// begin with number `first` of the mask, and tells how many of them this thread finds set.
// Collective: every thread of the block must call.
template <class Group, class Count>
ISOFOLD_DEVICE void count_blocks(const Group& group, const MaskedRows& masked,
                                 const RowUnits& of_rows, Count&& count) {
  const WarpPlace<Group> place(group);
  const std::int64_t units = masked.rows * masked.blocks();
  for (std::int64_t unit = group.block() * place.warps + place.warp; unit < units;
       unit += group.blocks() * place.warps) {
    const auto [row, block] = of_rows.unit(unit);
    const std::uint32_t mine = count(row, block, masked.places.kept.offset(mask_array, row));
    const std::uint32_t all = sums_of_warp<Group::wave_width>(group, mine).all;
    if (place.thread == 0) {
      masked.note_block(row, block, all);
    }
    if (unit + 1 == units) {
      masked.clear_behind(place.thread, Group::wave_width);
    }
  }
}

// Makes bits of the elements that a mask selects, and counts them: a warp has a block of entries.
// If these are in line, a thread has a few words of bits; otherwise a thread has one entry after
// the other. The kernel reads nothing outside the mask.
struct MaskToBits {
  static constexpr int max_threads = 768;
  static constexpr int threads = 256;  // of a block
  MaskedRows masked;
  RowUnits of_rows;  // blocks()

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const int thread = group.thread() % Group::wave_width;
    count_blocks(
        group, masked, of_rows, [&](std::int64_t row, std::int64_t block, std::int64_t first) {
          const std::int64_t begin = block << (mask_block_shift - word_bits_shift);
          if (!masked.in_line) {
            return masked.in_pieces && (block + 1) << mask_block_shift <= masked.length
                       ? count_bytes<false>(group, row, first, block)
                       : count_votes(group, row, first, block);
          }
          return is_plain(row, block, first) ? count_plain(group, row, first, block)
                                             : count_words(group, row, first, begin + thread);
        });
  }

 private:
  template <class Group>
  static constexpr int words_of_thread =
      (1 << (mask_block_shift - word_bits_shift)) / Group::wave_width;

  // The number of selected elements that this thread finds in a whole block of bytes that can be
  // loaded in pieces. It makes bits, too, of 16 entries at a time, side by side with those of other
  // threads.
  template <bool in_line, class Group>
  ISOFOLD_DEVICE std::uint32_t count_bytes(const Group& group, std::int64_t row, std::int64_t first,
                                           std::int64_t block) const {
    constexpr int loads = 2 * words_of_thread<Group>;  // of a block
    constexpr int piece = MaskedRows::piece;
    const int thread = group.thread() % Group::wave_width;
    const std::int64_t begin = block << (mask_block_shift - word_bits_shift);
    const std::uintptr_t from =
        address(first) + static_cast<std::uintptr_t>((begin << word_bits_shift) + thread * piece);
    auto* const to = reinterpret_cast<char*>(masked.bits_of(row) + begin) + 2 * thread;
    Pack<std::uint32_t, 4> bytes[loads];
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      std::uintptr_t at = from + static_cast<std::uintptr_t>(k * piece * Group::wave_width);
      if constexpr (!in_line) {
        const std::int64_t index =
            (begin << word_bits_shift) + (k * Group::wave_width + thread) * piece;
        at = address(first + masked.places.reduced.offset(mask_array, index));
      }
      bytes[k] = load_once(group, reinterpret_cast<const std::uint32_t*>(at));
    }
    loads_issued(group);
    std::uint32_t count = 0;
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      const auto half = static_cast<std::uint16_t>(bits_of_bytes(bytes[k]));
      memcpy(to + k * 2 * Group::wave_width, &half, 2);
      count += static_cast<std::uint32_t>(core::popcount(std::uint32_t{half}));
    }
    return count;
  }

  template <int count>
  ISOFOLD_DEVICE static std::uint32_t bits_of(const Pack<std::uint32_t, count>& words) {
    std::uint32_t bits = 0;
#pragma unroll
    for (int k = 0; k < count; ++k) {
      bits += static_cast<std::uint32_t>(core::popcount(words.value[k]));
    }
    return bits;
  }

  // This tells whether all of a block's entries are the row's and lie one after the other, 16 bytes
  // of them aligned: then its loads need no test.
  ISOFOLD_DEVICE bool is_plain(std::int64_t row, std::int64_t block, std::int64_t first) const {
    const bool is_whole = (block + 1) << mask_block_shift <= masked.length;
    const std::uintptr_t bits = masked.of_bits ? address(first >> 3) | (first & 7) : address(first);
    const auto to = reinterpret_cast<std::uintptr_t>(masked.bits_of(row));
    return masked.in_line && is_whole && bits % 16 == 0 && to % 16 == 0;
  }

  // The number of selected elements that this thread finds in such a block.
  template <class Group>
  ISOFOLD_DEVICE std::uint32_t count_plain(const Group& group, std::int64_t row, std::int64_t first,
                                           std::int64_t block) const {
    if (!masked.of_bits) {
      return count_bytes<true>(group, row, first, block);
    }
    constexpr int each = words_of_thread<Group>;
    using Words = Pack<std::uint32_t, each>;
    const std::int64_t begin = block << (mask_block_shift - word_bits_shift);
    const std::int64_t own = begin + group.thread() % Group::wave_width * each;
    const auto* const from = reinterpret_cast<const std::uint32_t*>(address(first >> 3)) + own;
    const Words words = group.template load<std::uint32_t, each>(from);
    if (begin >= masked.copied_from()) {
      *reinterpret_cast<Words*>(masked.bits_of(row) + own) = words;
    }
    return bits_of(words);
  }

  // The number of selected elements that this thread finds in any block, in the words number begin,
  // begin + width, ....
  template <class Group>
  ISOFOLD_DEVICE std::uint32_t count_words(const Group& group, std::int64_t row, std::int64_t first,
                                           std::int64_t begin) const {
    constexpr int each = words_of_thread<Group>;
    std::uint32_t word[each];
    read_words(group, first, begin, word);
    std::uint32_t count = 0;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const std::int64_t number = begin + k * Group::wave_width;
      if (number < masked.words()) {
        const std::int64_t left = masked.length - (number << word_bits_shift);
        word[k] &= left < word_bits ? (1U << left) - 1 : ~0U;
        if (number >= masked.copied_from()) {
          masked.bits_of(row)[number] = word[k];
        }
        count += static_cast<std::uint32_t>(core::popcount(word[k]));
      }
    }
    return count;
  }

  // The number of selected elements that this thread finds in a block whose entries do not lie one
  // after the other: a thread has an entry, so those of a line are loaded together, and its votes
  // are the words.
  template <class Group>
  ISOFOLD_DEVICE std::uint32_t count_votes(const Group& group, std::int64_t row, std::int64_t first,
                                           std::int64_t block) const {
    constexpr int width = Group::wave_width;
    constexpr int at_once = 8;  // entries of a thread
    constexpr int window = word_bits * word_bits;
    const int thread = group.thread() % width;
    const std::int64_t behind = (block + 1) << mask_block_shift;
    const std::int64_t end = behind < masked.length ? behind : masked.length;
    std::uint32_t count = 0;
#pragma unroll 1
    for (std::int64_t begin = block << mask_block_shift; begin < end; begin += window) {
      std::uint32_t word = 0;
#pragma unroll 1
      for (int i = 0; i < window; i += at_once * width) {
        const std::int64_t index = begin + i + thread;
        const std::uint32_t taken =
            masked.entries_selected<at_once, width>(group, first, index, end - index);
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
          const auto votes = group.ballot((taken >> j & 1) != 0);
#pragma unroll
          for (int k = 0; k < width / word_bits; ++k) {
            const auto those = static_cast<std::uint32_t>(votes >> (k * word_bits));
            word = thread == (i + j * width) / word_bits + k ? those : word;
          }
        }
      }
      const std::int64_t number = (begin >> word_bits_shift) + thread;
      if (thread < word_bits && number < masked.words()) {
        masked.bits_of(row)[number] = word;
        count += static_cast<std::uint32_t>(core::popcount(word));
      }
    }
    return count;
  }

  // The words number begin, begin + width, ... of a row whose entries lie one after the other; the
  // bits of entries past its end may be anything.
  template <class Group, int each>
  ISOFOLD_DEVICE void read_words(const Group& group, std::int64_t first, std::int64_t begin,
                                 std::uint32_t (&word)[each]) const {
    if (masked.of_bits) {
      const std::uintptr_t at = address(first >> 3);
      const auto bits = static_cast<int>(at % 4) * 8 + static_cast<int>(first & 7);
      if (bits == 0) {
        read_in_line<4, 1>(group, at, bits, first, begin, word);
      } else {
        read_in_line<4, 2>(group, at, bits, first, begin, word);
      }
    } else {
      const std::uintptr_t at = address(first);
      const auto bits = static_cast<int>(at % 16);
      if (bits == 0) {
        read_in_line<16, 2>(group, at, bits, first, begin, word);
      } else {
        read_in_line<16, 3>(group, at, bits, first, begin, word);
      }
    }
  }

  ISOFOLD_DEVICE std::uintptr_t address(std::int64_t byte) const {
    return reinterpret_cast<std::uintptr_t>(masked.entries) + static_cast<std::uintptr_t>(byte);
  }

  // Reads entries that lie one after the other, the row's first at `at`: `loads` aligned loads of
  // `bytes` hold a word's, from number `bits` of them on. All loads are in flight at once. Another
  // load replaces one that would leave the mask, and the word is read again, entry by entry.
  template <int bytes, int loads, class Group, int each>
  ISOFOLD_DEVICE void read_in_line(const Group& group, std::uintptr_t at, int bits,
                                   std::int64_t first, std::int64_t begin,
                                   std::uint32_t (&word)[each]) const {
    using Load = Pack<std::uint32_t, bytes / 4>;
    constexpr bool of_bits = bytes == 4;
    constexpr int bytes_of_word = of_bits ? word_bits / 8 : word_bits;
    const std::int64_t all = masked.rows * masked.length;
    const std::uintptr_t lowest = (address(0) + bytes - 1) / bytes * bytes;
    const std::uintptr_t end = address(of_bits ? (all + 7) >> 3 : all) / bytes * bytes;
    const std::uintptr_t highest = end - bytes;
    Load loaded[each][loads];
#pragma unroll
    for (int k = 0; k < each; ++k) {
      std::uintptr_t from = first_load<bytes, bytes_of_word>(at, begin + k * Group::wave_width);
#pragma unroll
      for (int j = 0; j < loads; ++j, from += bytes) {
        const std::uintptr_t inside = from < lowest ? lowest : from > highest ? highest : from;
        loaded[k][j] = group.template load<std::uint32_t, bytes / 4>(
            reinterpret_cast<const std::uint32_t*>(inside));
      }
    }
    loads_issued(group);
#pragma unroll
    for (int k = 0; k < each; ++k) {
      std::uint64_t together = 0;
#pragma unroll
      for (int j = 0; j < loads; ++j) {
        if constexpr (of_bits) {
          together |= std::uint64_t{loaded[k][j].value[0]} << (32 * j);
        } else {
          together |= std::uint64_t{bits_of_bytes(loaded[k][j])} << (16 * j);
        }
      }
      word[k] = static_cast<std::uint32_t>(together >> bits);
      const std::int64_t number = begin + k * Group::wave_width;
      const std::uintptr_t from = first_load<bytes, bytes_of_word>(at, number);
      if (number < masked.words() && (from < lowest || from + (loads - 1) * bytes > highest)) {
        word[k] = word_by_entries(group, first, number);
      }
    }
  }
  template <int bytes, int bytes_of_word>
  ISOFOLD_DEVICE static std::uintptr_t first_load(std::uintptr_t at, std::int64_t number) {
    return at / bytes * bytes + static_cast<std::uintptr_t>(number) * bytes_of_word;
  }

  template <class Group>
  ISOFOLD_DEVICE std::uint32_t word_by_entries(const Group& group, std::int64_t first,
                                               std::int64_t number) const {
    const std::int64_t begin = number << word_bits_shift;
    std::uint32_t word = 0;
#pragma unroll 8
    for (int bit = 0; bit < word_bits; ++bit) {
      const bool takes = begin + bit < masked.length && masked.takes(group, first, begin + bit);
      word |= takes ? 1U << bit : 0U;
    }
    return word;
  }
};

// Writes the number of selected elements before each block of entries, and of all, for rows of more
// than one block: a block of threads has a tile of so many blocks of entries, and adds up itself
// what is before it.
struct ScanCounts {
  static constexpr int max_threads = 512;
  static constexpr int at_once = 2;                // loads of a thread,
  static constexpr int before_at_once = 32;        // of what is before its tile
  static constexpr std::int64_t most_tiles = 256;  // of a row
  MaskedRows masked;
  std::int64_t tile;
  std::int64_t tiles;  // of a row
  Divisor by_tiles;

  ScanCounts() = default;
  ScanCounts(const MaskedRows& of, int threads) : masked(of) {
    const std::int64_t even = (of.blocks() + most_tiles - 1) / most_tiles;
    tile = std::max(even, std::int64_t{threads} * at_once);
    tiles = (of.blocks() + tile - 1) / tile;
    by_tiles = Divisor(tiles);
  }

  static constexpr std::size_t shared_bytes(int threads, int wave_width) {
    return static_cast<std::size_t>(threads / wave_width) * sizeof(std::int64_t);
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    auto* const sums = static_cast<std::int64_t*>(group.shared());
    for (std::int64_t unit = group.block(); unit < masked.rows * tiles; unit += group.blocks()) {
      const std::int64_t row = by_tiles.divide(unit);
      const std::int64_t begin = (unit - row * tiles) * tile;
      const std::int64_t left = masked.blocks() - begin;
      const std::int64_t end = begin + (left < tile ? left : tile);
      std::int64_t before = sum_before(group, row, begin, sums);
      for (std::int64_t round = begin; round < end; round += at_once * group.threads()) {
        before = write_round(group, row, round, end, before, sums);
      }
      if (left <= tile && group.thread() == 0) {
        masked.counts_of(row)[masked.blocks()] = before;
      }
    }
  }

 private:
  // The number of the row's selected elements in the blocks of entries before number `end`.
  // Collective: every thread of the block must call.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t sum_before(const Group& group, std::int64_t row, std::int64_t end,
                                         std::int64_t* sums) const {
    std::int64_t before = 0;
    std::int64_t all = 0;
#pragma unroll 1
    for (std::int64_t round = 0; round < end; round += before_at_once * group.threads()) {
      std::uint32_t count[before_at_once];
      all += load_round(group, row, round, end, count);
    }
    sum_over_block(group, all, sums, before, all);
    return all;
  }

  // Writes the sums before at_once blocks of entries for each thread, `before` being that of the
  // first; returns that of those that follow. Collective: every thread of the block must call.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t write_round(const Group& group, std::int64_t row, std::int64_t round,
                                          std::int64_t end, std::int64_t before,
                                          std::int64_t* sums) const {
    std::uint32_t count[at_once];
    std::int64_t at = before;
    std::int64_t all = load_round(group, row, round, end, count);
    sum_over_block(group, all, sums, at, all);
    std::int64_t number = first_of<at_once>(group, round);
#pragma unroll
    for (int j = 0; j < at_once; ++j, number += Group::wave_width) {
      const WarpSums in_warp = sums_of_warp<Group::wave_width>(group, count[j]);
      if (number < end) {
        masked.counts_of(row)[number] = at + in_warp.before;
      }
      at += in_warp.all;
    }
    return before + all;
  }

  // This thread's first block of entries of a round of so many loads.
  template <int loads, class Group>
  ISOFOLD_DEVICE static std::int64_t first_of(const Group& group, std::int64_t round) {
    const WarpPlace<Group> place(group);
    return round + place.warp * loads * Group::wave_width + place.thread;
  }

  // The counts of this thread's blocks of entries of a round, and their sum; blocks past the end
  // count nothing.
  template <int loads, class Group>
  ISOFOLD_DEVICE std::uint32_t load_round(const Group& group, std::int64_t row, std::int64_t round,
                                          std::int64_t end, std::uint32_t (&count)[loads]) const {
    const std::uint32_t* const counts = masked.in_blocks(row);
    const std::int64_t first = first_of<loads>(group, round);
#pragma unroll
    for (int j = 0; j < loads; ++j) {
      const std::int64_t number = first + j * Group::wave_width;
      const std::int64_t at = number < end ? number : end - 1;
      count[j] = group.template load<std::uint32_t, 1>(counts + at).value[0];
    }
    loads_issued(group);
    std::uint32_t sum = 0;
#pragma unroll
    for (int j = 0; j < loads; ++j) {
      count[j] = first + j * Group::wave_width < end ? count[j] : 0;
      sum += count[j];
    }
    return sum;
  }

  // Adds to `before` the values of the warps before this one, and makes `all` that of the block.
  // Collective: every thread of the block must call.
  template <class Group>
  ISOFOLD_DEVICE static void sum_over_block(const Group& group, std::int64_t mine,
                                            std::int64_t* sums, std::int64_t& before,
                                            std::int64_t& all) {
    const WarpPlace<Group> place(group);
    for (int distance = 1; distance < Group::wave_width; distance *= 2) {
      mine += exchange(group, mine, distance);
    }
    group.barrier();  // those of an earlier sum have been read
    if (place.thread == 0) {
      sums[place.warp] = mine;
    }
    group.barrier();
    all = 0;
    for (int warp = 0; warp < place.warps; ++warp) {
      before += warp < place.warp ? sums[warp] : 0;
      all += sums[warp];
    }
  }
};

}  // namespace isofold::gpu
