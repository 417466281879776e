// How a GPU kernel is timed here: as many launches as fill a graph, over inputs that lie apart,
// after the L2 has been emptied; device events around the graph; the median of several replays.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace bench {

inline void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(4);
  }
}
#define BENCH_CHECK(call) ::bench::check((call), #call)

// Inputs of one size: `slots` of them, each `bytes` apart, in one allocation of random numbers.
struct Inputs {
  const char* memory;
  std::size_t bytes;  // of one input
  int slots;
  const void* slot(int i) const { return memory + static_cast<std::size_t>(i % slots) * bytes; }
};

class Timer {
 public:
  Timer() {
    BENCH_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    BENCH_CHECK(cudaEventCreate(&begin_));
    BENCH_CHECK(cudaEventCreate(&end_));
    BENCH_CHECK(cudaMalloc(&flush_, flush_bytes));
  }
  cudaStream_t stream() const { return stream_; }

  // Microseconds of one enqueue(i), i = 0 ... launches - 1, back to back on the stream.
  template <class Enqueue>
  double microseconds(int launches, int repeats, Enqueue&& enqueue) {
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    BENCH_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < launches; ++i) {
      enqueue(i);
    }
    BENCH_CHECK(cudaStreamEndCapture(stream_, &graph));
    BENCH_CHECK(cudaGraphInstantiate(&ready, graph, 0));
    std::vector<double> times;
    for (int i = -2; i < repeats; ++i) {
      BENCH_CHECK(cudaMemsetAsync(flush_, i & 0xff, flush_bytes, stream_));
      BENCH_CHECK(cudaEventRecord(begin_, stream_));
      BENCH_CHECK(cudaGraphLaunch(ready, stream_));
      BENCH_CHECK(cudaEventRecord(end_, stream_));
      BENCH_CHECK(cudaStreamSynchronize(stream_));
      float milliseconds = 0;
      BENCH_CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
      if (i >= 0) {
        times.push_back(milliseconds * 1e3 / launches);
      }
    }
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
    return times[static_cast<std::size_t>(repeats / 2)];
  }

  // Microseconds of one enqueue(i) without a graph, as the host enqueues them.
  template <class Enqueue>
  double streamed_microseconds(int launches, int repeats, Enqueue&& enqueue) {
    std::vector<double> times;
    for (int r = -1; r < repeats; ++r) {
      BENCH_CHECK(cudaMemsetAsync(flush_, r & 0xff, flush_bytes, stream_));
      BENCH_CHECK(cudaEventRecord(begin_, stream_));
      for (int i = 0; i < launches; ++i) {
        enqueue(i);
      }
      BENCH_CHECK(cudaEventRecord(end_, stream_));
      BENCH_CHECK(cudaStreamSynchronize(stream_));
      float milliseconds = 0;
      BENCH_CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
      if (r >= 0) {
        times.push_back(milliseconds * 1e3 / launches);
      }
    }
    std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
    return times[static_cast<std::size_t>(repeats / 2)];
  }

  // Launches that keep one replay near 2 ms, between 2 and 64.
  static int launches_for(std::size_t bytes) {
    const double guess = 3.0 + static_cast<double>(bytes) / 4.5e6;
    return static_cast<int>(std::clamp(2000.0 / guess, 2.0, 64.0));
  }

 private:
  static constexpr std::size_t flush_bytes = std::size_t{256} << 20;
  cudaStream_t stream_{};
  cudaEvent_t begin_{};
  cudaEvent_t end_{};
  void* flush_ = nullptr;
};

// ---- what is timed ---------------------------------------------------------------------------

// The fastest of several kernels that only read `input`; the ceiling of any reduction.
double read_limit(Timer& timer, const Inputs& inputs, int launches, int repeats);

// CUB's sum, extremum or location of one of n elements on the device, by the numbers of isofold.h,
// as an object that keeps its workspace. Its sums of integers stay in their type, its extrema have
// no rule for NaNs.
class CubReduce {
 public:
  CubReduce(int fold, int type, std::int64_t n);
  ~CubReduce();
  CubReduce(const CubReduce&) = delete;
  CubReduce& operator=(const CubReduce&) = delete;
  void enqueue(const void* data, void* result, cudaStream_t stream);

 private:
  int fold_;
  int type_;
  std::int64_t n_;
  void* workspace_ = nullptr;
  std::size_t bytes_ = 0;
};

// CUB's sums of rows, each row a segment of its own.
class CubSegments {
 public:
  CubSegments(bool f64, std::int64_t rows, std::int64_t length, std::int64_t stride);
  ~CubSegments();
  CubSegments(const CubSegments&) = delete;
  CubSegments& operator=(const CubSegments&) = delete;
  void enqueue(const void* data, void* result, cudaStream_t stream);

 private:
  bool f64_;
  std::int64_t rows_;
  std::int64_t length_;
  std::int64_t stride_;
  void* workspace_ = nullptr;
  std::size_t bytes_ = 0;
};

// CUB's sums of rows between offsets in device memory.
class CubRagged {
 public:
  CubRagged(bool f64, std::int64_t rows, const std::int64_t* offsets);
  ~CubRagged();
  CubRagged(const CubRagged&) = delete;
  CubRagged& operator=(const CubRagged&) = delete;
  void enqueue(const void* data, void* result, cudaStream_t stream);

 private:
  bool f64_;
  std::int64_t rows_;
  const std::int64_t* offsets_;
  void* workspace_ = nullptr;
  std::size_t bytes_ = 0;
};

// CUB's sum with gpu_to_gpu determinism; false, and nothing done, where this CCCL has no such sum.
bool cub_gpu_to_gpu_sum(bool f64, const void* data, void* result, std::int64_t n,
                        cudaStream_t stream);

// Thrust's sum, which blocks by its own default.
double thrust_sum(bool f64, const void* data, std::int64_t n);

}  // namespace bench
