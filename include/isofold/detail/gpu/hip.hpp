// The HIP platform: the interface of platform.hpp in AMD's words, for kernels and their launches.
// Each function is the one runtime call that it names; its callers take the decisions.
#pragma once

#include <hip/hip_runtime.h>

#include <unistd.h>

#include <cstdio>
#include <cstring>

#include <isofold/detail/gpu/platform.hpp>

namespace isofold::hip {

// The wave width that device code of this architecture has. HIP's warpSize is a constant before
// ROCm 7 and none from there on, and the host's pass knows nothing of the device, so it is taken
// from the architecture: waves of 32 threads from gfx10 on, of 64 before.
#if defined(__SPIRV__)
#error \
    "Code for any AMD GPU (amdgcnspirv) has no known wave width: name architectures in CMAKE_HIP_ARCHITECTURES."
#elif defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
inline constexpr int architecture_wave_width = 32;
#else
inline constexpr int architecture_wave_width = 64;
#endif

// A number of `bytes` bytes: the result of one load, before it is cut into elements.
template <std::size_t bytes>
struct Word;
template <>
struct Word<1> {
  using type = std::uint8_t;
};
template <>
struct Word<2> {
  using type = std::uint16_t;
};
template <>
struct Word<4> {
  using type = std::uint32_t;
};
template <>
struct Word<8> {
  using type = std::uint64_t;
};
template <>
struct Word<16> {
  __extension__ using type = unsigned __int128;
};

template <int width>
class Group {
 public:
  static constexpr int wave_width = width;

  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ int threads() const { return static_cast<int>(blockDim.x); }
  __device__ std::int64_t block() const { return blockIdx.x; }
  __device__ std::int64_t blocks() const { return gridDim.x; }
  __device__ void* shared() const {
    extern __shared__ __attribute__((aligned(16))) unsigned char memory[];
    return memory;
  }
  __device__ void barrier() const { __syncthreads(); }

  // A wave runs in step and its accesses to shared memory stay in order: this emits no instruction,
  // and keeps the compiler from moving accesses across it.
  __device__ void warp_barrier() const {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
  }

  // exchange() selects by lane number and so needs no lane mask, which would have 64 bits here. The
  // builtin takes a byte address.
  __device__ std::uint32_t exchange(std::uint32_t word, int mask) const {
    const int partner = (thread() ^ mask) & (width - 1);
    return static_cast<std::uint32_t>(
        __builtin_amdgcn_ds_bpermute(partner * 4, static_cast<int>(word)));
  }

  __device__ gpu::Ballot<width> ballot(bool condition) const {
    return static_cast<gpu::Ballot<width>>(__ballot(condition ? 1 : 0));
  }

  // A global load, marked as read once. (A generic one would also count as an access to shared
  // memory.)
  template <class T, int count>
  __device__ gpu::Pack<T, count> load(const T* address) const {
    gpu::Pack<T, count> pack;
    using Global = const __attribute__((address_space(1))) typename Word<sizeof(pack)>::type;
    const auto word = __builtin_nontemporal_load((Global*)address);
    memcpy(&pack, &word, sizeof(pack));
    return pack;
  }

  template <class T>
  __device__ gpu::Pack<T, 2> load_two(const T* address) const {
    return {{load<T, 1>(address).value[0], load<T, 1>(address + 1).value[0]}};
  }

  // AMD's scheduler saves registers by waiting early: without this, between a quarter and half of a
  // chunk's loads were in flight; with it, all, in fewer registers (docs/decisions/046).
  __device__ void loads_issued() const {
#if __has_builtin(__builtin_amdgcn_sched_barrier)
    __builtin_amdgcn_sched_barrier(0);
#endif
  }

  // Clang 15 widened 32-bit integers of a last chunk before the branches around their loads met,
  // and spilled registers on gfx1030; with this it needs no more than there are.
  template <class T>
  __device__ T as_loaded(T x) const {
#if defined(__AMDGCN__)
    asm("" : "+v"(x));
#endif
    return x;
  }

  // The kernel's arguments at the beginning of their segment. (If a kernel's parameter is indexed
  // by a number that is known only when it runs, clang 15 copies it to scratch memory, in every
  // thread, and then reaches all memory by flat instructions.)
  template <class Kernel>
  __device__ const Kernel& arguments([[maybe_unused]] const Kernel& kernel) const {
#if defined(__AMDGCN__)
    return *(const Kernel*)__builtin_amdgcn_kernarg_segment_ptr();
#else
    return kernel;
#endif
  }

  __device__ std::uint32_t unknown(std::uint32_t word) const {
#if defined(__AMDGCN__)
    asm volatile("" : "+v"(word));
#endif
    return word;
  }

  __device__ std::uint32_t arrive(std::uint32_t* counter, std::uint32_t times = 1) const {
    return __hip_atomic_fetch_add(counter, times, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
  }
  __device__ std::uint32_t claim(std::uint32_t* counter, std::uint32_t count) const {
    return __hip_atomic_fetch_add(counter, count, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  __device__ void add(std::int64_t* word, std::int64_t value) const {
    __hip_atomic_fetch_add(word, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
};

// Waves that must fit on a SIMD unit at once: this leaves 128 vector registers a thread on gfx906
// and gfx1030. (Clang 15 spilled two kernels when gfx1030's threads could have all 256.)
inline constexpr int least_waves = architecture_wave_width == 32 ? 8 : 2;

// No block is launched with more threads (contiguous.hpp). Kernels that name more do so to bound
// the registers of NVIDIA's threads; AMD's threads spilled with the registers that this left them
// on gfx906.
#if defined(__AMDGCN__)
inline constexpr int most_threads = 512;
#else
inline constexpr int most_threads = 1024;
#endif

template <class Kernel>
inline constexpr int bounding_threads = (Kernel::max_threads < most_threads ? Kernel::max_threads
                                                                            : most_threads) /
                                        (gpu::needs_registers<Kernel> ? 2 : 1);
template <class Kernel>
inline constexpr int waves_to_fit = least_waves / (gpu::needs_registers<Kernel> ? 2 : 1);

template <class Kernel>
__global__ void __launch_bounds__(bounding_threads<Kernel>)
    __attribute__((amdgpu_waves_per_eu(waves_to_fit<Kernel>))) run(const Kernel kernel) {
  // False at compile time, unless someone builds with -mwavefrontsize64 or its opposite.
#if __has_builtin(__builtin_amdgcn_wavefrontsize)
  if (__builtin_amdgcn_wavefrontsize() != architecture_wave_width) {
    __builtin_trap();
  }
#elif defined(__HIP_DEVICE_COMPILE__)
  static_assert(architecture_wave_width == __AMDGCN_WAVEFRONT_SIZE,
                "isofold runs each architecture at its own wave width: drop -mwavefrontsize64.");
#endif
  kernel(Group<architecture_wave_width>{});
}

class Platform {
 public:
  using Status = gpu::Status;
  static constexpr const char* name = "hip";

  static Status describe(char* text, std::size_t bytes) {
    int count = 0;
    const hipError_t error = hipGetDeviceCount(&count);
    static_cast<void>(hipGetLastError());
    if (error != hipSuccess || count == 0) {
      return {ISOFOLD_backend_unavailable, why_no_device(error)};
    }
    int runtime = 0;
    static_cast<void>(hipRuntimeGetVersion(&runtime));
    std::snprintf(text, bytes, "HIP %d.%d, %d device%s", runtime / 10000000, runtime / 100000 % 100,
                  count, count == 1 ? "" : "s");
    return {};
  }
  static Status device_count(int* count) { return status(hipGetDeviceCount(count)); }
  static Status device_name(int device, char* text, std::size_t bytes) {
    hipDeviceProp_t properties{};
    const Status found = status(hipGetDeviceProperties(&properties, device));
    std::snprintf(text, bytes, "%s (%s)", properties.name, properties.gcnArchName);
    return found;
  }
  // Also asks whether this build has code for the device: if not, the first launch ends the process
  // in some runtimes.
  static Status device_facts(int device, gpu::DeviceFacts* facts) {
    hipDeviceProp_t properties{};
    const Status found = status(hipGetDeviceProperties(&properties, device));
    if (!found.ok()) {
      return found;
    }
    facts->multiprocessors = properties.multiProcessorCount;
    facts->wave_width = properties.warpSize;
    facts->slow_fences = has_slow_fences(properties.gcnArchName);
    facts->shared_bytes = properties.sharedMemPerBlock;
    facts->architecture = architecture_of(properties.gcnArchName);
    facts->l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
    facts->reaches_host_memory = properties.pageableMemoryAccess != 0;
#if defined(ISOFOLD_HIP_ARCHITECTURES)
    if (!has_code_for(properties.gcnArchName)) {
      return {ISOFOLD_backend_unavailable,
              "this build has code for " ISOFOLD_HIP_ARCHITECTURES
              " only: configure it with the device's architecture in CMAKE_HIP_ARCHITECTURES"};
    }
#endif
    return {};
  }
  static Status current_device(int* device) { return status(hipGetDevice(device)); }
  static Status use_device(int device) { return status(hipSetDevice(device)); }

  static Status locate(const void* pointer, Place* place) {
    hipPointerAttribute_t attributes{};
    const hipError_t error = hipPointerGetAttributes(&attributes, pointer);
    if (error != hipSuccess) {
      const Status asked = status(error);
      return error == hipErrorInvalidValue ? Status{} : asked;  // it does not know the pointer
    }
    if (attributes.isManaged != 0) {
      *place = {ISOFOLD_MEMORY_managed, attributes.device};
      return {};
    }
    switch (memory_type(attributes)) {
      case hipMemoryTypeDevice: *place = {ISOFOLD_MEMORY_device, attributes.device}; break;
      case hipMemoryTypeHost: *place = {ISOFOLD_MEMORY_pinned, attributes.device}; break;
      default: break;
    }
    return {};
  }

  static Status allocate(void** memory, std::size_t bytes) {
    return status(hipMalloc(memory, bytes));
  }
  static Status release(void* memory) { return status(hipFree(memory)); }
  static Status allocate_result(void** memory, std::size_t bytes) {
    return status(hipHostMalloc(memory, bytes, hipHostMallocMapped | hipHostMallocPortable));
  }
  static Status release_result(void* memory) { return status(hipHostFree(memory)); }
  static Status zero(void* memory, std::size_t bytes, void* stream) {
    return status(hipMemsetAsync(memory, 0, bytes, as_stream(stream)));
  }
  static Status copy(void* destination, const void* source, std::size_t bytes) {
    // It may return while a copy to the device, or within it, is still on its way.
    const Status copied = status(hipMemcpy(destination, source, bytes, hipMemcpyDefault));
    return copied.ok() ? synchronize(nullptr) : copied;
  }

  static Status synchronize(void* stream) {
    return status(hipStreamSynchronize(as_stream(stream)));
  }
  static Status capturing(void* stream, bool* yes) {
    hipStreamCaptureStatus capture = hipStreamCaptureStatusNone;
    const Status asked = status(hipStreamIsCapturing(as_stream(stream), &capture));
    *yes = capture != hipStreamCaptureStatusNone;
    return asked;
  }
  static Status create_event(void** event) {
    return status(
        hipEventCreateWithFlags(reinterpret_cast<hipEvent_t*>(event), hipEventDisableTiming));
  }
  static Status record_event(void* event, void* stream) {
    return status(hipEventRecord(static_cast<hipEvent_t>(event), as_stream(stream)));
  }
  static Status wait_event(void* stream, void* event) {
    return status(hipStreamWaitEvent(as_stream(stream), static_cast<hipEvent_t>(event), 0));
  }
  static void destroy_event(void* event) {
    status(hipEventDestroy(static_cast<hipEvent_t>(event)));
  }

  template <class Kernel>
  static Status launch(const Kernel& kernel, const gpu::Launch& launch, void* stream) {
    void* arguments[] = {const_cast<Kernel*>(&kernel)};
    // HIP wants fewer than 2^32 threads in a grid. Fewer blocks than asked for do the same: kernels
    // step by the blocks that there are.
    const std::int64_t most = std::int64_t{UINT32_MAX} / launch.threads;
    const std::int64_t blocks = launch.blocks < most ? launch.blocks : most;
    return status(hipLaunchKernel(reinterpret_cast<const void*>(run<Kernel>),
                                  dim3(static_cast<unsigned>(blocks)),
                                  dim3(static_cast<unsigned>(launch.threads)), arguments,
                                  launch.shared_bytes, as_stream(stream)));
  }
  template <class Kernel>
  static Status load() {
    hipFuncAttributes attributes;
    return status(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(run<Kernel>)));
  }

 private:
  static hipStream_t as_stream(void* stream) { return static_cast<hipStream_t>(stream); }

  // hipGetDeviceCount tells little; the driver's device file tells more.
  static const char* why_no_device(hipError_t error) {
    static constexpr const char* driver = "/dev/kfd";
    if (access(driver, F_OK) != 0) {
      return "no AMD GPU driver is loaded (there is no /dev/kfd)";
    }
    if (access(driver, R_OK | W_OK) != 0) {
      return "no permission to use the AMD GPUs: /dev/kfd cannot be opened; join its group, "
             "usually `render`";
    }
    if (error == hipSuccess || error == hipErrorNoDevice) {
      return "no AMD GPU is visible (rocminfo, ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES)";
    }
    return hipGetErrorString(error);
  }

  static gpu::Architecture architecture_of(const char* architecture) {
    const auto begins = [&](const char* text) {
      return std::strncmp(architecture, text, std::strlen(text)) == 0;
    };
    return begins("gfx90a")                                        ? gpu::Architecture::gfx90a
           : begins("gfx94") || begins("gfx95")                    ? gpu::Architecture::gfx942
           : begins("gfx10") || begins("gfx11") || begins("gfx12") ? gpu::Architecture::gfx10
                                                                   : gpu::Architecture::other;
  }

  // MI300 and MI350, whose L2 caches, one a die, are written back and invalidated by every release
  // and acquire of device scope (buffer_wbl2 sc1, buffer_inv sc1): docs/hip.md.
  static bool has_slow_fences(const char* architecture) {
    return std::strncmp(architecture, "gfx94", 5) == 0 ||
           std::strncmp(architecture, "gfx95", 5) == 0;
  }

#if defined(ISOFOLD_HIP_ARCHITECTURES)
  // "gfx90a:sramecc+:xnack-" has code in a build for "gfx906, gfx90a, gfx1030". The runtime alone
  // knows which devices a generic architecture of ROCm 6.3 and later stands for ("gfx11-generic").
  static bool has_code_for(const char* device_architecture) {
    const std::size_t length = std::strcspn(device_architecture, ":");
    const char* list = ISOFOLD_HIP_ARCHITECTURES;
    if (std::strstr(list, "-generic") != nullptr) {
      return true;
    }
    while (*list != '\0') {
      const std::size_t name = std::strcspn(list, ", :");
      if (name == length && std::strncmp(list, device_architecture, length) == 0) {
        return true;
      }
      list += std::strcspn(list, " ");
      list += std::strspn(list, " ");
    }
    return false;
  }
#endif

  static hipMemoryType memory_type(const hipPointerAttribute_t& attributes) {
#if HIP_VERSION_MAJOR >= 6
    return attributes.type;
#else
    return attributes.memoryType;
#endif
  }

  // The isofold_code for an error, which is cleared if HIP lets it be cleared.
  static Status status(hipError_t error) {
    if (error == hipSuccess) {
      return {};
    }
    static_cast<void>(hipGetLastError());
    return {code(error), hipGetErrorString(error)};
  }
  static std::int32_t code(hipError_t error) {
    switch (error) {
      case hipErrorOutOfMemory: return ISOFOLD_out_of_memory;
      case hipErrorStreamCaptureUnsupported:
      case hipErrorStreamCaptureInvalidated:
      case hipErrorStreamCaptureMerge:
      case hipErrorStreamCaptureUnmatched:
      case hipErrorStreamCaptureUnjoined:
      case hipErrorStreamCaptureIsolation:
      case hipErrorStreamCaptureImplicit:
      case hipErrorStreamCaptureWrongThread: return ISOFOLD_capture;
      case hipErrorNoDevice:
      case hipErrorInsufficientDriver:
      case hipErrorInvalidDevice:
      case hipErrorNoBinaryForGpu:
      case hipErrorInvalidDeviceFunction: return ISOFOLD_backend_unavailable;
      // The context is gone: every later call in this process fails the same way.
      case hipErrorIllegalAddress:
      case hipErrorLaunchFailure:
      case hipErrorLaunchTimeOut:
      case hipErrorAssert:
      case hipErrorECCNotCorrectable:
      case hipErrorDeinitialized:
      case hipErrorContextIsDestroyed: return ISOFOLD_device_lost;
      default: return ISOFOLD_device_failure;
    }
  }
};

}  // namespace isofold::hip

template <>
inline constexpr bool isofold::gpu::may_have_slow_fences<isofold::hip::Platform> = true;
template <int width>
inline constexpr bool isofold::gpu::may_have_slow_fences<isofold::hip::Group<width>> = true;
template <int width>
inline constexpr bool isofold::gpu::has_loads_issued<isofold::hip::Group<width>> = true;
template <int width>
inline constexpr bool isofold::gpu::has_as_loaded<isofold::hip::Group<width>> = true;
template <int width>
inline constexpr bool isofold::gpu::has_arguments<isofold::hip::Group<width>> = true;
