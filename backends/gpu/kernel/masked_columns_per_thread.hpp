// The kernel for many columns under a mask (masked_row.hpp) of folds whose lanes are numbers with
// an identity: a thread folds a column. The lanes of its chunk stand in shared memory, each
// selected element goes to its own, and nothing is compacted, nor waits for other threads.
#pragma once

#include <backends/gpu/input/masked_row.hpp>

namespace isofold::gpu {

template <class Fold>
struct ReduceMaskedColumnsByThreads {
  using Pass = std::decay_t<core::FirstPass<Fold>>;
  using Lane = core::LaneOf<Pass>;
  static constexpr int copies = masked_copies<Fold>;
  // This bound on the threads of a block is a bound on the registers of each on NVIDIA devices:
  // lanes of 4 bytes need fewer without spills, and lanes of 8 bytes leave shared memory for fewer
  // threads anyway.
  static constexpr int max_threads = sizeof(Lane) <= 4 ? 768 : 512;

  Rows<Fold> rows;
  CompactedPlaces source;
  MaskedColumnCut cut;

  static constexpr std::size_t bytes_of_thread = sizeof(Lane) * core::lanes;

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    constexpr int width = Group::wave_width;
    const WarpPlace<Group> place(group);
    const Lanes<width> lanes(static_cast<Lane*>(group.shared()),
                             place.warp * core::lanes * width + place.thread);
    for (std::int64_t unit = group.block() * place.warps + place.warp; unit < cut.units;
         unit += group.blocks() * place.warps) {
      const auto [first, here] = cut.tile(unit, width);
      const std::int64_t number = first + (place.thread < here ? place.thread : here - 1);
      lanes.clear(rows.fold);
      const int count = take(group, MaskedRow<Fold>(rows, source.masked, number), lanes);
      if (place.thread < here) {
        const Lane root = lanes.root(core::first_pass(rows.fold));
        write_masked_row(group, rows, source, number, core::chunk_state(rows.fold, root, 0, count),
                         count);
      }
    }
  }

 private:
  // The lanes of a thread; those of a warp meet in no bank, wherever each of them is.
  template <int width>
  struct Lanes {
    Lane* shared;
    unsigned base;

    ISOFOLD_DEVICE Lanes(Lane* of_block, int own)
        : shared(of_block), base(static_cast<unsigned>(own)) {}
    // The lane of the element that has number `at` / width.
    ISOFOLD_DEVICE Lane& of(unsigned at) const {
      return shared[(at & (core::lanes - 1) * width) | base];
    }
    ISOFOLD_DEVICE void clear(const Fold& fold) const {
      const Lane padding = missing(LaneFold<Pass>{core::first_pass(fold)});
#pragma unroll
      for (unsigned i = 0; i < core::lanes; ++i) {
        of(i * width) = padding;
      }
    }
    // The root of the lanes, by halving.
    ISOFOLD_DEVICE Lane root(const Pass& pass) const {
      constexpr unsigned held = core::lanes / 4;
      Lane lane[held];
#pragma unroll
      for (unsigned i = 0; i < held; ++i) {
        lane[i] = pass.combine(pass.combine(of(i * width), of((i + 2 * held) * width)),
                               pass.combine(of((i + held) * width), of((i + 3 * held) * width)));
      }
#pragma unroll
      for (unsigned apart = held / 2; apart > 0; apart /= 2) {
#pragma unroll
        for (unsigned i = 0; i < held / 2; ++i) {
          lane[i] = i < apart ? pass.combine(lane[i], lane[i + apart]) : lane[i];
        }
      }
      return lane[0];
    }
  };

  // Folds the row's selected elements into their lanes; returns how many there are. Collective:
  // every lane of the warp must call.
  template <class Group, int width>
  ISOFOLD_DEVICE int take(const Group& group, const MaskedRow<Fold>& row,
                          const Lanes<width>& lanes) const {
    constexpr int at_once = 4;  // elements, no two of which are of one lane
    static_assert(copies % at_once == 0, "All of them.");
    const Pass pass = core::first_pass(rows.fold);
    unsigned at = 0;
#pragma unroll 1
    for (int begin = 0; begin < row.length; begin += copies) {
      MaskedCopies<Fold> x;
      row.template load<1>(group, begin, x);
#pragma unroll
      for (int k = 0; k < copies; k += at_once) {
        unsigned own[at_once];
        Lane lane[at_once];
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
          own[j] = at;
          lane[j] = lanes.of(at);
          at += x.is_taken(k + j) ? width : 0;
        }
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
          if (x.is_taken(k + j)) {
            const int index = static_cast<int>(own[j] / width);
            lanes.of(own[j]) = selected_by_lane(pass, x, k + j, lane[j], index);
          }
        }
      }
    }
    return static_cast<int>(at / width);
  }
};

struct MaskedLanesPlan {
  MaskedColumnCut cut;
  Launch launch;
};

inline std::optional<MaskedLanesPlan> plan_masked_lanes(const ShortMaskedRows& at,
                                                        std::size_t thread_bytes) {
  const MaskedTuning& tuning = at.device.tuning->masked;
  const int width = at.device.wave_width;
  const std::size_t bytes_of_warp = thread_bytes * static_cast<std::size_t>(width);
  if (!are_masked_columns(at) ||
      static_cast<std::int64_t>(at.device.shared_bytes / bytes_of_warp) < tuning.lanes_warps ||
      at.rows < tuning.lanes_warps * width * at.device.multiprocessors) {
    return std::nullopt;
  }
  MaskedLanesPlan plan{MaskedColumnCut(at.rows, at.side_by_side, width), {}};
  take_masked_warps(bytes_of_warp, plan.cut.units, at.device, plan.launch);
  return plan;
}

// On the list of kernels.
template <class Platform, class Fold>
struct MaskedColumnsByThreads : ListedKernel {
  static constexpr bool exists = takes_lane_by_lane<Fold>;
  using Kernel = ReduceMaskedColumnsByThreads<Fold>;
  using Plan = MaskedLanesPlan;

  static bool is_for(const Problem& problem) { return are_masked_in_place(problem); }
  static std::optional<MaskedLanesPlan> plan(const Problem& problem) {
    return plan_masked_lanes(short_masked_rows<Fold>(problem), Kernel::bytes_of_thread);
  }
  static Status load(const Problem&) { return Platform::template load<Kernel>(); }
  static Status launch(const MaskedLanesPlan& plan, const Call<Platform, Fold>& call) {
    return call.launch(Kernel{call.rows, masked_source<Fold>(call.problem), plan.cut}, plan.launch);
  }
};

}  // namespace isofold::gpu
