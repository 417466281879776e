// The kernel for boxes of another order than their memory, such as those whose first index is the
// nearest. Elements that lie side by side there belong to neighbouring slabs: stretches of a row
// that are several chunks long. A block has a line of slabs and goes down them, a window of a few
// rows of lanes at a time. Its threads load lines of memory and transpose them in shared memory,
// from which each warp reads its slabs' next part of a chunk; the next window is on its way
// meanwhile.
#pragma once

#include <backends/gpu/kernel/rows_strided.hpp>

namespace isofold::gpu {

// A slab as the warp sees it that folds its chunks.
struct SlabPlace {
  std::int64_t chunk;  // number of the first one that begins in the block's range
  int phase;           // where that begins: elements from the first window on, below a chunk
  int chunks;
};

// Folds of two passes go this way if a thread can hold all that both need.
template <class Fold>
inline constexpr bool takes_long_slabs = Fold::stages == 1 ||
                                         sizeof(typename Fold::element_type) <= sizeof(double);
// This tells whether a fold goes this way on a platform: if its compilers would keep a chunk in
// scratch memory, only folds of one pass, with lanes of at most 8 bytes (gfx1030 spills wider
// ones).
template <class Fold, class Platform>
inline constexpr bool takes_long_slabs_on =
    takes_long_slabs<Fold> &&
    (keeps_branches_apart<Platform> ||
     (Fold::stages == 1 && sizeof(core::LaneOf<std::decay_t<core::FirstPass<Fold>>>) <= 8));

template <class Fold>
struct ReduceLongTransposed {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  using Pass = std::decay_t<core::FirstPass<Fold>>;
  using Lane = core::LaneOf<Pass>;
  using Lanes = NarrowLanes<Element>;
  static constexpr int arrays = Fold::arrays;
  static constexpr int element_bytes = arrays * static_cast<int>(sizeof(Element));
  // Two passes need all of a chunk, and so the registers that lanes of more slabs would have.
  static constexpr bool holds_chunk = Fold::stages == 2;
  static constexpr int line_bytes = holds_chunk ? 64 : 128;
  static constexpr int slabs = line_bytes / element_bytes;  // of a block
  static constexpr int slabs_of_warp = holds_chunk         ? 8 / element_bytes
                                       : element_bytes < 8 ? 4
                                                           : 32 / element_bytes;
  static constexpr int warps = slabs / slabs_of_warp;
  static constexpr int window_rows = holds_chunk ? 4 : 2;
  static constexpr int window = window_rows * core::lanes;
  static constexpr int parts = core::rows_per_chunk / window_rows;  // of a chunk
  static constexpr int max_threads = holds_chunk || element_bytes > 4 ? 512 : 768;
  static_assert(takes_long_slabs<Fold> && warps * slabs_of_warp == slabs,
                "Each warp has as many slabs.");

  Rows<Fold> rows;
  Axes kept;
  Axes reduced;
  LongSlabCut cut;
  State* nodes;  // of chunks

  static constexpr int threads(int wave_width) { return warps * wave_width; }
  static constexpr std::size_t shared_bytes() {
    return table_bytes + places_bytes + sizeof(Element) * arrays * slabs * pitch;
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const Here<Group> here(group);
    for (std::int64_t unit = group.block(); unit < cut.units; unit += group.blocks()) {
      const std::int64_t ranged = cut.by_lines.divide(unit);
      const std::int64_t line = unit - ranged * cut.lines;
      const std::int64_t sided = cut.by_ranges.divide(ranged);
      const std::int64_t range = ranged - sided * cut.ranges;
      const std::int64_t row = cut.by_sides.divide(sided);
      const std::int64_t side = sided - row * cut.sides;
      fold_line(group, here, row, side * cut.neighbours + line * slabs,
                cut.neighbours - line * slabs, range * cut.chunks);
    }
  }

 private:
  using Held = HeldRows<Element, Lanes, arrays, holds_chunk ? 1 : parts>;
  static constexpr int ring = 2 * window;
  static constexpr int banks = 128 / static_cast<int>(sizeof(Element));  // that have one element
  static constexpr int pitch = ring + banks;
  static constexpr std::size_t table_bytes = sizeof(std::int64_t) * arrays * window;
  static constexpr std::size_t places_bytes = sizeof(SlabPlace) * slabs;
  // The part of a slab's chunk that a thread keeps until the next window: its elements, or their
  // lanes.
  struct LanesSoFar {
    Lane lane[Lanes::per_thread];
  };
  using Carried = std::conditional_t<holds_chunk, Held, LanesSoFar>;
  static_assert(table_bytes % 16 == 0 && places_bytes % 16 == 0,
                "What is in shared memory is aligned.");

  // The shared memory of the block, and the place of a thread.
  template <class Group>
  struct Here {
    static constexpr int lines = Group::wave_width / slabs_of_warp;  // that threads load at once
    static constexpr int loads = window / lines;                     // of a thread, of each array
    WarpPlace<Group> place;
    std::int64_t* table;  // where a window's elements are, counted from where their slab begins
    SlabPlace* places;
    Element* elements;  // rings: array, slab, element
    int slab;           // that the thread loads of,
    int line;           // and from which line of a window on

    ISOFOLD_DEVICE explicit Here(const Group& group)
        : place(group),
          table(static_cast<std::int64_t*>(group.shared())),
          places(reinterpret_cast<SlabPlace*>(table + arrays * window)),
          elements(reinterpret_cast<Element*>(places + slabs)),
          slab(group.thread() % slabs),
          line(group.thread() / slabs) {}
  };

  // The beginning of a slab's ring. It is turned so that neighbours' elements, which lie in rings
  // as far apart as their phases are, meet no bank twice.
  ISOFOLD_DEVICE static int ring_of(int slab, int phase) {
    constexpr int apart = banks / slabs > 0 ? banks / slabs : 1;
    return slab * pitch + (phase + apart * slab) % banks;
  }

  // The slabs of which a thread loads: its own, and the next one, in which its own slab's last
  // chunk ends.
  struct Columns {
    const char* own[arrays];
    const char* next[arrays];
  };

  // Folds `left` slabs side by side, or as many as a block has, from number `slab` of the row on:
  // their chunks that begin in the range from chunk `chunk` of a slab on. Collective: every thread
  // of the block must call.
  template <class Group>
  ISOFOLD_DEVICE void fold_line(const Group& group, const Here<Group>& here, std::int64_t row,
                                std::int64_t slab, std::int64_t left, std::int64_t chunk) const {
    const std::int64_t begin = chunk << core::chunk_shift;
    const int here_slabs = left < slabs ? static_cast<int>(left) : slabs;
    if (group.thread() < slabs) {
      here.places[group.thread()] =
          group.thread() < here_slabs ? place_of(slab + group.thread(), chunk) : SlabPlace{0, 0, 0};
    }
    const std::int64_t loaded = slab + (here.slab < here_slabs ? here.slab : here_slabs - 1);
    const Columns columns = columns_of(row, loaded);
    const int phase = place_of(loaded, chunk).phase;
    const std::int64_t most = cut.chunks << core::chunk_shift;
    const std::int64_t range = cut.length - begin < most ? cut.length - begin : most;
    // A chunk that begins in the range ends a chunk behind it at most.
    const auto windows = static_cast<int>((range + core::chunk_elements + window - 1) / window);
    Element x[arrays][Here<Group>::loads];
    Carried carried[slabs_of_warp];
    write_table(group, here, begin);
    group.barrier();
    load_window(group, here, columns, begin, x);
    group.barrier();  // the table has been read
#pragma unroll 1
    for (int w = 0; w < windows; ++w) {
      store_window(here, phase, w, x);
      if (w + 1 < windows) {
        write_table(group, here, begin + (w + 1) * window);
      }
      group.barrier();
      if (w + 1 < windows) {
        load_window(group, here, columns, begin + (w + 1) * window, x);
      }
#pragma unroll
      for (int q = 0; q < slabs_of_warp; ++q) {
        take_part(group, here, row, here.place.warp * slabs_of_warp + q, w, carried[q]);
      }
      group.barrier();
    }
  }

  // The chunks that begin in a slab, from number `chunk` on, no more than a range has.
  ISOFOLD_DEVICE SlabPlace place_of(std::int64_t slab, std::int64_t chunk) const {
    const std::int64_t first = slab * cut.length;
    const auto phase = static_cast<int>(-first & (core::chunk_elements - 1));
    const std::int64_t all = (cut.length - phase + core::chunk_elements - 1) >> core::chunk_shift;
    const std::int64_t left = all - chunk;
    return {((first + phase) >> core::chunk_shift) + chunk, phase,
            left < 0 ? 0 : static_cast<int>(left < cut.chunks ? left : cut.chunks)};
  }

  ISOFOLD_DEVICE Columns columns_of(std::int64_t row, std::int64_t slab) const {
    const std::int64_t after = (slab + 1) * cut.length < rows.length ? slab + 1 : slab;
    const Element* const data[] = {rows.first.data, rows.first.second};
    Columns columns;
#pragma unroll
    for (int a = 0; a < arrays; ++a) {
      const Element* const first = data[a] + kept.offset(a, row);
      columns.own[a] = reinterpret_cast<const char*>(first + reduced.offset(a, slab * cut.length));
      columns.next[a] =
          reinterpret_cast<const char*>(first + reduced.offset(a, after * cut.length));
    }
    return columns;
  }

  // Writes the table of the window at element `begin` of slabs. Collective: every thread of the
  // block must call.
  template <class Group>
  ISOFOLD_DEVICE void write_table(const Group& group, const Here<Group>& here,
                                  std::int64_t begin) const {
    for (int i = group.thread(); i < window; i += group.threads()) {
      const std::int64_t at = begin + i;
      // Windows end less than two chunks behind the slab, and the next one is as long.
      const std::int64_t inside = at < cut.length ? at : at - cut.length;
#pragma unroll
      for (int a = 0; a < arrays; ++a) {
        here.table[a * window + i] =
            reduced.offset(a, inside) * static_cast<std::int64_t>(sizeof(Element));
      }
    }
  }

  template <class Group>
  ISOFOLD_DEVICE void load_window(const Group& group, const Here<Group>& here,
                                  const Columns& columns, std::int64_t begin,
                                  Element (&x)[arrays][Here<Group>::loads]) const {
    const std::int64_t inside = cut.length - begin;  // elements before the next slab's
    const int end = inside < window ? static_cast<int>(inside) : window;
#pragma unroll
    for (int a = 0; a < arrays; ++a) {
#pragma unroll
      for (int n = 0; n < Here<Group>::loads; ++n) {
        const int i = here.line + n * Here<Group>::lines;
        x[a][n] = load_element(
            group, reinterpret_cast<const Element*>((i < end ? columns.own[a] : columns.next[a]) +
                                                    here.table[a * window + i]));
      }
    }
    loads_issued(group);
  }

  // Stores window number w into the rings.
  template <class Group>
  ISOFOLD_DEVICE static void store_window(const Here<Group>& here, int phase, int w,
                                          const Element (&x)[arrays][Here<Group>::loads]) {
    const int first = ring_of(here.slab, phase);
    const int at = w * window + here.line - phase;
#pragma unroll
    for (int a = 0; a < arrays; ++a) {
#pragma unroll
      for (int n = 0; n < Here<Group>::loads; ++n) {
        here.elements[a * slabs * pitch + first + ((at + n * Here<Group>::lines) & (ring - 1))] =
            x[a][n];
      }
    }
  }

  // Folds what window number w completes of the warp's slab `slab`: a part of a chunk; with its
  // last part the chunk. Collective: every lane of the warp must call.
  template <class Group>
  ISOFOLD_DEVICE void take_part(const Group& group, const Here<Group>& here, std::int64_t row,
                                int slab, int w, Carried& carried) const {
    const SlabPlace place = here.places[slab];
    const int number = w - 1 - place.phase / window;
    const int chunk = number / parts;
    if (number < 0 || chunk >= place.chunks) {
      return;
    }
    const int part = number % parts;
    const std::int64_t begin = (place.chunk + chunk) << core::chunk_shift;
    const std::int64_t left = rows.length - begin;
    const int count = left < core::chunk_elements ? static_cast<int>(left) : core::chunk_elements;
    const Element* const x = here.elements + ring_of(slab, place.phase) + number * window % ring;
    const bool is_whole = count == core::chunk_elements;
    const State state = is_whole ? add_part<true>(group, x, part, begin, count, carried)
                                 : add_part<false>(group, x, part, begin, count, carried);
    if (part == parts - 1 && here.place.thread == 0) {
      nodes[row * cut.nodes + place.chunk + chunk] = state;
    }
  }

  // Copies rows of lanes of a part, which lies at `x`, into those of `held` from number `to` on.
  ISOFOLD_DEVICE static void hold_rows(const Element* x, int thread, int to, Held& held) {
#pragma unroll
    for (int a = 0; a < arrays; ++a) {
#pragma unroll
      for (int r = 0; r < window_rows; ++r) {
#pragma unroll
        for (int j = 0; j < Held::loads; ++j) {
          held.pack[a][to + r][j] = {
              x[a * slabs * pitch + r * core::lanes + thread + Held::lane_of(j)]};
        }
      }
    }
  }
  // Copies row `row` of a part, which the end of the data cuts.
  ISOFOLD_DEVICE static void hold_cut(const Element* x, int thread, int row, Held& held) {
#pragma unroll
    for (int a = 0; a < arrays; ++a) {
#pragma unroll
      for (int c = 0; c < Lanes::per_thread; ++c) {
        held.cut[a][c] = x[a * slabs * pitch + row * core::lanes + thread + Held::lane_of(c)];
      }
    }
  }

  // Adds part number `part` of the chunk at element `begin`, which has `count`; with the last one
  // this is the chunk's state. Collective: every lane of the warp must call.
  template <bool whole, class Group>
  ISOFOLD_DEVICE State add_part(const Group& group, const Element* x, int part, std::int64_t begin,
                                int count, LanesSoFar& carried) const {
    const Pass pass = core::first_pass(rows.fold);
    const LaneFold<Pass> fold{pass};
    const int thread = group.thread() % Lanes::team;  // teams of a warp do the same
    const int whole_rows = whole ? core::rows_per_chunk : count / core::lanes;
    if (part == 0) {
#pragma unroll
      for (Lane& own : carried.lane) {
        own = missing(fold);
      }
    }
    Held held;
    hold_rows(x, thread, 0, held);
    run_over_rows<whole, Missing::not_selected>(group, pass, held, part, thread, whole_rows,
                                                carried.lane);
    if (!whole && part == whole_rows / window_rows) {
      hold_cut(x, thread, whole_rows % window_rows, held);
      run_over_cut(pass, held, thread, count, carried.lane);
    }
    if (part + 1 < parts) {
      return missing(rows.fold);
    }
    const int lanes = whole ? core::lanes : count;
    return core::chunk_state(rows.fold, halve<Lanes>(group, fold, carried.lane, thread, lanes),
                             begin, count);
  }

  // add_part() for folds that hold all parts before they fold them.
  template <bool whole, class Group>
  ISOFOLD_DEVICE State add_part(const Group& group, const Element* x, int part, std::int64_t begin,
                                int count, Held& held) const {
    const int thread = group.thread() % Lanes::team;
#pragma unroll
    for (int p = 0; p < parts; ++p) {
      if (p == part) {
        hold_rows(x, thread, p * window_rows, held);
      }
    }
    if (const int row = count / core::lanes; !whole && part == row / window_rows) {
      hold_cut(x, thread, row % window_rows, held);
    }
    return part + 1 < parts ? missing(rows.fold)
                            : state_of_held<whole, Lanes>(group, rows.fold, held, begin, count,
                                                          thread, [](int) {});
  }
};

// Rows whose neighbours in memory are in neighbouring slabs, as in a box of another order than its
// memory. A line of slabs goes through shared memory, a block each (transposed_long.hpp).
struct LongTransposedProblem {
  std::int64_t rows;
  std::int64_t length;
  Slabs slabs;
  int slabs_of_block;
  std::int64_t threads;  // of a block
  std::size_t shared_bytes;
  int most_threads;  // of a multiprocessor, for registers
  TunedDevice device;
};

struct LongTransposedPlan {
  LongSlabCut cut;
  CompactedPlan compacted;
};

inline constexpr std::int64_t most_range_chunks = 1 << 20;  // then windows are counted in 32 bits

// This tells whether there are slabs to fill a line, and a block for each multiprocessor: fewer
// blocks are slower than chunk by chunk. docs/decisions/031, 049
inline bool are_long_slabs(const LongTransposedProblem& at) {
  const TransposedTuning& tuning = at.device.tuning->transposed;
  const std::int64_t chunks = at.length / at.slabs_of_block >> core::chunk_shift;
  return at.slabs.length >= tuning.long_chunks * core::chunk_elements &&
         4 * at.slabs.neighbours >= 3 * at.slabs_of_block &&
         at.rows * chunks >= at.device.multiprocessors;
}

inline LongTransposedPlan plan_long_slabs(const LongTransposedProblem& at) {
  const TransposedTuning& tuning = at.device.tuning->transposed;
  LongTransposedPlan plan;
  LongSlabCut& cut = plan.cut;
  cut.length = at.slabs.length;
  cut.neighbours = at.slabs.neighbours;
  cut.sides = at.length / (cut.length * cut.neighbours);
  cut.lines = ceil_divide(cut.neighbours, std::int64_t{at.slabs_of_block});
  cut.nodes = core::chunk_count(at.length);
  const std::int64_t sets = at.rows * cut.sides * cut.lines;
  const std::int64_t all_blocks =
      at.device.multiprocessors *
      blocks_at_once(at.device, at.threads, at.shared_bytes, at.most_threads);
  // A range loads a chunk more than it folds: as many as take the least time in turns of all
  // blocks.
  const std::int64_t chunks = core::chunk_count(cut.length);
  std::int64_t least = INT64_MAX;
  for (int turns = 1; turns <= tuning.most_turns; ++turns) {
    const std::int64_t ranges = std::clamp<std::int64_t>(turns * all_blocks / sets, 1, chunks);
    const std::int64_t each = std::min(ceil_divide(chunks, ranges), most_range_chunks);
    const std::int64_t time =
        ceil_divide(sets * ceil_divide(chunks, each), all_blocks) * (each + 1);
    if (time < least) {
      least = time;
      cut.chunks = each;
    }
  }
  cut.ranges = ceil_divide(chunks, cut.chunks);
  cut.units = sets * cut.ranges;
  cut.by_sides = Divisor(cut.sides);
  cut.by_lines = Divisor(cut.lines);
  cut.by_ranges = Divisor(cut.ranges);
  CompactedPlan& compacted = plan.compacted;
  compacted.tiles.most_shift = 0;
  compacted.tiles.most = cut.nodes;
  compacted.launch.threads = static_cast<int>(at.threads);
  compacted.launch.shared_bytes = at.shared_bytes;
  compacted.launch.blocks = std::min(cut.units, most_blocks);
  plan_nodes(at.rows, at.device, compacted);
  return plan;
}

// On the list of kernels.
template <class Platform, class Fold>
struct LongTransposed : ListedKernel {
  static constexpr bool exists = takes_long_slabs_on<Fold, Platform>;
  using Kernel = ReduceLongTransposed<Fold>;
  using Plan = LongTransposedPlan;

  static bool is_for(const Problem& problem) {
    return problem.is_in_place() && !problem.is_ragged() && !problem.converted;
  }
  static std::optional<LongTransposedPlan> plan(const Problem& problem) {
    if (!are_slabs(problem)) {
      return std::nullopt;
    }
    const LongTransposedProblem at{problem.rows,
                                   problem.length,
                                   problem.slabs,
                                   Kernel::slabs,
                                   Kernel::threads(problem.device.wave_width),
                                   Kernel::shared_bytes(),
                                   Kernel::max_threads,
                                   problem.device};
    return are_long_slabs(at) ? std::optional(plan_long_slabs(at)) : std::nullopt;
  }
  static Needs needs(const Problem& problem, const LongTransposedPlan& plan) {
    return needs_of_tiles(problem, plan.compacted);
  }
  static Status load(const Problem&) {
    return load_all<Platform, Kernel, CombineTiles<Fold, CompactedPlaces>>();
  }
  static Status launch(const LongTransposedPlan& plan, const Call<Platform, Fold>& call) {
    const Places& places = *call.problem.places;
    return launch_tiles(call, plan.compacted, [&](auto* nodes) {
      return call.launch(Kernel{call.rows, places.kept, places.reduced, plan.cut, nodes},
                         plan.compacted.launch);
    });
  }
};

}  // namespace isofold::gpu
