// The interface of the module isofold-bench-cuda.so, which gives the program isofold measurements
// that need the vendor's own events and kernels. It is built with ISOFOLD_BUILD_BENCH where there
// is a CUDA compiler, and is loaded when it is asked for, so that the program itself needs no
// vendor's library.
#pragma once

#include <cstdint>
#include <vector>

#include "record.hpp"

namespace bench {

struct CudaModule {
  // Must be those of the program, for C++ objects are handed over.
  std::uint64_t record_bytes;
  const char* version;
  // Seconds to read `bytes` bytes at `data`, or at `data` + k * bytes in turn, k < slots.
  double (*read_limit)(std::int32_t device, const void* data, std::int64_t bytes,
                       std::int32_t slots);
  // bench/ladder/climb.hpp
  std::vector<Record> (*climb)(int rounds);
};

using CudaModuleFunction = const CudaModule* (*)();
inline constexpr const char* cuda_module_file = "isofold-bench-cuda.so";
inline constexpr const char* cuda_module_symbol = "isofold_bench_cuda";

}  // namespace bench
