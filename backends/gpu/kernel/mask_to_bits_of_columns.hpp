// The kernel that makes the bits of a mask whose rows lie side by side in it, and their counts, as
// MaskToBits does: a column for each thread, so that a warp's loads lie side by side.
#pragma once

#include <backends/gpu/input/mask_bits.hpp>

namespace isofold::gpu {

struct ColumnMaskToBits {
  static constexpr int max_threads = 512;            // 32 entries of a thread on their way
  static constexpr std::int64_t least_columns = 16;  // side by side: half of a warp of 32
  MaskedRows masked;
  MaskedColumnCut cut;  // tiles of a warp's width
  RowUnits units;       // tiles, of each block of entries
  int words_of_warp;    // of a block of entries

  // Rows of less than a block have as many words for each warp, too.
  ColumnMaskToBits(const MaskedRows& rows, int wave_width, int threads_of_block)
      : masked(rows), cut(rows.rows, rows.neighbours(), wave_width) {
    units = RowUnits(cut.units, masked.blocks(), true);
    const std::int64_t words = masked.words() < block_words ? masked.words() : block_words;
    const int warps = threads_of_block / wave_width;
    words_of_warp = static_cast<int>((words + warps - 1) / warps);
  }
  std::int64_t blocks() const { return cut.units * masked.blocks(); }

  static constexpr std::size_t shared_bytes(int threads) {
    return sizeof(std::uint32_t) * static_cast<std::size_t>(threads);
  }

  // A block has a block of entries of several neighbours, each warp as many words of it.
  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    constexpr int width = Group::wave_width;
    const WarpPlace<Group> place(group);
    auto* const counts = static_cast<std::uint32_t*>(group.shared());
    const std::int64_t all = cut.units * masked.blocks();
    for (std::int64_t unit = group.block(); unit < all; unit += group.blocks()) {
      const auto [tile, block] = units.unit(unit);
      const auto [first, here] = cut.tile(tile, width);
      const std::int64_t row = first + (place.thread < here ? place.thread : here - 1);
      group.barrier();  // counts of the unit before have been read
      counts[group.thread()] =
          count(group, row, place.thread < here, block, place.warp * words_of_warp);
      group.barrier();
      if (group.thread() < here) {
        std::uint32_t in_block = 0;
        for (int warp = 0; warp < place.warps; ++warp) {
          in_block += counts[warp * width + group.thread()];
        }
        masked.note_block(row, block, in_block);
      }
    }
    if (group.block() == 0 && place.warp == 0) {
      masked.clear_behind(place.thread, width);
    }
  }

 private:
  static constexpr int block_words = 1 << (mask_block_shift - word_bits_shift);

  // Makes a warp's words of a block of a row, from its word `first_word` on; returns the number of
  // elements that they select.
  template <class Group>
  ISOFOLD_DEVICE std::uint32_t count(const Group& group, std::int64_t row, bool writes,
                                     std::int64_t block, int first_word) const {
    const std::int64_t first = masked.places.kept.offset(mask_array, row);
    const std::int64_t begin = block * block_words + first_word;
    const std::int64_t next_block = (block + 1) * block_words;
    std::int64_t end = begin + words_of_warp;
    end = end < next_block ? end : next_block;
    end = end < masked.words() ? end : masked.words();
    std::uint32_t all = 0;
#pragma unroll 1
    for (std::int64_t number = begin; number < end; ++number) {
      const std::int64_t index = number << word_bits_shift;
      const std::uint32_t word = masked.template entries_selected<word_bits, 1>(
          group, first, index, masked.length - index);
      if (writes) {
        masked.bits_of(row)[number] = word;
      }
      all += static_cast<std::uint32_t>(core::popcount(word));
    }
    return all;
  }
};

}  // namespace isofold::gpu
