// The backend simt32: backends/gpu on emulated GPUs of wave width 32. Test support, never
// installed.
#include <backends/gpu/host/backend.hpp>

#include "platform.hpp"

namespace {
isofold::gpu::Backend<isofold::simt::Platform<32>> backend;
}  // namespace

ISOFOLD_EXPORT_BACKEND(simt32, backend)
