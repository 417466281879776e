// Numbers of folds and element types that this library does not have; newer headers may.
#pragma once

#include <cstdint>

#include <isofold/isofold.h>

namespace isofold {

struct UnknownNumber {
  const char* what = nullptr;  // null: both are known
  std::int32_t number = 0;
};

inline UnknownNumber unknown_number(std::int32_t fold, std::int32_t type) noexcept {
  if (*isofold_fold_name(fold) == '\0') {
    return {"Fold", fold};
  }
  if (*isofold_type_name(type) == '\0') {
    return {"Type", type};
  }
  return {};
}

#define ISOFOLD_UNKNOWN_NUMBER \
  "%s %d is unknown; isofold/lists.h has the numbers of this library's, with their names."

}  // namespace isofold
