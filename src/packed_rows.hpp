// Rows of any shape, as if the elements of each lay one after the other: where a piece of a row
// is, or a copy of it. Shapes that have rows of their own in memory (arrays, rows) need none of
// this.
#pragma once

#include <cstdint>
#include <vector>

#include <isofold/isofold.h>
#include <packed_rows_view.hpp>

namespace isofold_packed {

// Some dimensions of a box: what an index over them, in row-major order, means in memory.
class Dimensions {
 public:
  // Those of the layout whose bit in `chosen` is set, with `strides` for theirs. Dimensions of one
  // index are left out, and neighbours that one stride covers are made one.
  Dimensions(const isofold_layout& layout, std::uint32_t chosen, const std::int64_t* strides);
  std::int64_t count() const { return count_; }  // of elements
  // No more than one dimension, of stride 1.
  bool is_contiguous() const { return size_ == 0 || (size_ == 1 && strides_[0] == 1); }
  // At most one dimension; its stride.
  bool has_one_stride(std::int64_t* stride) const {
    *stride = size_ == 0 ? 0 : strides_[0];
    return size_ <= 1;
  }
  std::int64_t offset(std::int64_t index) const;
  // Calls run(offset, stride, count) for the stretches that make up [first, first + count), in
  // order.
  template <class Run>
  void for_runs(std::int64_t first, std::int64_t count, Run&& run) const;

 private:
  int size_ = 0;
  std::int64_t count_ = 1;
  std::int64_t extents_[ISOFOLD_MOST_DIMENSIONS];
  std::int64_t strides_[ISOFOLD_MOST_DIMENSIONS];
};

class PackedRows {
 public:
  // Of a valid request of shape box, segments, gather or batch. Reads the mask, if there is one:
  // all of it, with workspace of 8 bytes for each 4096 of its elements. Throws std::bad_alloc.
  PackedRows(const isofold_request& request, std::int64_t element_bytes);

  std::int64_t length(std::int64_t row) const;
  std::int64_t elements() const;  // of all rows; with a mask, before it
  // Elements [first, first + count) of a row of array `which`, 0 or 1: where they lie one after
  // the other, or in `room`.
  const void* elements(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                       void* room) const;

 private:
  const void* of_box(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                     void* room) const;
  const void* of_mask(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                      void* room) const;
  void count_mask();

  const isofold_request& request_;
  const isofold_layout& layout_;
  std::int64_t element_bytes_;
  std::vector<Dimensions> kept_;     // of each array, then of the mask
  std::vector<Dimensions> reduced_;  // likewise
  // Of each row's blocks of mask_block elements, how many elements before it are taken; and all.
  std::vector<std::int64_t> taken_before_;
  std::int64_t blocks_a_row_ = 0;
};

}  // namespace isofold_packed

namespace isofold {
using isofold_packed::Dimensions;
using isofold_packed::PackedRows;
}  // namespace isofold
