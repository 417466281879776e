// Boxes as they lie in memory, for reductions that have no order.
#pragma once

#include <cstdlib>

#include <isofold/isofold.h>
#include <request/converted_elements.hpp>

namespace isofold {

// Writes a valid request that reduces the same elements to the same rows. A box without a mask has
// the dimensions that are reduced in another order: those of large strides first, and none that is
// walked backwards, if no second array is walked the other way.
inline void take_in_memory_order(const isofold_request& asked, isofold_request* request,
                                 isofold_layout* layout) {
  *request = asked;
  if (asked.shape != ISOFOLD_SHAPE_box || asked.layout == nullptr ||
      asked.layout->mask != nullptr) {
    return;
  }
  const isofold_layout& from = *asked.layout;
  *layout = from;
  request->layout = layout;
  const bool has_second = asked.second != nullptr;
  const auto is_kept = [&](int d) { return (from.kept >> d & 1U) != 0; };
  const auto comes_before = [&](int a, int b) {
    return is_kept(a) != is_kept(b)
               ? is_kept(a)
               : !is_kept(a) && std::abs(from.strides[a]) > std::abs(from.strides[b]);
  };
  int order[ISOFOLD_MOST_DIMENSIONS];
  for (int d = 0; d < from.dimensions; ++d) {  // each into its place among those before it
    int at = d;
    for (; at > 0 && comes_before(d, order[at - 1]); --at) {
      order[at] = order[at - 1];
    }
    order[at] = d;
  }
  layout->kept = 0;
  for (int d = 0; d < from.dimensions; ++d) {
    const int of = order[d];
    layout->kept |= is_kept(of) ? 1U << d : 0U;
    layout->extents[d] = from.extents[of];
    layout->strides[d] = from.strides[of];
    layout->second_strides[d] = from.second_strides[of];
    const bool is_backwards = from.strides[of] < 0 && (!has_second || from.second_strides[of] < 0);
    if (!is_kept(of) && is_backwards && from.extents[of] > 0) {
      const std::int64_t last = from.extents[of] - 1;
      const std::int64_t bytes = stored_bytes(asked);
      request->data = static_cast<const char*>(request->data) + last * from.strides[of] * bytes;
      layout->strides[d] = -from.strides[of];
      if (has_second) {
        request->second =
            static_cast<const char*>(request->second) + last * from.second_strides[of] * bytes;
        layout->second_strides[d] = -from.second_strides[of];
      }
    }
  }
}

}  // namespace isofold
