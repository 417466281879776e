// The promise that a result keeps about its bits, for Options::guarantee. It is defined here and
// nowhere else.
#pragma once

#include <cstdint>

#include <isofold/isofold.h>

namespace isofold {

enum class Guarantee : std::int32_t {
  // The bits of tree v1: equal on every backend, thread count, grid and cut of the data.
  same_bits = ISOFOLD_GUARANTEE_same_bits,
  // Within the error bound of any order of combination (docs/guarantees.md); bits may vary.
  within_bound = ISOFOLD_GUARANTEE_within_bound
};

}  // namespace isofold
