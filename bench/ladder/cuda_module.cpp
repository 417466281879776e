// The module isofold-bench-cuda.so: the read limit of a device and the ladder, for `isofold bench`.
#include "../cuda_module.hpp"

#include <isofold/isofold.h>

#include "../gpu/timing.hpp"
#include "climb.hpp"

namespace {

double read_limit(std::int32_t device, const void* data, std::int64_t bytes, std::int32_t slots) {
  int before = 0;
  BENCH_CHECK(cudaGetDevice(&before));
  BENCH_CHECK(cudaSetDevice(device));
  static bench::Timer timer;  // for one device: a run of the program measures no second one
  constexpr int repeats = 7;
  const auto size = static_cast<std::size_t>(bytes);
  const bench::Inputs inputs{static_cast<const char*>(data), size, slots};
  const double microseconds =
      bench::read_limit(timer, inputs, bench::Timer::launches_for(size), repeats);
  BENCH_CHECK(cudaSetDevice(before));
  return microseconds * 1e-6;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const bench::CudaModule* isofold_bench_cuda();
extern "C" const bench::CudaModule* isofold_bench_cuda() {
  static const bench::CudaModule module{sizeof(bench::Record), isofold_version(), read_limit,
                                        bench::ladder::climb};
  return &module;
}
