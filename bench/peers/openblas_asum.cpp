// Peer: OpenBLAS xASUM, the sum of absolute values, for norm1 and beside sums.
#include "openblas.hpp"

// BLAS is called by the names that Fortran gave it.
extern "C" float blas_sum_f32(const std::int32_t* n, const float* x,
                              const std::int32_t* step) __asm__("sasum_");
extern "C" double blas_sum_f64(const std::int32_t* n, const double* x,
                               const std::int32_t* step) __asm__("dasum_");

namespace bench {
namespace {

template <class T>
struct Asum {
  static Answer run(const void* data, std::int64_t n, int threads) {
    const T* x = static_cast<const T*>(data);
    const std::int32_t step = 1;
    T sum = 0;
    in_parts(n, threads, [&](std::int64_t first, std::int32_t count) {
      if constexpr (sizeof(T) == 4) {
        sum += blas_sum_f32(&count, x + first, &step);
      } else {
        sum += blas_sum_f64(&count, x + first, &step);
      }
    });
    return answer(sum);
  }
};

}  // namespace
}  // namespace bench

BENCH_EXPORT_PEER(openblas_asum, bench::Peer, "OpenBLAS asum", bench::identity<blas_sum_f32>,
                  bench::find<bench::Asum, isofold::Fold::norm1>)
