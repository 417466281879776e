// The kernel that turns the indices of locations, which number the elements of a row as if they
// were packed, into those of the array. A warp has a row. Under a mask it finds the place by the
// counts and bits that MaskToBits and ScanCounts have left (mask_bits.hpp).
#pragma once

#include <backends/gpu/input/mask_bits.hpp>
#include <ops/location_indices.hpp>

namespace isofold::gpu {

struct IndexInArray {
  static constexpr int max_threads = 256;

  LocationIndices locations;
  void* results;
  std::int64_t rows;
  MaskedRows masked;  // only its places, where a list names the elements

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const WarpPlace<Group> place(group);
    for (std::int64_t row = group.block() * place.warps + place.warp; row < rows;
         row += group.blocks() * place.warps) {
      for (int k = 0; k < locations.count; ++k) {
        auto* const at = reinterpret_cast<std::int64_t*>(
            static_cast<char*>(results) + row * locations.result_bytes + locations.at[k]);
        const std::int64_t index = group.template load<std::int64_t, 1>(at).value[0];
        group.warp_barrier();  // all have read what is written now
        if (index < 0) {
          continue;
        }
        if (masked.places.shape == ISOFOLD_SHAPE_box) {
          write_place(group, place.thread, row, index, at);
        } else if (place.thread == 0) {
          *at = listed(group, row, index);
        }
      }
    }
  }

 private:
  template <class Group>
  ISOFOLD_DEVICE std::int64_t listed(const Group& group, std::int64_t row,
                                     std::int64_t index) const {
    const Places& places = masked.places;
    return places.shape == ISOFOLD_SHAPE_gather ? places.entry(group, places.indices, index)
                                                : places.entry(group, places.begins, row) + index;
  }

  // Writes which entry of the row is the one before which `index` others are set, and which is.
  // Collective: every lane of the warp must call.
  template <class Group>
  ISOFOLD_DEVICE void write_place(const Group& group, int thread, std::int64_t row,
                                  std::int64_t index, std::int64_t* at) const {
    constexpr int words = (1 << (mask_block_shift - word_bits_shift)) / Group::wave_width;
    const MaskedPlace place = find_place(group, masked, row, index);
    const std::int64_t first =
        (place.block << (mask_block_shift - word_bits_shift)) + thread * words;
    std::uint32_t word[words];
    std::uint32_t mine = 0;
#pragma unroll
    for (int i = 0; i < words; ++i) {
      const bool is_there = first + i < masked.words();
      word[i] = is_there
                    ? group.template load<std::uint32_t, 1>(masked.word_of(row, first + i)).value[0]
                    : 0;
      mine += static_cast<std::uint32_t>(core::popcount(word[i]));
    }
    auto left = static_cast<std::uint32_t>(index - place.before);  // set entries before it
    left -= sums_of_warp<Group::wave_width>(group, mine).before;
    if (left >= mine) {  // before the own ones, which wraps, or behind them
      return;
    }
    for (int i = 0; i < words; ++i) {
      const auto here = static_cast<std::uint32_t>(core::popcount(word[i]));
      if (left < here) {
        std::uint32_t rest = word[i];
        for (; left > 0; --left) {
          rest &= rest - 1;
        }
        const int bit = core::countr_zero(rest);
        *at = ((first + i) << word_bits_shift) + bit;
        return;
      }
      left -= here;
    }
  }
};

}  // namespace isofold::gpu
