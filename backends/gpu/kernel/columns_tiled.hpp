// The kernel for columns: rows that lie side by side, with many elements each. A block has a tile
// of several neighbouring rows and a few chunks. The lanes of a chunk are distributed in turn over
// the threads of one row, and the threads of neighbouring rows lie side by side: a warp's loads are
// of whole lines, and the block goes down its tile once. The places of elements are equal for all
// rows, and stand in a table in shared memory.
#pragma once

#include <backends/gpu/collective/last_block.hpp>
#include <backends/gpu/kernel/rows_strided.hpp>
#include <backends/gpu/plan/kernel.hpp>

namespace isofold::gpu {

// The cut of columns into tiles; the plan below fills it.
struct ColumnTiles {
  int rows_shift = 0;      // a tile has 2^rows_shift rows
  int parts_shift = 0;     // each of which 2^parts_shift threads share
  int chunks_shift = 0;    // and 2^chunks_shift chunks of them
  std::int64_t sets = 1;   // of rows
  std::int64_t tiles = 1;  // of each set; more than one: blocks share its rows
  Divisor by_sets;
};
inline constexpr int columns_threads = ColumnsTuning::threads;  // of a block
inline constexpr int columns_parts_shift = 4;                   // at most
inline constexpr int columns_chunks_shift = 4;

template <class Fold>
struct ReduceColumnTiles {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  using FirstPass = std::decay_t<core::FirstPass<Fold>>;
  static constexpr int arrays = Fold::arrays;
  // Blocks that share a multiprocessor hide the latency of the memory: four with 64 registers for
  // each thread, or two with 128, of which 64 hold elements; one if complex elements need more.
  // Light folds gain by more blocks, large ones by more loads of a thread (docs/decisions/024,
  // 048).
  static constexpr bool is_large =
      arrays * sizeof(Element) + sizeof(core::LaneOf<FirstPass>) > 16 || Fold::stages == 2 ||
      core::is_complex<Element>;
  static constexpr int fitting = static_cast<int>(256 / (arrays * sizeof(Element)));
  static constexpr int loads =  // of a thread in flight
      !is_large      ? strided_loads<Fold>()
      : fitting < 32 ? fitting
                     : 32;
  static constexpr int held = loads < 4 ? loads : 4;       // lanes of a thread at once
  static constexpr int deep = loads / held;                // elements of each
  static constexpr int rows_at_once = deep * core::lanes;  // elements of a row
  static constexpr int least = rows_at_once / 2;           // fewer are sooner folded by others
  static constexpr int max_threads = (is_large ? 2 : 4) * columns_threads;
  static_assert(held <= core::lanes >> columns_parts_shift,
                "A thread has as many lanes at least as it takes at once.");
  static_assert(core::rows_per_chunk % deep == 0, "The table has no more entries than a chunk.");

  Rows<Fold> rows;
  Axes kept;
  Axes reduced;
  ColumnTiles cut;
  State* nodes;             // of rows that blocks share
  std::uint32_t* counters;  // likewise, one for each set, all zero between launches

  static constexpr std::size_t table_bytes = sizeof(std::int64_t) * arrays * core::chunk_elements;
  static constexpr std::size_t shared_bytes(int wave_width, const ColumnTiles& cut) {
    return table_bytes + largest_slot * columns_threads +
           sizeof(State) * (columns_chunks_shift + 1) * (std::size_t{1} << cut.rows_shift) +
           BlockMemory<State>::bytes(shared_row_states, wave_width) + agreed_bytes;
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const Here<Group> here(group, cut);
    for (std::int64_t unit = group.block(); unit < cut.sets * cut.tiles; unit += group.blocks()) {
      const std::int64_t tile = cut.by_sets.divide(unit);
      const std::int64_t first = (unit - tile * cut.sets) << cut.rows_shift;
      const std::int64_t number = first + here.column;
      const State state = fold_tile(group, here, number < rows.rows ? number : rows.rows - 1,
                                    tile << cut.chunks_shift);
      const bool writes = here.part == 0 && number < rows.rows;
      if (cut.tiles == 1) {
        if (writes) {
          rows.write(number, state);
        }
        continue;
      }
      if (writes) {
        nodes[number * cut.tiles + tile] = state;
      }
      if (is_last_block(group, here.memory.flag, &counters[first >> cut.rows_shift], cut.tiles)) {
        const std::int64_t end = first + (std::int64_t{1} << cut.rows_shift);
        finish_rows(group, rows, here.memory, nodes, cut.tiles, first,
                    end < rows.rows ? end : rows.rows);
      }
    }
  }

 private:
  // A pass's lane, on its way from each thread to those that share its row.
  static constexpr std::size_t largest_slot = aligned(largest_lane<Fold>);
  static constexpr std::size_t agreed_bytes = 16 * sizeof(std::uint32_t);

  // The place of a thread, and the shared memory of its block.
  template <class Group>
  struct Here {
    int column;
    int part;
    std::int64_t* table;
    void* slots;
    State* stack;
    BlockMemory<State> memory;
    std::uint32_t* agreed;  // a word for each warp

    ISOFOLD_DEVICE Here(const Group& group, const ColumnTiles& cut)
        : column(group.thread() & ((1 << cut.rows_shift) - 1)),
          part(group.thread() >> cut.rows_shift),
          table(static_cast<std::int64_t*>(group.shared())),
          slots(table + arrays * core::chunk_elements),
          stack(
              reinterpret_cast<State*>(static_cast<char*>(slots) + largest_slot * columns_threads)),
          memory(stack + ((columns_chunks_shift + 1) << cut.rows_shift), shared_row_states,
                 Group::wave_width),
          agreed(reinterpret_cast<std::uint32_t*>(memory.flag + 4)) {}
  };

  // The state of the chunks of a tile, the first of which has number `first`, of row `number`; the
  // first thread of the row gets it. Collective: every thread of the block must call.
  template <class Group>
  ISOFOLD_DEVICE State fold_tile(const Group& group, const Here<Group>& here, std::int64_t number,
                                 std::int64_t first) const {
    const char* data[arrays];
    const Element* const begins[] = {rows.first.data, rows.first.second};
#pragma unroll
    for (int a = 0; a < arrays; ++a) {
      data[a] = reinterpret_cast<const char*>(begins[a] + kept.offset(a, number));
    }
    const std::int64_t left = core::chunk_count(rows.length) - first;
    const int most = 1 << cut.chunks_shift;
    const int chunks = left < most ? static_cast<int>(left) : most;
    const ChunkCounter<Fold> counter(here.stack + here.column, 1 << cut.rows_shift);
    State state = missing(rows.fold);
#pragma unroll 1
    for (int n = 0; n < chunks; ++n) {
      state = fold_one(group, here, data, (first + n) << core::chunk_shift);
      if (chunks > 1 && here.part == 0) {
        counter.add(rows.fold, state, n);
      }
    }
    return chunks > 1 && here.part == 0 ? counter.root(rows.fold, chunks) : state;
  }

  template <class Group>
  ISOFOLD_DEVICE State fold_one(const Group& group, const Here<Group>& here,
                                const char* const (&data)[arrays], std::int64_t begin) const {
    const std::int64_t left = rows.length - begin;
    const int count = left < core::chunk_elements ? static_cast<int>(left) : core::chunk_elements;
    // The last element stands for elements past the end that a thread loads with others.
    const int loaded = (count + rows_at_once - 1) / rows_at_once * rows_at_once;
    for (int i = group.thread(); i < loaded; i += group.threads()) {
#pragma unroll
      for (int a = 0; a < arrays; ++a) {
        here.table[a * core::chunk_elements + i] =
            reduced.offset(a, begin + (i < count ? i : count - 1)) *
            static_cast<std::int64_t>(sizeof(Element));
      }
    }
    group.barrier();
    return state_by_agreed_passes(
        rows.fold, begin, count,
        [&](const auto& pass) { return pass_over(group, here, data, count, pass); },
        [&](bool condition) { return all_of_block(group, here.agreed, condition); });
  }

  // The root that a pass makes of a chunk. If another pass follows, all threads get the root of
  // their row, else its first one does. Collective: every thread of the block must call.
  template <class Group, class Pass>
  ISOFOLD_DEVICE core::LaneOf<Pass> pass_over(const Group& group, const Here<Group>& here,
                                              const char* const (&data)[arrays], int count,
                                              const Pass& pass) const {
    using Lane = core::LaneOf<Pass>;
    constexpr bool is_first = std::is_same_v<Pass, FirstPass>;
    const LaneFold<Pass> fold{pass};
    const Lane own = own_lanes(group, here, data, count, pass);
    auto* const slots = static_cast<Lane*>(here.slots);
    if (!is_first) {
      group.barrier();  // what the pass before has left there has been read
    }
    slots[group.thread()] = own;
    group.barrier();
    if (here.part != 0 && (!is_first || Fold::stages == 1)) {
      return own;
    }
    const auto part_of = [&](int n) { return reversed(n) >> (lane_number_bits - cut.parts_shift); };
    const auto there = [&](int n) { return part_of(n) < count; };
    Lane root = own;
    LaneNodes<Lane, columns_parts_shift> nodes_of_parts;
    for (Lane& node : nodes_of_parts.node) {
      node = root;
    }
#pragma unroll 1
    for (int n = 0; n < 1 << cut.parts_shift; ++n) {
      root = nodes_of_parts.template add<0>(
          fold, slots[(part_of(n) << cut.rows_shift) + here.column], n, there);
    }
    return root;
  }

  // The node that a pass makes of the thread's own lanes: part, part + 2^parts_shift, ...
  template <class Group, class Pass>
  ISOFOLD_DEVICE core::LaneOf<Pass> own_lanes(const Group& group, const Here<Group>& here,
                                              const char* const (&data)[arrays], int count,
                                              const Pass& pass) const {
    using Lane = core::LaneOf<Pass>;
    const LaneFold<Pass> fold{pass};
    const int lane_bits = lane_number_bits - cut.parts_shift;
    const auto lane_of = [&](int n, int j) {
      const int number = (reversed(n) + reversed(j)) >> (lane_number_bits - lane_bits);
      return here.part + (number << cut.parts_shift);
    };
    const auto there = [&](int n) { return lane_of(n, 0) < count; };
    Lane root = missing(fold);
    LaneNodes<Lane> nodes_of_lanes;
    for (Lane& node : nodes_of_lanes.node) {
      node = root;
    }
#pragma unroll 1
    for (int n = 0; n < 1 << lane_bits; n += held) {
      Lane lane[held];
      int first[held];
#pragma unroll
      for (int j = 0; j < held; ++j) {
        lane[j] = missing(fold);
        first[j] = lane_of(n, j);
      }
#pragma unroll 1
      for (int row = 0; row * core::lanes < count; row += deep) {
        Element x[arrays][loads];
        const auto index_of = [&](int s) {
          return first[s % held] + (row + s / held) * core::lanes;
        };
#pragma unroll
        for (int a = 0; a < arrays; ++a) {
#pragma unroll
          for (int s = 0; s < loads; ++s) {
            x[a][s] = load_element(
                group, reinterpret_cast<const Element*>(
                           data[a] + here.table[a * core::chunk_elements + index_of(s)]));
          }
        }
        loads_issued(group);  // all of them are in flight before the first is used
        take_elements(pass, x, index_of, row == 0, count, lane);
      }
#pragma unroll
      for (int step = 1; step < held; step *= 2) {
#pragma unroll
        for (int j = 0; j < held; j += 2 * step) {
          lane[j] = join(fold, lane[j], lane[j + step], false, first[j + step] < count);
        }
      }
      root = nodes_of_lanes.template add<core::root_level(held)>(fold, lane[0], n, there);
    }
    return root;
  }
};

// The elements and lanes that a thread holds fill its registers.
template <class Fold>
inline constexpr bool needs_registers<ReduceColumnTiles<Fold>> = true;
template <class Fold>
inline constexpr bool needs_all_registers<ReduceColumnTiles<Fold>> =
    needs_all_registers<ReduceStrided<Fold>>;

// These are a plan's facts of a fold's kernel.
struct ColumnsLimits {
  std::int64_t least;  // elements of a row that blocks take tiles of
  int blocks;          // on a multiprocessor at once
};

struct ColumnsPlan {
  ColumnTiles cut;
  Launch launch;  // but shared_bytes, which depends on the fold
  std::int64_t nodes = 0;
  std::int64_t counters = 0;
};

inline constexpr int columns_narrowest = ceil_shift(columns_threads) - columns_parts_shift;

inline bool are_columns(const Problem& at, const ColumnsLimits& kernel) {
  const ColumnsTuning& tuning = at.device.tuning->columns;
  return at.columns && at.length >= kernel.least && at.rows >= std::int64_t{1} << tuning.rows_shift;
}

// Tiles are as wide as they can be. Where a second pass reads a chunk of them again, they are as
// narrow as keeps the chunks of all tiles that run at once in the L2. docs/decisions/024, 049
inline int columns_widest(const Problem& at) {
  const ColumnsTuning& tuning = at.device.tuning->columns;
  const std::int64_t row =
      at.read_again() * std::min<std::int64_t>(at.length, core::chunk_elements);
  int shift = tuning.rows_shift;
  while (shift > columns_narrowest && row << shift > tuning.read_again) {
    --shift;
  }
  return shift;
}

// Rows of one chunk get the width whose tiles are done soonest, in waves of all blocks; a wave
// costs as much as 16 columns besides. docs/decisions/024, 049
inline int columns_width_of_one_chunk(const Problem& at, const ColumnsLimits& kernel) {
  const std::int64_t at_once = std::int64_t{kernel.blocks} * at.device.multiprocessors;
  int best = columns_widest(at);
  const auto cost = [&](int shift) {
    const std::int64_t width = std::int64_t{1} << shift;
    return ceil_divide(ceil_divide(at.rows, width), at_once) * (width + 16);
  };
  for (int shift = best - 1; shift >= columns_narrowest; --shift) {
    best = cost(shift) < cost(best) ? shift : best;
  }
  return best;
}

// Longer rows get the widest tiles of as many chunks as leave enough tiles, and few nodes for the
// last block of each set. docs/decisions/024, 049
inline void cut_columns(const Problem& at, std::int64_t chunks, ColumnTiles& cut) {
  const ColumnsTuning& tuning = at.device.tuning->columns;
  const std::int64_t wanted = std::int64_t{tuning.units} * at.device.multiprocessors;
  for (cut.rows_shift = columns_widest(at);; --cut.rows_shift) {
    cut.sets = ceil_divide(at.rows, std::int64_t{1} << cut.rows_shift);
    cut.chunks_shift = std::min(columns_chunks_shift, ceil_shift(chunks));
    const auto tiles = [&] { return ceil_divide(chunks, std::int64_t{1} << cut.chunks_shift); };
    while (cut.chunks_shift > 0 && cut.sets * tiles() < wanted) {
      --cut.chunks_shift;
    }
    cut.tiles = tiles();
    const std::int64_t nodes = cut.tiles > 1 ? cut.tiles << cut.rows_shift : 0;
    if (cut.rows_shift == columns_narrowest ||
        (cut.sets * cut.tiles >= wanted && nodes <= at.rows * chunks / tuning.node_share)) {
      return;
    }
  }
}

inline ColumnsPlan plan_columns(const Problem& at, const ColumnsLimits& kernel) {
  const std::int64_t chunks = core::chunk_count(at.length);
  ColumnsPlan plan;
  ColumnTiles& cut = plan.cut;
  if (chunks > 1) {
    cut_columns(at, chunks, cut);
  } else {
    cut.rows_shift = columns_width_of_one_chunk(at, kernel);
    cut.sets = ceil_divide(at.rows, std::int64_t{1} << cut.rows_shift);
  }
  cut.parts_shift = ceil_shift(columns_threads) - cut.rows_shift;
  cut.by_sets = Divisor(cut.sets);
  plan.launch.threads = columns_threads;
  plan.launch.blocks = std::min(cut.sets * cut.tiles, most_blocks);
  plan.nodes = cut.tiles > 1 ? at.rows * cut.tiles : 0;
  plan.counters = cut.tiles > 1 ? cut.sets : 0;
  return plan;
}

// On the list of kernels.
template <class Platform, class Fold>
struct TiledColumns : ListedKernel {
  using Kernel = ReduceColumnTiles<Fold>;
  using Plan = ColumnsPlan;

  static bool is_for(const Problem& problem) { return problem.is_plain_box(); }
  static std::optional<ColumnsPlan> plan(const Problem& problem) {
    constexpr ColumnsLimits limits{Kernel::least, Kernel::max_threads / columns_threads};
    if (!are_columns(problem, limits)) {
      return std::nullopt;
    }
    ColumnsPlan plan = plan_columns(problem, limits);
    plan.launch.shared_bytes = Kernel::shared_bytes(problem.device.wave_width, plan.cut);
    return plan;
  }
  static Needs needs(const Problem& problem, const ColumnsPlan& plan) {
    return {static_cast<std::size_t>(plan.nodes) * problem.fold.state_bytes, plan.counters};
  }
  static Status load(const Problem&) { return Platform::template load<Kernel>(); }
  static Status launch(const ColumnsPlan& plan, const Call<Platform, Fold>& call) {
    const Places& places = *call.problem.places;
    auto* const nodes = static_cast<typename Fold::state_type*>(call.memory);
    return call.launch(
        Kernel{call.rows, places.kept, places.reduced, plan.cut, nodes, call.counters},
        plan.launch);
  }
};

}  // namespace isofold::gpu
