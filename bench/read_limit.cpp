// Pure-read kernels: 32- and 64-byte loads, one to eight address streams, with and without software
// prefetch. Each vector is loaded into a register and forgotten.
#include "read_limit.hpp"

#include <omp.h>

namespace bench {
namespace {

template <int bytes>
struct VectorOf {
  typedef float type __attribute__((vector_size(bytes), aligned(4), may_alias));
};

template <int width>
inline __attribute__((always_inline)) void touch(const char* p) {
#if defined(__AVX512F__)
  if constexpr (width == 64) {
    asm volatile("vmovups %0, %%zmm0" : : "m"(*reinterpret_cast<const char(*)[64]>(p)) : "xmm0");
    return;
  }
#endif
#if defined(__AVX__)
  if constexpr (width == 32) {
    asm volatile("vmovups %0, %%ymm0" : : "m"(*reinterpret_cast<const char(*)[32]>(p)) : "xmm0");
    return;
  }
#endif
  typename VectorOf<16>::type v[width / 16];
  for (int i = 0; i < width / 16; ++i) {
    v[i] = *reinterpret_cast<const typename VectorOf<16>::type*>(p + 16 * i);
#if defined(__x86_64__)
    asm volatile("" : : "x"(v[i]));
#else
    asm volatile("" : : "w"(v[i]));
#endif
  }
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
  for (std::int64_t at = each * streams; at < bytes; at += 64) {
    touch<64>(p + at);
  }
}

template <int width, int streams, int ahead>
void read(const void* data, std::int64_t bytes, int threads) {
  const auto* p = static_cast<const char*>(data);
  if (threads == 1) {
    read_part<width, streams, ahead>(p, bytes);
    return;
  }
#pragma omp parallel num_threads(threads)
  {
    const std::int64_t lines = bytes / 64;
    const std::int64_t begin = lines * omp_get_thread_num() / omp_get_num_threads() * 64;
    const std::int64_t end = lines * (omp_get_thread_num() + 1) / omp_get_num_threads() * 64;
    read_part<width, streams, ahead>(p + begin, end - begin);
  }
}

}  // namespace

const std::vector<ReadKernel>& read_kernels() {
  static const std::vector<ReadKernel> kernels{
      {"32 bytes", read<32, 1, 0>},
      {"64 bytes", read<64, 1, 0>},
      {"32 bytes, 2 streams", read<32, 2, 0>},
      {"64 bytes, 2 streams", read<64, 2, 0>},
      {"64 bytes, 4 streams", read<64, 4, 0>},
      {"32 bytes, prefetch", read<32, 1, 2048>},
      {"64 bytes, prefetch", read<64, 1, 2048>},
      {"32 bytes, 2 streams, prefetch", read<32, 2, 2048>},
      {"64 bytes, 2 streams, prefetch", read<64, 2, 2048>},
      {"32 bytes, 4 streams, prefetch", read<32, 4, 2048>},
      {"64 bytes, 4 streams, prefetch", read<64, 4, 2048>},
      {"32 bytes, 8 streams, prefetch", read<32, 8, 2048>},
      {"64 bytes, 8 streams, prefetch", read<64, 8, 2048>},
  };
  return kernels;
}

}  // namespace bench
