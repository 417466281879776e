// The CUDA backend's kernels over integers.
#include <backends/cuda/native_folds.hpp>
#include <backends/gpu/host/typed_dispatch.hpp>

ISOFOLD_KERNELS_OF(isofold::cuda::Platform, std::int32_t)
ISOFOLD_KERNELS_OF(isofold::cuda::Platform, std::int64_t)
ISOFOLD_KERNELS_OF(isofold::cuda::Platform, std::uint32_t)
ISOFOLD_KERNELS_OF(isofold::cuda::Platform, std::uint64_t)
