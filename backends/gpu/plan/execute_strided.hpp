// Shapes with a layout whose elements are read where they lie: segments, batches, boxes, gathers
// (docs/shapes.md). Which kernel takes them, with what workspace, and its launch.
#pragma once

#include <backends/gpu/input/compacted.hpp>
#include <backends/gpu/kernel/columns_interleaved.hpp>
#include <backends/gpu/kernel/columns_per_thread.hpp>
#include <backends/gpu/kernel/columns_tiled.hpp>
#include <backends/gpu/kernel/rows_strided.hpp>
#include <backends/gpu/kernel/segments_long.hpp>
#include <backends/gpu/kernel/segments_short.hpp>
#include <backends/gpu/kernel/transposed_long.hpp>
#include <backends/gpu/kernel/transposed_short.hpp>
#include <backends/gpu/plan/execute_contiguous.hpp>
#include <request/converted_elements.hpp>
#include <request/validate.hpp>

namespace isofold::gpu {

// Neither rows nor, where all rows have one length, elements.
inline bool has_none(const isofold_request& request) {
  return request.rows == 0 || (request.length == 0 && request.shape != ISOFOLD_SHAPE_segments &&
                               request.shape != ISOFOLD_SHAPE_batch);
}
inline bool is_masked(const isofold_request& request) {
  return has_layout(request) && request.layout->mask != nullptr;
}
inline bool is_joined(const isofold_request& request) {
  return request.shape == ISOFOLD_SHAPE_joined;
}

template <class Platform>
class ReducePlaced : protected ReduceRows<Platform> {
  using Base = ReduceRows<Platform>;

 public:
  using Base::Base;

  template <class Fold>
  std::int32_t prepare(Fold fold, const isofold_request& request, contract::Report& report) {
    if (has_none(request)) {
      return Base::prepare(fold, request, report);
    }
    const auto [tiny, behind] = segments_plan<Fold>(request);
    Status loaded = with_stored<Fold>(request, [](auto stored) {
      return Platform::template load<PlacedFold<Fold, decltype(stored)>>();
    });
    loaded = loaded.ok() ? Platform::template load<PackedNodes<Fold, PackedPlaces>>() : loaded;
    if (!is_converted(request)) {
      loaded = loaded.ok() ? Platform::template load<ShortColumnsFold<Fold>>() : loaded;
      loaded = loaded.ok() ? Platform::template load<ColumnsFold<Fold>>() : loaded;
      loaded = loaded.ok() ? Platform::template load<FewColumnsFold<Fold>>() : loaded;
      loaded = loaded.ok() ? Platform::template load<ShortSlabsFold<Fold>>() : loaded;
      if constexpr (takes_long_slabs_on<Fold, Platform>) {
        loaded = loaded.ok() ? Platform::template load<LongSlabsFold<Fold>>() : loaded;
      }
      loaded = loaded.ok() && tiny.room > 0 ? Platform::template load<TinyFold<Fold>>() : loaded;
    }
    if (!loaded.ok()) {
      return session_.fail(loaded, "loading the kernels", report);
    }
    if (const auto code = take_fault(request, report); code != ISOFOLD_ok) {
      return code;
    }
    const Places places = places_of<Fold>(request);
    const FewColumnsSituation few = few_columns_of<Fold>(request, places);
    if (are_few_columns(few)) {
      const PackedPlan plan = plan_few_columns(few).packed;
      return session_.reserve(tiles_bytes<Fold>(request, plan), tiles_counters(request, plan),
                              report);
    }
    const ColumnsSituation columns = columns_of<Fold>(request, places);
    if (are_columns(columns)) {
      const ColumnsPlan plan = plan_columns(columns);
      return session_.reserve(columns_bytes<Fold>(plan), plan.counters, report);
    }
    const PlacedSituation placed = placed_of<Fold>(request, places);
    if (has_slabs<Fold>(request, placed)) {
      const PackedPlan plan = slabs_plan<Fold>(request, placed);
      return session_.reserve(tiles_bytes<Fold>(request, plan), tiles_counters(request, plan),
                              report);
    }
    if constexpr (takes_long_segments<Fold> && may_have_bulk_copies<Platform>) {
      if (behind.is_there) {
        loaded = Platform::template load<LongSegmentsFold<Fold>>();
        loaded = loaded.ok() ? Platform::template load<LongSegmentsFold<Fold, true>>() : loaded;
        return loaded.ok()
                   ? session_.reserve(long_bytes<Fold>(behind, tiny), long_counters(behind), report)
                   : session_.fail(loaded, "loading the kernels", report);
      }
    }
    const PlacedPlan plan = plan_placed(placed);
    return session_.reserve(placed_bytes<Fold>(plan, tiny), placed_counters(plan, tiny), report);
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
    const Places places = places_of<Fold>(request);
    const ColumnsSituation columns = columns_of<Fold>(request, places);
    const FewColumnsSituation few = few_columns_of<Fold>(request, places);
    const PlacedSituation placed = placed_of<Fold>(request, places);
    const std::int32_t code =
        are_short_columns(columns) ? run_short_columns(fold, request, places, columns, report)
        : are_few_columns(few)     ? run_few_columns(fold, request, places, few, report)
        : are_columns(columns)     ? run_columns(fold, request, places, columns, report)
        : has_slabs<Fold>(request, placed) ? run_slabs(fold, request, places, placed, report)
                                           : run_placed(fold, request, places, placed, report);
    return code == ISOFOLD_ok
               ? session_.finish(request, result_bytes, sizeof(typename Fold::state_type), report)
               : code;
  }

 protected:
  using Base::session_;

  // Whether a blocking call on no elements is an error: of these only the device knows.
  static bool empty_is_fault(const isofold_request& request) {
    bool is_error = false;
    visit_case(request.fold, computed_type(request),
               [&](auto fold) { is_error = decltype(fold)::empty_is_error; });
    return is_error && (is_masked(request) || is_joined(request)) &&
           (request.flags & ISOFOLD_BLOCKING) != 0;
  }

  // use(how the elements are stored)
  template <class Fold, class Use>
  static auto with_stored(const isofold_request& request, Use&& use) {
    if constexpr (is_computed_from_others<typename Fold::element_type>) {
      if (is_converted(request)) {
        return use(StoredAs{request.type, static_cast<std::int32_t>(stored_bytes(request))});
      }
    }
    return use(AsComputed{});
  }

  template <class Fold>
  Places places_of(const isofold_request& request) const {
    const isofold_layout& layout = *request.layout;
    Places places;
    places.shape = request.shape;
    places.wide_indices = layout.index_type == ISOFOLD_TYPE_i64;
    places.begins = layout.begins;
    places.ends = layout.ends;
    places.indices = layout.indices;
    if (request.shape == ISOFOLD_SHAPE_segments && layout.ends == nullptr) {
      places.ends = static_cast<const char*>(layout.begins) + (places.wide_indices ? 8 : 4);
    }
    places.counted = request.shape == ISOFOLD_SHAPE_segments && layout.begins == nullptr;
    if (places.counted) {
      places.begins = layout.ends;
      places.stride = request.stride;
      places.most = request.length > 0 ? request.length
                    : request.rows > 1 ? request.stride
                                       : places.most;
    }
    if (request.shape == ISOFOLD_SHAPE_box) {
      places.kept = Axes(layout, layout.kept, Fold::arrays == 2);
      places.reduced = Axes(layout, ~layout.kept, Fold::arrays == 2);
    }
    places.cursor_reaches = request.shape != ISOFOLD_SHAPE_gather &&
                            places.reduced.is_near(static_cast<int>(stored_bytes(request)));
    places.fault = static_cast<Fault*>(session_.workspace().fault());
    if (layout.elements > 0) {
      places.elements = layout.elements;
    }
    return places;
  }

  // The second launch for rows of more tiles than one.
  template <class Fold>
  Status launch_nodes(const Rows<Fold>& rows, const PackedPlaces& places, const PackedPlan& plan,
                      typename Fold::state_type* nodes, typename Fold::state_type* group_nodes,
                      bool capturing) {
    using Nodes = PackedNodes<Fold, PackedPlaces>;
    Launch size = plan.nodes_launch;
    size.capturing = capturing;
    size.shared_bytes = BlockMemory<typename Fold::state_type>::bytes(Nodes::shared_states,
                                                                      session_.facts().wave_width);
    return Platform::launch(Nodes{rows, places, plan.tiles, plan.groups, Divisor(plan.groups),
                                  nodes, group_nodes, session_.workspace().counters()},
                            size, session_.stream());
  }

  std::int32_t take_fault(const isofold_request& request, contract::Report& report) {
    const bool reads_lists = session_.validates() && request.shape != ISOFOLD_SHAPE_box;
    return reads_lists || empty_is_fault(request) ? session_.take_fault(report) : ISOFOLD_ok;
  }

 private:
  template <class Fold>
  PlacedSituation placed_of(const isofold_request& request, const Places& places) const {
    const bool ragged = places.is_ragged();
    const std::int64_t elements = request.layout->elements;
    PlacedSituation at{};
    at.rows = request.rows;
    at.length = ragged ? elements / request.rows : request.length;
    at.elements = elements;
    at.columns = request.rows > 1 && places.kept.nearer_than(places.reduced);
    at.ragged = ragged;
    at.blocks_may_share = elements == 0 || elements > tile_elements;
    at.tabled = places.needs_table();
    at.slabs =
        ragged
            ? Slabs{}
            : places.reduced.slabs(slab_bytes / static_cast<std::int64_t>(stored_bytes(request)));
    at.shared_bytes = PlacedFold<Fold>::shared_bytes;
    at.device = session_.facts();
    return at;
  }
  // Segments that follow one another: one list says where they begin and end. Elements are as they
  // are computed with.
  template <class Fold>
  TinyPlan tiny_plan(const isofold_request& request) const {
    return is_in_line(request)
               ? plan_tiny({request.rows, request.layout->elements, TinyFold<Fold>::most_rows,
                            Fold::arrays * sizeof(typename Fold::element_type),
                            TinyFold<Fold>::most_tile, TinyFold<Fold>::warp_bytes,
                            TinyFold<Fold>::shared_bytes, session_.facts(), is_tiny_cheap<Fold>,
                            PlacedFold<Fold>::pairs_chunks(session_.facts().wave_width)})
               : TinyPlan{};
  }
  static bool is_in_line(const isofold_request& request) {
    return request.shape == ISOFOLD_SHAPE_segments && request.layout->begins != nullptr &&
           request.layout->ends == nullptr && !is_converted(request);
  }
  template <class Fold>
  SegmentsPlan segments_plan(const isofold_request& request) const {
    const TinyPlan tiny = tiny_plan<Fold>(request);
    if constexpr (takes_long_segments<Fold> && may_have_bulk_copies<Platform>) {
      if (is_in_line(request)) {
        return plan_segments(tiny, {request.rows, request.layout->elements,
                                    LongSegmentsFold<Fold>::warp_bytes(session_.facts().wave_width),
                                    session_.facts()});
      }
    }
    return {tiny, {}};
  }
  template <class Fold>
  ColumnsSituation columns_of(const isofold_request& request, const Places& places) const {
    return {request.rows,
            request.length,
            request.shape == ISOFOLD_SHAPE_box && !is_converted(request) &&
                places.kept.nearer_than(places.reduced),
            ColumnsFold<Fold>::least,
            Fold::stages == 2 ? std::int64_t{sizeof(typename Fold::element_type)} : 0,
            ColumnsFold<Fold>::max_threads / columns_threads,
            session_.facts()};
  }
  template <class Fold>
  FewColumnsSituation few_columns_of(const isofold_request& request, const Places& places) const {
    using Kernel = FewColumnsFold<Fold>;
    const Axes& kept = places.kept;
    const bool near = request.shape == ISOFOLD_SHAPE_box && !is_converted(request) &&
                      kept.count > 0 && kept.nearer_than(places.reduced) &&
                      kept.rest_is_beyond(places.reduced);
    FewColumnsSituation at{};
    at.rows = request.rows;
    at.length = request.length;
    at.columns = near ? kept.extents[kept.count - 1] : 0;
    at.tabled = places.needs_table();
    at.lanes_at_once = Kernel::held;
    at.read_again = Fold::stages == 2 ? std::int64_t{sizeof(typename Fold::element_type)} : 0;
    at.shared_bytes = near && at.columns <= most_few_columns
                          ? Kernel::shared_bytes(static_cast<int>(at.columns), at.tabled)
                          : 0;
    at.most_threads = Kernel::max_threads;
    at.device = session_.facts();
    return at;
  }
  static constexpr std::int64_t tile_elements = std::int64_t{1}
                                                << (placed_tile_shift + core::chunk_shift);

  // The list, then nodes, before them rows that TinyFold leaves: each begins at a multiple of 16
  // bytes.
  template <class Fold>
  static std::size_t placed_bytes(const PlacedPlan& plan, const TinyPlan& tiny) {
    return static_cast<std::size_t>(tiny.room) * sizeof(LeftRows) +
           static_cast<std::size_t>(plan.nodes) * sizeof(typename Fold::state_type) +
           static_cast<std::size_t>(plan.sharing.room) * sizeof(SharedTile);
  }
  // What TinyFold has of the workspace, and what is behind it.
  struct TinyMemory {
    TinyRest rest;
    void* nodes;
    std::uint32_t* counters;
  };
  TinyMemory tiny_memory(const TinyPlan& tiny) const {
    void* const nodes = session_.workspace().nodes();
    std::uint32_t* const counters = session_.workspace().counters();
    if (tiny.room == 0) {
      return {{}, nodes, counters};
    }
    auto* const rows = static_cast<LeftRows*>(nodes);
    std::uint32_t* const behind = counters + SharedTurns::words;
    return {{rows, behind + 1, {counters}}, rows + tiny.room, behind + 2};
  }
  static std::int64_t tiny_counters(const TinyPlan& tiny) {
    return tiny.room > 0 ? 2 + SharedTurns::words : 0;
  }
  static std::int64_t placed_counters(const PlacedPlan& plan, const TinyPlan& tiny) {
    return plan.counters + tiny_counters(tiny);
  }

  // As placed_bytes().
  template <class Fold>
  static std::size_t long_bytes(const LongPlan& plan, const TinyPlan& tiny) {
    return static_cast<std::size_t>(tiny.room) * sizeof(LeftRows) +
           static_cast<std::size_t>(plan.tiles.room) *
               (sizeof(SharedTile) + sizeof(typename Fold::state_type));
  }
  // The turns of the two launches, what TinyFold leaves, and of the list the counters.
  static constexpr std::int64_t long_counters_before = 2 * SharedTurns::words + 4;
  static std::int64_t long_counters(const LongPlan& plan) {
    return long_counters_before + plan.tiles.room;
  }

  template <class Fold>
  static std::size_t columns_bytes(const ColumnsPlan& plan) {
    return static_cast<std::size_t>(plan.nodes) * sizeof(typename Fold::state_type);
  }

  // What two launches take: the nodes of tiles, then those of groups of them.
  template <class Fold>
  static std::size_t node_bytes(const isofold_request& request, const PackedPlan& plan) {
    const std::int64_t nodes = plan.groups > 0 ? request.rows * plan.tiles.most : 0;
    return aligned(static_cast<std::size_t>(nodes) * sizeof(typename Fold::state_type));
  }
  template <class Fold>
  static std::size_t tiles_bytes(const isofold_request& request, const PackedPlan& plan) {
    const std::int64_t groups = tiles_counters(request, plan) * plan.groups;
    return node_bytes<Fold>(request, plan) +
           static_cast<std::size_t>(groups) * sizeof(typename Fold::state_type);
  }
  static std::int64_t tiles_counters(const isofold_request& request, const PackedPlan& plan) {
    return plan.groups > 1 ? request.rows : 0;
  }

  // These need no workspace.
  template <class Fold>
  std::int32_t run_short_columns(Fold fold, const isofold_request& request, const Places& places,
                                 const ColumnsSituation& columns, contract::Report& report) {
    using Kernel = ShortColumnsFold<Fold>;
    return session_.enqueue(request, 0, 0, report, [&](bool capturing) {
      Launch size = plan_short_columns(columns, Kernel::rows_at_once(request.length));
      size.capturing = capturing;
      size.shared_bytes = Kernel::shared_bytes();
      const Kernel kernel{this->rows_of(fold, request), places.kept, places.reduced};
      return Platform::launch(kernel, size, session_.stream());
    });
  }

  // launch(rows, nodes, size) folds tiles, and if there is more than one to a row, a second launch
  // their nodes.
  template <class Fold, class LaunchTiles>
  std::int32_t run_tiles(Fold fold, const isofold_request& request, const PackedPlan& plan,
                         contract::Report& report, LaunchTiles&& launch) {
    using State = typename Fold::state_type;
    return session_.enqueue(
        request, tiles_bytes<Fold>(request, plan), tiles_counters(request, plan), report,
        [&](bool capturing) {
          auto* const memory = static_cast<char*>(session_.workspace().nodes());
          auto* const nodes = plan.groups > 0 ? reinterpret_cast<State*>(memory) : nullptr;
          const Rows<Fold> rows = this->rows_of(fold, request);
          Launch size = plan.launch;
          size.capturing = capturing;
          const Status launched = launch(rows, nodes, size);
          if (!launched.ok() || nodes == nullptr) {
            return launched;
          }
          PackedPlaces even;
          even.is_even = true;
          even.masked.length = request.length;
          return launch_nodes(rows, even, plan, nodes,
                              reinterpret_cast<State*>(memory + node_bytes<Fold>(request, plan)),
                              capturing);
        });
  }

  template <class Fold>
  std::int32_t run_few_columns(Fold fold, const isofold_request& request, const Places& places,
                               const FewColumnsSituation& few, contract::Report& report) {
    const FewColumnsPlan plan = plan_few_columns(few);
    return run_tiles(fold, request, plan.packed, report,
                     [&](const auto& rows, auto* nodes, const Launch& size) {
                       return Platform::launch(FewColumnsFold<Fold>{rows, places, plan.cut, nodes},
                                               size, session_.stream());
                     });
  }

  // Slabs of elements as they are computed with.
  template <class Fold>
  ShortSlabsSituation short_slabs_of(const isofold_request& request,
                                     const PlacedSituation& placed) const {
    using Kernel = ShortSlabsFold<Fold>;
    return {request.rows,
            request.length,
            is_converted(request) || placed.columns ? Slabs{} : placed.slabs,
            sizeof(typename Fold::element_type),
            Kernel::chunk_bytes,
            Kernel::shared_bytes,
            Kernel::max_threads,
            session_.facts()};
  }
  template <class Fold>
  LongSlabsSituation long_slabs_of(const isofold_request& request,
                                   const PlacedSituation& placed) const {
    using Kernel = LongSlabsFold<Fold>;
    return {request.rows,
            request.length,
            is_converted(request) ? Slabs{} : placed.slabs,
            Kernel::slabs,
            Kernel::threads(session_.facts().wave_width),
            Kernel::shared_bytes(),
            Kernel::max_threads,
            session_.facts()};
  }
  template <class Fold>
  bool has_slabs(const isofold_request& request, const PlacedSituation& placed) const {
    return are_short_slabs(short_slabs_of<Fold>(request, placed)) || are_slabs(placed);
  }

  template <class Fold>
  PackedPlan slabs_plan(const isofold_request& request, const PlacedSituation& placed) const {
    if (const auto packed = short_slabs_of<Fold>(request, placed); are_short_slabs(packed)) {
      return plan_short_slabs(packed).packed;
    }
    if constexpr (takes_long_slabs_on<Fold, Platform>) {
      if (const auto lines = long_slabs_of<Fold>(request, placed); are_long_slabs(lines)) {
        return plan_long_slabs(lines).packed;
      }
    }
    return plan_slabs(placed).packed;
  }

  template <class Fold>
  std::int32_t run_slabs(Fold fold, const isofold_request& request, const Places& places,
                         const PlacedSituation& at, contract::Report& report) {
    const auto run_with = [&](const PackedPlan& plan, auto&& kernel_of) {
      return run_tiles(fold, request, plan, report,
                       [&](const auto& rows, auto* nodes, const Launch& size) {
                         return Platform::launch(kernel_of(rows, nodes), size, session_.stream());
                       });
    };
    if (const auto packed = short_slabs_of<Fold>(request, at); are_short_slabs(packed)) {
      const ShortSlabsPlan plan = plan_short_slabs(packed);
      return run_with(plan.packed, [&](const auto& rows, auto* nodes) {
        return ShortSlabsFold<Fold>{rows, places.kept, places.reduced, plan.cut, nodes};
      });
    }
    if constexpr (takes_long_slabs_on<Fold, Platform>) {
      if (const auto lines = long_slabs_of<Fold>(request, at); are_long_slabs(lines)) {
        const LongSlabsPlan plan = plan_long_slabs(lines);
        return run_with(plan.packed, [&](const auto& rows, auto* nodes) {
          return LongSlabsFold<Fold>{rows, places.kept, places.reduced, plan.cut, nodes};
        });
      }
    }
    const SlabsPlan plan = plan_slabs(at);
    return run_tiles(
        fold, request, plan.packed, report, [&](const auto& rows, auto* nodes, Launch size) {
          return with_stored<Fold>(request, [&](auto stored) {
            using Kernel = PlacedFold<Fold, decltype(stored)>;
            const Sharing& sharing = plan.placed.sharing;
            size.shared_bytes =
                Kernel::shared_bytes(size.threads, session_.facts().wave_width, sharing, false);
            return Platform::launch(
                Kernel{rows, places, sharing, nodes, nullptr, nullptr, false, stored}, size,
                session_.stream());
          });
        });
  }

  template <class Fold>
  std::int32_t run_columns(Fold fold, const isofold_request& request, const Places& places,
                           const ColumnsSituation& columns, contract::Report& report) {
    using Kernel = ColumnsFold<Fold>;
    const ColumnsPlan plan = plan_columns(columns);
    return session_.enqueue(
        request, columns_bytes<Fold>(plan), plan.counters, report, [&](bool capturing) {
          Launch size = plan.launch;
          size.capturing = capturing;
          size.shared_bytes = Kernel::shared_bytes(session_.facts().wave_width, plan.cut);
          const Kernel kernel{this->rows_of(fold, request),
                              places.kept,
                              places.reduced,
                              plan.cut,
                              static_cast<typename Fold::state_type*>(session_.workspace().nodes()),
                              session_.workspace().counters()};
          return Platform::launch(kernel, size, session_.stream());
        });
  }

  template <class Fold>
  std::int32_t run_placed(Fold fold, const isofold_request& request, const Places& places,
                          const PlacedSituation& at, contract::Report& report) {
    const SegmentsPlan segments = segments_plan<Fold>(request);
    const TinyPlan& tiny = segments.tiny;
    if constexpr (takes_long_segments<Fold> && may_have_bulk_copies<Platform>) {
      if (segments.behind.is_there) {
        return run_long(fold, request, places, segments.behind, tiny, report);
      }
    }
    const PlacedPlan plan = plan_placed(at);
    return session_.enqueue(request, placed_bytes<Fold>(plan, tiny), placed_counters(plan, tiny),
                            report, [&](bool capturing) {
                              const Rows<Fold> rows = this->rows_of(fold, request);
                              return with_stored<Fold>(request, [&](auto stored) {
                                return launch_placed(rows, places, plan, tiny, stored, capturing);
                              });
                            });
  }

  // All segments, or those that TinyFold takes, then the tiles of those that are listed, and what
  // TinyFold leaves.
  template <class Fold>
  std::int32_t run_long(Fold fold, const isofold_request& request, const Places& places,
                        const LongPlan& plan, const TinyPlan& tiny, contract::Report& report) {
    using State = typename Fold::state_type;
    return session_.enqueue(
        request, long_bytes<Fold>(plan, tiny), long_counters(plan), report, [&](bool capturing) {
          const Rows<Fold> rows = this->rows_of(fold, request);
          auto* const left = static_cast<LeftRows*>(session_.workspace().nodes());
          auto* const list = reinterpret_cast<SharedTile*>(left + tiny.room);
          auto* const nodes = reinterpret_cast<State*>(list + plan.tiles.room);
          std::uint32_t* const turns = session_.workspace().counters();
          std::uint32_t* const counters = turns + long_counters_before;
          const TinyRest rest{tiny.room > 0 ? left : nullptr, counters - 3, {turns}};
          const LongSegmentsFold<Fold> kernel{rows,     places, plan.tiles, nodes,
                                              counters, list,   {turns}};
          const LongSegmentsFold<Fold, true> behind{
              rows, places, plan.tiles, nodes, counters, list, {turns + SharedTurns::words}, rest};
          Launch size = plan.launch;
          size.capturing = capturing;
          const Status launched =
              tiny.room > 0 ? launch_tiny(rows, places, tiny, kernel.shared_rows(), rest, capturing)
                            : Platform::launch(kernel, size, session_.stream());
          return launched.ok() ? Platform::launch(behind, size, session_.stream()) : launched;
        });
  }

  template <class Fold, class Stored>
  Status launch_placed(const Rows<Fold>& rows, const Places& places, const PlacedPlan& plan,
                       const TinyPlan& tiny, const Stored& stored, bool capturing) {
    using State = typename Fold::state_type;
    const TinyMemory memory = tiny_memory(tiny);
    auto* const list = static_cast<SharedTile*>(memory.nodes);
    auto* const nodes = reinterpret_cast<State*>(list + plan.sharing.room);
    const bool ragged = places.is_ragged();  // then two counters are the list's
    PlacedFold<Fold, Stored> kernel{
        rows, places, plan.sharing, nodes,      memory.counters + (ragged ? 2 : 0),
        list, false,  stored,       memory.rest};
    Launch size = plan.launch;
    size.shared_bytes =
        kernel.shared_bytes(size.threads, session_.facts().wave_width, plan.sharing, ragged);
    size.capturing = capturing;
    const bool has_tiny = tiny.room > 0;
    if (has_tiny) {
      size.blocks = tiny.left_blocks;
      const Status launched =
          launch_tiny(rows, places, tiny, kernel.shared_rows(), kernel.rest, capturing);
      if (!launched.ok()) {
        return launched;
      }
    }
    if (!has_tiny || !tiny.leaves_few || plan.second_blocks == 0) {
      const Status launched = Platform::launch(kernel, size, session_.stream());
      if (!launched.ok() || plan.second_blocks == 0) {
        return launched;
      }
      kernel.rest = {};
    }
    kernel.from_list = true;
    size.blocks = plan.second_blocks;
    size.threads = plan.second_threads;
    size.shared_bytes =
        kernel.shared_bytes(size.threads, session_.facts().wave_width, plan.sharing, ragged);
    return Platform::launch(kernel, size, session_.stream());
  }

  template <class Fold>
  Status launch_tiny(const Rows<Fold>& rows, const Places& places, const TinyPlan& plan,
                     const TileList& list, const TinyRest& rest, bool capturing) {
    Launch size = plan.launch;
    size.capturing = capturing;
    return Platform::launch(TinyFold<Fold>::of(rows, places, plan.tiles, list, rest), size,
                            session_.stream());
  }
};

}  // namespace isofold::gpu
