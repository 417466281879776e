// ISOFOLD_HOST_DEVICE marks a function that a device compiler also compiles for the device. It is
// empty for plain C++ compilers; with ISOFOLD_DEVICE (detail/gpu) it marks all device code.
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#define ISOFOLD_HOST_DEVICE __host__ __device__
#else
#define ISOFOLD_HOST_DEVICE
#endif

// Stands before a function template of both sides that calls functions which a caller's struct may
// have on one side alone: nvcc then complains about the call from the wrong side, and not here.
#if defined(__CUDACC__) && !defined(__clang__)
#define ISOFOLD_OF_EITHER_SIDE _Pragma("nv_exec_check_disable")
#else
#define ISOFOLD_OF_EITHER_SIDE
#endif

// Stands before a loop over digits (core/exact): AMD's compiler unrolls up to 2700 instructions of
// a loop over an array, to keep that in registers (docs/decisions/059).
#if defined(__AMDGCN__)
#define ISOFOLD_NOT_UNROLLED _Pragma("unroll 1")
#else
#define ISOFOLD_NOT_UNROLLED
#endif
