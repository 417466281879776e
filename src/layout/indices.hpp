// Lists of indices of each type.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>

#include <isofold/isofold.h>

namespace isofold {

// Calls visit(list, as the type it has). Unsigned indices are read as signed ones: none reaches
// 2^63 elements, and one that does is refused as it would be if it were negative.
template <class Visit>
auto with_indices(const isofold_layout& layout, const void* list, Visit&& visit) {
  return layout.index_type == ISOFOLD_TYPE_i32 ? visit(static_cast<const std::int32_t*>(list))
                                               : visit(static_cast<const std::int64_t*>(list));
}

inline std::int64_t index_at(const isofold_layout& layout, const void* list, std::int64_t i) {
  return with_indices(layout, list,
                      [i](const auto* all) { return static_cast<std::int64_t>(all[i]); });
}

// An index as the caller wrote it, for sentences: of unsigned ones from 2^63 on that is not what it
// is read as.
struct IndexText {
  char digits[24];

  IndexText(const isofold_layout& layout, std::int64_t index) {
    if (layout.index_type == ISOFOLD_TYPE_u64) {
      std::snprintf(digits, sizeof digits, "%" PRIu64, static_cast<std::uint64_t>(index));
    } else {
      std::snprintf(digits, sizeof digits, "%" PRId64, index);
    }
  }
};

}  // namespace isofold
