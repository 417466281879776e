// One thread an element, one atomic addition an element: right, and as slow as it gets, for every
// addition waits its turn at the same address.
#include "rung.hpp"

namespace bench::ladder {
namespace {

__global__ void add_each(const float* x, std::int64_t n, float* sum) {
  // Which element is mine?
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  // Add it to the one sum.
  if (i < n) {
    atomicAdd(sum, x[i]);
  }
}

void enqueue(const Work& work) {
  // The sum starts at zero.
  cudaMemsetAsync(work.results, 0, sizeof(float), work.stream);
  add_each<<<whole_blocks(work.length, threads), threads, 0, work.stream>>>(
      static_cast<const float*>(work.data), work.length, static_cast<float*>(work.results));
}

}  // namespace
extern const Rung naive_atomic;
const Rung naive_atomic{"naive atomic", "a thread and an atomic addition an element", enqueue};
}  // namespace bench::ladder
