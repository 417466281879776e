// Peer: OpenBLAS xDOT of the array with itself, for dot products and beside sums: it reads the
// array once.
#include "openblas.hpp"

// BLAS is called by the names that Fortran gave it.
extern "C" float blas_dot_f32(const std::int32_t* n, const float* x, const std::int32_t* step_x,
                              const float* y, const std::int32_t* step_y) __asm__("sdot_");
extern "C" double blas_dot_f64(const std::int32_t* n, const double* x, const std::int32_t* step_x,
                               const double* y, const std::int32_t* step_y) __asm__("ddot_");

namespace bench {
namespace {

template <class T>
struct Dot {
  static Answer run(const void* data, std::int64_t n, int threads) {
    const T* x = static_cast<const T*>(data);
    const std::int32_t step = 1;
    T sum = 0;
    in_parts(n, threads, [&](std::int64_t first, std::int32_t count) {
      if constexpr (sizeof(T) == 4) {
        sum += blas_dot_f32(&count, x + first, &step, x + first, &step);
      } else {
        sum += blas_dot_f64(&count, x + first, &step, x + first, &step);
      }
    });
    return answer(sum);
  }
};

}  // namespace
}  // namespace bench

BENCH_EXPORT_PEER(openblas_dot, bench::Peer, "OpenBLAS dot", bench::identity<blas_dot_f32>,
                  bench::find<bench::Dot, isofold::Fold::dot>)
