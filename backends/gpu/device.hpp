// ISOFOLD_DEVICE marks a function that runs on the device only. With ISOFOLD_HOST_DEVICE it is the
// only macro of device code; a plain C++ compiler (the CPU platform of the tests) sees neither.
#pragma once

#include <isofold/core/host_device.hpp>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define ISOFOLD_DEVICE __device__
#else
#define ISOFOLD_DEVICE
#endif
