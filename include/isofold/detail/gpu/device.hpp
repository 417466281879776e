// ISOFOLD_DEVICE marks a function that runs on the device only, ISOFOLD_DEVICE_APART one that had
// better be called there than inlined, on devices whose calls are cheap. With ISOFOLD_HOST_DEVICE
// they are the only macros of device code; a plain C++ compiler (the simulator) sees none.
#pragma once

#include <isofold/detail/core/host_device.hpp>

#if defined(__CUDACC__)
#define ISOFOLD_DEVICE __device__
#define ISOFOLD_DEVICE_APART __device__ __noinline__
#elif defined(__HIPCC__)
// A kernel is compiled in one piece: AMD's compiler takes the longer functions for too long to
// inline, and a call keeps the lanes of a chunk in scratch memory.
#define ISOFOLD_DEVICE __device__ __attribute__((always_inline))
#define ISOFOLD_DEVICE_APART ISOFOLD_DEVICE
#else
#define ISOFOLD_DEVICE
#define ISOFOLD_DEVICE_APART
#endif

namespace isofold::gpu {

// This tells whether a compiler for GPUs compiles this code.
#if defined(__CUDACC__) || defined(__HIPCC__)
inline constexpr bool is_for_gpus = true;
#else
inline constexpr bool is_for_gpus = false;
#endif

}  // namespace isofold::gpu
