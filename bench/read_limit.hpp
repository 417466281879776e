// The read limit: how fast this machine can load an array when nothing is done with it.
#pragma once

#include <cstdint>
#include <vector>

namespace bench {

// One way to load `bytes` bytes (a multiple of 64) once, by `threads` threads.
struct ReadKernel {
  const char* name;
  void (*read)(const void* data, std::int64_t bytes, int threads);
};

// No single kernel is the fastest everywhere: the limit is the best of these.
const std::vector<ReadKernel>& read_kernels();

}  // namespace bench
