// Half of the threads only brought an element and never added. Each brings two now, and adds them
// on the way: half as many blocks for the same array.
#include "passes.hpp"

namespace bench::ladder {
namespace {

__global__ void pass(const float* x, std::int64_t n, float* partial) {
  __shared__ float sums[threads];
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * 2 * threads + t;
  // Two elements a thread, the first addition in a register.
  const float first = i < n ? x[i] : 0.0f;
  const float second = i + threads < n ? x[i + threads] : 0.0f;
  sums[t] = first + second;
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
extern const Rung add_on_load;
const Rung add_on_load{"first add on load", "two elements a thread, added as they arrive",
                       [](const Work& work) { pass_by_pass(pass, 2 * threads, work); }};
}  // namespace bench::ladder
