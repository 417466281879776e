// Gathers: a view of elements by their indices, in the order of the list.
#pragma once

#include <cstdint>

#include <isofold/views/range.hpp>
#include <isofold/views/view.hpp>

namespace isofold {

// The row data[indices[0]], data[indices[1]], ...; one result. An index may occur more than once,
// and no index is an empty input. The indices lie in the memory that the data lie in. Index is
// an integer of any type; devices read those of 64 bits and std::int32_t.
template <class T, class Index>
struct Gather {
  using element_type = T;
  static constexpr bool one_result = true;
  const T* data;
  std::int64_t elements;  // at data; 0: not known, and no index is checked against it
  const Index* indices;
  std::int64_t count;

  [[nodiscard]] LayoutRequest to_request() const {
    LayoutRequest request =
        view_detail::list_request<T, Index>(ISOFOLD_SHAPE_gather, data, 1, count, 0, elements);
    request.layout.indices = indices;
    return request;
  }
  // Adds the second gather of a fold of two. Both have one list of indices, by its address; another
  // list throws invalid_argument.
  void add_second(LayoutRequest& request, const Gather& second) const {
    view_detail::add_second_by_list(request, "gathers", indices == second.indices, count,
                                    second.count, second.data, second.elements);
  }
};

// The elements that `count` indices name. `elements` is how many lie at data; indices beyond them
// are refused. 0: it is not known.
template <class T, class Index>
[[nodiscard]] Gather<T, Index> gather(const T* data, const Index* indices, AnyInteger count,
                                      AnyInteger elements = 0) {
  return {data, elements, indices, count};
}

// The elements of x, a container or an array, that a container of indices names; none lies beyond
// its end.
template <class R, class I, view_detail::if_flat<R> = 0, view_detail::if_list<I> = 0>
[[nodiscard]] auto gather(const R& x, const I& indices) {
  const auto whole = view_detail::array_of(x);
  const auto list = view_detail::array_of(indices);
  view_detail::check_empty(whole.count, list.count > 0);
  return gather(whole.data, list.data, list.count, whole.count);
}

template <class R, class I, view_detail::if_temporary<R, I> = 0>
[[nodiscard]] auto gather(R&&, I&&) {
  view_detail::refuse_temporary<R, I>();
  return Array<view_detail::stand_in>{};
}

// A gather computed with in a wider type, as widened(array(x, n)) is.
template <class T, class Index>
[[nodiscard]] Gather<view_detail::widened_t<T>, Index> widened(Gather<T, Index> x) {
  return {view_detail::widened_data(x.data), x.elements, x.indices, x.count};
}

}  // namespace isofold
