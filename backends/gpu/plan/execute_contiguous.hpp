// Arrays and rows in memory: which kernel takes them, with what workspace, and its launch.
#pragma once

#include <backends/gpu/kernel/rows_per_warp.hpp>
#include <backends/gpu/launch/session.hpp>
#include <backends/gpu/plan/contiguous.hpp>
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

template <class Platform>
class ReduceRows {
 public:
  explicit ReduceRows(Session<Platform>& session) : session_(session) {}

  template <class Fold>
  std::int32_t prepare(Fold, const isofold_request& request, contract::Report& report) {
    using Element = typename Fold::element_type;
    Status loaded = Platform::template load<EmptyRows<Fold>>();
    loaded =
        loaded.ok() ? Platform::template load<GridFold<Rows<Fold>, WideLanes<Element>>>() : loaded;
    loaded = loaded.ok() ? Platform::template load<GridFold<Rows<Fold>, NarrowLanes<Element>>>()
                         : loaded;
    loaded = loaded.ok() ? Platform::template load<RowsFold<Fold, WideLanes<Element>>>() : loaded;
    loaded = loaded.ok() ? Platform::template load<RowsFold<Fold, NarrowLanes<Element>>>() : loaded;
    for (int shape = 0; shape < row_shapes_of<Fold>().shapes && loaded.ok(); ++shape) {
      loaded = with_row_shape<Fold>(shape, [](auto number) {
        return Platform::template load<ShortRowsFold<Fold, number>>();
      });
    }
    if constexpr (may_have_slow_fences<Platform>) {
      loaded = loaded.ok() ? Platform::template load<NodesFold<Rows<Fold>>>() : loaded;
    }
    if (!loaded.ok()) {
      return session_.fail(loaded, "loading the kernels", report);
    }
    std::int32_t code = ISOFOLD_ok;
    for (const bool wide : {false, true}) {
      const Plan planned = plan<Fold>(request, wide);
      code = code == ISOFOLD_ok
                 ? session_.reserve(node_bytes<Fold>(planned), planned.counters(), report)
                 : code;
    }
    return code;
  }

  template <class Fold>
  std::int32_t run(Fold fold, const isofold_request& request, std::size_t result_bytes,
                   contract::Report& report) {
    using Element = typename Fold::element_type;
    if (request.rows == 0) {
      return ISOFOLD_ok;
    }
    const bool wide = is_wide<Fold>(request);
    const Plan planned = plan<Fold>(request, wide);
    const std::int32_t code = session_.enqueue(
        request, node_bytes<Fold>(planned), planned.counters(), report, [&](bool capturing) {
          const Rows<Fold> rows = rows_of(fold, request);
          return wide ? launch<WideLanes<Element>>(rows, planned, capturing)
                      : launch<NarrowLanes<Element>>(rows, planned, capturing);
        });
    if (code == ISOFOLD_ok && request.ran != nullptr) {
      *request.ran = describe(planned, situation<Fold>(request, wide));
    }
    return code == ISOFOLD_ok
               ? session_.finish(request, result_bytes, sizeof(typename Fold::state_type), report)
               : code;
  }

 protected:
  template <class Fold>
  Plan plan(const isofold_request& request, bool wide) const {
    using Element = typename Fold::element_type;
    static constexpr isofold_schedule none{};
    using Wide = GridFold<Rows<Fold>, WideLanes<Element>>;
    const Situation at = situation<Fold>(request, wide);
    const int most_threads = at.staged_threads > 0 ? at.staged_threads : Wide::max_threads;
    return make_plan(at, request.schedule ? *request.schedule : none, most_threads);
  }
  // Shared memory of a block beside its stage: its states, at most.
  template <class Fold>
  std::size_t kept_bytes() const {
    return BlockMemory<typename Fold::state_type>::bytes(most_tile, session_.facts().wave_width);
  }
  // Of a multiprocessor, where the chunks of GridFold and RowsFold go through shared memory.
  template <class Fold>
  int fitting_staged_threads(bool wide) const {
    using Lanes = WideLanes<typename Fold::element_type>;
    if (!wide) {
      return 0;
    }
    return with_stage<Fold, Lanes>(session_.facts(), [&](auto* stage) {
      using Stage = std::remove_pointer_t<decltype(stage)>;
      return fitting_threads<Stage>(session_.facts(), kept_bytes<Fold>());
    });
  }
  template <class Fold>
  Situation situation(const isofold_request& request, bool wide) const {
    using Element = typename Fold::element_type;
    return {request.rows,
            request.length,
            wide ? WideLanes<Element>::team : NarrowLanes<Element>::team,
            wide,
            session_.facts(),
            row_shapes_of<Fold>(),
            fitting_staged_threads<Fold>(wide),
            comes_in_bulk<Fold> && wide && session_.facts().has_bulk_copies,
            work_of<Fold>()};
  }
  // Wide loads need every row's first element aligned to the load, in both arrays.
  static bool is_aligned(const isofold_request& request, const void* data, std::int64_t stride,
                         std::size_t element_bytes, std::size_t bytes) {
    return reinterpret_cast<std::uintptr_t>(data) % bytes == 0 &&
           (request.rows <= 1 || static_cast<std::uint64_t>(stride) * element_bytes % bytes == 0);
  }
  static bool is_aligned(const isofold_request& request, int arrays, std::size_t element_bytes,
                         std::size_t bytes) {
    return is_aligned(request, request.data, request.stride, element_bytes, bytes) &&
           (arrays == 1 ||
            is_aligned(request, request.second, request.second_stride, element_bytes, bytes));
  }
  template <class Fold>
  static bool is_wide(const isofold_request& request) {
    constexpr std::size_t element_bytes = sizeof(typename Fold::element_type);
    constexpr auto per_load = WideLanes<typename Fold::element_type>::per_load;
    return is_aligned(request, Fold::arrays, element_bytes, element_bytes * per_load);
  }

  template <class Fold>
  static std::size_t node_bytes(const Plan& plan) {
    return static_cast<std::size_t>(plan.nodes()) * sizeof(typename Fold::state_type);
  }

  // What is asked for; where the workspace has been taken, for it may move then.
  template <class Fold>
  Rows<Fold> rows_of(const Fold& fold, const isofold_request& request) const {
    using Element = typename Fold::element_type;
    const auto& workspace = session_.workspace();
    return {
        fold,
        {static_cast<const Element*>(request.data), static_cast<const Element*>(request.second)},
        request.rows,
        request.length,
        request.stride,
        request.second_stride,
        (request.flags & ISOFOLD_BLOCKING) != 0 ? workspace.result()
        : workspace.has_front()                 ? workspace.front()
                                                : request.result,
        (request.flags & ISOFOLD_STATE) != 0};
  }

  template <class Lanes, class Fold>
  Status launch(const Rows<Fold>& rows, const Plan& plan, bool capturing) {
    Launch size = plan.launch;
    size.capturing = capturing;
    switch (plan.kernel) {
      case KernelKind::empty:
        return Platform::launch(EmptyRows<Fold>{rows}, size, session_.stream());
      case KernelKind::short_rows:
        return with_row_shape<Fold>(plan.row_shape, [&](auto number) {
          return Platform::launch(ShortRowsFold<Fold, number>{rows}, size, session_.stream());
        });
      case KernelKind::rows:
        size.shared_bytes = RowsFold<Fold, Lanes>::shared_bytes(size.threads) +
                            stage_bytes<Rows<Fold>, Lanes>(size.threads);
        return Platform::launch(RowsFold<Fold, Lanes>{rows, plan.warp_a_row}, size,
                                session_.stream());
      case KernelKind::grid: return launch_grid<Lanes>(rows, plan, size);
    }
    return {ISOFOLD_internal, "no such kernel"};
  }

  // Shared memory of a block for chunks under way.
  template <class AnyRows, class Lanes>
  std::size_t stage_bytes(int threads) const {
    if constexpr (are_in_memory<AnyRows>) {
      return with_stage<decltype(AnyRows::fold), Lanes>(session_.facts(), [&](auto* stage) {
        return std::remove_pointer_t<decltype(stage)>::bytes(threads);
      });
    } else if constexpr (StagedChunks<AnyRows, Lanes>::staged_threads > 0) {
      return StagedChunks<AnyRows, Lanes>::OneStage::bytes(threads);
    } else {
      return 0;
    }
  }

  template <class Lanes, class AnyRows>
  Status launch_grid(const AnyRows& rows, const Plan& plan, Launch size) {
    using Fold = decltype(AnyRows::fold);
    using State = typename Fold::state_type;
    using Nodes = NodesFold<Rows<Fold>>;
    auto* const nodes = static_cast<State*>(session_.workspace().nodes());
    const bool nodes_later =
        may_have_slow_fences<Platform> && session_.facts().slow_fences && plan.tiles > 1;
    size.shared_bytes = BlockMemory<State>::bytes(plan.capacity, session_.facts().wave_width) +
                        stage_bytes<AnyRows, Lanes>(size.threads);
    const Status launched = Platform::launch(
        GridFold<AnyRows, Lanes>{rows, plan.tiles, plan.tile_chunks, plan.grain_shift,
                                 plan.capacity, nodes,
                                 nodes_later ? nullptr : session_.workspace().counters()},
        size, session_.stream());
    if constexpr (may_have_slow_fences<Platform>) {
      if (nodes_later && launched.ok()) {
        size.blocks = std::min(rows.rows, most_blocks);
        size.threads =
            node_threads(plan.row_nodes, session_.facts().wave_width, Nodes::max_threads);
        return Platform::launch(Nodes{rows, plan.row_nodes, plan.capacity, nodes}, size,
                                session_.stream());
      }
    }
    return launched;
  }

  Session<Platform>& session_;
};

}  // namespace isofold::gpu
