// Views whose sums are those of exact_v1: exact(x), for every fold that has one.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <isofold/views/modified.hpp>

namespace isofold {

// The definition of a result's bits.
enum class Definition : std::int32_t {
  tree_v1 = ISOFOLD_DEFINITION_tree_v1,   // one order of the additions (docs/tree.md)
  exact_v1 = ISOFOLD_DEFINITION_exact_v1  // the real value, rounded once (docs/exact.md)
};

// The elements of a view, to be reduced by exact_v1.
template <class View>
struct ExactView : view_detail::Modified<ExactView, View> {
  auto to_request() const {
    auto request = this->view.to_request();
    request.plain.definition = ISOFOLD_DEFINITION_exact_v1;
    return request;
  }
};

// reduce.sum(exact(array(x, n))) is the sum in real numbers, rounded once to the type of the
// result: whatever the order of the elements, how they are spread, and on what they are summed. So
// are dot, norm1, norm2, squared_distance, weighted_sum, mean, variance and their kin
// (docs/exact.md has the table); sums of integers are exact in 128 bits, and throw out_of_range
// where the result does not hold them, and their mean is a double. Extrema, locations, counts and
// the like have the result that they have anyway. Folds that are no such value, as product and
// log_sum_exp, are `unsupported`, and so are backends without it (hip, kokkos). Of any view.
template <class View>
[[nodiscard]] ExactView<view_detail::checked_view_of<View>> exact(const View& x) {
  return {{view_detail::as_checked_view(x)}};
}
template <class View, view_detail::if_temporary<View> = 0>
[[nodiscard]] ExactView<view_detail::Owned<View>> exact(View&& x) {
  return {{{std::forward<View>(x)}}};
}
ISOFOLD_REFUSE(exact,
               "exact(x) is of one view or container: of a pointer and a count it is "
               "exact(array(x, n)), and a list in braces has a name first. exact(fold) is a fold "
               "for reduce() and fuse().",
               Array<view_detail::stand_in>)

namespace view_detail {

template <class View>
inline constexpr bool is_exact = false;
template <class View>
inline constexpr bool is_exact<ExactView<View>> = true;

}  // namespace view_detail
}  // namespace isofold
