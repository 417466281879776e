// CUB's DeviceReduce::Sum, as its users call it: default policy, workspace taken beforehand.
#include <cub/device/device_reduce.cuh>

#include "../timing.hpp"

namespace bench {
namespace {

template <class T>
void sum(void* workspace, std::size_t& bytes, const void* data, void* result, std::int64_t n,
         cudaStream_t stream) {
  BENCH_CHECK(cub::DeviceReduce::Sum(workspace, bytes, static_cast<const T*>(data),
                                     static_cast<T*>(result), n, stream));
}

}  // namespace

CubSum::CubSum(bool f64, std::int64_t n) : f64_(f64), n_(n) {
  enqueue(nullptr, nullptr, nullptr);  // with a null workspace it only says how much it needs
  BENCH_CHECK(cudaMalloc(&workspace_, bytes_));
}
CubSum::~CubSum() { cudaFree(workspace_); }

void CubSum::enqueue(const void* data, void* result, cudaStream_t stream) {
  f64_ ? sum<double>(workspace_, bytes_, data, result, n_, stream)
       : sum<float>(workspace_, bytes_, data, result, n_, stream);
}

}  // namespace bench
