// The constants for a device, by its class, and a device as plans see it: with them.
#pragma once

#include <backends/gpu/tuning/default.hpp>
#include <backends/gpu/tuning/gfx10.hpp>
#include <backends/gpu/tuning/gfx90a.hpp>
#include <backends/gpu/tuning/gfx942.hpp>
#include <backends/gpu/tuning/sm80.hpp>
#include <backends/gpu/tuning/sm90.hpp>

namespace isofold::gpu {

inline Tuning tuning_of(const DeviceFacts& facts) {
  switch (facts.architecture) {
    case Architecture::sm80: return sm80_tuning(facts);
    case Architecture::sm90: return sm90_tuning;
    case Architecture::gfx90a: return gfx90a_tuning(facts);
    case Architecture::gfx942: return gfx942_tuning(facts);
    case Architecture::gfx10: return gfx10_tuning(facts);
    case Architecture::other: break;
  }
  return default_tuning(facts);
}

// A Session keeps the constants of its device.
struct TunedDevice : DeviceFacts {
  const Tuning* tuning = &sm90_tuning;
};

}  // namespace isofold::gpu
