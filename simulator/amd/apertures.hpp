// The upper halves of addresses by which flat instructions reach LDS and scratch memory: no host
// address has them.
#pragma once

#include <simulator/amd/types.hpp>

namespace isofold::amd {

inline constexpr u32 local_aperture = 0x20000000u;
inline constexpr u32 private_aperture = 0x10000000u;

}  // namespace isofold::amd
