// Results in stream order: device, pinned and managed memory, the default stream, changed streams.
#include <thread>

#include "gpu_support.hpp"

using namespace gpu_test;
using isofold::array;

namespace {

constexpr std::int64_t n = 300 * 1024 + 77;
constexpr std::size_t scratch_bytes = std::size_t{64} << 20;

TEST(Streams, ResultsInAnyMemoryOfTheDevice) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory data(x);
  const std::uint32_t wanted = bits(expected_sum(x));
  isofold::Reducer reduce(gpu_test::backend());
  const Memory on_device(4);
  reduce.sum(array(data.floats(), n), on_device.floats());
  EXPECT_EQ(wanted, bits(on_device.first()));
  float* pinned = nullptr;
  CUDA_OK(cudaMallocHost(&pinned, 4));
  reduce.sum(array(data.floats(), n), pinned);
  reduce.synchronize();
  EXPECT_EQ(wanted, bits(*pinned));
  cudaFreeHost(pinned);
  float* managed = nullptr;
  CUDA_OK(cudaMallocManaged(&managed, 4));
  reduce.sum(array(data.floats(), n), managed);
  reduce.synchronize();
  EXPECT_EQ(wanted, bits(*managed));
  cudaFree(managed);
  EXPECT_EQ(wanted, bits(reduce.sum(array(data.floats(), n))));
}

TEST(Streams, DefaultIsOrderedAfterTheLegacyDefaultStream) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory staged(x);
  const Memory data(x.size() * 4);
  const Memory scratch(scratch_bytes);
  isofold::Reducer reduce(gpu_test::backend());
  reduce.reserve(isofold::sum, array(data.floats(), n));
  CUDA_OK(cudaMemset(data.floats(), 0, x.size() * 4));
  keep_busy(nullptr, scratch, scratch_bytes);
  CUDA_OK(cudaMemcpyAsync(data.floats(), staged.floats(), x.size() * 4, cudaMemcpyDeviceToDevice,
                          nullptr));
  EXPECT_EQ(bits(expected_sum(x)), bits(reduce.sum(array(data.floats(), n))));
}

TEST(Streams, WorkOfTheCallersStreamComesFirst) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory staged(x);
  const Memory data(x.size() * 4);
  const Memory scratch(scratch_bytes);
  const Stream stream;
  isofold::Reducer reduce(gpu_test::backend(), isofold::Options{}.stream(stream));
  CUDA_OK(cudaMemset(data.floats(), 0, x.size() * 4));
  keep_busy(stream, scratch, scratch_bytes);
  CUDA_OK(cudaMemcpyAsync(data.floats(), staged.floats(), x.size() * 4, cudaMemcpyDeviceToDevice,
                          stream));
  const Memory out(4);
  reduce.sum(array(data.floats(), n), out.floats());
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(bits(expected_sum(x)), bits(out.first()));
}

// Sums of parts on the first stream, their sum on the second: both through one workspace.
TEST(Streams, ChangingTheStreamOrders) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory data(x);
  const Memory scratch(scratch_bytes);
  const Stream first;
  const Stream second;
  const Memory parts(2048 * 4);
  const Memory total(4);
  constexpr std::int64_t part = n / 1000;
  std::vector<float> sums;
  for (std::int64_t i = 0; i < 1000; ++i) {
    sums.push_back(expected_sum({x.begin() + i * part, x.begin() + (i + 1) * part}));
  }
  isofold::Reducer reduce(gpu_test::backend(), isofold::Options{}.stream(first));
  CUDA_OK(cudaMemset(parts.floats(), 0, 2048 * 4));
  CUDA_OK(cudaDeviceSynchronize());
  keep_busy(first, scratch, scratch_bytes);
  reduce.sum(isofold::rows(data.floats(), 1000, part), parts.floats());
  reduce.set_stream(second);
  reduce.sum(array(parts.floats(), 1000), total.floats());
  reduce.synchronize();
  EXPECT_EQ(bits(expected_sum(sums)), bits(total.first()));
}

TEST(Streams, DestructionWaitsForOwnWork) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory data(x);
  const Memory scratch(scratch_bytes);
  const Stream stream;
  float* pinned = nullptr;
  CUDA_OK(cudaMallocHost(&pinned, 4));
  *pinned = 0;
  {
    isofold::Reducer reduce(gpu_test::backend(), isofold::Options{}.stream(stream));
    keep_busy(stream, scratch, scratch_bytes);
    reduce.sum(array(data.floats(), n), pinned);
  }
  EXPECT_EQ(bits(expected_sum(x)), bits(*pinned));
  cudaFreeHost(pinned);
}

TEST(Streams, ReducersOfDistinctThreads) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory data(x);
  const std::uint32_t wanted = bits(expected_sum(x));
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      const Stream stream;
      isofold::Reducer reduce(gpu_test::backend(), isofold::Options{}.stream(stream));
      for (int i = 0; i < 500; ++i) {
        wrong[t] += bits(reduce.sum(array(data.floats(), n))) != wanted;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(std::vector<int>(4), wrong);
}

// 20 000 launches without a pause: the counters are zero again each time.
TEST(Streams, ManyLaunchesOneBitPattern) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(n);
  const Memory data(x);
  constexpr int launches = 20000;
  const Memory results(launches * 4);
  isofold::Reducer reduce(gpu_test::backend());
  for (int i = 0; i < launches; ++i) {
    reduce.sum(array(data.floats(), n), results.floats() + i);
  }
  reduce.synchronize();
  std::vector<float> host(launches);
  CUDA_OK(cudaMemcpy(host.data(), results.floats(), launches * 4, cudaMemcpyDeviceToHost));
  const std::uint32_t wanted = bits(expected_sum(x));
  int wrong = 0;
  for (const float value : host) {
    wrong += bits(value) != wanted;
  }
  EXPECT_EQ(0, wrong);
}

// ISOFOLD_TEST_LAUNCHES launches (20 000 by default) in a replayed graph, two arrays in turn, so
// that each finds the nodes of the other array in the workspace, while copies on a second stream
// keep pushing nodes and counters out of the L2.
TEST(Streams, ReplaysUnderL2PressureGiveOneBitPattern) {
  SKIP_WITHOUT_DEVICE();
  constexpr int sums = 100;  // a replay
  const char* const wish = std::getenv("ISOFOLD_TEST_LAUNCHES");
  const int replays = (wish != nullptr ? std::atoi(wish) : 20000) / sums;
  ASSERT_LT(0, replays);
  const std::vector<float> x[] = {uniform(n, 1), uniform(n, 2)};
  const Memory data[] = {Memory(x[0]), Memory(x[1])};
  const std::uint32_t wanted[] = {bits(expected_sum(x[0])), bits(expected_sum(x[1]))};
  ASSERT_NE(wanted[0], wanted[1]);
  const Memory results(sums * 4);
  const Memory from(2 * scratch_bytes);
  const Memory to(2 * scratch_bytes);
  const Stream stream;
  const Stream thrashing;

  isofold::Reducer reduce(gpu_test::backend(), isofold::Options{}.stream(stream));
  reduce.reserve(isofold::sum, array(data[0].floats(), n));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA_OK(cudaMemsetAsync(results.floats(), 0xff, sums * 4, stream));
  for (int i = 0; i < sums; ++i) {
    reduce.sum(array(data[i % 2].floats(), n), results.floats() + i);
  }
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphInstantiate(&ready, graph, 0));

  int wrong = 0;
  std::vector<float> host(sums);
  for (int i = 0; i < replays; ++i) {
    for (int copy = 0; copy < 3; ++copy) {  // about as long as the replay
      CUDA_OK(cudaMemcpyAsync(to.floats(), from.floats(), 2 * scratch_bytes,
                              cudaMemcpyDeviceToDevice, thrashing));
    }
    CUDA_OK(cudaGraphLaunch(ready, stream));
    CUDA_OK(
        cudaMemcpyAsync(host.data(), results.floats(), sums * 4, cudaMemcpyDeviceToHost, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    for (int sum = 0; sum < sums; ++sum) {
      wrong += bits(host[static_cast<std::size_t>(sum)]) != wanted[sum % 2];
    }
  }
  EXPECT_EQ(0, wrong) << "of " << replays * sums;
  CUDA_OK(cudaStreamSynchronize(thrashing));
  CUDA_OK(cudaGraphExecDestroy(ready));
  CUDA_OK(cudaGraphDestroy(graph));
}

TEST(Devices, TheCallersCurrentDeviceStays) {
  SKIP_WITHOUT_DEVICE();
  int count = 0;
  CUDA_OK(cudaGetDeviceCount(&count));
  if (count < 2) {
    GTEST_SKIP() << "one CUDA device; this needs two";
  }
  CUDA_OK(cudaSetDevice(1));
  const auto x = uniform(n);
  const Memory data(x);  // on device 1
  isofold::Reducer there(gpu_test::backend(), isofold::Options{}.device(1));
  CUDA_OK(cudaSetDevice(0));
  EXPECT_EQ(bits(expected_sum(x)), bits(there.sum(array(data.floats(), n))));
  int current = -1;
  CUDA_OK(cudaGetDevice(&current));
  EXPECT_EQ(0, current);
  isofold::Reducer here(gpu_test::backend(), isofold::Options{}.device(0));
  EXPECT_CODE(wrong_memory, static_cast<void>(here.sum(array(data.floats(), n))));
}

TEST(Devices, UnknownDevicesAreRefused) {
  SKIP_WITHOUT_DEVICE();
  EXPECT_CODE(invalid_argument,
              isofold::Reducer(gpu_test::backend(), isofold::Options{}.device(4096)));
}

// A device takes ordinary host memory if it reaches that.
TEST(Devices, HostMemoryIsRefusedWithoutATrace) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(1000);
  isofold::Reducer reduce(gpu_test::backend());
  if (gpu_test::reaches_host_memory()) {
    EXPECT_EQ(bits(expected_sum(x)), bits(reduce.sum(array(x.data(), 1000))));
  } else {
    EXPECT_CODE(wrong_memory, static_cast<void>(reduce.sum(array(x.data(), 1000))));
  }
  EXPECT_EQ(cudaSuccess, cudaPeekAtLastError());
}

}  // namespace
