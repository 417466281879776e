// The dimensions over which the rows of a box, or the elements of a row, are numbered.
#pragma once

#include <algorithm>
#include <cstdint>

#include <isofold/isofold.h>
#include <layout/packed_rows_view.hpp>

namespace isofold_packed {

// Dimensions say where an index over them, in row-major order, lies in memory.
class Dimensions {
 public:
  Dimensions() = default;  // none
  // The dimensions of the layout whose bit in `chosen` is set, with `strides` for theirs.
  // Dimensions of one index are left out, and neighbours that one stride covers are made one.
  Dimensions(const isofold_layout& layout, std::uint32_t chosen, const std::int64_t* strides);
  // This tells whether there is at most one dimension, of stride 1.
  bool is_contiguous() const { return size_ == 0 || (size_ == 1 && strides_[0] == 1); }
  // This tells whether there is at most one dimension, and its stride.
  bool has_one_stride(std::int64_t* stride) const {
    *stride = size_ == 0 ? 0 : strides_[0];
    return size_ <= 1;
  }
  // The run: so many indices from a multiple of it on lie one after the other in memory.
  std::int64_t run() const {
    return size_ > 0 && strides_[size_ - 1] == 1 ? extents_[size_ - 1] : 1;
  }
  // How many indices from `index` on lie at one distance from each other, and that distance.
  std::int64_t at_one_distance(std::int64_t index, std::int64_t* distance) const {
    *distance = size_ > 0 ? strides_[size_ - 1] : 0;
    return size_ > 0 ? extents_[size_ - 1] - index % extents_[size_ - 1] : 1;
  }
  // How many indices from `index` on lie one after the other in memory.
  std::int64_t side_by_side(std::int64_t index) const {
    std::int64_t distance = 0;
    const std::int64_t there = at_one_distance(index, &distance);
    return distance == 1 ? there : 1;
  }
  // How far a run is from the one before it; 0: there is none.
  std::int64_t between_runs() const { return size_ > 1 ? strides_[size_ - 2] : 0; }
  // The slabs: the innermost dimensions below one of stride 1, which is not the innermost. 0: there
  // are none.
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

template <class Run>
void Dimensions::for_runs(std::int64_t first, std::int64_t count, Run&& run) const {
  if (size_ == 0) {
    run(std::int64_t{0}, std::int64_t{1}, count);
    return;
  }
  const int inner = size_ - 1;
  std::int64_t at[ISOFOLD_MOST_DIMENSIONS];
  std::int64_t offset = 0;
  for (int d = inner; d >= 0; --d) {
    at[d] = first % extents_[d];
    first /= extents_[d];
    offset += at[d] * strides_[d];
  }
  while (count > 0) {
    const std::int64_t here = std::min(count, extents_[inner] - at[inner]);
    run(offset, strides_[inner], here);
    count -= here;
    offset += here * strides_[inner];
    at[inner] += here;
    for (int d = inner; d > 0 && at[d] == extents_[d]; --d) {
      offset += strides_[d - 1] - extents_[d] * strides_[d];
      at[d] = 0;
      ++at[d - 1];
    }
  }
}

}  // namespace isofold_packed

namespace isofold {
using isofold_packed::Dimensions;
}  // namespace isofold
