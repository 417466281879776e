// Masks of the elements that are no NaN, for requests that leave those out (ISOFOLD_SKIP_NAN).
#pragma once

#include <cstdint>

#include <backend/interface.hpp>
#include <backend/parts.hpp>
#include <isofold/isofold.h>

namespace isofold {

// This tells whether a request of a known shape is an array, rows or a box; the sentence for
// others.
bool is_box(const isofold_request& request);
std::int32_t refuse_no_box(const isofold_request& request, backend_interface::Report& report);

// A valid request of these as a box; `layout` is its layout, to which it points.
void make_box(const isofold_request& request, isofold_request* box, isofold_layout* layout);

// Puts a box under a mask of bytes or bits in the order of its elements, in place of its own mask.
void set_mask(isofold_layout* layout, const void* mask, std::int32_t type);

// Writes a byte for each element of a valid box, in row-major order: 1 if the request's mask takes
// it and it is no NaN, nor its partner in the second array; else 0.
void mark_numbers(const isofold_request& box, const InParts& in_parts, unsigned char* marks);

}  // namespace isofold
