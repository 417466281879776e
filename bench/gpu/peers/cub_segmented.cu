// CUB's DeviceSegmentedReduce: a sum a row, the rows' ends given by iterators that compute them.
#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <isofold/isofold.h>

#include "../timing.hpp"

namespace bench {
namespace {

// The offset at which row number `row` begins, or ends.
struct Offset {
  std::int64_t stride;
  std::int64_t first;
  __host__ __device__ std::int64_t operator()(std::int64_t row) const {
    return row * stride + first;
  }
};

template <class T>
void sum(void* workspace, std::size_t& bytes, const void* data, void* result, std::int64_t rows,
         std::int64_t length, std::int64_t stride, cudaStream_t stream) {
  const auto offsets = [&](std::int64_t first) {
    return thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                           Offset{stride, first});
  };
  BENCH_CHECK(cub::DeviceSegmentedReduce::Sum(workspace, bytes, static_cast<const T*>(data),
                                              static_cast<T*>(result), static_cast<int>(rows),
                                              offsets(0), offsets(length), stream));
}

}  // namespace

CubSegments::CubSegments(bool f64, std::int64_t rows, std::int64_t length, std::int64_t stride)
    : f64_(f64), rows_(rows), length_(length), stride_(stride) {
  enqueue(nullptr, nullptr, nullptr);  // with a null workspace it only says how much it needs
  BENCH_CHECK(cudaMalloc(&workspace_, std::max<std::size_t>(bytes_, 1)));
}
CubSegments::~CubSegments() { cudaFree(workspace_); }

void CubSegments::enqueue(const void* data, void* result, cudaStream_t stream) {
  if (f64_) {
    sum<double>(workspace_, bytes_, data, result, rows_, length_, stride_, stream);
  } else {
    sum<float>(workspace_, bytes_, data, result, rows_, length_, stride_, stream);
  }
}

}  // namespace bench
