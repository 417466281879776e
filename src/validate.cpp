// The input contract, line by line.
#include <validate.hpp>

#include <cinttypes>
#include <cstring>

#include <registry.hpp>
#include <supported_cases.hpp>

namespace isofold {
namespace {

using contract::Report;

std::int32_t validate_numbers(const isofold_request& request, Report& report) noexcept {
  if (request.size != sizeof(isofold_request)) {
    return report.fail(ISOFOLD_invalid_argument,
                       "isofold_request.size is %" PRIu64 ", this library expects %zu; set it to "
                       "sizeof(isofold_request) and build against this library's headers.",
                       request.size, sizeof(isofold_request));
  }
  if (request.definition != ISOFOLD_DEFINITION_tree_v1) {
    return report.fail(ISOFOLD_unsupported,
                       "Definition %d is unknown; this library has 1 (tree v1).",
                       request.definition);
  }
  if (request.shape != ISOFOLD_SHAPE_array && request.shape != ISOFOLD_SHAPE_rows) {
    return report.fail(ISOFOLD_unsupported,
                       "Shape %d is unknown; this library has 1 (array) and 2 (rows).",
                       request.shape);
  }
  if ((request.flags & ~(ISOFOLD_BLOCKING | ISOFOLD_STATE)) != 0 || request.reserved != 0) {
    return report.fail(
        ISOFOLD_invalid_argument,
        "Flags 0x%x or the reserved field %d hold bits that have no meaning; set them "
        "to zero.",
        static_cast<unsigned>(request.flags), request.reserved);
  }
  if ((request.flags & ISOFOLD_BLOCKING) != 0 && request.shape != ISOFOLD_SHAPE_array) {
    return report.fail(ISOFOLD_invalid_argument,
                       "A blocking call returns one value: reduce rows into memory instead.");
  }
  return ISOFOLD_ok;
}

std::int32_t validate_shape(const isofold_request& request, std::int64_t element_bytes,
                            Report& report) noexcept {
  if (request.rows < 0 || request.length < 0 || request.stride < 0) {
    return report.fail(ISOFOLD_invalid_argument,
                       "%" PRId64 " rows of %" PRId64 " elements at a stride of %" PRId64
                       ": counts and strides cannot be negative.",
                       request.rows, request.length, request.stride);
  }
  if (request.shape == ISOFOLD_SHAPE_array && request.rows != 1) {
    return report.fail(ISOFOLD_invalid_argument, "An array is 1 row, not %" PRId64 ".",
                       request.rows);
  }
  if (request.rows > 1 && request.stride < request.length) {
    return report.fail(ISOFOLD_invalid_argument,
                       "A stride of %" PRId64 " makes rows of %" PRId64
                       " elements overlap; it must be at least the length.",
                       request.stride, request.length);
  }
  std::int64_t elements = 0;
  std::int64_t bytes = 0;
  const std::int64_t stride = request.rows > 1 ? request.stride : 0;
  if (__builtin_mul_overflow(request.rows > 0 ? request.rows - 1 : 0, stride, &elements) ||
      __builtin_add_overflow(elements, request.length, &elements) ||
      __builtin_mul_overflow(elements, element_bytes, &bytes) ||
      __builtin_mul_overflow(request.rows, std::int64_t{8}, &bytes)) {
    return report.fail(ISOFOLD_invalid_argument,
                       "%" PRId64 " rows of %" PRId64 " elements at a stride of %" PRId64
                       " overflow 2^63 - 1 bytes.",
                       request.rows, request.length, request.stride);
  }
  return ISOFOLD_ok;
}

// [a, a + a_bytes) and [b, b + b_bytes) share a byte.
bool share_bytes(const void* a, std::int64_t a_bytes, const void* b,
                 std::int64_t b_bytes) noexcept {
  const auto x = reinterpret_cast<std::uintptr_t>(a);
  const auto y = reinterpret_cast<std::uintptr_t>(b);
  return x < y + static_cast<std::uintptr_t>(b_bytes) &&
         y < x + static_cast<std::uintptr_t>(a_bytes);
}

// Sizes are powers of two; a division here would cost a tenth of a small reduction.
bool is_multiple(const void* pointer, std::int64_t bytes) noexcept {
  return (reinterpret_cast<std::uintptr_t>(pointer) & static_cast<std::uintptr_t>(bytes - 1)) == 0;
}

std::int32_t validate_pointers(const isofold_request& request, std::int64_t element_bytes,
                               std::int64_t result_bytes, Report& report) noexcept {
  const std::int64_t stride = request.rows > 1 ? request.stride : 0;
  const std::int64_t elements =
      request.length == 0 ? 0 : (request.rows - 1) * stride + request.length;
  if (request.data == nullptr && elements > 0) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The data pointer is null, yet there are %" PRId64 " elements to reduce.",
                       elements);
  }
  if (request.result == nullptr) {
    return report.fail(ISOFOLD_invalid_argument, "The result pointer is null.");
  }
  if (elements > 0 && !is_multiple(request.data, element_bytes)) {
    return report.fail(ISOFOLD_misaligned,
                       "The data pointer %p is no multiple of the element's %" PRId64 " bytes.",
                       request.data, element_bytes);
  }
  if (!is_multiple(request.result, result_bytes)) {
    return report.fail(ISOFOLD_misaligned,
                       "The result pointer %p is no multiple of the result's %" PRId64 " bytes.",
                       static_cast<const void*>(request.result), result_bytes);
  }
  if (elements > 0 && share_bytes(request.data, elements * element_bytes, request.result,
                                  request.rows * result_bytes)) {
    return report.fail(ISOFOLD_overlap,
                       "The result at %p lies inside the input [%p, %p); give it "
                       "memory of its own.",
                       static_cast<const void*>(request.result), request.data,
                       static_cast<const void*>(static_cast<const char*>(request.data) +
                                                elements * element_bytes));
  }
  return ISOFOLD_ok;
}

std::int32_t validate_empty(const isofold_request& request, bool empty_is_error,
                            Report& report) noexcept {
  if (request.length != 0 || request.rows == 0) {
    return ISOFOLD_ok;
  }
  if ((request.flags & ISOFOLD_STATE) != 0) {
    return report.fail(ISOFOLD_empty_input, "No elements have no state: docs/tree.md, Definition.");
  }
  if ((request.flags & ISOFOLD_BLOCKING) != 0 && empty_is_error) {
    return report.fail(ISOFOLD_empty_input,
                       "The %s of no elements has no value; test for n = 0, or "
                       "reduce into memory to get the empty value of docs/folds.md.",
                       isofold_fold_name(request.fold));
  }
  return ISOFOLD_ok;
}

}  // namespace

std::int32_t validate(const isofold_request& request, bool with_pointers, Report& report) noexcept {
  std::int32_t code = validate_numbers(request, report);
  if (code != ISOFOLD_ok) {
    return code;
  }
  const auto check_case = [&](auto fold) {
    using Fold = decltype(fold);
    constexpr std::int64_t element_bytes = sizeof(typename Fold::element_type);
    const std::int64_t result_bytes = (request.flags & ISOFOLD_STATE) != 0
                                          ? sizeof(typename Fold::state_type)
                                          : sizeof(typename Fold::result_type);
    code = validate_shape(request, element_bytes, report);
    if (code == ISOFOLD_ok && with_pointers && request.rows > 0) {
      code = validate_pointers(request, element_bytes, result_bytes, report);
      code = code == ISOFOLD_ok ? validate_empty(request, Fold::empty_is_error, report) : code;
    }
  };
  if (!visit_case(request.fold, request.type, check_case)) {
    return report.fail(ISOFOLD_unsupported,
                       "No case for fold %d over type %d; isofold.h lists the "
                       "folds and the element types.",
                       request.fold, request.type);
  }
  return code;
}

bool devices_exist() { return !registry::device_backends().empty(); }

Located locate(const void* pointer) {
  if (pointer != nullptr) {
    for (contract::Backend* backend : registry::device_backends()) {
      const contract::Place place = backend->locate(pointer);
      if (place.memory != ISOFOLD_MEMORY_host) {
        return {place, backend};
      }
    }
  }
  return {};
}

namespace {

const char* memory_name(std::int32_t memory) noexcept {
  switch (memory) {
    case ISOFOLD_MEMORY_pinned: return "pinned host memory";
    case ISOFOLD_MEMORY_managed: return "managed memory";
    case ISOFOLD_MEMORY_device: return "device memory";
    default: return "host memory";
  }
}

// What `pointer` is and whether host code (device < 0) or device `device` of `backend` reaches it.
std::int32_t validate_place(const char* what, const void* pointer, const char* backend,
                            std::int32_t device, const char* way_out, Report& report) {
  const Located located = locate(pointer);
  const std::int32_t memory = located.place.memory;
  const bool own = located.backend == nullptr || std::strcmp(located.backend->name(), backend) == 0;
  if (device < 0 ? memory != ISOFOLD_MEMORY_device : memory != ISOFOLD_MEMORY_host && own) {
    if (device < 0 || memory != ISOFOLD_MEMORY_device || located.place.device == device) {
      return ISOFOLD_ok;
    }
    return report.fail(ISOFOLD_wrong_memory,
                       "The %s at %p lies on device %d, and this reducer "
                       "works on device %d; make one with Options{}.device(%d).",
                       what, pointer, located.place.device, device, located.place.device);
  }
  return report.fail(ISOFOLD_wrong_memory,
                     "The %s at %p is %s%s%s, which the backend %s cannot reach; %s.", what,
                     pointer, memory_name(memory), located.backend != nullptr ? " of " : "",
                     located.backend != nullptr ? located.backend->name() : "", backend, way_out);
}

}  // namespace

std::int32_t validate_places(const isofold_request& request, const char* backend,
                             bool has_device_memory, std::int32_t device, bool data_chose,
                             Report& report) {
  const std::int32_t reach = has_device_memory ? device : -1;
  std::int32_t code = ISOFOLD_ok;
  if (request.length > 0 && !data_chose) {
    code = validate_place("data", request.data, backend, reach,
                          "a named backend never moves data: copy it, or use a default Reducer, "
                          "which goes where the data is",
                          report);
  }
  if (code != ISOFOLD_ok) {
    return code;
  }
  const bool to_host = (request.flags & ISOFOLD_BLOCKING) != 0;
  return validate_place(
      "result", request.result, backend, to_host ? -1 : reach,
      to_host ? "a blocking call returns to host memory" : "give it memory there, as the data has",
      report);
}

}  // namespace isofold
