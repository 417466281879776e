// The HIP backend's kernels over integers.
#include <isofold/detail/gpu/hip.hpp>  // first: it brings __host__ and __device__

#include <backends/gpu/host/typed_dispatch.hpp>

ISOFOLD_KERNELS_OF(isofold::hip::Platform, std::int32_t)
ISOFOLD_KERNELS_OF(isofold::hip::Platform, std::int64_t)
ISOFOLD_KERNELS_OF(isofold::hip::Platform, std::uint32_t)
ISOFOLD_KERNELS_OF(isofold::hip::Platform, std::uint64_t)
