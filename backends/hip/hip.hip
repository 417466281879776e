// The HIP backend: backends/gpu on the platform of isofold/gpu/hip.hpp.
#include <isofold/gpu/hip.hpp>  // first: it brings __host__ and __device__

#include <backends/gpu/backend.hpp>

#ifdef ISOFOLD_KERNELS_APART
#define ISOFOLD_VENDOR isofold::hip::Platform
#include <backends/gpu/kernels_apart.hpp>
#endif

namespace {
isofold::gpu::Backend<isofold::hip::Platform> backend;
}  // namespace

ISOFOLD_EXPORT_BACKEND(hip, backend)
