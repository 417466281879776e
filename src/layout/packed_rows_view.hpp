// PackedRows (packed_rows.hpp) for code that is compiled for several instruction sets: it shares no
// inline functions with the rest, and its namespace isofold is one of its own
// (instruction_set_scope.hpp).
#pragma once

#include <cstdint>

namespace isofold_packed {

class PackedRows;
std::int64_t length_of(const PackedRows& rows, std::int64_t row);
const void* elements_of(const PackedRows& rows, int which, std::int64_t row, std::int64_t first,
                        std::int64_t count, void* room);
// PackedRows::for_taken_chunks(): the callback use(context, n), and the rooms that hold the
// elements.
struct TakenChunks {
  void (*use)(void* context, int count);
  void* context;
  void* room[2];  // of both arrays, taken_room elements each
};
inline constexpr int taken_room = 1024 + 64;
bool has_mask(const PackedRows& rows);
void for_taken_chunks(const PackedRows& rows, std::int64_t row, std::int64_t first,
                      std::int64_t count, const TakenChunks& chunks);
bool lie_in_line(const PackedRows& rows);
bool has_long_runs(const PackedRows& rows);
// PackedRows::lane_rows(); a row of lanes is cut at most once.
struct LaneRow {
  const char* data;    // its first `split` elements
  const char* rest;    // where its first element would be, if the others lay behind it
  std::int64_t split;  // all of them, if it lies in line
};
void lane_rows(const PackedRows& rows, int which, std::int64_t row, std::int64_t first,
               std::int64_t count, LaneRow* lanes);
// PackedRows::planes(): rows that take turns in memory, run by run.
struct Planes {
  std::int64_t rows;  // how many rows from the one asked for on take turns; 1: they do not
  std::int64_t run;   // elements of a row that lie in line in the first array, from a multiple
                      // of that on; in the second one stretches of lanes are cut, too
  std::int64_t distance[2];  // of a row from the one before it, in bytes of either array
};
Planes planes_of(const PackedRows& rows, std::int64_t row);
// Slabs: PackedRows::slabs(), slabs_lie_side_by_side(), gather_slabs().
struct Slabs {
  std::int64_t length;      // elements of each; 0: there are none
  std::int64_t neighbours;  // how many lie side by side
};
Slabs slabs_of(const PackedRows& rows);
bool slabs_lie_side_by_side(const PackedRows& rows, int which);
void gather_slabs(const PackedRows& rows, int which, std::int64_t row, std::int64_t slab, int slabs,
                  std::int64_t first, std::int64_t count, void* const* rooms);
inline constexpr int most_gathered = 1024;  // slabs, or columns, at once
// Columns: PackedRows::columns(), row_offset(), column_offsets(), gather_columns().
std::int64_t columns_of(const PackedRows& rows, std::int64_t row);
std::int64_t row_offset(const PackedRows& rows, int which, std::int64_t row);
void column_offsets(const PackedRows& rows, int which, std::int64_t first, std::int64_t count,
                    std::int64_t* offsets);
void gather_columns(const PackedRows& rows, int which, std::int64_t row, int columns,
                    std::int64_t first, std::int64_t count, void* room, std::int64_t pitch);

}  // namespace isofold_packed
