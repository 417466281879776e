// Indices of locations as those of the array. Folds count the elements of a row as if they were
// packed, whatever took them; this is done once to the results, so that no fold and no loop knows
// of masks and lists.
#pragma once

#include <isofold/isofold.h>
#include <layout/packed_rows.hpp>

namespace isofold {

// Turns the indices in the results of a request, if it has locations and asks for it, from numbers
// among the elements of their rows into indices in the array (PackedRows::index_in_array).
void number_in_array(const isofold_request& request, const PackedRows& packed,
                     const InParts& in_parts);

}  // namespace isofold
