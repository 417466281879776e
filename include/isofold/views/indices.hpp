// Indices of an element from its flat index, as results with a location have it: numpy's
// unravel_index.
//
//   const auto hottest = reduce.argmax(field);                         // box(x, {nz, ny, nx})
//   const auto [z, y, x] = unravel_index<3>(hottest.index, field);     // a std::array
//   const auto all = unravel_index(hottest.index, field);              // a std::vector
//
// Flat indices count elements in row-major order, the last index fastest. In an interior or a slice
// they count its own elements from 0: add the ghost layers, or where the slice begins, for indices
// of the whole. What a mask takes is counted otherwise, and has no such indices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <isofold/error.hpp>
#include <isofold/views/box.hpp>
#include <isofold/views/range.hpp>

namespace isofold {

namespace view_detail {

// Writes an index for each dimension to `indices`.
inline void unravel(std::int64_t index, const std::int64_t* extents, std::size_t dimensions,
                    std::int64_t* indices) {
  // From the last dimension on, without the number of all elements, which may overflow.
  std::int64_t rest = index;
  bool is_inside = index >= 0;
  for (std::size_t d = dimensions; is_inside && d-- > 0;) {
    is_inside = extents[d] > 0;
    if (is_inside) {
      indices[d] = rest % extents[d];
      rest /= extents[d];
    }
  }
  if (!is_inside || rest != 0) {
    throw Error(Code::invalid_argument,
                "Index " + std::to_string(index) + " names no element of extents " +
                    text_of(extents, dimensions) +
                    ": indices count from 0, and -1 is the location in no elements.");
  }
}

// The extents of a box or a range.
template <class T>
std::vector<std::int64_t> extents_of(const Box<T>& box) {
  return {box.extents, box.extents + box.dimensions};
}
template <class R, std::enable_if_t<is_range<R>, int> = 0>
std::vector<std::int64_t> extents_of(const R& extents) {
  std::vector<std::int64_t> made;
  for (const AnyInteger extent : extents) {
    made.push_back(extent);
  }
  return made;
}

}  // namespace view_detail

// An index for each dimension of a box, or of extents: a std::vector or another range of integers,
// or {nz, ny, nx}. An index below 0 (the location in no elements) or past the last element, so any
// index where an extent is 0 or less, throws invalid_argument. No extents at all have one element,
// of index 0, which has no indices.
template <class Extents, class = decltype(view_detail::extents_of(std::declval<const Extents&>()))>
[[nodiscard]] std::vector<std::int64_t> unravel_index(std::int64_t index, const Extents& extents) {
  const std::vector<std::int64_t> each = view_detail::extents_of(extents);
  std::vector<std::int64_t> indices(each.size());
  view_detail::unravel(index, each.data(), each.size(), indices.data());
  return indices;
}
[[nodiscard]] inline std::vector<std::int64_t> unravel_index(
    std::int64_t index, std::initializer_list<AnyInteger> extents) {
  return unravel_index(index, std::vector<std::int64_t>(extents.begin(), extents.end()));
}

// As above, a std::array of `dimensions` indices; another number of extents throws
// invalid_argument, too.
template <std::size_t dimensions, class Extents,
          class = decltype(view_detail::extents_of(std::declval<const Extents&>()))>
[[nodiscard]] std::array<std::int64_t, dimensions> unravel_index(std::int64_t index,
                                                                 const Extents& extents) {
  const std::vector<std::int64_t> each = view_detail::extents_of(extents);
  if (each.size() != dimensions) {
    throw Error(Code::invalid_argument, "Asked for " + std::to_string(dimensions) +
                                            " indices, of extents " +
                                            view_detail::text_of(each.data(), each.size()) + ".");
  }
  std::array<std::int64_t, dimensions> indices{};
  view_detail::unravel(index, each.data(), dimensions, indices.data());
  return indices;
}
template <std::size_t dimensions>
[[nodiscard]] std::array<std::int64_t, dimensions> unravel_index(
    std::int64_t index, std::initializer_list<AnyInteger> extents) {
  return unravel_index<dimensions>(index,
                                   std::vector<std::int64_t>(extents.begin(), extents.end()));
}

// An index for each dimension of the box of which `axes` reduces some: those of the kept dimensions
// from the number of a row, those of the reduced ones from a location in it. Axes under a mask
// throw invalid_argument, for locations count what the mask takes.
template <class T>
[[nodiscard]] std::vector<std::int64_t> unravel_index(std::int64_t row, std::int64_t index,
                                                      const Axes<T>& axes) {
  if (axes.mask.entries != nullptr) {
    throw Error(Code::invalid_argument,
                "Locations under a mask count the elements that it takes: no extents tell which.");
  }
  std::vector<std::int64_t> extents[2];  // of the reduced dimensions, and of the kept ones
  for (std::int32_t d = 0; d < axes.box.dimensions; ++d) {
    extents[axes.kept >> d & 1U].push_back(axes.box.extents[d]);
  }
  const std::vector<std::int64_t> parts[2] = {unravel_index(index, extents[0]),
                                              unravel_index(row, extents[1])};
  std::vector<std::int64_t> indices;
  std::size_t next[2] = {0, 0};
  for (std::int32_t d = 0; d < axes.box.dimensions; ++d) {
    const std::uint32_t kept = axes.kept >> d & 1U;
    indices.push_back(parts[kept][next[kept]++]);
  }
  return indices;
}

}  // namespace isofold
