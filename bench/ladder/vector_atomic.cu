// Four elements a load and four elements an atomic addition: a quarter of the queue.
#include "rung.hpp"

namespace bench::ladder {
namespace {

__global__ void add_four(const float* x, std::int64_t n, float* sum) {
  // Which four elements are mine?
  const std::int64_t i = 4 * (static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x);
  if (i + 4 <= n) {
    // One load of 16 bytes, three additions in registers, one atomic addition.
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    atomicAdd(sum, (v.x + v.y) + (v.z + v.w));
  } else {
    // The last one to three elements of an array that is no multiple of four.
    for (std::int64_t j = i; j < n; ++j) {
      atomicAdd(sum, x[j]);
    }
  }
}

void enqueue(const Work& work) {
  cudaMemsetAsync(work.results, 0, sizeof(float), work.stream);
  add_four<<<whole_blocks(work.length, 4 * threads), threads, 0, work.stream>>>(
      static_cast<const float*>(work.data), work.length, static_cast<float*>(work.results));
}

}  // namespace
extern const Rung vector_atomic;
const Rung vector_atomic{"vector loads", "four elements a load and an atomic addition", enqueue};
}  // namespace bench::ladder
