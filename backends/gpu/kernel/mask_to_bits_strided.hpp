// The kernel that linearises a mask: a masked box whose lines have gaps between them (ghost cells,
// padding) becomes one line of memory, so that the selected elements come in pieces
// (select_by_mask.hpp), as they do of an array. The bits are made for places in memory, those of
// gaps 0, and counted, by a launch of their own (StridedMaskToBits).
#pragma once

#include <backends/gpu/input/mask_bits.hpp>

namespace isofold::gpu {

class LinearisedMask {
 public:
  // The elements and gaps at a place in memory.
  struct Part {
    std::int64_t before;  // elements of the row before it
    std::int64_t here;    // from it on, to the end of its line; 0: it is in a gap
    std::int64_t next;    // places from it to the next line
    std::int64_t lines;   // that follow in its plane: where these begin takes no division
  };

  LinearisedMask() = default;  // none
  // The linearised mask over the dimensions over which the rows of a masked box go, each of
  // `length` elements, if their order is that of memory, in lines of a minimal length, with not
  // many more places than elements. Otherwise it is none.
  LinearisedMask(const Axes& reduced, std::int64_t rows, std::int64_t length, bool two_arrays)
      : entries_(rows * length) {
    const std::int64_t* const steps = reduced.strides[0];
    const int last = reduced.count - 1;
    bool fits = last > 0 && entries_ >= some_entries && reduced.extents[last] >= least_line &&
                steps[last] == 1 && reduced.mask_in_line();
    for (int d = 0; fits && d <= last; ++d) {
      const std::int64_t outer = d > 0 ? steps[d - 1] : 0;
      fits = steps[d] > 0 && (!two_arrays || reduced.strides[1][d] == steps[d]) &&
             (d == 0 || (outer % steps[d] == 0 && outer / steps[d] >= reduced.extents[d]));
    }
    // The first dimension's step is the longest: if so many steps of it are near, so are all.
    if (!fits || steps[0] > length / reduced.extents[0] * most_places) {
      return;
    }
    lines_ = reduced;
    for (int d = 0; d <= last; ++d) {
      places_ += (reduced.extents[d] - 1) * steps[d];
      room_[d] = d > 0 ? steps[d - 1] / steps[d] : reduced.extents[0];
      by_room_[d] = Divisor(room_[d]);
    }
  }

  bool is_none() const { return lines_.count == 0; }
  ISOFOLD_DEVICE std::int64_t entries() const { return entries_; }  // of the mask
  // The places from a row's first element to its last one, as a dimension.
  Axes line() const {
    Axes line;
    line.count = 1;
    line.extents[0] = places_;
    line.strides[0][0] = line.strides[1][0] = line.strides[mask_array][0] = 1;
    line.by[0] = Divisor(places_);
    return line;
  }

  // 0 <= place
  ISOFOLD_DEVICE Part part_at(std::int64_t place) const {
    const int last = lines_.count - 1;
    std::int64_t line = by_room_[last].divide(place);
    const std::int64_t at = place - line * room_[last];
    const std::int64_t left = lines_.extents[last] - at;
    Part part{left > 0 ? at : lines_.extents[last], left > 0 ? left : 0, room_[last] - at, 0};
    for (int d = last - 1; d >= 0; --d) {
      const std::int64_t outer = d > 0 ? by_room_[d].divide(line) : 0;
      const std::int64_t index = line - outer * room_[d];
      const bool is_gap = index >= lines_.extents[d];
      part.before = (is_gap ? lines_.extents[d] : index) * lines_.strides[mask_array][d] +
                    (is_gap ? 0 : part.before);
      part.here = is_gap ? 0 : part.here;
      part.lines = d == last - 1 ? lines_.extents[d] - index - 1 : is_gap ? 0 : part.lines;
      line = outer;
    }
    return part;
  }
  // The beginning of the next line, at that place: without a division, if it follows.
  ISOFOLD_DEVICE Part next_line(const Part& part, std::int64_t place) const {
    const int last = lines_.count - 1;
    return part.lines > 0
               ? Part{part.before + part.here, lines_.extents[last], room_[last], part.lines - 1}
               : part_at(place);
  }

 private:
  static constexpr std::int64_t least_line = 16;  // elements
  static constexpr std::int64_t most_places = 2;  // for an element

  Axes lines_;
  std::int64_t entries_ = 0;
  std::int64_t places_ = 1;
  std::int64_t room_[ISOFOLD_MOST_DIMENSIONS]{};  // places of each dimension, in its own steps
  Divisor by_room_[ISOFOLD_MOST_DIMENSIONS];
};

// Makes bits of the elements that a mask selects, and counts them: a warp has a block of places,
// whose entries lie one after the other. It makes the entries' bits in shared memory; each thread
// moves a few words of them to their places. The kernel reads nothing outside the mask.
struct StridedMaskToBits {
  static constexpr int max_threads = 768;
  static constexpr int threads = 256;  // of a block
  MaskedRows masked;                   // its entries are places
  LinearisedMask spread;
  RowUnits of_rows;  // masked.blocks()

  static constexpr std::size_t shared_bytes(int threads, int wave_width) {
    return static_cast<std::size_t>(threads / wave_width) * sizeof(Shared);
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const WarpPlace<Group> place(group);
    Shared& shared = static_cast<Shared*>(group.shared())[place.warp];
    count_blocks(
        group, masked, of_rows, [&](std::int64_t row, std::int64_t block, std::int64_t first) {
          const std::int64_t begin = (block << mask_block_shift) +
                                     place.thread * std::int64_t{block_entries / Group::wave_width};
          const LinearisedMask::Part part = spread.part_at(begin);
          group.warp_barrier();  // what is of an earlier block has been read
          if (place.thread == 0) {
            shared.before = part.before;
          }
          group.warp_barrier();
          const std::int64_t before = shared.before;
          const int skip = masked.of_bits ? read<4>(group, first + before, shared.bits)
                                          : read<16>(group, first + before, shared.bits);
          group.warp_barrier();
          return set_out(group, row, begin, part, before - skip, shared.bits);
        });
  }

 private:
  static constexpr int block_entries = 1 << mask_block_shift;
  static constexpr int block_words = block_entries / word_bits;

  template <class Group>
  static constexpr int words_of_thread = block_words / Group::wave_width;
  static constexpr int most_words_of_thread = 4;

  // The shared memory of a warp.
  struct Shared {
    std::int64_t before;                        // elements of the row before the block of places
    std::uint32_t spare[most_words_of_thread];  // bits[-1], ...: read, and left out
    std::uint32_t bits[block_words + 2];        // of the mask; the first need not be the block's
  };

  // Reads the bits of the mask's entries from number `at` on, as many as a block has places;
  // returns how many others are before them. Collective: every lane of the warp must call.
  template <int bytes, class Group>
  ISOFOLD_DEVICE int read(const Group& group, std::int64_t at, std::uint32_t* bits) const {
    constexpr int pieces = block_entries / entries_of_load<bytes> + 1;
    const std::uintptr_t from = address<bytes>(at) / bytes * bytes;
    const bool is_inside =
        from >= lowest<bytes>() && from + (pieces - 1) * bytes <= highest<bytes>();
    const std::uintptr_t skipped = address<bytes>(at) % bytes;
    const int skip = static_cast<int>(bytes == 4 ? skipped * 8 + (at & 7) : skipped);
    if (is_inside) {
      read_pieces<bytes, true>(group, from, at - skip, pieces, bits);
    } else {
      const std::int64_t left = spread.entries() - at;
      const int count = left < block_entries ? static_cast<int>(left) : block_entries;
      constexpr int each = entries_of_load<bytes>;
      read_pieces<bytes, false>(group, from, at - skip, (skip + count + each - 1) / each, bits);
    }
    return skip;
  }

  // Reads by aligned loads of so many bytes, all in flight at once. If a load is not inside the
  // mask, another replaces it, and its part of the mask is read again, entry by entry.
  template <int bytes, bool are_inside, class Group>
  ISOFOLD_DEVICE void read_pieces(const Group& group, std::uintptr_t from, std::int64_t first,
                                  int pieces, std::uint32_t* bits) const {
    constexpr int each = entries_of_load<bytes>;
    constexpr int loads = block_entries / each / Group::wave_width + 1;  // the last one of a thread
    const int thread = group.thread() % Group::wave_width;
    const auto piece_of = [&](int k) {
      return k * Group::wave_width + (k < loads - 1 ? thread : 0);
    };
    Pack<std::uint32_t, bytes / 4> loaded[loads];
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      std::uintptr_t there = from + static_cast<std::uintptr_t>(piece_of(k)) * bytes;
      if constexpr (!are_inside) {
        there = there < lowest<bytes>()    ? lowest<bytes>()
                : there > highest<bytes>() ? highest<bytes>()
                                           : there;
      }
      loaded[k] = load_mask<bytes>(group, there);
    }
    loads_issued(group);
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      std::uint32_t own = bits_of(loaded[k]);
      bool is_read = k < loads - 1 || thread == 0;
      if constexpr (!are_inside) {
        const std::uintptr_t there = from + static_cast<std::uintptr_t>(piece_of(k)) * bytes;
        is_read = is_read && piece_of(k) < pieces;
        if (is_read && (there < lowest<bytes>() || there > highest<bytes>())) {
          own = bits_by_entries(group, first + piece_of(k) * each, each);
        }
      }
      if (is_read) {
        memcpy(reinterpret_cast<char*>(bits) + piece_of(k) * (each / 8), &own, each / 8);
      }
    }
  }

  // A load of 16 bytes is of a mask of bytes, one of 4 of a mask of bits.
  template <int bytes>
  static constexpr int entries_of_load = bytes == 4 ? word_bits : bytes;

  // The address of the byte that has an entry.
  template <int bytes>
  ISOFOLD_DEVICE std::uintptr_t address(std::int64_t entry) const {
    return reinterpret_cast<std::uintptr_t>(masked.entries) +
           static_cast<std::uintptr_t>(bytes == 4 ? entry >> 3 : entry);
  }
  // The address of the first load that is inside the mask, and of the last one.
  template <int bytes>
  ISOFOLD_DEVICE std::uintptr_t lowest() const {
    return (address<bytes>(0) + bytes - 1) / bytes * bytes;
  }
  template <int bytes>
  ISOFOLD_DEVICE std::uintptr_t highest() const {
    return address<bytes>(spread.entries() + (bytes == 4 ? 7 : 0)) / bytes * bytes - bytes;
  }

  template <int bytes, class Group>
  ISOFOLD_DEVICE static Pack<std::uint32_t, bytes / 4> load_mask(const Group& group,
                                                                 std::uintptr_t address) {
    const auto* const from = reinterpret_cast<const std::uint32_t*>(address);
    if constexpr (bytes == 16) {
      return load_once(group, from);
    } else {
      return group.template load<std::uint32_t, 1>(from);
    }
  }
  ISOFOLD_DEVICE static std::uint32_t bits_of(const Pack<std::uint32_t, 1>& word) {
    return word.value[0];
  }
  ISOFOLD_DEVICE static std::uint32_t bits_of(const Pack<std::uint32_t, 4>& bytes) {
    return bits_of_bytes(bytes);
  }

  template <class Group>
  ISOFOLD_DEVICE std::uint32_t bits_by_entries(const Group& group, std::int64_t at,
                                               int count) const {
    std::uint32_t bits = 0;
#pragma unroll 1
    for (int i = 0; i < count; ++i) {
      const bool takes = at + i >= 0 && at + i < spread.entries() && masked.takes(group, at + i, 0);
      bits |= takes ? 1U << i : 0U;
    }
    return bits;
  }

  // Makes this thread's words of the row's places from `place` on, which is `part`, bit 0 of `bits`
  // being that of the row's element number `zero`; returns the number of elements that they select.
  template <class Group>
  ISOFOLD_DEVICE std::uint32_t set_out(const Group&, std::int64_t row, std::int64_t place,
                                       LinearisedMask::Part part, std::int64_t zero,
                                       const std::uint32_t* bits) const {
    constexpr int each = words_of_thread<Group>;
    static_assert(each <= most_words_of_thread,
                  "Words before bits[0] are there: a line begins inside a thread's.");
    constexpr int all = each * word_bits;
    Pack<std::uint32_t, each> words{};
    int done = 0;
#pragma unroll 1
    while (done < all && place + done < masked.length) {
      const int end = part.here < all - done ? done + static_cast<int>(part.here) : all;
      const auto from = static_cast<int>(part.before - zero) - done;  // of place 0, in `bits`
      const std::uint32_t* const at = bits + (from >> word_bits_shift);
      const int shift = from & (word_bits - 1);
#pragma unroll
      for (int k = 0; k < each; ++k) {
        const std::uint64_t two = std::uint64_t{at[k + 1]} << word_bits | at[k];
        const std::uint32_t those =
            bits_below(end - k * word_bits) & ~bits_below(done - k * word_bits);
        words.value[k] |= static_cast<std::uint32_t>(two >> shift) & those;
      }
      done = part.next < all - done ? done + static_cast<int>(part.next) : all;
      if (done < all) {
        part = spread.next_line(part, place + done);
      }
    }
    write(row, place >> word_bits_shift, words);
    std::uint32_t count = 0;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      count += static_cast<std::uint32_t>(core::popcount(words.value[k]));
    }
    return count;
  }
  // Bits 0 to count - 1 of a word: none, or all of them, if that is none of its numbers.
  ISOFOLD_DEVICE static std::uint32_t bits_below(int count) {
    const int inside = count < 0 ? 0 : count < word_bits ? count : word_bits;
    return static_cast<std::uint32_t>((std::uint64_t{1} << inside) - 1);
  }

  template <int each>
  ISOFOLD_DEVICE void write(std::int64_t row, std::int64_t number,
                            const Pack<std::uint32_t, each>& words) const {
    std::uint32_t* const to = masked.bits_of(row) + number;
    if (number + each <= masked.words() &&
        reinterpret_cast<std::uintptr_t>(to) % sizeof words == 0) {
      *reinterpret_cast<Pack<std::uint32_t, each>*>(to) = words;
      return;
    }
#pragma unroll
    for (int k = 0; k < each; ++k) {
      if (number + k < masked.words()) {
        to[k] = words.value[k];
      }
    }
  }
};

// The kernel spills vector registers on gfx1030 if it has 128 of them.
template <>
inline constexpr bool needs_registers<StridedMaskToBits> = true;
static_assert(StridedMaskToBits::threads <= StridedMaskToBits::max_threads / 2,
              "It is launched with at most half of the threads that bound its registers.");

}  // namespace isofold::gpu
