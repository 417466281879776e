// The part of the input contract that every call passes, in a header for the sake of its 3 ns:
// counts, overflow, null pointers, alignment, overlap, and nothing to reduce.
#pragma once

#include <cinttypes>

#include <contract.hpp>
#include <validate.hpp>

namespace isofold {

// Elements from the first to the last of a valid shape, gaps between rows included.
inline std::int64_t reach_of(const isofold_request& request) noexcept {
  return request.rows > 1 && request.length != 0
             ? (request.rows - 1) * request.stride + request.length
             : request.length;
}

inline std::int32_t validate_shape(const isofold_request& request, std::int64_t element_bytes,
                                   contract::Report& report) noexcept {
  if ((request.rows | request.length | request.stride) < 0) {
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
  // Small factors cannot overflow, which spares most calls the multiplications.
  constexpr std::int64_t small = std::int64_t{1} << 29;
  if (__builtin_expect((request.rows | request.length | request.stride) < small, 1)) {
    return ISOFOLD_ok;
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
inline bool share_bytes(const void* a, std::int64_t a_bytes, const void* b,
                        std::int64_t b_bytes) noexcept {
  const auto x = reinterpret_cast<std::uintptr_t>(a);
  const auto y = reinterpret_cast<std::uintptr_t>(b);
  return x < y + static_cast<std::uintptr_t>(b_bytes) &&
         y < x + static_cast<std::uintptr_t>(a_bytes);
}

// Sizes are powers of two; a division here would cost a tenth of a small reduction.
inline bool is_multiple(const void* pointer, std::int64_t bytes) noexcept {
  return (reinterpret_cast<std::uintptr_t>(pointer) & static_cast<std::uintptr_t>(bytes - 1)) == 0;
}

inline std::int32_t validate_pointers(const isofold_request& request, const CaseFacts& facts,
                                      contract::Report& report) noexcept {
  const std::int64_t elements = reach_of(request);
  if (request.data == nullptr && elements != 0) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The data pointer is null, yet there are %" PRId64 " elements to reduce.",
                       elements);
  }
  if (request.result == nullptr) {
    return report.fail(ISOFOLD_invalid_argument, "The result pointer is null.");
  }
  if (elements != 0 && !is_multiple(request.data, facts.element_bytes)) {
    return report.fail(ISOFOLD_misaligned,
                       "The data pointer %p is no multiple of the element's %" PRId64 " bytes.",
                       request.data, facts.element_bytes);
  }
  if (!is_multiple(request.result, facts.result_bytes)) {
    return report.fail(ISOFOLD_misaligned,
                       "The result pointer %p is no multiple of the result's %" PRId64 " bytes.",
                       static_cast<const void*>(request.result), facts.result_bytes);
  }
  if (elements != 0 && share_bytes(request.data, elements * facts.element_bytes, request.result,
                                   request.rows * facts.result_bytes)) {
    return report.fail(ISOFOLD_overlap,
                       "The result at %p lies inside the input [%p, %p); give it "
                       "memory of its own.",
                       static_cast<const void*>(request.result), request.data,
                       static_cast<const void*>(static_cast<const char*>(request.data) +
                                                elements * facts.element_bytes));
  }
  return ISOFOLD_ok;
}

inline std::int32_t validate_empty(const isofold_request& request, bool empty_is_error,
                                   contract::Report& report) noexcept {
  if (request.length != 0) {
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

// Of a request whose kind is valid. `with_pointers` is false for questions about a request that
// will only run later (supports, reserve).
inline std::int32_t validate_counts(const isofold_request& request, const CaseFacts& facts,
                                    bool with_pointers, contract::Report& report) noexcept {
  std::int32_t code = validate_shape(request, facts.element_bytes, report);
  if (code == ISOFOLD_ok && with_pointers && request.rows != 0) {
    code = validate_pointers(request, facts, report);
    code = code == ISOFOLD_ok ? validate_empty(request, facts.empty_is_error, report) : code;
  }
  return code;
}

}  // namespace isofold
