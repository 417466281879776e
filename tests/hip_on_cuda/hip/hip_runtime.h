// HIP on an NVIDIA GPU, for tests alone: the HIP names that backends/hip uses, and no others, in
// CUDA's words. With this folder in front of the include path, nvcc compiles the sources of the HIP
// backend as they are: its calls, its launches and its group of threads run on the GPU there is.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define HIP_VERSION_MAJOR 7  // the names are those of ROCm 7

// ---- Device side ------------------------------------------------------------------------------

// A GPU with waves of 32 threads, as AMD's are from gfx10 on.
#define __GFX10__ 1

// The attributes of AMD's compiler: all global memory is one address space here, and the registers
// are bounded as backends/cuda bounds them, by one block of so many threads.
#define address_space(number)
#define amdgpu_waves_per_eu(least)
#undef __launch_bounds__
#define __launch_bounds__(threads) __annotate__(launch_bounds(threads, 1))

#define __HIP_MEMORY_SCOPE_AGENT 4
#define __hip_atomic_fetch_add(address, value, order, scope) \
  ::hip_on_cuda::fetch_add<order, scope>(address, value)
#define __builtin_nontemporal_load(address) ::hip_on_cuda::nontemporal_load(address)
#define __builtin_amdgcn_ds_bpermute(byte_address, word) \
  __shfl_sync(0xffffffffU, word, (byte_address) / 4)
#define __ballot(condition) __ballot_sync(0xffffffffU, condition)
// A wave's fences and its barrier: the barrier is both here.
#define __builtin_amdgcn_fence(order, scope) static_cast<void>(scope)
#define __builtin_amdgcn_wave_barrier() __syncwarp()

namespace hip_on_cuda {

template <int order, int scope>
__device__ inline std::uint32_t fetch_add(std::uint32_t* address, std::uint32_t value) {
  static_assert(
      (order == __ATOMIC_ACQ_REL || order == __ATOMIC_RELAXED) && scope == __HIP_MEMORY_SCOPE_AGENT,
      "The atomics of the HIP backend; relaxed ones are stronger here than they ask.");
  std::uint32_t before;
  // A generic address: some counters are in shared memory.
  asm volatile("atom.add.acq_rel.gpu.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(address), "r"(value)
               : "memory");
  return before;
}

template <int order, int scope>
__device__ inline std::int64_t fetch_add(std::int64_t* address, std::int64_t value) {
  static_assert(order == __ATOMIC_RELAXED && scope == __HIP_MEMORY_SCOPE_AGENT,
                "Words are added in any order.");
  std::int64_t before;
  asm volatile("atom.add.relaxed.gpu.u64 %0, [%1], %2;"
               : "=l"(before)
               : "l"(address), "l"(value)
               : "memory");
  return before;
}

template <class Word>
__device__ Word nontemporal_load(const Word* address) {
  Word word;
  if constexpr (sizeof(Word) == 16) {
    uint4 words;
    asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
                 : "l"(address));
    memcpy(&word, &words, sizeof word);
  } else if constexpr (sizeof(Word) == 8) {
    uint2 words;
    asm volatile("ld.global.nc.v2.u32 {%0, %1}, [%2];"
                 : "=r"(words.x), "=r"(words.y)
                 : "l"(address));
    memcpy(&word, &words, sizeof word);
  } else if constexpr (sizeof(Word) == 4) {
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(word) : "l"(address));
  } else {
    static_assert(sizeof(Word) <= 2, "One load.");
    std::uint16_t bits;
    if constexpr (sizeof(Word) == 2) {
      asm volatile("ld.global.nc.u16 %0, [%1];" : "=h"(bits) : "l"(address));
    } else {
      asm volatile("ld.global.nc.u8 %0, [%1];" : "=h"(bits) : "l"(address));
    }
    word = static_cast<Word>(bits);
  }
  return word;
}

}  // namespace hip_on_cuda

// ---- Host side --------------------------------------------------------------------------------

using hipError_t = cudaError_t;
using hipStream_t = cudaStream_t;
using hipEvent_t = cudaEvent_t;
using hipFuncAttributes = cudaFuncAttributes;
using hipStreamCaptureStatus = cudaStreamCaptureStatus;
using hipMemoryType = cudaMemoryType;

inline constexpr hipMemoryType hipMemoryTypeHost = cudaMemoryTypeHost;
inline constexpr hipMemoryType hipMemoryTypeDevice = cudaMemoryTypeDevice;
inline constexpr cudaMemcpyKind hipMemcpyDefault = cudaMemcpyDefault;
inline constexpr unsigned hipHostMallocMapped = cudaHostAllocMapped;
inline constexpr unsigned hipHostMallocPortable = cudaHostAllocPortable;
inline constexpr unsigned hipEventDisableTiming = cudaEventDisableTiming;
inline constexpr hipStreamCaptureStatus hipStreamCaptureStatusNone = cudaStreamCaptureStatusNone;

inline constexpr hipError_t hipSuccess = cudaSuccess;
inline constexpr hipError_t hipErrorOutOfMemory = cudaErrorMemoryAllocation;
inline constexpr hipError_t hipErrorStreamCaptureUnsupported = cudaErrorStreamCaptureUnsupported;
inline constexpr hipError_t hipErrorStreamCaptureInvalidated = cudaErrorStreamCaptureInvalidated;
inline constexpr hipError_t hipErrorStreamCaptureMerge = cudaErrorStreamCaptureMerge;
inline constexpr hipError_t hipErrorStreamCaptureUnmatched = cudaErrorStreamCaptureUnmatched;
inline constexpr hipError_t hipErrorStreamCaptureUnjoined = cudaErrorStreamCaptureUnjoined;
inline constexpr hipError_t hipErrorStreamCaptureIsolation = cudaErrorStreamCaptureIsolation;
inline constexpr hipError_t hipErrorStreamCaptureImplicit = cudaErrorStreamCaptureImplicit;
inline constexpr hipError_t hipErrorStreamCaptureWrongThread = cudaErrorStreamCaptureWrongThread;
inline constexpr hipError_t hipErrorNoDevice = cudaErrorNoDevice;
inline constexpr hipError_t hipErrorInsufficientDriver = cudaErrorInsufficientDriver;
inline constexpr hipError_t hipErrorInvalidValue = cudaErrorInvalidValue;
inline constexpr hipError_t hipErrorInvalidDevice = cudaErrorInvalidDevice;
inline constexpr hipError_t hipErrorNoBinaryForGpu = cudaErrorNoKernelImageForDevice;
inline constexpr hipError_t hipErrorInvalidDeviceFunction = cudaErrorInvalidDeviceFunction;
inline constexpr hipError_t hipErrorIllegalAddress = cudaErrorIllegalAddress;
inline constexpr hipError_t hipErrorLaunchFailure = cudaErrorLaunchFailure;
inline constexpr hipError_t hipErrorLaunchTimeOut = cudaErrorLaunchTimeout;
inline constexpr hipError_t hipErrorAssert = cudaErrorAssert;
inline constexpr hipError_t hipErrorECCNotCorrectable = cudaErrorECCUncorrectable;
inline constexpr hipError_t hipErrorDeinitialized = cudaErrorCudartUnloading;
inline constexpr hipError_t hipErrorContextIsDestroyed = cudaErrorContextIsDestroyed;

inline const char* hipGetErrorString(hipError_t error) { return cudaGetErrorString(error); }
inline hipError_t hipGetLastError() { return cudaGetLastError(); }
inline hipError_t hipGetDeviceCount(int* count) { return cudaGetDeviceCount(count); }
inline hipError_t hipGetDevice(int* device) { return cudaGetDevice(device); }
inline hipError_t hipSetDevice(int device) { return cudaSetDevice(device); }

// HIP counts 10000000 a major and 100000 a minor version, CUDA 1000 and 10.
inline hipError_t hipRuntimeGetVersion(int* version) {
  const hipError_t error = cudaRuntimeGetVersion(version);
  *version *= 10000;
  return error;
}

// With the features behind a colon, as AMD's names have them: "nvptx:sm_90+". A test may name
// another (ISOFOLD_TEST_HIP_ARCHITECTURE=gfx942: a device whose fences are slow).
struct hipDeviceProp_t {
  char name[256];
  char gcnArchName[256];
  int warpSize;
  int multiProcessorCount;
  std::size_t sharedMemPerBlock;
  int l2CacheSize;
  int pageableMemoryAccess;
};
inline hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  cudaDeviceProp from{};
  const hipError_t error = cudaGetDeviceProperties(&from, device);
  std::snprintf(properties->name, sizeof properties->name, "%s", from.name);
  const char* wish = std::getenv("ISOFOLD_TEST_HIP_ARCHITECTURE");
  std::snprintf(properties->gcnArchName, sizeof properties->gcnArchName, "%s:sm_%d%d+",
                wish != nullptr ? wish : "nvptx", from.major, from.minor);
  properties->warpSize = from.warpSize;
  properties->multiProcessorCount = from.multiProcessorCount;
  properties->sharedMemPerBlock = from.sharedMemPerBlock;
  properties->l2CacheSize = from.l2CacheSize;
  properties->pageableMemoryAccess = from.pageableMemoryAccess;
  return error;
}

struct hipPointerAttribute_t {
  hipMemoryType type;
  int device;
  int isManaged;
};
inline hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
  cudaPointerAttributes from{};
  const hipError_t error = cudaPointerGetAttributes(&from, pointer);
  *attributes = {from.type, from.device, from.type == cudaMemoryTypeManaged};
  return error;
}

inline hipError_t hipMalloc(void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
inline hipError_t hipFree(void* memory) { return cudaFree(memory); }
inline hipError_t hipHostMalloc(void** memory, std::size_t bytes, unsigned flags) {
  return cudaHostAlloc(memory, bytes, flags);
}
inline hipError_t hipHostFree(void* memory) { return cudaFreeHost(memory); }
inline hipError_t hipMemsetAsync(void* memory, int value, std::size_t bytes, hipStream_t stream) {
  return cudaMemsetAsync(memory, value, bytes, stream);
}
inline hipError_t hipMemcpy(void* destination, const void* source, std::size_t bytes,
                            cudaMemcpyKind kind) {
  return cudaMemcpy(destination, source, bytes, kind);
}

inline hipError_t hipStreamSynchronize(hipStream_t stream) { return cudaStreamSynchronize(stream); }
inline hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
  return cudaStreamIsCapturing(stream, status);
}
inline hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return cudaStreamWaitEvent(stream, event, flags);
}
inline hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
inline hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return cudaEventRecord(event, stream);
}
inline hipError_t hipEventDestroy(hipEvent_t event) { return cudaEventDestroy(event); }

inline hipError_t hipLaunchKernel(const void* kernel, dim3 blocks, dim3 threads, void** arguments,
                                  std::size_t shared_bytes, hipStream_t stream) {
  return cudaLaunchKernel(kernel, blocks, threads, arguments, shared_bytes, stream);
}
inline hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* kernel) {
  return cudaFuncGetAttributes(attributes, kernel);
}
