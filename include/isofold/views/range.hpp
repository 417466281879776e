// Containers as views: std::vector, std::span, std::array, C arrays, and whatever else has its
// elements one behind the other, reduce as the array of its elements does; std::mdspan and nested
// arrays, such as double[3][4] and std::vector<std::array<double, 3>>, as a box does. Functions
// that make views of pointers take containers, too, and then check how many elements there are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <isofold/error.hpp>
#include <isofold/views/array.hpp>
#include <isofold/views/box.hpp>
#include <isofold/views/view.hpp>

namespace isofold {

namespace view_detail {

template <class R>
using data_of = decltype(std::data(std::declval<const R&>()));
template <class R>
using pointed_to = std::remove_cv_t<std::remove_pointer_t<data_of<R>>>;

// A contiguous container has data() and size(), and iterators to what data() points to: a view of
// Kokkos, which may have several dimensions and strides, has no iterators.
template <class R, class = void>
inline constexpr bool is_contiguous = false;
template <class R>
inline constexpr bool is_contiguous<
    R, std::void_t<std::enable_if_t<!is_view<R> && std::is_pointer_v<data_of<R>> &&
                                    !std::is_volatile_v<std::remove_pointer_t<data_of<R>>>>,
                   decltype(std::size(std::declval<const R&>())),
                   std::enable_if_t<std::is_same_v<decltype(*std::begin(std::declval<const R&>())),
                                                   decltype(*std::declval<data_of<R>>())>>>> = true;

// Arrays of a number of elements that is part of their type, C's and std::array, and how they nest:
// std::array<double[4], 3> has two dimensions of double, 3 and 4.
template <class R>
struct Nested {
  using element_type = R;
  template <std::size_t dimension>
  static constexpr std::size_t extent = 0;
  static constexpr std::size_t dimensions = 0;
};
template <class R, std::size_t n>
struct NestedOf {
  using Inner = Nested<std::remove_cv_t<R>>;
  using element_type = typename Inner::element_type;
  template <std::size_t dimension>
  static constexpr std::size_t extent =
      dimension == 0 ? n : Inner::template extent<(dimension == 0 ? 0 : dimension - 1)>;
  static constexpr std::size_t dimensions = Inner::dimensions + 1;
};
template <class R, std::size_t n>
struct Nested<R[n]> : NestedOf<R, n> {};
template <class R, std::size_t n>
struct Nested<std::array<R, n>> : NestedOf<R, n> {
  static_assert(n == 0 || sizeof(std::array<R, n>) == n * sizeof(R),
                "The elements of a std::array lie one behind the other, and nothing else there.");
};

// A range of elements; a range of arrays, as a C array of several dimensions is; and a std::mdspan,
// or what has its members.
template <class R, class = void>
inline constexpr bool is_range = false;
template <class R>
inline constexpr bool is_range<R, std::enable_if_t<is_contiguous<R>>> =
    Nested<pointed_to<R>>::dimensions == 0;
// A range, or the array of one, which is cut into rows, boxes, segments and gathers.
template <class R>
inline constexpr bool is_flat = is_range<R>;
template <class T>
inline constexpr bool is_flat<Array<T>> = true;
template <class R>
using if_flat = std::enable_if_t<is_flat<R>, int>;
template <class R>
using if_range = std::enable_if_t<is_range<R>, int>;
// A list of offsets, indices, counts or lengths, which views point to.
template <class R, class = void>
inline constexpr bool is_list = false;
template <class R>
inline constexpr bool is_list<R, std::enable_if_t<is_range<R>>> = std::is_integral_v<pointed_to<R>>;
template <class R>
using if_list = std::enable_if_t<is_list<R>, int>;
template <class R>
inline constexpr bool is_array_of_arrays = is_contiguous<R> && !is_range<R>;
template <class R, class = void>
inline constexpr bool is_mdspan = false;
template <class R>
inline constexpr bool is_mdspan<R, std::void_t<decltype(isofold::box(std::declval<const R&>()))>> =
    !is_view<R> && !is_array_of_arrays<R>;

// Whatever stands for a view: a range, an mdspan, an array of any dimensions.
template <class R>
inline constexpr bool is_container = is_range<R> || is_mdspan<R> || is_array_of_arrays<R>;

// A container that owns its elements, and of which nobody keeps more than a view: a temporary one
// is gone with the expression. Spans are trivially copyable, and no array of a known size.
template <class R>
inline constexpr bool is_owner = is_contiguous<R> &&
                                 (Nested<R>::dimensions > 0 || !std::is_trivially_copyable_v<R>);
// This tells whether the argument of a parameter R&& is such a temporary.
template <class R>
inline constexpr bool is_temporary =
    !std::is_lvalue_reference_v<R> && is_owner<std::remove_cv_t<std::remove_reference_t<R>>>;
template <class... R>
using if_temporary = std::enable_if_t<(is_temporary<R> || ...), int>;
template <class... R>
constexpr void refuse_temporary() {
  static_assert((!is_temporary<R> && ...),
                "A view points to its elements and lists and does not own them, and this container "
                "ends with the expression: name it, auto v = make(), and write array(v). "
                "reduce.sum(make()) needs no view.");
}

// The data of a range. Iterators tell strides that data() and size() do not, such as those of a
// column of a matrix: it throws invalid_argument.
template <class R>
const pointed_to<R>* contiguous_data(const R& x) {
  const pointed_to<R>* const data = std::data(x);
  if (std::size(x) > 1 && std::addressof(*std::next(std::begin(x))) != data + 1) {
    throw Error(Code::invalid_argument,
                "The elements of this range do not lie one behind the other: give their box, "
                "box(data, {count}, {stride}).");
  }
  return data;
}
template <class R>
Array<pointed_to<R>> array_of(const R& x) {
  return {contiguous_data(x), static_cast<std::int64_t>(std::size(x))};
}
template <class T>
Array<T> array_of(const Array<T>& x) {
  return x;
}

template <class R, std::size_t... dimension>
auto box_of_arrays(const R& x, std::index_sequence<dimension...>) {
  using Row = Nested<pointed_to<R>>;
  using T = std::remove_cv_t<typename Row::element_type>;
  return isofold::box(reinterpret_cast<const T*>(contiguous_data(x)),
                      {std::size(x), Row::template extent<dimension>...});
}

// The view itself, or that of a container.
template <class V>
decltype(auto) as_view(const V& x) {
  if constexpr (is_range<V>) {
    return array_of(x);
  } else if constexpr (is_array_of_arrays<V>) {
    return box_of_arrays(x, std::make_index_sequence<Nested<pointed_to<V>>::dimensions>());
  } else if constexpr (is_mdspan<V>) {
    return isofold::box(x);
  } else {
    return static_cast<const V&>(x);
  }
}
template <class V>
using view_of = std::decay_t<decltype(as_view(std::declval<const V&>()))>;

// As above, and one sentence for what is no view, which goes on as another view.
template <class V>
using checked_view_of = std::conditional_t<is_view<view_of<V>>, view_of<V>, Array<stand_in>>;
template <class V>
constexpr void refuse_what_is_no_view() {
  static_assert(
      is_view<V>,
      "isofold reduces views of elements: array(x, n), rows, box, over, masked, segments, "
      "counted, gather, batch or joined (isofold/shape.hpp), and containers whose elements lie "
      "one behind the other (std::vector, std::span, std::array): copy a list, or a "
      "std::vector<bool>, to one.");
}
template <class V>
decltype(auto) as_checked_view(const V& x) {
  if constexpr (is_view<view_of<V>>) {
    return as_view(x);
  } else {
    refuse_what_is_no_view<view_of<V>>();
    return Array<stand_in>{};
  }
}

// Refuses lists in braces.
template <class V>
constexpr void refuse_braces() {
  static_assert(detail::never<V>,
                "A view points to its list and does not own it: name the list, "
                "std::vector<std::int64_t> offsets{...}, and write segments(x, offsets).");
}

// Refuses a range that is cut into another number of elements than it has.
inline void check_count(std::int64_t there, std::uint64_t needed) {
  if (static_cast<std::uint64_t>(there) != needed) {
    throw Error(Code::invalid_argument, "A container or array of " + std::to_string(there) +
                                            " elements, where " +
                                            std::to_string(static_cast<std::int64_t>(needed)) +
                                            " are needed: give data() for a part of it.");
  }
}
// The number of elements of a box; one that overflows is refused with the request.
template <class T>
std::uint64_t count_of(const Box<T>& box) {
  std::uint64_t count = 1;
  for (std::int32_t d = 0; d < box.dimensions; ++d) {
    count *= static_cast<std::uint64_t>(box.extents[d]);
  }
  return count;
}

// The library takes a number of elements of 0 for one that is not known, so lists that belong to a
// container without elements are looked at here.
inline void check_empty(std::int64_t elements, bool names_one) {
  if (elements == 0 && names_one) {
    throw Error(Code::invalid_argument, "The list names an element of a container that has none.");
  }
}

// A view that takes a mask: a box, or axes of one; an array is a box of one dimension.
template <class T>
Box<T> maskable(const Array<T>& x) {
  return isofold::box(x.data, {x.count});
}
template <class T>
Box<T> maskable(const Box<T>& x) {
  return x;
}
template <class T, bool whole>
Axes<T, whole> maskable(const Axes<T, whole>& x) {
  return x;
}
template <class T>
std::uint64_t entries_for(const Box<T>& x) {
  return count_of(x);
}
template <class T, bool whole>
std::uint64_t entries_for(const Axes<T, whole>& x) {
  return count_of(x.box);
}
// Refuses a mask of another number of entries than its view has elements.
inline void check_mask(std::int64_t entries, std::uint64_t elements) {
  if (static_cast<std::uint64_t>(entries) != elements) {
    throw Error(Code::invalid_argument,
                "A mask of " + std::to_string(entries) + " entries for " +
                    std::to_string(static_cast<std::int64_t>(elements)) +
                    " elements: it has an entry for each. If the mask is of a whole field, cut "
                    "both alike, as interior(masked(field, box(mask, {nz, ny, nx})), 1) does.");
  }
}
template <class V>
using if_maskable = decltype(maskable(std::declval<const view_of<V>&>()), static_cast<void>(0),
                             int{});
template <class V, class = void>
inline constexpr bool is_maskable = false;
template <class V>
inline constexpr bool
    is_maskable<V, std::void_t<decltype(maskable(std::declval<const view_of<V>&>()))>> = true;
template <class M>
inline constexpr bool is_mask = is_container<M> || std::is_pointer_v<M>;
template <class M>
inline constexpr bool is_mask<Array<M>> = true;
template <class M>
inline constexpr bool is_mask<Box<M>> = true;
template <>
inline constexpr bool is_mask<std::vector<bool>> = true;
template <class M>
inline constexpr bool is_mask_of_dimensions = is_array_of_arrays<M> || is_mdspan<M>;

// One byte an element is what a mask has. (A std::vector<bool> has bits, and no pointer to them.)
template <class M>
inline constexpr bool is_mask_entry = sizeof(M) == 1 &&
                                      (std::is_integral_v<M> || std::is_enum_v<M>);

}  // namespace view_detail

// The array of a container, as which it reduces without this, too. A temporary container does not
// compile, here and below: a view of it would outlive it.
template <class R, view_detail::if_flat<R> = 0>
[[nodiscard]] auto array(const R& x) {
  return view_detail::array_of(x);
}
template <class R, view_detail::if_temporary<R> = 0>
[[nodiscard]] auto array(R&&) {
  view_detail::refuse_temporary<R>();
  return Array<view_detail::stand_in>{};
}
// The rows of a container or an array that has as many elements; another number throws
// invalid_argument.
template <class R, view_detail::if_flat<R> = 0>
[[nodiscard]] auto rows(const R& x, AnyInteger rows, AnyInteger length) {
  const auto whole = view_detail::array_of(x);
  view_detail::check_count(whole.count, static_cast<std::uint64_t>(rows.value) *
                                            static_cast<std::uint64_t>(length.value));
  return isofold::rows(whole.data, rows, length);
}
template <class R, view_detail::if_temporary<R> = 0>
[[nodiscard]] auto rows(R&&, AnyInteger, AnyInteger) {
  view_detail::refuse_temporary<R>();
  return Rows<view_detail::stand_in>{};
}
// The box of a container or an array that has as many elements; another number throws
// invalid_argument.
template <class R, view_detail::if_flat<R> = 0>
[[nodiscard]] auto box(const R& x, const IntegerList& extents) {
  const auto whole = view_detail::array_of(x);
  const auto made = box(whole.data, extents);
  view_detail::check_count(whole.count, view_detail::count_of(made));
  return made;
}
template <class R, view_detail::if_temporary<R> = 0>
[[nodiscard]] auto box(R&&, const IntegerList&) {
  view_detail::refuse_temporary<R>();
  return Box<view_detail::stand_in>{};
}
// The box of nested arrays, such as double[3][4] or std::vector<std::array<double, 3>>.
template <class R, std::enable_if_t<view_detail::is_array_of_arrays<R>, int> = 0>
[[nodiscard]] auto box(const R& x) {
  return view_detail::as_view(x);
}
template <class R, view_detail::if_temporary<R> = 0>
[[nodiscard]] auto box(R&&) {
  view_detail::refuse_temporary<R>();
  return Box<view_detail::stand_in>{};
}
// A container computed with in a wider type, as widened(array(x, n)) is.
template <class V, std::enable_if_t<view_detail::is_container<V>, int> = 0>
[[nodiscard]] auto widened(const V& x) {
  return widened(view_detail::as_view(x));
}

template <class V, view_detail::if_temporary<V> = 0>
[[nodiscard]] auto widened(V&&) {
  view_detail::refuse_temporary<V>();
  return Array<Widened<view_detail::stand_in>>{};
}

// masked(x, mask) of containers: x is one, an array, a box or axes of one, and the mask one of
// bytes (std::uint8_t, bool, ...), as many as x has elements, in row-major order; another number
// throws invalid_argument. The mask of an array may be an array, and that of a container a box.
// Nested arrays, such as bool[3][4], and a std::mdspan are boxes.
template <class View, class M, view_detail::if_maskable<View> = 0, view_detail::if_range<M> = 0>
[[nodiscard]] auto masked(const View& x, const M& mask) {
  static_assert(view_detail::is_mask_entry<view_detail::pointed_to<M>>,
                "The entries of a mask are bytes: std::uint8_t, bool, char or std::byte.");
  const auto entries = view_detail::array_of(mask);
  const auto shape = view_detail::maskable(view_detail::as_view(x));
  view_detail::check_mask(entries.count, view_detail::entries_for(shape));
  return masked(shape, reinterpret_cast<const std::uint8_t*>(entries.data));
}
template <class View, class M, view_detail::if_maskable<View> = 0>
[[nodiscard]] auto masked(const View& x, const Array<M>& mask) {
  static_assert(view_detail::is_mask_entry<M>,
                "The entries of a mask are bytes: std::uint8_t, bool, char or std::byte.");
  const auto shape = view_detail::maskable(view_detail::as_view(x));
  view_detail::check_mask(mask.count, view_detail::entries_for(shape));
  return masked(shape, reinterpret_cast<const std::uint8_t*>(mask.data));
}
template <class View, class M, view_detail::if_maskable<View> = 0,
          std::enable_if_t<!std::is_array_v<M>, int> = 0>
[[nodiscard]] auto masked(const View& x, const M* mask) {
  static_assert(view_detail::is_mask_entry<M>,
                "The entries of a mask are bytes: std::uint8_t, bool, char or std::byte.");
  return masked(view_detail::maskable(view_detail::as_view(x)),
                reinterpret_cast<const std::uint8_t*>(mask));
}
template <class View, class M, view_detail::if_maskable<View> = 0,
          std::enable_if_t<view_detail::is_mask_of_dimensions<M>, int> = 0>
[[nodiscard]] auto masked(const View& x, const M& mask) {
  return masked(view_detail::maskable(view_detail::as_view(x)), view_detail::as_view(mask));
}
template <class View, class M, view_detail::if_maskable<View> = 0>
[[nodiscard]] auto masked(const View& x, const Box<M>& mask) {
  return masked(view_detail::maskable(view_detail::as_view(x)), mask);
}
template <class View, view_detail::if_maskable<View> = 0>
[[nodiscard]] auto masked(const View& x, const std::vector<bool>&) {
  static_assert(!std::is_same_v<View, View>,
                "A std::vector<bool> has no bytes in memory: use a std::vector<std::uint8_t>, or "
                "bits of your own with masked_by_bits.");
  return view_detail::as_view(x);
}

template <class View, class M, view_detail::if_temporary<View, M> = 0>
[[nodiscard]] auto masked(View&&, M&&) {
  view_detail::refuse_temporary<View, M>();
  return Box<view_detail::stand_in>{};
}
template <class View, class M, view_detail::if_temporary<View, M> = 0>
[[nodiscard]] auto masked_by_bits(View&&, M&&) {
  view_detail::refuse_temporary<View, M>();
  return Box<view_detail::stand_in>{};
}

// A mask of bits in a container of bytes, from the lowest bit of each on: as many bytes as the bits
// of all elements take, or more.
template <class View, class M, view_detail::if_maskable<View> = 0, view_detail::if_range<M> = 0>
[[nodiscard]] auto masked_by_bits(const View& x, const M& bits) {
  static_assert(view_detail::is_mask_entry<view_detail::pointed_to<M>>,
                "The bits of a mask lie in bytes: std::uint8_t, char or std::byte.");
  const auto bytes = view_detail::array_of(bits);
  const auto shape = view_detail::maskable(view_detail::as_view(x));
  const std::uint64_t entries = view_detail::entries_for(shape);
  const std::uint64_t needed = entries / 8 + (entries % 8 != 0 ? 1 : 0);
  if (static_cast<std::uint64_t>(bytes.count) < needed) {
    view_detail::check_count(bytes.count, needed);
  }
  return masked_by_bits(shape, reinterpret_cast<const std::uint8_t*>(bytes.data));
}

// One sentence each for calls that none of the above takes.
template <class View>
[[nodiscard]] auto masked(const View&, std::initializer_list<AnyInteger>) {
  static_assert(detail::never<View>,
                "A view points to its mask and does not own it: name the list, "
                "std::vector<std::uint8_t> mask{...}, and write masked(x, mask).");
  return Box<view_detail::stand_in>{};
}
ISOFOLD_REFUSE(
    array,
    "array(x) has all elements of a container, which lie one behind the other; of a "
    "pointer it is array(x, n). A container's first n are array(x.data(), n), and nested "
    "arrays are box(x).",
    Array<view_detail::stand_in>)
ISOFOLD_REFUSE(
    rows,
    "rows(x, r, length) says how many rows there are, and how many elements each has: of "
    "a container, an array or a pointer, which may have a stride, rows(x, r, length, "
    "stride).",
    Rows<view_detail::stand_in>)
ISOFOLD_REFUSE(
    box,
    "A box has extents, box(x, {nz, ny, nx}), a list of integers or a container of them; "
    "a box with strides is one of a pointer: box(x.data(), {nz, ny, nx}, {strides}). "
    "Nested arrays and a std::mdspan have them themselves.",
    Box<view_detail::stand_in>)
ISOFOLD_REFUSE(
    interior,
    "interior(x, ghosts) is of a box, box(x, {nz, ny, nx}), perhaps under a mask that is "
    "a box, and of integers: one, or as many as dimensions. Cut it first, as in "
    "over(interior(x, 1), {0}).",
    Box<view_detail::stand_in>)
ISOFOLD_REFUSE(slice,
               "slice(x, dimension, begin, end) is of a box, box(x, {nz, ny, nx}), perhaps under a "
               "mask that is a box; a step may follow. skip_nan, exact and over go around it.",
               Box<view_detail::stand_in>)
ISOFOLD_REFUSE(over,
               "over(x, {axes}) is of a box, box(x, {nz, ny, nx}), masked or not, and of integers, "
               "a list or a container of them; skip_nan and exact go around it, as in "
               "skip_nan(over(x, {0})).",
               Axes<view_detail::stand_in>)
ISOFOLD_REFUSE(masked,
               "masked(x, mask) is of arrays, containers, boxes and axes of one, without a mask, "
               "and a mask of bytes, as many as elements; skip_nan and exact go around it, as in "
               "skip_nan(masked(x, mask)).",
               Box<view_detail::stand_in>)
ISOFOLD_REFUSE(
    masked_by_bits,
    "masked_by_bits(x, bits) is of arrays, containers, boxes and axes of one, and a mask "
    "whose bits lie in bytes, such as a std::vector<std::uint8_t>.",
    Box<view_detail::stand_in>)
ISOFOLD_REFUSE(
    widened,
    "widened(x) is of arrays, rows, boxes (with axes and masks), segments, counted rows, "
    "gathers and containers; skip_nan and exact go around it, as in "
    "skip_nan(widened(x)).",
    Array<Widened<view_detail::stand_in>>)

}  // namespace isofold
