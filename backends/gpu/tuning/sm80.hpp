// Compute capability 8.x. Not measured: the default, whose sizes of caches and of shared memory
// come from the device, for 8.0, 8.6 and 8.9 differ most in these.
#pragma once

#include <backends/gpu/tuning/default.hpp>

namespace isofold::gpu {

inline Tuning sm80_tuning(const DeviceFacts& facts) { return default_tuning(facts); }

}  // namespace isofold::gpu
