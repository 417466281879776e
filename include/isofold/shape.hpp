// Shapes: over which elements a reduction runs. Views that own nothing; counts and strides in
// elements. Alignment to the element is enough, and changes no bit. Each row of a shape has the
// bits of its elements packed one after the other: strides, ghost cells and masks change none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

#include <isofold/element.hpp>
#include <isofold/error.hpp>
#include <isofold/isofold.h>

namespace isofold {

// n elements, one after the other. n = 0 is an empty input, whatever the pointer.
template <class T>
struct Array {
  const T* data;
  std::int64_t count;
};

// `rows` rows of `length` elements; row r starts at data + r · stride (stride >= length, so rows
// do not share elements). One result a row, with the bits of that row reduced alone.
template <class T>
struct Rows {
  const T* data;
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;
};

template <class T>
constexpr Array<T> array(const T* data, std::int64_t count) {
  return {data, count};
}

template <class T>
constexpr Rows<T> rows(const T* data, std::int64_t rows, std::int64_t length) {
  return {data, rows, length, length};
}
template <class T>
constexpr Rows<T> rows(const T* data, std::int64_t rows, std::int64_t length, std::int64_t stride) {
  return {data, rows, length, stride};
}

// The same elements, computed with in a wider type: reduce.sum(widened(array(x, n))) of floats is
// the sum of x in double, and returns one.
template <class T>
Array<Widened<T>> widened(Array<T> x) {
  return {reinterpret_cast<const Widened<T>*>(x.data), x.count};
}
template <class T>
Rows<Widened<T>> widened(Rows<T> x) {
  return {reinterpret_cast<const Widened<T>*>(x.data), x.rows, x.length, x.stride};
}

// Up to 8 dimensions with any strides, negative ones too; the last index runs fastest. One result.
template <class T>
struct Box {
  const T* data;  // of index 0 in each dimension
  std::int32_t dimensions;
  std::int64_t extents[ISOFOLD_MOST_DIMENSIONS];
  std::int64_t strides[ISOFOLD_MOST_DIMENSIONS];
};

// Which elements of a box are taken.
struct Mask {
  const void* entries = nullptr;  // nullptr: all
  std::int32_t type = 0;          // isofold_mask
};

// Some dimensions of a box reduced, the others kept: a result for each index over those, in
// row-major order. With none kept, one result.
template <class T>
struct Axes {
  Box<T> box;
  std::uint32_t kept;  // bit d: dimension d
  Mask mask;
};

// Row r is [begins[r], ends[r]) of data; without ends, [begins[r], begins[r + 1]).
template <class T, class Index>
struct Segments {
  const T* data;
  std::int64_t elements;  // at data; 0: not known, and no index is checked against it
  const Index* begins;
  const Index* ends;
  std::int64_t count;
};

// Row r is the first counts[r] elements of at most `capacity` from data + r · stride on. On a
// device the counts may come from a kernel that has just been launched: nobody waits for them.
template <class T, class Index>
struct Counted {
  const T* data;
  std::int64_t rows;
  std::int64_t capacity;
  std::int64_t stride;
  const Index* counts;
};

// data[indices[0]], data[indices[1]], ...: one array.
template <class T, class Index>
struct Gather {
  const T* data;
  std::int64_t elements;  // as above
  const Index* indices;
  std::int64_t count;
};

// Row r is the lengths[r] elements at arrays[r].
template <class T, class Index>
struct Batch {
  const T* const* arrays;
  const Index* lengths;
  std::int64_t count;
};

// A batch as one array: its elements in order of the list, one result. Indices of locations count
// through all of them.
template <class T, class Index>
struct Joined {
  Batch<T, Index> arrays;
  std::int64_t elements;  // in all, at most; 0: not known, and no length is checked against it
};

// Boxes, segments and gathers computed with in a wider type, as widened(array(x, n)) above.
template <class T>
Box<Widened<T>> widened(const Box<T>& x) {
  Box<Widened<T>> made{reinterpret_cast<const Widened<T>*>(x.data), x.dimensions, {}, {}};
  std::copy(x.extents, x.extents + ISOFOLD_MOST_DIMENSIONS, made.extents);
  std::copy(x.strides, x.strides + ISOFOLD_MOST_DIMENSIONS, made.strides);
  return made;
}
template <class T, class Index>
Segments<Widened<T>, Index> widened(Segments<T, Index> x) {
  return {reinterpret_cast<const Widened<T>*>(x.data), x.elements, x.begins, x.ends, x.count};
}
template <class T, class Index>
Counted<Widened<T>, Index> widened(Counted<T, Index> x) {
  return {reinterpret_cast<const Widened<T>*>(x.data), x.rows, x.capacity, x.stride, x.counts};
}
template <class T, class Index>
Gather<Widened<T>, Index> widened(Gather<T, Index> x) {
  return {reinterpret_cast<const Widened<T>*>(x.data), x.elements, x.indices, x.count};
}

namespace shape_detail {

template <class T>
Box<T> box(const T* data, std::initializer_list<std::int64_t> extents) {
  if (extents.size() < 1 || extents.size() > ISOFOLD_MOST_DIMENSIONS) {
    throw Error(Code::invalid_argument,
                "A box of " + std::to_string(extents.size()) + " dimensions: there can be 1 to 8.");
  }
  Box<T> made{data, static_cast<std::int32_t>(extents.size()), {}, {}};
  std::copy(extents.begin(), extents.end(), made.extents);
  return made;
}

inline std::uint32_t bit_of(std::int32_t dimension, std::int32_t dimensions) {
  if (dimension < 0 || dimension >= dimensions) {
    throw Error(Code::invalid_argument, "Dimension " + std::to_string(dimension) + " of a box of " +
                                            std::to_string(dimensions) +
                                            ": they are numbered from 0.");
  }
  return std::uint32_t{1} << dimension;
}

}  // namespace shape_detail

// A whole array of several dimensions, its last one contiguous.
template <class T>
Box<T> box(const T* data, std::initializer_list<std::int64_t> extents) {
  Box<T> made = shape_detail::box(data, extents);
  // Unsigned: extents that overflow are refused with the request, and must not trap here.
  std::uint64_t stride = 1;
  for (std::int32_t d = made.dimensions - 1; d >= 0; --d) {
    made.strides[d] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(made.extents[d]);
  }
  return made;
}
template <class T>
Box<T> box(const T* data, std::initializer_list<std::int64_t> extents,
           std::initializer_list<std::int64_t> strides) {
  Box<T> made = shape_detail::box(data, extents);
  if (strides.size() != extents.size()) {
    throw Error(Code::invalid_argument, std::to_string(extents.size()) + " extents and " +
                                            std::to_string(strides.size()) +
                                            " strides: a box has one of each a dimension.");
  }
  std::copy(strides.begin(), strides.end(), made.strides);
  return made;
}
// Of std::mdspan, Kokkos::mdspan and what has the same members.
template <class View, class T = std::remove_pointer_t<decltype(std::declval<View>().data_handle())>>
Box<std::remove_const_t<T>> box(const View& view) {
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

// The box without the outermost `ghost` layers on either side of each dimension.
template <class T>
Box<T> interior(Box<T> field, std::int64_t ghost) {
  for (std::int32_t d = 0; d < field.dimensions; ++d) {
    if (ghost < 0 || ghost > field.extents[d] / 2) {
      throw Error(Code::invalid_argument, std::to_string(ghost) +
                                              " ghost layers on both sides of dimension " +
                                              std::to_string(d) + ", which has an extent of " +
                                              std::to_string(field.extents[d]) + ".");
    }
    field.data += ghost * field.strides[d];
    field.extents[d] -= 2 * ghost;
  }
  return field;
}

// reduce.sum(over(field, {0, 2}), out): over dimensions 0 and 2, for each index of the others.
template <class T>
Axes<T> over(Box<T> field, std::initializer_list<std::int32_t> reduced) {
  std::uint32_t kept = (std::uint32_t{1} << field.dimensions) - 1;
  for (const std::int32_t dimension : reduced) {
    kept &= ~shape_detail::bit_of(dimension, field.dimensions);
  }
  return {field, kept, {}};
}

// The elements where the mask is not 0: a byte for each element of the box in row-major order, or,
// from the lowest on, a bit.
template <class T>
Axes<T> masked(Axes<T> axes, const std::uint8_t* bytes) {
  axes.mask = {bytes, ISOFOLD_MASK_bytes};
  return axes;
}
template <class T>
Axes<T> masked(Box<T> field, const std::uint8_t* bytes) {
  return masked(Axes<T>{field, 0, {}}, bytes);
}
template <class T>
Axes<T> masked(Array<T> x, const std::uint8_t* bytes) {
  return masked(box(x.data, {x.count}), bytes);
}
template <class T>
Axes<T> masked_by_bits(Axes<T> axes, const std::uint8_t* bits) {
  axes.mask = {bits, ISOFOLD_MASK_bits};
  return axes;
}
template <class T>
Axes<T> masked_by_bits(Box<T> field, const std::uint8_t* bits) {
  return masked_by_bits(Axes<T>{field, 0, {}}, bits);
}
template <class T>
Axes<T> masked_by_bits(Array<T> x, const std::uint8_t* bits) {
  return masked_by_bits(box(x.data, {x.count}), bits);
}

// `count` segments between count + 1 offsets. `elements`: how many lie at data, where the offsets
// shall be checked against it.
template <class T, class Index>
Segments<T, Index> segments(const T* data, const Index* offsets, std::int64_t count,
                            std::int64_t elements = 0) {
  return {data, elements, offsets, nullptr, count};
}
template <class T, class Index>
Segments<T, Index> segments(const T* data, const Index* begins, const Index* ends,
                            std::int64_t count, std::int64_t elements = 0) {
  return {data, elements, begins, ends, count};
}
// Of x, whose count is the most there can be, the first *count elements; one result, in memory.
template <class T, class Index>
Counted<T, Index> counted(Array<T> x, const Index* count) {
  return {x.data, 1, x.count, x.count, count};
}
// Of row r, whose length is the most there can be, the first counts[r] elements: cells of a fixed
// capacity, for instance.
template <class T, class Index>
Counted<T, Index> counted(Rows<T> x, const Index* counts) {
  return {x.data, x.rows, x.length, x.stride, counts};
}
template <class T, class Index>
Gather<T, Index> gather(const T* data, const Index* indices, std::int64_t count,
                        std::int64_t elements = 0) {
  return {data, elements, indices, count};
}
template <class T, class Index>
Batch<T, Index> batch(const T* const* arrays, const Index* lengths, std::int64_t count) {
  return {arrays, lengths, count};
}
// reduce.sum(joined(batch(arrays, lengths, count))) is one sum. `elements`: how many they have in
// all, at most, where the lengths shall be checked against it.
template <class T, class Index>
Joined<T, Index> joined(Batch<T, Index> arrays, std::int64_t elements = 0) {
  return {arrays, elements};
}

}  // namespace isofold
