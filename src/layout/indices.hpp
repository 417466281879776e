// Lists of indices of each type.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>

#include <isofold/isofold.h>

namespace isofold {

// The bytes of an index; 0 for a type that no list has.
inline std::int64_t index_bytes(std::int32_t type) {
  switch (type) {
#define ISOFOLD_BYTES(name, c_type) \
  case ISOFOLD_TYPE_##name: return sizeof(c_type);
    ISOFOLD_INDEX_TYPES(ISOFOLD_BYTES)
#undef ISOFOLD_BYTES
    default: return 0;
  }
}

// Calls visit(list, as the type it has). Unsigned indices of 64 bits are read as signed ones: one
// from 2^63 on is refused as it would be if it were negative.
template <class Visit>
auto with_indices(const isofold_layout& layout, const void* list, Visit&& visit) {
  switch (layout.index_type) {
#define ISOFOLD_VISIT(name, c_type) \
  case ISOFOLD_TYPE_##name: return visit(static_cast<const c_type*>(list));
    ISOFOLD_INDEX_TYPES(ISOFOLD_VISIT)
#undef ISOFOLD_VISIT
    default: return visit(static_cast<const std::int64_t*>(nullptr));  // validated: there is none
  }
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
