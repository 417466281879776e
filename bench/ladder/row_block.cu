// One block a row: neighbouring threads read neighbouring elements, then a tree in shared memory.
#include "rung.hpp"

namespace bench::ladder {
namespace {

__global__ void sum_rows(const float* x, std::int64_t length, float* row_sums) {
  __shared__ float sums[threads];
  const int t = static_cast<int>(threadIdx.x);
  // The block's row; each thread adds up every 256th element.
  const float* row = x + static_cast<std::int64_t>(blockIdx.x) * length;
  float mine = 0.0f;
  for (std::int64_t i = t; i < length; i += threads) {
    mine += row[i];
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
  if (t == 0) {
    row_sums[blockIdx.x] = sums[0];
  }
}

void enqueue(const Work& work) {
  sum_rows<<<static_cast<unsigned>(work.rows), threads, 0, work.stream>>>(
      static_cast<const float*>(work.data), work.length, static_cast<float*>(work.results));
}

}  // namespace
extern const Rung row_block;
const Rung row_block{"rows: a block a row", "neighbours read neighbours, a tree in shared memory",
                     enqueue};
}  // namespace bench::ladder
