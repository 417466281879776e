// The read limit: how fast this machine can load an array when nothing is done with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

// One way to load `bytes` bytes (a multiple of 64) once, by `threads` threads; without OpenMP by
// one.
struct ReadKernel {
  std::string name;
  void (*read)(const void* data, std::int64_t bytes, int threads);
};

// Those that this machine can run. No single one is the fastest everywhere: the limit is the best.
const std::vector<ReadKernel>& read_kernels();

// The number of threads that OpenMP grants; 1 without it.
int all_threads();

// "AMD EPYC ..." as the system names it.
std::string processor_name();

}  // namespace bench
