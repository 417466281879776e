// --axis, --box, --mask and --segments: the elements of a file to reduce, in the form that the
// library takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <isofold/isofold.h>

#include "engine.hpp"
#include "selection.hpp"
#include "slices.hpp"
#include "source.hpp"

namespace cli {

// The selection x[box][mask] of an array x of the file, reduced over `axis` of x[box], or over all
// of its dimensions.
class Layout {
 public:
  // For data with these extents. Reads the mask, or the offsets. Throws Failure(bad_input).
  Layout(const Selection& selection, const std::vector<std::int64_t>& extents);
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  // Points into this object.
  const Shape& shape() const noexcept { return shape_; }
  // The element that the shape begins at.
  std::int64_t first() const noexcept { return first_; }
  // Selected elements of each array.
  std::int64_t count() const noexcept { return count_; }
  // The extents of the box; none of segments.
  const std::vector<std::int64_t>& extents() const noexcept { return extents_; }
  // The dimensions of the results, which are in row-major order; none if there is one result.
  const std::vector<std::int64_t>& kept() const noexcept { return kept_; }

 private:
  void take_box(const Box& box, const std::vector<bool>& reduced);
  void take_mask(const std::string& path, const Box& box);
  void take_segments(const std::string& path, std::int64_t elements);

  isofold_layout layout_{};
  Shape shape_;
  std::int64_t first_ = 0;
  std::int64_t count_ = 0;
  std::vector<std::int64_t> extents_;
  std::vector<std::int64_t> kept_;
  std::optional<Source> mask_;
  std::optional<Source> offsets_;
  std::vector<unsigned char> wide_mask_;    // in place of one that repeats
  std::vector<std::int64_t> wide_offsets_;  // in place of ones that devices do not take
};

}  // namespace cli
