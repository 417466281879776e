// Names of folds and element types, also for modules, which do not link the library.
#pragma once

#include <cstdint>

#include <isofold/isofold.h>

namespace isofold {

#define ISOFOLD_NAME(name, number) \
  case number:                     \
    return #name;
#define ISOFOLD_TYPE_NAME(name, number, c_type) ISOFOLD_NAME(name, number)

inline const char* fold_name(std::int32_t fold) {
  switch (fold) {
    ISOFOLD_FOLDS(ISOFOLD_NAME)
    default: return "";
  }
}

inline const char* type_name(std::int32_t type) {
  switch (type) {
    ISOFOLD_TYPES(ISOFOLD_TYPE_NAME)
    case ISOFOLD_TYPE_boolean: return "bool";
    default: return "";
  }
}

#undef ISOFOLD_TYPE_NAME
#undef ISOFOLD_NAME

}  // namespace isofold
