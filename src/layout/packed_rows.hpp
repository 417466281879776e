// Rows of any shape with a layout, as if the elements of each lay one after the other: where a
// piece of a row is, or a copy of it. Each kind of layout derives its own. Only boxes have lines,
// columns, slabs and masks; the defaults here answer for the other kinds. packed_rows_view.hpp has
// the functions for the loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include <backend/parts.hpp>
#include <isofold/isofold.h>
#include <layout/packed_rows_view.hpp>

namespace isofold_packed {

// Rows are made of a valid request, whose elements have so many bytes. Entries of a mask are
// counted in parts.
struct RowsOf {
  const isofold_request& request;
  std::int64_t element_bytes;
  std::int64_t element_alignment;
  const isofold::InParts& in_parts;

  static constexpr std::size_t room_bytes = 1024;
  template <class Rows>
  const PackedRows* make(void* room) const {
    static_assert(sizeof(Rows) <= room_bytes && alignof(Rows) <= alignof(std::max_align_t));
    return ::new (room) Rows(*this);
  }
};

class PackedRows {
 public:
  explicit PackedRows(const RowsOf& of)
      : request_(of.request),
        layout_(*of.request.layout),
        element_bytes_(of.element_bytes),
        element_alignment_(of.element_alignment) {}
  virtual ~PackedRows() = default;
  PackedRows(const PackedRows&) = delete;
  PackedRows& operator=(const PackedRows&) = delete;

  virtual std::int64_t length(std::int64_t) const { return request_.length; }
  // About how many elements are read for all rows; with a mask, those that it may select from.
  virtual std::int64_t elements() const { return request_.rows * request_.length; }
  // The elements [first, first + count) of a row of array `which`, 0 or 1: where they lie one after
  // the other, or in `room`.
  virtual const void* elements(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                               void* room) const = 0;
  // The index, in the array, of element number `index` of a row: in a box among all elements of the
  // row, of a list in the data.
  virtual std::int64_t index_in_array(std::int64_t /*row*/, std::int64_t index) const {
    return index;
  }
  // This tells whether elements() are always where they lie.
  virtual bool lie_in_line() const { return false; }

  // This tells whether a mask says which elements there are. If so: copies the elements [first,
  // first + count) of a row, of which `first` begins a chunk, chunk by chunk to the front of the
  // rooms, and calls use() with the number of each. It reads the mask once, where elements() reads
  // it again and again.
  virtual bool has_mask() const { return false; }
  virtual void for_taken_chunks(std::int64_t, std::int64_t, std::int64_t,
                                const TakenChunks&) const {}

  // This tells whether most stretches of core::lanes elements lie in line, and others in two lines.
  virtual bool has_long_runs() const { return false; }
  // The place of each such stretch of `count` elements of a row, from `first` on.
  virtual void lane_rows(int, std::int64_t, std::int64_t, std::int64_t, LaneRow*) const {}

  // Rows whose runs take turns in memory, as those of a field over its first and last index do.
  virtual Planes planes(std::int64_t) const { return {1, 0, {}}; }

  // The slabs of each row: parts of one length, whose elements lie side by side in the first array;
  // none where there is a mask.
  virtual Slabs slabs() const { return {0, 0}; }
  // This tells whether the slabs of array `which` lie so, too; slabs() then tells how many of both
  // do.
  virtual bool slabs_lie_side_by_side(int) const { return false; }
  // Gathers the elements [first, first + count) of each of so many slabs side by side,
  // most_gathered at most, from number `slab` of a row on: those of one slab after the other, each
  // slab's to a room of its own.
  virtual void gather_slabs(int, std::int64_t, std::int64_t, int, std::int64_t, std::int64_t,
                            void* const*) const {}

  // Columns: the number of rows from `row` on whose elements lie side by side in memory, in each
  // array.
  virtual std::int64_t columns(std::int64_t) const { return 1; }
  // The place of the first element of a row, and the distances from it of the elements [first,
  // first + count) of each row, in elements of array `which`.
  virtual std::int64_t row_offset(int, std::int64_t) const { return 0; }
  virtual void column_offsets(int, std::int64_t, std::int64_t, std::int64_t*) const {}
  // Gathers the elements [first, first + count) of each of so many rows, read side by side, into
  // `room`: those of one row after the other, rows `pitch` elements apart; most_gathered rows at
  // most.
  virtual void gather_columns(int, std::int64_t, int, std::int64_t, std::int64_t, void*,
                              std::int64_t) const {}

 protected:
  std::int64_t sum_of_lengths() const {
    std::int64_t sum = 0;
    for (std::int64_t row = 0; row < request_.rows; ++row) {
      sum += length(row);
    }
    return sum;
  }
  const void* array(int which) const { return which == 0 ? request_.data : request_.second; }

  const isofold_request& request_;
  const isofold_layout& layout_;
  std::int64_t element_bytes_;
  std::int64_t element_alignment_;
};

// The rows of a request, of the kind that its layout has, in room of their own: a mask takes
// workspace of 8 bytes for each 4096 of its elements, concatenated arrays 8 bytes for each, and
// either may throw std::bad_alloc or std::length_error. Others allocate nothing.
class RowsOfRequest {
 public:
  RowsOfRequest(const isofold_request& request, std::int64_t element_bytes,
                std::int64_t element_alignment,
                const isofold::InParts& in_parts = isofold::in_turn);
  ~RowsOfRequest() { rows_->~PackedRows(); }
  RowsOfRequest(const RowsOfRequest&) = delete;
  RowsOfRequest& operator=(const RowsOfRequest&) = delete;
  const PackedRows& operator*() const { return *rows_; }
  const PackedRows* operator->() const { return rows_; }

 private:
  alignas(std::max_align_t) unsigned char room_[RowsOf::room_bytes];
  const PackedRows* rows_;
};

}  // namespace isofold_packed

namespace isofold {
using isofold_packed::PackedRows;
using isofold_packed::RowsOf;
using isofold_packed::RowsOfRequest;
}  // namespace isofold
