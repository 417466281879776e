// Rows under a mask that have a chunk at most: what the threads of a block or a warp load of one,
// and its fold once they have packed it. Elements and mask are read once, and nothing is counted
// before. The kernels are masked_columns.hpp and masked_lines.hpp.
#pragma once

#include <backends/gpu/packed_chunk.hpp>
#include <backends/gpu/packed_source.hpp>

namespace isofold::gpu {

// Elements of a thread on their way at once.
template <class Fold>
inline constexpr int masked_copies = sizeof(typename Fold::element_type) * Fold::arrays <=
                                             sizeof(float)
                                         ? 16
                                         : 8;
template <class Fold>
using MaskedCopies = typename Fold::element_type[Fold::arrays][masked_copies<Fold>];

// It bounds the registers of NVIDIA's threads: to 96 where packed chunks need few (with 80 sums of
// f32 spilled 8 to 40 bytes), else to 128.
template <class Fold>
inline constexpr int masked_most_threads = packed_most_threads<Fold>() > 512 ? 640 : 512;

// Where a row of at most a chunk begins, and its mask.
template <class Fold>
struct MaskedRow {
  using Element = typename Fold::element_type;
  const MaskedRows& masked;  // which takes elements of one axis
  int length;
  const Element* from[Fold::arrays];
  std::int64_t entry;

  ISOFOLD_DEVICE MaskedRow(const Rows<Fold>& rows, const MaskedRows& of, std::int64_t row)
      : masked(of),
        length(static_cast<int>(rows.length)),
        entry(of.places.kept.offset(mask_array, row)) {
    const Element* const data[] = {rows.first.data, rows.first.second};
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      from[a] = data[a] + of.places.kept.offset(a, row);
    }
  }

  // Elements first, first + every, ...; returns which of them there are and are taken. All of the
  // warp call.
  template <int every, class Group>
  ISOFOLD_DEVICE std::uint32_t load(const Group& group, int first, MaskedCopies<Fold>& x) const {
    const int left = (length - first + every - 1) / every;
    return all_of_warp(group, left >= masked_copies<Fold>)
               ? load<every, true>(group, first, left, x)
               : load<every, false>(group, first, left, x);
  }

 private:
  template <int every, bool all, class Group>
  ISOFOLD_DEVICE std::uint32_t load(const Group& group, int first, int left,
                                    MaskedCopies<Fold>& x) const {
    const Axes& axis = masked.places.reduced;
    // Where all are there, products of constants; what is not there is the row's first one.
    const int begin = all ? first : 0;
    const auto number = [&](int k) { return all ? k * every : k < left ? first + k * every : 0; };
    const std::int64_t step = axis.strides[mask_array][0];
    const std::int64_t own = entry + begin * step;
    const int byte_shift = masked.of_bits ? 3 : 0;
    std::uint32_t byte[masked_copies<Fold>];
#pragma unroll
    for (int k = 0; k < masked_copies<Fold>; ++k) {
      byte[k] = group
                    .template load<unsigned char, 1>(masked.entries +
                                                     ((own + number(k) * step) >> byte_shift))
                    .value[0];
    }
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      const Element* const at = from[a] + begin * axis.strides[a][0];
#pragma unroll
      for (int k = 0; k < masked_copies<Fold>; ++k) {
        x[a][k] = load_element(group, at + number(k) * axis.strides[a][0]);
      }
    }
    loads_issued(group);
    std::uint32_t taken = 0;
#pragma unroll
    for (int k = 0; k < masked_copies<Fold>; ++k) {
      const auto bit = static_cast<int>(own + number(k) * step) & 7;
      const std::uint32_t is_taken = byte[k] & (masked.of_bits ? 1U << bit : 0xffU);
      taken |= is_taken != 0 && (all || k < left) ? 1U << k : 0U;
    }
    return taken;
  }
};

// Folds the `count` elements of row `row` that have been packed to `packed`, those of the second
// array `apart` elements behind them. All of the warp call.
template <class Group, class Fold>
ISOFOLD_DEVICE void fold_masked_row(const Group& group, const Rows<Fold>& rows,
                                    const PackedPlaces& source, std::int64_t row,
                                    const typename Fold::element_type* packed, int apart,
                                    int count) {
  const bool writes = group.thread() % Group::wave_width == 0;
  if (count > 0) {
    const core::Elements<Fold> x{packed, Fold::arrays == 2 ? packed + apart : nullptr};
    const auto state = fold_packed_chunk<false>(group, rows.fold, x, 0, count);
    if (writes) {
      rows.write_ragged(row, state, count);
    }
  } else if (writes) {
    rows.write_ragged(row, missing(rows.fold), 0);
    source.note_empty(group, row);
  }
}

}  // namespace isofold::gpu
