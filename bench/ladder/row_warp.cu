// One warp a row: shuffles instead of shared memory, and no barrier at all.
#include "rung.hpp"
#include "warp_sum.hpp"

namespace bench::ladder {
namespace {

__global__ void sum_rows(const float* x, std::int64_t rows, std::int64_t length, float* sums) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  // Which row is my warp's? All of its threads stay or leave together.
  const std::int64_t row = (static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x) / 32;
  if (row >= rows) {
    return;
  }
  // Each thread adds up every 32nd element of the row.
  float mine = 0.0f;
  for (std::int64_t i = lane; i < length; i += 32) {
    mine += x[row * length + i];
  }
  // The warp adds up its threads.
  mine = warp_sum(mine);
  if (lane == 0) {
    sums[row] = mine;
  }
}

void enqueue(const Work& work) {
  sum_rows<<<whole_blocks(work.rows, threads / 32), threads, 0, work.stream>>>(
      static_cast<const float*>(work.data), work.rows, work.length,
      static_cast<float*>(work.results));
}

}  // namespace
extern const Rung row_warp;
const Rung row_warp{"rows: a warp a row", "shuffles, no shared memory, no barrier", enqueue};
}  // namespace bench::ladder
