// The Backend object of a GPU vendor: it answers the questions of the backend interface through the
// vendor's platform.
#pragma once

#include <atomic>
#include <cstring>
#include <new>

#include <backends/gpu/host/instance.hpp>
#include <backends/gpu/launch/fault_injection.hpp>
#include <request/supports_case.hpp>

namespace isofold::gpu {

template <class Vendor>
class Backend final : public backend_interface::Backend {
 public:
  using Platform = WithFaults<Vendor>;

  const char* name() const noexcept override { return Platform::name; }

  std::int32_t available(backend_interface::Report& report) noexcept override {
    if (const Status own = FirstUse<Platform>::asked(); !own.ok()) {
      return report.fail(static_cast<isofold_code>(own.code), "%s", own.text);
    }
    const Status status = Platform::describe(report.message, sizeof report.message);
    if (status.ok()) {
      FirstUse<Platform>::used();
      was_available_.store(true, std::memory_order_relaxed);
      return ISOFOLD_ok;
    }
    // Devices do not go away, they are lost: what uses them says so, each call with that code.
    const bool lost = was_available_.load(std::memory_order_relaxed);
    return report.fail(lost ? ISOFOLD_ok : static_cast<isofold_code>(status.code), "%s%s",
                       lost ? "lost: " : "", status.text);
  }
  bool has_device_memory() const noexcept override { return true; }
  bool has_exact() const noexcept override { return has_exact_kernels; }
  std::int32_t device_count(std::int32_t* count,
                            backend_interface::Report& report) noexcept override {
    *count = 0;
    const Status own = FirstUse<Platform>::asked();
    return answer(own.ok() ? Platform::device_count(count) : own, "counting the devices", report);
  }
  std::int32_t device_name(std::int32_t device, char* text, std::size_t bytes) noexcept override {
    const Status own = FirstUse<Platform>::asked();
    return own.ok() ? Platform::device_name(device, text, bytes).code : own.code;
  }
  std::int32_t current_device(std::int32_t* device,
                              backend_interface::Report& report) noexcept override {
    const Status own = FirstUse<Platform>::asked();
    return answer(own.ok() ? Platform::current_device(device) : own,
                  "asking for the current device", report);
  }

  bool has_shape(std::int32_t shape) const noexcept override {
    return shape <= ISOFOLD_SHAPE_joined;
  }
  bool converts_elements() const noexcept override { return true; }
  // Every case has the same bits everywhere (same_bits), and so is within_bound too.
  std::int32_t supports(const isofold_request& request, std::int32_t,
                        backend_interface::Report& report) noexcept override {
    return supports_case(*this, request, report);
  }

  std::int32_t locate(const void* pointer, backend_interface::Place* place,
                      backend_interface::Report& report) noexcept override {
    *place = {};
    const Status own = FirstUse<Platform>::asked();
    return answer(own.ok() ? Platform::locate(pointer, place) : own,
                  "asking where a pointer points", report);
  }

  std::int32_t allocate(std::int32_t device, std::size_t bytes, void** memory,
                        backend_interface::Report& report) noexcept override {
    const DeviceScope<Platform> scope(device);
    const Status status = scope.status().ok() ? Platform::allocate(memory, bytes) : scope.status();
    if (!status.ok()) {
      *memory = nullptr;
    }
    return answer(status, device, "allocating", bytes, report);
  }
  void release(std::int32_t device, void* memory) noexcept override {
    if (FirstUse<Platform>::asked().ok()) {
      const DeviceScope<Platform> scope(device);
      Platform::release(memory);
    }
  }
  std::int32_t copy(std::int32_t device, void* destination, const void* source, std::size_t bytes,
                    backend_interface::Report& report) noexcept override {
    const DeviceScope<Platform> scope(device);
    const Status status =
        scope.status().ok() ? Platform::copy(destination, source, bytes) : scope.status();
    return answer(status, device, "copying", bytes, report);
  }

  backend_interface::Instance* open(const isofold_options& options, std::int32_t* code,
                                    backend_interface::Report& report) noexcept override {
    *code = available(report);
    if (*code != ISOFOLD_ok) {
      return nullptr;
    }
    std::int32_t count = 0;
    std::int32_t device = options.device;
    *code = device_count(&count, report);
    *code = *code == ISOFOLD_ok && device < 0 ? current_device(&device, report) : *code;
    if (*code == ISOFOLD_ok && device >= count) {
      *code = report.fail(ISOFOLD_invalid_argument,
                          "Device %d does not exist: backend %s sees %d, numbered from 0.", device,
                          Platform::name, count);
    }
    if (*code != ISOFOLD_ok) {
      return nullptr;
    }
    const DeviceScope<Platform> scope(device);
    DeviceFacts facts;
    Status status = scope.status();
    status = status.ok() ? Platform::device_facts(device, &facts) : status;
    // A kernel tells whether this build holds code for the device at all.
    status = status.ok() ? ListKernels<Platform>::load_lengths() : status;
    if (!status.ok()) {
      *code =
          report.fail(static_cast<isofold_code>(status.code),
                      "Backend %s cannot use device %d: %s.", Platform::name, device, status.text);
      return nullptr;
    }
    auto* instance = new (std::nothrow) Instance<Platform>(
        device, facts, options.has_stream ? options.stream : nullptr, options.validate != 0);
    if (instance == nullptr) {
      *code = report.fail(ISOFOLD_out_of_memory, "Host memory ran out for a Reducer.");
    }
    return instance;
  }

 private:
  static std::int32_t answer(const Status& status, const char* doing,
                             backend_interface::Report& report) {
    return status.ok() ? ISOFOLD_ok
                       : report.fail(static_cast<isofold_code>(status.code), "Backend %s, %s: %s.",
                                     Platform::name, doing, status.text);
  }
  static std::int32_t answer(const Status& status, std::int32_t device, const char* doing,
                             std::size_t bytes, backend_interface::Report& report) {
    return status.ok() ? ISOFOLD_ok
                       : report.fail(static_cast<isofold_code>(status.code),
                                     "Backend %s, device %d, %s %zu bytes: %s.", Platform::name,
                                     device, doing, bytes, status.text);
  }

  std::atomic<bool> was_available_{false};
};

}  // namespace isofold::gpu
