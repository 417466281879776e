// The part that openblas_asum.cpp and openblas_dot.cpp share. BLAS counts in 32 bits.
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>

#include "peer.hpp"

// OpenBLAS has these functions beyond those of BLAS, so that no other BLAS can pass for it.
extern "C" {
void blas_set_threads(int threads) __asm__("openblas_set_num_threads");
int blas_threads() __asm__("openblas_get_num_threads");
char* blas_config() __asm__("openblas_get_config");
char* blas_kernels() __asm__("openblas_get_corename");
}

namespace bench {
namespace {

// "OpenBLAS 0.3.21 ..., kernels for SkylakeX, from /usr/lib/.../libopenblas.so.0": the library in
// which the loader found `function`.
template <auto* function>
std::string identity() {
  Dl_info found{};
  const bool known = dladdr(reinterpret_cast<const void*>(function), &found) != 0;
  return std::string(blas_config()) + ", kernels for " + blas_kernels() + ", from " +
         (known ? found.dli_fname : "?");
}

// Calls part(first, count) for pieces that BLAS can count.
template <class Part>
void in_parts(std::int64_t n, int threads, Part&& part) {
  if (blas_threads() != threads) {
    blas_set_threads(threads);
  }
  constexpr std::int64_t most = std::int64_t{1} << 30;
  for (std::int64_t first = 0; first < n; first += most) {
    part(first, static_cast<std::int32_t>(std::min(most, n - first)));
  }
}

// BLAS has no plain sum: `Reduce`, which folds by `own`, stands beside sums, too, for it reads as
// many bytes.
template <template <class> class Reduce, isofold::Fold own>
PeerFunction find(isofold::Fold fold, isofold::Type type, int) {
  if (fold != isofold::Fold::sum && fold != own) {
    return nullptr;
  }
  return type == isofold::Type::f32   ? Reduce<float>::run
         : type == isofold::Type::f64 ? Reduce<double>::run
                                      : nullptr;
}

}  // namespace
}  // namespace bench
