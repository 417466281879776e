// Rows under a mask that have a chunk at most, for the kernels masked_rows_per_warp.hpp,
// masked_columns_per_block.hpp and, for many columns, masked_columns_per_thread.hpp: the elements
// that the threads of a block or a warp load of a row, and the fold of the row once they have
// compacted it. Elements and mask are read once, and nothing is counted before.
#pragma once

#include <cstdlib>

#include <backends/gpu/collective/chunk_in_shared.hpp>
#include <backends/gpu/input/compacted.hpp>
#include <backends/gpu/input/masked_source.hpp>
#include <backends/gpu/plan/nodes.hpp>

namespace isofold::gpu {

// The elements of a thread that are on their way at once.
template <class Fold>
inline constexpr int masked_copies = sizeof(typename Fold::element_type) * Fold::arrays <=
                                             sizeof(float)
                                         ? 16
                                         : 8;
// Folds whose lanes of a chunk may stand in shared memory, and accumulate one element after the
// other (masked_columns_per_thread.hpp): the lanes are numbers, and an element that meets the
// identity begins its lane.
template <class Fold>
inline constexpr bool takes_lane_by_lane =
    Fold::stages == 1 && std::decay_t<core::FirstPass<Fold>>::has_identity &&
    !folds_whole_lanes<core::FirstPass<Fold>> &&
    std::is_arithmetic_v<core::LaneOf<core::FirstPass<Fold>>>;

// This bound on the threads of a block is a bound on the registers of each on NVIDIA devices: folds
// whose compacted chunks need few get more warps, as far as they do not spill.
template <class Fold>
inline constexpr int masked_most_threads = compacted_most_threads<Fold>() > 512 ? 640 : 512;

// The elements that a thread has loaded of a row, and for each whether it exists and is selected:
// not 0.
template <class Fold>
struct MaskedCopies {
  static constexpr int count = masked_copies<Fold>;
  typename Fold::element_type x[Fold::arrays][count];
  std::uint32_t taken[count];

  ISOFOLD_DEVICE bool is_taken(int k) const { return taken[k] != 0; }
  ISOFOLD_DEVICE int selected_of_all() const {
    int all = 0;
#pragma unroll
    for (int k = 0; k < count; ++k) {
      all += is_taken(k) ? 1 : 0;
    }
    return all;
  }
};

// The beginning of a row of at most a chunk, and of its mask.
template <class Fold>
struct MaskedRow {
  using Element = typename Fold::element_type;
  using Copies = MaskedCopies<Fold>;
  const MaskedRows& masked;  // which selects elements of one axis
  int length;
  const char* from[Fold::arrays];
  std::int32_t step[Fold::arrays];  // bytes: a product with a constant is one instruction, so
  std::int64_t entry;
  std::int32_t entry_step;

  // This tells whether steps are that short.
  static bool fits(const Axes& axis) {
    constexpr std::int64_t most = INT32_MAX / static_cast<std::int64_t>(sizeof(Element));
    bool are_short = std::abs(axis.strides[mask_array][0]) <= most;
    for (int a = 0; a < Fold::arrays; ++a) {
      are_short = are_short && std::abs(axis.strides[a][0]) <= most;
    }
    return are_short;
  }

  ISOFOLD_DEVICE MaskedRow(const Rows<Fold>& rows, const MaskedRows& of, std::int64_t row)
      : masked(of),
        length(static_cast<int>(rows.length)),
        entry(of.places.kept.offset(mask_array, row)),
        entry_step(static_cast<std::int32_t>(of.places.reduced.strides[mask_array][0])) {
    const Element* const data[] = {rows.first.data, rows.first.second};
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      from[a] = reinterpret_cast<const char*>(data[a] + of.places.kept.offset(a, row));
      step[a] = static_cast<std::int32_t>(of.places.reduced.strides[a][0]) *
                static_cast<std::int32_t>(sizeof(Element));
    }
  }

  // Loads the elements first, first + every, .... Collective: every lane of the warp must call.
  template <int every, class Group>
  ISOFOLD_DEVICE void load(const Group& group, int first, Copies& copies) const {
    const int left = (length - first + every - 1) / every;
    if (all_of_warp(group, left >= Copies::count)) {
      load<every, true>(group, first, left, copies);
    } else {
      load<every, false>(group, first, left, copies);
    }
  }

 private:
  template <int every, bool all, class Group>
  ISOFOLD_DEVICE void load(const Group& group, int first, int left, Copies& copies) const {
    // The offsets are products of constants if all elements are there; the row's first one stands
    // for a missing one.
    const int begin = all ? first : 0;
    const auto number = [&](int k) {
      return static_cast<std::int64_t>(all ? k * every : k < left ? first + k * every : 0);
    };
    const std::int64_t own = entry + std::int64_t{begin} * entry_step;
    const unsigned char* const mask = masked.entries + (masked.of_bits ? own >> 3 : own);
    const int bit = static_cast<int>(own & 7);
    if (masked.of_bits) {
#pragma unroll
      for (int k = 0; k < Copies::count; ++k) {
        const std::int64_t at = bit + number(k) * entry_step;
        copies.taken[k] = group.template load<unsigned char, 1>(mask + (at >> 3)).value[0];
      }
    } else {
#pragma unroll
      for (int k = 0; k < Copies::count; ++k) {
        copies.taken[k] =
            group.template load<unsigned char, 1>(mask + number(k) * entry_step).value[0];
      }
    }
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      const char* const at = from[a] + std::int64_t{begin} * step[a];
#pragma unroll
      for (int k = 0; k < Copies::count; ++k) {
        copies.x[a][k] =
            load_element(group, reinterpret_cast<const Element*>(at + number(k) * step[a]));
      }
    }
    loads_issued(group);
    if (masked.of_bits) {
#pragma unroll
      for (int k = 0; k < Copies::count; ++k) {
        const auto further = static_cast<unsigned>(number(k)) * static_cast<unsigned>(entry_step);
        copies.taken[k] &= 1U << ((static_cast<unsigned>(bit) + further) & 7);
      }
    }
    if constexpr (!all) {
#pragma unroll
      for (int k = 0; k < Copies::count; ++k) {
        copies.taken[k] = k < left ? copies.taken[k] : 0;
      }
    }
  }
};

// The lane that follows from adding element k of the loaded ones to `lane`. It has number `index`
// among the selected elements of the chunk.
template <class Fold, class Pass>
ISOFOLD_DEVICE core::LaneOf<Pass> selected_by_lane(const Pass& pass,
                                                   const MaskedCopies<Fold>& copies, int k,
                                                   const core::LaneOf<Pass>& lane, int index) {
  const auto value = [&](int array) { return core::value_of<Pass>(copies.x[array][k]); };
  if constexpr (Fold::arrays == 2) {
    return taken(pass, false, lane, index, value(0), value(1));
  } else {
    return taken(pass, false, lane, index, value(0));
  }
}

// Writes the result of `count` elements of a row. One thread calls.
template <class Group, class Fold>
ISOFOLD_DEVICE void write_masked_row(const Group& group, const Rows<Fold>& rows,
                                     const CompactedPlaces& source, std::int64_t row,
                                     const typename Fold::state_type& state, int count) {
  rows.write_ragged(row, count > 0 ? state : missing(rows.fold), count);
  if (count == 0) {
    source.note_empty(group, row);
  }
}

// Folds the `count` elements of row `row` that have been compacted to `packed`, those of the second
// array `apart` elements behind them. Collective: every lane of the warp must call.
template <class Group, class Fold>
ISOFOLD_DEVICE void fold_masked_row(const Group& group, const Rows<Fold>& rows,
                                    const CompactedPlaces& source, std::int64_t row,
                                    const typename Fold::element_type* compacted, int apart,
                                    int count) {
  typename Fold::state_type state = missing(rows.fold);
  if (count > 0) {
    const core::Elements<Fold> x{compacted, Fold::arrays == 2 ? compacted + apart : nullptr};
    state = fold_compacted_chunk<false>(group, rows.fold, x, 0, count);
  }
  if (group.thread() % Group::wave_width == 0) {
    write_masked_row(group, rows, source, row, state, count);
  }
}

// The place of a masked box of short rows in memory, for the plans of its kernels.
struct ShortMaskedRows {
  std::int64_t rows;
  std::int64_t length;
  std::int64_t side_by_side;  // rows; 0: they do not lie so
  bool in_line;               // elements and entries of a row lie one after the other
  TunedDevice device;
};

inline bool are_masked_columns(const ShortMaskedRows& at) {
  return at.length <= core::chunk_elements &&
         at.side_by_side >= at.device.tuning->masked.least_columns;
}
inline bool are_masked_lines(const ShortMaskedRows& at) {
  return at.length <= core::chunk_elements &&
         at.side_by_side < at.device.tuning->masked.least_columns && at.in_line;
}

// Gives a block as many whole warps as have room.
inline void take_masked_warps(std::size_t bytes_of_warp, std::int64_t units,
                              const TunedDevice& device, Launch& launch) {
  const MaskedTuning& tuning = device.tuning->masked;
  int warps = tuning.line_threads / device.wave_width;
  while (warps > 1 && static_cast<std::size_t>(warps) * bytes_of_warp > tuning.most_line_bytes) {
    warps /= 2;
  }
  launch.threads = warps * device.wave_width;
  launch.shared_bytes = static_cast<std::size_t>(warps) * bytes_of_warp;
  launch.blocks = std::min(ceil_divide(units, std::int64_t{warps}), most_blocks);
}

template <class Fold>
ShortMaskedRows short_masked_rows(const Problem& problem) {
  const Axes& kept = problem.places->kept;
  const Axes& reduced = problem.places->reduced;
  const bool has_axis = reduced.count == 1 && MaskedRow<Fold>::fits(reduced);
  return {problem.rows, problem.length, has_axis ? kept.side_by_side() : 0,
          has_axis && reduced.side_by_side() > 0, problem.device};
}
// Rows under a mask, of elements that have the type that is computed with.
inline bool are_masked_in_place(const Problem& problem) {
  return problem.masked && problem.has_places() && !problem.converted;
}

}  // namespace isofold::gpu
