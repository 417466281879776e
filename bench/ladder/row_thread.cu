// One thread a row: no thread needs another. Neighbouring threads read addresses a whole row apart,
// so every load of a warp touches 32 lines of memory and uses four bytes of each.
#include "rung.hpp"

namespace bench::ladder {
namespace {

__global__ void sum_rows(const float* x, std::int64_t rows, std::int64_t length, float* sums) {
  // Which row is mine?
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (row < rows) {
    // Add it up from left to right.
    float sum = 0.0f;
    for (std::int64_t i = 0; i < length; ++i) {
      sum += x[row * length + i];
    }
    sums[row] = sum;
  }
}

void enqueue(const Work& work) {
  sum_rows<<<whole_blocks(work.rows, threads), threads, 0, work.stream>>>(
      static_cast<const float*>(work.data), work.rows, work.length,
      static_cast<float*>(work.results));
}

}  // namespace
extern const Rung row_thread;
const Rung row_thread{"rows: a thread a row", "no cooperation at all", enqueue};
}  // namespace bench::ladder
