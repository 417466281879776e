// CUB's DeviceSegmentedReduce over rows whose bounds lie in device memory, as CSR has them.
#include <cub/device/device_segmented_reduce.cuh>

#include "../timing.hpp"

namespace bench {
namespace {

template <class T>
void sum(void* workspace, std::size_t& bytes, const void* data, void* result, std::int64_t rows,
         const std::int64_t* offsets, cudaStream_t stream) {
  BENCH_CHECK(cub::DeviceSegmentedReduce::Sum(workspace, bytes, static_cast<const T*>(data),
                                              static_cast<T*>(result), static_cast<int>(rows),
                                              offsets, offsets + 1, stream));
}

}  // namespace

CubRagged::CubRagged(bool f64, std::int64_t rows, const std::int64_t* offsets)
    : f64_(f64), rows_(rows), offsets_(offsets) {
  enqueue(nullptr, nullptr, nullptr);  // with a null workspace it only says how much it needs
  BENCH_CHECK(cudaMalloc(&workspace_, std::max<std::size_t>(bytes_, 1)));
}
CubRagged::~CubRagged() { cudaFree(workspace_); }

void CubRagged::enqueue(const void* data, void* result, cudaStream_t stream) {
  if (f64_) {
    sum<double>(workspace_, bytes_, data, result, rows_, offsets_, stream);
  } else {
    sum<float>(workspace_, bytes_, data, result, rows_, offsets_, stream);
  }
}

}  // namespace bench
