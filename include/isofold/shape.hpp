// Shapes: over which elements a reduction runs. Views that own nothing; counts in elements.
// Alignment to the element is enough, and changes no bit.
#pragma once

#include <cstdint>

#include <isofold/element.hpp>

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

}  // namespace isofold
