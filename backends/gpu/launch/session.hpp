// One Reducer's share of a GPU: a device, a stream, a workspace, and the functions that enqueue
// launches and wait for them. The rules of streams, graph captures and failures
// (docs/guarantees.md) live here, for all vendors.
#pragma once

#include <cstring>

#include <backends/gpu/launch/device_errors.hpp>
#include <backends/gpu/tuning/tuning_of.hpp>
#include <isofold/detail/gpu/device_scope.hpp>
#include <isofold/detail/gpu/workspace.hpp>

namespace isofold::gpu {

template <class Platform>
class Session {
 public:
  Session(int device, const DeviceFacts& facts, void* stream, bool validates)
      : device_(device),
        tuning_(tuning_of(facts)),
        facts_{facts, &tuning_},
        stream_(stream),
        validates_(validates) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // The caller's stream must still exist, unless this Session's work has been waited for.
  ~Session() {
    if (!FirstUse<Platform>::asked().ok()) {
      return;  // all of it is the parent's
    }
    const DeviceScope<Platform> scope(device_);
    if (pending_ && !lost_) {
      Platform::synchronize(stream_);
    }
    if (event_ != nullptr) {
      Platform::destroy_event(event_);
    }
    // The workspace goes while the device is still current.
    workspace_.release();
    marks_.release();
  }

  const TunedDevice& facts() const { return facts_; }
  void* stream() const { return stream_; }
  bool validates() const { return validates_; }  // index lists are checked as they are read
  Workspace<Platform>& workspace() { return workspace_; }
  const Workspace<Platform>& workspace() const { return workspace_; }
  // This tells whether a launch has loaded the kernel for lists of folds: one inside a capture must
  // not.
  bool& fused_loaded(std::int32_t type, int arrays, bool wide) {
    return fused_loaded_[type][arrays - 1][wide ? 1 : 0];
  }

  // body() with the device current.
  template <class Body>
  std::int32_t on_device(backend_interface::Report& report, Body&& body) noexcept {
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

  // A place for what kernels find wrong.
  std::int32_t take_fault(backend_interface::Report& report) {
    if (workspace_.fault() != nullptr) {
      return ISOFOLD_ok;
    }
    bool capturing = false;
    if (const Status asked = Platform::capturing(stream_, &capturing); !asked.ok()) {
      return fail(asked, "asking whether the stream is being captured", report);
    }
    if (capturing) {
      return report.fail(ISOFOLD_capture,
                         "This reduction needs a place for errors, which a graph capture cannot "
                         "allocate; call reserve() with the same shape before the capture.");
    }
    const Status taken = workspace_.take_fault();
    return taken.ok() ? ISOFOLD_ok : fail(taken, "allocating a place for errors", report);
  }
  // Takes room for the marks of elements that are no NaN, which lasts until more is taken.
  std::int32_t take_marks(std::size_t bytes, backend_interface::Report& report) {
    return take(marks_, bytes, 0, report);
  }
  void* marks() const { return marks_.nodes(); }

  // Reserves whatever a call needs, so that the call allocates nothing.
  std::int32_t reserve(std::size_t bytes, std::int64_t counters,
                       backend_interface::Report& report) {
    const std::int32_t code = take_workspace(bytes, counters, report);
    return code == ISOFOLD_ok ? take_result(report) : code;
  }

  // Takes workspace and calls launch(capturing), with all that a failure leaves to be mended.
  template <class Launching>
  std::int32_t enqueue(const isofold_request& request, std::size_t bytes, std::int64_t counters,
                       backend_interface::Report& report, Launching&& launching) {
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
    if (counters_in_a_graph_ && !capturing) {
      workspace_.give_up_counters();
      counters_in_a_graph_ = false;
    }
    if (const auto code = take_workspace(bytes, counters, report); code != ISOFOLD_ok) {
      return code;
    }
    if (blocking) {
      if (const auto code = take_result(report); code != ISOFOLD_ok) {
        return code;
      }
    }
    if (counters_in_doubt_) {
      if (const Status zeroed = workspace_.zero_counters(stream_); !zeroed.ok()) {
        return fail(zeroed, "clearing the counters after a failed launch", report);
      }
      counters_in_doubt_ = capturing;  // a captured clearing runs with its graph, not now
    }
    const Status launched = launching(capturing);
    // If a later one of several launches fails, the first may be on their way.
    if (capturing) {
      workspace_.keep();
      marks_.keep();
    } else {
      pending_ = true;
    }
    if (!launched.ok()) {
      counters_in_doubt_ = true;
      counters_in_a_graph_ = counters_in_a_graph_ || capturing;
      return fail(launched, "launching the kernel", report);
    }
    return ISOFOLD_ok;
  }

  // Finishes a blocking call: waits, and copies its result.
  std::int32_t finish(const isofold_request& request, std::size_t result_bytes,
                      std::size_t state_bytes, backend_interface::Report& report) {
    if ((request.flags & ISOFOLD_BLOCKING) == 0) {
      return ISOFOLD_ok;
    }
    const std::int32_t code = wait(report);
    if (code == ISOFOLD_ok) {
      const bool state = (request.flags & ISOFOLD_STATE) != 0;
      std::memcpy(request.result, workspace_.result(), state ? state_bytes : result_bytes);
    }
    return code;
  }

  std::int32_t synchronize(backend_interface::Report& report) {
    bool capturing = false;
    if (const Status asked = Platform::capturing(stream_, &capturing); !asked.ok() || capturing) {
      return asked.ok() ? report.fail(ISOFOLD_capture,
                                      "synchronize() waits, which a graph capture of its stream "
                                      "cannot hold; call it after the capture.")
                        : fail(asked, "asking whether the stream is being captured", report);
    }
    return wait(report);
  }

  std::int32_t set_stream(void* stream, backend_interface::Report& report) {
    if ((pending_ || clearing_) && stream != stream_) {
      if (const std::int32_t code = order_after_pending(stream, report); code != ISOFOLD_ok) {
        return code;
      }
    }
    stream_ = stream;
    return ISOFOLD_ok;
  }

  std::int32_t wait(backend_interface::Report& report) {
    const Status waited = Platform::synchronize(stream_);
    if (!waited.ok()) {
      counters_in_doubt_ = true;
      return fail(waited, "waiting for the device", report);
    }
    pending_ = false;
    clearing_ = false;
    return report_found(report);
  }

  std::int32_t fail(const Status& status, const char* doing, backend_interface::Report& report) {
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

 private:
  std::int32_t take_workspace(std::size_t bytes, std::int64_t counters,
                              backend_interface::Report& report) {
    return take(workspace_, bytes, counters, report);
  }
  std::int32_t take(Workspace<Platform>& workspace, std::size_t bytes, std::int64_t counters,
                    backend_interface::Report& report) {
    if (workspace.holds(bytes, counters)) {
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
          workspace.with_front(bytes));
    }
    const Status taken = workspace.take(bytes, counters, stream_);
    if (taken.code == ISOFOLD_out_of_memory) {
      return report.fail(
          ISOFOLD_out_of_memory,
          "Device %d has no %zu bytes left for the workspace; free some memory there "
          "and call again.",
          device_, workspace.with_front(bytes));
    }
    // New counters are cleared in the order of this stream.
    clearing_ = clearing_ || (taken.ok() && counters > 0);
    return taken.ok() ? ISOFOLD_ok : fail(taken, "allocating workspace", report);
  }
  // A place for the results of blocking calls.
  std::int32_t take_result(backend_interface::Report& report) {
    const Status slot = workspace_.take_result();
    return slot.ok() ? ISOFOLD_ok : fail(slot, "allocating the result of blocking calls", report);
  }

  // Reports the faults that kernels found since the last report.
  std::int32_t report_found(backend_interface::Report& report) {
    auto* const fault = static_cast<Fault*>(workspace_.fault());
    if (fault == nullptr || fault->found == 0) {
      return ISOFOLD_ok;
    }
    const Fault found = *fault;
    *fault = Fault{};
    return report_fault(found, report);
  }

  std::int32_t order_after_pending(void* stream, backend_interface::Report& report) {
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

  int device_;
  Tuning tuning_;
  TunedDevice facts_;
  void* stream_;
  bool validates_;
  void* event_ = nullptr;
  bool pending_ = false;              // asynchronous work that nobody has waited for
  bool clearing_ = false;             // the same of counters alone: release() waits for that
  bool counters_in_doubt_ = false;    // a launch failed: they may not be zero
  bool counters_in_a_graph_ = false;  // one of a capture: who runs that graph may count at any time
  bool lost_ = false;
  bool fused_loaded_[ISOFOLD_TYPE_c128 + 1][2][2]{};  // by type, arrays, width of loads
  Workspace<Platform> workspace_;
  Workspace<Platform> marks_;
};

}  // namespace isofold::gpu
