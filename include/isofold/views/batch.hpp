// Batches: views of many arrays, each where it is, with a result each, or concatenated to one.
#pragma once

#include <cstdint>

#include <isofold/views/range.hpp>
#include <isofold/views/view.hpp>

namespace isofold {

// Row r is the lengths[r] elements at arrays[r]; each row has one result. Arrays may be empty, and
// have the fold's empty value then. The lists lie in the memory that the data lie in. Index is
// an integer of any type; devices read those of 64 bits and std::int32_t.
template <class T, class Index>
struct Batch {
  using element_type = T;
  static constexpr bool one_result = false;
  const T* const* arrays;
  const Index* lengths;
  std::int64_t count;

  [[nodiscard]] LayoutRequest to_request() const {
    LayoutRequest request =
        view_detail::list_request<T, Index>(ISOFOLD_SHAPE_batch, arrays, count, 0, 0, 0);
    request.layout.ends = lengths;
    return request;
  }
  // Adds the second batch of a fold of two. Both have one list of lengths, by its address; another
  // list throws invalid_argument.
  void add_second(LayoutRequest& request, const Batch& second) const {
    view_detail::add_second_by_list(request, "batches", lengths == second.lengths, count,
                                    second.count, second.arrays, 0);
  }
};

// A batch concatenated to one array: its elements in order of the list, one result, with the bits
// of the elements packed. Indices of locations count through all of them.
template <class T, class Index>
struct Joined {
  using element_type = T;
  static constexpr bool one_result = true;
  Batch<T, Index> arrays;
  std::int64_t elements;  // in all, at most; 0: not known, and no length is checked against it

  [[nodiscard]] LayoutRequest to_request() const {
    LayoutRequest request = view_detail::list_request<T, Index>(ISOFOLD_SHAPE_joined, arrays.arrays,
                                                                1, arrays.count, 0, elements);
    request.layout.ends = arrays.lengths;
    return request;
  }
  // Adds the second batch of a fold of two. Both have one list of lengths, by its address; another
  // throws invalid_argument.
  void add_second(LayoutRequest& request, const Joined& second) const {
    view_detail::add_second_by_list(request, "joined batches",
                                    arrays.lengths == second.arrays.lengths, arrays.count,
                                    second.arrays.count, second.arrays.arrays, second.elements);
  }
};

template <class T, class Index>
[[nodiscard]] Batch<T, Index> batch(const T* const* arrays, const Index* lengths,
                                    AnyInteger count) {
  return {arrays, lengths, count};
}
// Containers of the pointers and of the lengths, as many of both.
template <class P, class L, view_detail::if_range<P> = 0, view_detail::if_list<L> = 0,
          std::enable_if_t<std::is_pointer_v<view_detail::pointed_to<P>>, int> = 0>
[[nodiscard]] auto batch(const P& arrays, const L& lengths) {
  const auto list = view_detail::array_of(lengths);
  view_detail::check_count(list.count, static_cast<std::uint64_t>(std::size(arrays)));
  return batch(std::data(arrays), list.data, list.count);
}
template <class P, class L, view_detail::if_temporary<P, L> = 0>
[[nodiscard]] auto batch(P&&, L&&) {
  view_detail::refuse_temporary<P, L>();
  return Batch<view_detail::stand_in, std::int64_t>{};
}
// reduce.sum(joined(batch(arrays, lengths, count))) is one sum. `elements` is the most that the
// arrays have in all; lengths that add up to more are refused. 0: it is not known.
template <class T, class Index>
[[nodiscard]] Joined<T, Index> joined(Batch<T, Index> arrays, AnyInteger elements = 0) {
  return {arrays, elements};
}

// One sentence each for calls that none of the above takes.
ISOFOLD_REFUSE(
    batch,
    "batch(arrays, lengths) is of two containers, of pointers to elements and of the "
    "lengths of these arrays; of pointers to both lists it is batch(arrays, lengths, n).",
    Batch<view_detail::stand_in, std::int64_t>)
ISOFOLD_REFUSE(joined,
               "joined(x) is of a batch, joined(batch(arrays, lengths)); the elements of rows, "
               "segments and boxes in their order are an array or a box.",
               Array<view_detail::stand_in>)

}  // namespace isofold
