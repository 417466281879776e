// Containers as views: std::vector, std::span, std::array, C arrays, and whatever else has its
// elements one behind the other, reduce as the array of its elements does.
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include <isofold/error.hpp>
#include <isofold/views/array.hpp>
#include <isofold/views/view.hpp>

namespace isofold::view_detail {

template <class R>
using data_of = decltype(std::data(std::declval<const R&>()));

// A range has data() and size(), and iterators to what data() points to: a view of Kokkos, which
// may have several dimensions and strides, has none.
template <class R, class = void>
inline constexpr bool is_range = false;
template <class R>
inline constexpr bool is_range<
    R, std::void_t<std::enable_if_t<!is_view<R> && std::is_pointer_v<data_of<R>>>,
                   decltype(std::size(std::declval<const R&>())),
                   std::enable_if_t<std::is_same_v<decltype(*std::begin(std::declval<const R&>())),
                                                   decltype(*std::declval<data_of<R>>())>>>> = true;

// The view itself, or the array of a range. Iterators tell strides that data() and size() do not,
// such as those of a column of a matrix: it throws invalid_argument.
template <class V>
decltype(auto) as_view(const V& x) {
  if constexpr (is_range<V>) {
    using T = std::remove_cv_t<std::remove_pointer_t<data_of<V>>>;
    const auto count = static_cast<std::int64_t>(std::size(x));
    const T* const data = std::data(x);
    if (count > 1 && std::addressof(*std::next(std::begin(x))) != data + 1) {
      throw Error(Code::invalid_argument,
                  "The elements of this range do not lie one behind the other: give their box, "
                  "box(data, {count}, {stride}).");
    }
    return Array<T>{data, count};
  } else {
    return static_cast<const V&>(x);
  }
}
template <class V>
using view_of = std::decay_t<decltype(as_view(std::declval<const V&>()))>;

}  // namespace isofold::view_detail
