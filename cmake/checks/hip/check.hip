// The least that the HIP backend needs: a kernel with an atomic at device scope, and a launch.
#include <hip/hip_runtime.h>

__global__ void count(unsigned* counter) {
  __hip_atomic_fetch_add(counter, 1U, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
}

hipError_t launch(unsigned* counter) {
  count<<<1, 64>>>(counter);
  return hipGetLastError();
}
