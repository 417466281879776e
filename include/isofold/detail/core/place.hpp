// The kind of memory and the device of a pointer, as far as a backend knows them.
#pragma once

#include <cstdint>

#include <isofold/isofold.h>

namespace isofold {

struct Place {
  isofold_memory memory = ISOFOLD_MEMORY_host;
  std::int32_t device = -1;
};

}  // namespace isofold
