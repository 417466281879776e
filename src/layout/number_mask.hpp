// Masks of the elements that are no NaN, for requests that leave those out (ISOFOLD_SKIP_NAN).
#pragma once

#include <backend/parts.hpp>
#include <isofold/isofold.h>

namespace isofold {

// The box that an array, rows or a box is; false for other shapes. `layout` is its layout, to which
// it points.
bool make_box(const isofold_request& request, isofold_request* box, isofold_layout* layout);

// Writes a byte for each element of a valid box, in row-major order: 1 if the request's mask takes
// it and it is no NaN, nor its partner in the second array; else 0.
void mark_numbers(const isofold_request& box, const InParts& in_parts, unsigned char* marks);

}  // namespace isofold
