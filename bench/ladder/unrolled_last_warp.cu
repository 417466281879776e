// The last 32 sums belong to one warp, which need not wait for the others: six steps without the
// block's barrier. Older texts leave out __syncwarp; since Volta it is needed.
#include "passes.hpp"

namespace bench::ladder {
namespace {

// sums[0] becomes the sum of sums[0, 64); called by the 32 threads of the first warp.
__device__ void last_warp(float* sums, int t) {
  float sum = sums[t];
#pragma unroll
  for (int half = 32; half > 0; half /= 2) {
    // Read what lies further on, wait until all have read, write, wait until all have written.
    sum += sums[t + half];
    __syncwarp();
    sums[t] = sum;
    __syncwarp();
  }
}

__global__ void pass(const float* x, std::int64_t n, float* partial) {
  __shared__ float sums[threads];
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * 2 * threads + t;
  // Two elements a thread, the first addition in a register.
  const float first = i < n ? x[i] : 0.0f;
  const float second = i + threads < n ? x[i + threads] : 0.0f;
  sums[t] = first + second;
  __syncthreads();
  // Steps of the whole block, until 64 sums are left.
  for (int half = threads / 2; half > 32; half /= 2) {
    if (t < half) {
      sums[t] += sums[t + half];
    }
    __syncthreads();
  }
  // The rest by one warp.
  if (t < 32) {
    last_warp(sums, t);
  }
  if (t == 0) {
    partial[blockIdx.x] = sums[0];
  }
}

}  // namespace
extern const Rung unrolled_last_warp;
const Rung unrolled_last_warp{"unrolled last warp",
                              "the last six steps without the block's barrier",
                              [](const Work& work) { pass_by_pass(pass, 2 * threads, work); }};
}  // namespace bench::ladder
