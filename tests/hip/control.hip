// Kernels with the faults that device_code.py looks for, one each; built with contraction, flushing
// and unsafe atomics switched on. A check that does not report them all checks nothing.
#include <hip/hip_runtime.h>

__global__ void fused_sum(float* sums, const float* x, const float* y, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    sum += x[i] * y[i];
  }
  sums[threadIdx.x] = sum;
}

__global__ void atomic_sum(float* sum, const float* x) { atomicAdd(sum, x[threadIdx.x]); }

__global__ void scratch_memory(float* result, const int* order) {
  float states[64];
  for (int i = 0; i < 64; ++i) {
    states[order[i] & 63] = result[i];
  }
  result[threadIdx.x] = states[order[threadIdx.x] & 63];
}

struct WideLanes {};
template <class Lanes>
__global__ void narrow_loads(float* sums, const float* x) {
  float sum = 0;
  for (int i = 0; i < 1024; i += 64) {
    sum += x[i + threadIdx.x];
  }
  sums[threadIdx.x] = sum;
}
template __global__ void narrow_loads<WideLanes>(float*, const float*);

__global__ void estimated_root(double* x) { x[threadIdx.x] = __builtin_sqrt(x[threadIdx.x]); }

__global__ void flat_load(float* result, const int* from_shared) {
  __shared__ float states[64];
  states[threadIdx.x] = result[threadIdx.x];
  const float* source = *from_shared != 0 ? states : result + 64;
  result[threadIdx.x] = source[63 - threadIdx.x];
}

__global__ void bytes_of_a_copy(int* result) {
  __shared__ unsigned char memory[256];
  memory[threadIdx.x] = static_cast<unsigned char>(result[threadIdx.x]);
  __syncthreads();
  result[threadIdx.x] = memory[255 - threadIdx.x];
}

// Named as a kernel of exact_v1, whose loop over elements must not reach scratch memory.
template <class Fold>
struct SumExactly {};
template <class Kernel>
__global__ void digits_in_a_loop(double* sums, const double* x, const int* order, int n) {
  double level[64];
  for (int i = 0; i < 64; ++i) {
    level[i] = sums[i];
  }
  for (int i = 0; i < n; i += 64) {
    level[order[i] & 63] += x[i + threadIdx.x];
  }
  sums[threadIdx.x] = level[order[threadIdx.x] & 63];
}
template __global__ void digits_in_a_loop<SumExactly<double>>(double*, const double*, const int*,
                                                              int);

__global__ void function_call(float* result, float (*function)(float)) {
  result[threadIdx.x] = function(result[threadIdx.x]);
}
