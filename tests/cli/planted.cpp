// Faults for the tests of the program, loaded with LD_PRELOAD in front of libisofold.
//   PLANTED_FAULT=bits    one reduction in a thousand has its lowest bit flipped (host memory only)
//   PLANTED_FAULT=device  every backend reads only memory from isofold_allocate, as a device would;
//                         PLANTED_LOG names a file that receives the largest allocation in bytes
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <string>

#include <isofold/isofold.h>

namespace {

std::map<const char*, std::size_t>& allocations() {
  static std::map<const char*, std::size_t> map;
  return map;
}

bool fault_is(const char* name) {
  const char* fault = std::getenv("PLANTED_FAULT");
  return fault != nullptr && std::strcmp(fault, name) == 0;
}

// The library's own function behind the one here.
template <class Function>
Function* behind(const char* name) {
  void* symbol = dlsym(RTLD_NEXT, name);
  Function* function = nullptr;
  std::memcpy(&function, &symbol, sizeof function);
  return function;
}

bool on_device(const void* pointer) {
  const auto* address = static_cast<const char*>(pointer);
  const auto after = allocations().upper_bound(address);
  if (after == allocations().begin()) {
    return false;
  }
  const auto& [begin, bytes] = *std::prev(after);
  return address < begin + bytes;
}

void log_largest(std::size_t bytes) {
  static std::size_t largest = 0;
  const char* path = std::getenv("PLANTED_LOG");
  if (path == nullptr || bytes <= largest) {
    return;
  }
  largest = bytes;
  if (std::FILE* file = std::fopen(path, "w")) {
    std::fprintf(file, "%zu\n", largest);
    std::fclose(file);
  }
}

}  // namespace

extern "C" {

ISOFOLD_API int32_t isofold_reduce(isofold_reducer* reducer, const isofold_request* request) {
  const bool blocking = (request->flags & ISOFOLD_BLOCKING) != 0;
  if (fault_is("device") && request->length > 0 &&
      (!on_device(request->data) || (request->second != nullptr && !on_device(request->second)) ||
       (!blocking && !on_device(request->result)))) {
    return ISOFOLD_wrong_memory;
  }
  const std::int32_t code = behind<decltype(isofold_reduce)>("isofold_reduce")(reducer, request);
  static int calls = 0;
  if (fault_is("bits") && code == ISOFOLD_ok && request->rows > 0 && ++calls % 1000 == 0) {
    *static_cast<unsigned char*>(request->result) ^= 1;
  }
  return code;
}

ISOFOLD_API int32_t isofold_allocate(const char* backend, int32_t device, size_t bytes,
                                     void** memory) {
  const std::int32_t code =
      behind<decltype(isofold_allocate)>("isofold_allocate")(backend, device, bytes, memory);
  if (code == ISOFOLD_ok) {
    allocations()[static_cast<const char*>(*memory)] = bytes;
    log_largest(bytes);
  }
  return code;
}

ISOFOLD_API void isofold_release(const char* backend, int32_t device, void* memory) {
  allocations().erase(static_cast<const char*>(memory));
  behind<decltype(isofold_release)>("isofold_release")(backend, device, memory);
}
}
