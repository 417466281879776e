// The backend simt64: backends/gpu on emulated GPUs of wave width 64. Test support, never
// installed.
#include <backends/gpu/host/backend.hpp>

#include "platform.hpp"

namespace {
isofold::gpu::Backend<isofold::simt::Platform<64>> backend;
}  // namespace

ISOFOLD_EXPORT_BACKEND(simt64, backend)
