// Consecutive threads make the additions of the rung before: whole warps work or rest. Their
// addresses lie 2, 4, 8, ... apart now, so that several threads of a warp ask the same bank of
// shared memory. That costs more than the divergence did (docs/decisions/047). The next rung
// repairs it.
#include "passes.hpp"

namespace bench::ladder {
namespace {

__global__ void pass(const float* x, std::int64_t n, float* partial) {
  __shared__ float sums[threads];
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + t;
  // Each thread brings one element into shared memory.
  sums[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int stride = 1; stride < threads; stride *= 2) {
    // The first threads work; thread t takes the t-th pair.
    const int left = 2 * stride * t;
    if (left < threads) {
      sums[left] += sums[left + stride];
    }
    __syncthreads();
  }
  // The first thread holds the block's sum.
  if (t == 0) {
    partial[blockIdx.x] = sums[0];
  }
}

}  // namespace
extern const Rung non_divergent_tree;
const Rung non_divergent_tree{"non-divergent tree", "consecutive threads work, whole warps rest",
                              [](const Work& work) { pass_by_pass(pass, threads, work); }};
}  // namespace bench::ladder
