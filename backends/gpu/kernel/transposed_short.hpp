// The kernel for boxes of another order than their memory whose slabs (transposed_long.hpp) are
// shorter than a few chunks, such as those of a few columns, the first index being the nearest. A
// block has consecutive chunks of a row, several slabs and parts of two: its threads load elements
// that lie side by side in memory, of neighbouring slabs, and write them compacted to shared
// memory, where each warp folds chunks.
#pragma once

#include <backends/gpu/collective/chunk_in_shared.hpp>
#include <backends/gpu/kernel/rows_strided.hpp>

namespace isofold::gpu {

template <class Fold>
struct ReduceShortTransposed {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  using Lanes = NarrowLanes<Element>;
  static constexpr int arrays = Fold::arrays;
  static constexpr int max_threads = compacted_most_threads<Fold>() < 512 ? 256 : 512;
  static constexpr int copies = 8;  // of a thread at once, by way of registers or not

  Rows<Fold> rows;
  Axes kept;
  Axes reduced;
  ShortSlabCut cut;
  State* nodes;  // of chunks

  // The shared memory of a block: the elements of its chunks, and the places of a slab's.
  static constexpr std::size_t chunk_bytes = sizeof(Element) * arrays * core::chunk_elements;
  static std::size_t shared_bytes(std::int64_t length, int chunks) {
    return table_bytes(length) + static_cast<std::size_t>(chunks) * chunk_bytes;
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const WarpPlace<Group> place(group);
    auto* const table = static_cast<std::int64_t*>(group.shared());
    auto* const buffer =
        reinterpret_cast<Element*>(static_cast<char*>(group.shared()) + table_bytes(cut.length));
    write_table(group, table);
    for (std::int64_t unit = group.block(); unit < cut.units; unit += group.blocks()) {
      const std::int64_t row = cut.by_ranges.divide(unit);
      const std::int64_t first = (unit - row * cut.ranges) * cut.chunks;
      const std::int64_t begin = first << core::chunk_shift;
      const std::int64_t left = rows.length - begin;
      const int most = cut.chunks << core::chunk_shift;
      const int count = left < most ? static_cast<int>(left) : most;
      group.barrier();  // the table is there, and the last range has been read
      copy_range(group, table, row, begin, count, buffer);
      if constexpr (has_copies_to_shared<Group>) {
        group.wait_for_copies();
      }
      group.barrier();
      for (int n = place.warp; n << core::chunk_shift < count; n += place.warps) {
        const int before = n << core::chunk_shift;
        const State state = fold_chunk(group, buffer, before, begin + before, count - before);
        if (place.thread == 0) {
          nodes[row * cut.nodes + first + n] = state;
        }
      }
    }
  }

 private:
  ISOFOLD_HOST_DEVICE static constexpr std::size_t table_bytes(std::int64_t length) {
    return aligned(static_cast<std::size_t>(length) * arrays * sizeof(std::int64_t));
  }

  // The place of number i of the block's elements. Elements that a warp writes together are as far
  // apart as a slab is long: odd distances meet no bank twice, even ones meet banks less often if
  // rows of 32 are mixed (docs/decisions/031).
  ISOFOLD_DEVICE int mixed(int i) const { return i ^ ((i >> 5 ^ i >> 10) & cut.mixed_bits); }

  // Writes the places of a slab's elements, counted from its first one, in bytes. Collective: every
  // thread of the block must call.
  template <class Group>
  ISOFOLD_DEVICE void write_table(const Group& group, std::int64_t* table) const {
    const auto length = static_cast<int>(cut.length);
    for (int i = group.thread(); i < length; i += group.threads()) {
#pragma unroll
      for (int a = 0; a < arrays; ++a) {
        table[a * length + i] = reduced.offset(a, i) * static_cast<std::int64_t>(sizeof(Element));
      }
    }
  }

  // Copies `count` elements of the row from number `begin` on: a thread has several lines of a
  // slab, or of several, its neighbour those of the next one. Collective: every thread of the block
  // must call.
  template <class Group>
  ISOFOLD_DEVICE void copy_range(const Group& group, const std::int64_t* table, std::int64_t row,
                                 std::int64_t begin, int count, Element* buffer) const {
    const auto length = static_cast<int>(cut.length);
    const std::int64_t first = cut.by_length.divide(begin);
    const auto before = static_cast<int>(begin - first * cut.length);  // of the first slab
    const int slabs = (before + count + length - 1) / length;
    const int columns = slabs < group.threads() ? slabs : group.threads();
    const int lines = group.threads() / columns;
    const int line = group.thread() / columns;
    for (int slab = group.thread() % columns; line < lines && slab < slabs; slab += columns) {
      const int at = slab * length - before;  // of its first element, in the range
      const int end = count - at < length ? count - at : length;
      copy_slab(group, table, row, first + slab, (at < 0 ? -at : 0) + line, end, lines, at, buffer);
    }
  }

  // Copies elements begin, begin + step, ... of a slab, up to `end`; element i is number at + i of
  // the block's.
  template <class Group>
  ISOFOLD_DEVICE void copy_slab(const Group& group, const std::int64_t* table, std::int64_t row,
                                std::int64_t slab, int begin, int end, int step, int at,
                                Element* buffer) const {
    const int room = cut.chunks << core::chunk_shift;
    const Element* const data[] = {rows.first.data, rows.first.second};
#pragma unroll
    for (int a = 0; a < arrays; ++a) {
      const auto* const from = reinterpret_cast<const char*>(data[a] + kept.offset(a, row) +
                                                             reduced.offset(a, slab * cut.length));
      const std::int64_t* const places = table + a * cut.length;
      const auto element = [&](int i) {
        return reinterpret_cast<const Element*>(from + places[i]);
      };
      Element* const to = buffer + a * room;
      if constexpr (has_copies_to_shared<Group>) {
#pragma unroll copies
        for (int i = begin; i < end; i += step) {
          copy_element(group, to + mixed(at + i), element(i));
        }
      } else {
        for (int i = begin; i < end; i += copies * step) {
          Element x[copies];
#pragma unroll
          for (int n = 0; n < copies; ++n) {
            x[n] = load_element(group, element(i + n * step < end ? i + n * step : i));
          }
#pragma unroll
          for (int n = 0; n < copies; ++n) {
            if (i + n * step < end) {
              to[mixed(at + i + n * step)] = x[n];
            }
          }
        }
      }
    }
  }

  // The state of the chunk whose first element has number `first` in the buffer and `begin` in its
  // row; the buffer has `left` elements from it on. Collective: every lane of the warp must call.
  template <class Group>
  ISOFOLD_DEVICE State fold_chunk(const Group& group, const Element* buffer, int first,
                                  std::int64_t begin, int left) const {
    return left >= core::chunk_elements
               ? fold_chunk<true>(group, buffer, first, begin, core::chunk_elements)
               : fold_chunk<false>(group, buffer, first, begin, left);
  }
  template <bool whole, class Group>
  ISOFOLD_DEVICE State fold_chunk(const Group& group, const Element* buffer, int first,
                                  std::int64_t begin, int count) const {
    const int thread = group.thread() % Lanes::team;  // teams of a warp do the same
    const int room = cut.chunks << core::chunk_shift;
    PackedRows<Fold> held;
    const auto hold = [&](int part) {
#pragma unroll
      for (int a = 0; a < arrays; ++a) {
        const auto at = [&](int i) {  // what is missing: the last one
          return buffer[a * room + mixed(first + (whole || i < count ? i : count - 1))];
        };
#pragma unroll
        for (int r = 0; r < PackedRows<Fold>::rows; ++r) {
#pragma unroll
          for (int c = 0; c < Lanes::per_thread; ++c) {
            const int row = part * PackedRows<Fold>::rows + r;
            held.pack[a][r][c] = {at(row * core::lanes + thread + PackedRows<Fold>::lane_of(c))};
          }
        }
        if (!whole && part == 0) {
#pragma unroll
          for (int c = 0; c < Lanes::per_thread; ++c) {
            const int cut_row = count / core::lanes * core::lanes;
            held.cut[a][c] = at(cut_row + thread + PackedRows<Fold>::lane_of(c));
          }
        }
      }
    };
    if constexpr (PackedRows<Fold>::parts == 1) {
      hold(0);
    }
    return state_of_held<whole, Lanes>(group, rows.fold, held, begin, count, thread, hold);
  }
};

// Slabs of fewer elements: a block takes some chunks, and packs them (transposed_short.hpp).
struct ShortTransposedProblem {
  std::int64_t rows;
  std::int64_t length;
  Slabs slabs;
  std::int64_t element_bytes;                                    // of an array
  std::size_t chunk_bytes;                                       // of all
  std::size_t (*shared_bytes)(std::int64_t length, int chunks);  // of a block
  int most_threads;                                              // of a block
  TunedDevice device;
};

struct ShortTransposedPlan {
  ShortSlabCut cut;
  CompactedPlan compacted;
};

inline ShortTransposedPlan plan_short_slabs(const ShortTransposedProblem& at) {
  const TransposedTuning& tuning = at.device.tuning->transposed;
  ShortTransposedPlan plan;
  ShortSlabCut& cut = plan.cut;
  cut.length = at.slabs.length;
  cut.by_length = Divisor(cut.length);
  cut.mixed_bits = cut.length % 2 == 0 ? 31 : 0;
  cut.nodes = core::chunk_count(at.length);
  const ShortSlabsRange* range = tuning.ranges.data();
  while (cut.length > range->most_length) {
    ++range;
  }
  const std::size_t room = std::min(range->bytes, at.device.shared_bytes / tuning.ranges_of_shared);
  const std::int64_t each =
      at.rows * cut.nodes / (tuning.least_ranges * std::int64_t{at.device.multiprocessors});
  cut.chunks = static_cast<int>(std::clamp<std::int64_t>(
      std::min(static_cast<std::int64_t>(room / at.chunk_bytes), each), 1, cut.nodes));
  cut.ranges = ceil_divide(cut.nodes, std::int64_t{cut.chunks});
  cut.by_ranges = Divisor(cut.ranges);
  cut.units = at.rows * cut.ranges;
  CompactedPlan& compacted = plan.compacted;
  compacted.tiles.most_shift = 0;
  compacted.tiles.most = cut.nodes;
  compacted.launch.threads = std::min(range->threads, at.most_threads);
  compacted.launch.shared_bytes = at.shared_bytes(cut.length, cut.chunks);
  compacted.launch.blocks = std::min(cut.units, most_blocks);
  plan_nodes(at.rows, at.device, compacted);
  return plan;
}

// A warp's loads use sectors well that the elements of a slab share.
inline bool are_short_slabs(const ShortTransposedProblem& at) {
  const TransposedTuning& tuning = at.device.tuning->transposed;
  return at.slabs.length >= tuning.least_short &&
         at.slabs.step * at.element_bytes >= sector_bytes &&
         at.slabs.length < tuning.long_chunks * core::chunk_elements &&
         at.length >= tuning.least_slabs * core::chunk_elements &&
         at.rows * core::chunk_count(at.length) >= at.device.multiprocessors &&
         plan_short_slabs(at).compacted.launch.shared_bytes <= at.device.shared_bytes;
}

// On the list of kernels.
template <class Platform, class Fold>
struct ShortTransposed : ListedKernel {
  using Kernel = ReduceShortTransposed<Fold>;
  using Plan = ShortTransposedPlan;

  static bool is_for(const Problem& problem) {
    return problem.is_in_place() && !problem.is_ragged() && !problem.converted;
  }
  static std::optional<ShortTransposedPlan> plan(const Problem& problem) {
    const ShortTransposedProblem at{problem.rows,
                                    problem.length,
                                    problem.columns ? Slabs{} : problem.slabs,
                                    problem.fold.element_bytes,
                                    Kernel::chunk_bytes,
                                    Kernel::shared_bytes,
                                    Kernel::max_threads,
                                    problem.device};
    return are_short_slabs(at) ? std::optional(plan_short_slabs(at)) : std::nullopt;
  }
  static Needs needs(const Problem& problem, const ShortTransposedPlan& plan) {
    return needs_of_tiles(problem, plan.compacted);
  }
  static Status load(const Problem&) {
    return load_all<Platform, Kernel, CombineTiles<Fold, CompactedPlaces>>();
  }
  static Status launch(const ShortTransposedPlan& plan, const Call<Platform, Fold>& call) {
    const Places& places = *call.problem.places;
    return launch_tiles(call, plan.compacted, [&](auto* nodes) {
      return call.launch(Kernel{call.rows, places.kept, places.reduced, plan.cut, nodes},
                         plan.compacted.launch);
    });
  }
};

}  // namespace isofold::gpu
