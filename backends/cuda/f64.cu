// The CUDA backend's kernels over doubles.
#include <backends/cuda/native_folds.hpp>
#include <backends/gpu/host/typed_dispatch.hpp>

ISOFOLD_KERNELS_OF(isofold::cuda::Platform, double)
