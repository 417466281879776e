// A tree in shared memory instead of a queue: neighbours are added, then neighbours of those. The
// threads that work lie ever further apart, so every warp runs all steps for ever fewer of them.
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
    // Every second thread adds its neighbour's sum, then every fourth, ...: warps diverge.
    if (t % (2 * stride) == 0) {
      sums[t] += sums[t + stride];
    }
    __syncthreads();
  }
  // The first thread holds the block's sum.
  if (t == 0) {
    partial[blockIdx.x] = sums[0];
  }
}

}  // namespace
extern const Rung interleaved_tree;
const Rung interleaved_tree{"interleaved tree", "a tree in shared memory, with divergent warps",
                            [](const Work& work) { pass_by_pass(pass, threads, work); }};
}  // namespace bench::ladder
