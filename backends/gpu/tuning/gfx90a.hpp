// AMD's gfx90a (MI200). Not measured: the default, but for what the architecture tells.
// docs/decisions/044
#pragma once

#include <backends/gpu/tuning/default.hpp>

namespace isofold::gpu {

inline Tuning gfx90a_tuning(const DeviceFacts& facts) {
  Tuning tuning = default_tuning(facts);
  tuning.fused.l1_bytes = 0;  // 16 KiB, which the chunks of one block exceed
  return tuning;
}

}  // namespace isofold::gpu
