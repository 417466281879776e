// As many threads as the GPU holds loop over the whole array (a grid-stride loop); warps add
// through registers (shuffles) instead of shared memory; one atomic addition a block makes it one
// launch.
#include "rung.hpp"
#include "warp_sum.hpp"

namespace bench::ladder {
namespace {

__global__ void stride_over(const float* x, std::int64_t n, float* sum) {
  __shared__ float of_warp[threads / 32];
  const int t = static_cast<int>(threadIdx.x);
  // Each thread adds up every so-many-th element in a register.
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * threads;
  float mine = 0.0f;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + t; i < n; i += stride) {
    mine += x[i];
  }
  // Each warp adds up its 32 threads; its first thread writes the sum down.
  mine = warp_sum(mine);
  if (t % 32 == 0) {
    of_warp[t / 32] = mine;
  }
  __syncthreads();
  // The first warp adds up the warps.
  if (t < 32) {
    mine = warp_sum(t < threads / 32 ? of_warp[t] : 0.0f);
    // One atomic addition a block.
    if (t == 0) {
      atomicAdd(sum, mine);
    }
  }
}

void enqueue(const Work& work) {
  cudaMemsetAsync(work.results, 0, sizeof(float), work.stream);
  stride_over<<<filling_blocks(work.length), threads, 0, work.stream>>>(
      static_cast<const float*>(work.data), work.length, static_cast<float*>(work.results));
}

}  // namespace
extern const Rung warp_shuffle;
const Rung warp_shuffle{"warp shuffles", "grid-stride loop, shuffles, one atomic addition a block",
                        enqueue};
}  // namespace bench::ladder
