// Lists of indices of either type.
#pragma once

#include <cstdint>

#include <isofold/isofold.h>

namespace isofold {

// Calls visit(list, as the type it has).
template <class Visit>
auto with_indices(const isofold_layout& layout, const void* list, Visit&& visit) {
  return layout.index_type == ISOFOLD_TYPE_i32 ? visit(static_cast<const std::int32_t*>(list))
                                               : visit(static_cast<const std::int64_t*>(list));
}

inline std::int64_t index_at(const isofold_layout& layout, const void* list, std::int64_t i) {
  return with_indices(layout, list,
                      [i](const auto* all) { return static_cast<std::int64_t>(all[i]); });
}

}  // namespace isofold
