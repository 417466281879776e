// CUB's sum with the same bits on every GPU (for one version of CCCL), as its users call it; it
// takes and returns its workspace in the order of the stream. CCCL has it from version 3.1 on, for
// counts of 32 bits.
#include <cub/device/device_reduce.cuh>

#include "../timing.hpp"

#if CCCL_VERSION >= 3001000
#include <cuda/__execution/determinism.h>
#include <cuda/__execution/require.h>
#include <cuda/std/__execution/env.h>
#include <cuda/stream_ref>
#endif

namespace bench {

#if CCCL_VERSION >= 3001000

bool cub_gpu_to_gpu_sum(bool f64, const void* data, void* result, std::int64_t n,
                        cudaStream_t stream) {
  if (n > INT32_MAX) {
    return false;
  }
  const int count = static_cast<int>(n);
  const auto asked = cuda::std::execution::env{
      cuda::stream_ref{stream}, cuda::execution::require(cuda::execution::determinism::gpu_to_gpu)};
  if (f64) {
    BENCH_CHECK(cub::DeviceReduce::Sum(static_cast<const double*>(data),
                                       static_cast<double*>(result), count, asked));
  } else {
    BENCH_CHECK(cub::DeviceReduce::Sum(static_cast<const float*>(data), static_cast<float*>(result),
                                       count, asked));
  }
  return true;
}

#else

bool cub_gpu_to_gpu_sum(bool, const void*, void*, std::int64_t, cudaStream_t) { return false; }

#endif

}  // namespace bench
