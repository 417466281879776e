// The HIP backend's kernels over doubles.
#include <isofold/gpu/hip.hpp>  // first: it brings __host__ and __device__

#include <backends/gpu/reductions.hpp>

ISOFOLD_KERNELS_OF(isofold::hip::Platform, double)
