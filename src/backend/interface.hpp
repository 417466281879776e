// The interface between the front (src/) and a backend: everything a backend must provide. A
// backend is one object of class Backend; a vendor backend is a module (a shared library loaded
// with dlopen) that exports it by the symbol `isofold_module`, and its version beside it.
//
// The front has validated each request before a backend sees it (sizes, pointers, alignment,
// overlap, kinds of memory, the empty input of a blocking call). A backend supplies results. No
// exception crosses this boundary: functions return an isofold_code and, when it is not ok, write
// one sentence into the Report: the offending value and the way out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include <backend/parts.hpp>
#include <isofold/detail/core/partial/form.hpp>
#include <isofold/detail/core/place.hpp>
#include <isofold/isofold.h>

namespace isofold::backend_interface {

// Raised with every change of this file that an older module could not follow, for modules and
// libraries of one version that were built from different sources.
inline constexpr std::uint32_t abi_number = 12;

// The reason of a failure. It is written only on failure, so an ordinary call pays nothing for it.
struct Report {
  char message[512];

  template <class... Values>
  __attribute__((cold, noinline)) std::int32_t fail(isofold_code code, const char* format,
                                                    Values... values) {
    if constexpr (sizeof...(Values) == 0) {
      std::snprintf(message, sizeof message, "%s", format);
    } else {
      std::snprintf(message, sizeof message, format, values...);
    }
    return code;
  }
};

// The kind of memory and the device of a pointer. Memory that the vendor does not know is ordinary
// host memory.
using isofold::Place;

// Rows of partial results (core/partial/form.hpp) between memory and memory of a backend.
struct PartialRows {
  core::partial::Format format;
  core::partial::BoxPlace place;  // of locations
  std::int64_t rows = 0;
  std::int64_t part = 0;
  std::int64_t parts = 1;
};

// One reducer's share of a backend: its device, stream and workspace. One thread at a time uses it.
class Instance {
 public:
  virtual ~Instance() = default;  // waits for its own work

  // Computes `request`, with the indices of locations as its flags say (ISOFOLD_PACKED_INDEX). The
  // result of a blocking request is host memory and is there on return;
  // else it is memory of the backend, written in stream order. The caller's current device and
  // floating-point environment must be as they were afterwards, and the next call must work after
  // any failure but device_lost.
  virtual std::int32_t reduce(const isofold_request& request, Report& report) noexcept = 0;

  // Computes several requests over one input, which differ in fold, result and parameters alone,
  // each with the bits that it has by itself; requests that have a `second` share it. Backends that
  // can read the input once override it; by default each request is reduced by itself.
  virtual std::int32_t reduce_fused(const isofold_request* requests, std::int32_t count,
                                    Report& report) noexcept {
    std::int32_t code = ISOFOLD_ok;
    for (std::int32_t i = 0; i < count && code == ISOFOLD_ok; ++i) {
      code = reduce(requests[i], report);
    }
    return code;
  }

  // Marks the elements of a valid box that its mask takes, if it has one, of any strides, and that
  // are no NaN, nor their partners in a second array, if the flags have ISOFOLD_SKIP_NAN. `*bits`
  // is a mask of bits in memory of the backend, valid until the next such call. The front itself
  // marks elements of host memory.
  virtual std::int32_t mark_elements(const isofold_request&, const void** /*bits*/,
                                     Report& report) noexcept {
    return report.fail(ISOFOLD_unsupported, "This backend cannot mark elements.");
  }

  // Writes the words of a part's results; and results from the words of all parts, by
  // finish_exact() if they are those of exact_v1: the request's data are words then, and its rows,
  // fold, type and result are those wanted. All of it is memory of the backend, in stream order.
  // The front itself does so in host memory.
  virtual std::int32_t write_partial(const PartialRows&, const void* /*results*/,
                                     std::int64_t* /*words*/, Report& report) noexcept {
    return report.fail(ISOFOLD_unsupported, "This backend writes no partial results.");
  }
  virtual std::int32_t finish_partial(const PartialRows&, const std::int64_t* /*words*/,
                                      void* /*results*/, Report& report) noexcept {
    return report.fail(ISOFOLD_unsupported, "This backend finishes no partial results.");
  }
  virtual std::int32_t finish_exact(const isofold_request&, Report& report) noexcept {
    return report.fail(ISOFOLD_unsupported, "This backend finishes no words of exact_v1.");
  }

  // Allocates whatever `request` will need, so that the call allocates nothing; and, if its flags
  // have ISOFOLD_SKIP_NAN, what mark_elements() will.
  virtual std::int32_t reserve(const isofold_request&, Report&) noexcept { return ISOFOLD_ok; }
  // Calls part() for ranges of [0, count), on as many threads as reduce() would take for a request
  // of `bytes` bytes with this one's schedule.
  virtual void in_parts(const isofold_request&, std::int64_t /*bytes*/, std::int64_t count,
                        const Part& part) noexcept {
    part(0, count);
  }
  virtual std::int32_t synchronize(Report&) noexcept { return ISOFOLD_ok; }
  virtual std::int32_t set_stream(void*, Report&) noexcept { return ISOFOLD_ok; }
  // This tells whether a backend with memory of its own reads and writes ordinary host memory, too.
  virtual bool reaches_host_memory() const noexcept { return false; }
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual const char* name() const noexcept = 0;
  // ok if it can compute here and now, with a one-line description of itself in `report` ("CUDA
  // 13.0, 1 device"); else backend_unavailable with the reason there.
  virtual std::int32_t available(Report& report) noexcept = 0;
  // True when results and data live in device memory; then locate, allocate and copy matter.
  virtual bool has_device_memory() const noexcept { return false; }
  virtual std::int32_t device_count(std::int32_t* count, Report&) noexcept {
    *count = 1;
    return ISOFOLD_ok;
  }
  virtual std::int32_t device_name(std::int32_t device, char* text, std::size_t bytes) noexcept = 0;
  virtual std::int32_t current_device(std::int32_t* device, Report&) noexcept {
    *device = 0;
    return ISOFOLD_ok;
  }
  // ok, or unsupported with a sentence about what is supported instead. The answer follows from the
  // guarantee and the kind of the request (validate.hpp), never from its counts and pointers: the
  // front asks once for many requests of one kind.
  virtual std::int32_t supports(const isofold_request& request, std::int32_t guarantee,
                                Report& report) noexcept = 0;
  // This tells whether it takes elements that folds do not compute in: narrow ones, and widened
  // ones. The front refuses them for other backends.
  virtual bool converts_elements() const noexcept { return false; }
  // This tells whether it computes the sums of exact_v1 (docs/exact.md). The front refuses them for
  // other backends; folds that have none (ops/exact_cases.hpp) are those of tree v1.
  virtual bool has_exact() const noexcept { return false; }
  // This says so of a shape with a layout, by its number in lists.h.
  virtual bool has_shape(std::int32_t) const noexcept { return false; }
  // Not ok when it cannot tell: then the pointer must not be taken for the host's.
  virtual std::int32_t locate(const void*, Place* place, Report&) noexcept {
    *place = {};
    return ISOFOLD_ok;
  }
  virtual std::int32_t allocate(std::int32_t device, std::size_t bytes, void** memory,
                                Report& report) noexcept = 0;
  virtual void release(std::int32_t device, void* memory) noexcept = 0;
  virtual std::int32_t copy(std::int32_t device, void* destination, const void* source,
                            std::size_t bytes, Report& report) noexcept = 0;

  // A new Instance, to be deleted by the caller; nullptr with the code in `*code` on failure.
  virtual Instance* open(const isofold_options& options, std::int32_t* code,
                         Report& report) noexcept = 0;
};

// The content of a module, which exports `extern "C" const backend_interface::Module*
// isofold_module()`, and `extern "C" const char isofold_module_version[]`, the version of the
// library that it belongs to (cmake/isofold_backends.cmake). A library reads that first, and
// nothing else of a module of another version.
struct Module {
  std::uint32_t abi = abi_number;
  std::uint32_t request_bytes = sizeof(isofold_request);
  std::uint32_t options_bytes = sizeof(isofold_options);
  std::uint32_t schedule_bytes = sizeof(isofold_schedule);
  Backend* backend = nullptr;
};
using ModuleFunction = const Module* (*)();
inline constexpr const char* module_symbol = "isofold_module";
inline constexpr const char* module_version_symbol = "isofold_module_version";

}  // namespace isofold::backend_interface

// Stands in each backend's one source file that holds its Backend object:
//   ISOFOLD_EXPORT_BACKEND(cuda, the_backend_object)
// defines the factory that a static build or the core library links, or a module's one symbol.
#if defined(ISOFOLD_BUILDING_MODULE)
#define ISOFOLD_EXPORT_BACKEND(name, object)                                                      \
  extern "C" __attribute__((visibility("default"))) const isofold::backend_interface::Module*     \
  isofold_module() {                                                                              \
    static const isofold::backend_interface::Module module{                                       \
        isofold::backend_interface::abi_number, sizeof(isofold_request), sizeof(isofold_options), \
        sizeof(isofold_schedule), &(object)};                                                     \
    return &module;                                                                               \
  }
#else
#define ISOFOLD_EXPORT_BACKEND(name, object) \
  isofold::backend_interface::Backend* isofold_backend_##name() { return &(object); }
#endif
