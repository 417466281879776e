// The kernel for many short rows under a mask (masked_row.hpp) whose elements lie one after the
// other: a warp packs a row into shared memory, and folds it.
#pragma once

#include <backends/gpu/masked_row.hpp>

namespace isofold::gpu {

template <class Fold>
struct MaskedLinesFold {
  using Element = typename Fold::element_type;
  static constexpr int arrays = Fold::arrays;
  static constexpr int max_threads = masked_most_threads<Fold>;

  Rows<Fold> rows;
  PackedPlaces source;

  static std::size_t shared_bytes(std::int64_t length, int warps) {
    return sizeof(Element) * static_cast<std::size_t>(warps * arrays * length);
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const WarpPlace<Group> place(group);
    const auto length = static_cast<int>(rows.length);
    Element* const buffer = static_cast<Element*>(group.shared()) + place.warp * arrays * length;
    for (std::int64_t row = group.block() * place.warps + place.warp; row < rows.rows;
         row += group.blocks() * place.warps) {
      const int count = pack(group, row, place.thread, buffer);
      group.warp_barrier();
      fold_masked_row(group, rows, source, row, buffer, length, count);
      group.warp_barrier();  // the next row is written where this one has been read
    }
  }

 private:
  // Returns how many elements are taken. All of the warp call.
  template <class Group>
  ISOFOLD_DEVICE int pack(const Group& group, std::int64_t number, int thread,
                          Element* buffer) const {
    constexpr int copies = masked_copies<Fold>;
    constexpr int at_once = 4;  // sums over a warp, each in a byte
    static_assert(Group::wave_width < 256 && copies % at_once == 0, "They fit into bytes.");
    const MaskedRow<Fold> row(rows, source.masked, number);
    int filled = 0;
#pragma unroll 1
    for (int begin = 0; begin < row.length; begin += copies * Group::wave_width) {
      MaskedCopies<Fold> x;
      const std::uint32_t taken = row.template load<Group::wave_width>(group, begin + thread, x);
#pragma unroll
      for (int k = 0; k < copies; k += at_once) {
        const std::uint32_t mine = (taken >> k & 0xfU) * 0x00204081U & 0x01010101U;
        const WarpSums sums = sums_of_warp<Group::wave_width>(group, mine);
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
          if ((taken >> (k + j) & 1U) != 0) {
            const int position = filled + static_cast<int>(sums.before >> (8 * j) & 0xffU);
#pragma unroll
            for (int a = 0; a < arrays; ++a) {
              buffer[a * row.length + position] = x[a][k + j];
            }
          }
          filled += static_cast<int>(sums.all >> (8 * j) & 0xffU);
        }
      }
    }
    return filled;
  }
};

}  // namespace isofold::gpu
