// Rows of a request, and the functions by which loops use them (packed_rows_view.hpp).
#include <layout/packed_rows.hpp>

#include <layout/layout.hpp>

namespace isofold_packed {

RowsOfRequest::RowsOfRequest(const isofold_request& request, std::int64_t element_bytes,
                             std::int64_t element_alignment, const isofold::InParts& in_parts)
    : rows_(isofold::layout_of(request).rows(
          room_, {request, element_bytes, element_alignment, in_parts})) {}

std::int64_t length_of(const PackedRows& rows, std::int64_t row) { return rows.length(row); }
std::int64_t row_offset(const PackedRows& rows, int which, std::int64_t row) {
  return rows.row_offset(which, row);
}
void column_offsets(const PackedRows& rows, int which, std::int64_t first, std::int64_t count,
                    std::int64_t* offsets) {
  rows.column_offsets(which, first, count, offsets);
}
bool has_mask(const PackedRows& rows) { return rows.has_mask(); }
void for_taken_chunks(const PackedRows& rows, std::int64_t row, std::int64_t first,
                      std::int64_t count, const TakenChunks& chunks) {
  rows.for_taken_chunks(row, first, count, chunks);
}
bool lie_in_line(const PackedRows& rows) { return rows.lie_in_line(); }
bool has_long_runs(const PackedRows& rows) { return rows.has_long_runs(); }
Planes planes_of(const PackedRows& rows, std::int64_t row) { return rows.planes(row); }
void lane_rows(const PackedRows& rows, int which, std::int64_t row, std::int64_t first,
               std::int64_t count, LaneRow* lanes) {
  rows.lane_rows(which, row, first, count, lanes);
}
std::int64_t columns_of(const PackedRows& rows, std::int64_t row) { return rows.columns(row); }
void gather_columns(const PackedRows& rows, int which, std::int64_t row, int columns,
                    std::int64_t first, std::int64_t count, void* room, std::int64_t pitch) {
  rows.gather_columns(which, row, columns, first, count, room, pitch);
}
Slabs slabs_of(const PackedRows& rows) { return rows.slabs(); }
bool slabs_lie_side_by_side(const PackedRows& rows, int which) {
  return rows.slabs_lie_side_by_side(which);
}
void gather_slabs(const PackedRows& rows, int which, std::int64_t row, std::int64_t slab, int slabs,
                  std::int64_t first, std::int64_t count, void* const* rooms) {
  rows.gather_slabs(which, row, slab, slabs, first, count, rooms);
}
const void* elements_of(const PackedRows& rows, int which, std::int64_t row, std::int64_t first,
                        std::int64_t count, void* room) {
  return rows.elements(which, row, first, count, room);
}

}  // namespace isofold_packed
