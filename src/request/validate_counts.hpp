// The part of the input contract that every call passes: counts, overflow, null pointers,
// alignment, overlap, and nothing to reduce. It is a header so that small calls have it inlined
// (docs/decisions/045).
#pragma once

#include <cinttypes>

#include <backend/interface.hpp>
#include <request/validate.hpp>

namespace isofold {

// Products of counts below this cannot overflow.
inline constexpr std::int64_t small_count = std::int64_t{1} << 29;

// Elements from the first to the last of a valid shape, gaps between rows included; none if there
// are no rows, however long they are.
inline std::int64_t reach_of(const isofold_request& request, std::int64_t stride) noexcept {
  if (request.rows <= 1) {
    return request.rows * request.length;
  }
  return request.length != 0 ? (request.rows - 1) * stride + request.length : 0;
}

inline std::int32_t validate_shape(const isofold_request& request, std::int64_t stride,
                                   const CaseFacts& facts,
                                   backend_interface::Report& report) noexcept {
  if ((request.rows | request.length | stride) < 0) {
    return report.fail(ISOFOLD_invalid_argument,
                       "%" PRId64 " row%s of %" PRId64 " elements at a stride of %" PRId64
                       ": counts and strides cannot be negative.",
                       request.rows, request.rows == 1 ? "" : "s", request.length, stride);
  }
  if (request.shape == ISOFOLD_SHAPE_array && request.rows != 1) {
    return report.fail(ISOFOLD_invalid_argument, "An array is 1 row, not %" PRId64 ".",
                       request.rows);
  }
  if (request.rows > 1 && stride < request.length) {
    return report.fail(ISOFOLD_invalid_argument,
                       "A stride of %" PRId64 " makes rows of %" PRId64
                       " elements overlap; it must be at least the length.",
                       stride, request.length);
  }
  if ((request.rows | request.length | stride) < small_count) {
    return ISOFOLD_ok;
  }
  std::int64_t elements = 0;
  std::int64_t bytes = 0;
  const std::int64_t step = request.rows > 1 ? stride : 0;
  const std::int64_t last_row = request.rows > 0 ? request.rows - 1 : 0;
  const std::int64_t length = request.rows > 0 ? request.length : 0;
  if (__builtin_mul_overflow(last_row, step, &elements) ||
      __builtin_add_overflow(elements, length, &elements) ||
      __builtin_mul_overflow(elements, facts.element_bytes, &bytes) ||
      __builtin_mul_overflow(request.rows, facts.result_bytes, &bytes)) {
    return report.fail(ISOFOLD_invalid_argument,
                       "%" PRId64 " row%s of %" PRId64 " elements at a stride of %" PRId64
                       ": more than 2^63 - 1 bytes.",
                       request.rows, request.rows == 1 ? "" : "s", request.length, stride);
  }
  return ISOFOLD_ok;
}

// This tells whether [a, a + a_bytes) and [b, b + b_bytes) share a byte: one begins inside the
// other. Differences wrap, so a range that begins before the other is far behind its end.
inline bool share_bytes(const void* a, std::int64_t a_bytes, const void* b,
                        std::int64_t b_bytes) noexcept {
  const auto x = reinterpret_cast<std::uintptr_t>(a);
  const auto y = reinterpret_cast<std::uintptr_t>(b);
  return y - x < static_cast<std::uintptr_t>(a_bytes) ||
         x - y < static_cast<std::uintptr_t>(b_bytes);
}

// Sizes are powers of two, which need no division: that would be seen in small calls.
inline bool is_multiple(const void* pointer, std::int64_t bytes) noexcept {
  return (reinterpret_cast<std::uintptr_t>(pointer) & static_cast<std::uintptr_t>(bytes - 1)) == 0;
}

// Validates an input beside the result.
inline std::int32_t validate_input(const char* what, const void* data, std::int64_t elements,
                                   const isofold_request& request, const CaseFacts& facts,
                                   backend_interface::Report& report) noexcept {
  if (elements == 0) {
    return ISOFOLD_ok;
  }
  if (data == nullptr) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The %s pointer is null, yet there are %" PRId64 " elements to reduce.",
                       what, elements);
  }
  if (!is_multiple(data, facts.element_alignment)) {
    return report.fail(ISOFOLD_misaligned,
                       "The %s pointer %p is no multiple of %" PRId64
                       " bytes, which its elements are aligned to.",
                       what, data, facts.element_alignment);
  }
  if (share_bytes(data, elements * facts.element_bytes, request.result,
                  request.rows * facts.result_bytes)) {
    return report.fail(
        ISOFOLD_overlap,
        "The result at %p lies inside the input [%p, %p); give it memory of its own.",
        static_cast<const void*>(request.result), data,
        static_cast<const void*>(static_cast<const char*>(data) + elements * facts.element_bytes));
  }
  return ISOFOLD_ok;
}

// This tells whether a second array and parameters are neither given nor needed.
inline bool has_only_data(const isofold_request& request, const CaseFacts& facts) noexcept {
  return facts.arrays == 1 && !facts.parameters && request.second == nullptr &&
         request.parameters == nullptr;
}

inline std::int32_t validate_result_and_arguments(const isofold_request& request,
                                                  const CaseFacts& facts,
                                                  backend_interface::Report& report) noexcept {
  if (request.result == nullptr) {
    return report.fail(ISOFOLD_invalid_argument, "The result pointer is null.");
  }
  if (!is_multiple(request.result, facts.result_alignment)) {
    return report.fail(ISOFOLD_misaligned,
                       "The result pointer %p is no multiple of the result's %" PRId64 " bytes.",
                       static_cast<const void*>(request.result), facts.result_alignment);
  }
  return has_only_data(request, facts) ? ISOFOLD_ok : validate_arguments(request, facts, report);
}

inline std::int32_t validate_pointers(const isofold_request& request, const CaseFacts& facts,
                                      backend_interface::Report& report) noexcept {
  std::int32_t code = validate_result_and_arguments(request, facts, report);
  if (code != ISOFOLD_ok) {
    return code;
  }
  code = validate_input("data", request.data, reach_of(request, request.stride), request, facts,
                        report);
  return code != ISOFOLD_ok || facts.arrays == 1
             ? code
             : validate_input("second array's", request.second,
                              reach_of(request, request.second_stride), request, facts, report);
}

inline std::int32_t validate_empty(const isofold_request& request, bool empty_is_error,
                                   backend_interface::Report& report) noexcept {
  if (request.length != 0) {
    return ISOFOLD_ok;
  }
  if ((request.flags & ISOFOLD_STATE) != 0) {
    if (request.definition == ISOFOLD_DEFINITION_exact_v1) {
      return ISOFOLD_ok;
    }
    return report.fail(ISOFOLD_empty_input, "No elements have no state: docs/tree.md, Definition.");
  }
  if ((request.flags & ISOFOLD_BLOCKING) != 0 && empty_is_error &&
      request.shape != ISOFOLD_SHAPE_rows) {
    return report.fail(ISOFOLD_empty_input,
                       "The %s of no elements has no value; test for n = 0, or "
                       "reduce into memory to get the empty value of docs/folds.md.",
                       isofold_fold_name(request.fold));
  }
  return ISOFOLD_ok;
}

// Recognises what almost every call is: one row of 1 to 2^29 - 1 elements with nothing wrong. It
// asks without a branch that is taken. Other requests may be valid all the same.
inline bool is_plain(const isofold_request& request, const CaseFacts& facts) noexcept {
  return request.rows == 1 && request.length > 0 && request.length < small_count &&
         request.stride >= 0 && request.data != nullptr && request.result != nullptr &&
         is_multiple(request.data, facts.element_alignment) &&
         is_multiple(request.result, facts.result_alignment) && has_only_data(request, facts) &&
         !share_bytes(request.data, request.length * facts.element_bytes, request.result,
                      facts.result_bytes);
}

// Validates a request whose kind is valid. `with_pointers` is false for questions about a request
// that will only run later (supports, reserve).
inline std::int32_t validate_counts(const isofold_request& request, const CaseFacts& facts,
                                    bool with_pointers,
                                    backend_interface::Report& report) noexcept {
  std::int32_t code = validate_shape(request, request.stride, facts, report);
  if (code == ISOFOLD_ok && facts.arrays == 2) {
    code = validate_shape(request, request.second_stride, facts, report);
  }
  if (code == ISOFOLD_ok && with_pointers && request.rows != 0) {
    code = validate_pointers(request, facts, report);
    code = code == ISOFOLD_ok ? validate_empty(request, facts.empty_is_error, report) : code;
  }
  return code;
}

}  // namespace isofold
