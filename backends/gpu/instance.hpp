// One Reducer's share of a GPU: a device, a stream, a workspace; how a request becomes one launch.
// The rules of streams, graph captures and failures (docs/guarantees.md) live here, for all
// vendors.
#pragma once

#include <cstring>

#include <backends/gpu/grid_fold.hpp>
#include <backends/gpu/kernel_folds.hpp>
#include <backends/gpu/launch_table.hpp>
#include <backends/gpu/row_fold.hpp>
#include <backends/gpu/workspace.hpp>
#include <contract.hpp>
#include <parameters.hpp>

namespace isofold::gpu {

// Makes a device current for a while and gives the caller's back.
template <class Platform>
class DeviceScope {
 public:
  explicit DeviceScope(int device) {
    status_ = Platform::current_device(&callers_);
    if (status_.ok() && callers_ != device) {
      status_ = Platform::use_device(device);
      changed_ = status_.ok();
    }
  }
  ~DeviceScope() {
    if (changed_) {
      Platform::use_device(callers_);
    }
  }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;
  const Status& status() const { return status_; }

 private:
  int callers_ = 0;
  bool changed_ = false;
  Status status_;
};

template <class Platform>
class Instance final : public contract::Instance {
 public:
  Instance(int device, const DeviceFacts& facts, void* stream)
      : device_(device), facts_(facts), stream_(stream), workspace_(&faults_) {}

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
      return run(fold, request, result_bytes, report);
    });
  }

  std::int32_t reserve(const isofold_request& request, contract::Report& report) noexcept override {
    return with_case(request, report,
                     [&](auto fold, std::size_t) { return prepare(fold, request, report); });
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
      const bool known = visit_case(request.fold, request.type, [&](auto fold) {
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
    return make_plan(situation<Fold>(request, wide), request.schedule ? *request.schedule : none,
                     GridFold<Fold, WideLanes<Element>>::max_threads);
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
            has_short_rows<Fold>};
  }
  // Wide loads need every row's first element aligned to the load, in both arrays.
  template <class Fold>
  static bool is_wide(const isofold_request& request) {
    using Element = typename Fold::element_type;
    const auto aligned = [&](const void* data, std::int64_t stride) {
      constexpr auto bytes = sizeof(Element) * WideLanes<Element>::per_load;
      return reinterpret_cast<std::uintptr_t>(data) % bytes == 0 &&
             (request.rows <= 1 ||
              static_cast<std::uint64_t>(stride) * sizeof(Element) % bytes == 0);
    };
    return aligned(request.data, request.stride) &&
           (Fold::arrays == 1 || aligned(request.second, request.second_stride));
  }

  template <class Fold>
  std::int32_t prepare(Fold, const isofold_request& request, contract::Report& report) {
    using Element = typename Fold::element_type;
    Status loaded = Platform::template load<EmptyRows<Fold>>();
    loaded = loaded.ok() ? Platform::template load<GridFold<Fold, WideLanes<Element>>>() : loaded;
    loaded = loaded.ok() ? Platform::template load<GridFold<Fold, NarrowLanes<Element>>>() : loaded;
    loaded = loaded.ok() ? Platform::template load<RowsFold<Fold, WideLanes<Element>>>() : loaded;
    loaded = loaded.ok() ? Platform::template load<RowsFold<Fold, NarrowLanes<Element>>>() : loaded;
    if constexpr (has_short_rows<Fold>) {
      loaded = loaded.ok() ? Platform::template load<ShortRowsFold<Fold>>() : loaded;
    }
    if constexpr (may_have_slow_fences<Platform>) {
      loaded = loaded.ok() ? Platform::template load<NodesFold<Fold>>() : loaded;
    }
    if (!loaded.ok()) {
      return fail(loaded, "loading the kernels", report);
    }
    for (const bool wide : {false, true}) {
      if (const auto code = take_workspace<Fold>(plan<Fold>(request, wide), report);
          code != ISOFOLD_ok) {
        return code;
      }
    }
    const Status slot = workspace_.take_result();
    return slot.ok() ? ISOFOLD_ok : fail(slot, "allocating the result of blocking calls", report);
  }

  template <class Fold>
  std::int32_t take_workspace(const Plan& plan, contract::Report& report) {
    const std::size_t bytes =
        static_cast<std::size_t>(plan.nodes()) * sizeof(typename Fold::state_type);
    if (workspace_.holds(bytes, plan.counters())) {
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
    const Status taken = workspace_.take(bytes, plan.counters(), stream_);
    if (taken.code == ISOFOLD_out_of_memory) {
      return report.fail(
          ISOFOLD_out_of_memory,
          "Device %d has no %zu bytes left for the workspace; free some memory there "
          "and call again.",
          device_, bytes);
    }
    // New counters are cleared in the order of this stream.
    clearing_ = clearing_ || (taken.ok() && plan.counters() > 0);
    return taken.ok() ? ISOFOLD_ok : fail(taken, "allocating workspace", report);
  }

  template <class Fold>
  std::int32_t run(Fold fold, const isofold_request& request, std::size_t result_bytes,
                   contract::Report& report) {
    using Element = typename Fold::element_type;
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
    if (request.rows == 0) {
      return ISOFOLD_ok;
    }
    const bool wide = is_wide<Fold>(request);
    const Plan planned = plan<Fold>(request, wide);
    if (const auto code = take_workspace<Fold>(planned, report); code != ISOFOLD_ok) {
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

    const bool state = (request.flags & ISOFOLD_STATE) != 0;
    const Rows<Fold> rows{
        fold,
        {static_cast<const Element*>(request.data), static_cast<const Element*>(request.second)},
        request.rows,
        request.length,
        request.stride,
        request.second_stride,
        blocking ? workspace_.result() : request.result,
        state};
    const Status launched = wide ? launch<WideLanes<Element>>(rows, planned, capturing)
                                 : launch<NarrowLanes<Element>>(rows, planned, capturing);
    if (!launched.ok()) {
      counters_in_doubt_ = true;
      return fail(launched, "launching the kernel", report);
    }
    if (capturing) {
      workspace_.keep();
    } else {
      pending_ = true;
    }
    if (request.ran != nullptr) {
      *request.ran = describe(planned, situation<Fold>(request, wide));
    }
    if (!blocking) {
      return ISOFOLD_ok;
    }
    const std::int32_t code = wait(report);
    if (code == ISOFOLD_ok) {
      std::memcpy(request.result, workspace_.result(),
                  state ? sizeof(typename Fold::state_type) : result_bytes);
    }
    return code;
  }

  template <class Lanes, class Fold>
  Status launch(const Rows<Fold>& rows, const Plan& plan, bool capturing) {
    if (faults_.launch_fails()) {
      return {ISOFOLD_device_failure, "a launch failure asked for by a test"};
    }
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
        size.shared_bytes = RowsFold<Fold, Lanes>::shared_bytes(size.threads);
        return Platform::launch(RowsFold<Fold, Lanes>{rows, plan.warp_a_row}, size, stream_);
      case KernelKind::grid: return launch_grid<Lanes>(rows, plan, size);
    }
    return {ISOFOLD_internal, "no such kernel"};
  }

  template <class Lanes, class Fold>
  Status launch_grid(const Rows<Fold>& rows, const Plan& plan, Launch size) {
    using State = typename Fold::state_type;
    auto* const nodes = static_cast<State*>(workspace_.nodes());
    const bool nodes_later = may_have_slow_fences<Platform> && facts_.slow_fences && plan.tiles > 1;
    size.shared_bytes = BlockMemory<State>::bytes(plan.capacity, facts_.wave_width);
    const Status launched = Platform::launch(
        GridFold<Fold, Lanes>{rows, plan.tiles, plan.tile_chunks, plan.grain_shift, plan.capacity,
                              nodes, nodes_later ? nullptr : workspace_.counters()},
        size, stream_);
    if constexpr (may_have_slow_fences<Platform>) {
      if (nodes_later && launched.ok()) {
        size.blocks = std::min(rows.rows, most_blocks);
        size.threads =
            node_threads(plan.row_nodes, facts_.wave_width, NodesFold<Fold>::max_threads);
        return Platform::launch(NodesFold<Fold>{rows, plan.row_nodes, plan.capacity, nodes}, size,
                                stream_);
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
    return ISOFOLD_ok;
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
  void* event_ = nullptr;
  bool pending_ = false;            // asynchronous work that nobody has waited for
  bool clearing_ = false;           // the same of counters alone: release() waits for that
  bool counters_in_doubt_ = false;  // a launch failed: they may not be zero
  bool lost_ = false;
  Faults faults_;
  Workspace<Platform> workspace_;
};

}  // namespace isofold::gpu
