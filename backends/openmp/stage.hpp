// Stages: how a piece of a row reaches a fold that takes contiguous elements of one type. Two
// steps, of which either may do nothing: the piece is gathered, where its elements do not lie one
// after the other, and converted, where they are of another type. The rooms are small and used
// again and again, so that they stay in L1 and memory is read once.
#pragma once

#include <packed_rows_view.hpp>
#include <stored_elements.hpp>

#include "conversion.hpp"

namespace isofold::openmp {
namespace {

// The elements [first, first + count) of a row.
struct Piece {
  std::int64_t row;
  std::int64_t first;
  std::int64_t count;
};

struct Stage {
  std::int64_t element_bytes;  // as stored
  const isofold_packed::PackedRows*
      packed;       // nullptr: rows of arrays, where nothing is to be gathered
  Convert convert;  // nullptr: the fold takes elements as they are stored
};

// Room for the elements of a piece: as they are stored, and as the fold takes them.
template <int elements>
struct StageRoom {
  static constexpr int most_bytes = 8;
  alignas(64) unsigned char gathered[elements * most_bytes];
  alignas(64) unsigned char converted[elements * most_bytes];
};

// The elements of a piece of array `which`, 0 or 1, as they are stored, one after the other: where
// they lie, or in `room`.
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

// Where they are as the fold takes them.
template <class Room>
ISOFOLD_INLINE const void* deliver(const Stage& stage, const isofold_request& request, int which,
                                   const Piece& piece, Room& room) {
  const void* elements = gather(stage, request, which, piece, room.gathered);
  if (stage.convert == nullptr) {
    return elements;
  }
  stage.convert(elements, piece.count, room.converted);
  return room.converted;
}

inline Stage stage_of(const isofold_request& request, const isofold_packed::PackedRows* packed) {
  Stage stage{0, packed, nullptr};
  visit_stored(request.type, request.accumulator, [&](auto stored) {
    stage.element_bytes = sizeof stored;
    stage.convert = conversion_of<decltype(stored)>();
  });
  return stage;
}

}  // namespace
}  // namespace isofold::openmp
