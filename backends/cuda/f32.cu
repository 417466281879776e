// The CUDA backend's kernels over floats.
#include <backends/cuda/native_folds.hpp>
#include <backends/gpu/reductions.hpp>

ISOFOLD_KERNELS_OF(isofold::cuda::Platform, float)
