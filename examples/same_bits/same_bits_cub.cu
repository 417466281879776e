// The bits of the same sum by CUB's DeviceReduce: a line of README's table.
#include <cub/device/device_reduce.cuh>

#include <cstddef>
#include <vector>

#include "data.hpp"

namespace {

bool sum_by_cub(const std::vector<float>& x, float* sum) {
  float* data = nullptr;
  float* result = nullptr;
  void* workspace = nullptr;
  std::size_t bytes = 0;
  const bool is_ok =
      cudaMalloc(&data, x.size() * sizeof(float)) == cudaSuccess &&
      cudaMalloc(&result, sizeof(float)) == cudaSuccess &&
      cudaMemcpy(data, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess &&
      cub::DeviceReduce::Sum(nullptr, bytes, data, result, x.size()) == cudaSuccess &&
      cudaMalloc(&workspace, bytes) == cudaSuccess &&
      cub::DeviceReduce::Sum(workspace, bytes, data, result, x.size()) == cudaSuccess &&
      cudaMemcpy(sum, result, sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess;
  cudaFree(workspace);
  cudaFree(result);
  cudaFree(data);
  return is_ok;
}

}  // namespace

int main() {
  cudaDeviceProp device{};
  float sum = 0;
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess ||
      !sum_by_cub(same_bits::elements(0, same_bits::count), &sum)) {
    return 0;  // no GPU, no line
  }
  same_bits::print("`cub::DeviceReduce`", device.name, sum);
}
