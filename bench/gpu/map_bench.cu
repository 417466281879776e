// map_bench: transform_reduce over maps of device memory (isofold/device_reducer.hpp), beside the
// read limit of the bytes that the map reads, and beside CUB's TransformReduce of the same map.
#include <cub/device/device_reduce.cuh>

#include <thrust/iterator/counting_iterator.h>

#include <cmath>

#include <isofold/detail/core/folds/moments.hpp>
#include <isofold/detail/core/folds/sum.hpp>
#include <isofold/device_reducer.hpp>

#include "timing.hpp"

namespace {

using bench::Inputs;
using bench::Timer;

constexpr std::size_t pool_bytes = std::size_t{17} << 30;

template <class T>
struct Identity {
  static constexpr int arrays = 1;
  const T* x;
  __host__ __device__ T operator()(std::int64_t i) const { return x[i]; }
};
template <class T>
struct KineticEnergy {
  static constexpr int arrays = 2;
  const T* mass;
  const T* speed;
  __host__ __device__ T operator()(std::int64_t i) const {
    return static_cast<T>(0.5) * mass[i] * speed[i] * speed[i];
  }
};

// The map of the input at `memory`: one array after the other.
template <class T>
Identity<T> over(const void* memory, std::int64_t, Identity<T>) {
  return {static_cast<const T*>(memory)};
}
template <class T>
KineticEnergy<T> over(const void* memory, std::int64_t n, KineticEnergy<T>) {
  return {static_cast<const T*>(memory), static_cast<const T*>(memory) + n};
}

struct Plus {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

struct Bench {
  Timer timer;
  char* pool = nullptr;
  void* result = nullptr;

  Bench() {
    BENCH_CHECK(cudaMalloc(&pool, pool_bytes));
    BENCH_CHECK(cudaMalloc(&result, 4096));
    BENCH_CHECK(cudaMemset(pool, 0x3e, pool_bytes));
  }

  template <class T, class Map, class Fold>
  void line(const char* text, const Map& map, const Fold& fold, bool with_cub) {
    std::printf("| %s |", text);
    for (const double power : {20., 22., 25., 27., 29.}) {
      const auto n = static_cast<std::int64_t>(std::exp2(power));
      const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T) * Map::arrays;
      const Inputs inputs{pool, bytes,
                          static_cast<int>(std::clamp<std::size_t>(pool_bytes / bytes, 1, 64))};
      const int launches = Timer::launches_for(bytes);
      const double limit = bench::read_limit(timer, inputs, launches, 5);
      isofold::DeviceReducer reduce(timer.stream());
      auto* const out = static_cast<isofold::core::ResultOf<Fold>*>(result);
      reduce.transform_reduce(n, over(inputs.slot(0), n, map), fold, out);
      BENCH_CHECK(cudaStreamSynchronize(timer.stream()));
      const double ours = timer.microseconds(launches, 5, [&](int i) {
        reduce.transform_reduce(n, over(inputs.slot(i), n, map), fold, out);
      });
      std::printf(" %.2f (%.0f %%)", ours, 100 * limit / ours);
      if (with_cub) {
        std::printf(", %.2f", cub_time<T>(n, inputs, launches, map));
      }
      std::printf(" |");
      std::fflush(stdout);
    }
    std::printf("\n");
  }

  template <class T, class Map>
  double cub_time(std::int64_t n, const Inputs& inputs, int launches, const Map& map) {
    void* workspace = nullptr;
    std::size_t bytes = 0;
    const auto enqueue = [&](int i) {
      BENCH_CHECK(cub::DeviceReduce::TransformReduce(
          workspace, bytes, thrust::counting_iterator<std::int64_t>(0), static_cast<T*>(result), n,
          Plus{}, over(inputs.slot(i), n, map), T{0}, timer.stream()));
    };
    enqueue(0);
    BENCH_CHECK(cudaMalloc(&workspace, bytes));
    const double time = timer.microseconds(launches, 5, enqueue);
    cudaFree(workspace);
    return time;
  }
};

}  // namespace

int main() {
  cudaDeviceProp device{};
  BENCH_CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf(
      "%s, medians in microseconds in a graph, inputs outside the L2\n\n"
      "| map and fold: isofold (share of the limit), CUB | 2^20 | 2^22 | 2^25 | 2^27 | 2^29 "
      "|\n|---|---|---|---|---|---|\n",
      device.name);
  Bench bench;
  namespace core = isofold::core;
  bench.line<float>("sum of x, f32", Identity<float>{}, core::Sum<float>{}, true);
  bench.line<double>("sum of x, f64", Identity<double>{}, core::Sum<double>{}, true);
  bench.line<float>("sum of m v^2 / 2, f32", KineticEnergy<float>{}, core::Sum<float>{}, true);
  bench.line<double>("sum of m v^2 / 2, f64", KineticEnergy<double>{}, core::Sum<double>{}, true);
  bench.line<float>("moments of m v^2 / 2, f32", KineticEnergy<float>{}, core::AllMoments<float>{},
                    false);
  return 0;
}
