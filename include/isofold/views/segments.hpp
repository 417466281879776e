// Segments: views of rows that lie in one array and have lengths of their own, by offsets or by
// counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include <isofold/error.hpp>
#include <isofold/views/array.hpp>
#include <isofold/views/range.hpp>
#include <isofold/views/view.hpp>

namespace isofold {

// Row r is [begins[r], ends[r]) of data; without ends, [begins[r], begins[r + 1]). Each row has one
// result. Rows may be empty, and have the fold's empty value then; with ends they may stand in any
// order, overlap and leave gaps. The lists lie in the memory that the data lie in. Index is
// an integer of any type; devices read those of 64 bits and std::int32_t.
template <class T, class Index>
struct Segments {
  using element_type = T;
  static constexpr bool one_result = false;
  const T* data;
  std::int64_t elements;  // at data; 0: not known, and no index is checked against it
  const Index* begins;
  const Index* ends;
  std::int64_t count;

  [[nodiscard]] LayoutRequest to_request() const {
    LayoutRequest request =
        view_detail::list_request<T, Index>(ISOFOLD_SHAPE_segments, data, count, 0, 0, elements);
    request.layout.begins = begins;
    request.layout.ends = ends;
    return request;
  }
  // Adds the second array of a fold of two, cut by the same offsets, by their address; other ones
  // throw invalid_argument.
  void add_second(LayoutRequest& request, const Segments& second) const {
    view_detail::add_second_by_list(request, "arrays in segments",
                                    begins == second.begins && ends == second.ends, count,
                                    second.count, second.data, second.elements);
  }
};

// Row r is the first counts[r] elements of at most `capacity` from data + r * stride on; each row
// has one result. A kernel that has just been launched on the stream may compute the counts: nobody
// waits for them.
template <class T, class Index>
struct Counted {
  using element_type = T;
  static constexpr bool one_result = false;
  const T* data;
  std::int64_t rows;
  std::int64_t capacity;
  std::int64_t stride;
  const Index* counts;

  [[nodiscard]] LayoutRequest to_request() const {
    LayoutRequest request = view_detail::list_request<T, Index>(ISOFOLD_SHAPE_segments, data, rows,
                                                                capacity, stride, elements());
    request.layout.ends = counts;
    return request;
  }
  // Adds the second rows of a fold of two. Both have one list of counts, by its address; another
  // list or capacity throws invalid_argument, and another stride does when they are reduced.
  void add_second(LayoutRequest& request, const Counted& second) const {
    if (capacity != second.capacity) {
      Rows<T>{data, rows, capacity, stride}.refuse(
          {second.data, second.rows, second.capacity, second.stride});
    }
    view_detail::add_second_by_list(request, "counted arrays", counts == second.counts, rows,
                                    second.rows, second.data, second.elements());
    request.plain.second_stride = second.stride;
  }
  // Most elements at data.
  std::int64_t elements() const { return rows > 0 ? (rows - 1) * stride + capacity : 0; }
};

namespace view_detail {

template <class V>
inline constexpr bool is_counted_shape = false;
template <class T>
inline constexpr bool is_counted_shape<Array<T>> = true;
template <class T>
inline constexpr bool is_counted_shape<Rows<T>> = true;
template <class T>
std::int64_t rows_of(const Array<T>&) {
  return 1;
}
template <class T>
std::int64_t rows_of(const Rows<T>& x) {
  return x.rows;
}
}  // namespace view_detail

// `count` segments between count + 1 offsets, or from begins to ends. `elements` is how many lie at
// data; offsets beyond them are refused. 0: it is not known.
template <class T, class Index>
[[nodiscard]] Segments<T, Index> segments(const T* data, const Index* offsets, AnyInteger count,
                                          AnyInteger elements = 0) {
  return {data, elements, offsets, nullptr, count};
}
template <class T, class Index>
[[nodiscard]] Segments<T, Index> segments(const T* data, const Index* begins, const Index* ends,
                                          AnyInteger count, AnyInteger elements = 0) {
  return {data, elements, begins, ends, count};
}

// The first *count elements of x, whose own count is the most there can be. The one result goes to
// memory, as results of rows do.
template <class T, class Index>
[[nodiscard]] Counted<T, Index> counted(Array<T> x, const Index* count) {
  return {x.data, 1, x.count, x.count, count};
}
// The first counts[r] elements of row r, whose length is the most there can be: cells of a fixed
// capacity, for instance.
template <class T, class Index>
[[nodiscard]] Counted<T, Index> counted(Rows<T> x, const Index* counts) {
  return {x.data, x.rows, x.length, x.stride, counts};
}

// Computed with in a wider type, as widened(array(x, n)) is.
template <class T, class Index>
[[nodiscard]] Segments<view_detail::widened_t<T>, Index> widened(Segments<T, Index> x) {
  return {view_detail::widened_data(x.data), x.elements, x.begins, x.ends, x.count};
}
template <class T, class Index>
[[nodiscard]] Counted<view_detail::widened_t<T>, Index> widened(Counted<T, Index> x) {
  return {view_detail::widened_data(x.data), x.rows, x.capacity, x.stride, x.counts};
}

// offsets.size() - 1 segments of x, a container or an array, whose number of elements no offset
// exceeds. No offsets throw invalid_argument.
template <class R, class O, view_detail::if_flat<R> = 0, view_detail::if_list<O> = 0>
[[nodiscard]] auto segments(const R& x, const O& offsets) {
  const auto whole = view_detail::array_of(x);
  const auto list = view_detail::array_of(offsets);
  if (list.count == 0) {
    throw Error(Code::invalid_argument,
                "Segments without an offset: n segments lie between n + 1 of them.");
  }
  view_detail::check_empty(whole.count, std::any_of(list.data, list.data + list.count,
                                                    [](auto offset) { return offset != 0; }));
  return segments(whole.data, list.data, list.count - 1, whole.count);
}
// As many segments of it as there are begins, and ends.
template <class R, class B, class E, view_detail::if_flat<R> = 0, view_detail::if_list<B> = 0,
          view_detail::if_list<E> = 0>
[[nodiscard]] auto segments(const R& x, const B& begins, const E& ends) {
  const auto whole = view_detail::array_of(x);
  const auto first = view_detail::array_of(begins);
  const auto last = view_detail::array_of(ends);
  view_detail::check_count(last.count, static_cast<std::uint64_t>(first.count));
  view_detail::check_empty(whole.count, std::any_of(last.data, last.data + last.count,
                                                    [](auto end) { return end != 0; }));
  return segments(whole.data, first.data, last.data, first.count, whole.count);
}
// Rows, a container or an array, and a container of a count for each row; a container may have a
// pointer to its one count, too.
template <class V, class C, std::enable_if_t<view_detail::is_counted_shape<V>, int> = 0,
          view_detail::if_list<C> = 0>
[[nodiscard]] auto counted(const V& x, const C& counts) {
  const auto list = view_detail::array_of(counts);
  view_detail::check_count(list.count, static_cast<std::uint64_t>(view_detail::rows_of(x)));
  return counted(x, list.data);
}
template <class V, class C, view_detail::if_range<V> = 0>
[[nodiscard]] auto counted(const V& x, const C& counts) {
  return counted(view_detail::array_of(x), counts);
}

// Temporary containers, which a view would outlive.
template <class R, class O, view_detail::if_temporary<R, O> = 0>
[[nodiscard]] auto segments(R&&, O&&) {
  view_detail::refuse_temporary<R, O>();
  return Rows<view_detail::stand_in>{};
}
template <class R, class B, class E, view_detail::if_temporary<R, B, E> = 0>
[[nodiscard]] auto segments(R&&, B&&, E&&) {
  view_detail::refuse_temporary<R, B, E>();
  return Rows<view_detail::stand_in>{};
}
template <class V, class C, view_detail::if_temporary<V, C> = 0>
[[nodiscard]] auto counted(V&&, C&&) {
  view_detail::refuse_temporary<V, C>();
  return Rows<view_detail::stand_in>{};
}

// One sentence each for lists that no view can point to, and for other calls.
template <class V>
[[nodiscard]] auto segments(const V&, std::initializer_list<AnyInteger>) {
  view_detail::refuse_braces<V>();
  return Rows<view_detail::stand_in>{};
}
template <class V>
[[nodiscard]] auto segments(const V&, std::initializer_list<AnyInteger>,
                            std::initializer_list<AnyInteger>) {
  view_detail::refuse_braces<V>();
  return Rows<view_detail::stand_in>{};
}
template <class V>
[[nodiscard]] auto gather(const V&, std::initializer_list<AnyInteger>) {
  view_detail::refuse_braces<V>();
  return Array<view_detail::stand_in>{};
}
template <class V>
[[nodiscard]] auto counted(const V&, std::initializer_list<AnyInteger>) {
  view_detail::refuse_braces<V>();
  return Rows<view_detail::stand_in>{};
}
ISOFOLD_REFUSE(segments,
               "segments(x, offsets), or segments(x, begins, ends), is of a container or an array, "
               "and of containers of integers; of pointers alone it is segments(x, offsets, n), or "
               "segments(x, begins, ends, n).",
               Rows<view_detail::stand_in>)
ISOFOLD_REFUSE(gather,
               "gather(x, indices) is of a container or an array, and of a container of integers; "
               "of pointers alone it is gather(x, indices, n).",
               Array<view_detail::stand_in>)
ISOFOLD_REFUSE(counted,
               "counted(x, counts) is of rows(x, r, most), or an array, and a container of r "
               "counts, or a pointer to them.",
               Rows<view_detail::stand_in>)

}  // namespace isofold
