// Views whose locations count the elements that are taken: packed_index(x).
#pragma once

#include <utility>

#include <isofold/views/modified.hpp>

namespace isofold {

// The elements of a view, numbered in results as if they were packed.
template <class View>
struct PackedIndex : view_detail::Modified<PackedIndex, View> {
  auto to_request() const {
    auto request = this->view.to_request();
    request.plain.flags |= ISOFOLD_PACKED_INDEX;
    return request;
  }
};

// A location of reduce.argmax(masked(x, mask)) has the index of its element in x; one of
// reduce.argmax(packed_index(masked(x, mask))) the number of the element among those that the mask
// takes. So it is for skip_nan(x), and for segments and gathers, where this number counts the
// segment or the list. Of other views both are the same. address_of(packed_index(x), index) leads
// from there to the element.
template <class View>
[[nodiscard]] PackedIndex<view_detail::checked_view_of<View>> packed_index(const View& x) {
  return {{view_detail::as_checked_view(x)}};
}
template <class View, view_detail::if_temporary<View> = 0>
[[nodiscard]] PackedIndex<view_detail::Owned<View>> packed_index(View&& x) {
  return {{{std::forward<View>(x)}}};
}
ISOFOLD_REFUSE(packed_index,
               "packed_index(x) is of one view or container: of a pointer and a count it is "
               "packed_index(array(x, n)), and a list in braces has a name first.",
               Array<view_detail::stand_in>)

}  // namespace isofold
