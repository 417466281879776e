// What a mask takes of the rows of a box. Two launches find out: the first makes bits of the mask,
// in the workspace, and counts them (CountMask), the second adds the counts up (SumCounts). From
// both TakenElements brings a row's elements to shared memory, packed, chunk after chunk.
#pragma once

#include <algorithm>

#include <backends/gpu/pieces.hpp>
#include <backends/gpu/places.hpp>

namespace isofold::gpu {

// Entries of a mask that are counted together.
inline constexpr int mask_block_shift = 12;
inline constexpr int word_bits_shift = 5;
inline constexpr int word_bits = 1 << word_bits_shift;

ISOFOLD_DEVICE inline int bits_in(std::uint32_t word) { return __builtin_popcount(word); }

// Whether each of 16 bytes is none, as bits.
ISOFOLD_DEVICE inline std::uint32_t bits_of_bytes(const Pack<std::uint32_t, 4>& bytes) {
  constexpr std::uint32_t low = 0x7f7f7f7f;
  std::uint32_t bits = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t x = bytes.value[i];
    const std::uint32_t top = (((x & low) + low) | x) >> 7 & 0x01010101U;  // of each byte
    bits |= (top * 0x00204081U >> 21 & 15U) << (4 * i);                    // side by side
  }
  return bits;
}

// The rows of a box of which a mask takes elements.
struct MaskedRows {
  Places places;
  const unsigned char* entries = nullptr;  // a byte each, or a bit
  bool of_bits = false;
  bool in_line = false;  // a row's lie one after the other, and there are a few dozen in all
  std::int64_t rows = 0;
  std::int64_t length = 0;  // entries of a row
  // Of each row's blocks of entries, how many elements before it are taken; then all of the row's.
  // Behind them, in 32 bits, what each block of entries has.
  std::int64_t* taken_before = nullptr;
  std::uint32_t* taken = nullptr;  // of each row's entries a bit

  ISOFOLD_HOST_DEVICE std::int64_t blocks() const {
    return (length + (std::int64_t{1} << mask_block_shift) - 1) >> mask_block_shift;
  }
  ISOFOLD_HOST_DEVICE std::int64_t words() const {
    return (length + word_bits - 1) >> word_bits_shift;
  }
  ISOFOLD_HOST_DEVICE std::int64_t* counts_of(std::int64_t row) const {
    return taken_before + row * (blocks() + 1);
  }
  ISOFOLD_DEVICE std::uint32_t* in_blocks(std::int64_t row) const {
    return reinterpret_cast<std::uint32_t*>(counts_of(rows)) + row * blocks();
  }
  ISOFOLD_DEVICE std::uint32_t* bits_of(std::int64_t row) const { return taken + row * words(); }

  // Numbers of 64 bits at `taken_before`.
  ISOFOLD_HOST_DEVICE std::int64_t counts() const {
    return rows * (blocks() + 1) + (rows * blocks() + 1) / 2;
  }

  // Elements of a row, once they are counted.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t taken_of(const Group& group, std::int64_t row) const {
    return group.template load<std::int64_t, 1>(counts_of(row) + blocks()).value[0];
  }

  // Whether the mask takes the element of index i of the row whose entries begin at `first`.
  template <class Group>
  ISOFOLD_DEVICE bool takes(const Group& group, std::int64_t first, std::int64_t i) const {
    const std::int64_t at = first + places.reduced.offset(mask_array, i);
    const int byte =
        group.template load<unsigned char, 1>(entries + (of_bits ? at >> 3 : at)).value[0];
    return of_bits ? (byte >> (at & 7) & 1) != 0 : byte != 0;
  }
};

// Makes bits of what a mask takes, and counts them: a warp a block of entries, a thread a few words
// of bits. Only what lies inside the mask is read.
struct CountMask {
  static constexpr int max_threads = 1024;
  static constexpr int threads = 256;  // of a block
  MaskedRows masked;
  Divisor by;  // blocks()

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    constexpr int each = (1 << (mask_block_shift - word_bits_shift)) / Group::wave_width;
    const WarpPlace<Group> place(group);
    const std::int64_t blocks = masked.blocks();
    const std::int64_t words = masked.words();
    for (std::int64_t unit = group.block() * place.warps + place.warp; unit < masked.rows * blocks;
         unit += group.blocks() * place.warps) {
      const std::int64_t row = by.divide(unit);
      const std::int64_t block = unit - row * blocks;
      const std::int64_t first = masked.places.kept.offset(mask_array, row);
      const std::int64_t begin =
          (block << (mask_block_shift - word_bits_shift)) + place.thread;  // of this thread
      std::uint32_t word[each];
      read_words(group, first, begin, word);
      std::uint32_t count = 0;
#pragma unroll
      for (int k = 0; k < each; ++k) {
        const std::int64_t number = begin + k * Group::wave_width;
        if (number < words) {
          const std::int64_t left = masked.length - (number << word_bits_shift);
          word[k] &= left < word_bits ? (1U << left) - 1 : ~0U;
          masked.bits_of(row)[number] = word[k];
          count += static_cast<std::uint32_t>(bits_in(word[k]));
        }
      }
      count = sums_of_warp<Group::wave_width>(group, count).all;
      if (place.thread == 0 && blocks > 1) {
        masked.in_blocks(row)[block] = count;
      } else if (place.thread == 0) {
        masked.counts_of(row)[0] = 0;
        masked.counts_of(row)[1] = count;
      }
    }
  }

 private:
  // The words number begin, begin + width, ... of a row; of entries past its end anything.
  template <class Group, int each>
  ISOFOLD_DEVICE void read_words(const Group& group, std::int64_t first, std::int64_t begin,
                                 std::uint32_t (&word)[each]) const {
    if (!masked.in_line) {
#pragma unroll 1
      for (int k = 0; k < each; ++k) {
        const std::uint32_t bits = word_by_entries(group, first, begin + k * Group::wave_width);
#pragma unroll
        for (int j = 0; j < each; ++j) {
          word[j] = j == k ? bits : word[j];
        }
      }
    } else if (masked.of_bits) {
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

  // Entries that lie one after the other, the row's first at `at`: `loads` aligned loads of
  // `bytes` hold a word's, from number `bits` of them on. All loads are in flight at once. Where
  // one would leave the mask another takes its place, and the word is read again, entry by entry.
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

// How many elements before each block of entries are taken, and all, of rows of more than one: a
// block of threads for a tile of so many blocks of entries, which adds up itself what is before it.
struct SumCounts {
  static constexpr int max_threads = 512;
  static constexpr int at_once = 8;                // loads of a thread
  static constexpr std::int64_t most_tiles = 256;  // of a row
  MaskedRows masked;
  std::int64_t tile;
  std::int64_t tiles;  // of a row
  Divisor by_tiles;

  SumCounts() = default;
  SumCounts(const MaskedRows& of, int threads) : masked(of) {
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
  // What the row's blocks of entries before number `end` have. All of the block call.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t sum_before(const Group& group, std::int64_t row, std::int64_t end,
                                         std::int64_t* sums) const {
    std::int64_t before = 0;
    std::int64_t all = 0;
#pragma unroll 1
    for (std::int64_t round = 0; round < end; round += at_once * group.threads()) {
      std::uint32_t count[at_once];
      all += load_round(group, row, round, end, count);
    }
    sum_over_block(group, all, sums, before, all);
    return all;
  }

  // Writes the sums before at_once blocks of entries for each thread, `before` being that of the
  // first; returns that of those that follow. All of the block call.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t write_round(const Group& group, std::int64_t row, std::int64_t round,
                                          std::int64_t end, std::int64_t before,
                                          std::int64_t* sums) const {
    std::uint32_t count[at_once];
    std::int64_t at = before;
    std::int64_t all = load_round(group, row, round, end, count);
    sum_over_block(group, all, sums, at, all);
    std::int64_t number = first_of(group, round);
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

  template <class Group>
  ISOFOLD_DEVICE static std::int64_t first_of(const Group& group, std::int64_t round) {
    const WarpPlace<Group> place(group);
    return round + place.warp * at_once * Group::wave_width + place.thread;
  }

  // What this thread's blocks of entries of a round have, and the sum of it; past the end nothing.
  template <class Group>
  ISOFOLD_DEVICE std::uint32_t load_round(const Group& group, std::int64_t row, std::int64_t round,
                                          std::int64_t end,
                                          std::uint32_t (&count)[at_once]) const {
    const std::uint32_t* const counts = masked.in_blocks(row);
    const std::int64_t first = first_of(group, round);
#pragma unroll
    for (int j = 0; j < at_once; ++j) {
      const std::int64_t number = first + j * Group::wave_width;
      const std::int64_t at = number < end ? number : end - 1;
      count[j] = group.template load<std::uint32_t, 1>(counts + at).value[0];
    }
    loads_issued(group);
    std::uint32_t sum = 0;
#pragma unroll
    for (int j = 0; j < at_once; ++j) {
      count[j] = first + j * Group::wave_width < end ? count[j] : 0;
      sum += count[j];
    }
    return sum;
  }

  // Adds to `before` what the warps before this one have, and makes `all` that of the block. All of
  // the block call.
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

// The elements that a mask takes of a row, from one of them on, as a warp copies them to shared
// memory: it goes through the bits in windows of 32 words, one for each thread. Of a row whose
// elements lie one after the other it counts entries from the 16 bytes that the first one is in, so
// that pieces (pieces.hpp) lie in one window each.
template <class Fold, class Stored = AsComputed>
class TakenElements {
  using Element = typename Fold::element_type;
  static constexpr int window_shift = 2 * word_bits_shift;  // entries, as a cursor covers
  static_assert(window_shift <= core::chunk_shift, "A cursor covers a window.");
  static constexpr int windows_shift = mask_block_shift - window_shift;  // of a block of entries
  // Of a window that has no more, threads copy those of their own words, one after the other: fewer
  // steps than a word after the other, by all threads.
  static constexpr int most_sparse = 64;
  static constexpr int words_at_once = 4;  // of a thread
  static constexpr int most_spare = words_at_once * 2;

  static constexpr std::int16_t past_all = INT16_MAX / 2;

 public:
  static constexpr std::size_t scratch_bytes = sizeof(TakenWord) * (word_bits + most_spare);

  // Those of row `row`; `scratch` is the warp's own.
  template <class Group>
  ISOFOLD_DEVICE TakenElements(const Group& group, const MaskedRows& masked, std::int64_t row,
                               void* scratch, const Stored& stored = {})
      : masked_(masked),
        stored_(stored),
        row_(row),
        items_(static_cast<TakenWord*>(scratch)),
        thread_(group.thread() % Group::wave_width) {}

  // Before the first fill(): the row is one of `first`, its elements come from number `begin` on,
  // which exists. All of the warp call.
  template <class Group>
  ISOFOLD_DEVICE void start(const Group& group, const core::Elements<Fold>& first,
                            std::int64_t begin) {
    const Element* const arrays[] = {first.data, first.second};
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      data_[a] = reinterpret_cast<const char*>(arrays[a]) +
                 masked_.places.kept.offset(a, row_) * element_bytes();
    }
    find_pieces();
    const std::int64_t block = find_block(group, begin);
    const std::int64_t before =
        group.template load<std::int64_t, 1>(masked_.counts_of(row_) + block).value[0];
    begin_ = begin;
    before_ = static_cast<int>(before - begin);
    if (shift_ != 0) {  // the window begins that many entries before the block
      const std::int64_t number = block << (mask_block_shift - word_bits_shift);
      before_ -= bits_in(load_word(group, number - 1) >> (word_bits - shift_));
    }
    window_ = (block << windows_shift) - 1;  // of which nothing is left
    load_upcoming(group);
  }

  // As PackedElements::fill().
  template <class Group>
  ISOFOLD_DEVICE void fill(const Group& group, std::int64_t begin, int count, Element* buffer) {
    begin_ = begin;
    move_overflow(group, buffer);
#pragma unroll 1
    while (true) {
      if (before_ + in_window_ > 0) {
        copy_window(group, count, buffer);
        if (before_ + in_window_ >= count) {
          break;
        }
      }
      next_window(group);
    }
    before_ -= count;
  }

 private:
  using Taken = Pieces<Fold>;
  static constexpr bool has_pieces = !Stored::converts && Taken::group > 0;

  // Whether elements come in pieces, and how many entries the first one has before the row's.
  ISOFOLD_DEVICE void find_pieces() {
    if constexpr (has_pieces) {
      const Axes& axes = masked_.places.reduced;
      const auto at = reinterpret_cast<std::uintptr_t>(data_[0]);
      comes_in_pieces_ = axes.count == 1 && at % sizeof(Element) == 0;
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        const auto other = reinterpret_cast<std::uintptr_t>(data_[a]);
        comes_in_pieces_ = comes_in_pieces_ && axes.strides[a][0] == 1 &&
                           other % Taken::bytes == at % Taken::bytes;
      }
      shift_ = comes_in_pieces_ ? static_cast<int>(at % Taken::bytes / sizeof(Element)) : 0;
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        data_[a] -= shift_ * sizeof(Element);
      }
    }
  }

  // Bits of the window's elements before number `begin_`, with which a walk starts, become 0.
  template <class Group>
  ISOFOLD_DEVICE void drop_earlier(const Group& group) {
#pragma unroll 1
    for (int lacking = -(before_ + ahead_); lacking > 0 && word_ != 0; --lacking) {
      word_ &= word_ - 1;
    }
    before_ = 0;
    count_window(group);
  }

  // What the pieces of the chunk before this one brought behind it.
  template <class Group>
  ISOFOLD_DEVICE void move_overflow(const Group& group, Element* buffer) {
    if constexpr (has_pieces) {
      if (overflow_ > 0) {
        for (int i = thread_; i < overflow_; i += Group::wave_width) {
#pragma unroll
          for (int a = 0; a < Fold::arrays; ++a) {
            Element* const to = buffer + a * packed_stride<Fold>() + i;
            *to = to[core::chunk_elements];
          }
        }
        group.warp_barrier();  // more may be brought where these were
        overflow_ = 0;
      }
    }
  }

  // Before what a window has is copied. Of pieces it shows all words to the warp.
  template <class Group>
  ISOFOLD_DEVICE void open_window(const Group& group) {
    if constexpr (has_pieces) {
      in_pieces_ = comes_in_pieces_ && in_window_ > most_sparse && (window_ > 0 || shift_ == 0) &&
                   (window_ + 1) << window_shift <= entries();
      if (in_pieces_) {
        group_ = 0;
        group.warp_barrier();  // the words before these have been read
        if (thread_ < word_bits) {
          items_[thread_] = {word_, static_cast<std::int16_t>(ahead_), 0};
        }
        if (thread_ == 0) {
          items_[word_bits] = {0, static_cast<std::int16_t>(in_window_), 0};
        }
        group.warp_barrier();
      }
    }
  }

  // The window's groups that have elements of the chunk. The last of them may have some behind it.
  template <class Group>
  ISOFOLD_DEVICE void copy_pieces(const Group& group, int count, Element* buffer) {
#pragma unroll 1
    for (; group_ < word_bits / Taken::words; ++group_) {
      const TakenWord* const words = items_ + group_ * Taken::words;
      const int end = before_ + words[Taken::words].before;
      if (before_ + words->before >= count) {
        break;
      }
      const std::int64_t entry = (window_ << window_shift) + group_ * Taken::group;
      const char* from[Fold::arrays];
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        from[a] = data_[a] + entry * static_cast<std::int64_t>(sizeof(Element));
      }
      Taken::copy(group, from, words, before_, buffer);
      overflow_ = end - count;
    }
  }

  // The block of entries in which element number `element` of the row is.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t find_block(const Group& group, std::int64_t element) const {
    return find_part(group, masked_.counts_of(row_), masked_.blocks(), element);
  }

  template <class Group>
  ISOFOLD_DEVICE std::uint32_t load_word(const Group& group, std::int64_t number) const {
    return number >= 0 && number < masked_.words()
               ? group.template load<std::uint32_t, 1>(masked_.bits_of(row_) + number).value[0]
               : 0;
  }

  // Of the next window this thread's word, in which are bits of two.
  template <class Group>
  ISOFOLD_DEVICE void load_upcoming(const Group& group) {
    const std::int64_t number = ((window_ + 1) << word_bits_shift) + thread_ % word_bits;
    upcoming_ = load_word(group, number);
    if (shift_ != 0) {
      earlier_ = load_word(group, number - 1);
    }
  }

  template <class Group>
  ISOFOLD_DEVICE void count_window(const Group& group) {
    const auto sums = sums_of_warp<word_bits>(group, static_cast<std::uint32_t>(bits_in(word_)));
    ahead_ = static_cast<int>(sums.before);
    in_window_ = static_cast<int>(sums.all);
  }

  template <class Group>
  ISOFOLD_DEVICE void next_window(const Group& group) {
    before_ += in_window_;
    empty_windows_ = in_window_ == 0 ? empty_windows_ + 1 : 0;
    if (empty_windows_ > 1 << windows_shift) {  // many more may follow
      empty_windows_ = 0;
      const std::int64_t found = find_block(group, begin_ + before_) << windows_shift;
      if (found > window_ + 1) {
        window_ = found - 1;
        load_upcoming(group);
      }
    }
    ++window_;
    // The word that is on its way becomes this window's, and the next window's sets out.
    word_ = shift_ == 0 ? upcoming_ : upcoming_ << shift_ | earlier_ >> (word_bits - shift_);
    load_upcoming(group);
    count_window(group);
    if (before_ < 0 && before_ + in_window_ > 0) {
      drop_earlier(group);
    }
    open_window(group);
  }

  // Copies what the window has of the chunk's elements.
  template <class Group>
  ISOFOLD_DEVICE void copy_window(const Group& group, int count, Element* buffer) {
    if constexpr (has_pieces) {
      if (in_pieces_) {
        copy_pieces(group, count, buffer);
        return;
      }
    }
    const std::int64_t first = window_ << window_shift;
    const std::int64_t left = entries() - first;
    const int entries = left < 1 << window_shift ? static_cast<int>(left) : 1 << window_shift;
    const int bytes = element_bytes();
    Cursor<Fold::arrays> cursor;
    bool covered = masked_.places.has_cursor();
    if (covered) {
      cursor = masked_.places.template cursor<Fold::arrays>(first, bytes);
      covered = cursor.covers(entries);
    }
    if (covered && cursor.is_one_stretch()) {
      copy_elements(group, count, buffer,
                    [&](int array, int i) { return cursor.offset_in_stretch(array, i); });
    } else {
      copy_elements(group, count, buffer, [&](int array, int i) {
        return covered ? cursor.offset(array, i)
                       : masked_.places.reduced.offset(array, first + i) * bytes;
      });
    }
  }

  // offset(array, i): bytes from the row's first element to entry i of the window.
  template <class Group, class Offset>
  ISOFOLD_DEVICE void copy_elements(const Group& group, int count, Element* buffer,
                                    Offset&& offset) {
    if (in_window_ <= most_sparse) {
      copy_own(group, count, buffer, offset);
      return;
    }
    const int before = before_ + ahead_;
    const bool mine = word_ != 0 && before < count && before + bits_in(word_) > 0;
    const WarpSums sums = sums_of_warp<word_bits>(group, mine ? 1 : 0);
    const int items = static_cast<int>(sums.all);
    if (mine && thread_ < word_bits) {
      TakenWord item{word_, static_cast<std::int16_t>(before),
                static_cast<std::int16_t>(thread_ << word_bits_shift)};
      items_[sums.before] = item;
      if (static_cast<int>(sums.before) == items - 1) {  // what the last step reads behind it
        constexpr int spare = words_at_once * Group::wave_width / word_bits;
        item.before = past_all;
#pragma unroll
        for (int i = 0; i < spare; ++i) {
          items_[items + i] = item;
        }
      }
    }
    group.warp_barrier();
    copy_items(group, items, count, buffer, offset);
    group.warp_barrier();  // the next window writes the items that this one has read
  }

  // A word after the other: every thread has one of its entries.
  template <class Group, class Offset>
  ISOFOLD_DEVICE void copy_items(const Group& group, int items, int count, Element* buffer,
                                 Offset&& offset) const {
    constexpr int words_a_warp = Group::wave_width / word_bits;
    static_assert(words_at_once * words_a_warp <= most_spare, "Room behind the items.");
    const int bit = thread_ % word_bits;
    const std::uint32_t below = (1U << bit) - 1;
    const TakenWord* from = items_ + thread_ / word_bits;
#pragma unroll 1
    for (int i = 0; i < items; i += words_at_once * words_a_warp) {
      TakenWord item[words_at_once];
      int position[words_at_once];
      bool take[words_at_once];
#pragma unroll
      for (int j = 0; j < words_at_once; ++j) {
        item[j] = from[i + j * words_a_warp];
        const bool is_taken = (item[j].word >> bit & 1) != 0;
        position[j] = item[j].before + bits_in(item[j].word & below);
        take[j] = is_taken && static_cast<unsigned>(position[j]) < static_cast<unsigned>(count);
      }
      if constexpr (by_registers<Group, Stored>) {
        copy_by_registers(group, buffer, item, bit, position, take, offset);
      } else {
#pragma unroll
        for (int j = 0; j < words_at_once; ++j) {
          if (take[j]) {
            copy(group, buffer, position[j], item[j].entry + bit, offset);
          }
        }
      }
    }
  }

  // Bit `bit` of each of the items.
  template <class Group, class Offset>
  ISOFOLD_DEVICE void copy_by_registers(const Group& group, Element* buffer,
                                        const TakenWord (&item)[words_at_once], int bit,
                                        const int (&position)[words_at_once],
                                        const bool (&take)[words_at_once], Offset&& offset) const {
    constexpr int at_once = words_at_once;
    // A thread without an element reads another one: loads behind a test each would wait for one
    // another.
    int entry[at_once];
#pragma unroll
    for (int j = 0; j < at_once; ++j) {
      const std::uint32_t word = item[j].word;
      const bool is_taken = (word >> bit & 1) != 0;
      entry[j] = item[j].entry + (is_taken ? bit : bits_in((word & (0 - word)) - 1));
    }
    Element x[Fold::arrays][at_once];
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      const char* from[at_once];
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        from[j] = data_[a] + offset(a, entry[j]);
      }
      load_stored(group, stored_, from, x[a]);
    }
    loads_issued(group);
#pragma unroll
    for (int j = 0; j < at_once; ++j) {
      if (take[j]) {
#pragma unroll
        for (int a = 0; a < Fold::arrays; ++a) {
          buffer[a * packed_stride<Fold>() + position[j]] = x[a][j];
        }
      }
    }
  }

  // Each thread those of its own word.
  template <class Group, class Offset>
  ISOFOLD_DEVICE void copy_own(const Group& group, int count, Element* buffer,
                               Offset&& offset) const {
    int position = before_ + ahead_;
    std::uint32_t word = thread_ < word_bits ? word_ : 0;
#pragma unroll 1
    for (; word != 0; word &= word - 1, ++position) {
      const int entry =
          (thread_ << word_bits_shift) + bits_in((word & (0 - word)) - 1);  // of its lowest bit
      if (static_cast<unsigned>(position) < static_cast<unsigned>(count)) {
        copy(group, buffer, position, entry, offset);
      }
    }
  }

  template <class Group, class Offset>
  ISOFOLD_DEVICE void copy(const Group& group, Element* buffer, int position, int entry,
                           Offset&& offset) const {
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      const char* const from[] = {data_[a] + offset(a, entry)};
      Element* const to = buffer + a * packed_stride<Fold>() + position;
      if constexpr (Stored::converts) {
        Element x[1];
        load_stored(group, stored_, from, x);
        *to = x[0];
      } else {
        copy_element(group, to, from[0]);
      }
    }
  }

  ISOFOLD_DEVICE std::int64_t entries() const { return masked_.length + shift_; }
  ISOFOLD_DEVICE int element_bytes() const { return stored_.template bytes_of<Element>(); }

  const MaskedRows& masked_;
  Stored stored_;
  std::int64_t row_;
  const char* data_[Fold::arrays]{};  // of the row's entry 0
  std::int64_t begin_ = 0;            // the element that comes next
  TakenWord* items_;
  int thread_;
  std::int64_t window_ = 0;
  std::uint32_t word_ = 0;      // of this thread, in the window
  std::uint32_t upcoming_ = 0;  // in the next one,
  std::uint32_t earlier_ = 0;   // and the word before it
  int ahead_ = 0;               // elements of the window before the word's
  int in_window_ = 0;           // its elements
  int before_ = 0;              // elements before the window, from `begin_` on; some may lack
  int empty_windows_ = 0;       // one after the other
  int shift_ = 0;               // entries before the row's first one
  bool comes_in_pieces_ = false;
  bool in_pieces_ = false;  // the window
  int group_ = 0;           // of the window, the next one
  int overflow_ = 0;        // elements behind the last chunk
};

}  // namespace isofold::gpu
