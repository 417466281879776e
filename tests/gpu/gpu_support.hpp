// Helpers of the GPU tests: device memory with uniform data, expected bits from the reference
// backend, and the reason to skip where there is no device.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include <isofold/isofold.hpp>

#define SKIP_WITHOUT_DEVICE()                                             \
  if (!isofold::is_available(gpu_test::backend())) {                      \
    GTEST_SKIP() << "no GPU: " << isofold::describe(gpu_test::backend()); \
  }
#define CUDA_OK(call) ASSERT_EQ(cudaSuccess, (call)) << cudaGetErrorString(cudaGetLastError())
#define EXPECT_CODE(expected, statement)                              \
  try {                                                               \
    statement;                                                        \
    ADD_FAILURE() << "no error";                                      \
  } catch (const isofold::Error& error) {                             \
    EXPECT_EQ(isofold::Code::expected, error.code()) << error.what(); \
  }

namespace gpu_test {

// Who is tested: cuda, or what ISOFOLD_TEST_GPU names (tests/hip_on_cuda: hip on the same GPU).
inline const char* backend() {
  const char* wish = std::getenv("ISOFOLD_TEST_GPU");
  return wish != nullptr ? wish : "cuda";
}

inline std::vector<float> uniform(std::int64_t n, std::uint64_t seed = 1) {
  std::vector<float> x(static_cast<std::size_t>(n));
  std::uint64_t state = seed;
  for (float& value : x) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    value = static_cast<float>(static_cast<std::int32_t>(state >> 32)) * 0x1p-31F;
  }
  return x;
}

inline float expected_sum(const std::vector<float>& x) {
  isofold::Reducer reference("reference");
  return reference.sum(isofold::array(x.data(), static_cast<std::int64_t>(x.size())));
}

inline std::uint32_t bits(float value) {
  std::uint32_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

// This tells whether the current device reads and writes ordinary host memory.
inline bool reaches_host_memory() {
  int device = 0;
  int pageable = 0;
  return cudaGetDevice(&device) == cudaSuccess &&
         cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, device) ==
             cudaSuccess &&
         pageable != 0;
}

// Device memory, freed at the end.
class Memory {
 public:
  explicit Memory(std::size_t bytes) {
    if (cudaMalloc(&memory_, bytes) != cudaSuccess) {
      ADD_FAILURE() << "cudaMalloc of " << bytes << " bytes";
    }
  }
  explicit Memory(const std::vector<float>& x) : Memory(x.size() * sizeof(float)) { write(x); }
  ~Memory() { cudaFree(memory_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void write(const std::vector<float>& x) {
    cudaMemcpy(memory_, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
    // It returns once the elements are in a buffer of the driver's; streams that do not wait for
    // the legacy one would start before they have arrived.
    cudaStreamSynchronize(nullptr);
  }
  float* floats() const { return static_cast<float*>(memory_); }
  float first() const {
    float value = 0;
    cudaMemcpy(&value, memory_, sizeof value, cudaMemcpyDeviceToHost);
    return value;
  }

 private:
  void* memory_ = nullptr;
};

class Stream {
 public:
  Stream() { cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// Enough copying on the stream that what is enqueued next starts well after the host moved on.
inline void keep_busy(cudaStream_t stream, const Memory& scratch, std::size_t bytes) {
  for (int i = 0; i < 50; ++i) {
    cudaMemsetAsync(scratch.floats(), i, bytes, stream);
  }
}

}  // namespace gpu_test
