// The kernel for many short rows under a mask (masked_row.hpp) whose elements lie one after the
// other: a warp folds a row. If a chunk's lanes may stand in shared memory, elements go to their
// lanes there as they come; otherwise they are compacted first.
#pragma once

#include <backends/gpu/input/masked_row.hpp>

namespace isofold::gpu {

template <class Fold>
struct ReduceMaskedRows {
  using Element = typename Fold::element_type;
  using Pass = std::decay_t<core::FirstPass<Fold>>;
  using Lane = core::LaneOf<Pass>;
  static constexpr int arrays = Fold::arrays;
  static constexpr int copies = masked_copies<Fold>;
  static constexpr bool by_lanes = takes_lane_by_lane<Fold>;
  // Sums by lanes need few registers, so that more warps fit.
  static constexpr int max_threads = by_lanes ? 768 : masked_most_threads<Fold>;

  Rows<Fold> rows;
  CompactedPlaces source;

  static std::size_t bytes_of_warp(std::int64_t length) {
    return by_lanes ? sizeof(Lane) * core::lanes
                    : sizeof(Element) * static_cast<std::size_t>(arrays * length);
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const WarpPlace<Group> place(group);
    for (std::int64_t row = group.block() * place.warps + place.warp; row < rows.rows;
         row += group.blocks() * place.warps) {
      const MaskedRow<Fold> line(rows, source.masked, row);
      if constexpr (by_lanes) {
        fold_by_lanes(group, line, row, place);
      } else {
        Element* const buffer =
            static_cast<Element*>(group.shared()) + place.warp * arrays * line.length;
        const int count = pack(group, line, place.thread, buffer);
        group.warp_barrier();
        fold_masked_row(group, rows, source, row, buffer, line.length, count);
      }
      group.warp_barrier();  // the next row is written where this one has been read
    }
  }

 private:
  // Folds a row into lanes in shared memory, and writes its result. Collective: every lane of the
  // warp must call.
  template <class Group>
  ISOFOLD_DEVICE void fold_by_lanes(const Group& group, const MaskedRow<Fold>& line,
                                    std::int64_t row, const WarpPlace<Group>& place) const {
    const Pass pass = core::first_pass(rows.fold);
    const LaneFold<Pass> fold{pass};
    Lane* const lanes = static_cast<Lane*>(group.shared()) + place.warp * core::lanes;
    for (int i = place.thread; i < core::lanes; i += Group::wave_width) {
      lanes[i] = missing(fold);
    }
    group.warp_barrier();
    const int count = take(group, line, pass, place.thread, lanes);
    const int own = place.thread % NarrowLanes<Element>::team;
    Lane lane[] = {lanes[own], lanes[own + NarrowLanes<Element>::team]};
    const Lane root = halve<NarrowLanes<Element>>(group, fold, lane, own,
                                                  count < core::lanes ? count : core::lanes);
    if (place.thread == 0) {
      write_masked_row(group, rows, source, row, core::chunk_state(rows.fold, root, 0, count),
                       count);
    }
  }

  // Folds the selected elements into their lanes; returns how many there are. Collective: every
  // lane of the warp must call.
  template <class Group>
  ISOFOLD_DEVICE int take(const Group& group, const MaskedRow<Fold>& line, const Pass& pass,
                          int thread, Lane* lanes) const {
    constexpr int at_once = core::lanes / Group::wave_width;  // of a thread: no two of a lane
    int filled = 0;
#pragma unroll 1
    for (int begin = 0; begin < line.length; begin += copies * Group::wave_width) {
      MaskedCopies<Fold> x;
      line.template load<Group::wave_width>(group, begin + thread, x);
#pragma unroll
      for (int k = 0; k < copies; k += at_once) {
        int index[at_once];
        Lane lane[at_once]{};
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
          const WarpSums sums = count_of_warp(group, x.is_taken(k + j));
          index[j] = filled + static_cast<int>(sums.before);
          filled += static_cast<int>(sums.all);
          if (x.is_taken(k + j)) {
            lane[j] = lanes[static_cast<unsigned>(index[j]) % core::lanes];
          }
        }
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
          if (x.is_taken(k + j)) {
            lanes[static_cast<unsigned>(index[j]) % core::lanes] =
                selected_by_lane(pass, x, k + j, lane[j], index[j]);
          }
        }
        group.warp_barrier();  // the next ones may be of these lanes
      }
    }
    return filled;
  }

  // Compacts the selected elements; returns how many there are. Collective: every lane of the warp
  // must call.
  template <class Group>
  ISOFOLD_DEVICE int pack(const Group& group, const MaskedRow<Fold>& line, int thread,
                          Element* buffer) const {
    int filled = 0;
#pragma unroll 1
    for (int begin = 0; begin < line.length; begin += copies * Group::wave_width) {
      MaskedCopies<Fold> x;
      line.template load<Group::wave_width>(group, begin + thread, x);
#pragma unroll
      for (int k = 0; k < copies; ++k) {
        const WarpSums sums = count_of_warp(group, x.is_taken(k));
        if (x.is_taken(k)) {
          const int position = filled + static_cast<int>(sums.before);
#pragma unroll
          for (int a = 0; a < arrays; ++a) {
            buffer[a * line.length + position] = x.x[a][k];
          }
        }
        filled += static_cast<int>(sums.all);
      }
    }
    return filled;
  }
};

inline std::optional<Launch> plan_masked_lines(const ShortMaskedRows& at,
                                               std::size_t bytes_of_warp) {
  if (!are_masked_lines(at)) {
    return std::nullopt;
  }
  Launch launch;
  take_masked_warps(bytes_of_warp, at.rows, at.device, launch);
  return launch.shared_bytes <= at.device.shared_bytes ? std::optional(launch) : std::nullopt;
}

// On the list of kernels.
template <class Platform, class Fold>
struct MaskedLines : ListedKernel {
  using Kernel = ReduceMaskedRows<Fold>;
  using Plan = Launch;

  static bool is_for(const Problem& problem) { return are_masked_in_place(problem); }
  static std::optional<Launch> plan(const Problem& problem) {
    return plan_masked_lines(short_masked_rows<Fold>(problem),
                             Kernel::bytes_of_warp(problem.length));
  }
  static Status load(const Problem&) { return Platform::template load<Kernel>(); }
  static Status launch(const Launch& plan, const Call<Platform, Fold>& call) {
    return call.launch(Kernel{call.rows, masked_source<Fold>(call.problem)}, plan);
  }
};

}  // namespace isofold::gpu
