// Loads isofold-bench-cuda.so from the program's own search path, which names isofold's folder.
#include "cuda_bench.hpp"

#include <cstring>
#include <dlfcn.h>

#include <isofold/isofold.h>

namespace cli {
namespace {

const bench::CudaModule* load(std::string& why) {
  // The module is never unloaded: a vendor's runtime does not survive that.
  void* handle = ::dlopen(bench::cuda_module_file, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    why = std::string("isofold was built without its benchmarks on CUDA "
                      "(-DISOFOLD_BUILD_BENCH=ON builds them): ") +
          ::dlerror();
    return nullptr;
  }
  void* symbol = ::dlsym(handle, bench::cuda_module_symbol);
  bench::CudaModuleFunction function = nullptr;
  static_assert(sizeof function == sizeof symbol, "POSIX: a symbol's address fits a function's.");
  std::memcpy(&function, &symbol, sizeof function);
  const bench::CudaModule* module = function != nullptr ? function() : nullptr;
  if (module == nullptr || module->record_bytes != sizeof(bench::Record) ||
      std::strcmp(module->version, isofold_version()) != 0) {
    why = std::string(bench::cuda_module_file) + " was built for another version of isofold";
    return nullptr;
  }
  return module;
}

}  // namespace

const bench::CudaModule* cuda_bench(std::string& why) {
  static std::string reason;
  static const bench::CudaModule* const module = load(reason);
  why = reason;
  return module;
}

}  // namespace cli
