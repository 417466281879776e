// The upper half is added to the lower half: consecutive threads at consecutive addresses, so that
// no two threads of a warp ask the same bank.
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
  for (int half = threads / 2; half > 0; half /= 2) {
    // Thread t adds what lies half the width further on.
    if (t < half) {
      sums[t] += sums[t + half];
    }
    __syncthreads();
  }
  // The first thread holds the block's sum.
  if (t == 0) {
    partial[blockIdx.x] = sums[0];
  }
}

}  // namespace
extern const Rung sequential_tree;
const Rung sequential_tree{"sequential addressing", "upper half to lower half: no bank conflicts",
                           [](const Work& work) { pass_by_pass(pass, threads, work); }};
}  // namespace bench::ladder
