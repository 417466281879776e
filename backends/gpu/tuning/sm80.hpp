// Compute capability 8.x (A100 and its neighbours). Nobody measured it: it has the default of
// default.hpp, which has the values of sm90.hpp except for those that come from the sizes of the
// device's caches and shared memory, in which 8.0, 8.6 and 8.9 differ most. Constants that are the
// same on all devices, such as the block of columns, have their value in tuning.hpp.
#pragma once

#include <backends/gpu/tuning/default.hpp>

namespace isofold::gpu {

inline Tuning sm80_tuning(const DeviceFacts& facts) { return default_tuning(facts); }

}  // namespace isofold::gpu
