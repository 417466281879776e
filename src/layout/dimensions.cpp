// How dimensions are merged: those of one index are left out, and neighbours that one stride covers
// become one.
#include <layout/dimensions.hpp>

namespace isofold_packed {

Dimensions::Dimensions(const isofold_layout& layout, std::uint32_t chosen,
                       const std::int64_t* strides) {
  for (int d = 0; d < layout.dimensions; ++d) {
    const std::int64_t extent = layout.extents[d];
    if ((chosen >> d & 1U) == 0 || extent == 1) {
      continue;
    }
    // Extents and strides of a box without elements may be anything.
    std::int64_t span = 0;
    std::int64_t both = 0;
    if (size_ > 0 && !__builtin_mul_overflow(extent, strides[d], &span) &&
        strides_[size_ - 1] == span &&
        !__builtin_mul_overflow(extents_[size_ - 1], extent, &both)) {
      extents_[size_ - 1] = both;
      strides_[size_ - 1] = strides[d];
    } else {
      extents_[size_] = extent;
      strides_[size_] = strides[d];
      ++size_;
    }
  }
}

std::int64_t Dimensions::offset(std::int64_t index) const {
  std::int64_t offset = 0;
  for (int d = size_ - 1; d >= 0; --d) {
    offset += index % extents_[d] * strides_[d];
    index /= extents_[d];
  }
  return offset;
}

}  // namespace isofold_packed
