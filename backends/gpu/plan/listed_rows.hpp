// The kernels on the list (plan/select.hpp) for arrays and rows that lie in one stretch of memory
// each: rows without elements, short rows, rows by warps, rows by blocks. Their plans are made in
// contiguous.hpp.
#pragma once

#include <backends/gpu/kernel/rows_per_warp.hpp>
#include <backends/gpu/plan/contiguous.hpp>
#include <backends/gpu/plan/kernel.hpp>
#include <backends/gpu/plan/nodes.hpp>
#include <isofold/detail/gpu/grid_fold.hpp>

namespace isofold::gpu {

// The kinds that launches were measured for; folds of two real arrays were as fast in those of
// sums.
template <class Fold>
constexpr Work work_of() {
  if (is_light<Fold> || (Fold::arrays == 2 && !core::is_complex<typename Fold::element_type>)) {
    return Work::sums;
  }
  if (joins_by_exponentials<Fold>) {
    return Work::exponentials;
  }
  return Fold::stages == 2 && parts_of<Fold>() > 1 ? Work::twice : Work::more;
}

// Shared memory of a block beside its stage: its states, at most.
template <class Fold>
std::size_t kept_bytes(const TunedDevice& device) {
  return BlockMemory<typename Fold::state_type>::bytes(device.tuning->rows.most_tile,
                                                       device.wave_width);
}
// Threads of a multiprocessor, where the chunks of ReduceByBlocks and ReduceByWarps go through
// shared memory.
template <class Fold>
int fitting_staged_threads(const TunedDevice& device, bool wide) {
  using Lanes = WideLanes<typename Fold::element_type>;
  if (!wide) {
    return 0;
  }
  return with_stage<Fold, Lanes>(device, [&](auto* stage) {
    using Stage = std::remove_pointer_t<decltype(stage)>;
    return fitting_threads<Stage>(device, kept_bytes<Fold>(device));
  });
}

template <class Fold>
RowsProblem rows_problem_of(std::int64_t rows, std::int64_t length, bool wide,
                            const TunedDevice& device) {
  using Element = typename Fold::element_type;
  return {rows,
          length,
          wide ? WideLanes<Element>::team : NarrowLanes<Element>::team,
          wide,
          device,
          row_shapes_of<Fold>(),
          fitting_staged_threads<Fold>(device, wide),
          comes_in_bulk<Fold> && wide && device.has_bulk_copies,
          work_of<Fold>()};
}
// Wide loads need every row's first element aligned to the load, in all arrays.
template <class Element>
constexpr std::size_t wide_bytes = sizeof(Element) * WideLanes<Element>::per_load;

template <class Fold>
RowsProblem rows_problem_of(const Problem& problem) {
  static_assert(wide_bytes<typename Fold::element_type> <= most_alignment, "It is known so far.");
  return rows_problem_of<Fold>(problem.rows, problem.length,
                               problem.alignment >= wide_bytes<typename Fold::element_type>,
                               problem.device);
}
template <class Fold>
int most_threads_of_rows(const RowsProblem& at) {
  using Grid = ReduceByBlocks<Rows<Fold>, WideLanes<typename Fold::element_type>>;
  return at.staged_threads > 0 ? at.staged_threads : Grid::max_threads;
}

inline const isofold_schedule& wish_of(const Problem& problem) {
  static constexpr isofold_schedule none{};
  return problem.request.schedule != nullptr ? *problem.request.schedule : none;
}

struct RowsPlan {
  bool wide;  // loads
  Plan plan;
};

// Shared memory of a block for chunks under way.
template <class AnyRows, class Lanes>
std::size_t stage_bytes(int threads, const DeviceFacts& device) {
  if constexpr (are_in_memory<AnyRows>) {
    return with_stage<decltype(AnyRows::fold), Lanes>(device, [&](auto* stage) {
      return std::remove_pointer_t<decltype(stage)>::bytes(threads);
    });
  } else if constexpr (StagedChunks<AnyRows, Lanes>::staged_threads > 0) {
    return StagedChunks<AnyRows, Lanes>::OneStage::bytes(threads);
  } else {
    return 0;
  }
}

inline Needs needs_of_grid(const Problem& problem, const Plan& plan) {
  return {static_cast<std::size_t>(plan.nodes()) * problem.fold.state_bytes, plan.counters()};
}

// ReduceByBlocks over rows of any kind and, where fences are slow, CombineNodes.
template <class Lanes, class Platform, class Fold, class AnyRows>
Status launch_grid(const Call<Platform, Fold>& call, const AnyRows& rows, const Plan& plan) {
  using State = typename Fold::state_type;
  using Nodes = CombineNodes<Rows<Fold>>;
  const DeviceFacts& device = call.problem.device;
  auto* const nodes = static_cast<State*>(call.memory);
  const bool nodes_later = may_have_slow_fences<Platform> && device.slow_fences && plan.tiles > 1;
  Launch size = plan.launch;
  size.shared_bytes = BlockMemory<State>::bytes(plan.capacity, device.wave_width) +
                      stage_bytes<AnyRows, Lanes>(size.threads, device);
  const Status launched = call.launch(
      ReduceByBlocks<AnyRows, Lanes>{rows, plan.tiles, plan.tile_chunks, plan.grain_shift,
                                     plan.capacity, nodes, nodes_later ? nullptr : call.counters},
      size);
  if constexpr (may_have_slow_fences<Platform>) {
    if (nodes_later && launched.ok()) {
      size.blocks = std::min(call.rows.rows, most_blocks);
      size.threads = node_threads(plan.row_nodes, device.wave_width, Nodes::max_threads);
      return call.launch(Nodes{rows, plan.row_nodes, plan.capacity, nodes}, size);
    }
  }
  return launched;
}

// Rows without elements.
template <class Platform, class Fold>
struct EmptyResults : ListedKernel {
  using Plan = gpu::Plan;
  static bool is_for(const Problem& problem) { return !problem.has_places(); }
  static std::optional<Plan> plan(const Problem& problem) {
    return problem.input == Input::none ? std::optional<Plan>(plan_empty(problem.rows))
                                        : std::nullopt;
  }
  static Status load(const Problem&) { return Platform::template load<EmptyRows<Fold>>(); }
  static Status launch(const Plan& plan, const Call<Platform, Fold>& call) {
    return call.launch(EmptyRows<Fold>{call.rows}, plan.launch);
  }
  static void describe(const Problem& problem, const Plan& plan, isofold_schedule& ran) {
    ran = gpu::describe(plan, rows_problem_of<Fold>(problem));
  }
};

// Entries for rows with elements have this in common.
template <class Platform, class Fold>
struct ContiguousKernel : ListedKernel {
  using Plan = RowsPlan;
  using Wide = WideLanes<typename Fold::element_type>;
  using Narrow = NarrowLanes<typename Fold::element_type>;

  static bool is_for(const Problem& problem) {
    return problem.input == Input::rows && !problem.converted;
  }
  static Needs needs(const Problem& problem, const Plan& plan) {
    return needs_of_grid(problem, plan.plan);
  }
  static void describe(const Problem& problem, const Plan& plan, isofold_schedule& ran) {
    ran = gpu::describe(plan.plan, rows_problem_of<Fold>(problem));
  }
};

// Rows of a few elements, some for each team at once.
template <class Platform, class Fold>
struct RowsInRegisters : ContiguousKernel<Platform, Fold> {
  static std::optional<RowsPlan> plan(const Problem& problem) {
    if (problem.length > most_short_elements) {
      return std::nullopt;
    }
    const RowsProblem at = rows_problem_of<Fold>(problem);
    if (!are_short_rows(at, wish_of(problem))) {
      return std::nullopt;
    }
    return RowsPlan{at.wide, plan_short_rows(at, wish_of(problem), most_threads_of_rows<Fold>(at))};
  }
  static Status load(const Problem&) {
    Status loaded;
    for (int shape = 0; shape < row_shapes_of<Fold>().shapes && loaded.ok(); ++shape) {
      loaded = with_row_shape<Fold>(shape, [](auto number) {
        return Platform::template load<ReduceInRegisters<Fold, number>>();
      });
    }
    return loaded;
  }
  static Status launch(const RowsPlan& plan, const Call<Platform, Fold>& call) {
    return with_row_shape<Fold>(plan.plan.row_shape, [&](auto number) {
      return call.launch(ReduceInRegisters<Fold, number>{call.rows}, plan.plan.launch);
    });
  }
};

// A row a team or a warp.
template <class Platform, class Fold>
struct RowsByWarps : ContiguousKernel<Platform, Fold> {
  using Base = ContiguousKernel<Platform, Fold>;
  static std::optional<RowsPlan> plan(const Problem& problem) {
    if (!is_forced(wish_of(problem)) &&
        core::chunk_count(problem.length) > problem.device.tuning->rows.warp_chunks) {
      return std::nullopt;
    }
    const RowsProblem at = rows_problem_of<Fold>(problem);
    const RowSharer sharer = sharer_of_rows(at, wish_of(problem));
    if (sharer == RowSharer::none) {
      return std::nullopt;
    }
    return RowsPlan{at.wide, plan_rows(at, wish_of(problem), sharer == RowSharer::warp,
                                       most_threads_of_rows<Fold>(at))};
  }
  static Status load(const Problem&) {
    return load_all<Platform, ReduceByWarps<Fold, typename Base::Wide>,
                    ReduceByWarps<Fold, typename Base::Narrow>>();
  }
  static Status launch(const RowsPlan& plan, const Call<Platform, Fold>& call) {
    return plan.wide ? launch_with<typename Base::Wide>(plan.plan, call)
                     : launch_with<typename Base::Narrow>(plan.plan, call);
  }

 private:
  template <class Lanes>
  static Status launch_with(const gpu::Plan& plan, const Call<Platform, Fold>& call) {
    Launch size = plan.launch;
    size.shared_bytes = ReduceByWarps<Fold, Lanes>::shared_bytes(size.threads) +
                        stage_bytes<Rows<Fold>, Lanes>(size.threads, call.problem.device);
    return call.launch(ReduceByWarps<Fold, Lanes>{call.rows, plan.warp_a_row}, size);
  }
};

// A row a block, or several of them.
template <class Platform, class Fold>
struct RowsByBlocks : ContiguousKernel<Platform, Fold> {
  using Base = ContiguousKernel<Platform, Fold>;
  static std::optional<RowsPlan> plan(const Problem& problem) {
    const RowsProblem at = rows_problem_of<Fold>(problem);
    return RowsPlan{at.wide, plan_grid(at, wish_of(problem), most_threads_of_rows<Fold>(at))};
  }
  static Status load(const Problem&) {
    if constexpr (may_have_slow_fences<Platform>) {
      if (const Status loaded = Platform::template load<CombineNodes<Rows<Fold>>>(); !loaded.ok()) {
        return loaded;
      }
    }
    return load_all<Platform, ReduceByBlocks<Rows<Fold>, typename Base::Wide>,
                    ReduceByBlocks<Rows<Fold>, typename Base::Narrow>>();
  }
  static Status launch(const RowsPlan& plan, const Call<Platform, Fold>& call) {
    return plan.wide ? launch_grid<typename Base::Wide>(call, call.rows, plan.plan)
                     : launch_grid<typename Base::Narrow>(call, call.rows, plan.plan);
  }
};

}  // namespace isofold::gpu
