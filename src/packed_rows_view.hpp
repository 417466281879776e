// PackedRows (packed_rows.hpp) for code that is compiled for several instruction sets: it shares no
// inline functions with the rest, and its namespace isofold is one of its own (walk_scope.hpp).
#pragma once

#include <cstdint>

namespace isofold_packed {

class PackedRows;
std::int64_t length_of(const PackedRows& rows, std::int64_t row);
const void* elements_of(const PackedRows& rows, int which, std::int64_t row, std::int64_t first,
                        std::int64_t count, void* room);

}  // namespace isofold_packed
