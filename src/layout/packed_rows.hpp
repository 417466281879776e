// Rows of any shape, as if the elements of each lay one after the other: where a piece of a row
// is, or a copy of it. Shapes that have rows of their own in memory (arrays, rows) need none of
// this.
#pragma once

#include <cstdint>
#include <vector>

#include <backend/parts.hpp>
#include <isofold/isofold.h>
#include <layout/packed_rows_view.hpp>

namespace isofold_packed {

// Some dimensions of a box: what an index over them, in row-major order, means in memory.
class Dimensions {
 public:
  Dimensions() = default;  // none
  // Those of the layout whose bit in `chosen` is set, with `strides` for theirs. Dimensions of one
  // index are left out, and neighbours that one stride covers are made one.
  Dimensions(const isofold_layout& layout, std::uint32_t chosen, const std::int64_t* strides);
  // No more than one dimension, of stride 1.
  bool is_contiguous() const { return size_ == 0 || (size_ == 1 && strides_[0] == 1); }
  // At most one dimension; its stride.
  bool has_one_stride(std::int64_t* stride) const {
    *stride = size_ == 0 ? 0 : strides_[0];
    return size_ <= 1;
  }
  // So many indices from a multiple of that on lie one after the other in memory.
  std::int64_t run() const {
    return size_ > 0 && strides_[size_ - 1] == 1 ? extents_[size_ - 1] : 1;
  }
  // From `index` on, so many lie at one distance from each other, and that distance.
  std::int64_t at_one_distance(std::int64_t index, std::int64_t* distance) const {
    *distance = size_ > 0 ? strides_[size_ - 1] : 0;
    return size_ > 0 ? extents_[size_ - 1] - index % extents_[size_ - 1] : 1;
  }
  // From `index` on, so many lie one after the other in memory.
  std::int64_t side_by_side(std::int64_t index) const {
    std::int64_t distance = 0;
    const std::int64_t there = at_one_distance(index, &distance);
    return distance == 1 ? there : 1;
  }
  // How far a run is from the one before it; 0: there is none.
  std::int64_t between_runs() const { return size_ > 1 ? strides_[size_ - 2] : 0; }
  // The innermost ones below one of stride 1, which is not the innermost. 0: there are none.
  Slabs slabs() const {
    std::int64_t inner = size_ > 0 ? extents_[size_ - 1] : 0;
    for (int d = size_ - 2; d >= 0; --d) {
      if (strides_[d] == 1) {
        return {inner, extents_[d]};
      }
      inner *= extents_[d];
    }
    return {0, 0};
  }
  std::int64_t offset(std::int64_t index) const;
  // Calls run(offset, stride, count) for the stretches that make up [first, first + count), in
  // order.
  template <class Run>
  void for_runs(std::int64_t first, std::int64_t count, Run&& run) const;

 private:
  int size_ = 0;
  std::int64_t extents_[ISOFOLD_MOST_DIMENSIONS]{};
  std::int64_t strides_[ISOFOLD_MOST_DIMENSIONS]{};
};

class PackedRows {
 public:
  // Of a valid request of a shape from box on. Reads the mask, if there is one, with workspace of 8
  // bytes for each 4096 of its elements, and the lengths of joined arrays, with 8 bytes for each:
  // either may throw std::bad_alloc or std::length_error. Others allocate nothing. A mask is
  // counted in parts.
  PackedRows(const isofold_request& request, std::int64_t element_bytes,
             std::int64_t element_alignment, const isofold::InParts& in_parts = isofold::in_turn);

  std::int64_t length(std::int64_t row) const;
  std::int64_t elements() const;  // of all rows; with a mask, before it
  // Elements [first, first + count) of a row of array `which`, 0 or 1: where they lie one after
  // the other, or in `room`.
  const void* elements(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                       void* room) const;

  // Whether a mask says which elements there are. If so: copies the elements [first, first + count)
  // of a row, of which `first` begins a chunk, chunk by chunk to the front of the rooms, and calls
  // use() with the number of each. Reads the mask once, where elements() reads it again and again.
  bool has_mask() const { return request_.shape == ISOFOLD_SHAPE_box && layout_.mask != nullptr; }
  void for_taken_chunks(std::int64_t row, std::int64_t first, std::int64_t count,
                        const TakenChunks& chunks) const;

  // Whether elements() are always where they lie.
  bool lie_in_line() const;

  // Whether most stretches of core::lanes elements lie in line, and others in two lines.
  bool has_long_runs() const;
  // Where each such stretch of `count` elements of a row is.
  void lane_rows(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                 LaneRow* lanes) const;

  // Rows whose runs take turns in memory, as those of a field over its first and last index do.
  Planes planes(std::int64_t row) const;

  // Parts of each row, each as long, whose elements lie side by side in the first array; none where
  // there is a mask.
  Slabs slabs() const;
  // Whether those of array `which` do, too; then of both so many as slabs() says.
  bool slabs_lie_side_by_side(int which) const;
  // Elements [first, first + count) of each of so many slabs side by side, most_gathered at most,
  // from number `slab` of a row on: those of one slab after the other, each slab's to a room of its
  // own.
  void gather_slabs(int which, std::int64_t row, std::int64_t slab, int slabs, std::int64_t first,
                    std::int64_t count, void* const* rooms) const;

  // Columns: so many rows from `row` on have their elements side by side in memory, in each array.
  std::int64_t columns(std::int64_t row) const;
  // Where the first element of a row is, and how far from it the elements [first, first + count)
  // of each row are, in elements of array `which`.
  std::int64_t row_offset(int which, std::int64_t row) const { return kept_[which].offset(row); }
  void column_offsets(int which, std::int64_t first, std::int64_t count,
                      std::int64_t* offsets) const;
  // Elements [first, first + count) of each of so many rows, read side by side, into `room`: those
  // of one row after the other, rows `pitch` elements apart; most_gathered rows at most.
  void gather_columns(int which, std::int64_t row, int columns, std::int64_t first,
                      std::int64_t count, void* room, std::int64_t pitch) const;

 private:
  const void* of_box(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                     void* room) const;
  // The block of the mask that has element number `first` of those that are taken.
  std::int64_t block_of(std::int64_t row, std::int64_t first) const;
  template <class Word>
  void pack_chunks(std::int64_t row, std::int64_t first, std::int64_t count,
                   const TakenChunks& chunks) const;
  const void* of_mask(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                      void* room) const;
  const void* of_joined(int which, std::int64_t first, std::int64_t count, void* room) const;
  void count_mask(const isofold::InParts& in_parts);
  void count_joined();

  const isofold_request& request_;
  const isofold_layout& layout_;
  std::int64_t element_bytes_;
  std::int64_t element_alignment_;
  Dimensions kept_[3];     // of each array, then of the mask
  Dimensions reduced_[3];  // likewise
  // Of each row's blocks of mask_block elements, how many elements before it are taken; and all.
  std::vector<std::int64_t> taken_before_;
  const std::int64_t* taken_before(std::int64_t row) const {
    return taken_before_.data() + row * (blocks_a_row_ + 1);
  }
  std::int64_t blocks_a_row_ = 0;
  std::vector<std::int64_t> joined_before_;  // elements before each of the joined arrays; and all
};

}  // namespace isofold_packed

namespace isofold {
using isofold_packed::Dimensions;
using isofold_packed::PackedRows;
}  // namespace isofold
