// Arrays and rows: views of elements that lie one after the other.
#pragma once

#include <cstdint>
#include <string>

#include <isofold/error.hpp>
#include <isofold/views/view.hpp>

namespace isofold {

// `rows` rows of `length` elements; row r starts at data + r * stride (stride >= length, so rows do
// not share elements). Each row has one result, with the bits of that row reduced alone. Nothing is
// read or written without rows; rows without elements have the fold's empty value.
template <class T>
struct Rows {
  using element_type = T;
  static constexpr bool one_result = false;
  const T* data;
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;

  [[nodiscard]] ArrayRequest to_request() const {
    return view_detail::array_request<T>(ISOFOLD_SHAPE_rows, data, rows, length, stride);
  }
  // Adds the second array of a fold of two. The strides may differ; other numbers of rows or
  // elements throw invalid_argument.
  void add_second(ArrayRequest& request, const Rows& second) const {
    if (rows != second.rows || length != second.length) {
      refuse(second);
    }
    request.plain.second = second.data;
    request.plain.second_stride = second.stride;
  }
  [[noreturn]] void refuse(const Rows& second) const {
    throw Error(Code::invalid_argument,
                "The two arrays have different shapes: " + std::to_string(rows) + " rows of " +
                    std::to_string(length) + " elements and " + std::to_string(second.rows) +
                    " rows of " + std::to_string(second.length) + ".");
  }
};

// `count` elements, one after the other; one result. A count of 0 is an empty input, whatever the
// pointer.
template <class T>
struct Array {
  using element_type = T;
  static constexpr bool one_result = true;
  const T* data;
  std::int64_t count;

  [[nodiscard]] ArrayRequest to_request() const {
    return view_detail::array_request<T>(ISOFOLD_SHAPE_array, data, 1, count, count);
  }
  // Adds the second array of a fold of two; another count throws invalid_argument.
  void add_second(ArrayRequest& request, const Array& second) const {
    if (count != second.count) {
      Rows<T>{data, 1, count, count}.refuse({second.data, 1, second.count, second.count});
    }
    request.plain.second = second.data;
    request.plain.second_stride = second.count;
  }
};

// array(x, n), or Array{x, n} where both namespaces, std and isofold, are used: std has an array,
// too.
template <class T>
Array(const T*, std::int64_t) -> Array<T>;
template <class T>
[[nodiscard]] constexpr Array<T> array(const T* data, AnyInteger count) {
  return {data, count};
}

// `rows` rows of `length` elements, one behind the other, or `stride` elements from the start of
// one to that of the next. A negative count, or a stride below the length, is refused by the call
// that reduces them (invalid_argument).
template <class T>
[[nodiscard]] constexpr Rows<T> rows(const T* data, AnyInteger rows, AnyInteger length) {
  return {data, rows, length, length};
}
template <class T>
[[nodiscard]] constexpr Rows<T> rows(const T* data, AnyInteger rows, AnyInteger length,
                                     AnyInteger stride) {
  return {data, rows, length, stride};
}

// A view whose elements are computed with in a wider type: reduce.sum(widened(array(x, n))) of
// floats is the sum of x in double, and returns a double. The conversion is exact, and nothing is
// copied.
template <class T>
[[nodiscard]] Array<Widened<T>> widened(Array<T> x) {
  return {reinterpret_cast<const Widened<T>*>(x.data), x.count};
}
template <class T>
[[nodiscard]] Rows<Widened<T>> widened(Rows<T> x) {
  return {reinterpret_cast<const Widened<T>*>(x.data), x.rows, x.length, x.stride};
}

}  // namespace isofold
