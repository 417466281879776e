// The kernel for short rows that lie side by side (columns of few elements): a thread folds whole
// rows, its neighbours those beside them, so that a warp's loads are of whole lines. The places of
// a row's elements are equal for all rows, and stand in a table in shared memory.
#pragma once

#include <backends/gpu/kernel/rows_strided.hpp>
#include <backends/gpu/plan/kernel.hpp>

namespace isofold::gpu {

inline constexpr int short_column_elements = core::lanes;  // of a row at most: one a lane

// The numbers of `held` of 2^bits lanes: those from place n on, a multiple of `held`, in the order
// in which halving joins them.
template <int held>
struct LaneNumbers {
  int of[held];

  ISOFOLD_DEVICE LaneNumbers(int n, int bits) {
#pragma unroll
    for (int j = 0; j < held; ++j) {
      of[j] = (reversed(n) + reversed(j)) >> (lane_number_bits - bits);
    }
  }
};

// The lane that a pass makes of those lanes, x[array][j] being the only element of the j-th; those
// from `count` on are missing.
template <class Pass, int arrays, int held>
ISOFOLD_DEVICE core::LaneOf<Pass> join_single_lanes(
    const Pass& pass, const typename Pass::element_type (&x)[arrays][held],
    const LaneNumbers<held>& lanes, int count) {
  const LaneFold<Pass> fold{pass};
  const auto nothing = missing(fold);
  core::LaneOf<Pass> lane[held];
#pragma unroll
  for (int j = 0; j < held; ++j) {
    lane[j] = nothing;
  }
  take_elements(
      pass, x, [&](int j) { return lanes.of[j]; }, true, count, lane);
#pragma unroll
  for (int step = 1; step < held; step *= 2) {
#pragma unroll
    for (int j = 0; j < held; j += 2 * step) {
      lane[j] = join(fold, lane[j], lane[j + step], false, lanes.of[j + step] < count);
    }
  }
  return lane[0];
}

template <class Fold>
struct ReduceColumnsByThreads {
  using Element = typename Fold::element_type;
  static constexpr int arrays = Fold::arrays;
  static constexpr int loads = strided_loads<Fold>();  // of a thread in flight, of each array
  static constexpr int fewest = loads < 4 ? loads : 4;
  static constexpr int max_threads = 512;

  Rows<Fold> rows;  // of 1 to short_column_elements
  Axes kept;
  Axes reduced;

  static constexpr std::size_t shared_bytes() {
    return sizeof(std::int64_t) * arrays * short_column_elements;
  }
  // A thread has as many rows at once as its loads are enough for.
  static constexpr int rows_at_once(std::int64_t length) {
    int at_once = loads / fewest;
    while (at_once > 1 && length * at_once > loads) {
      at_once /= 2;
    }
    return at_once;
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    auto* const table = static_cast<std::int64_t*>(group.shared());
    for (int i = group.thread(); i < rows.length; i += group.threads()) {
      for (int a = 0; a < arrays; ++a) {
        table[a * short_column_elements + i] =
            reduced.offset(a, i) * static_cast<std::int64_t>(sizeof(Element));
      }
    }
    group.barrier();
    fold_by_length<fewest>(group, table);
  }

 private:
  // The places of several rows of a thread.
  template <int at_once>
  struct Places {
    const char* data[at_once][arrays];  // of each row's element 0
    const std::int64_t* table;          // bytes from there to the others
    int length;
  };

  template <int held, class Group>
  ISOFOLD_DEVICE void fold_by_length(const Group& group, const std::int64_t* table) const {
    if constexpr (held < loads) {
      if (rows.length > held) {
        fold_by_length<2 * held>(group, table);
        return;
      }
    }
    fold_rows<held>(group, table);
  }

  // Folds rows of at most `held` elements; if `held` is all of a thread's loads, rows of any
  // length.
  template <int held, class Group>
  ISOFOLD_DEVICE void fold_rows(const Group& group, const std::int64_t* table) const {
    constexpr int at_once = loads / held;
    const std::int64_t step = std::int64_t{at_once} * group.threads();
    for (std::int64_t begin = group.block() * step; begin < rows.rows;
         begin += group.blocks() * step) {
      const std::int64_t number = begin + group.thread();
      Places<at_once> places;
      places.table = table;
      places.length = static_cast<int>(rows.length);
#pragma unroll
      for (int r = 0; r < at_once; ++r) {
        const std::int64_t own = number + std::int64_t{r} * group.threads();
        place(own < rows.rows ? own : rows.rows - 1, places.data[r]);
      }
      if constexpr (at_once == 1) {
        write(number, state_by_passes(group, rows.fold, 0, places.length, [&](const auto& pass) {
                return pass_over_row<held>(group, places, pass);
              }));
      } else {
        fold_held<held>(group, places, number);
      }
    }
  }

  ISOFOLD_DEVICE void place(std::int64_t number, const char* (&data)[arrays]) const {
    const Element* const first[] = {rows.first.data, rows.first.second};
#pragma unroll
    for (int a = 0; a < arrays; ++a) {
      data[a] = reinterpret_cast<const char*>(first[a] + kept.offset(a, number));
    }
  }

  ISOFOLD_DEVICE void write(std::int64_t number, const typename Fold::state_type& state) const {
    if (number < rows.rows) {
      rows.write(number, state);
    }
  }

  // Loads the elements of row r of those lanes; the last one stands for a missing one.
  template <int held, int at_once, class Group>
  ISOFOLD_DEVICE static void load(const Group& group, const Places<at_once>& places, int r,
                                  const LaneNumbers<held>& lanes, Element (&x)[arrays][held]) {
    const int last = places.length - 1;
#pragma unroll
    for (int a = 0; a < arrays; ++a) {
#pragma unroll
      for (int j = 0; j < held; ++j) {
        const int i = lanes.of[j] < last ? lanes.of[j] : last;
        x[a][j] = load_element(
            group, reinterpret_cast<const Element*>(places.data[r][a] +
                                                    places.table[a * short_column_elements + i]));
      }
    }
  }

  // Folds rows all of whose elements are held at once. Collective: every lane of the warp must
  // call.
  template <int held, int at_once, class Group>
  ISOFOLD_DEVICE void fold_held(const Group& group, const Places<at_once>& places,
                                std::int64_t number) const {
    const LaneNumbers<held> lanes(0, core::root_level(held));
    Element x[at_once][arrays][held];
#pragma unroll
    for (int r = 0; r < at_once; ++r) {
      load(group, places, r, lanes, x[r]);
    }
    loads_issued(group);
#pragma unroll
    for (int r = 0; r < at_once; ++r) {
      write(number + std::int64_t{r} * group.threads(),
            state_by_passes(group, rows.fold, 0, places.length, [&](const auto& pass) {
              return join_single_lanes(pass, x[r], lanes, places.length);
            }));
    }
  }

  // The lane that a pass makes of one row, `held` of its lanes after the other.
  template <int held, class Group, class Pass>
  ISOFOLD_DEVICE static core::LaneOf<Pass> pass_over_row(const Group& group,
                                                         const Places<1>& places,
                                                         const Pass& pass) {
    using Lane = core::LaneOf<Pass>;
    constexpr int held_bits = core::root_level(held);
    const int row_bits = core::root_level(places.length);
    const int bits = row_bits > held_bits ? row_bits : held_bits;
    const auto there = [&](int n) { return LaneNumbers<1>(n, bits).of[0] < places.length; };
    Lane root = missing(LaneFold<Pass>{pass});
    LaneNodes<Lane> nodes;
    for (Lane& node : nodes.node) {
      node = root;
    }
#pragma unroll 1
    for (int n = 0; n < 1 << bits; n += held) {
      const LaneNumbers<held> lanes(n, bits);
      Element x[arrays][held];
      load(group, places, 0, lanes, x);
      loads_issued(group);
      const Lane node = join_single_lanes(pass, x, lanes, places.length);
      root = nodes.template add<held_bits>(LaneFold<Pass>{pass}, node, n, there);
    }
    return root;
  }
};

// The elements and lanes that a thread holds fill its registers.
template <class Fold>
inline constexpr bool needs_registers<ReduceColumnsByThreads<Fold>> = true;
template <class Fold>
inline constexpr bool needs_all_registers<ReduceColumnsByThreads<Fold>> =
    needs_all_registers<ReduceStrided<Fold>>;

// Fewer rows leave threads idle that could share one.
inline bool are_short_columns(const Problem& at) {
  const ShortColumnsTuning& tuning = at.device.tuning->short_columns;
  return at.columns && at.length <= short_column_elements &&
         at.rows >= std::int64_t{tuning.warps} * at.device.wave_width * at.device.multiprocessors;
}

inline Launch plan_short_columns(const Problem& at, int rows_at_once) {
  const ShortColumnsTuning& tuning = at.device.tuning->short_columns;
  Launch launch;
  launch.threads = tuning.threads;
  launch.blocks = std::min(ceil_divide(at.rows, std::int64_t{rows_at_once} * launch.threads),
                           std::int64_t{tuning.blocks} * at.device.multiprocessors);
  return launch;
}

// On the list of kernels: needs no workspace.
template <class Platform, class Fold>
struct ShortColumns : ListedKernel {
  using Kernel = ReduceColumnsByThreads<Fold>;
  using Plan = Launch;

  static bool is_for(const Problem& problem) { return problem.is_plain_box(); }
  static std::optional<Launch> plan(const Problem& problem) {
    if (!are_short_columns(problem)) {
      return std::nullopt;
    }
    Launch launch = plan_short_columns(problem, Kernel::rows_at_once(problem.length));
    launch.shared_bytes = Kernel::shared_bytes();
    return launch;
  }
  static Status load(const Problem&) { return Platform::template load<Kernel>(); }
  static Status launch(const Launch& plan, const Call<Platform, Fold>& call) {
    const Places& places = *call.problem.places;
    return call.launch(Kernel{call.rows, places.kept, places.reduced}, plan);
  }
};

}  // namespace isofold::gpu
