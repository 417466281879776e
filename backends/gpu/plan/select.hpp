// The list of kernels in their order of preference, for execute.hpp: a problem goes to the first
// kernel that offers a plan for it. This list is the one place that says so. A kernel that is
// removed from it leaves its problems to those behind it, as far as they can solve them.
#pragma once

#include <backends/gpu/kernel/columns_interleaved.hpp>
#include <backends/gpu/kernel/columns_per_thread.hpp>
#include <backends/gpu/kernel/columns_tiled.hpp>
#include <backends/gpu/kernel/masked_columns_per_block.hpp>
#include <backends/gpu/kernel/masked_columns_per_thread.hpp>
#include <backends/gpu/kernel/masked_rows_per_warp.hpp>
#include <backends/gpu/kernel/rows_strided.hpp>
#include <backends/gpu/kernel/segments_long.hpp>
#include <backends/gpu/kernel/segments_short.hpp>
#include <backends/gpu/kernel/transposed_long.hpp>
#include <backends/gpu/kernel/transposed_short.hpp>
#include <backends/gpu/plan/listed_compacted.hpp>
#include <backends/gpu/plan/listed_converted.hpp>
#include <backends/gpu/plan/listed_halves.hpp>
#include <backends/gpu/plan/listed_rows.hpp>

namespace isofold::gpu {

template <template <class, class> class... Kernels>
struct KernelList {
  static constexpr int count = sizeof...(Kernels);

  // use(Kernel{}, its plan) of the first kernel with a plan; false where there is none.
  template <class Platform, class Fold, class Use>
  static bool with_plan(const Problem& problem, Use&& use) {
    int number = 0;
    return (offers<Platform, Kernels<Platform, Fold>>(problem, number++, use) || ...);
  }
  // Loads what may be launched for such inputs, of whatever size and alignment.
  template <class Platform, class Fold>
  static Status load(const Problem& problem) {
    Status loaded;
    static_cast<void>(((loaded = load_one<Kernels<Platform, Fold>>(problem)).ok() && ...));
    return loaded;
  }

 private:
  template <class Platform, class Kernel, class Use>
  static bool offers(const Problem& problem, int number, Use& use) {
    if constexpr (Kernel::exists) {
      if constexpr (may_lack_kernels<Platform>) {
        if (!Platform::has_kernel(number)) {
          return false;
        }
      }
      if (!Kernel::is_for(problem)) {
        return false;
      }
      if (const auto plan = Kernel::plan(problem); plan.has_value()) {
        use(Kernel{}, *plan);
        return true;
      }
    }
    return false;
  }
  template <class Kernel>
  static Status load_one(const Problem& problem) {
    if constexpr (Kernel::exists) {
      return Kernel::is_for(problem) ? Kernel::load(problem) : Status{};
    } else {
      return {};
    }
  }
};

using ListedKernels =
    KernelList<EmptyResults, LocatedHalves, ConvertedRows, RowsInRegisters, RowsByWarps,
               RowsByBlocks,                                                                    //
               MaskedColumnsByThreads, MaskedColumns, MaskedLines, RunsOfBoxes, CompactedRows,  //
               ShortColumns, InterleavedColumns, TiledColumns,                                  //
               ShortTransposed, LongTransposed, TransposedRows,                                 //
               LongSegments, ShortSegments, StridedRows>;

}  // namespace isofold::gpu
