// DeviceReducer with device lambdas and folds of the caller's own, on a GPU: the bits of
// transform_reduce on the host for these folds and values; streams, captures, both kinds of
// results; the calls that it refuses.
#include <cuda_runtime.h>

#include <thread>

#include <isofold/device_reducer.hpp>
#include <mapped_folds.hpp>

namespace {

using test_support::bytes_of;
using test_support::code_of_call;

#define SKIP_WITHOUT_GPU()                                                            \
  if (int devices = 0; cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) { \
    GTEST_SKIP() << "no GPU: CUDA finds none";                                        \
  }
#define CUDA_OK(call) ASSERT_EQ(cudaSuccess, (call)) << cudaGetErrorString(cudaGetLastError())

TEST(DeviceReducer, FoldsOfTheLibrary) {
  SKIP_WITHOUT_GPU();
  isofold::DeviceReducer reduce;
  test_support::expect_the_librarys_folds(reduce);
}

TEST(DeviceReducer, ExactFolds) {
  SKIP_WITHOUT_GPU();
  isofold::DeviceReducer reduce;
  test_support::expect_exact_folds(reduce);
}

TEST(DeviceReducer, FoldsOfOnesOwn) {
  SKIP_WITHOUT_GPU();
  isofold::DeviceReducer reduce;
  test_support::expect_folds_of_ones_own(reduce);
}

TEST(DeviceReducer, Refusals) {
  SKIP_WITHOUT_GPU();
  isofold::DeviceReducer reduce;
  test_support::expect_refusals(reduce);
}

// Two arrays of device memory, read to their last element.
struct Arrays {
  static constexpr std::int64_t n = 3000001;
  std::vector<double> x;
  std::vector<float> w;
  double* device_x = nullptr;
  float* device_w = nullptr;

  Arrays() : x(n), w(n) {
    for (std::int64_t i = 0; i < n; ++i) {
      x[static_cast<std::size_t>(i)] = test_support::Scattered<double>{}(i);
      w[static_cast<std::size_t>(i)] = test_support::Scattered<float>{}(i + 7);
    }
    EXPECT_EQ(cudaSuccess, cudaMalloc(&device_x, n * sizeof(double)));
    EXPECT_EQ(cudaSuccess, cudaMalloc(&device_w, n * sizeof(float)));
    EXPECT_EQ(cudaSuccess,
              cudaMemcpy(device_x, x.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    EXPECT_EQ(cudaSuccess,
              cudaMemcpy(device_w, w.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  }
  ~Arrays() {
    cudaFree(device_x);
    cudaFree(device_w);
  }
};

// Functions of the device alone, as users write them.
struct Widest {
  using state_type = double;
  __device__ double lift(double x) const { return x < 0 ? -x : x; }
  __device__ double combine(double a, double b) const { return a < b ? b : a; }
};

// nvcc wants functions around lambdas of the device to be reachable; the body of a test is not.
void reduce_by_lambdas(const Arrays& arrays) {
  const double* const x = arrays.device_x;
  const float* const w = arrays.device_w;
  isofold::DeviceReducer reduce;
  const double weighted = reduce.transform_reduce(
      Arrays::n, [=] __device__(std::int64_t i) { return x[i] * static_cast<double>(w[i]); },
      isofold::core::Sum<double>{});
  const test_support::Weighted on_host{arrays.x.data(), arrays.w.data()};
  EXPECT_EQ(bytes_of(isofold::transform_reduce(Arrays::n, on_host, isofold::core::Sum<double>{})),
            bytes_of(weighted));
  const double widest = reduce.transform_reduce(
      Arrays::n, [=] __device__(std::int64_t i) { return x[i]; }, Widest{});
  double expected = 0;
  for (const double value : arrays.x) {
    expected = std::max(expected, std::abs(value));
  }
  EXPECT_EQ(expected, widest);
}

TEST(DeviceReducer, LambdasOfTheDevice) {
  SKIP_WITHOUT_GPU();
  reduce_by_lambdas(Arrays());
}

TEST(DeviceReducer, StreamsAndCaptures) {
  SKIP_WITHOUT_GPU();
  const Arrays arrays;
  cudaStream_t stream{};
  double* out = nullptr;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA_OK(cudaMalloc(&out, sizeof(double)));
  const isofold::core::Sum<double> sum;
  const test_support::Weighted map{arrays.device_x, arrays.device_w};
  {
    isofold::DeviceReducer reduce(stream);
    CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    EXPECT_EQ(isofold::Code::capture,
              code_of_call([&] { return reduce.transform_reduce(Arrays::n, map, sum); }));
    cudaGraph_t graph{};
    CUDA_OK(cudaStreamEndCapture(stream, &graph));
    CUDA_OK(cudaGraphDestroy(graph));

    reduce.transform_reduce(Arrays::n, map, sum, out);
    CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    reduce.transform_reduce(Arrays::n, map, sum, out);
    CUDA_OK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t ready{};
    CUDA_OK(cudaGraphInstantiate(&ready, graph, 0));
    const test_support::Weighted on_host{arrays.x.data(), arrays.w.data()};
    const auto expected = bytes_of(isofold::transform_reduce(Arrays::n, on_host, sum));
    for (int repeat = 0; repeat < 20; ++repeat) {
      double found = 0;
      CUDA_OK(cudaMemsetAsync(out, 0xff, sizeof found, stream));
      CUDA_OK(cudaGraphLaunch(ready, stream));
      CUDA_OK(cudaMemcpyAsync(&found, out, sizeof found, cudaMemcpyDefault, stream));
      CUDA_OK(cudaStreamSynchronize(stream));
      EXPECT_EQ(expected, bytes_of(found));
    }
    CUDA_OK(cudaGraphExecDestroy(ready));
    CUDA_OK(cudaGraphDestroy(graph));
  }
  CUDA_OK(cudaFree(out));
  CUDA_OK(cudaStreamDestroy(stream));
}

TEST(DeviceReducer, ManyThreads) {
  SKIP_WITHOUT_GPU();
  const auto expected = isofold::transform_reduce(1000003, test_support::Scattered<double>{},
                                                  isofold::core::Sum<double>{});
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      isofold::DeviceReducer reduce(cudaStreamPerThread);
      for (int repeat = 0; repeat < 20; ++repeat) {
        EXPECT_EQ(bytes_of(expected),
                  bytes_of(reduce.transform_reduce(1000003, test_support::Scattered<double>{},
                                                   isofold::core::Sum<double>{})));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace
