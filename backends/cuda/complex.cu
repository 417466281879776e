// The CUDA backend's kernels over complex elements.
#include <backends/cuda/native_folds.hpp>
#include <backends/gpu/host/typed_dispatch.hpp>

ISOFOLD_KERNELS_OF(isofold::cuda::Platform, isofold_c64)
ISOFOLD_KERNELS_OF(isofold::cuda::Platform, isofold_c128)
