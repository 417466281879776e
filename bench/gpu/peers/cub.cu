// CUB's DeviceReduce, as its users call it: default policy, workspace taken beforehand.
// gpu_bench.cu measures it beside isofold.
#include <cub/device/device_reduce.cuh>

#include <isofold/isofold.h>

#include "../timing.hpp"

namespace bench {
namespace {

// The place of an index that follows a value.
template <class T>
std::int64_t* index_after(T* value) {
  return value == nullptr ? nullptr : reinterpret_cast<std::int64_t*>(value) + 1;
}

template <class T>
void reduce(int fold, void* workspace, std::size_t& bytes, const void* data, void* result,
            std::int64_t n, cudaStream_t stream) {
  const T* in = static_cast<const T*>(data);
  T* out = static_cast<T*>(result);
  switch (fold) {
    case ISOFOLD_FOLD_minimum:
      BENCH_CHECK(cub::DeviceReduce::Min(workspace, bytes, in, out, n, stream));
      break;
    case ISOFOLD_FOLD_maximum:
      BENCH_CHECK(cub::DeviceReduce::Max(workspace, bytes, in, out, n, stream));
      break;
    case ISOFOLD_FOLD_argmin:
      BENCH_CHECK(
          cub::DeviceReduce::ArgMin(workspace, bytes, in, out, index_after(out), n, stream));
      break;
    case ISOFOLD_FOLD_argmax:
      BENCH_CHECK(
          cub::DeviceReduce::ArgMax(workspace, bytes, in, out, index_after(out), n, stream));
      break;
    default: BENCH_CHECK(cub::DeviceReduce::Sum(workspace, bytes, in, out, n, stream));
  }
}

}  // namespace

CubReduce::CubReduce(int fold, int type, std::int64_t n) : fold_(fold), type_(type), n_(n) {
  enqueue(nullptr, nullptr, nullptr);  // with a null workspace it only says how much it needs
  BENCH_CHECK(cudaMalloc(&workspace_, bytes_));
}
CubReduce::~CubReduce() { cudaFree(workspace_); }

void CubReduce::enqueue(const void* data, void* result, cudaStream_t stream) {
  switch (type_) {
#define BENCH_CASE(name, number, c_type) \
  case number: reduce<c_type>(fold_, workspace_, bytes_, data, result, n_, stream); break;
    ISOFOLD_REAL_TYPES(BENCH_CASE)
#undef BENCH_CASE
    default: check(cudaErrorInvalidValue, "CUB: no such type");
  }
}

}  // namespace bench
