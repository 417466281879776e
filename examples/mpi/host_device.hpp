// Functions that hosts and devices call: the formulas of both simulations.
#pragma once

#if defined(__CUDACC__)
#define ON_HOST_AND_DEVICE __host__ __device__
#else
#define ON_HOST_AND_DEVICE
#endif
