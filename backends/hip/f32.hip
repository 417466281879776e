// The HIP backend's kernels over floats.
#include <isofold/detail/gpu/hip.hpp>  // first: it brings __host__ and __device__

#include <backends/gpu/host/typed_dispatch.hpp>

ISOFOLD_KERNELS_OF(isofold::hip::Platform, float)
