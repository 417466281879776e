// A kernel of the consumer's own fills an array; isofold sums it on the same stream, and what a
// device lambda makes of it. Without an AMD GPU it says why, and that is all right: it has been
// compiled and linked.
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <isofold/detail/core/folds/sum.hpp>
#include <isofold/device_reducer.hpp>
#include <isofold/isofold.hpp>
#include <isofold/transform_reduce.hpp>

#define HIP_OK(call)                                                  \
  if (const hipError_t error = (call); error != hipSuccess) {         \
    std::printf("FAILED: " #call ": %s\n", hipGetErrorString(error)); \
    return 1;                                                         \
  }

__global__ void fill(float* x, std::int64_t count) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    x[i] = 1.0F / static_cast<float>(i + 1);
  }
}

int main() {
  if (!isofold::is_available("hip")) {
    std::printf("hip is not available: %s\n", isofold::describe("hip").c_str());
    return 0;
  }
  constexpr std::int64_t count = 3000001;
  hipStream_t stream = nullptr;
  float* x = nullptr;
  float* sum = nullptr;
  HIP_OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  HIP_OK(hipMalloc(&x, count * sizeof(float)));
  HIP_OK(hipMalloc(&sum, sizeof(float)));
  fill<<<(count + 255) / 256, 256, 0, stream>>>(x, count);
  HIP_OK(hipGetLastError());
  isofold::Reducer on_gpu("hip", isofold::Options{}.stream(stream));
  on_gpu.sum(isofold::array(x, count), sum);
  on_gpu.synchronize();

  std::vector<float> copy(count);
  float there = 0;
  HIP_OK(hipMemcpy(copy.data(), x, count * sizeof(float), hipMemcpyDeviceToHost));
  HIP_OK(hipMemcpy(&there, sum, sizeof there, hipMemcpyDeviceToHost));
  isofold::Reducer reference("reference");
  const float here = reference.sum(isofold::array(copy.data(), count));
  std::printf("hip %.9g, reference %.9g\n", there, here);

  const isofold::core::Sum<double> total;
  isofold::DeviceReducer door(stream);
  const float* const values = x;
  const double squares_there = door.transform_reduce(
      count, [=] __device__(std::int64_t i) { return 0.5 * values[i] * values[i]; }, total);
  const double squares_here = isofold::transform_reduce(
      count, [&](std::int64_t i) { return 0.5 * copy[i] * copy[i]; }, total);
  std::printf("hip %.17g, host %.17g\n", squares_there, squares_here);
  return std::memcmp(&here, &there, sizeof here) == 0 &&
                 std::memcmp(&squares_here, &squares_there, sizeof squares_here) == 0
             ? 0
             : 1;
}
