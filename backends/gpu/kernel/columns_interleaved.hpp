// The kernel for few columns: sets of neighbouring rows, too few for a tile of columns, of many
// elements each, such as the components of vectors that lie one after the other. A block folds a
// chunk of all rows of a set: lane l of row c is number l * rows + c, and neighbouring threads have
// neighbouring numbers, so that a warp's loads lie side by side. Finished lanes meet in shared
// memory.
//
// A set is cut into tiles of a power of two of chunks, a block each. The nodes of a set of one tile
// are its rows' results; CombineTiles folds those of other sets, in a second launch.
#pragma once

#include <backends/gpu/kernel/columns_tiled.hpp>
#include <backends/gpu/plan/nodes.hpp>

namespace isofold::gpu {

template <class Fold>
struct ReduceInterleavedColumns {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  using FirstPass = std::decay_t<core::FirstPass<Fold>>;
  using Chunk = StridedChunk<Fold, AsComputed>;
  static constexpr int arrays = Fold::arrays;
  static constexpr int max_threads = ReduceColumnTiles<Fold>::max_threads;
  // A thread has so many elements of each array in flight, of one lane or of several. (Two arrays
  // of 16 elements do not fit into 64 registers.)
  static constexpr int loads = ReduceColumnTiles<Fold>::is_large
                                   ? ReduceColumnTiles<Fold>::loads
                                   : ReduceColumnTiles<Fold>::loads / arrays;
  static constexpr int deep = loads < core::rows_per_chunk ? loads : core::rows_per_chunk;
  static constexpr int held = loads / deep;  // lanes

  Rows<Fold> rows;
  Places places;
  FewColumns cut;
  State* nodes;  // cut.tiles for each row; null: its one tile is the row

  // The shared memory of a block: the places of elements; lanes, and their roots; the second pass
  // of each column; nodes over 1, 2, 4, ... chunks; a word for each warp.
  static constexpr std::size_t shared_bytes(int columns, bool tabled) {
    return (tabled ? table_bytes : 0) + lane_bytes(columns) + pass_bytes(columns) +
           aligned(static_cast<std::size_t>(columns) * (few_columns_chunks_shift + 1) *
                   sizeof(State)) +
           agreed_bytes;
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const Here<Group> here(group, cut);
    const std::int64_t chunks = core::chunk_count(rows.length);
    const std::int64_t most = std::int64_t{1} << cut.chunks_shift;
    const ChunkCounter<Fold> counter(here.stack + here.column, cut.columns);
    for (std::int64_t unit = group.block(); unit < cut.sets * cut.tiles; unit += group.blocks()) {
      const std::int64_t set = cut.by_tiles.divide(unit);
      const std::int64_t tile = unit - set * cut.tiles;
      const std::int64_t number = set * cut.columns;
      const std::int64_t first = tile << cut.chunks_shift;
      const std::int64_t left = chunks - first;
      const std::int64_t count = left < most ? left : most;
      const StridedRow<Fold> row = places.row<Fold>(group, rows.first, rows.length, number);
      State state = missing(rows.fold);
#pragma unroll 1
      for (std::int64_t n = 0; n < count; ++n) {
        state = fold_one(group, here, row, (first + n) << core::chunk_shift);
        if (count > 1 && here.has_column) {
          counter.add(rows.fold, state, n);
        }
      }
      if (here.has_column) {
        state = count > 1 ? counter.root(rows.fold, count) : state;
        if (nodes == nullptr) {
          rows.write(number + here.column, state);
        } else {
          nodes[(number + here.column) * cut.tiles + tile] = state;
        }
      }
    }
  }

 private:
  static constexpr std::size_t table_bytes = sizeof(std::int64_t) * arrays * core::chunk_elements;
  static constexpr std::size_t agreed_bytes = 16 * sizeof(std::uint32_t);
  // A pass is a scale, a center or a maximum: none knows more of a column than a lane.
  static constexpr std::size_t largest_pass = largest_lane<Fold>;
  ISOFOLD_HOST_DEVICE static constexpr std::size_t lane_bytes(int columns) {
    return aligned(static_cast<std::size_t>(columns) * (core::lanes + 1) * largest_lane<Fold>);
  }
  ISOFOLD_HOST_DEVICE static constexpr std::size_t pass_bytes(int columns) {
    return Fold::stages == 2 ? aligned(static_cast<std::size_t>(columns) * largest_pass) : 0;
  }

  // The work of a thread, and the shared memory of its block.
  template <class Group>
  struct Here {
    int column;       // whose state it has,
    bool has_column;  // and is the one that keeps it
    int joined;       // the column whose lanes it joins, with others:
    int joins;        // which of these it is,
    bool has_root;    // and the one that keeps what they come to
    std::int64_t* table;
    void* lanes;
    void* passes;
    std::uint32_t* agreed;
    State* stack;

    ISOFOLD_DEVICE Here(const Group& group, const FewColumns& cut) {
      const int thread = group.thread();
      has_column = thread < cut.columns;
      column = has_column ? thread : cut.columns - 1;
      joined = thread >> cut.join_shift;
      joins = thread & ((1 << cut.join_shift) - 1);
      has_root = joins == 0 && joined < cut.columns;
      joined = joined < cut.columns ? joined : cut.columns - 1;
      auto* memory = static_cast<unsigned char*>(group.shared());
      agreed = reinterpret_cast<std::uint32_t*>(memory);
      memory += agreed_bytes;
      table = cut.tabled ? reinterpret_cast<std::int64_t*>(memory) : nullptr;
      memory += cut.tabled ? table_bytes : 0;
      lanes = memory;
      passes = memory + lane_bytes(cut.columns);
      stack = reinterpret_cast<State*>(memory + lane_bytes(cut.columns) + pass_bytes(cut.columns));
    }
  };

  // The states of the chunk at `begin` of the set whose first row is `row`: each thread gets that
  // of its column. Collective: every thread of the block must call.
  template <class Group>
  ISOFOLD_DEVICE State fold_one(const Group& group, const Here<Group>& here,
                                const StridedRow<Fold>& row, std::int64_t begin) const {
    const std::int64_t left = rows.length - begin;
    Chunk chunk;
    chunk.count = left < core::chunk_elements ? static_cast<int>(left) : core::chunk_elements;
    place_chunk<true>(group, places, row, AsComputed{}, begin, chunk.count, here.table, chunk);
    const bool is_simple =
        chunk.count == core::chunk_elements && !chunk.looked_up && chunk.cursor.is_one_stretch();
    return state_by_agreed_passes(
        rows.fold, begin, chunk.count,
        [&](const auto& pass) {
          show_pass(group, here, pass);
          if (is_simple) {
            fold_lanes<true>(group, here, chunk, pass);
          } else {
            fold_lanes<false>(group, here, chunk, pass);
          }
          group.barrier();
          return root_of_lanes(group, here, chunk.count, pass);
        },
        [&](bool condition) { return all_of_block(group, here.agreed, condition); });
  }

  // The second of two passes knows of each column the first one's root, so every thread needs all
  // second passes.
  template <class Pass>
  static constexpr bool is_shown = !std::is_same_v<Pass, FirstPass>;
  template <class Group, class Pass>
  ISOFOLD_DEVICE static void show_pass(const Group& group, const Here<Group>& here,
                                       const Pass& pass) {
    static_assert(!is_shown<Pass> || sizeof(Pass) <= largest_pass, "Passes have their room.");
    if constexpr (is_shown<Pass>) {
      if (here.has_column) {
        static_cast<Pass*>(here.passes)[here.column] = pass;
      }
      group.barrier();
    }
  }

  // Folds all lanes by a pass, into shared memory. `is_simple`: the chunk is whole, and its
  // elements lie a step apart.
  template <bool is_simple, class Group, class Pass>
  ISOFOLD_DEVICE void fold_lanes(const Group& group, const Here<Group>& here, const Chunk& chunk,
                                 const Pass& pass) const {
    using Lane = core::LaneOf<Pass>;
    static_assert(sizeof(Lane) <= largest_lane<Fold>, "Lanes have their room.");
    auto* const lanes = static_cast<Lane*>(here.lanes);
    const int all = core::lanes * cut.columns;
    const int count = is_simple ? core::chunk_elements : chunk.count;
#pragma unroll 1
    for (int n = group.thread(); n < all; n += held * group.threads()) {
      Lane lane[held][1];
      int first[held];
      int column[held];
#pragma unroll
      for (int j = 0; j < held; ++j) {
        const int number = n + j * group.threads();
        first[j] = cut.lane_of(number < all ? number : n);
        column[j] = (number < all ? number : n) - first[j] * cut.columns;
        lane[j][0] = missing(LaneFold<Pass>{pass});
      }
#pragma unroll 1
      for (int row = 0; row * core::lanes < count; row += deep) {
        Element x[held][arrays][deep];
#pragma unroll
        for (int j = 0; j < held; ++j) {
          load_lane<is_simple>(group, chunk, column[j], first[j] + row * core::lanes, x[j]);
        }
        loads_issued(group);  // all of them are in flight before the first is used
#pragma unroll
        for (int j = 0; j < held; ++j) {
          const auto index_of = [&](int s) { return first[j] + (row + s) * core::lanes; };
          const int most = is_simple ? INT32_MAX : count;
          if constexpr (is_shown<Pass>) {
            const Pass own = static_cast<const Pass*>(here.passes)[column[j]];
            take_elements(own, x[j], index_of, row == 0, most, lane[j]);
          } else {
            take_elements(pass, x[j], index_of, row == 0, most, lane[j]);
          }
        }
      }
#pragma unroll
      for (int j = 0; j < held; ++j) {
        const int number = n + j * group.threads();
        if (number < all) {
          lanes[number] = lane[j][0];
        }
      }
    }
  }

  // Loads the elements first, first + 64, ... of a column's chunk, of all arrays.
  template <bool is_simple, class Group>
  ISOFOLD_DEVICE void load_lane(const Group& group, const Chunk& chunk, int column, int first,
                                Element (&x)[arrays][deep]) const {
    Chunk own = chunk;
    int index[deep];
#pragma unroll
    for (int s = 0; s < deep; ++s) {
      index[s] = first + s * core::lanes;
    }
#pragma unroll
    for (int a = 0; a < arrays; ++a) {
      own.data[a] += column * places.kept.strides[a][places.kept.count - 1] *
                     static_cast<std::int64_t>(sizeof(Element));
      if constexpr (is_simple) {
        const char* const at = own.data[a] + chunk.cursor.offset_in_stretch(a, first);
        const std::int64_t step = chunk.cursor.step(a) * std::int64_t{core::lanes};
#pragma unroll
        for (int s = 0; s < deep; ++s) {
          x[a][s] = load_element(group, reinterpret_cast<const Element*>(at + s * step));
        }
      } else {
        load_strided(group, own, a, index, x[a]);
      }
    }
  }

  // Joins the lanes of each column, by the threads that are there for it; all threads get the root
  // of their own column. Collective: every thread of the block must call.
  template <class Group, class Pass>
  ISOFOLD_DEVICE core::LaneOf<Pass> root_of_lanes(const Group& group, const Here<Group>& here,
                                                  int count, const Pass& pass) const {
    using Lane = core::LaneOf<Pass>;
    const LaneFold<Pass> fold{pass};  // of another column, but joining lanes asks for none
    const auto* const lanes = static_cast<const Lane*>(here.lanes);
    auto* const roots = static_cast<Lane*>(here.lanes) + core::lanes * cut.columns;
    const int bits = lane_number_bits - cut.join_shift;
    const auto lane_of = [&](int n) {
      return here.joins + (reversed(n) >> (lane_number_bits - bits) << cut.join_shift);
    };
    const auto there = [&](int n) { return lane_of(n) < count; };
    Lane root = missing(fold);
    LaneNodes<Lane> nodes_of_lanes;
    for (Lane& node : nodes_of_lanes.node) {
      node = root;
    }
#pragma unroll 1
    for (int n = 0; n < 1 << bits; ++n) {
      root = nodes_of_lanes.template add<0>(fold, lanes[lane_of(n) * cut.columns + here.joined], n,
                                            there);
    }
    root = join_sharers(group, fold, root, here.joins, cut.join_shift, count);
    if (here.has_root) {
      roots[here.joined] = root;
    }
    group.barrier();
    return roots[here.column];
  }
};

// The elements and lanes that a thread holds fill its registers.
template <class Fold>
inline constexpr bool needs_registers<ReduceInterleavedColumns<Fold>> = true;
template <class Fold>
inline constexpr bool needs_all_registers<ReduceInterleavedColumns<Fold>> =
    needs_all_registers<ReduceStrided<Fold>>;

// These are a plan's facts of a fold's kernel, for so many rows side by side.
struct FewColumnsLimits {
  std::int64_t columns;
  int lanes_at_once;         // of a thread
  std::size_t shared_bytes;  // of a block
  int most_threads;          // of a multiprocessor, for registers
};

struct FewColumnsPlan {
  FewColumns cut;
  CompactedPlan compacted{};
};

// Short sets are faster by ReduceStrided, unless there is one set for each multiprocessor at most.
// docs/decisions/025, 049
inline bool are_few_columns(const Problem& at, const FewColumnsLimits& kernel) {
  const FewColumnsTuning& tuning = at.device.tuning->few_columns;
  if (kernel.shared_bytes > shared_memory) {
    return false;
  }
  const bool is_alone = at.rows <= kernel.columns * at.device.multiprocessors;
  return at.length >= (is_alone ? tuning.alone_length : tuning.length);
}

// A block has as many threads as are busy in all rounds. It has more where shared memory would not
// suffice for as many blocks as registers do, or where a second pass then finds its elements in the
// L2. docs/decisions/025, 049
inline int few_columns_block(const Problem& at, const FewColumnsLimits& kernel) {
  const FewColumnsTuning& tuning = at.device.tuning->few_columns;
  const std::int64_t lanes = core::lanes * kernel.columns;
  const std::int64_t again = kernel.columns * at.read_again() * core::chunk_elements;
  const auto is_busy = [&](std::int64_t threads) {
    const std::int64_t a_round = threads * kernel.lanes_at_once;
    const std::int64_t rounds = ceil_divide(lanes, a_round);
    return rounds >= tuning.rounds && lanes * 100 >= rounds * a_round * tuning.busy;
  };
  int threads = at.device.wave_width;
  for (int more = 2 * threads; more <= tuning.threads; more *= 2) {
    const int blocks = kernel.most_threads / threads;
    const bool lacks =
        threads < kernel.columns || again * blocks > tuning.read_again ||
        kernel.shared_bytes * static_cast<std::size_t>(blocks) > at.device.shared_bytes;
    threads = lacks || is_busy(more) ? more : threads;
  }
  return threads;
}

inline FewColumnsPlan plan_few_columns(const Problem& at, const FewColumnsLimits& kernel) {
  const FewColumnsTuning& tuning = at.device.tuning->few_columns;
  const int wave_width = at.device.wave_width;
  const std::int64_t chunks = core::chunk_count(at.length);
  const int threads = few_columns_block(at, kernel);
  FewColumnsPlan plan{FewColumns(static_cast<int>(kernel.columns), threads, wave_width)};
  FewColumns& cut = plan.cut;
  CompactedPlan& compacted = plan.compacted;
  compacted.launch.threads = threads;
  compacted.launch.shared_bytes = kernel.shared_bytes;
  const std::int64_t all_blocks =
      at.device.multiprocessors *
      blocks_at_once(at.device, threads, kernel.shared_bytes, kernel.most_threads);
  cut.tabled = at.places->needs_table();
  cut.sets = at.rows / kernel.columns;
  const auto tiles = [&](int shift) { return ceil_divide(chunks, std::int64_t{1} << shift); };
  while (cut.chunks_shift < few_columns_chunks_shift && tiles(cut.chunks_shift) > 1 &&
         cut.sets * tiles(cut.chunks_shift + 1) >= tuning.tiles * all_blocks) {
    ++cut.chunks_shift;
  }
  cut.tiles = tiles(cut.chunks_shift);
  cut.by_tiles = Divisor(cut.tiles);
  compacted.tiles.most_shift = cut.chunks_shift;  // and so many they are, whatever is enough
  compacted.tiles.most = cut.tiles;
  compacted.launch.blocks =
      std::min(cut.sets * cut.tiles, at.device.tuning->compacted.rounds * all_blocks);
  if (cut.tiles > 1) {
    plan_nodes(at.rows, at.device, compacted);
  }
  return plan;
}

// On the list of kernels.
template <class Platform, class Fold>
struct InterleavedColumns : ListedKernel {
  using Kernel = ReduceInterleavedColumns<Fold>;
  using Plan = FewColumnsPlan;

  static bool is_for(const Problem& problem) { return problem.is_plain_box(); }
  static std::optional<FewColumnsPlan> plan(const Problem& problem) {
    const Places& places = *problem.places;
    const Axes& kept = places.kept;
    const bool near =
        kept.count > 0 && kept.nearer_than(places.reduced) && kept.rest_is_beyond(places.reduced);
    const std::int64_t columns = near ? kept.extents[kept.count - 1] : 0;
    if (columns == 0 || columns > most_few_columns) {
      return std::nullopt;
    }
    const FewColumnsLimits kernel{
        columns, Kernel::held,
        Kernel::shared_bytes(static_cast<int>(columns), places.needs_table()), Kernel::max_threads};
    return are_few_columns(problem, kernel) ? std::optional(plan_few_columns(problem, kernel))
                                            : std::nullopt;
  }
  static Needs needs(const Problem& problem, const FewColumnsPlan& plan) {
    return needs_of_tiles(problem, plan.compacted);
  }
  static Status load(const Problem&) {
    return load_all<Platform, Kernel, CombineTiles<Fold, CompactedPlaces>>();
  }
  static Status launch(const FewColumnsPlan& plan, const Call<Platform, Fold>& call) {
    return launch_tiles(call, plan.compacted, [&](auto* nodes) {
      return call.launch(Kernel{call.rows, *call.problem.places, plan.cut, nodes},
                         plan.compacted.launch);
    });
  }
};

}  // namespace isofold::gpu
