// The 32 threads of a warp add up through registers.
#pragma once

namespace bench::ladder {

// The first thread holds the sum; all 32 threads of the warp must be here.
__device__ inline float warp_sum(float sum) {
#pragma unroll
  for (int half = 16; half > 0; half /= 2) {
    sum += __shfl_down_sync(0xffffffffU, sum, half);
  }
  return sum;
}

}  // namespace bench::ladder
