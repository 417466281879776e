// --axis, --box, --mask and --segments: over which elements of a file, as the library takes it.
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

// For an array x of the file it is x[box][mask], reduced over `axis` of x[box], or over all of its
// dimensions.
class Layout {
 public:
  // Of data with these extents. Reads the mask, or the offsets. Throws Failure(bad_input).
  Layout(const Selection& selection, const std::vector<std::int64_t>& extents);
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  // Points into this object.
  const Shape& shape() const noexcept { return shape_; }
  // The element that the shape begins at.
  std::int64_t first() const noexcept { return first_; }
  // Elements that are taken, of each array.
  std::int64_t count() const noexcept { return count_; }
  // The dimensions of the results, which are in row-major order; none where there is one result.
  const std::vector<std::int64_t>& kept() const noexcept { return kept_; }

 private:
  void take_box(const Box& box, std::uint32_t reduced);
  void take_mask(const std::string& path, const Box& box);
  void take_segments(const std::string& path, std::int64_t elements);

  isofold_layout layout_{};
  Shape shape_;
  std::int64_t first_ = 0;
  std::int64_t count_ = 0;
  std::vector<std::int64_t> kept_;
  std::optional<Source> mask_;
  std::optional<Source> offsets_;
};

}  // namespace cli
