// The elements that a mask selects of a row, for compacted.hpp: from the mask's bits and their
// counts (mask_bits.hpp) SelectedElements brings the elements to shared memory, compacted, chunk
// after chunk. Elements that lie one after the other in memory come in pieces (select_vectors.hpp).
#pragma once

#include <backends/gpu/input/mask_bits.hpp>
#include <backends/gpu/input/select_vectors.hpp>

namespace isofold::gpu {

// A CountedWord together with its place: the entry of its first bit in the window.
struct alignas(8) SelectedWord {
  std::uint32_t word;
  std::int16_t before;
  std::int16_t entry;
};
static_assert(sizeof(SelectedWord) == sizeof(CountedWord), "They have their place in turns.");

// The number of blocks of entries from this one on of which nothing is selected; a block follows of
// which something is.
template <class Group>
ISOFOLD_DEVICE_APART std::int64_t empty_blocks(const Group& group, const MaskedRows& masked,
                                               std::int64_t row, std::int64_t block) {
  const std::uint32_t* const counts = masked.in_blocks(row) + block;
  const std::int64_t left = masked.blocks() > 1 ? masked.blocks() - block : 0;  // counted ones
  std::int64_t empty = 0;
  std::uint32_t here = Group::wave_width;
#pragma unroll 1
  for (; here == Group::wave_width; empty += here) {
    const std::int64_t own = empty + group.thread() % Group::wave_width;
    const std::uint32_t* const count = counts + (own < left ? own : 0);
    const std::uint32_t some =
        own < left && group.template load<std::uint32_t, 1>(count).value[0] == 0 ? 0 : 1;
    const std::uint32_t before = sums_of_warp<Group::wave_width>(group, some).before;
    here = sums_of_warp<Group::wave_width>(group, before + some == 0 ? 1 : 0).all;
  }
  return empty;
}

// The elements that a mask selects of a row, from one of them on, as a warp copies them to shared
// memory: it goes through the bits in windows of 32 words, one for each thread. If the row's
// elements are known to lie one after the other (in_line), it counts entries from the 16 bytes that
// hold the first one, so that pieces (select_vectors.hpp) lie in one window each.
template <class Fold, class Stored, bool in_line>
class SelectedElements {
  using Element = typename Fold::element_type;
  static constexpr int window_shift = 2 * word_bits_shift;  // entries, as a cursor covers
  static_assert(window_shift <= core::chunk_shift, "A cursor covers a window.");
  static constexpr int windows_shift = mask_block_shift - window_shift;  // of a block of entries
  // Threads copy the elements of their own words of a window that has no more, one after the other:
  // this takes fewer steps than all threads at one word after the other.
  static constexpr int most_sparse = 64;
  // Pieces of which nothing is selected are left out in a window that has no more elements, or a
  // word half of whose pieces are such. Other windows have few such pieces, and the search costs
  // more than it saves, except with elements of 8 bytes.
  static constexpr int most_with_gaps = 384;
  static constexpr int words_at_once = 4;  // of a thread
  static constexpr int most_spare = words_at_once * 2;

  static constexpr std::int16_t past_all = INT16_MAX / 2;

 public:
  static constexpr std::size_t scratch_bytes = sizeof(SelectedWord) * (word_bits + most_spare);

  // The elements of row `row`; `scratch` is the warp's own.
  template <class Group>
  ISOFOLD_DEVICE SelectedElements(const Group& group, const MaskedRows& masked, std::int64_t row,
                                  void* scratch, const Stored& stored = {})
      : masked_(masked),
        stored_(stored),
        row_(row),
        items_(static_cast<SelectedWord*>(scratch)),
        counted_(static_cast<CountedWord*>(scratch)),
        thread_(group.thread() % Group::wave_width) {}

  // Begins, before the first fill(), at element number `begin` of the row, which exists; the row is
  // one of `first`. Collective: every lane of the warp must call.
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
    const auto [block, before] = find_place(group, masked_, row_, begin);
    before_ = static_cast<int>(before - begin);
    if (shift_ != 0) {  // the window begins that many entries before the block
      const std::int64_t number = block << (mask_block_shift - word_bits_shift);
      before_ -= core::popcount(load_word(group, number - 1) >> (word_bits - shift_));
    }
    window_ = (block << windows_shift) - 1;  // of which nothing is left
    load_upcoming(group);
  }

  // Copies the next elements, as CompactedElements::fill(); pieces may write others behind the
  // elements.
  template <class Group>
  ISOFOLD_DEVICE void fill(const Group& group, std::int64_t begin, int count, Element* buffer) {
    move_overflow(group, buffer);
#pragma unroll 1
    while (true) {
      if (before_ + in_window_ > 0) {
        copy_window(group, count, buffer);
        if (before_ + in_window_ >= count) {
          break;
        }
      }
      next_window(group, begin);
    }
    before_ -= count;
  }

 private:
  using Selected = Pieces<Fold>;
  static_assert(!in_line || (!Stored::converts && Selected::group > 0), "Pieces of elements.");

  // Finds out whether elements come in pieces, and how many entries the first one has before the
  // row's.
  ISOFOLD_DEVICE void find_pieces() {
    if constexpr (in_line) {
      const auto at = reinterpret_cast<std::uintptr_t>(data_[0]);
      comes_in_pieces_ = at % sizeof(Element) == 0;
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        const auto other = reinterpret_cast<std::uintptr_t>(data_[a]);
        comes_in_pieces_ = comes_in_pieces_ && other % Selected::bytes == at % Selected::bytes;
      }
      shift_ = comes_in_pieces_ ? static_cast<int>(at % Selected::bytes / sizeof(Element)) : 0;
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        data_[a] -= shift_ * static_cast<int>(sizeof(Element));
      }
    }
  }

  // Clears the bits of the window's elements before those with which a loop starts.
  template <class Group>
  ISOFOLD_DEVICE void drop_earlier(const Group& group) {
#pragma unroll 1
    for (int lacking = -(before_ + ahead_); lacking > 0 && word_ != 0; --lacking) {
      word_ &= word_ - 1;
    }
    before_ = 0;
    count_window(group);
  }

  // Moves the elements that the pieces of the chunk before this one brought behind it.
  template <class Group>
  ISOFOLD_DEVICE void move_overflow(const Group& group, Element* buffer) {
    if constexpr (in_line) {
      if (overflow_ > 0) {
        for (int i = thread_; i < overflow_; i += Group::wave_width) {
#pragma unroll
          for (int a = 0; a < Fold::arrays; ++a) {
            Element* const to = buffer + a * compacted_stride<Fold>() + i;
            *to = to[core::chunk_elements];
          }
        }
        group.warp_barrier();  // more may be brought where these were
        overflow_ = 0;
      }
    }
  }

  // The number of pieces of a word's elements of which at least one is selected.
  ISOFOLD_DEVICE static int pieces_in(std::uint32_t word) {
    std::uint32_t some = word;
    std::uint32_t firsts = 1;  // bits of each piece's first element
#pragma unroll
    for (int i = 1; i < Selected::elements; ++i) {
      some |= word >> i;
    }
#pragma unroll
    for (int distance = Selected::elements; distance < word_bits; distance *= 2) {
      firsts |= firsts << distance;
    }
    return core::popcount(some & firsts);
  }

  // Prepares a window before it is copied: if it comes in pieces, the warp sees all words.
  template <class Group>
  ISOFOLD_DEVICE void open_window(const Group& group) {
    if constexpr (in_line) {
      if (!comes_in_pieces_) {
        return;
      }
      in_pieces_ = in_window_ > most_sparse && (window_ > 0 || shift_ == 0) &&
                   (window_ + 1) << window_shift <= entries();
      group.warp_barrier();  // the words before these have been read
      if (in_pieces_) {
        group_ = 0;
        has_gaps_ = sizeof(Element) == 8 || in_window_ <= most_with_gaps ||
                    !all_of_warp(group, pieces_in(word_) > word_bits / Selected::elements / 2);
        if (thread_ < word_bits) {
          counted_[thread_] = {word_, ahead_};
        }
        if (thread_ == 0) {
          counted_[word_bits] = {0, in_window_};
        }
        group.warp_barrier();
      }
    }
  }

  // Copies the window's groups that have elements of the chunk. The last of them may have elements
  // behind it.
  template <class Group>
  ISOFOLD_DEVICE void copy_pieces(const Group& group, int count, Element* buffer) {
#pragma unroll 1
    for (; group_ < word_bits / Selected::words; ++group_) {
      const CountedWord* const words = counted_ + group_ * Selected::words;
      const int end = before_ + words[Selected::words].before;
      if (before_ + words->before >= count) {
        break;
      }
      const std::int64_t entry = (window_ << window_shift) + group_ * Selected::group;
      const char* from[Fold::arrays];
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        from[a] = data_[a] + entry * static_cast<std::int64_t>(sizeof(Element));
      }
      Selected::copy(group, from, words, has_gaps_, before_, buffer);
      overflow_ = end - count;
    }
  }

  template <class Group>
  ISOFOLD_DEVICE std::uint32_t load_word(const Group& group, std::int64_t number) const {
    return number >= 0 && number < masked_.words()
               ? group.template load<std::uint32_t, 1>(masked_.word_of(row_, number)).value[0]
               : 0;
  }

  // Loads this thread's word of the next window, in which are bits of two words of the mask. There
  // is room for the window past the last one.
  template <class Group>
  ISOFOLD_DEVICE void load_upcoming(const Group& group) {
    const std::int64_t number = ((window_ + 1) << word_bits_shift) + thread_ % word_bits;
    upcoming_ = group.template load<std::uint32_t, 1>(masked_.word_of(row_, number)).value[0];
    if constexpr (in_line) {
      const std::int64_t before = number > 0 ? number - 1 : 0;
      earlier_ = group.template load<std::uint32_t, 1>(masked_.word_of(row_, before)).value[0];
    }
  }
  // The word that has been loaded of the window.
  ISOFOLD_DEVICE std::uint32_t loaded_word() const {
    const std::int64_t number = (window_ << word_bits_shift) + thread_ % word_bits;
    std::uint32_t word = number < masked_.words() ? upcoming_ : 0;
    if constexpr (in_line) {
      const std::uint32_t before = number > 0 && number <= masked_.words() ? earlier_ : 0;
      word = shift_ == 0 ? word : word << shift_ | before >> (word_bits - shift_);
    }
    return word;
  }

  template <class Group>
  ISOFOLD_DEVICE void count_window(const Group& group) {
    const auto sums =
        sums_of_warp<word_bits>(group, static_cast<std::uint32_t>(core::popcount(word_)));
    ahead_ = static_cast<int>(sums.before);
    in_window_ = static_cast<int>(sums.all);
  }

  template <class Group>
  ISOFOLD_DEVICE void next_window(const Group& group, std::int64_t begin) {
    before_ += in_window_;
    empty_windows_ = in_window_ == 0 ? empty_windows_ + 1 : 0;
    if (empty_windows_ > 1 << windows_shift) {  // many more may follow
      empty_windows_ = 0;
      if constexpr (in_line) {
        const std::int64_t block = window_ >> windows_shift;
        const std::int64_t found = (block + empty_blocks(group, masked_, row_, block))
                                   << windows_shift;
        // The window before it has nothing, nor has the one whose word is on its way.
        window_ = found - 2 > window_ ? found - 2 : window_;
      } else {
        const std::int64_t found = find_place(group, masked_, row_, begin + before_).block
                                   << windows_shift;
        if (found > window_ + 1) {
          window_ = found - 1;
          load_upcoming(group);
        }
      }
    }
    ++window_;
    // The word that is on its way becomes this window's, and the next window's sets out.
    word_ = loaded_word();
    loads_issued(group);  // else nvcc loads the next one before, and waits for it to move it
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
    if constexpr (in_line) {
      if (in_pieces_) {
        copy_pieces(group, count, buffer);
        return;
      }
    }
    const std::int64_t first = window_ << window_shift;
    const int bytes = element_bytes();
    if constexpr (in_line) {
      copy_elements(group, count, buffer, [&](int, int i) { return (first + i) * bytes; });
      return;
    }
    const std::int64_t left = entries() - first;
    const int entries = left < 1 << window_shift ? static_cast<int>(left) : 1 << window_shift;
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
    const bool mine = word_ != 0 && before < count && before + core::popcount(word_) > 0;
    const WarpSums sums = sums_of_warp<word_bits>(group, mine ? 1 : 0);
    const int items = static_cast<int>(sums.all);
    if (mine && thread_ < word_bits) {
      SelectedWord item{word_, static_cast<std::int16_t>(before),
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

  // Copies a word after the other: every thread has one of its entries.
  template <class Group, class Offset>
  ISOFOLD_DEVICE void copy_items(const Group& group, int items, int count, Element* buffer,
                                 Offset&& offset) const {
    constexpr int words_a_warp = Group::wave_width / word_bits;
    static_assert(words_at_once * words_a_warp <= most_spare, "Room behind the items.");
    const int bit = thread_ % word_bits;
    const std::uint32_t below = (1U << bit) - 1;
    const SelectedWord* from = items_ + thread_ / word_bits;
#pragma unroll 1
    for (int i = 0; i < items; i += words_at_once * words_a_warp) {
      SelectedWord item[words_at_once];
      int position[words_at_once];
      bool take[words_at_once];
#pragma unroll
      for (int j = 0; j < words_at_once; ++j) {
        item[j] = from[i + j * words_a_warp];
        const bool is_taken = (item[j].word >> bit & 1) != 0;
        position[j] = item[j].before + core::popcount(item[j].word & below);
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

  // Copies bit `bit` of each of the items.
  template <class Group, class Offset>
  ISOFOLD_DEVICE void copy_by_registers(const Group& group, Element* buffer,
                                        const SelectedWord (&item)[words_at_once], int bit,
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
      entry[j] = item[j].entry + (is_taken ? bit : core::countr_zero(word));
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
          buffer[a * compacted_stride<Fold>() + position[j]] = x[a][j];
        }
      }
    }
  }

  // Copies by each thread the elements of its own word.
  template <class Group, class Offset>
  ISOFOLD_DEVICE void copy_own(const Group& group, int count, Element* buffer,
                               Offset&& offset) const {
    int position = before_ + ahead_;
    std::uint32_t word = thread_ < word_bits ? word_ : 0;
#pragma unroll 1
    for (; word != 0; word &= word - 1, ++position) {
      const int entry =
          (thread_ << word_bits_shift) + core::countr_zero(word);  // of its lowest bit
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
      Element* const to = buffer + a * compacted_stride<Fold>() + position;
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
  SelectedWord* items_;               // of a window of which words are copied one by one,
  CountedWord* counted_;              // or of one in pieces
  int thread_;
  std::int64_t window_ = 0;
  std::uint32_t word_ = 0;      // of this thread, in the window
  std::uint32_t upcoming_ = 0;  // in the next one,
  std::uint32_t earlier_ = 0;   // and the word before it
  int ahead_ = 0;               // elements of the window before the word's
  int in_window_ = 0;           // its elements
  int before_ = 0;              // elements of the chunk before the window; some may lack
  int empty_windows_ = 0;       // one after the other
  int shift_ = 0;               // entries before the row's first one
  bool comes_in_pieces_ = false;
  bool in_pieces_ = false;  // the window
  bool has_gaps_ = false;   // likewise
  int group_ = 0;           // of the window, the next one
  int overflow_ = 0;        // elements behind the last chunk
};

}  // namespace isofold::gpu
