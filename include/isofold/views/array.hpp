// Arrays and rows: views of elements that lie one after the other.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <isofold/element.hpp>
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
    const auto rows_of = [](const Rows& x) {
      return std::to_string(x.rows) + (x.rows == 1 ? " row of " : " rows of ") +
             std::to_string(x.length);
    };
    throw Error(Code::invalid_argument, "The two arrays have different shapes: " + rows_of(*this) +
                                            (length == 1 ? " element and " : " elements and ") +
                                            rows_of(second) + ".");
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
      refuse(second);
    }
    request.plain.second = second.data;
    request.plain.second_stride = second.count;
  }
  [[noreturn]] void refuse(const Array& second) const {
    throw Error(Code::invalid_argument,
                "The two arrays have different lengths: " + std::to_string(count) + " and " +
                    std::to_string(second.count) + " elements.");
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

namespace view_detail {

// This tells whether elements T are computed with in a wider type on request.
template <class T>
inline constexpr bool can_widen = !std::is_same_v<computed_t<Widened<T>>, Widened<T>>;
template <class T>
using widened_t = Widened<std::conditional_t<can_widen<T>, T, stand_in>>;
template <class T>
const widened_t<T>* widened_data(const T* data) {
  static_assert(
      can_widen<T>,
      "widened(x) computes with float in double; elements of this type have no wider one: "
      "leave it out (sums of integers have 64 bits anyway, and mean(exact(x)) is their "
      "mean), or copy float16 and bfloat16 to float first.");
  return reinterpret_cast<const widened_t<T>*>(data);
}

}  // namespace view_detail

// A view whose elements are computed with in a wider type: reduce.sum(widened(array(x, n))) of
// floats is the sum of x in double, and returns a double. The conversion is exact, and nothing is
// copied. Elements of other types than float do not compile.
template <class T>
[[nodiscard]] Array<view_detail::widened_t<T>> widened(Array<T> x) {
  return {view_detail::widened_data(x.data), x.count};
}
template <class T>
[[nodiscard]] Rows<view_detail::widened_t<T>> widened(Rows<T> x) {
  return {view_detail::widened_data(x.data), x.rows, x.length, x.stride};
}

}  // namespace isofold
