// The CUDA backend: backends/gpu on the platform of isofold/gpu/cuda.hpp.
#include <backends/cuda/native_folds.hpp>
#include <backends/gpu/backend.hpp>

namespace {
isofold::gpu::Backend<isofold::cuda::Platform> backend;
}  // namespace

ISOFOLD_EXPORT_BACKEND(cuda, backend)
