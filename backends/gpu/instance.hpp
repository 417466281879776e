// One Reducer's share of a GPU: a device, a stream, a workspace; how a request becomes one launch.
// The rules of streams, graph captures and failures (docs/guarantees.md) live here, for all
// vendors.
#pragma once

#include <cstring>

#include <backends/gpu/fused_fold.hpp>
#include <backends/gpu/kernel_folds.hpp>
#include <backends/gpu/launch_table.hpp>
#include <backends/gpu/packed_fold.hpp>
#include <backends/gpu/packed_source.hpp>
#include <backends/gpu/placed_fold.hpp>
#include <backends/gpu/row_fold.hpp>
#include <backends/gpu/short_columns.hpp>
#include <backends/gpu/stored_rows.hpp>
#include <backends/gpu/tiny_fold.hpp>
#include <contract.hpp>
#include <isofold/gpu/device_scope.hpp>
#include <isofold/gpu/grid_fold.hpp>
#include <isofold/gpu/workspace.hpp>
#include <parameters.hpp>
#include <stored_elements.hpp>
#include <validate_layout.hpp>

namespace isofold::gpu {

template <class Platform>
class Instance final : public contract::Instance {
 public:
  // `validate`: index lists are checked as they are read.
  Instance(int device, const DeviceFacts& facts, void* stream, bool validate)
      : device_(device), facts_(facts), stream_(stream), validate_(validate) {}

  // The caller's stream must still exist, unless this Instance's work has been waited for.
  ~Instance() override {
    const DeviceScope<Platform> scope(device_);
    if (pending_ && !lost_) {
      Platform::synchronize(stream_);
    }
    if (event_ != nullptr) {
      Platform::destroy_event(event_);
    }
    // The workspace goes while the device is still current.
    workspace_.release();
  }

  std::int32_t reduce(const isofold_request& request, contract::Report& report) noexcept override {
    return with_case(request, report, [&](auto fold, std::size_t result_bytes) {
      using Fold = decltype(fold);
      return is_packed<Fold>(request) ? run_packed(fold, request, result_bytes, report)
             : has_layout(request)    ? run_placed(fold, request, result_bytes, report)
             : is_converted(request)  ? run_converted(fold, request, result_bytes, report)
                                      : run(fold, request, result_bytes, report);
    });
  }

  // Arrays and rows are read once for all folds of one array; the others have launches of their
  // own, as have all in a graph capture that finds no workspace or no kernel loaded.
  std::int32_t reduce_fused(const isofold_request* requests, std::int32_t count,
                            contract::Report& report) noexcept override {
    return on_device(report, [&] {
      std::int32_t code = ISOFOLD_ok;
      bool done[ISOFOLD_MOST_FUSED]{};
      switch (requests[0].type) {
#define ISOFOLD_FUSED(name, number, c_type)                  \
  case number:                                               \
    code = run_fused<c_type>(requests, count, done, report); \
    break;
        ISOFOLD_REAL_TYPES(ISOFOLD_FUSED)
#undef ISOFOLD_FUSED
        default: break;
      }
      for (std::int32_t i = 0; i < count && code == ISOFOLD_ok; ++i) {
        code = done[i] ? ISOFOLD_ok : reduce(requests[i], report);
      }
      return code;
    });
  }

  std::int32_t reserve(const isofold_request& request, contract::Report& report) noexcept override {
    return with_case(request, report, [&](auto fold, std::size_t) {
      using Fold = decltype(fold);
      return is_packed<Fold>(request) ? prepare_packed(fold, request, report)
             : has_layout(request)    ? prepare_placed(fold, request, report)
             : is_converted(request)  ? prepare_converted(fold, request, report)
                                      : prepare(fold, request, report);
    });
  }

  std::int32_t synchronize(contract::Report& report) noexcept override {
    return on_device(report, [&]() -> std::int32_t {
      bool capturing = false;
      if (const Status asked = Platform::capturing(stream_, &capturing); !asked.ok() || capturing) {
        return asked.ok() ? report.fail(ISOFOLD_capture,
                                        "synchronize() waits, which a graph capture of its stream "
                                        "cannot hold; call it after the capture.")
                          : fail(asked, "asking whether the stream is being captured", report);
      }
      return wait(report);
    });
  }

  std::int32_t set_stream(void* stream, contract::Report& report) noexcept override {
    return on_device(report, [&]() -> std::int32_t {
      if ((pending_ || clearing_) && stream != stream_) {
        if (const std::int32_t code = order_after_pending(stream, report); code != ISOFOLD_ok) {
          return code;
        }
      }
      stream_ = stream;
      return ISOFOLD_ok;
    });
  }

 private:
  template <class Body>
  std::int32_t on_device(contract::Report& report, Body&& body) noexcept {
    if (lost_) {
      return report.fail(ISOFOLD_device_lost,
                         "Device %d was lost by an earlier failure; this process cannot use it any "
                         "more: end it, and look for the first error.",
                         device_);
    }
    const DeviceScope<Platform> scope(device_);
    if (!scope.status().ok()) {
      return fail(scope.status(), "making the device current", report);
    }
    return body();
  }

  template <class Body>
  std::int32_t with_case(const isofold_request& request, contract::Report& report,
                         Body&& body) noexcept {
    return on_device(report, [&] {
      std::int32_t code = ISOFOLD_unsupported;
      const bool known = visit_case(request.fold, computed_type(request), [&](auto fold) {
        code = body(kernel_fold<Platform>(with_parameters(fold, request)),
                    sizeof(typename decltype(fold)::result_type));
      });
      return known
                 ? code
                 : report.fail(ISOFOLD_unsupported, "Backend %s: no fold %d over element type %d.",
                               Platform::name, request.fold, request.type);
    });
  }

  template <class Fold>
  Plan plan(const isofold_request& request, bool wide) const {
    using Element = typename Fold::element_type;
    static constexpr isofold_schedule none{};
    using Wide = GridFold<Rows<Fold>, WideLanes<Element>>;
    const Situation at = situation<Fold>(request, wide);
    const int most_threads = at.staged_threads > 0 ? at.staged_threads : Wide::max_threads;
    return make_plan(at, request.schedule ? *request.schedule : none, most_threads);
  }
  // Of a multiprocessor, where the chunks of GridFold and RowsFold go through shared memory.
  template <class Fold>
  int fitting_staged_threads(bool wide) const {
    using Lanes = WideLanes<typename Fold::element_type>;
    if (!wide || !facts_.has_stages || !is_staged<Fold, Lanes>()) {
      return 0;
    }
    const std::size_t states =
        BlockMemory<typename Fold::state_type>::bytes(most_tile, facts_.wave_width);
    return std::min(
        StageOf<Fold, Lanes>::threads,
        StageOf<Fold, Lanes>::most_threads(facts_.shared_bytes - states, facts_.wave_width));
  }
  template <class Fold>
  Situation situation(const isofold_request& request, bool wide) const {
    using Element = typename Fold::element_type;
    return {request.rows,
            request.length,
            wide ? WideLanes<Element>::team : NarrowLanes<Element>::team,
            wide,
            facts_,
            sizeof(Element),
            has_short_rows<Fold>,
            fitting_staged_threads<Fold>(wide)};
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
  std::int32_t prepare(Fold, const isofold_request& request, contract::Report& report) {
    using Element = typename Fold::element_type;
    Status loaded = Platform::template load<EmptyRows<Fold>>();
    loaded =
        loaded.ok() ? Platform::template load<GridFold<Rows<Fold>, WideLanes<Element>>>() : loaded;
    loaded = loaded.ok() ? Platform::template load<GridFold<Rows<Fold>, NarrowLanes<Element>>>()
                         : loaded;
    loaded = loaded.ok() ? Platform::template load<RowsFold<Fold, WideLanes<Element>>>() : loaded;
    loaded = loaded.ok() ? Platform::template load<RowsFold<Fold, NarrowLanes<Element>>>() : loaded;
    if constexpr (has_short_rows<Fold>) {
      loaded = loaded.ok() ? Platform::template load<ShortRowsFold<Fold>>() : loaded;
    }
    if constexpr (may_have_slow_fences<Platform>) {
      loaded = loaded.ok() ? Platform::template load<NodesFold<Rows<Fold>>>() : loaded;
    }
    if (!loaded.ok()) {
      return fail(loaded, "loading the kernels", report);
    }
    for (const bool wide : {false, true}) {
      const Plan planned = plan<Fold>(request, wide);
      if (const auto code = take_workspace(node_bytes<Fold>(planned), planned.counters(), report);
          code != ISOFOLD_ok) {
        return code;
      }
    }
    const Status slot = workspace_.take_result();
    return slot.ok() ? ISOFOLD_ok : fail(slot, "allocating the result of blocking calls", report);
  }

  template <class Fold>
  static std::size_t node_bytes(const Plan& plan) {
    return static_cast<std::size_t>(plan.nodes()) * sizeof(typename Fold::state_type);
  }

  std::int32_t take_workspace(std::size_t bytes, std::int64_t counters, contract::Report& report) {
    if (workspace_.holds(bytes, counters)) {
      return ISOFOLD_ok;
    }
    bool capturing = false;
    const Status asked = Platform::capturing(stream_, &capturing);
    if (!asked.ok()) {
      return fail(asked, "asking whether the stream is being captured", report);
    }
    if (capturing) {
      return report.fail(
          ISOFOLD_capture,
          "This reduction needs %zu bytes of workspace, which a graph capture cannot "
          "allocate; call reserve() with the same shape before the capture.",
          bytes);
    }
    const Status taken = workspace_.take(bytes, counters, stream_);
    if (taken.code == ISOFOLD_out_of_memory) {
      return report.fail(
          ISOFOLD_out_of_memory,
          "Device %d has no %zu bytes left for the workspace; free some memory there "
          "and call again.",
          device_, bytes);
    }
    // New counters are cleared in the order of this stream.
    clearing_ = clearing_ || (taken.ok() && counters > 0);
    return taken.ok() ? ISOFOLD_ok : fail(taken, "allocating workspace", report);
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
    const std::int32_t code = enqueue(
        request, node_bytes<Fold>(planned), planned.counters(), report, [&](bool capturing) {
          const Rows<Fold> rows = rows_of(fold, request);
          return wide ? launch<WideLanes<Element>>(rows, planned, capturing)
                      : launch<NarrowLanes<Element>>(rows, planned, capturing);
        });
    if (code == ISOFOLD_ok && request.ran != nullptr) {
      *request.ran = describe(planned, situation<Fold>(request, wide));
    }
    return code == ISOFOLD_ok ? finish<Fold>(request, result_bytes, report) : code;
  }

  // Takes workspace and calls launch(capturing), with all that a failure leaves to be mended.
  template <class Launching>
  std::int32_t enqueue(const isofold_request& request, std::size_t bytes, std::int64_t counters,
                       contract::Report& report, Launching&& launching) {
    const bool blocking = (request.flags & ISOFOLD_BLOCKING) != 0;
    bool capturing = false;
    if (const Status asked = Platform::capturing(stream_, &capturing); !asked.ok()) {
      return fail(asked, "asking whether the stream is being captured", report);
    }
    if (capturing && blocking) {
      return report.fail(ISOFOLD_capture,
                         "A blocking call waits, which a graph capture of its stream cannot hold; "
                         "give it a result in device memory.");
    }
    if (const auto code = take_workspace(bytes, counters, report); code != ISOFOLD_ok) {
      return code;
    }
    if (blocking) {
      if (const Status slot = workspace_.take_result(); !slot.ok()) {
        return fail(slot, "allocating the result of blocking calls", report);
      }
    }
    if (counters_in_doubt_) {
      if (const Status zeroed = workspace_.zero_counters(stream_); !zeroed.ok()) {
        return fail(zeroed, "clearing the counters after a failed launch", report);
      }
      counters_in_doubt_ = capturing;  // a captured clearing runs with its graph, not now
    }
    const Status launched = launching(capturing);
    // Of several launches the first may be on their way when a later one fails.
    if (capturing) {
      workspace_.keep();
    } else {
      pending_ = true;
    }
    if (!launched.ok()) {
      counters_in_doubt_ = true;
      return fail(launched, "launching the kernel", report);
    }
    return ISOFOLD_ok;
  }

  // What remains of a blocking call.
  template <class Fold>
  std::int32_t finish(const isofold_request& request, std::size_t result_bytes,
                      contract::Report& report) {
    if ((request.flags & ISOFOLD_BLOCKING) == 0) {
      return ISOFOLD_ok;
    }
    const std::int32_t code = wait(report);
    if (code == ISOFOLD_ok) {
      const bool state = (request.flags & ISOFOLD_STATE) != 0;
      std::memcpy(request.result, workspace_.result(),
                  state ? sizeof(typename Fold::state_type) : result_bytes);
    }
    return code;
  }

  template <class Fold>
  Rows<Fold> rows_of(const Fold& fold, const isofold_request& request) const {
    using Element = typename Fold::element_type;
    return {
        fold,
        {static_cast<const Element*>(request.data), static_cast<const Element*>(request.second)},
        request.rows,
        request.length,
        request.stride,
        request.second_stride,
        (request.flags & ISOFOLD_BLOCKING) != 0 ? workspace_.result() : request.result,
        (request.flags & ISOFOLD_STATE) != 0};
  }

  // ---- elements of other types than are computed in -------------------------------------------

  // By GridFold alone, however short the rows.
  template <class Lanes, class Fold>
  Plan plan_converted(const isofold_request& request) const {
    static constexpr isofold_schedule none{};
    Situation at = situation<Fold>(request, Lanes::per_load > 1);
    at.team = Lanes::team;
    at.staged_threads = stored_threads<Lanes, Fold>();
    at.element_bytes = static_cast<std::size_t>(stored_bytes(request));
    const auto& wish = request.schedule != nullptr ? *request.schedule : none;
    const int most_threads =
        at.staged_threads > 0 ? at.staged_threads : GridFold<StoredRows<Fold>, Lanes>::max_threads;
    return request.length == 0 || request.rows == 0 ? make_plan(at, wish, most_threads)
                                                    : plan_grid(at, wish, most_threads);
  }

  // Of a multiprocessor, where chunks go through shared memory; 0: by way of registers.
  template <class Lanes, class Fold>
  int stored_threads() const {
    if constexpr (are_staged_words<Lanes>) {
      using Stage = typename StagedChunks<StoredRows<Fold>, Lanes>::Stage;
      const std::size_t states =
          BlockMemory<typename Fold::state_type>::bytes(most_tile, facts_.wave_width);
      return std::min(Stage::threads,
                      Stage::most_threads(facts_.shared_bytes - states, facts_.wave_width));
    } else {
      return 0;
    }
  }

  // use(word{}) for the words that elements which are computed with as Fold's are stored in.
  template <class Fold, class Use>
  static std::int32_t with_words(std::int64_t bytes, Use&& use) {
    using Element = typename Fold::element_type;
    if constexpr (std::is_same_v<Element, double>) {
      return use(float{});
    } else if constexpr (std::is_same_v<Element, float>) {
      return use(std::uint16_t{});
    } else {
      return bytes == 1 ? use(std::uint8_t{}) : use(std::uint16_t{});
    }
  }

  // Whether there are chunks for all teams, which are small: those of a warp in each row, and some
  // for each multiprocessor.
  bool stages_words(const isofold_request& request, std::int64_t lanes_of_thread) const {
    const std::int64_t chunks = core::chunk_count(request.length);
    const std::int64_t teams = facts_.wave_width * lanes_of_thread / core::lanes;
    return chunks >= teams &&
           chunks >= ceil_divide(staged_word_chunks * facts_.multiprocessors, request.rows);
  }

  // use(lanes{}) for the loads that the rows allow.
  template <class Fold, class Use>
  std::int32_t with_stored_lanes(const isofold_request& request, Use&& use) const {
    if constexpr (may_have_stages<Platform> && has_staged_words<Fold>) {
      const std::int64_t bytes = stored_bytes(request);
      if (facts_.has_stages && stages_words(request, 16 / bytes) &&
          is_aligned(request, Fold::arrays, static_cast<std::size_t>(bytes), 16)) {
        return with_words<Fold>(bytes,
                                [&](auto word) { return use(StagedWords<decltype(word)>{}); });
      }
    }
    if constexpr (takes_wide_halves<Fold>()) {
      if (is_aligned(request, Fold::arrays, sizeof(std::uint16_t), 8)) {
        return use(WideHalves{});
      }
    }
    return use(NarrowLanes<typename Fold::element_type>{});
  }

  template <class Fold>
  std::int32_t run_converted(Fold fold, const isofold_request& request, std::size_t result_bytes,
                             contract::Report& report) {
    if constexpr (!is_computed_from_others<typename Fold::element_type>) {
      return report.fail(ISOFOLD_internal, "No elements are computed with as such.");
    } else {
      if (request.rows == 0) {
        return ISOFOLD_ok;
      }
      const std::int32_t code = with_stored_lanes<Fold>(request, [&](auto lanes) {
        using Lanes = decltype(lanes);
        const Plan planned = plan_converted<Lanes, Fold>(request);
        const auto launch_rows = [&](bool capturing) {
          const StoredRows<Fold> rows{rows_of(fold, request), request.type,
                                      static_cast<std::int32_t>(stored_bytes(request))};
          Launch size = planned.launch;
          size.capturing = capturing;
          return request.length == 0 ? Platform::launch(EmptyRows<Fold>{rows}, size, stream_)
                                     : launch_grid<Lanes>(rows, planned, size);
        };
        if (request.ran != nullptr) {
          *request.ran = describe(planned, situation<Fold>(request, false));
        }
        return enqueue(request, node_bytes<Fold>(planned), planned.counters(), report, launch_rows);
      });
      return code == ISOFOLD_ok ? finish<Fold>(request, result_bytes, report) : code;
    }
  }

  template <class Fold>
  std::int32_t prepare_converted(Fold, const isofold_request& request, contract::Report& report) {
    if constexpr (!is_computed_from_others<typename Fold::element_type>) {
      return report.fail(ISOFOLD_internal, "No elements are computed with as such.");
    } else {
      using Narrow = NarrowLanes<typename Fold::element_type>;
      Status loaded = Platform::template load<EmptyRows<Fold>>();
      loaded = loaded.ok() ? Platform::template load<GridFold<StoredRows<Fold>, Narrow>>() : loaded;
      std::int32_t code = take_converted<Narrow, Fold>(request, report);
      if constexpr (takes_wide_halves<Fold>()) {
        loaded = loaded.ok() ? Platform::template load<GridFold<StoredRows<Fold>, WideHalves>>()
                             : loaded;
        code = code == ISOFOLD_ok ? take_converted<WideHalves, Fold>(request, report) : code;
      }
      if constexpr (may_have_stages<Platform> && has_staged_words<Fold>) {
        if (facts_.has_stages && code == ISOFOLD_ok) {
          code = with_words<Fold>(stored_bytes(request), [&](auto word) {
            using Lanes = StagedWords<decltype(word)>;
            loaded =
                loaded.ok() ? Platform::template load<GridFold<StoredRows<Fold>, Lanes>>() : loaded;
            return take_converted<Lanes, Fold>(request, report);
          });
        }
      }
      if constexpr (may_have_slow_fences<Platform>) {
        loaded = loaded.ok() ? Platform::template load<NodesFold<Rows<Fold>>>() : loaded;
      }
      if (!loaded.ok()) {
        return fail(loaded, "loading the kernels", report);
      }
      const Status slot = code == ISOFOLD_ok ? workspace_.take_result() : Status{};
      return slot.ok() ? code : fail(slot, "allocating the result of blocking calls", report);
    }
  }
  template <class Lanes, class Fold>
  std::int32_t take_converted(const isofold_request& request, contract::Report& report) {
    const Plan planned = plan_converted<Lanes, Fold>(request);
    return take_workspace(node_bytes<Fold>(planned), planned.counters(), report);
  }

  // ---- several folds at once ------------------------------------------------------------------

  // What a list of folds needs besides its entries.
  struct FusedNeeds {
    int on_list = 0;
    int request[ISOFOLD_MOST_FUSED]{};  // of each entry
    std::size_t state_bytes[ISOFOLD_MOST_FUSED]{};
    std::size_t result_bytes[ISOFOLD_MOST_FUSED]{};
  };

  // Puts the request on the list, if its fold is on the menu.
  template <class T, class Kernel>
  static void enlist(const isofold_request& request, int number, Kernel& kernel,
                     FusedNeeds& needs) {
    visit_case(request.fold, request.type, [&](auto fold) {
      using Fold = decltype(fold);
      if constexpr (std::is_same_v<typename Fold::element_type, T> && Fold::arrays == 1) {
        const auto ours = kernel_fold<Platform>(with_parameters(fold, request));
        using Ours = std::decay_t<decltype(ours)>;
        constexpr int on_menu = Kernel::Menu::template number_of<Ours>();
        if constexpr (on_menu < Kernel::Menu::length) {
          const int i = needs.on_list++;
          FusedEntry& entry = kernel.entry[i];
          std::memcpy(entry.fold, static_cast<const void*>(&ours), sizeof ours);
          entry.number = on_menu;
          entry.write_state = (request.flags & ISOFOLD_STATE) != 0;
          needs.request[i] = number;
          needs.state_bytes[i] = sizeof(typename Ours::state_type);
          needs.result_bytes[i] =
              entry.write_state ? needs.state_bytes[i] : sizeof(typename Fold::result_type);
        }
      }
    });
  }

  template <class T>
  std::int32_t run_fused(const isofold_request* requests, std::int32_t count, bool* done,
                         contract::Report& report) {
    const isofold_request& input = requests[0];
    const bool forced = std::any_of(requests, requests + count,
                                    [](const auto& each) { return each.schedule != nullptr; });
    if (has_layout(input) || is_converted(input) || forced || input.rows == 0 ||
        input.length == 0) {
      return ISOFOLD_ok;
    }
    if constexpr (!has_fused_kernels<Platform>) {
      return ISOFOLD_ok;
    } else {
      return is_wide<core::Sum<T>>(input)
                 ? run_fused<T, WideLanes<T>>(requests, count, done, report)
                 : run_fused<T, NarrowLanes<T>>(requests, count, done, report);
    }
  }

  template <class T, class Lanes>
  std::int32_t run_fused(const isofold_request* requests, std::int32_t count, bool* done,
                         contract::Report& report) {
    using Kernel = FusedFold<Platform, T, Lanes>;
    const isofold_request& input = requests[0];
    Kernel kernel{};
    FusedNeeds needs;
    for (int i = 0; i < count; ++i) {
      enlist<T>(requests[i], i, kernel, needs);
    }
    bool capturing = false;
    if (const Status asked = Platform::capturing(stream_, &capturing); !asked.ok()) {
      return fail(asked, "asking whether the stream is being captured", report);
    }
    const Situation at = situation<core::Sum<T>>(input, Lanes::per_load > 1);
    const TilePlan plan = plan_tiles(at.rows, at.length, at.team, at.device, Kernel::max_threads);
    std::size_t node_begin[ISOFOLD_MOST_FUSED];
    std::size_t node_bytes = 0;
    std::size_t shared_bytes = 0;
    for (int i = 0; i < needs.on_list; ++i) {
      node_begin[i] = node_bytes;
      kernel.entry[i].states_begin = static_cast<int>(shared_bytes);
      if (plan.tiles > 1) {
        node_bytes +=
            aligned(needs.state_bytes[i] * static_cast<std::size_t>(input.rows * plan.tiles));
      }
      shared_bytes += aligned(needs.state_bytes[i] << plan.tile_shift);
    }
    const std::int64_t counters = plan.tiles > 1 ? input.rows : 0;
    if (needs.on_list < 2 || (capturing && !(workspace_.holds(node_bytes, counters) &&
                                             is_fused_loaded<Lanes>(input.type)))) {
      return ISOFOLD_ok;
    }
    kernel.data = static_cast<const T*>(input.data);
    kernel.rows = input.rows;
    kernel.length = input.length;
    kernel.stride = input.stride;
    kernel.tiles = plan.tiles;
    kernel.tile_shift = plan.tile_shift;
    kernel.flag_begin = static_cast<int>(shared_bytes);
    kernel.folds = needs.on_list;
    Launch size = plan.launch;
    size.shared_bytes = shared_bytes + Kernel::flag_bytes;
    const bool blocking = (input.flags & ISOFOLD_BLOCKING) != 0;
    std::int32_t code = enqueue(input, node_bytes, counters, report, [&](bool in_capture) {
      kernel.counters = workspace_.counters();
      for (int i = 0; i < needs.on_list; ++i) {
        kernel.entry[i].nodes = static_cast<char*>(workspace_.nodes()) + node_begin[i];
        kernel.entry[i].result =
            blocking ? workspace_.result(i) : requests[needs.request[i]].result;
      }
      size.capturing = in_capture;
      return Platform::launch(kernel, size, stream_);
    });
    if (code == ISOFOLD_ok && blocking) {
      code = wait(report);
    }
    for (int i = 0; i < needs.on_list && code == ISOFOLD_ok; ++i) {
      const isofold_request& request = requests[needs.request[i]];
      if (blocking) {
        std::memcpy(request.result, workspace_.result(i), needs.result_bytes[i]);
      }
      done[needs.request[i]] = true;
    }
    if (code == ISOFOLD_ok && !capturing) {
      is_fused_loaded<Lanes>(input.type) = true;
    }
    return code;
  }

  // Each begins at a multiple of 16 bytes.
  static std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

  // Whether a launch has loaded that kernel: one inside a capture must not.
  template <class Lanes>
  bool& is_fused_loaded(std::int32_t type) {
    return fused_loaded_[type][Lanes::per_load > 1 ? 1 : 0];
  }

  // ---- shapes with a layout -----------------------------------------------------------------

  // Neither rows nor, where all rows have one length, elements.
  static bool has_none(const isofold_request& request) {
    return request.rows == 0 || (request.length == 0 && request.shape != ISOFOLD_SHAPE_segments &&
                                 request.shape != ISOFOLD_SHAPE_batch);
  }
  static bool is_masked(const isofold_request& request) {
    return has_layout(request) && request.layout->mask != nullptr;
  }

  static bool is_joined(const isofold_request& request) {
    return request.shape == ISOFOLD_SHAPE_joined;
  }
  // A box in long runs, without a mask, of elements as they are computed with.
  template <class Fold>
  bool has_runs(const isofold_request& request) const {
    return request.shape == ISOFOLD_SHAPE_box && !has_none(request) && !is_masked(request) &&
           !is_converted(request) &&
           packs_runs({request.rows, request.length, run_length(*request.layout, Fold::arrays == 2),
                       sizeof(typename Fold::element_type), facts_});
  }
  template <class Fold>
  bool is_packed(const isofold_request& request) const {
    return is_masked(request) || is_joined(request) || has_runs<Fold>(request);
  }

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
    places.fault = static_cast<Fault*>(workspace_.fault());
    if (layout.elements > 0) {
      places.elements = layout.elements;
    }
    return places;
  }

  template <class Fold>
  PlacedPlan plan_of(const isofold_request& request, const Places& places) const {
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
    at.shared_bytes = PlacedFold<Fold>::shared_bytes;
    at.device = facts_;
    return plan_placed(at);
  }
  // Segments that follow one another: one list says where they begin and end. Elements are as they
  // are computed with.
  template <class Fold>
  TinyPlan tiny_plan(const isofold_request& request) const {
    const bool in_line = request.shape == ISOFOLD_SHAPE_segments &&
                         request.layout->begins != nullptr && request.layout->ends == nullptr &&
                         !is_converted(request);
    return in_line ? plan_tiny({request.rows, request.layout->elements, TinyFold<Fold>::most_rows,
                                Fold::arrays * sizeof(typename Fold::element_type),
                                TinyFold<Fold>::most_tile, TinyFold<Fold>::warp_bytes, facts_})
                   : TinyPlan{};
  }
  ShortColumnsSituation columns_of(const isofold_request& request, const Places& places) const {
    return {request.rows, request.length,
            request.shape == ISOFOLD_SHAPE_box && !is_converted(request) &&
                places.kept.nearer_than(places.reduced),
            facts_};
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
  static std::int64_t placed_counters(const PlacedPlan& plan, const TinyPlan& tiny) {
    return plan.counters + (tiny.room > 0 ? 2 : 0);
  }

  std::int32_t take_fault(const isofold_request& request, contract::Report& report) {
    const bool reads_lists = validate_ && request.shape != ISOFOLD_SHAPE_box;
    const Status taken =
        reads_lists || empty_is_fault(request) ? workspace_.take_fault() : Status{};
    return taken.ok() ? ISOFOLD_ok : fail(taken, "allocating a place for errors", report);
  }

  template <class Fold>
  std::int32_t prepare_placed(Fold fold, const isofold_request& request, contract::Report& report) {
    if (has_none(request)) {
      return prepare(fold, request, report);
    }
    const TinyPlan tiny = tiny_plan<Fold>(request);
    Status loaded = with_stored<Fold>(request, [](auto stored) {
      return Platform::template load<PlacedFold<Fold, decltype(stored)>>();
    });
    if (!is_converted(request)) {
      loaded = loaded.ok() ? Platform::template load<ShortColumnsFold<Fold>>() : loaded;
      loaded = loaded.ok() && tiny.room > 0 ? Platform::template load<TinyFold<Fold>>() : loaded;
    }
    if (!loaded.ok()) {
      return fail(loaded, "loading the kernels", report);
    }
    if (const auto code = take_fault(request, report); code != ISOFOLD_ok) {
      return code;
    }
    const Places places = places_of<Fold>(request);
    const PlacedPlan plan = plan_of<Fold>(request, places);
    if (const auto code =
            take_workspace(placed_bytes<Fold>(plan, tiny), placed_counters(plan, tiny), report);
        code != ISOFOLD_ok) {
      return code;
    }
    const Status slot = workspace_.take_result();
    return slot.ok() ? ISOFOLD_ok : fail(slot, "allocating the result of blocking calls", report);
  }

  template <class Fold>
  std::int32_t run_placed(Fold fold, const isofold_request& request, std::size_t result_bytes,
                          contract::Report& report) {
    if (has_none(request)) {
      return run(fold, request, result_bytes, report);
    }
    if (const auto code = take_fault(request, report); code != ISOFOLD_ok) {
      return code;
    }
    const Places places = places_of<Fold>(request);
    const PlacedPlan plan = plan_of<Fold>(request, places);
    const TinyPlan tiny = tiny_plan<Fold>(request);
    const ShortColumnsSituation columns = columns_of(request, places);
    const bool short_columns = are_short_columns(columns);  // these need no workspace
    const std::int32_t code =
        enqueue(request, short_columns ? 0 : placed_bytes<Fold>(plan, tiny),
                short_columns ? 0 : placed_counters(plan, tiny), report, [&](bool capturing) {
                  const Rows<Fold> rows = rows_of(fold, request);
                  return short_columns
                             ? launch_short_columns(rows, places, columns, capturing)
                             : with_stored<Fold>(request, [&](auto stored) {
                                 return launch_placed(rows, places, plan, tiny, stored, capturing);
                               });
                });
    return code == ISOFOLD_ok ? finish<Fold>(request, result_bytes, report) : code;
  }

  template <class Fold>
  Status launch_short_columns(const Rows<Fold>& rows, const Places& places,
                              const ShortColumnsSituation& columns, bool capturing) {
    using Kernel = ShortColumnsFold<Fold>;
    Launch size = plan_short_columns(columns, Kernel::rows_at_once(rows.length));
    size.capturing = capturing;
    size.shared_bytes = Kernel::shared_bytes();
    return Platform::launch(Kernel{rows, places.kept, places.reduced}, size, stream_);
  }

  template <class Fold, class Stored>
  Status launch_placed(const Rows<Fold>& rows, const Places& places, const PlacedPlan& plan,
                       const TinyPlan& tiny, const Stored& stored, bool capturing) {
    using State = typename Fold::state_type;
    auto* const left = static_cast<LeftRows*>(workspace_.nodes());
    auto* const list = reinterpret_cast<SharedTile*>(left + tiny.room);
    auto* const nodes = reinterpret_cast<State*>(list + plan.sharing.room);
    std::uint32_t* counters = workspace_.counters();
    const bool ragged = places.is_ragged();  // then two counters are the list's
    const bool has_tiny = tiny.room > 0;     // and two before them those of what is left
    PlacedFold<Fold, Stored> kernel{
        rows, places, plan.sharing, nodes, counters + (has_tiny ? 4 : ragged ? 2 : 0),
        list, false,  stored};
    Launch size = plan.launch;
    size.shared_bytes = kernel.shared_bytes(size.threads, facts_.wave_width, plan.sharing, ragged);
    if (has_tiny) {
      kernel.left = left;
      kernel.left_count = counters + 1;
      size.blocks = tiny.left_blocks;
      const Status launched = launch_tiny(rows, places, tiny, left, counters + 1, capturing);
      if (!launched.ok()) {
        return launched;
      }
    }
    size.capturing = capturing;
    const Status launched = Platform::launch(kernel, size, stream_);
    if (!launched.ok() || plan.second_blocks == 0) {
      return launched;
    }
    kernel.left = nullptr;
    kernel.from_list = true;
    size.blocks = plan.second_blocks;
    size.threads = plan.second_threads;
    size.shared_bytes = kernel.shared_bytes(size.threads, facts_.wave_width, plan.sharing, ragged);
    return Platform::launch(kernel, size, stream_);
  }

  template <class Fold>
  Status launch_tiny(const Rows<Fold>& rows, const Places& places, const TinyPlan& plan,
                     LeftRows* left, std::uint32_t* left_count, bool capturing) {
    Launch size = plan.launch;
    size.capturing = capturing;
    return Platform::launch(TinyFold<Fold>::of(rows, places, plan.tiles, left, left_count), size,
                            stream_);
  }

  // ---- shapes with a layout: rows that warps pack --------------------------------------------

  template <class Fold>
  MaskedRows masked_rows(const isofold_request& request) const {
    constexpr std::int64_t some = 64;  // entries: then the loads of CountMask are inside the mask
    MaskedRows masked;
    masked.places = places_of<Fold>(request);
    masked.entries = static_cast<const unsigned char*>(request.layout->mask);
    masked.of_bits = request.layout->mask_type == ISOFOLD_MASK_bits;
    masked.rows = request.rows;
    masked.length = request.length;
    masked.in_line = masked.places.reduced.mask_in_line() && masked.rows * masked.length >= some;
    return masked;
  }

  template <class Fold>
  PackedPlaces packed_places(const isofold_request& request) const {
    PackedPlaces source;
    source.joins = is_joined(request);
    source.has_runs = has_runs<Fold>(request);
    source.empty_fault =
        empty_is_fault(request) ? static_cast<Fault*>(workspace_.fault()) : nullptr;
    if (source.joins) {
      source.joined.count = request.length;
    } else if (source.has_runs) {
      source.masked.places = places_of<Fold>(request);
      source.masked.length = request.length;
    } else {
      source.masked = masked_rows<Fold>(request);
    }
    return source;
  }

  // Elements that joined arrays may have in all.
  static std::int64_t most_joined(const isofold_request& request) {
    const std::int64_t known = request.layout->elements;
    return known > 0 ? known : std::int64_t{1} << joined_most_shift;
  }

  template <class Fold>
  PackedPlan packed_plan(const isofold_request& request) const {
    const bool joins = is_joined(request);
    return plan_packed({request.rows, joins ? most_joined(request) : request.length,
                        joins ? PackedTiles::largest_shift : PackedTiles{}.most_shift,
                        has_runs<Fold>(request), PackedFold<Fold, PackedSource>::warp_bytes,
                        facts_});
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
      bits = size(source.has_runs ? 0
                  : source.joins  ? source.joined.count + 1
                                  : rows * (masked.blocks() + 1),
                  sizeof(std::int64_t));
      nodes = bits + size(source.joins || source.has_runs ? 0 : rows * masked.words(),
                          sizeof(std::uint32_t));
      group_nodes = nodes + size(plan.groups > 0 ? rows * plan.tiles.most : 0, sizeof(State));
      bytes = group_nodes + size(plan.groups > 1 ? rows * plan.groups : 0, sizeof(State));
    }
  };
  static std::int64_t packed_counters(const isofold_request& request, const PackedPlan& plan) {
    return plan.groups > 1 ? request.rows : 0;
  }

  template <class Fold>
  std::int32_t prepare_packed(Fold fold, const isofold_request& request, contract::Report& report) {
    using Nodes = PackedNodes<Fold, PackedPlaces>;
    if (has_none(request)) {
      return prepare(fold, request, report);
    }
    Status loaded = is_joined(request)   ? Platform::template load<JoinLengths>()
                    : is_masked(request) ? Platform::template load<CountMask>()
                                         : Status{};
    loaded = loaded.ok() && is_masked(request) ? Platform::template load<SumCounts>() : loaded;
    loaded = loaded.ok() ? Platform::template load<Nodes>() : loaded;
    if (loaded.ok()) {
      loaded = with_stored<Fold>(request, [](auto stored) {
        return Platform::template load<PackedFold<Fold, PackedSourceOf<decltype(stored)>>>();
      });
    }
    if (!loaded.ok()) {
      return fail(loaded, "loading the kernels", report);
    }
    if (const auto code = take_fault(request, report); code != ISOFOLD_ok) {
      return code;
    }
    const PackedPlan plan = packed_plan<Fold>(request);
    const PackedWorkspace<Fold> parts(packed_places<Fold>(request), request.rows, plan);
    if (const auto code = take_workspace(parts.bytes, packed_counters(request, plan), report);
        code != ISOFOLD_ok) {
      return code;
    }
    const Status slot = workspace_.take_result();
    return slot.ok() ? ISOFOLD_ok : fail(slot, "allocating the result of blocking calls", report);
  }

  template <class Fold>
  std::int32_t run_packed(Fold fold, const isofold_request& request, std::size_t result_bytes,
                          contract::Report& report) {
    if (has_none(request)) {
      return run(fold, request, result_bytes, report);
    }
    if (const auto code = take_fault(request, report); code != ISOFOLD_ok) {
      return code;
    }
    PackedPlaces source = packed_places<Fold>(request);
    const PackedPlan plan = packed_plan<Fold>(request);
    const PackedWorkspace<Fold> parts(source, request.rows, plan);
    const auto launch_all = [&](bool capturing) {
      auto* const memory = static_cast<char*>(workspace_.nodes());
      source.joined.before = reinterpret_cast<std::int64_t*>(memory);
      source.masked.taken_before = reinterpret_cast<std::int64_t*>(memory);
      source.masked.taken = reinterpret_cast<std::uint32_t*>(memory + parts.bits);
      const Status counted = source.has_runs ? Status{}
                             : source.joins  ? join_lengths(source, request, capturing)
                                             : count_mask(source.masked, capturing);
      return !counted.ok() ? counted : with_stored<Fold>(request, [&](auto stored) {
        const PackedSourceOf<decltype(stored)> stored_source{source, stored};
        return launch_packed(rows_of(fold, request), stored_source, plan, memory + parts.nodes,
                             memory + parts.group_nodes, capturing);
      });
    };
    const std::int32_t code =
        enqueue(request, parts.bytes, packed_counters(request, plan), report, launch_all);
    return code == ISOFOLD_ok ? finish<Fold>(request, result_bytes, report) : code;
  }

  Status count_mask(const MaskedRows& masked, bool capturing) {
    Launch size;
    size.capturing = capturing;
    size.threads = CountMask::max_threads;
    size.blocks = std::min(
        ceil_divide(masked.rows * masked.blocks(), size.threads / facts_.wave_width), most_blocks);
    const Status counted =
        Platform::launch(CountMask{masked, Divisor(masked.blocks())}, size, stream_);
    if (!counted.ok() || masked.blocks() == 1) {
      return counted;
    }
    size.threads = SumCounts::max_threads;
    size.blocks = std::min(masked.rows, most_blocks);
    size.shared_bytes = SumCounts::shared_bytes(size.threads, facts_.wave_width);
    return Platform::launch(SumCounts{masked}, size, stream_);
  }

  Status join_lengths(const PackedPlaces& source, const isofold_request& request, bool capturing) {
    Launch size;
    size.capturing = capturing;
    size.threads = JoinLengths::max_threads;
    size.shared_bytes = JoinLengths::shared_bytes(size.threads, facts_.wave_width);
    return Platform::launch(JoinLengths{source.joined,
                                        request.layout->ends,
                                        request.layout->index_type == ISOFOLD_TYPE_i64,
                                        {request.data, request.second},
                                        most_joined(request),
                                        static_cast<Fault*>(workspace_.fault())},
                            size, stream_);
  }

  template <class Fold, class Source>
  Status launch_packed(const Rows<Fold>& rows, const Source& source, const PackedPlan& plan,
                       void* node_memory, void* group_node_memory, bool capturing) {
    using State = typename Fold::state_type;
    using Nodes = PackedNodes<Fold, PackedPlaces>;
    auto* const nodes = plan.groups > 0 ? static_cast<State*>(node_memory) : nullptr;
    Launch size = plan.launch;
    size.capturing = capturing;
    const Status launched =
        Platform::launch(PackedFold<Fold, Source>{rows, source, plan.tiles, nodes}, size, stream_);
    if (!launched.ok() || nodes == nullptr) {
      return launched;
    }
    size = plan.nodes_launch;
    size.capturing = capturing;
    size.shared_bytes = BlockMemory<State>::bytes(Nodes::shared_states, facts_.wave_width);
    return Platform::launch(
        Nodes{rows, source, plan.tiles, plan.groups, Divisor(plan.groups), nodes,
              static_cast<State*>(group_node_memory), workspace_.counters()},
        size, stream_);
  }

  template <class Lanes, class Fold>
  Status launch(const Rows<Fold>& rows, const Plan& plan, bool capturing) {
    Launch size = plan.launch;
    size.capturing = capturing;
    switch (plan.kernel) {
      case KernelKind::empty: return Platform::launch(EmptyRows<Fold>{rows}, size, stream_);
      case KernelKind::short_rows:
        if constexpr (has_short_rows<Fold>) {
          return Platform::launch(ShortRowsFold<Fold>{rows, plan.row_shape}, size, stream_);
        }
        break;
      case KernelKind::rows:
        size.shared_bytes = RowsFold<Fold, Lanes>::shared_bytes(size.threads) +
                            stage_bytes<RowsFold<Fold, Lanes>, StageOf<Fold, Lanes>>(size.threads);
        return Platform::launch(RowsFold<Fold, Lanes>{rows, plan.warp_a_row}, size, stream_);
      case KernelKind::grid: return launch_grid<Lanes>(rows, plan, size);
    }
    return {ISOFOLD_internal, "no such kernel"};
  }

  // Shared memory of a block for chunks under way.
  template <class Kernel, class Stage>
  std::size_t stage_bytes(int threads) const {
    if constexpr (Kernel::is_staged) {
      return facts_.has_stages ? Stage::bytes(threads) : 0;
    } else {
      return 0;
    }
  }

  template <class Lanes, class AnyRows>
  Status launch_grid(const AnyRows& rows, const Plan& plan, Launch size) {
    using Fold = decltype(AnyRows::fold);
    using State = typename Fold::state_type;
    using Nodes = NodesFold<Rows<Fold>>;
    using Stage = typename StagedChunks<AnyRows, Lanes>::Stage;
    auto* const nodes = static_cast<State*>(workspace_.nodes());
    const bool nodes_later = may_have_slow_fences<Platform> && facts_.slow_fences && plan.tiles > 1;
    size.shared_bytes = BlockMemory<State>::bytes(plan.capacity, facts_.wave_width) +
                        stage_bytes<GridFold<AnyRows, Lanes>, Stage>(size.threads);
    const Status launched =
        Platform::launch(GridFold<AnyRows, Lanes>{rows, plan.tiles, plan.tile_chunks,
                                                  plan.grain_shift, plan.capacity, nodes,
                                                  nodes_later ? nullptr : workspace_.counters()},
                         size, stream_);
    if constexpr (may_have_slow_fences<Platform>) {
      if (nodes_later && launched.ok()) {
        size.blocks = std::min(rows.rows, most_blocks);
        size.threads = node_threads(plan.row_nodes, facts_.wave_width, Nodes::max_threads);
        return Platform::launch(Nodes{rows, plan.row_nodes, plan.capacity, nodes}, size, stream_);
      }
    }
    return launched;
  }

  std::int32_t wait(contract::Report& report) {
    const Status waited = Platform::synchronize(stream_);
    if (!waited.ok()) {
      counters_in_doubt_ = true;
      return fail(waited, "waiting for the device", report);
    }
    pending_ = false;
    clearing_ = false;
    return report_fault(report);
  }

  // What kernels found wrong in index lists since it was last asked.
  std::int32_t report_fault(contract::Report& report) {
    auto* const fault = static_cast<Fault*>(workspace_.fault());
    if (fault == nullptr || fault->found == 0) {
      return ISOFOLD_ok;
    }
    const Fault found = *fault;
    *fault = Fault{};
    const auto entry = static_cast<long long>(found.entry);
    const auto value = static_cast<long long>(found.value);
    switch (found.shape) {
      case ISOFOLD_SHAPE_segments:
        return report.fail(ISOFOLD_invalid_argument,
                           "Segment %lld has a bound of %lld: it must not end before it begins, "
                           "nor lie outside the data. Such segments (%u) were taken as empty.",
                           entry, value, found.found);
      case ISOFOLD_SHAPE_box:
        return report.fail(ISOFOLD_empty_input,
                           "The fold of no elements has no value, and the mask takes none; reduce "
                           "into memory to get the empty value of docs/folds.md.");
      case ISOFOLD_SHAPE_gather:
        return report.fail(ISOFOLD_invalid_argument,
                           "Entry %lld of the indices is %lld, which is outside the data. Such "
                           "entries (%u) were taken as 0.",
                           entry, value, found.found);
      case ISOFOLD_SHAPE_joined: return report_joined(found, report);
      default:
        return report.fail(ISOFOLD_invalid_argument,
                           "Array %lld of the batch, of length %lld, has a negative length or a "
                           "null pointer. Such arrays (%u) were taken as empty.",
                           entry, value, found.found);
    }
  }

  static std::int32_t report_joined(const Fault& found, contract::Report& report) {
    const auto entry = static_cast<long long>(found.entry);
    const auto value = static_cast<long long>(found.value);
    if (found.is_beyond) {
      return report.fail(ISOFOLD_invalid_argument,
                         "Entry %lld of the lengths, %lld, takes the joined arrays beyond the most "
                         "elements that the layout says there are (2^%d where it says nothing). "
                         "It and those that follow were taken as empty.",
                         entry, value, joined_most_shift);
    }
    if (value == 0) {
      return report.fail(ISOFOLD_empty_input,
                         "The fold of no elements has no value, and all the joined arrays are "
                         "empty; reduce into memory to get the empty value of docs/folds.md.");
    }
    return report.fail(ISOFOLD_invalid_argument,
                       "Array %lld of the joined batch, of length %lld, has a negative length or a "
                       "null pointer. Such arrays (%u) were taken as empty.",
                       entry, value, found.found);
  }

  std::int32_t order_after_pending(void* stream, contract::Report& report) {
    for (void* either : {stream_, stream}) {
      bool capturing = false;
      const Status asked = Platform::capturing(either, &capturing);
      if (!asked.ok() || capturing) {
        return asked.ok()
                   ? report.fail(ISOFOLD_capture,
                                 "set_stream() would order a graph capture after work outside "
                                 "it; call synchronize() before the capture begins.")
                   : fail(asked, "asking whether a stream is being captured", report);
      }
    }
    Status done = event_ == nullptr ? Platform::create_event(&event_) : Status{};
    done = done.ok() ? Platform::record_event(event_, stream_) : done;
    done = done.ok() ? Platform::wait_event(stream, event_) : done;
    return done.ok() ? ISOFOLD_ok : fail(done, "ordering the new stream after the old", report);
  }

  std::int32_t fail(const Status& status, const char* doing, contract::Report& report) {
    lost_ = lost_ || status.code == ISOFOLD_device_lost;
    const auto code = static_cast<isofold_code>(status.code);
    if (code == ISOFOLD_capture) {
      return report.fail(
          code,
          "Backend %s, device %d, %s: %s. A graph capture is under way that this call would "
          "break: give the Reducer the captured stream, or call it outside the capture.",
          Platform::name, device_, doing, status.text);
    }
    return report.fail(code, "Backend %s, device %d, %s: %s.%s", Platform::name, device_, doing,
                       status.text,
                       lost_ ? " The device is lost to this process: an earlier kernel or copy, of "
                               "any library, has failed."
                             : "");
  }

  int device_;
  DeviceFacts facts_;
  void* stream_;
  bool validate_;
  void* event_ = nullptr;
  bool pending_ = false;            // asynchronous work that nobody has waited for
  bool clearing_ = false;           // the same of counters alone: release() waits for that
  bool counters_in_doubt_ = false;  // a launch failed: they may not be zero
  bool lost_ = false;
  bool fused_loaded_[ISOFOLD_TYPE_u64 + 1][2]{};
  Workspace<Platform> workspace_;
};

}  // namespace isofold::gpu
