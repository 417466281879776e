// The view concept: a view says over which elements a reduction runs. It owns nothing, is cheap to
// copy, and describes itself to the C ABI, so that Reducer has one `reduce` for all of them. A
// class of yours with the same three members is a view, too.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <isofold/element.hpp>
#include <isofold/error.hpp>
#include <isofold/isofold.h>
#include <isofold/views/other_elements.hpp>

namespace isofold {

// A request of an array or of rows, which have no layout: all of it but the fold, the result and
// the flags, which Reducer adds.
struct ArrayRequest {
  isofold_request plain;
  const isofold_request* pointer() { return &plain; }
};
// A request of a shape with a layout. It points to the layout only when it is used, and so may be
// copied.
struct LayoutRequest {
  isofold_request plain;
  isofold_layout layout;
  const isofold_request* pointer() {
    plain.layout = &layout;
    return &plain;
  }
};

// A view V has:
//   V::element_type           what its elements are in memory
//   V::one_result             true where reduce() may return the result; false where it writes one
//                             for each row
//   V::to_request() const     an ArrayRequest or a LayoutRequest
// and, if folds of two arrays take it as the first of them:
//   V::add_second(request&, second) const     adds the second one, or throws invalid_argument
template <class V, class = void>
inline constexpr bool is_view = false;
template <class V>
inline constexpr bool
    is_view<V, std::void_t<typename V::element_type, decltype(V::one_result),
                           decltype(std::declval<const V&>().to_request().pointer())>> = true;

// This tells whether folds of two arrays take First and Second.
template <class First, class Second, class = void>
inline constexpr bool is_pair = false;
template <class First, class Second>
inline constexpr bool
    is_pair<First, Second,
            std::void_t<decltype(std::declval<const First&>().add_second(
                std::declval<decltype(std::declval<const First&>().to_request())&>(),
                std::declval<const Second&>()))>> = true;

// Two views whose elements are taken in pairs, as one view; it refers to them, which must outlive
// it.
template <class First, class Second>
struct ViewPair {
  static_assert(is_pair<First, Second>,
                "A fold of two arrays takes two views of one kind and of one element type: arrays, "
                "rows, boxes (the first, or both, with axes and a mask), or segments, counted, "
                "gathers or batches of one list.");
  using element_type = typename First::element_type;
  static constexpr bool one_result = First::one_result;
  const First& first;
  const Second& second;
  auto to_request() const {
    auto request = first.to_request();
    if constexpr (is_pair<First, Second>) {
      first.add_second(request, second);
    }
    return request;
  }
};

namespace view_detail {

// The members of a view, or one sentence for a class that is none.
template <class V, bool = is_view<V>>
struct Traits {
  using element_type = typename V::element_type;
  static constexpr bool one_result = V::one_result;
};
template <class V>
struct Traits<V, false> {
  static_assert(
      is_view<V>,
      "isofold reduces views of elements: array(x, n), rows, box, over, masked, segments, "
      "counted, gather, batch or joined (isofold/shape.hpp), and containers whose elements lie one "
      "behind the other (std::vector, std::span, std::array): copy a list, or a "
      "std::vector<bool>, to one.");
  using element_type = std::int32_t;
  static constexpr bool one_result = true;
};

template <class T>
ArrayRequest array_request(std::int32_t shape, const void* data, std::int64_t rows,
                           std::int64_t length, std::int64_t stride) {
  return {{sizeof(isofold_request), ISOFOLD_DEFINITION_tree_v1, 0,
           static_cast<std::int32_t>(type_of<T>), shape, 0, accumulator_of<T>, data, rows, length,
           stride, nullptr, nullptr, nullptr, nullptr, 0, nullptr, nullptr}};
}
template <class T>
LayoutRequest layout_request(std::int32_t shape, const void* data, std::int64_t rows,
                             std::int64_t length, std::int64_t stride) {
  LayoutRequest request{array_request<T>(shape, data, rows, length, stride).plain, {}};
  request.layout.size = sizeof request.layout;
  return request;
}
// The request of a shape that lists of Index describe; the caller points to the lists that it has.
// Unsigned offsets of 64 bits are those of signed ones: none reaches 2^63 elements.
template <class T, class Index>
LayoutRequest list_request(std::int32_t shape, const void* data, std::int64_t rows,
                           std::int64_t length, std::int64_t stride, std::int64_t elements) {
  constexpr bool is_wide = std::is_integral_v<Index> && sizeof(Index) == 8;
  static_assert(is_wide || std::is_same_v<Index, std::int32_t>,
                "Offsets, lengths and indices are integers of 64 bits, or std::int32_t: copy those "
                "of other types to one of these.");
  LayoutRequest request = layout_request<T>(shape, data, rows, length, stride);
  request.layout.index_type = is_wide ? ISOFOLD_TYPE_i64 : ISOFOLD_TYPE_i32;
  request.layout.elements = elements;
  return request;
}
// Two of such shapes that a fold of two arrays takes share their lists.
inline void check_lists(bool are_shared, const char* what) {
  if (!are_shared) {
    throw Error(Code::invalid_argument,
                std::string("The two ") + what +
                    " have a list each, or other counts or strides: a fold of two arrays reads one "
                    "list for both; give both the same list.");
  }
}
// Adds the second of them, at whose data there are so many elements; 0: it is not known.
inline void add_second_list(LayoutRequest& request, const void* data, std::int64_t elements) {
  request.plain.second = data;
  std::int64_t& known = request.layout.elements;
  known = known == 0 || (elements > 0 && elements < known) ? elements : known;
}

}  // namespace view_detail
}  // namespace isofold
