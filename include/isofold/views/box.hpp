// Boxes: views of elements at constant distances in up to 8 dimensions, some of which may be kept
// as rows; a mask may select some of the elements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

#include <isofold/error.hpp>
#include <isofold/views/array.hpp>
#include <isofold/views/view.hpp>

namespace isofold {

// A box has 1 to 8 dimensions with any strides, in elements, negative ones too; its elements are in
// row-major order, the last index fastest. It has one result. A box with an extent of 0 is an empty
// input, whatever its pointer and strides.
template <class T>
struct Box {
  using element_type = T;
  static constexpr bool one_result = true;
  const T* data;  // of index 0 in each dimension
  std::int32_t dimensions;
  std::int64_t extents[ISOFOLD_MOST_DIMENSIONS];
  std::int64_t strides[ISOFOLD_MOST_DIMENSIONS];

  [[nodiscard]] LayoutRequest to_request() const;
  // Adds the second box of a fold of two. Strides may differ; other extents throw invalid_argument.
  void add_second(LayoutRequest& request, const Box& second) const;
};

namespace view_detail {

// Refuses a second box of a fold of two that says otherwise than the first what is reduced.
inline void check_second(bool has_same_axes_and_mask) {
  if (!has_same_axes_and_mask) {
    throw Error(Code::invalid_argument,
                "The second box has other axes, or another mask, than the first: give both the "
                "same, or the second box alone.");
  }
}

}  // namespace view_detail

// A mask says which elements of a box are selected.
struct Mask {
  const void* entries = nullptr;  // nullptr: all
  std::int32_t type = 0;          // isofold_mask
};

// A box of which some dimensions are reduced and the others kept, perhaps under a mask. It has a
// result for each index over the kept ones, in row-major order: a row of one if none is kept.
// Several rows without selected elements have the fold's empty value. A `whole` one, which a mask
// makes of a box, keeps none, and has one result.
template <class T, bool whole = false>
struct Axes {
  using element_type = T;
  static constexpr bool one_result = whole;
  Box<T> box;
  std::uint32_t kept;  // bit d: dimension d
  Mask mask;

  [[nodiscard]] LayoutRequest to_request() const {
    std::int64_t rows = 1;
    std::int64_t length = 1;
    for (std::int32_t d = 0; d < box.dimensions && d < ISOFOLD_MOST_DIMENSIONS; ++d) {
      // Unsigned: a product that overflows is refused with the layout, and must not trap here.
      std::int64_t& entries = (kept >> d & 1U) != 0 ? rows : length;
      entries = static_cast<std::int64_t>(static_cast<std::uint64_t>(entries) *
                                          static_cast<std::uint64_t>(box.extents[d]));
    }
    LayoutRequest request =
        view_detail::layout_request<T>(ISOFOLD_SHAPE_box, box.data, rows, length, 0);
    isofold_layout& layout = request.layout;
    layout.dimensions = box.dimensions;
    layout.kept = kept;
    std::copy(box.extents, box.extents + ISOFOLD_MOST_DIMENSIONS, layout.extents);
    std::copy(box.strides, box.strides + ISOFOLD_MOST_DIMENSIONS, layout.strides);
    layout.mask = mask.entries;
    layout.mask_type = mask.type;
    return request;
  }
  // Adds the second box of a fold of two; axes and mask are those of the first. The second one may
  // repeat them; others throw invalid_argument.
  void add_second(LayoutRequest& request, const Box<T>& second) const {
    box.add_second(request, second);
  }
  void add_second(LayoutRequest& request, const Axes& second) const {
    box.add_second(request, second.box);
    view_detail::check_second(kept == second.kept && mask.entries == second.mask.entries &&
                              mask.type == second.mask.type);
  }
};

namespace view_detail {

// A box whose strides are still to be set.
template <class T>
Box<T> box_of_extents(const T* data, const IntegerList& extents) {
  if (extents.size() < 1 || extents.size() > ISOFOLD_MOST_DIMENSIONS) {
    throw Error(Code::invalid_argument,
                "A box of " + std::to_string(extents.size()) + " dimensions: there can be 1 to 8.");
  }
  Box<T> made{data, static_cast<std::int32_t>(extents.size()), {}, {}};
  std::copy(extents.begin(), extents.end(), made.extents);
  return made;
}

// A dimension from 0 on, of one that may count from the end.
inline std::int32_t dimension_of(std::int64_t dimension, std::int32_t dimensions) {
  if (dimension < -dimensions || dimension >= dimensions) {
    throw Error(Code::invalid_argument, "Dimension " + std::to_string(dimension) + " of a box of " +
                                            std::to_string(dimensions) +
                                            ": they are numbered from 0, and backwards from -1.");
  }
  return static_cast<std::int32_t>(dimension < 0 ? dimension + dimensions : dimension);
}

// All dimensions but those, a bit for each.
inline std::uint32_t kept_beside(const IntegerList& reduced, std::int32_t dimensions) {
  std::uint32_t kept = (std::uint32_t{1} << dimensions) - 1;
  for (const std::int64_t dimension : reduced) {
    const std::uint32_t bit = std::uint32_t{1} << dimension_of(dimension, dimensions);
    if ((kept & bit) == 0) {
      throw Error(Code::invalid_argument,
                  "Dimension " + std::to_string(dimension) + " of a box of " +
                      std::to_string(dimensions) +
                      " is a duplicate: over() names it before; name each dimension once.");
    }
    kept &= ~bit;
  }
  if (reduced.size() > static_cast<std::size_t>(dimensions)) {  // of which only 8 were looked at
    throw Error(Code::invalid_argument, "over() names " + std::to_string(reduced.size()) +
                                            " dimensions of a box of " +
                                            std::to_string(dimensions) + ": name each once.");
  }
  return kept;
}

template <class T>
void leave_out(Box<T>& field, std::int32_t d, std::int64_t ghost) {
  std::int64_t& extent = field.extents[d];
  if (ghost < 0 || (ghost > 0 && (extent < 3 || ghost > (extent - 1) / 2))) {
    throw Error(Code::invalid_argument, std::to_string(ghost) +
                                            " ghost layers on both sides of dimension " +
                                            std::to_string(d) + ", which has an extent of " +
                                            std::to_string(extent) + ": something must be left.");
  }
  if (field.data != nullptr) {  // a box without elements may have none
    field.data += ghost * field.strides[d];
  }
  extent -= 2 * ghost;
}

// "3 by 4".
inline std::string text_of(const std::int64_t* extents, std::size_t dimensions) {
  std::string text;
  for (std::size_t d = 0; d < dimensions; ++d) {
    text += (d == 0 ? "" : " by ") + std::to_string(extents[d]);
  }
  return text.empty() ? "no dimensions" : text;
}
template <class T>
std::string text_of(const Box<T>& x) {
  return text_of(x.extents,
                 static_cast<std::size_t>(std::min(x.dimensions, ISOFOLD_MOST_DIMENSIONS)));
}

}  // namespace view_detail

template <class T>
LayoutRequest Box<T>::to_request() const {
  return Axes<T, true>{*this, 0, {}}.to_request();
}

template <class T>
void Box<T>::add_second(LayoutRequest& request, const Box& second) const {
  bool same = dimensions == second.dimensions;
  for (std::int32_t d = 0; same && d < dimensions && d < ISOFOLD_MOST_DIMENSIONS; ++d) {
    same = extents[d] == second.extents[d];
    request.layout.second_strides[d] = second.strides[d];
  }
  if (!same) {
    throw Error(Code::invalid_argument,
                "The two boxes have different extents: " + view_detail::text_of(*this) + " and " +
                    view_detail::text_of(second) + ".");
  }
  request.plain.second = second.data;
}

// A whole array of several dimensions, its last one contiguous, or with a stride for each
// dimension. No dimension, more than 8, or another number of strides than of extents throws
// invalid_argument.
template <class T>
[[nodiscard]] Box<T> box(const T* data, const IntegerList& extents) {
  Box<T> made = view_detail::box_of_extents(data, extents);
  // Unsigned: extents that overflow are refused with the request, and must not trap here.
  std::uint64_t stride = 1;
  for (std::int32_t d = made.dimensions - 1; d >= 0; --d) {
    made.strides[d] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(made.extents[d]);
  }
  return made;
}
template <class T>
[[nodiscard]] Box<T> box(const T* data, const IntegerList& extents, const IntegerList& strides) {
  Box<T> made = view_detail::box_of_extents(data, extents);
  if (strides.size() != extents.size()) {
    throw Error(Code::invalid_argument, std::to_string(extents.size()) + " extents and " +
                                            std::to_string(strides.size()) +
                                            " strides: a box has one of each a dimension.");
  }
  std::copy(strides.begin(), strides.end(), made.strides);
  return made;
}
// The box of a std::mdspan, a Kokkos::mdspan, or any view with the same members.
template <class View, class T = std::remove_pointer_t<decltype(std::declval<View>().data_handle())>>
[[nodiscard]] Box<std::remove_const_t<T>> box(const View& view) {
  static_assert(View::rank() >= 1 && View::rank() <= ISOFOLD_MOST_DIMENSIONS,
                "A box has 1 to 8 dimensions.");
  Box<std::remove_const_t<T>> made{
      view.data_handle(), static_cast<std::int32_t>(View::rank()), {}, {}};
  for (std::size_t d = 0; d < View::rank(); ++d) {
    made.extents[d] = static_cast<std::int64_t>(view.extent(d));
    made.strides[d] = static_cast<std::int64_t>(view.stride(d));
  }
  return made;
}

// A box computed with in a wider type, as widened(array(x, n)) is.
template <class T>
[[nodiscard]] Box<view_detail::widened_t<T>> widened(const Box<T>& x) {
  Box<view_detail::widened_t<T>> made{view_detail::widened_data(x.data), x.dimensions, {}, {}};
  std::copy(x.extents, x.extents + ISOFOLD_MOST_DIMENSIONS, made.extents);
  std::copy(x.strides, x.strides + ISOFOLD_MOST_DIMENSIONS, made.strides);
  return made;
}

// The box without its outermost layers, ghost cells for instance: as many on both sides of every
// dimension, or a number for each dimension, such as interior(vectors, {0, 1, 1, 1}) where the
// first index is that of a component. Layers that leave nothing of a dimension, negative numbers,
// and too few or many numbers throw invalid_argument. Nothing is copied.
template <class T>
[[nodiscard]] Box<T> interior(const Box<T>& field, const IntegerList& ghosts) {
  if (ghosts.size() != static_cast<std::size_t>(field.dimensions)) {
    throw Error(Code::invalid_argument,
                std::to_string(ghosts.size()) + " numbers of ghost layers for a box of " +
                    std::to_string(field.dimensions) + " dimensions: give one for each.");
  }
  Box<T> inner = field;
  std::int32_t d = 0;
  for (const std::int64_t ghost : ghosts) {
    view_detail::leave_out(inner, d++, ghost);
  }
  return inner;
}
template <class T, class Integer, if_any_integer<Integer> = 0>
[[nodiscard]] Box<T> interior(Box<T> field, Integer ghost) {
  for (std::int32_t d = 0; d < field.dimensions; ++d) {
    view_detail::leave_out(field, d, static_cast<std::int64_t>(ghost));
  }
  return field;
}

// The indices begin, begin + step, ... before `end` of one dimension, and all of the others: step 2
// has every other plane. It throws invalid_argument unless 0 <= begin <= end <= the extent, and
// step is at least 1. Dimension -1 is the last one. Nothing is copied.
template <class T>
[[nodiscard]] Box<T> slice(Box<T> field, AnyInteger of_dimension, AnyInteger from, AnyInteger to,
                           AnyInteger by = 1) {
  const std::int32_t dimension = view_detail::dimension_of(of_dimension, field.dimensions);
  const std::int64_t begin = from;
  const std::int64_t end = to;
  const std::int64_t step = by;
  std::int64_t& extent = field.extents[dimension];
  std::int64_t& stride = field.strides[dimension];
  if (begin < 0 || end < begin || end > extent || step < 1) {
    throw Error(Code::invalid_argument, "A slice [" + std::to_string(begin) + ", " +
                                            std::to_string(end) + ") by " + std::to_string(step) +
                                            " of dimension " + std::to_string(dimension) +
                                            ", which has an extent of " + std::to_string(extent) +
                                            ": it lies within, and steps forwards.");
  }
  extent = begin == end ? 0 : (end - begin - 1) / step + 1;
  if (extent > 0 && field.data != nullptr) {  // else there is no such element
    field.data += begin * stride;
  }
  if (extent > 1) {
    stride *= step;
  }
  return field;
}

// reduce.sum(over(field, {0, 2})) sums over dimensions 0 and 2, for each index of the others, and
// returns a std::vector of the sums (of one, if all dimensions are named). Negative numbers count
// from the end: -1 is the last dimension. A dimension that the box does not have, or that is named
// twice, throws invalid_argument.
template <class T>
[[nodiscard]] Axes<T> over(const Box<T>& field, const IntegerList& reduced) {
  return {field, view_detail::kept_beside(reduced, field.dimensions), {}};
}

template <class T, class Integer, if_any_integer<Integer> = 0>
[[nodiscard]] Axes<T> over(const Box<T>& field, Integer reduced) {
  return over(field, {reduced});
}

namespace view_detail {

template <class T, bool whole>
void check_one_mask(const Axes<T, whole>& axes) {
  if (axes.mask.entries != nullptr) {
    throw Error(Code::invalid_argument,
                "A mask over a masked box: a box has one mask; make one of both.");
  }
}

}  // namespace view_detail

// The elements where the mask is not 0. It has a byte for each element of the box in row-major
// order, kept dimensions included, or a bit, from the lowest of each byte on. The entries lie in
// the memory that the data lie in; a box without selected elements is an empty input. They are
// those of this very box: a mask of the whole field goes with its interior as a box, below.
template <class T, bool whole>
[[nodiscard]] Axes<T, whole> masked(Axes<T, whole> axes, const std::uint8_t* bytes) {
  view_detail::check_one_mask(axes);
  axes.mask = {bytes, ISOFOLD_MASK_bytes};
  return axes;
}
template <class T>
[[nodiscard]] Axes<T, true> masked(Box<T> field, const std::uint8_t* bytes) {
  return masked(Axes<T, true>{field, 0, {}}, bytes);
}
template <class T>
[[nodiscard]] Axes<T, true> masked(Array<T> x, const std::uint8_t* bytes) {
  return masked(box(x.data, {x.count}), bytes);
}
template <class T, bool whole>
[[nodiscard]] Axes<T, whole> masked_by_bits(Axes<T, whole> axes, const std::uint8_t* bits) {
  view_detail::check_one_mask(axes);
  axes.mask = {bits, ISOFOLD_MASK_bits};
  return axes;
}
template <class T>
[[nodiscard]] Axes<T, true> masked_by_bits(Box<T> field, const std::uint8_t* bits) {
  return masked_by_bits(Axes<T, true>{field, 0, {}}, bits);
}
template <class T>
[[nodiscard]] Axes<T, true> masked_by_bits(Array<T> x, const std::uint8_t* bits) {
  return masked_by_bits(box(x.data, {x.count}), bits);
}

// Axes of a masked box, which keeps its mask.
template <class T>
[[nodiscard]] Axes<T> over(const Axes<T, true>& field, const IntegerList& reduced) {
  return {field.box, over(field.box, reduced).kept, field.mask};
}
template <class T, class Integer, if_any_integer<Integer> = 0>
[[nodiscard]] Axes<T> over(const Axes<T, true>& field, Integer reduced) {
  return over(field, {reduced});
}

// A box, or axes of one, under a mask that is a box of its own; interior, slice and over cut both
// alike.
template <class T, bool whole>
struct MaskedBox {
  using element_type = T;
  static constexpr bool one_result = whole;
  Axes<T, whole> axes;     // its own mask is none
  Box<std::uint8_t> mask;  // of the extents of the box

  LayoutRequest to_request() const {
    LayoutRequest request = axes.to_request();
    request.layout.mask = mask.data;
    request.layout.mask_type = ISOFOLD_MASK_strided_bytes;
    std::copy(mask.strides, mask.strides + ISOFOLD_MOST_DIMENSIONS, request.layout.mask_strides);
    return request;
  }
  // Adds the second box of a fold of two; axes and mask are those of the first, which the second
  // one may repeat.
  void add_second(LayoutRequest& request, const Box<T>& second) const {
    axes.add_second(request, second);
  }
  void add_second(LayoutRequest& request, const MaskedBox& second) const {
    axes.add_second(request, second.axes);
    view_detail::check_second(
        mask.data == second.mask.data &&
        std::equal(mask.strides, mask.strides + mask.dimensions, second.mask.strides));
  }
};

namespace view_detail {

// The mask with the extents of `box`, by NumPy's rule: dimensions are compared from the last one
// on, and one that the mask does not have, or of which it has one index, has a stride of 0.
template <class T>
Box<std::uint8_t> broadcast(const Box<std::uint8_t>& mask, const Box<T>& box) {
  Box<std::uint8_t> all{mask.data, box.dimensions, {}, {}};
  std::copy(box.extents, box.extents + ISOFOLD_MOST_DIMENSIONS, all.extents);
  bool fits = mask.dimensions <= box.dimensions;
  for (std::int32_t d = 0; fits && d < mask.dimensions; ++d) {
    const std::int32_t of_box = box.dimensions - mask.dimensions + d;
    const bool is_same = mask.extents[d] == box.extents[of_box];
    fits = is_same || mask.extents[d] == 1;
    all.strides[of_box] = is_same ? mask.strides[d] : 0;
  }
  if (!fits) {
    throw Error(Code::invalid_argument,
                "The mask is " + text_of(mask) + " and its box " + text_of(box) +
                    ": from the last one on, each extent of the mask is that of the box or 1. If "
                    "the mask is of a whole field, cut both alike, as interior(masked(field, "
                    "mask), 1) does.");
  }
  return all;
}

}  // namespace view_detail

// The elements where the mask is not 0, the mask being a box of bytes (std::uint8_t, bool, ...) of
// any strides. A mask of fewer dimensions, or with extents of 1, is that of all indices of the
// others, as in NumPy: a mask of {nx} has an entry for each last index of a {nz, ny, nx} box, one
// of {nz, 1, 1} for each first. Other extents throw invalid_argument. A mask of a whole field goes
// with the field: interior(masked(field, mask), 1), or masked(interior(field, 1), interior(mask,
// 1)). CPUs read a mask of any strides where it lies; on a device one whose entries do not lie in
// the order of the elements, one behind the other, costs a launch more. An empty box is an empty
// input.
template <class T, bool whole, class M>
[[nodiscard]] MaskedBox<T, whole> masked(const Axes<T, whole>& axes, const Box<M>& mask) {
  static_assert(sizeof(M) == 1 && (std::is_integral_v<M> || std::is_enum_v<M>),
                "The entries of a mask are bytes: std::uint8_t, bool, char or std::byte.");
  view_detail::check_one_mask(axes);
  Box<std::uint8_t> bytes{
      reinterpret_cast<const std::uint8_t*>(mask.data), mask.dimensions, {}, {}};
  std::copy(mask.extents, mask.extents + ISOFOLD_MOST_DIMENSIONS, bytes.extents);
  std::copy(mask.strides, mask.strides + ISOFOLD_MOST_DIMENSIONS, bytes.strides);
  return {axes, view_detail::broadcast(bytes, axes.box)};
}
template <class T, class M>
[[nodiscard]] MaskedBox<T, true> masked(const Box<T>& field, const Box<M>& mask) {
  return masked(Axes<T, true>{field, 0, {}}, mask);
}
template <class T, bool whole>
[[nodiscard]] MaskedBox<T, whole> interior(MaskedBox<T, whole> field, const IntegerList& ghosts) {
  field.axes.box = interior(field.axes.box, ghosts);
  field.mask = interior(field.mask, ghosts);
  return field;
}
template <class T, bool whole, class Integer, if_any_integer<Integer> = 0>
[[nodiscard]] MaskedBox<T, whole> interior(MaskedBox<T, whole> field, Integer ghost) {
  field.axes.box = interior(field.axes.box, ghost);
  field.mask = interior(field.mask, ghost);
  return field;
}
template <class T, bool whole>
[[nodiscard]] MaskedBox<T, whole> slice(MaskedBox<T, whole> field, AnyInteger dimension,
                                        AnyInteger begin, AnyInteger end, AnyInteger step = 1) {
  field.axes.box = slice(field.axes.box, dimension, begin, end, step);
  field.mask = slice(field.mask, dimension, begin, end, step);
  return field;
}
template <class T, bool whole>
[[nodiscard]] MaskedBox<T, false> over(const MaskedBox<T, whole>& field,
                                       const IntegerList& reduced) {
  return {over(field.axes.box, reduced), field.mask};
}
template <class T, bool whole, class Integer, if_any_integer<Integer> = 0>
[[nodiscard]] MaskedBox<T, false> over(const MaskedBox<T, whole>& field, Integer reduced) {
  return over(field, {reduced});
}

// Axes and masks of a box that is computed with in a wider type.
template <class T, bool whole>
[[nodiscard]] Axes<view_detail::widened_t<T>, whole> widened(const Axes<T, whole>& x) {
  return {widened(x.box), x.kept, x.mask};
}
template <class T, bool whole>
[[nodiscard]] MaskedBox<view_detail::widened_t<T>, whole> widened(const MaskedBox<T, whole>& x) {
  return {widened(x.axes), x.mask};
}

}  // namespace isofold
