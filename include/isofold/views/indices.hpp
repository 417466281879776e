// Indices of an element from its flat index, as results with a location have it: numpy's
// unravel_index.
//
//   const auto hottest = reduce.argmax(field);                         // box(x, {nz, ny, nx})
//   const auto [z, y, x] = unravel_index<3>(hottest.index, field);     // a std::array
//   const auto all = unravel_index(hottest.index, field);              // a std::vector
//
// Flat indices count elements in row-major order, the last index fastest, whatever a mask or
// skip_nan leaves out. In an interior or a slice they count its own elements from 0: add the ghost
// layers, or where the slice begins, for indices of the whole.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <isofold/error.hpp>
#include <isofold/views/array.hpp>
#include <isofold/views/box.hpp>
#include <isofold/views/exact.hpp>
#include <isofold/views/range.hpp>
#include <isofold/views/skip_nan.hpp>

namespace isofold {

namespace view_detail {

// Writes an index for each dimension to `indices`; `what` is what the flat one is of.
inline void unravel(std::int64_t index, const std::int64_t* extents, std::size_t dimensions,
                    std::int64_t* indices, const char* what = "Index") {
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
                what + (" " + std::to_string(index)) + " names no element of extents " +
                    text_of(extents, dimensions) +
                    ": indices count from 0, and -1 is the location in no elements.");
  }
}

// The extents in which indices of x count: a range of integers is these itself.
template <class T>
std::vector<std::int64_t> extents_of(const Box<T>& box) {
  return {box.extents, box.extents + box.dimensions};
}
template <class T>
std::vector<std::int64_t> extents_of(const Array<T>& array) {
  return {array.count};
}
template <class X, std::enable_if_t<is_container<X>, int> = 0>
std::vector<std::int64_t> extents_of(const X& x) {
  if constexpr (is_range<X> && is_any_integer<pointed_to<X>>) {
    return {std::begin(x), std::end(x)};
  } else if constexpr (is_range<X>) {
    static_assert(
        !is_range<X>,
        "unravel_index takes the extents as integers, or the view: box(x, {nz, ny, nx}).");
    return {};
  } else {
    return extents_of(as_view(x));
  }
}
template <class X, class = void>
inline constexpr bool has_extents = false;
template <class X>
inline constexpr bool has_extents<X, std::void_t<decltype(extents_of(std::declval<const X&>()))>> =
    true;

// A box, or axes of one, that may have a mask.
template <class X>
inline constexpr bool is_maskable_box = false;
template <class T, bool whole>
inline constexpr bool is_maskable_box<Axes<T, whole>> = true;
template <class T, bool whole>
inline constexpr bool is_maskable_box<MaskedBox<T, whole>> = true;

template <class T, bool whole>
const Box<T>& box_of(const Axes<T, whole>& x) {
  return x.box;
}
template <class T, bool whole>
const Box<T>& box_of(const MaskedBox<T, whole>& x) {
  return x.axes.box;
}

template <class T>
std::uint32_t kept_of(const Axes<T, false>& x) {
  return x.kept;
}
template <class T>
std::uint32_t kept_of(const MaskedBox<T, false>& x) {
  return x.axes.kept;
}
template <class X>
std::uint32_t kept_of(const X&) {
  return 0;
}

// Returns the view under skip_nan and exact, which change no index. The caller holds it.
template <class X>
const X& without_modifiers(const X& x) {
  return x;  // NOLINT(bugprone-return-const-ref-from-parameter)
}
template <class View>
decltype(auto) without_modifiers(const SkipNan<View>& x) {
  return without_modifiers(x.view);
}
template <class View>
decltype(auto) without_modifiers(const ExactView<View>& x) {
  return without_modifiers(x.view);
}
template <class X>
using unmodified = std::remove_cv_t<
    std::remove_reference_t<decltype(without_modifiers(std::declval<const X&>()))>>;

// An index for each dimension of the box, of a location in a row.
template <class X>
std::vector<std::int64_t> unravel_in_row(std::int64_t row, std::int64_t index, const X& x) {
  const auto& box = box_of(x);
  const std::uint32_t kept = kept_of(x);
  const auto dimensions = static_cast<std::size_t>(box.dimensions);
  std::vector<std::int64_t> indices(dimensions);
  const auto unravel_over = [&](bool is_kept, std::int64_t flat, const char* what) {
    std::vector<std::int64_t> extents;
    for (std::size_t d = 0; d < dimensions; ++d) {
      if ((kept >> d & 1U) == (is_kept ? 1U : 0U)) {
        extents.push_back(box.extents[d]);
      }
    }
    std::vector<std::int64_t> found(extents.size());
    unravel(flat, extents.data(), extents.size(), found.data(), what);
    auto next = found.begin();
    for (std::size_t d = 0; d < dimensions; ++d) {
      if ((kept >> d & 1U) == (is_kept ? 1U : 0U)) {
        indices[d] = *next++;
      }
    }
  };
  unravel_over(true, row, "Row");
  unravel_over(false, index, "Index");
  return indices;
}

// One sentence for what no location counts in.
template <class X>
constexpr void refuse_as_extents() {
  static_assert(has_extents<X> || is_maskable_box<X>,
                "unravel_index is of extents, {nz, ny, nx}, of arrays and boxes, and of these with "
                "axes, masks and skip_nan; of other views, such as segments, gathers and "
                "packed_index, address_of(x, index, row) leads to the element.");
}

}  // namespace view_detail

// An index for each dimension of a box, or of extents: a std::vector or another range of integers,
// or {nz, ny, nx}. An index below 0 (the location in no elements) or past the last element, so any
// index where an extent is 0 or less, throws invalid_argument. No extents at all have one element,
// of index 0, which has no indices.
template <class Integer, class X, if_any_integer<Integer> = 0>
[[nodiscard]] std::vector<std::int64_t> unravel_index(Integer flat, const X& x) {
  const auto index = static_cast<std::int64_t>(flat);
  if constexpr (!std::is_same_v<view_detail::unmodified<X>, X>) {
    return unravel_index(index, view_detail::without_modifiers(x));
  } else if constexpr (view_detail::has_extents<X>) {
    const std::vector<std::int64_t> each = view_detail::extents_of(x);
    std::vector<std::int64_t> indices(each.size());
    view_detail::unravel(index, each.data(), each.size(), indices.data());
    return indices;
  } else if constexpr (view_detail::is_maskable_box<X>) {
    static_assert(view_detail::Traits<X>::one_result,
                  "A location lies in a row of these axes: unravel_index(row, index, x).");
    return view_detail::unravel_in_row(0, index, x);
  } else {
    view_detail::refuse_as_extents<X>();
    return {};
  }
}
[[nodiscard]] inline std::vector<std::int64_t> unravel_index(
    std::int64_t index, std::initializer_list<AnyInteger> extents) {
  return unravel_index(index, std::vector<std::int64_t>(extents.begin(), extents.end()));
}

// As above, a std::array of `dimensions` indices; another number of extents throws
// invalid_argument, too.
template <std::size_t dimensions, class X>
[[nodiscard]] std::array<std::int64_t, dimensions> unravel_index(std::int64_t index, const X& x) {
  const std::vector<std::int64_t> each = unravel_index(index, x);
  if (each.size() != dimensions) {
    throw Error(Code::invalid_argument, "Asked for " + std::to_string(dimensions) +
                                            " indices, and there are " +
                                            std::to_string(each.size()) + " dimensions.");
  }
  std::array<std::int64_t, dimensions> indices{};
  std::copy(each.begin(), each.end(), indices.begin());
  return indices;
}
template <std::size_t dimensions>
[[nodiscard]] std::array<std::int64_t, dimensions> unravel_index(
    std::int64_t index, std::initializer_list<AnyInteger> extents) {
  return unravel_index<dimensions>(index,
                                   std::vector<std::int64_t>(extents.begin(), extents.end()));
}

// An index for each dimension of the box of which `axes` reduces some: those of the kept dimensions
// from the number of a row, those of the reduced ones from a location in it.
template <class X>
[[nodiscard]] std::vector<std::int64_t> unravel_index(std::int64_t row, std::int64_t index,
                                                      const X& axes) {
  if constexpr (!std::is_same_v<view_detail::unmodified<X>, X>) {
    return unravel_index(row, index, view_detail::without_modifiers(axes));
  } else if constexpr (view_detail::is_maskable_box<X>) {
    return view_detail::unravel_in_row(row, index, axes);
  } else {
    static_assert(view_detail::is_maskable_box<X>,
                  "A row and an index in it are of axes, over(box, {...}), perhaps under a mask; "
                  "of other rows address_of(x, index, row) leads to the element.");
    return {};
  }
}

#define ISOFOLD_UNRAVEL                                                                        \
  "unravel_index(index, x) takes the index of a location, as reduce.argmax(x).index, and the " \
  "box that was reduced, or its extents; of axes it is unravel_index(row, index, x), and "     \
  "unravel_index<3>(index, x) returns a std::array."
ISOFOLD_REFUSE(unravel_index, ISOFOLD_UNRAVEL, std::vector<std::int64_t>)
template <std::size_t dimensions, class None = void>
std::array<std::int64_t, dimensions> unravel_index(ISOFOLD_ANYTHING, ISOFOLD_ANYTHING) {
  static_assert(detail::never<None>, ISOFOLD_UNRAVEL);
  return {};
}
#undef ISOFOLD_UNRAVEL

}  // namespace isofold
