// ISOFOLD_DEVICE marks a function that runs on the device only. With ISOFOLD_HOST_DEVICE it is the
// only macro of device code; a plain C++ compiler (the CPU platform of the tests) sees neither.
#pragma once

#include <isofold/core/host_device.hpp>

#if defined(__CUDACC__)
#define ISOFOLD_DEVICE __device__
#elif defined(__HIPCC__)
// A kernel in one piece: AMD's compiler takes the longer functions for too long to inline, and a
// call keeps the lanes of a chunk in scratch memory.
#define ISOFOLD_DEVICE __device__ __attribute__((always_inline))
#else
#define ISOFOLD_DEVICE
#endif

namespace isofold::gpu {

// Whether a compiler for GPUs makes this code.
#if defined(__CUDACC__) || defined(__HIPCC__)
inline constexpr bool is_for_gpus = true;
#else
inline constexpr bool is_for_gpus = false;
#endif

}  // namespace isofold::gpu
