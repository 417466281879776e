// The CUDA backend: backends/gpu on the platform of isofold/detail/gpu/cuda.hpp.
#include <backends/cuda/native_folds.hpp>
#include <backends/gpu/host/backend.hpp>

#ifdef ISOFOLD_EXTERN_KERNELS
#define ISOFOLD_VENDOR isofold::cuda::Platform
#include <backends/gpu/host/extern_kernels.hpp>
#endif

namespace {
isofold::gpu::Backend<isofold::cuda::Platform> backend;
}  // namespace

ISOFOLD_EXPORT_BACKEND(cuda, backend)
