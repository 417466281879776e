// The HIP backend: backends/gpu on the platform of isofold/detail/gpu/hip.hpp.
#include <isofold/detail/gpu/hip.hpp>  // first: it brings __host__ and __device__

#include <backends/gpu/host/backend.hpp>

#ifdef ISOFOLD_EXTERN_KERNELS
#define ISOFOLD_VENDOR isofold::hip::Platform
#include <backends/gpu/host/extern_kernels.hpp>
#endif

namespace {
isofold::gpu::Backend<isofold::hip::Platform> backend;
}  // namespace

ISOFOLD_EXPORT_BACKEND(hip, backend)
