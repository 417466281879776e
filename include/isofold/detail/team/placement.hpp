// The place of a rank's elements in the whole: part(), scattered() and layers() say it of a view.
// A Team takes locations by global index from it, and checks that nothing is missing or there
// twice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>

#include <isofold/detail/core/partial/form.hpp>
#include <isofold/detail/team/coverage.hpp>
#include <isofold/error.hpp>
#include <isofold/isofold.h>
#include <isofold/shape.hpp>

namespace isofold::team {

namespace detail {

// The place of a request; without a fault of its own if `fault` is empty.
struct Placement : core::partial::BoxPlace {
  enum class Kind : std::int32_t { none = 0, box = 1, list = 2, layers = 3 };
  Kind kind = Kind::none;
  const std::int64_t* indices = nullptr;  // of a list
  bool is_ascending = true;
  std::int64_t count = 0;      // indices, or layers
  std::int64_t first_row = 0;  // of layers
  std::int64_t total = 0;      // elements, or layers, of all ranks
  std::uint64_t coverage = 0;  // coverage.hpp
  std::string fault;           // which the call reports, so that all ranks do
};

// Checks a box within the whole one, and completes its placement.
inline void place_box(Placement& placement) {
  placement.kind = Placement::Kind::box;
  std::int64_t total = 1;
  bool is_empty = false;
  for (std::int32_t d = 0; d < placement.dimensions; ++d) {
    const std::int64_t extent = placement.extents[d];
    const std::int64_t offset = placement.offsets[d];
    const std::int64_t whole = placement.whole[d];
    if (extent < 0 || offset < 0 || whole < 0 || offset > whole || extent > whole - offset) {
      placement.fault = "A part of " + std::to_string(extent) + " from " + std::to_string(offset) +
                        " on in dimension " + std::to_string(d) +
                        " of the whole, which has an extent of " + std::to_string(whole) +
                        ": it must lie within.";
      return;
    }
    if (whole > 0 && total > (std::int64_t{1} << 62) / whole) {
      placement.fault = "A whole of more than 2^62 elements: there are no indices of that many.";
      return;
    }
    total *= whole;
    is_empty = is_empty || extent == 0;
  }
  placement.total = total;
  placement.coverage = is_empty ? 0
                                : coverage_of_box(placement.dimensions, placement.extents,
                                                  placement.offsets, placement.whole);
}
// Checks a list of global indices, which is read once here.
inline void place_list(Placement& placement) {
  placement.kind = Placement::Kind::list;
  for (std::int64_t i = 0; i < placement.count; ++i) {
    const std::int64_t index = placement.indices[i];
    if (index < 0 || index >= placement.total) {
      placement.fault = "Index " + std::to_string(index) + " of element " + std::to_string(i) +
                        " of this rank: there are " + std::to_string(placement.total) +
                        " elements in all, numbered from 0.";
      return;
    }
    placement.is_ascending = placement.is_ascending && (i == 0 || placement.indices[i - 1] < index);
  }
  placement.coverage = coverage_of_list(placement.indices, placement.count);
}
// Checks rows within those of all ranks.
inline void place_layers(Placement& placement) {
  placement.kind = Placement::Kind::layers;
  if (placement.first_row < 0 || placement.count < 0 ||
      placement.count > placement.total - placement.first_row) {
    placement.fault = "Layers of " + std::to_string(placement.count) + " rows from " +
                      std::to_string(placement.first_row) + " on: all ranks together have " +
                      std::to_string(placement.total) + ".";
  }
}

// The extents of what a request reduces.
inline void set_extents(Placement& placement, const isofold_request& request) {
  if (request.shape == ISOFOLD_SHAPE_box) {
    placement.dimensions = request.layout->dimensions;
    std::copy(request.layout->extents, request.layout->extents + ISOFOLD_MOST_DIMENSIONS,
              placement.extents);
  } else {
    placement.dimensions = 1;
    placement.extents[0] = request.length;
  }
}

}  // namespace detail

// A view and where its elements lie in the whole; a view itself, for a Reducer, too.
template <class View>
struct Part : view_detail::Modified<Part, View> {
  detail::Placement placement;
  [[nodiscard]] auto to_request() const {
    if (!placement.fault.empty()) {
      throw Error(Code::invalid_argument, placement.fault);
    }
    return this->view.to_request();
  }
};

// The view of a box, with or without a mask, whose first index is `offsets` in a whole box of
// `whole` extents, both with a number for each dimension of the view:
//
//   part(interior(box(rho, {nz + 2, ny + 2, nx + 2}), 1), {NZ, NY, NX}, {z0, y0, x0})
//
// Locations of it are indices of the whole box in row-major order, under a mask, too (where a
// Reducer counts the selected elements). The parts of all ranks must cover the whole once: a gap
// or an overlap is `mismatch` on all ranks. An empty rank gives a part with an extent of 0, or
// part(array(x, 0), 0, total). A part that does not lie within is no error here but in the call,
// which throws invalid_argument on all ranks. Cost: a few microseconds, once; a call then sends two
// integers more.
template <class View>
[[nodiscard]] Part<view_detail::view_of<View>> part(const View& x,
                                                    std::initializer_list<AnyInteger> whole,
                                                    std::initializer_list<AnyInteger> offsets) {
  Part<view_detail::view_of<View>> made{{view_detail::as_view(x)}, {}};
  static_assert(decltype(made)::one_result,
                "A part has one result: layers(over(x, ...), first, total) has several.");
  auto request = made.view.to_request();
  const isofold_request& plain = *request.pointer();
  if (plain.shape != ISOFOLD_SHAPE_box && plain.shape != ISOFOLD_SHAPE_array) {
    made.placement.fault =
        "A part of this shape: boxes and arrays are parts of a whole box; of lists and batches say "
        "the global indices, scattered(view, indices, total).";
    return made;
  }
  detail::set_extents(made.placement, plain);
  const auto dimensions = static_cast<std::size_t>(made.placement.dimensions);
  if (whole.size() != dimensions || offsets.size() != dimensions) {
    made.placement.fault = "A part of " + std::to_string(dimensions) +
                           " dimensions in a whole of " + std::to_string(whole.size()) + " with " +
                           std::to_string(offsets.size()) +
                           " offsets: give one of each for every dimension.";
    return made;
  }
  std::copy(whole.begin(), whole.end(), made.placement.whole);
  std::copy(offsets.begin(), offsets.end(), made.placement.offsets);
  detail::place_box(made.placement);
  return made;
}
// An array as the elements [first, first + count) of `total`.
template <class View, class First, std::enable_if_t<is_any_integer<First>, int> = 0>
[[nodiscard]] auto part(const View& x, First first, AnyInteger total) {
  return part(x, {total}, {AnyInteger(first)});
}

// A view of one result whose element i has the global index indices[i], of `total` elements: index
// lists, unstructured meshes, space-filling curves. The list has an entry for each element of the
// view before masks, lies in host memory, and must live as long as the view is used. It is read
// here once: about a nanosecond an index where they follow one another, some 100 elsewhere. Where
// the indices do not ascend, locations read the elements once more, which must be an array or a
// gather in host memory. Gaps, overlaps and wrong indices are errors as of part().
template <class View>
[[nodiscard]] Part<view_detail::view_of<View>> scattered(const View& x, const std::int64_t* indices,
                                                         AnyInteger total) {
  Part<view_detail::view_of<View>> made{{view_detail::as_view(x)}, {}};
  static_assert(decltype(made)::one_result, "A scattered view has one result.");
  auto request = made.view.to_request();
  made.placement.indices = indices;
  made.placement.count = request.pointer()->length;
  made.placement.total = total;
  if (request.plain.shape == ISOFOLD_SHAPE_joined) {
    made.placement.fault = "A scattered batch: give its arrays as one array or gather.";
    return made;
  }
  detail::place_list(made.placement);
  return made;
}
// As above, of a container of std::int64_t, which must have as many entries as the view elements.
template <class View, class List, view_detail::if_range<List> = 0>
[[nodiscard]] Part<view_detail::view_of<View>> scattered(const View& x, const List& indices,
                                                         AnyInteger total) {
  const auto list = view_detail::array_of(indices);
  auto request = view_detail::as_view(x).to_request();
  if (list.count != request.pointer()->length) {
    Part<view_detail::view_of<View>> made{{view_detail::as_view(x)}, {}};
    made.placement.fault = "A list of " + std::to_string(list.count) + " global indices for " +
                           std::to_string(request.pointer()->length) +
                           " elements: give one for each.";
    return made;
  }
  return scattered(x, list.data, total);
}

// A view with several results, such as over(box, {1, 2}), whose first row is row `first` of `total`
// rows of all ranks: sums per layer where ranks have different layers. Rows that several ranks have
// are reduced together; a row that no rank has is that of no elements. The result has `total` rows.
template <class View>
[[nodiscard]] Part<view_detail::view_of<View>> layers(const View& x, AnyInteger first,
                                                      AnyInteger total) {
  Part<view_detail::view_of<View>> made{{view_detail::as_view(x)}, {}};
  static_assert(!decltype(made)::one_result,
                "Layers are views with several results: over(box, {1, 2}), rows, segments.");
  auto request = made.view.to_request();
  made.placement.count = request.pointer()->rows;
  made.placement.first_row = first;
  made.placement.total = total;
  detail::place_layers(made.placement);
  return made;
}

namespace detail {

// The placement of a view, whatever else is said of it.
template <class View>
Placement placement_of(const View&) {
  return {};
}
template <class View>
Placement placement_of(const Part<View>& x) {
  return x.placement;
}
template <class View>
Placement placement_of(const ExactView<View>& x) {
  return placement_of(x.view);
}
template <class View>
Placement placement_of(const SkipNan<View>& x) {
  return placement_of(x.view);
}

}  // namespace detail
}  // namespace isofold::team
