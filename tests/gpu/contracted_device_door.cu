// Compiled so that device code rounds a * b + c once, or flushes subnormals: DeviceReducer must
// refuse it, in a sentence. Prints the refusal.
#include <cstdio>

#include <isofold/detail/core/folds/sum.hpp>
#include <isofold/device_reducer.hpp>

namespace {
struct Index {
  __device__ double operator()(std::int64_t i) const { return static_cast<double>(i); }
};
}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no GPU: CUDA finds none\n");
    return 77;
  }
  try {
    isofold::DeviceReducer reduce;
    std::printf("not refused: %g\n",
                reduce.transform_reduce(10, Index{}, isofold::core::Sum<double>{}));
    return 1;
  } catch (const isofold::Error& error) {
    std::printf("%s\n", error.what());
    return error.code() == isofold::Code::unsupported ? 0 : 1;
  }
}
