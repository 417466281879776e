// The view concept: a view says over which elements a reduction runs. It owns nothing, is cheap to
// copy, and describes itself to the C ABI, so that Reducer has one `reduce` for all of them. A
// class of yours with the same three members is a view, too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include <isofold/detail/anything.hpp>
#include <isofold/element.hpp>
#include <isofold/error.hpp>
#include <isofold/isofold.h>
#include <isofold/views/other_elements.hpp>

namespace isofold {

template <class Integer>
inline constexpr bool is_any_integer =
    std::is_convertible_v<Integer, std::int64_t> && !std::is_floating_point_v<Integer>;
template <class Integer>
using if_any_integer = std::enable_if_t<is_any_integer<Integer>, int>;

// A count, an extent, a stride, a dimension or a number of layers, from an integer of any type, or
// what converts to one: {v.size(), 3} needs no cast. One beyond 2^63 - 1 becomes negative, and is
// refused as that.
struct AnyInteger {
  std::int64_t value;
  // NOLINTBEGIN(misc-explicit-constructor): it stands for the integer.
  template <class Integer>
  constexpr AnyInteger(Integer of) : value(integer(of)) {}
  constexpr operator std::int64_t() const { return value; }
  // NOLINTEND(misc-explicit-constructor)

 private:
  template <class Integer>
  static constexpr std::int64_t integer([[maybe_unused]] const Integer& of) {
    if constexpr (is_any_integer<Integer>) {
      return static_cast<std::int64_t>(of);
    } else {
      static_assert(is_any_integer<Integer>,
                    "Counts, extents, strides and dimensions are integers, or convert to one: make "
                    "one of a floating-point number, std::int64_t(n).");
      return 0;
    }
  }
};

// This tells whether R is a container of integers, which characters are not.
template <class R, class = void>
inline constexpr bool holds_integers = false;
template <class R>
inline constexpr bool
    holds_integers<R, std::void_t<decltype(std::end(std::declval<const R&>())),
                                  decltype(*std::begin(std::declval<const R&>()))>> =
        std::is_integral_v<std::decay_t<decltype(*std::begin(std::declval<const R&>()))>> &&
        !std::is_same_v<std::decay_t<decltype(*std::begin(std::declval<const R&>()))>, char>;

// Extents, strides, dimensions or numbers of layers: a list in braces, {nz, ny, nx}, or, known at
// run time, a container of integers of any type.
class IntegerList {
 public:
  // NOLINTBEGIN(misc-explicit-constructor): it stands for the list.
  IntegerList(std::initializer_list<AnyInteger> each) { take(each); }
  template <class R, std::enable_if_t<holds_integers<R>, int> = 0>
  IntegerList(const R& each) {
    take(each);
  }
  // NOLINTEND(misc-explicit-constructor)

  // All of them, which may be more than the 8 that a box has dimensions.
  [[nodiscard]] std::size_t size() const { return size_; }
  // The first 8.
  [[nodiscard]] const std::int64_t* begin() const { return first_; }
  [[nodiscard]] const std::int64_t* end() const {
    return first_ + std::min(size_, std::size_t{ISOFOLD_MOST_DIMENSIONS});
  }

 private:
  template <class R>
  void take(const R& each) {
    for (const AnyInteger one : each) {
      if (size_ < ISOFOLD_MOST_DIMENSIONS) {
        first_[size_] = one;
      }
      ++size_;
    }
  }
  std::int64_t first_[ISOFOLD_MOST_DIMENSIONS] = {};
  std::size_t size_ = 0;
};

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

// This tells whether isofold has T as an element. If not, TypeOf<T> is the one error, for whoever
// asks this before type_of<T>.
template <class T, class = void>
inline constexpr bool is_element = false;
template <class T>
inline constexpr bool is_element<T, std::void_t<decltype(TypeOf<std::remove_const_t<T>>::value)>> =
    true;
template <class T>
constexpr std::int32_t element_number() {
  if constexpr (is_element<T>) {
    return static_cast<std::int32_t>(type_of<T>);
  } else {
    return ISOFOLD_TYPE_none;
  }
}

// A view V has:
//   V::element_type           what its elements are in memory
//   V::one_result             true where there is one result; false where there is one for each row
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

namespace view_detail {

// A view that is refused at compile time goes on with elements of this type, which have a wider one
// and most folds, so that the refusal is the one error.
using stand_in = decltype(isofold_c64::re);

// The members of a view. A class that is none is refused where a request is made of it.
template <class V, bool = is_view<V>>
struct Traits {
  using element_type = typename V::element_type;
  static constexpr bool one_result = V::one_result;
};
template <class V>
struct Traits<V, false> {
  using element_type = std::int32_t;
  static constexpr bool one_result = true;
};

}  // namespace view_detail

// Two views whose elements are taken in pairs, as one view; it refers to them, which must outlive
// it.
template <class First, class Second>
struct ViewPair {
  using element_type = typename view_detail::Traits<First>::element_type;
  static constexpr bool one_result = view_detail::Traits<First>::one_result;
  using second_view = Second;
  const First& first;
  const Second& second;
  [[nodiscard]] auto to_request() const {
    if constexpr (is_pair<First, Second>) {
      auto request = first.to_request();
      first.add_second(request, second);
      return request;
    } else {
      static_assert(is_pair<First, Second>,
                    "A fold of two arrays takes two arrays, two rows, two boxes (the first may "
                    "have axes and a mask), or two segments, counted rows, gathers or batches of "
                    "one list, of one element type.");
      return ArrayRequest{};
    }
  }
};

namespace view_detail {

// This tells whether a pair of views is none, for which its own sentence is enough.
template <class V>
inline constexpr bool is_no_pair = false;
template <class First, class Second>
inline constexpr bool is_no_pair<ViewPair<First, Second>> = !is_pair<First, Second>;
template <class V, class = void>
inline constexpr bool is_pair_of = false;
template <class V>
inline constexpr bool is_pair_of<V, std::void_t<typename V::second_view>> = true;

template <class T>
ArrayRequest array_request(std::int32_t shape, const void* data, std::int64_t rows,
                           std::int64_t length, std::int64_t stride) {
  return {{sizeof(isofold_request), ISOFOLD_DEFINITION_tree_v1, 0, element_number<T>(), shape, 0,
           accumulator_of<T>, data, rows, length, stride, nullptr, nullptr, nullptr, nullptr, 0,
           nullptr, nullptr}};
}
template <class T>
LayoutRequest layout_request(std::int32_t shape, const void* data, std::int64_t rows,
                             std::int64_t length, std::int64_t stride) {
  LayoutRequest request{array_request<T>(shape, data, rows, length, stride).plain, {}};
  request.layout.size = sizeof request.layout;
  return request;
}
// The request of a shape that lists of Index describe; the caller points to the lists that it has.
template <class T, class Index>
LayoutRequest list_request(std::int32_t shape, const void* data, std::int64_t rows,
                           std::int64_t length, std::int64_t stride, std::int64_t elements) {
  constexpr bool is_index =
      is_element<std::conditional_t<std::is_integral_v<Index>, Index, stand_in>> &&
      std::is_integral_v<Index>;
  static_assert(is_index,
                "Offsets, lengths and indices are integers of 8 to 64 bits: copy those of other "
                "types to a std::vector<std::int64_t>.");
  LayoutRequest request = layout_request<T>(shape, data, rows, length, stride);
  if constexpr (is_index) {
    request.layout.index_type = element_number<Index>();
  }
  request.layout.elements = elements;
  return request;
}
// Adds the second array of a fold of two, which goes by the list of the first: the same one, by its
// address, of as many entries. Another list throws invalid_argument. `name` is what both are.
inline void add_second_by_list(LayoutRequest& request, const char* name, bool same_list,
                               std::int64_t entries, std::int64_t second_entries,
                               const void* second, std::int64_t second_elements) {
  if (!same_list || entries != second_entries) {
    throw Error(Code::invalid_argument, "The two " + std::string(name) + ", by lists of " +
                                            std::to_string(entries) + " and " +
                                            std::to_string(second_entries) +
                                            " entries, have a list each: give both the same list.");
  }
  request.plain.second = second;
  std::int64_t& elements = request.layout.elements;
  if (second_elements > 0 && (elements == 0 || second_elements < elements)) {
    elements = second_elements;
  }
}

}  // namespace view_detail
}  // namespace isofold
