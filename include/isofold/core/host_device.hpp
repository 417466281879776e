// ISOFOLD_HOST_DEVICE marks a function that a device compiler also compiles for the device.
// It is empty for plain C++ compilers; with ISOFOLD_DEVICE (backends/gpu) it is the only macro
// that device code needs.
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#define ISOFOLD_HOST_DEVICE __host__ __device__
#else
#define ISOFOLD_HOST_DEVICE
#endif
