// Pure-read kernels: loads of 16, 32 and 64 bytes, one to eight address streams, with and without
// software prefetch. Each vector is loaded into a register and forgotten.
#include "read_limit.hpp"

#include <cstring>
#include <fstream>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace bench {
namespace {

// The assembler knows every instruction, whatever the compiler was told to use, so that one program
// holds them all; read_kernels() asks the machine which of them it can run.
template <int width>
inline __attribute__((always_inline)) void touch(const char* p) {
#if defined(__x86_64__)
  const auto& bytes = *reinterpret_cast<const char(*)[width]>(p);
  if constexpr (width == 64) {
    asm volatile("vmovups %0, %%zmm0" : : "m"(bytes) : "xmm0");
  } else if constexpr (width == 32) {
    asm volatile("vmovups %0, %%ymm0" : : "m"(bytes) : "xmm0");
  } else {
    asm volatile("movups %0, %%xmm0" : : "m"(bytes) : "xmm0");
  }
#else
  for (int i = 0; i < width; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, p + i, sizeof word);
    asm volatile("" : : "r"(word));
  }
#endif
}

// Wide registers that stay in use would slow down the narrow instructions that follow.
template <int width>
inline void leave_wide_registers() {
#if defined(__x86_64__)
  if constexpr (width > 16) {
    asm volatile("vzeroupper" : : : "xmm0");
  }
#endif
}

// `streams` runs of 512-byte steps, side by side; `ahead` bytes of prefetch (0: none).
template <int width, int streams, int ahead>
void read_part(const char* p, std::int64_t bytes) {
  constexpr int step = 512;
  const std::int64_t each = bytes / streams / step * step;
  for (std::int64_t at = 0; at < each; at += step) {
#pragma GCC unroll 8
    for (int s = 0; s < streams; ++s) {
      const char* q = p + s * each + at;
#pragma GCC unroll 16
      for (int i = 0; i < step; i += width) {
        if constexpr (ahead != 0) {
          if (i % 64 == 0) {
            __builtin_prefetch(q + i + ahead);
          }
        }
        touch<width>(q + i);
      }
    }
  }
  for (std::int64_t at = each * streams; at < bytes; at += width) {
    touch<width>(p + at);
  }
  leave_wide_registers<width>();
}

template <int width, int streams, int ahead>
void read(const void* data, std::int64_t bytes, int threads) {
  const auto* p = static_cast<const char*>(data);
#if defined(_OPENMP)
  if (threads > 1) {
#pragma omp parallel num_threads(threads)
    {
      const std::int64_t lines = bytes / 64;
      const std::int64_t begin = lines * omp_get_thread_num() / omp_get_num_threads() * 64;
      const std::int64_t end = lines * (omp_get_thread_num() + 1) / omp_get_num_threads() * 64;
      read_part<width, streams, ahead>(p + begin, end - begin);
    }
    return;
  }
#endif
  static_cast<void>(threads);
  read_part<width, streams, ahead>(p, bytes);
}

// The kernels of one width of load.
template <int width>
void add_kernels(const std::string& name, std::vector<ReadKernel>& kernels) {
  kernels.push_back({name, read<width, 1, 0>});
  kernels.push_back({name + ", 2 streams", read<width, 2, 0>});
  kernels.push_back({name + ", 4 streams", read<width, 4, 0>});
  kernels.push_back({name + ", prefetch", read<width, 1, 2048>});
  kernels.push_back({name + ", 2 streams, prefetch", read<width, 2, 2048>});
  kernels.push_back({name + ", 4 streams, prefetch", read<width, 4, 2048>});
  kernels.push_back({name + ", 8 streams, prefetch", read<width, 8, 2048>});
}

}  // namespace

const std::vector<ReadKernel>& read_kernels() {
  static const std::vector<ReadKernel> kernels = [] {
    std::vector<ReadKernel> all;
    bool wide = false;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx") != 0) {
      add_kernels<32>("32 bytes", all);
      wide = true;
    }
    if (__builtin_cpu_supports("avx512f") != 0) {
      add_kernels<64>("64 bytes", all);
    }
#endif
    if (!wide) {
      add_kernels<16>("16 bytes", all);
    }
    return all;
  }();
  return kernels;
}

int all_threads() {
#if defined(_OPENMP)
  return omp_get_max_threads();
#else
  return 1;
#endif
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(": ");
    if (line.compare(0, 10, "model name") == 0 && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "CPU";
}

}  // namespace bench
