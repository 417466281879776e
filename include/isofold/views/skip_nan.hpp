// Views whose NaNs are left out: skip_nan(x), for every fold.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <isofold/views/modified.hpp>

namespace isofold {

// The elements of a view but those that are NaN, or have a part that is.
template <class View>
struct SkipNan : view_detail::Modified<SkipNan, View> {
  auto to_request() const {
    auto request = this->view.to_request();
    request.plain.flags |= ISOFOLD_SKIP_NAN;
    return request;
  }
};

// reduce.mean(skip_nan(array(x, n))) is the mean of the elements that are no NaN, as if they lay
// one behind the other; so is any fold, of arrays, rows, boxes, and boxes over axes or under a
// mask. Of two arrays, pairs with a NaN in either are left out. Where only NaNs are, the input is
// empty: minimum and its kin throw empty_input, rows get the fold's empty value. `count` of
// moments(skip_nan(x)) is how many elements were taken. A location's index is that in x;
// packed_index(skip_nan(x)) has the number among those that were taken. The elements are read
// twice, and the first call of a size takes memory for a mask, a byte an element on CPUs and a bit
// on devices. Elements of types without a NaN are all taken. Segments, gathers, batches, and the
// backend kokkos, are refused (unsupported).
template <class View>
[[nodiscard]] SkipNan<view_detail::checked_view_of<View>> skip_nan(const View& x) {
  return {{view_detail::as_checked_view(x)}};
}
template <class View, view_detail::if_temporary<View> = 0>
[[nodiscard]] SkipNan<view_detail::Owned<View>> skip_nan(View&& x) {
  return {{{std::forward<View>(x)}}};
}
ISOFOLD_REFUSE(skip_nan,
               "skip_nan(x) is of one view or container: of a pointer and a count it is "
               "skip_nan(array(x, n)), and a list in braces has a name first.",
               Array<view_detail::stand_in>)

}  // namespace isofold
