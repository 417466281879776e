// The first program of many courses: a sum of integers by a grid-stride loop, a tree in shared
// memory and one atomic addition a block. Any order gives the same integer.
#include "rung.hpp"

namespace bench::ladder {
namespace {

__global__ void add_integers(const int* x, std::int64_t n, int* sum) {
  __shared__ int sums[threads];
  const int t = static_cast<int>(threadIdx.x);
  // Each thread adds up every so-many-th element in a register.
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * threads;
  int mine = 0;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + t; i < n; i += stride) {
    mine += x[i];
  }
  sums[t] = mine;
  __syncthreads();
  // A tree over the block.
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half) {
      sums[t] += sums[t + half];
    }
    __syncthreads();
  }
  // One atomic addition a block.
  if (t == 0) {
    atomicAdd(sum, sums[0]);
  }
}

void enqueue(const Work& work) {
  cudaMemsetAsync(work.results, 0, sizeof(int), work.stream);
  add_integers<<<filling_blocks(work.length), threads, 0, work.stream>>>(
      static_cast<const int*>(work.data), work.length, static_cast<int*>(work.results));
}

}  // namespace
extern const Rung integer_sum;
const Rung integer_sum{"integer sum",
                       "grid-stride loop, shared memory, one atomic addition a block", enqueue};
}  // namespace bench::ladder
