// Stages: how a piece of a row reaches a fold that takes contiguous elements of one type. Two
// steps, of which either may do nothing: the piece is gathered, where its elements do not lie one
// after the other, and converted, where they are of another type. The rooms are small and used
// again and again, so that they stay in L1 and memory is read once.
#pragma once

#include <stored_elements.hpp>

#include "conversion.hpp"

namespace isofold::openmp {
namespace {

// One of a request's arrays.
struct Input {
  const void* data;
  std::int64_t stride;
};

// The elements [first, first + count) of a row.
struct Piece {
  std::int64_t row;
  std::int64_t first;
  std::int64_t count;
};

struct Stage {
  std::int64_t element_bytes;  // as stored
  // The elements of a piece as they are stored, one after the other: where they lie, or in `room`.
  const void* (*gather)(const isofold_request& request, const Input& input, const Piece& piece,
                        std::int64_t element_bytes, void* room);
  Convert convert;  // nullptr: the fold takes elements as they are stored
};

// Room for the elements of a piece: as they are stored, and as the fold takes them.
template <int elements>
struct StageRoom {
  static constexpr int most_bytes = 8;
  alignas(64) unsigned char gathered[elements * most_bytes];
  alignas(64) unsigned char converted[elements * most_bytes];
};

// Where the elements of a piece are, as the fold takes them.
template <class Room>
ISOFOLD_INLINE const void* deliver(const Stage& stage, const isofold_request& request,
                                   const Input& input, const Piece& piece, Room& room) {
  const void* elements = stage.gather(request, input, piece, stage.element_bytes, room.gathered);
  if (stage.convert == nullptr) {
    return elements;
  }
  stage.convert(elements, piece.count, room.converted);
  return room.converted;
}

// Rows of arrays: nothing is to be gathered.
inline const void* in_place(const isofold_request&, const Input& input, const Piece& piece,
                            std::int64_t element_bytes, void*) {
  return static_cast<const char*>(input.data) +
         (piece.row * input.stride + piece.first) * element_bytes;
}

inline Stage stage_of(const isofold_request& request) {
  Stage stage{0, in_place, nullptr};
  visit_stored(request.type, request.accumulator, [&](auto stored) {
    stage.element_bytes = sizeof stored;
    stage.convert = conversion_of<decltype(stored)>();
  });
  return stage;
}

}  // namespace
}  // namespace isofold::openmp
