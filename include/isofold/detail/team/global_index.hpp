// Global indices: the index in the whole of a location in a rank's view.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include <isofold/detail/team/item.hpp>

namespace isofold::team::detail {

// The key of a stored element, as the fold looks at it.
[[nodiscard]] inline std::int64_t stored_key(const Item& item, const void* element,
                                             const NumberFormat& format, Toward toward) {
  std::uint64_t bits = read_bits(element, format.bytes);
  if (item.is(Fold::argabsmax)) {
    bits &= (~std::uint64_t{0} >> (64 - 8 * format.bytes)) >> 1;
  }
  return key_of(bits, format, toward);
}

// Entry `i` of a list of indices.
[[nodiscard]] inline std::int64_t listed(const isofold_layout& layout, std::int64_t i) {
  switch (layout.index_type) {
#define ISOFOLD_LISTED(name, c_type) \
  case ISOFOLD_TYPE_##name: return static_cast<const c_type*>(layout.indices)[i];
    ISOFOLD_INDEX_TYPES(ISOFOLD_LISTED)
#undef ISOFOLD_LISTED
    default: return -1;  // the reduction has refused it
  }
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
  const auto place = [&](std::int64_t i) { return is_gather ? listed(item.layout, i) : i; };
  Ranked best;
  for (std::int64_t i = 0; i < request.length; ++i) {
    const std::int64_t global = item.placement.indices[i];
    const Ranked here{stored_key(item, data + place(i) * format.bytes, format, toward),
                      item.format.takes_last ? global : ~global};
    best = beats(here, best) ? here : best;
  }
  return item.format.takes_last ? best.order : ~best.order;
}

// The global index of a location, -1 being that of no element. The location has its index in the
// row-major box, whatever a mask takes, or in the list.
[[nodiscard]] inline std::int64_t global_index(const Item& item, std::int64_t index,
                                               Toward toward) {
  const Placement& placement = item.placement;
  if (index < 0) {
    return index;
  }
  if (placement.kind == Placement::Kind::list) {
    return placement.is_ascending ? placement.indices[index] : best_in_list(item, toward);
  }
  if (placement.kind != Placement::Kind::box) {
    throw Error(Code::invalid_argument,
                "The location " + item.text() +
                    " is an index in the whole: say by part(view, {extents of the whole}, "
                    "{offsets}) or scattered(view, indices, total) where this rank's elements lie "
                    "in it.");
  }
  return placement.global_index(index);
}

}  // namespace isofold::team::detail
