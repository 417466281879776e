// C++20's functions of <bit>, for both sides.
#pragma once

#include <cstdint>

#include <isofold/detail/core/host_device.hpp>

namespace isofold::core {

ISOFOLD_HOST_DEVICE inline int popcount(std::uint32_t x) { return __builtin_popcount(x); }
ISOFOLD_HOST_DEVICE inline int popcount(std::uint64_t x) { return __builtin_popcountll(x); }

// Zeros below the lowest bit that is set. x is not 0. (nvcc's device code has no __builtin_ctz.)
ISOFOLD_HOST_DEVICE inline int countr_zero(std::uint32_t x) { return popcount((x & (0 - x)) - 1); }
ISOFOLD_HOST_DEVICE inline int countr_zero(std::uint64_t x) { return popcount((x & (0 - x)) - 1); }

// Bits up to the highest one that is set. x is not 0.
ISOFOLD_HOST_DEVICE inline int bit_width(std::uint32_t x) { return 32 - __builtin_clz(x); }
ISOFOLD_HOST_DEVICE inline int bit_width(std::uint64_t x) { return 64 - __builtin_clzll(x); }

}  // namespace isofold::core
