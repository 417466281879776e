// The part of the input contract that shapes with a layout pass: boxes, segments, gathers, batches.
#pragma once

#include <backend/interface.hpp>
#include <request/validate.hpp>

namespace isofold {

inline bool has_layout(const isofold_request& request) noexcept {
  return request.shape > ISOFOLD_SHAPE_rows;
}

// What validate_counts() is for arrays and rows. Reads no data, and no index.
std::int32_t validate_layout(const isofold_request& request, const CaseFacts& facts,
                             bool with_pointers, contract::Report& report) noexcept;

// Index arrays in memory that the host reads: that segments do not end before they begin, that no
// index is out of range, and what they name is as good as an array. Reads all of them, in parts.
std::int32_t validate_indices(const isofold_request& request, const CaseFacts& facts,
                              const InParts& in_parts, contract::Report& report) noexcept;
// About so many bytes has each of them.
std::int64_t bytes_of_indices(const isofold_request& request) noexcept;

// The same elements as an array or as rows, where a valid box is that: without a mask, each row one
// stretch of memory. False where it is not; else `plain` is the request to make instead.
bool is_plain_box(const isofold_request& request, isofold_request* plain) noexcept;

}  // namespace isofold
