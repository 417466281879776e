// Global indices: the index in the whole of a location in a rank's view.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include <isofold/detail/team/item.hpp>

namespace isofold::team::detail {

[[nodiscard]] inline std::int64_t distance_of(std::int64_t stride) {
  return stride < 0 ? -stride : stride;
}

// The row-major index, in a box with these strides, of the element that lies `distance` elements
// behind its first one: the strides are taken from the widest one on. -1 if there is none.
[[nodiscard]] inline std::int64_t index_by_distance(const isofold_layout& layout,
                                                    std::int64_t distance) {
  std::int32_t by_stride[ISOFOLD_MOST_DIMENSIONS] = {};
  const std::int32_t dimensions = layout.dimensions;
  for (std::int32_t d = 0; d < dimensions && d < ISOFOLD_MOST_DIMENSIONS; ++d) {
    if (layout.strides[d] < 0 && layout.extents[d] > 1) {  // from the lowest address on
      distance -= layout.strides[d] * (layout.extents[d] - 1);
    }
    std::int32_t at = d;  // sorted by insertion
    for (;
         at > 0 && distance_of(layout.strides[by_stride[at - 1]]) < distance_of(layout.strides[d]);
         --at) {
      by_stride[at] = by_stride[at - 1];
    }
    by_stride[at] = d;
  }
  std::int64_t index[ISOFOLD_MOST_DIMENSIONS] = {};
  for (std::int32_t i = 0; i < dimensions; ++i) {
    const std::int32_t d = by_stride[i];
    const std::int64_t stride = distance_of(layout.strides[d]);
    if (layout.extents[d] <= 1 || stride == 0) {
      continue;
    }
    const std::int64_t steps = std::min(distance / stride, layout.extents[d] - 1);
    distance -= steps * stride;
    index[d] = layout.strides[d] < 0 ? layout.extents[d] - 1 - steps : steps;
  }
  std::int64_t row_major = 0;
  for (std::int32_t d = 0; d < dimensions; ++d) {
    row_major = row_major * layout.extents[d] + index[d];
  }
  return distance == 0 ? row_major : -1;
}

// The place in the row-major box, or in the list, of the element that a result numbers among the
// selected ones.
[[nodiscard]] inline std::int64_t place_of(Item& item, std::int64_t index) {
  isofold_request request = item.wired();
  const bool skips_nan = (request.flags & ISOFOLD_SKIP_NAN) != 0;
  const bool is_masked = request.shape == ISOFOLD_SHAPE_box && item.layout.mask != nullptr;
  if (!skips_nan && !is_masked) {
    return index;
  }
  // Without NaNs to be left out no element is read: as if the box were packed, an address is a
  // place.
  isofold_layout packed = item.layout;
  if (request.shape == ISOFOLD_SHAPE_box && !skips_nan) {
    std::int64_t stride = 1;
    for (std::int32_t d = packed.dimensions - 1; d >= 0; --d) {
      packed.strides[d] = stride;
      stride *= packed.extents[d];
    }
    request.layout = &packed;
  }
  const void* address = nullptr;
  check(isofold_address_of(&request, 0, index, &address));
  const std::int64_t distance = (static_cast<const unsigned char*>(address) -
                                 static_cast<const unsigned char*>(request.data)) /
                                isofold_type_bytes(request.type);
  if (request.shape != ISOFOLD_SHAPE_box || !skips_nan) {
    return distance;
  }
  const std::int64_t place = index_by_distance(item.layout, distance);
  if (place < 0) {
    throw Error(Code::unsupported,
                "A location without NaNs in a box whose elements share memory: its index cannot "
                "be told; give a mask instead of skip_nan(x).");
  }
  return place;
}

// The key of a stored element, as the fold looks at it.
[[nodiscard]] inline std::int64_t stored_key(const Item& item, const void* element,
                                             const NumberFormat& format, Toward toward) {
  std::uint64_t bits = read_bits(element, format.bytes);
  if (item.is(Fold::argabsmax)) {
    bits &= (~std::uint64_t{0} >> (64 - 8 * format.bytes)) >> 1;
  }
  return key_of(bits, format, toward);
}

// The best global index among elements that tie, of a list whose indices do not ascend: the
// elements are read once more.
[[nodiscard]] inline std::int64_t best_in_list(const Item& item, Toward toward) {
  const isofold_request& request = item.request;
  const bool is_gather = request.shape == ISOFOLD_SHAPE_gather;
  if ((request.shape != ISOFOLD_SHAPE_array && !is_gather) ||
      (request.flags & ISOFOLD_SKIP_NAN) != 0) {
    throw Error(Code::unsupported,
                "A location of a scattered view whose global indices do not ascend: it must be an "
                "array or a gather without skip_nan; or sort the list.");
  }
  const NumberFormat format = format_of(request.type);
  const auto* const data = static_cast<const unsigned char*>(request.data);
  const bool is_wide = item.layout.index_type == ISOFOLD_TYPE_i64;
  const auto place = [&](std::int64_t i) -> std::int64_t {
    if (!is_gather) {
      return i;
    }
    return is_wide ? static_cast<const std::int64_t*>(item.layout.indices)[i]
                   : static_cast<const std::int32_t*>(item.layout.indices)[i];
  };
  Ranked best;
  for (std::int64_t i = 0; i < request.length; ++i) {
    const std::int64_t global = item.placement.indices[i];
    const Ranked here{stored_key(item, data + place(i) * format.bytes, format, toward),
                      item.format.takes_last ? global : ~global};
    best = beats(here, best) ? here : best;
  }
  return item.format.takes_last ? best.order : ~best.order;
}

// The global index of a location, -1 being that of no element.
[[nodiscard]] inline std::int64_t global_index(Item& item, std::int64_t index, Toward toward) {
  const Placement& placement = item.placement;
  if (index < 0) {
    return index;
  }
  if (placement.kind == Placement::Kind::list) {
    return placement.is_ascending ? placement.indices[place_of(item, index)]
                                  : best_in_list(item, toward);
  }
  if (placement.kind != Placement::Kind::box) {
    throw Error(Code::invalid_argument,
                "The location " + item.text() +
                    " is an index in the whole: say by part(view, {extents of the whole}, "
                    "{offsets}) or scattered(view, indices, total) where this rank's elements lie "
                    "in it.");
  }
  return placement.global_index(place_of(item, index));
}

}  // namespace isofold::team::detail
