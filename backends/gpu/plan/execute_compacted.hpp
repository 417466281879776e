// Shapes whose elements warps pack into shared memory first: what a mask takes, joined arrays,
// boxes in long runs. Which launches they take, and the workspace.
#pragma once

#include <backends/gpu/input/compacted.hpp>
#include <backends/gpu/kernel/masked_columns_per_block.hpp>
#include <backends/gpu/kernel/masked_columns_per_thread.hpp>
#include <backends/gpu/kernel/masked_rows_per_warp.hpp>
#include <backends/gpu/kernel/rows_compacted.hpp>
#include <backends/gpu/plan/execute_index.hpp>
#include <backends/gpu/plan/execute_strided.hpp>

namespace isofold::gpu {

template <class Platform>
class ReducePacked : ReducePlaced<Platform> {
  using Base = ReducePlaced<Platform>;
  using Base::empty_is_fault;
  using Base::session_;
  using Base::take_fault;

 public:
  using Base::Base;

  template <class Fold>
  bool takes(const isofold_request& request) const {
    return is_masked(request) || is_joined(request) || has_runs<Fold>(request);
  }

  template <class Fold>
  std::int32_t prepare(Fold fold, const isofold_request& request, contract::Report& report) {
    using Nodes = PackedNodes<Fold, PackedPlaces>;
    if (has_none(request)) {
      return Base::prepare(fold, request, report);
    }
    const PackedPlaces source = packed_places<Fold>(request);
    Status loaded = is_joined(request)   ? ListKernels<Platform>::load_lengths()
                    : is_masked(request) ? ListKernels<Platform>::load_mask()
                                         : Status{};
    loaded = loaded.ok() ? Platform::template load<Nodes>() : loaded;
    if (loaded.ok()) {
      loaded = with_source<Fold>(request, source, [](const auto& places) {
        return Platform::template load<PackedFold<Fold, std::decay_t<decltype(places)>>>();
      });
    }
    if (loaded.ok() && is_masked(request) && !is_converted(request)) {
      loaded = Platform::template load<MaskedColumnsFold<Fold>>();
      loaded = loaded.ok() ? Platform::template load<MaskedLinesFold<Fold>>() : loaded;
      if constexpr (takes_lane_by_lane<Fold>) {
        loaded = loaded.ok() ? Platform::template load<MaskedLanesFold<Fold>>() : loaded;
      }
    }
    if (!loaded.ok()) {
      return session_.fail(loaded, "loading the kernels", report);
    }
    if (const auto code = take_fault(request, report); code != ISOFOLD_ok) {
      return code;
    }
    if (short_masked_plan<Fold>(request).is_taken()) {
      return session_.reserve(0, 0, report);
    }
    const PackedPlan plan = packed_plan<Fold>(request, source);
    const PackedWorkspace<Fold> parts(source, request.rows, plan);
    return session_.reserve(parts.bytes, packed_counters(request.rows, plan), report);
  }

  template <class Fold>
  std::int32_t run(Fold fold, const isofold_request& request, std::size_t result_bytes,
                   contract::Report& report) {
    if (has_none(request)) {
      return Base::run(fold, request, result_bytes, report);
    }
    if (const auto code = take_fault(request, report); code != ISOFOLD_ok) {
      return code;
    }
    if (const auto plan = short_masked_plan<Fold>(request); plan.is_taken()) {
      return run_short_masked(fold, request, plan, result_bytes, report);
    }
    PackedPlaces source = packed_places<Fold>(request);
    const PackedPlan plan = packed_plan<Fold>(request, source);
    const PackedWorkspace<Fold> parts(source, request.rows, plan);
    const auto launch_all = [&](bool capturing) {
      auto* const memory = static_cast<char*>(session_.workspace().nodes());
      source.joined.before = reinterpret_cast<std::int64_t*>(memory);
      source.masked.taken_before = reinterpret_cast<std::int64_t*>(memory);
      source.masked.taken = reinterpret_cast<std::uint32_t*>(memory + parts.bits);
      const Status counted = list_kernels<Fold>(source, request, capturing);
      return !counted.ok() ? counted : with_source<Fold>(request, source, [&](const auto& stored) {
        return launch_packed(this->rows_of(fold, request), stored, source, plan,
                             memory + parts.nodes, memory + parts.group_nodes, capturing);
      });
    };
    const std::int32_t code = session_.enqueue(
        request, parts.bytes, packed_counters(request.rows, plan), report, launch_all);
    return code == ISOFOLD_ok
               ? session_.finish(request, result_bytes, sizeof(typename Fold::state_type), report)
               : code;
  }

 private:
  // A box in long runs, without a mask, of elements as they are computed with.
  template <class Fold>
  bool has_runs(const isofold_request& request) const {
    return request.shape == ISOFOLD_SHAPE_box && !has_none(request) && !is_masked(request) &&
           !is_converted(request) &&
           are_runs({request.rows, request.length, run_length(*request.layout, Fold::arrays == 2),
                     sizeof(typename Fold::element_type), session_.facts()});
  }

  // Rows of a chunk at most under a mask.
  template <class Fold>
  ShortMaskedPlan short_masked_plan(const isofold_request& request) const {
    using Columns = MaskedColumnsFold<Fold>;
    if (!is_masked(request) || is_converted(request)) {
      return {};
    }
    constexpr bool two_arrays = Fold::arrays == 2;
    const Axes kept(*request.layout, request.layout->kept, two_arrays);
    const Axes reduced(*request.layout, ~request.layout->kept, two_arrays);
    const bool has_axis = reduced.count == 1 && MaskedRow<Fold>::fits(reduced);
    return plan_short_masked({request.rows, request.length, has_axis ? kept.side_by_side() : 0,
                              has_axis && reduced.side_by_side() > 0, Columns::columns,
                              masked_copies<Fold>, &Columns::shared_bytes,
                              &MaskedLinesFold<Fold>::bytes_of_warp, lane_bytes<Fold>(),
                              session_.facts()});
  }

  template <class Fold>
  static constexpr std::size_t lane_bytes() {
    if constexpr (takes_lane_by_lane<Fold>) {
      return MaskedLanesFold<Fold>::bytes_of_thread;
    } else {
      return 0;
    }
  }

  template <class Fold>
  std::int32_t run_short_masked(Fold fold, const isofold_request& request,
                                const ShortMaskedPlan& plan, std::size_t result_bytes,
                                contract::Report& report) {
    const std::int32_t code = session_.enqueue(request, 0, 0, report, [&](bool capturing) {
      const Rows<Fold> rows = this->rows_of(fold, request);
      const PackedPlaces source = packed_places<Fold>(request);
      Launch size = plan.launch;
      size.capturing = capturing;
      if constexpr (takes_lane_by_lane<Fold>) {
        if (plan.are_lanes) {
          return Platform::launch(MaskedLanesFold<Fold>{rows, source, plan.cut}, size,
                                  session_.stream());
        }
      }
      return plan.are_columns
                 ? Platform::launch(MaskedColumnsFold<Fold>{rows, source, plan.cut}, size,
                                    session_.stream())
                 : Platform::launch(MaskedLinesFold<Fold>{rows, source}, size, session_.stream());
    });
    return code == ISOFOLD_ok
               ? session_.finish(request, result_bytes, sizeof(typename Fold::state_type), report)
               : code;
  }

  // How a masked box lies in memory, if its lines have gaps between them and its elements can come
  // in pieces.
  template <class Fold>
  static Spread spread_of(const isofold_request& request) {
    constexpr bool two_arrays = Fold::arrays == 2;
    if (is_converted(request) || Pieces<Fold>::group == 0) {
      return {};
    }
    return {Axes(*request.layout, ~request.layout->kept, two_arrays), request.rows, request.length,
            two_arrays};
  }

  template <class Fold>
  MaskedRows masked_rows(const isofold_request& request) const {
    MaskedRows masked;
    masked.places = this->template places_of<Fold>(request);
    masked.entries = static_cast<const unsigned char*>(request.layout->mask);
    masked.of_bits = request.layout->mask_type == ISOFOLD_MASK_bits;
    masked.rows = request.rows;
    masked.length = request.length;
    masked.in_line =
        masked.places.reduced.mask_in_line() && masked.rows * masked.length >= some_entries;
    masked.find_in_place();
    masked.find_pieces();
    if (const Spread spread = spread_of<Fold>(request); !spread.is_none()) {
      masked.number_places(spread.line());
    }
    return masked;
  }

  template <class Fold>
  PackedPlaces packed_places(const isofold_request& request) const {
    PackedPlaces source;
    source.joins = is_joined(request);
    source.is_even = has_runs<Fold>(request);
    source.empty_fault =
        empty_is_fault(request) ? static_cast<Fault*>(session_.workspace().fault()) : nullptr;
    if (source.joins) {
      source.joined.count = request.length;
    } else if (source.is_even) {
      source.masked.places = this->template places_of<Fold>(request);
      source.masked.length = request.length;
    } else {
      source.masked = masked_rows<Fold>(request);
      source.is_line = Pieces<Fold>::group > 0 && !is_converted(request) &&
                       source.masked.places.reduced.is_line(Fold::arrays);
    }
    return source;
  }

  // use(where the elements come from, as its kernel has it)
  template <class Fold, class Use>
  Status with_source(const isofold_request& request, const PackedPlaces& places, Use&& use) const {
    if (has_runs<Fold>(request)) {
      return use(RunSource{places.masked.places, request.length});
    }
    if constexpr (Pieces<Fold>::group > 0) {
      if (places.is_line) {
        return use(LineSource{places});
      }
    }
    return this->template with_stored<Fold>(request, [&](auto stored) {
      return use(PackedSourceOf<decltype(stored)>{places, stored});
    });
  }

  // Elements that joined arrays may have in all.
  static std::int64_t most_joined(const isofold_request& request) {
    const std::int64_t known = request.layout->elements;
    return known > 0 ? known : std::int64_t{1} << joined_most_shift;
  }

  template <class Fold>
  PackedPlan packed_plan(const isofold_request& request, const PackedPlaces& places) const {
    const bool joins = places.joins;
    PackedSituation at{request.rows,
                       joins ? most_joined(request) : request.length,
                       joins ? PackedTiles::largest_shift : PackedTiles{}.most_shift,
                       has_runs<Fold>(request),
                       joins,
                       0,
                       0,
                       session_.facts()};
    at.rows_first = !joins && !at.has_runs && places.masked.rows_first();
    at.side_by_side = at.rows_first && places.masked.neighbours() > 0;
    with_source<Fold>(request, places, [&](const auto& source) {
      using Kernel = PackedFold<Fold, std::decay_t<decltype(source)>>;
      at.warp_bytes = Kernel::bytes_of_warp();
      at.most_threads = Kernel::max_threads;
      return Status{};
    });
    return plan_packed(at);
  }

  // What of the workspace is whose.
  template <class Fold>
  struct PackedWorkspace {
    using State = typename Fold::state_type;
    std::size_t bits;  // where they begin; before them the counts, or the sums of lengths
    std::size_t nodes;
    std::size_t group_nodes;
    std::size_t bytes;

    PackedWorkspace(const PackedPlaces& source, std::int64_t rows, const PackedPlan& plan) {
      const MaskedRows& masked = source.masked;
      const auto size = [](std::int64_t count, std::size_t one) {
        return aligned(static_cast<std::size_t>(count) * one);
      };
      bits = size(source.is_even ? 0
                  : source.joins ? source.joined.count + 1 + ListedLengths::most_tiles
                                 : masked.counts(),
                  sizeof(std::int64_t));
      nodes = bits +
              size(source.joins || source.is_even ? 0 : masked.bit_words(), sizeof(std::uint32_t));
      group_nodes = nodes + size(plan.groups > 0 ? rows * plan.tiles.most : 0, sizeof(State));
      bytes = group_nodes + size(plan.groups > 1 ? rows * plan.groups : 0, sizeof(State));
    }
  };
  static std::int64_t packed_counters(std::int64_t rows, const PackedPlan& plan) {
    return plan.groups > 1 ? rows : 0;
  }

  template <class Fold>
  Status list_kernels(const PackedPlaces& source, const isofold_request& request, bool capturing) {
    using Lists = ListKernels<Platform>;
    const DeviceFacts& facts = session_.facts();
    void* const stream = session_.stream();
    if (source.is_even) {
      return {};
    }
    if (!source.joins) {
      return Lists::count_mask(source.masked, spread_of<Fold>(request), facts, capturing, stream);
    }
    const isofold_layout& layout = *request.layout;
    return Lists::join_lengths({source.joined,
                                layout.ends,
                                layout.index_type == ISOFOLD_TYPE_i64,
                                {request.data, request.second},
                                most_joined(request),
                                static_cast<Fault*>(session_.workspace().fault()),
                                ListedLengths::tile_of(request.length, JoinLengths::max_threads)},
                               request.length, facts, capturing, stream);
  }

  template <class Fold, class Source>
  Status launch_packed(const Rows<Fold>& rows, const Source& source, const PackedPlaces& places,
                       const PackedPlan& plan, void* node_memory, void* group_node_memory,
                       bool capturing) {
    using State = typename Fold::state_type;
    auto* const nodes = plan.groups > 0 ? static_cast<State*>(node_memory) : nullptr;
    Launch size = plan.launch;
    size.capturing = capturing;
    const Status launched = Platform::launch(
        PackedFold<Fold, Source>{rows, source, plan.tiles, nodes}, size, session_.stream());
    return launched.ok() && nodes != nullptr
               ? this->launch_nodes(rows, places, plan, nodes,
                                    static_cast<State*>(group_node_memory), capturing)
               : launched;
  }
};

}  // namespace isofold::gpu
