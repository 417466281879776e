// The CUDA backend's kernels over floats.
#include <backends/cuda/native_folds.hpp>
#include <backends/gpu/host/typed_dispatch.hpp>

ISOFOLD_KERNELS_OF(isofold::cuda::Platform, float)
