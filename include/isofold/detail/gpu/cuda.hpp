// The CUDA platform: the interface of platform.hpp in NVIDIA's words, for kernels and their
// launches. Each function is the one runtime call that it names; its callers take the decisions.
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <isofold/detail/gpu/platform.hpp>

namespace isofold::cuda {

// The compute capability, times ten, that this pass of nvcc over device code compiles for.
#ifdef __CUDA_ARCH__
inline constexpr int compiled_for = __CUDA_ARCH__ / 10;
#else
inline constexpr int compiled_for = 0;
#endif
// Asynchronous copies to shared memory, which leave the registers alone.
constexpr bool copies_to_shared(int architecture) { return architecture >= 80; }
// Such copies, and shared memory for the chunks of 16 warps or more: a block has 163 or 227 KiB,
// but 99 on devices for graphics.
constexpr bool stages_chunks(int architecture) {
  return copies_to_shared(architecture) && architecture != 86 && architecture != 89 &&
         architecture < 120;
}
// An instruction that copies many bytes, in code for devices with as much shared memory.
constexpr bool copies_in_bulk(int architecture) {
  return architecture >= 90 && stages_chunks(architecture);
}

class Group {
 public:
  static constexpr int wave_width = 32;

  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ int threads() const { return static_cast<int>(blockDim.x); }
  __device__ std::int64_t block() const { return blockIdx.x; }
  __device__ std::int64_t blocks() const { return gridDim.x; }
  __device__ void* shared() const {
    extern __shared__ __align__(16) unsigned char memory[];
    return memory;
  }
  __device__ void barrier() const { __syncthreads(); }
  __device__ void warp_barrier() const { __syncwarp(); }
  __device__ std::uint32_t exchange(std::uint32_t word, int mask) const {
    return __shfl_xor_sync(0xffffffffU, word, mask);
  }

  __device__ bool all(bool condition) const {
    return __all_sync(0xffffffffU, static_cast<int>(condition)) != 0;
  }
  __device__ std::uint32_t ballot(bool condition) const {
    return __ballot_sync(0xffffffffU, static_cast<int>(condition));
  }

  // Loads through the read-only path. It does not bypass L1 (no_allocate), which costs speed for
  // large arrays (docs/decisions/049). Each width is volatile: the compiler may move any other load
  // above the wait in run().
  template <class T, int count>
  __device__ gpu::Pack<T, count> load(const T* address) const {
    gpu::Pack<T, count> pack;
    if constexpr (sizeof(pack) == 16) {
      uint4 words;
      asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
                   : "l"(address));
      memcpy(&pack, &words, sizeof(pack));
    } else if constexpr (sizeof(pack) == 8) {
      uint2 words;
      asm volatile("ld.global.nc.v2.u32 {%0, %1}, [%2];"
                   : "=r"(words.x), "=r"(words.y)
                   : "l"(address));
      memcpy(&pack, &words, sizeof(pack));
    } else if constexpr (sizeof(pack) == 4) {
      unsigned word;
      asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(word) : "l"(address));
      memcpy(&pack, &word, sizeof(pack));
    } else {
      static_assert(sizeof(pack) <= 2, "Loads are of 1, 2, 4, 8 or 16 bytes.");
      std::uint16_t word;
      if constexpr (sizeof(pack) == 2) {
        asm volatile("ld.global.nc.u16 %0, [%1];" : "=h"(word) : "l"(address));
      } else {
        asm volatile("ld.global.nc.u8 %0, [%1];" : "=h"(word) : "l"(address));
      }
      memcpy(&pack, &word, sizeof(pack));
    }
    return pack;
  }
  // load() of 16 bytes that nobody reads again: other data keep their place in L2.
  template <class T>
  __device__ gpu::Pack<T, 16 / sizeof(T)> load_once(const T* address) const {
    gpu::Pack<T, 16 / sizeof(T)> pack;
    static_assert(sizeof(pack) == 16, "Elements of at most 16 bytes.");
    uint4 words;
    asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
                 : "l"(address));
    memcpy(&pack, &words, sizeof(pack));
    return pack;
  }
  // Both loads have one address: with two, kernels of complex elements spilled up to 200 bytes.
  template <class T>
  __device__ gpu::Pack<T, 2> load_two(const T* address) const {
    gpu::Pack<T, 2> pack;
    if constexpr (sizeof(T) == 8) {
      std::uint64_t first;
      std::uint64_t second;
      asm volatile("ld.global.nc.u64 %0, [%2]; ld.global.nc.u64 %1, [%2+8];"
                   : "=&l"(first), "=&l"(second)
                   : "l"(address));
      memcpy(&pack.value[0], &first, sizeof(first));
      memcpy(&pack.value[1], &second, sizeof(second));
    } else {
      static_assert(sizeof(T) == 4, "Two numbers of 4 or of 8 bytes.");
      unsigned first;
      unsigned second;
      asm volatile("ld.global.nc.u32 %0, [%2]; ld.global.nc.u32 %1, [%2+4];"
                   : "=&r"(first), "=&r"(second)
                   : "l"(address));
      memcpy(&pack.value[0], &first, sizeof(first));
      memcpy(&pack.value[1], &second, sizeof(second));
    }
    return pack;
  }
  // Copies of 16 bytes bypass L1, because nobody else reads them.
  template <int bytes>
  __device__ void copy_to_shared(void* shared, const void* address) const {
    const unsigned to = shared_address(shared);
    if constexpr (bytes == 16) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(address) : "memory");
    } else {
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(address), "n"(bytes)
                   : "memory");
    }
  }
  __device__ void wait_for_copies() const { asm volatile("cp.async.wait_all;" ::: "memory"); }
  __device__ void begin_arrivals(std::uint64_t* arrival) const {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.proxy.async.shared::cta;" ::"r"(
                     shared_address(arrival))
                 : "memory");
  }
  __device__ void end_stores() const {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __device__ void expect(std::uint64_t* arrival, int bytes) const {
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(arrival)),
        "r"(bytes)
        : "memory");
  }
  __device__ void copy_bulk(void* shared, const void* address, int bytes,
                            std::uint64_t* arrival) const {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(shared_address(shared)),
        "l"(address), "r"(bytes), "r"(shared_address(arrival))
        : "memory");
  }
  __device__ void wait_for_arrival(std::uint64_t* arrival, std::uint32_t parity) const {
    asm volatile("{ .reg .pred arrived;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 arrived, [%0], %1;\n"
                 "@!arrived bra again; }" ::"r"(shared_address(arrival)),
                 "r"(parity)
                 : "memory");
  }
  __device__ float from_half(std::uint16_t bits) const {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
  }

  // nvcc saves registers by using loaded values before it issues other loads: only a third of a
  // last chunk's loads were in flight in sums of f64. No code moves across this barrier, which
  // costs nothing by itself.
  __device__ void loads_issued() const { __syncwarp(); }

  __device__ std::uint32_t unknown(std::uint32_t word) const {
    asm volatile("" : "+r"(word));
    return word;
  }

  // One atomic that releases and acquires; __threadfence() on both sides would be sequentially
  // consistent, which costs more than the hand-over needs.
  __device__ std::uint32_t arrive(std::uint32_t* counter, std::uint32_t times = 1) const {
#if __CUDA_ARCH__ >= 700
    std::uint32_t before;
    asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(counter), "r"(times)
                 : "memory");
    return before;
#else
    __threadfence();
    const std::uint32_t before = atomicAdd(counter, times);
    __threadfence();
    return before;
#endif
  }
  __device__ std::uint32_t claim(std::uint32_t* counter, std::uint32_t count) const {
    return atomicAdd(counter, count);
  }
  __device__ void add(std::int64_t* word, std::int64_t value) const {
    atomicAdd(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(value));
  }

 private:
  __device__ static unsigned shared_address(const void* shared) {
    return static_cast<unsigned>(__cvta_generic_to_shared(shared));
  }
};

// A kernel that serves only to ask which code the device runs.
struct NoKernel {
  static constexpr int max_threads = 32;
  __device__ void operator()(Group) const {}
};

// The threads of a block that bound its registers.
template <class Kernel>
constexpr int bounding_threads() {
  constexpr int bulk = gpu::bulk_threads<Kernel>;
  constexpr int staged = gpu::staged_threads<Kernel>;
  return bulk > 0 && copies_in_bulk(compiled_for) ? bulk
         : staged > 0 && stages_chunks(compiled_for)
             ? staged
             : Kernel::max_threads / (gpu::needs_all_registers<Kernel> ? 2 : 1);
}

// The 1 lets the compiler use all registers that the threads have, and so keep a chunk's 16 loads
// in flight; without it, it keeps four. From compute capability 9.0 on a launch may overlap the end
// of the work before it (see launch()): the kernel waits for that work here, before it touches
// memory. The next launch may overlap this one from the same point on if `next_may_begin`, else
// from the end of the last block.
template <class Kernel>
__global__ void __launch_bounds__(bounding_threads<Kernel>(), 1)
    run(const __grid_constant__ Kernel kernel, [[maybe_unused]] bool next_may_begin) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (next_may_begin) {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  }
#endif
  kernel(Group{});
}

class Platform {
 public:
  using Status = gpu::Status;
  static constexpr const char* name = "cuda";

  static Status describe(char* text, std::size_t bytes) {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    cudaGetLastError();
    if (error == cudaErrorInsufficientDriver) {
      return {ISOFOLD_backend_unavailable,
              "no NVIDIA driver is loaded, or it is older than the CUDA runtime of this build; "
              "install or update the driver (nvidia-smi shows it)"};
    }
    if (error == cudaErrorNoDevice || (error == cudaSuccess && count == 0)) {
      return {ISOFOLD_backend_unavailable,
              "no NVIDIA GPU is visible (nvidia-smi, CUDA_VISIBLE_DEVICES)"};
    }
    if (error != cudaSuccess) {
      return {ISOFOLD_backend_unavailable, cudaGetErrorString(error)};
    }
    int driver = 0;
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    std::snprintf(text, bytes, "CUDA %d.%d (driver for %d.%d), %d device%s", runtime / 1000,
                  runtime % 1000 / 10, driver / 1000, driver % 1000 / 10, count,
                  count == 1 ? "" : "s");
    return {};
  }
  static Status device_count(int* count) { return status(cudaGetDeviceCount(count)); }
  static Status device_name(int device, char* text, std::size_t bytes) {
    cudaDeviceProp properties{};
    const Status found = status(cudaGetDeviceProperties(&properties, device));
    std::snprintf(text, bytes, "%s", properties.name);
    return found;
  }
  static Status device_facts(int device, gpu::DeviceFacts* facts) {
    facts->wave_width = Group::wave_width;
    int shared_bytes = 0;
    int l2_bytes = 0;
    int major = 0;
    int pageable = 0;
    cudaFuncAttributes attributes{};
    cudaError_t asked =
        cudaDeviceGetAttribute(&facts->multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (asked == cudaSuccess) {
      asked =
          cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
      facts->shared_bytes = static_cast<std::size_t>(shared_bytes);
    }
    if (asked == cudaSuccess) {
      asked = cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device);
      facts->l2_bytes = static_cast<std::size_t>(l2_bytes);
    }
    if (asked == cudaSuccess) {
      asked = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
      facts->architecture = major == 9   ? gpu::Architecture::sm90
                            : major == 8 ? gpu::Architecture::sm80
                                         : gpu::Architecture::other;
    }
    if (asked == cudaSuccess) {
      asked = cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, device);
      facts->reaches_host_memory = pageable != 0;
    }
    if (asked == cudaSuccess) {  // facts of the current device, which this one is in every call
      asked = cudaFuncGetAttributes(&attributes, run<NoKernel>);
      facts->has_stages = stages_chunks(attributes.ptxVersion);
      facts->has_bulk_copies = copies_in_bulk(attributes.ptxVersion);
    }
    return status(asked);
  }
  static Status current_device(int* device) { return status(cudaGetDevice(device)); }
  static Status use_device(int device) { return status(cudaSetDevice(device)); }

  static Status locate(const void* pointer, Place* place) {
    cudaPointerAttributes attributes{};
    const cudaError_t error = cudaPointerGetAttributes(&attributes, pointer);
    if (error != cudaSuccess) {
      const Status asked = status(error);
      return error == cudaErrorInvalidValue ? Status{} : asked;  // it does not know the pointer
    }
    switch (attributes.type) {
      case cudaMemoryTypeDevice: *place = {ISOFOLD_MEMORY_device, attributes.device}; break;
      case cudaMemoryTypeManaged: *place = {ISOFOLD_MEMORY_managed, attributes.device}; break;
      case cudaMemoryTypeHost: *place = {ISOFOLD_MEMORY_pinned, attributes.device}; break;
      default: break;
    }
    return {};
  }

  static Status allocate(void** memory, std::size_t bytes) {
    return status(cudaMalloc(memory, bytes));
  }
  static Status release(void* memory) { return status(cudaFree(memory)); }
  static Status allocate_result(void** memory, std::size_t bytes) {
    return status(cudaHostAlloc(memory, bytes, cudaHostAllocMapped | cudaHostAllocPortable));
  }
  static Status release_result(void* memory) { return status(cudaFreeHost(memory)); }
  static Status zero(void* memory, std::size_t bytes, void* stream) {
    return status(cudaMemsetAsync(memory, 0, bytes, as_stream(stream)));
  }
  static Status copy(void* destination, const void* source, std::size_t bytes) {
    // It may return while a copy to the device, or within it, is still on its way.
    const Status copied = status(cudaMemcpy(destination, source, bytes, cudaMemcpyDefault));
    return copied.ok() ? synchronize(nullptr) : copied;
  }

  static Status synchronize(void* stream) {
    return status(cudaStreamSynchronize(as_stream(stream)));
  }
  static Status capturing(void* stream, bool* yes) {
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    const Status asked = status(cudaStreamIsCapturing(as_stream(stream), &capture));
    *yes = capture != cudaStreamCaptureStatusNone;
    return asked;
  }
  static Status create_event(void** event) {
    return status(
        cudaEventCreateWithFlags(reinterpret_cast<cudaEvent_t*>(event), cudaEventDisableTiming));
  }
  static Status record_event(void* event, void* stream) {
    return status(cudaEventRecord(static_cast<cudaEvent_t>(event), as_stream(stream)));
  }
  static Status wait_event(void* stream, void* event) {
    return status(cudaStreamWaitEvent(as_stream(stream), static_cast<cudaEvent_t>(event), 0));
  }
  static void destroy_event(void* event) {
    status(cudaEventDestroy(static_cast<cudaEvent_t>(event)));
  }

  template <class Kernel>
  static Status launch(const Kernel& kernel, const gpu::Launch& launch, void* stream) {
    return enqueue(reinterpret_cast<const void*>(&run<Kernel>), kept<Kernel>, &kernel, launch,
                   stream);
  }
  template <class Kernel>
  static Status load() {
    int multiprocessors = 0;
    return prepare(reinterpret_cast<const void*>(&run<Kernel>), kept<Kernel>, &multiprocessors);
  }

 private:
  // Facts about a kernel that the two functions below need. Those are no templates, because there
  // are two thousand kernels to compile.
  static constexpr int most_devices = 64;
  using Kept = std::atomic<int>[most_devices];  // multiprocessors, plus 1
  template <class Kernel>
  static inline Kept kept;

  // A launch by <<<...>>> would not do: its error must be read from the thread's last error, which
  // may be the caller's.
  static Status enqueue(const void* function, Kept& kept, const void* kernel,
                        const gpu::Launch& launch, void* stream) {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(launch.blocks));
    config.blockDim = dim3(static_cast<unsigned>(launch.threads));
    config.dynamicSmemBytes = launch.shared_bytes;
    config.stream = as_stream(stream);
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    // Launches overlap because small grids gain by it. In a grid of more blocks than
    // multiprocessors the next one may begin only as its blocks end: sooner, the next grid would
    // settle unevenly around them (docs/decisions/045, 049).
    //
    // In a capture an edge from another kernel becomes a programmatic one, for which CUDA refuses
    // two questions in their form without edge data: cudaGraphGetEdges and
    // cudaGraphNodeGetDependencies (cudaErrorLossyQuery). The form with edge data is there since
    // CUDA 12.3, as are such edges. cudaStreamGetCaptureInfo, old and new, updates, clones and
    // child graphs take no notice (tried). Programs that must ask these questions set
    // ISOFOLD_CUDA_OVERLAP=0.
    int multiprocessors = 0;
    if (const Status prepared = prepare(function, kept, &multiprocessors); !prepared.ok()) {
      return prepared;
    }
    if (stream != nullptr && multiprocessors > 0 && overlap_is_wanted() &&
        (!launch.capturing || graphs_know_programmatic_edges())) {
      config.attrs = &overlap;
      config.numAttrs = 1;
    }
    bool next_may_begin = launch.blocks <= multiprocessors;
    void* arguments[] = {const_cast<void*>(kernel), &next_may_begin};
    return status(cudaLaunchKernelExC(&config, function, arguments));
  }

  // Runs once for each kernel and device: loads it, allows it all of the shared memory that a block
  // can have, and asks for the device's multiprocessors. Those are 0 if its code does not hold the
  // wait in run(), as when the driver translates PTX of an older architecture.
  static Status prepare(const void* function, Kept& kept, int* multiprocessors) {
    int device = 0;
    if (const Status asked = current_device(&device); !asked.ok()) {
      return asked;
    }
    const bool is_kept = device < most_devices;
    if (const int answer = is_kept ? kept[device].load(std::memory_order_acquire) : 0; answer > 0) {
      *multiprocessors = answer - 1;
      return {};
    }
    cudaFuncAttributes attributes{};
    gpu::DeviceFacts facts;
    Status done = status(cudaFuncGetAttributes(&attributes, function));
    done = done.ok() ? device_facts(device, &facts) : done;
    done = done.ok()
               ? status(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(facts.shared_bytes)))
               : done;
    *multiprocessors = attributes.ptxVersion >= 90 ? facts.multiprocessors : 0;
    if (done.ok() && is_kept) {
      kept[device].store(*multiprocessors + 1, std::memory_order_release);
    }
    return done;
  }

  static bool overlap_is_wanted() {
    static const bool wanted = [] {
      const char* text = std::getenv("ISOFOLD_CUDA_OVERLAP");
      return text == nullptr || std::strcmp(text, "0") != 0;
    }();
    return wanted;
  }

  static bool graphs_know_programmatic_edges() {
    static const bool known = [] {
      int driver = 0;
      return cudaDriverGetVersion(&driver) == cudaSuccess && driver >= 12030;
    }();
    return known;
  }

  static cudaStream_t as_stream(void* stream) { return static_cast<cudaStream_t>(stream); }

  // The isofold_code for an error, which is cleared if CUDA lets it be cleared.
  static Status status(cudaError_t error) {
    if (error == cudaSuccess) {
      return {};
    }
    cudaGetLastError();
    return {code(error), cudaGetErrorString(error)};
  }
  static std::int32_t code(cudaError_t error) {
    switch (error) {
      case cudaErrorMemoryAllocation: return ISOFOLD_out_of_memory;
      case cudaErrorStreamCaptureUnsupported:
      case cudaErrorStreamCaptureInvalidated:
      case cudaErrorStreamCaptureMerge:
      case cudaErrorStreamCaptureUnmatched:
      case cudaErrorStreamCaptureUnjoined:
      case cudaErrorStreamCaptureIsolation:
      case cudaErrorStreamCaptureImplicit:
      case cudaErrorStreamCaptureWrongThread: return ISOFOLD_capture;
      case cudaErrorNoDevice:
      case cudaErrorInsufficientDriver:
      case cudaErrorInvalidDevice:
      case cudaErrorNoKernelImageForDevice:
      case cudaErrorUnsupportedPtxVersion:
      case cudaErrorInvalidDeviceFunction: return ISOFOLD_backend_unavailable;
      // The context is gone: every later call in this process fails the same way.
      case cudaErrorIllegalAddress:
      case cudaErrorLaunchFailure:
      case cudaErrorLaunchTimeout:
      case cudaErrorHardwareStackError:
      case cudaErrorIllegalInstruction:
      case cudaErrorMisalignedAddress:
      case cudaErrorInvalidAddressSpace:
      case cudaErrorInvalidPc:
      case cudaErrorAssert:
      case cudaErrorECCUncorrectable:
      case cudaErrorNvlinkUncorrectable:
      case cudaErrorDevicesUnavailable:
      case cudaErrorDeviceUninitialized:
      case cudaErrorCudartUnloading:
      case cudaErrorContextIsDestroyed: return ISOFOLD_device_lost;
      default: return ISOFOLD_device_failure;
    }
  }
};

}  // namespace isofold::cuda

template <>
inline constexpr bool isofold::gpu::has_loads_issued<isofold::cuda::Group> = true;
template <>
inline constexpr bool isofold::gpu::has_load_once<isofold::cuda::Group> = true;
template <>
inline constexpr bool isofold::gpu::has_vote<isofold::cuda::Group> = true;
template <>
inline constexpr bool isofold::gpu::has_from_half<isofold::cuda::Group> = true;
template <>
inline constexpr bool isofold::gpu::has_copies_to_shared<isofold::cuda::Group> =
    isofold::cuda::copies_to_shared(isofold::cuda::compiled_for);
template <>
inline constexpr bool isofold::gpu::has_stages<isofold::cuda::Group> =
    isofold::cuda::stages_chunks(isofold::cuda::compiled_for);
template <>
inline constexpr bool isofold::gpu::has_bulk_copies<isofold::cuda::Group> =
    isofold::cuda::copies_in_bulk(isofold::cuda::compiled_for);
template <>
inline constexpr bool isofold::gpu::may_have_stages<isofold::cuda::Platform> = true;
template <>
inline constexpr bool isofold::gpu::may_have_bulk_copies<isofold::cuda::Platform> = true;
template <>
inline constexpr bool isofold::gpu::keeps_branches_apart<isofold::cuda::Platform> = true;
