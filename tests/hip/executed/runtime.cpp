// A HIP runtime without a GPU: a look-alike of libamdhip64 whose kernels the interpreter of AMD's
// machine code executes. It has the functions that the module calls. Device memory is the process's
// own; every call has ended when it returns. Environment:
//   ISOFOLD_AMD_SEED: schedules, garbage, errors of estimates (1)
//
//   ISOFOLD_AMD_DEFER: so many of 16 accesses are performed as late as their wait (4)
//
//   ISOFOLD_AMD_ARCHITECTURE: the one of the module's architectures that runs (the first)
//
//   ISOFOLD_AMD_MULTIPROCESSORS: the device's number of them (2)
//
//   ISOFOLD_AMD_SHARED_BYTES: shared memory of a block of the device (65536)
//
//   ISOFOLD_AMD_OBJDUMP: the disassembler (llvm-objdump-15)
//
//   ISOFOLD_AMD_WITHOUT: a std::regex; kernels whose name has a match are missing
//
//   ISOFOLD_AMD_PLANT_PATTERN, ISOFOLD_AMD_PLANT_TEXT: a fault; instructions that match the first,
//   a std::regex, become the second
//
//   ISOFOLD_AMD_PLANT_FLUSHING: another fault, if it is set: kernels start in the mode that takes
//   subnormal numbers for zeros
//
//   ISOFOLD_AMD_REPORT: a file, to which the process appends a line for each kernel when it ends
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <hip/hip_runtime_api.h>

#include <sys/file.h>
#include <xmmintrin.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <regex>
#include <utility>

#include <simulator/amd/machine.hpp>

namespace {

using isofold::amd::Allocations;
using isofold::amd::CodeObject;
using isofold::amd::Fault;
using isofold::amd::Kernel;
using isofold::amd::Machine;

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

struct Memory {
  std::size_t bytes;
  bool host;
};

struct Runtime {
  Runtime()
      : machine([] {
          isofold::amd::Settings settings;
          settings.seed = setting("ISOFOLD_AMD_SEED", 1);
          settings.defer_of_16 =
              static_cast<std::uint32_t>(setting("ISOFOLD_AMD_DEFER", settings.defer_of_16));
          if (const char* const objdump = std::getenv("ISOFOLD_AMD_OBJDUMP")) {
            settings.objdump = objdump;
          }
          return settings;
        }()) {
    plant();
  }
  ~Runtime() {
    report();
    if (planted > 0) {
      std::fprintf(stderr, "AMD interpreter: a fault was planted in %zu places\n", planted);
    }
  }
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  void plant() {
    const char* const pattern = std::getenv("ISOFOLD_AMD_PLANT_PATTERN");
    const char* const text = std::getenv("ISOFOLD_AMD_PLANT_TEXT");
    if (pattern == nullptr || text == nullptr) {
      return;
    }
    // A line is the instruction, blanks, and a comment with its address, which stays.
    machine.edit = [this, search = std::regex(pattern), text = std::string(text)](
                       const std::string&, std::vector<std::string>& lines) {
      for (std::string& line : lines) {
        const std::size_t comment = line.find("//");
        const std::size_t last = line.find_last_not_of(" \t", comment == 0 ? 0 : comment - 1);
        const std::string instruction = line.substr(1, last);
        if (std::regex_match(instruction, search)) {
          line = "\t" + std::regex_replace(instruction, search, text) + " " + line.substr(comment);
          ++planted;
        }
      }
    };
  }

  // "launches wave-instructions name", for each kernel that is registered; processes take turns.
  void report() const {
    const char* const path = std::getenv("ISOFOLD_AMD_REPORT");
    std::FILE* const file = path != nullptr ? std::fopen(path, "a") : nullptr;
    if (file == nullptr) {
      return;
    }
    flock(fileno(file), LOCK_EX);
    for (const auto& [name, kernel] : kernels) {
      std::fprintf(file, "%llu %llu %s\n", static_cast<unsigned long long>(kernel.launches),
                   static_cast<unsigned long long>(kernel.instructions), name.c_str());
    }
    std::fclose(file);
  }

  std::mutex mutex;
  Machine machine;
  std::deque<CodeObject> objects;
  std::map<std::string, Kernel> kernels;
  std::map<const void*, Kernel*> functions;  // by the host's address
  std::map<std::uint64_t, Memory> memory;
  std::string architecture;
  bool lost = false;
  std::size_t planted = 0;
};

Runtime& runtime() {
  static Runtime made;
  return made;
}

thread_local hipError_t last_error = hipSuccess;

hipError_t said(hipError_t error) {
  if (error != hipSuccess) {
    last_error = error;
  }
  return error;
}

hipError_t allocate(void** pointer, std::size_t bytes, bool host) {
  Runtime& r = runtime();
  const std::lock_guard<std::mutex> lock(r.mutex);
  if (bytes == 0) {
    *pointer = nullptr;
    return hipSuccess;
  }
  void* const made = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (made == nullptr) {
    return said(hipErrorOutOfMemory);
  }
  r.machine.fill_with_garbage(made, bytes);
  r.machine.allocations().add(made, bytes, Allocations::Rights::write);
  r.memory[reinterpret_cast<std::uint64_t>(made)] = {bytes, host};
  *pointer = made;
  return hipSuccess;
}

hipError_t release(void* pointer) {
  Runtime& r = runtime();
  const std::lock_guard<std::mutex> lock(r.mutex);
  if (pointer == nullptr) {
    return hipSuccess;
  }
  if (r.memory.erase(reinterpret_cast<std::uint64_t>(pointer)) == 0) {
    return said(hipErrorInvalidValue);
  }
  r.machine.allocations().remove(pointer);
  std::free(pointer);
  return hipSuccess;
}

// Arithmetic as device code has it: to nearest, subnormals kept, whatever the caller's thread
// computes in.
class FloatingPoint {
 public:
  FloatingPoint() : before_(_mm_getcsr()) { _mm_setcsr(0x1f80); }
  ~FloatingPoint() { _mm_setcsr(before_); }
  FloatingPoint(const FloatingPoint&) = delete;
  FloatingPoint& operator=(const FloatingPoint&) = delete;

 private:
  unsigned before_;
};

hipError_t launch(Kernel& kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared) {
  Runtime& r = runtime();
  const std::lock_guard<std::mutex> lock(r.mutex);
  if (r.lost) {
    return said(hipErrorLaunchFailure);
  }
  std::vector<std::uint64_t> packed((kernel.facts.argument_bytes + 7) / 8 + 1);
  std::uint8_t* const bytes = reinterpret_cast<std::uint8_t*>(packed.data());
  std::size_t number = 0;
  for (const isofold::amd::Argument& argument : kernel.facts.arguments) {
    if (argument.kind.rfind("hidden_", 0) != 0) {
      std::memcpy(bytes + argument.offset, arguments[number++], argument.size);
    }
  }
  const FloatingPoint floating_point;
  try {
    r.machine.launch(kernel, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z},
                     static_cast<std::uint32_t>(shared), bytes);
  } catch (const Fault& fault) {
    std::fprintf(stderr, "AMD interpreter: %s\n", fault.what());
    r.lost = true;
    return said(hipErrorLaunchFailure);
  }
  return hipSuccess;
}

}  // namespace

extern "C" {

// NOLINTBEGIN(readability-identifier-naming): the vendor's names.
// The compiler hands this over when the module is loaded.
struct FatBinary {
  std::uint32_t magic;
  std::uint32_t version;
  const std::uint8_t* bundle;
};

void** __hipRegisterFatBinary(const void* data) {
  Runtime& r = runtime();
  std::vector<CodeObject> found =
      isofold::amd::unbundled(static_cast<const FatBinary*>(data)->bundle);
  const char* const wanted = std::getenv("ISOFOLD_AMD_ARCHITECTURE");
  const char* const missing = std::getenv("ISOFOLD_AMD_WITHOUT");
  const bool flushing = std::getenv("ISOFOLD_AMD_PLANT_FLUSHING") != nullptr;
  for (CodeObject& object : found) {
    if (r.architecture.empty() && (wanted == nullptr || object.architecture() == wanted)) {
      r.architecture = object.architecture();
    }
    if (object.architecture() != r.architecture) {
      continue;
    }
    r.objects.push_back(std::move(object));
    for (const auto& [name, facts] : r.objects.back().kernels()) {
      if (missing != nullptr && std::regex_search(name, std::regex(missing))) {
        continue;
      }
      Kernel& kernel = r.kernels[name];
      kernel.object = &r.objects.back();
      kernel.facts = facts;
      if (flushing) {
        kernel.facts.resources1 &= ~0xf0000u;
        ++r.planted;
      }
    }
  }
  return reinterpret_cast<void**>(&r);
}

void __hipUnregisterFatBinary(void**) {}

void __hipRegisterFunction(void**, const void* function, char*, const char* name, unsigned, void*,
                           void*, void*, void*, int*) {
  Runtime& r = runtime();
  const auto found = r.kernels.find(name);
  if (found != r.kernels.end()) {
    r.functions[function] = &found->second;
  }
}

void __hipRegisterVar(void**, void*, char*, char*, int, std::size_t, int, int) {}
// NOLINTEND(readability-identifier-naming)

hipError_t __hipPushCallConfiguration(dim3, dim3, std::size_t, hipStream_t) {
  return hipErrorNotSupported;
}
hipError_t __hipPopCallConfiguration(dim3*, dim3*, std::size_t*, hipStream_t*) {
  return hipErrorNotSupported;
}

hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                           std::size_t shared, hipStream_t) {
  const auto found = runtime().functions.find(function);
  if (found == runtime().functions.end()) {
    return said(hipErrorInvalidDeviceFunction);
  }
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0) {
    return said(hipErrorInvalidConfiguration);
  }
  return launch(*found->second, grid, block, arguments, shared);
}

hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* function) {
  const auto found = runtime().functions.find(function);
  if (found == runtime().functions.end()) {
    return said(hipErrorInvalidDeviceFunction);
  }
  *attributes = {};
  attributes->numRegs = static_cast<int>(found->second->facts.registers);
  attributes->maxThreadsPerBlock = static_cast<int>(found->second->facts.most_threads);
  attributes->sharedSizeBytes = found->second->facts.local_bytes;
  return hipSuccess;
}

hipError_t hipMalloc(void** pointer, std::size_t bytes) { return allocate(pointer, bytes, false); }
hipError_t hipFree(void* pointer) { return release(pointer); }
hipError_t hipHostMalloc(void** pointer, std::size_t bytes, unsigned) {
  return allocate(pointer, bytes, true);
}
hipError_t hipHostFree(void* pointer) { return release(pointer); }
hipError_t hipMemcpy(void* to, const void* from, std::size_t bytes, hipMemcpyKind) {
  std::memmove(to, from, bytes);
  return hipSuccess;
}
hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind,
                          hipStream_t) {
  std::memmove(to, from, bytes);
  return hipSuccess;
}
hipError_t hipMemset(void* to, int value, std::size_t bytes) {
  std::memset(to, value, bytes);
  return hipSuccess;
}
hipError_t hipMemsetAsync(void* to, int value, std::size_t bytes, hipStream_t) {
  std::memset(to, value, bytes);
  return hipSuccess;
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
  Runtime& r = runtime();
  const std::lock_guard<std::mutex> lock(r.mutex);
  const std::uint64_t address = reinterpret_cast<std::uint64_t>(pointer);
  auto after = r.memory.upper_bound(address);
  if (after == r.memory.begin()) {
    return said(hipErrorInvalidValue);
  }
  --after;
  if (address >= after->first + after->second.bytes) {
    return said(hipErrorInvalidValue);
  }
  *attributes = {};
  attributes->memoryType = after->second.host ? hipMemoryTypeHost : hipMemoryTypeDevice;
  attributes->devicePointer = const_cast<void*>(pointer);
  attributes->hostPointer = after->second.host ? const_cast<void*>(pointer) : nullptr;
  return hipSuccess;
}

hipError_t hipGetDeviceCount(int* count) {
  *count = runtime().architecture.empty() ? 0 : 1;
  return *count == 0 ? said(hipErrorNoDevice) : hipSuccess;
}
hipError_t hipGetDevice(int* device) {
  *device = 0;
  return hipSuccess;
}
hipError_t hipSetDevice(int device) {
  return device == 0 ? hipSuccess : said(hipErrorInvalidDevice);
}
hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  if (device != 0) {
    return said(hipErrorInvalidDevice);
  }
  *properties = {};
  std::snprintf(properties->name, sizeof(properties->name), "AMD instructions, interpreted");
  std::snprintf(properties->gcnArchName, sizeof(properties->gcnArchName), "%s",
                runtime().architecture.c_str());
  properties->multiProcessorCount = static_cast<int>(setting("ISOFOLD_AMD_MULTIPROCESSORS", 2));
  properties->warpSize = isofold::amd::architecture_of(runtime().architecture).lanes;
  properties->sharedMemPerBlock = setting("ISOFOLD_AMD_SHARED_BYTES", 65536);
  properties->l2CacheSize = 1 << 23;
  properties->totalGlobalMem = std::size_t{1} << 32;
  properties->maxThreadsPerBlock = 1024;
  return hipSuccess;
}
hipError_t hipRuntimeGetVersion(int* version) {
  *version = HIP_VERSION;
  return hipSuccess;
}
hipError_t hipGetLastError() { return std::exchange(last_error, hipSuccess); }
const char* hipGetErrorString(hipError_t error) {
  return error == hipSuccess ? "no error"
         : error == hipErrorLaunchFailure
             ? "a kernel failed in the interpreter, which says more on standard error"
         : error == hipErrorOutOfMemory           ? "out of memory"
         : error == hipErrorInvalidValue          ? "invalid argument"
         : error == hipErrorInvalidDeviceFunction ? "invalid device function"
                                                  : "an error of the interpreted HIP runtime";
}

// Every launch has ended when it returns, so streams and events have nothing to order.
hipError_t hipDeviceSynchronize() { return hipSuccess; }
hipError_t hipStreamCreate(hipStream_t* stream) {
  *stream = reinterpret_cast<hipStream_t>(new char);
  return hipSuccess;
}
hipError_t hipStreamDestroy(hipStream_t stream) {
  delete reinterpret_cast<char*>(stream);
  return hipSuccess;
}
hipError_t hipStreamSynchronize(hipStream_t) {
  return runtime().lost ? said(hipErrorLaunchFailure) : hipSuccess;
}
hipError_t hipStreamIsCapturing(hipStream_t, hipStreamCaptureStatus* status) {
  *status = hipStreamCaptureStatusNone;
  return hipSuccess;
}
hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t, unsigned) { return hipSuccess; }
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned) {
  *event = reinterpret_cast<hipEvent_t>(new char);
  return hipSuccess;
}
hipError_t hipEventRecord(hipEvent_t, hipStream_t) { return hipSuccess; }
hipError_t hipEventDestroy(hipEvent_t event) {
  delete reinterpret_cast<char*>(event);
  return hipSuccess;
}

}  // extern "C"
