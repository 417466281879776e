// AMD's gfx94x and gfx95x (MI300, MI350). Not measured: the default, but for what the architecture
// tells. docs/decisions/044
#pragma once

#include <backends/gpu/tuning/default.hpp>

namespace isofold::gpu {

// An L2 serves one die, not the device.
inline constexpr int gfx942_die_multiprocessors = 38;
inline constexpr std::size_t gfx942_die_l2_bytes = 4 << 20;

inline Tuning gfx942_tuning(const DeviceFacts& facts) {
  DeviceFacts die = facts;
  die.multiprocessors = std::min(facts.multiprocessors, gfx942_die_multiprocessors);
  die.l2_bytes = gfx942_die_l2_bytes;
  Tuning tuning = default_tuning(die);
  tuning.fused.l1_bytes = 0;  // 32 KiB, which the chunks of one block exceed
  return tuning;
}

}  // namespace isofold::gpu
