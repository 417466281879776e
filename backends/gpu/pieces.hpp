// What a mask takes of elements that lie one after the other in memory. A warp loads them in pieces
// of 16 bytes, the ones between included, and writes those that are taken to shared memory side by
// side, in few instructions each.
#pragma once

#include <backends/gpu/packing.hpp>

namespace isofold::gpu {

// 32 entries of a mask, and how many elements of the window are taken before them.
struct alignas(8) TakenWord {
  std::uint32_t word;
  std::int16_t before;
  std::int16_t entry;  // of its first bit, in the window
};

template <class Fold>
struct Pieces {
  using Element = typename Fold::element_type;
  static constexpr int bytes = 16;
  static constexpr int elements = bytes / static_cast<int>(sizeof(Element));  // of a piece
  static constexpr int group = packed_group<Fold>();
  static constexpr int words = group / 32;  // of a group
  // Whether the group's first piece stands for those of which nothing is taken: what is read of 8
  // bytes each bounds, of 4 bytes the instructions.
  static constexpr bool skips = sizeof(Element) == 8;

  // Copies what is taken of a group. Its first piece, of each array, is at `from`, its words are at
  // `words`; the window's first element goes to buffer[position]. All of the warp call.
  template <class Group>
  ISOFOLD_DEVICE static void copy(const Group& group_of_threads,
                                  const char* const (&from)[Fold::arrays], const TakenWord* taken,
                                  int position, Element* buffer) {
    constexpr int step = Group::wave_width * elements;
    constexpr int loads = group / step;
    static_assert(loads * step == group && step % 32 == 0, "A step of a warp is whole words.");
    const int first = group_of_threads.thread() % Group::wave_width * elements;  // entry of a step
    TakenWord own[loads];
    Pack<Element, elements> x[Fold::arrays][loads];
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      own[k] = taken[(k * step + first) >> 5];
      const bool is_needed = !skips || (own[k].word >> first % 32 & ((1U << elements) - 1)) != 0;
      const int entry = is_needed ? k * step + first : 0;
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        x[a][k] = group_of_threads.template load<Element, elements>(
            reinterpret_cast<const Element*>(from[a]) + entry);
      }
    }
    loads_issued(group_of_threads);
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      const std::uint32_t bits = own[k].word >> first % 32;
      const std::uint32_t below = own[k].word & ((1U << first % 32) - 1);
      Element* to = buffer + (position + own[k].before + __builtin_popcount(below));
#pragma unroll
      for (int j = 0; j < elements; ++j) {
        const bool is_taken = (bits >> j & 1) != 0;
        if (is_taken) {
#pragma unroll
          for (int a = 0; a < Fold::arrays; ++a) {
            to[a * packed_stride<Fold>()] = x[a][k].value[j];
          }
        }
        to += is_taken ? 1 : 0;
      }
    }
  }
};

}  // namespace isofold::gpu
