// The kernel for columns under a mask: short rows (masked_row.hpp), neighbours of which lie side by
// side in memory. A block has several neighbours. Its threads load elements that lie side by side,
// find by counts how many of a column's elements are selected before theirs, and write the selected
// ones to shared memory, compacted; there each warp folds several columns.
#pragma once

#include <backends/gpu/input/masked_row.hpp>

namespace isofold::gpu {

template <class Fold>
struct ReduceMaskedColumns {
  using Element = typename Fold::element_type;
  static constexpr int arrays = Fold::arrays;
  static constexpr int columns = sizeof(Element) <= 4 ? 32 : sizeof(Element) <= 8 ? 16 : 8;
  static constexpr int max_threads = masked_most_threads<Fold>;

  Rows<Fold> rows;
  CompactedPlaces source;
  MaskedColumnCut cut;

  // The shared memory of a block: the threads' counts, of two steps; the columns' counts; their
  // elements.
  static std::size_t shared_bytes(std::int64_t length, int threads) {
    return counts_bytes(threads) +
           sizeof(Element) * static_cast<std::size_t>(arrays * columns * stride_of(length));
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const WarpPlace<Group> place(group);
    auto* const counts = static_cast<std::int32_t*>(group.shared());
    const std::int32_t* const filled = counts + 2 * group.threads();
    auto* const buffer = reinterpret_cast<Element*>(static_cast<char*>(group.shared()) +
                                                    counts_bytes(group.threads()));
    const int stride = stride_of(rows.length);
    for (std::int64_t unit = group.block(); unit < cut.units; unit += group.blocks()) {
      const auto [first, here] = cut.tile(unit, columns);
      group.barrier();  // what is of earlier columns has been read
      pack(group, first, here, counts, buffer);
      group.barrier();
      for (int n = place.warp; n < here; n += place.warps) {
        fold_masked_row(group, rows, source, first + n, buffer + n * stride, columns * stride,
                        filled[n]);
      }
    }
  }

 private:
  ISOFOLD_HOST_DEVICE static constexpr std::size_t counts_bytes(int threads) {
    return aligned(sizeof(std::int32_t) * static_cast<std::size_t>(2 * threads + columns));
  }
  // The distance from one column to the next, an odd number: the elements of a warp meet in no bank
  // if a mask selects as many of each column.
  ISOFOLD_HOST_DEVICE static constexpr int stride_of(std::int64_t length) {
    return static_cast<int>(length) | 1;
  }

  // Compacts the selected elements of `here` columns from number `first` on. Collective: every
  // thread of the block must call.
  template <class Group>
  ISOFOLD_DEVICE void pack(const Group& group, std::int64_t first, int here, std::int32_t* counts,
                           Element* buffer) const {
    constexpr int copies = masked_copies<Fold>;
    const int column = group.thread() % columns;
    const int line = group.thread() / columns;  // of threads: each has elements in a row
    const int lines = group.threads() / columns;
    const int stride = stride_of(rows.length);
    const MaskedRow<Fold> row(rows, source.masked, first + (column < here ? column : here - 1));
    Element* const to = buffer + column * stride;
    std::int32_t* found = counts;
    int filled = 0;
#pragma unroll 1
    for (int begin = 0; begin < row.length; begin += lines * copies) {
      MaskedCopies<Fold> x;
      row.template load<1>(group, begin + line * copies, x);
      found[group.thread()] = x.selected_of_all();
      group.barrier();
      int position = filled;
      for (int other = 0; other < lines; ++other) {
        const int count = found[other * columns + column];
        position += other < line ? count : 0;
        filled += count;
      }
#pragma unroll
      for (int k = 0; k < copies; ++k) {
        if (x.is_taken(k)) {
#pragma unroll
          for (int a = 0; a < arrays; ++a) {
            to[a * columns * stride + position] = x.x[a][k];
          }
          ++position;
        }
      }
      // The next step's counts go elsewhere, so there is one barrier in each step.
      found = found == counts ? counts + group.threads() : counts;
    }
    if (line == 0) {
      counts[2 * group.threads() + column] = filled;
    }
  }
};

// These are a plan's facts of a fold's kernel.
struct MaskedColumnsLimits {
  int columns;                                                    // of a block
  int copies;                                                     // of a thread at once
  std::size_t (*shared_bytes)(std::int64_t length, int threads);  // of a block
};
struct MaskedColumnsPlan {
  MaskedColumnCut cut;
  Launch launch;
};

inline std::optional<MaskedColumnsPlan> plan_masked_columns(const ShortMaskedRows& at,
                                                            const MaskedColumnsLimits& kernel) {
  const MaskedTuning& tuning = at.device.tuning->masked;
  if (!are_masked_columns(at)) {
    return std::nullopt;
  }
  MaskedColumnsPlan plan{MaskedColumnCut(at.rows, at.side_by_side, kernel.columns), {}};
  // No more threads than have elements, but whole warps.
  const std::int64_t lines = ceil_divide(at.length, std::int64_t{kernel.copies});
  int threads = at.device.wave_width;
  while (threads < tuning.column_threads && threads / kernel.columns < lines) {
    threads *= 2;
  }
  plan.launch.threads = threads;
  plan.launch.shared_bytes = kernel.shared_bytes(at.length, threads);
  plan.launch.blocks = std::min(plan.cut.units, most_blocks);
  const bool fits = plan.cut.units * tuning.columns_share >= at.device.multiprocessors &&
                    plan.launch.shared_bytes <= at.device.shared_bytes;
  return fits ? std::optional(plan) : std::nullopt;
}

// On the list of kernels.
template <class Platform, class Fold>
struct MaskedColumns : ListedKernel {
  using Kernel = ReduceMaskedColumns<Fold>;
  using Plan = MaskedColumnsPlan;

  static bool is_for(const Problem& problem) { return are_masked_in_place(problem); }
  static std::optional<MaskedColumnsPlan> plan(const Problem& problem) {
    return plan_masked_columns(short_masked_rows<Fold>(problem),
                               {Kernel::columns, masked_copies<Fold>, &Kernel::shared_bytes});
  }
  static Status load(const Problem&) { return Platform::template load<Kernel>(); }
  static Status launch(const MaskedColumnsPlan& plan, const Call<Platform, Fold>& call) {
    return call.launch(Kernel{call.rows, masked_source<Fold>(call.problem), plan.cut}, plan.launch);
  }
};

}  // namespace isofold::gpu
