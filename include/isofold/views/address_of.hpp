// The way from the index of a location (argmin, argmax and their kin) to the element itself.
#pragma once

#include <cstdint>

#include <isofold/error.hpp>
#include <isofold/fold.hpp>
#include <isofold/views/range.hpp>
#include <isofold/views/view.hpp>

namespace isofold {

namespace view_detail {

template <class T>
struct Stored {
  using type = T;
};
template <class T>
struct Stored<Widened<T>> {
  using type = T;
};
template <class View>
using stored_t = typename Stored<typename checked_view_of<View>::element_type>::type;

}  // namespace view_detail

// The address of the element that a location in row `row` of a view, from 0, has the index of. So
//
//   const auto inner = interior(masked(field, is_fluid), 1);
//   const auto hottest = reduce.argmax(inner);
//   const std::int64_t cell = address_of(inner, hottest.index) - cells;
//
// is the index in the array `cells`, of which the interior is a part. Index -1, that of no element,
// is nullptr; other numbers that the view does not have throw invalid_argument. Lists are read, of
// which a copy in host memory will do if the reduced ones lie elsewhere (which throws
// wrong_memory). Of packed_index(x) so is a mask, up to the element by one thread, and the elements
// are, if skip_nan leaves some out.
template <class View, class Integer, if_any_integer<Integer> = 0>
[[nodiscard]] const view_detail::stored_t<View>* address_of(const View& x, Integer index,
                                                            AnyInteger row = 0) {
  auto request = view_detail::as_checked_view(x).to_request();
  request.plain.fold = static_cast<std::int32_t>(Fold::sum);  // every type has it
  const void* address = nullptr;
  check(isofold_address_of(request.pointer(), row, static_cast<std::int64_t>(index), &address));
  return static_cast<const view_detail::stored_t<View>*>(address);
}
ISOFOLD_REFUSE(
    address_of,
    "address_of(x, index) takes the view that was reduced and the index of a location in "
    "it, as reduce.argmax(x).index; of rows it is address_of(x, index, row).",
    const view_detail::stand_in*)

}  // namespace isofold
