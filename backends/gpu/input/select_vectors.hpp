// Copies of the elements that a mask selects of elements that lie one after the other in memory,
// for select_by_mask.hpp. A warp loads them in pieces of 16 bytes, those between included, and
// writes the selected ones to shared memory side by side, in few instructions each.
#pragma once

#include <backends/gpu/input/compact.hpp>

namespace isofold::gpu {

// 32 entries of a mask, and the number of the window's selected elements before them.
struct alignas(8) CountedWord {
  std::uint32_t word;
  std::int32_t before;
};

template <class Fold>
struct Pieces {
  using Element = typename Fold::element_type;
  static constexpr int bytes = 16;
  static constexpr int elements = bytes / static_cast<int>(sizeof(Element));  // of a piece
  static constexpr int group = compacted_group<Fold>();
  static constexpr int words = group / 32;  // of a group

  // Copies the selected elements of a group. Its first piece, of each array, is at `from`, its
  // words are at `words`; the window's first element goes to buffer[position]. If it has gaps, its
  // first piece is loaded instead of those of which nothing is selected. Collective: every lane of
  // the warp must call.
  template <class Group>
  ISOFOLD_DEVICE static void copy(const Group& threads, const char* const (&from)[Fold::arrays],
                                  const CountedWord* words, bool has_gaps, int position,
                                  Element* buffer) {
    constexpr int step = Group::wave_width * elements;
    constexpr int loads = group / step;
    static_assert(loads * step == group && step % 32 == 0, "A step of a warp is whole words.");
    const int first = threads.thread() % Group::wave_width * elements;  // entry of a step
    const int shift = first % 32;
    const CountedWord* const mine = words + first / 32;
    CountedWord own[loads];
    int entry[loads];
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      own[k] = mine[k * (step / 32)];
      entry[k] = first + k * step;
    }
    if (has_gaps) {
#pragma unroll
      for (int k = 0; k < loads; ++k) {
        const bool is_needed = (own[k].word >> shift & ((1U << elements) - 1)) != 0;
        entry[k] = is_needed ? entry[k] : 0;
      }
    }
    Pack<Element, elements> x[Fold::arrays][loads];
#pragma unroll
    for (int k = 0; k < loads; ++k) {
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        x[a][k] = load_once(threads, reinterpret_cast<const Element*>(from[a]) + entry[k]);
      }
    }
    loads_issued(threads);
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      const std::uint32_t bits = own[k].word >> shift;
      const std::uint32_t below = own[k].word & ((1U << shift) - 1);
      Element* to = buffer + (position + own[k].before + core::popcount(below));
#pragma unroll
      for (int j = 0; j < elements; ++j) {
        const std::uint32_t bit = bits & 1U << j;
        if (bit != 0) {
#pragma unroll
          for (int a = 0; a < Fold::arrays; ++a) {
            to[a * compacted_stride<Fold>()] = x[a][k].value[j];
          }
        }
        to += bit >> j;
      }
    }
  }
};

}  // namespace isofold::gpu
