// What blas_asum.cpp and blas_dot.cpp share: BLAS counts in 32 bits, and only OpenBLAS says how
// many threads it shall use.
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "../measure.hpp"
#include "peer.hpp"

namespace bench {
namespace {

using SetThreads = void (*)(int);

// nullptr where BLAS is not OpenBLAS.
inline SetThreads find_set_threads() {
  void* symbol = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
  SetThreads function = nullptr;
  std::memcpy(&function, &symbol, sizeof function);
  return function;
}

// Calls part(first, count) for pieces that BLAS can count.
template <class Part>
void in_parts(std::int64_t n, int threads, Part&& part) {
  static const SetThreads set_threads = find_set_threads();
  static int threads_now = 0;
  if (set_threads != nullptr && threads_now != threads) {
    set_threads(threads);
    threads_now = threads;
  }
  constexpr std::int64_t most = std::int64_t{1} << 30;
  for (std::int64_t first = 0; first < n; first += most) {
    part(first, static_cast<std::int32_t>(std::min(most, n - first)));
  }
}

// Sums of f32 and f64, with threads only where BLAS can be told how many.
template <template <class> class Reduce>
PeerFunction find_sum(isofold::Fold fold, isofold::Type type, int threads) {
  if (fold != isofold::Fold::sum || (threads != 1 && find_set_threads() == nullptr)) {
    return nullptr;
  }
  return type == isofold::Type::f32   ? Reduce<float>::run
         : type == isofold::Type::f64 ? Reduce<double>::run
                                      : nullptr;
}

inline const char* named(const char* openblas, const char* other) {
  return find_set_threads() != nullptr ? openblas : other;
}

}  // namespace
}  // namespace bench
