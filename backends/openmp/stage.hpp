// Stages: how a piece of a row reaches a fold that takes contiguous elements of one type. There are
// two steps, of which either may do nothing: the piece is gathered, where its elements do not lie
// one after the other, and converted, where they are of another type. The rooms are small and used
// again and again, so that they stay in L1 and memory is read once.
#pragma once

#include <layout/packed_rows_view.hpp>
#include <request/converted_elements.hpp>

#include "loop.hpp"

namespace isofold::openmp {
namespace {

using isofold_openmp::Convert;
using isofold_openmp::VectorFolds;

// The elements [first, first + count) of a row.
struct Piece {
  std::int64_t row;
  std::int64_t first;
  std::int64_t count;
};

struct Stage {
  std::int64_t element_bytes;  // in memory
  const isofold_packed::PackedRows*
      packed;       // nullptr: rows of arrays, where nothing is to be gathered
  Convert convert;  // nullptr: the fold takes elements unconverted
};

// Room for the elements of a piece: as they lie in memory, and converted to what the fold takes.
template <int elements>
struct StageRoom {
  // Complex elements come in pieces of one chunk.
  static constexpr int most_bytes = elements <= core::chunk_elements ? sizeof(isofold_c128) : 8;
  static constexpr int most_converted_bytes = 8;
  alignas(64) unsigned char gathered[elements * most_bytes];
  alignas(64) unsigned char converted[elements * most_converted_bytes];
};

// The unconverted elements of a piece of array `which`, 0 or 1, one after the other: where they
// lie, or in `room`.
inline const void* gather(const Stage& stage, const isofold_request& request, int which,
                          const Piece& piece, void* room) {
  if (stage.packed != nullptr) {
    return isofold_packed::elements_of(*stage.packed, which, piece.row, piece.first, piece.count,
                                       room);
  }
  const void* data = which == 0 ? request.data : request.second;
  const std::int64_t stride = which == 0 ? request.stride : request.second_stride;
  return static_cast<const char*>(data) + (piece.row * stride + piece.first) * stage.element_bytes;
}

// The elements of a piece, converted to what the fold takes: where they lie, or in `room`.
template <class Room>
inline const void* deliver(const Stage& stage, const isofold_request& request, int which,
                           const Piece& piece, Room& room) {
  const void* elements = gather(stage, request, which, piece, room.gathered);
  if (stage.convert == nullptr) {
    return elements;
  }
  stage.convert(elements, piece.count, room.converted);
  return room.converted;
}

// Calls use(x, y, count) for each chunk of a piece of the elements that a mask selects; x and y are
// converted to what the fold takes.
template <class Use>
inline void for_taken_chunks(const Stage& stage, const isofold_request& request, const Piece& piece,
                             Use&& use) {
  struct Room {
    alignas(64) unsigned char gathered[isofold_packed::taken_room * sizeof(isofold_c128)];
    alignas(64) unsigned char converted[core::chunk_elements *
                                        StageRoom<core::chunk_elements>::most_converted_bytes];
  };
  Room room[2];
  const auto use_rooms = [&](int count) {
    const void* x[2] = {room[0].gathered, request.second != nullptr ? room[1].gathered : nullptr};
    for (int which = 0; stage.convert != nullptr && which < 2 && x[which] != nullptr; ++which) {
      stage.convert(x[which], count, room[which].converted);
      x[which] = room[which].converted;
    }
    use(x[0], x[1], count);
  };
  using UseRooms = decltype(use_rooms);
  isofold_packed::for_taken_chunks(
      *stage.packed, piece.row, piece.first, piece.count,
      {[](void* context, int count) { (*static_cast<const UseRooms*>(context))(count); },
       const_cast<void*>(static_cast<const void*>(&use_rooms)),
       {room[0].gathered, room[1].gathered}});
}

inline Stage stage_of(const VectorFolds& folds, const isofold_request& request,
                      const isofold_packed::PackedRows* packed) {
  return {stored_bytes(request), packed, folds.convert[request.type - 1][request.accumulator]};
}

// Columns: rows whose elements lie side by side. A chunk of as many of them as share a line of the
// cache is gathered at once, for each alone would bring that line for itself.
inline constexpr int line_bytes = 64;
inline constexpr int most_gathered = 64;

struct ColumnRoom {
  // The distance between neighbours, off the one at which the ways of a cache collide.
  static constexpr std::int64_t pitch = core::chunk_elements + line_bytes;
  alignas(64) unsigned char gathered[line_bytes * pitch];
};

// Columns that are folded as they lie: the columns of a strip, and the most at once. 0: there are
// none.
struct ColumnsTaken {
  int strip;
  int most;
};
// The first of the parts, multiples of `unit` and `most` at most, that some rows, 1 at least, are
// cut into, so that they differ little.
inline int in_equal_parts(std::int64_t rows, std::int64_t most, std::int64_t unit) {
  const std::int64_t parts = (rows + most - 1) / most;
  return static_cast<int>((rows / parts + unit - 1) / unit * unit);
}

// How many of the rows [row, end) are taken at once: strips that are folded as they lie, if there
// is one, about as many each time; else as many as are gathered. The answer 1 says that they are no
// columns.
inline int columns_at(const Stage& stage, std::int64_t row, std::int64_t end, ColumnsTaken taken) {
  const std::int64_t all =
      stage.packed != nullptr ? isofold_packed::columns_of(*stage.packed, row) : 1;
  const std::int64_t there = all < end - row ? all : end - row;
  if (taken.strip > 0 && there >= taken.strip) {
    return in_equal_parts(there / taken.strip * taken.strip, taken.most, taken.strip);
  }
  const std::int64_t line = line_bytes / stage.element_bytes;
  const std::int64_t gathered = line < most_gathered ? line : most_gathered;
  return static_cast<int>(there < gathered ? there : gathered);
}

// This tells whether rows have lengths of their own, and the length of one.
inline bool has_own_lengths(const Stage& stage, const isofold_request& request) {
  return stage.packed != nullptr && request.shape != ISOFOLD_SHAPE_gather;
}
inline std::int64_t row_length(const Stage& stage, const isofold_request& request,
                               std::int64_t row) {
  return stage.packed != nullptr ? isofold_packed::length_of(*stage.packed, row) : request.length;
}

}  // namespace
}  // namespace isofold::openmp
