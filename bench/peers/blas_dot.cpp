// Peer: BLAS xDOT of the array with itself: a sum of squares, which reads the array once.
#include "blas.hpp"

extern "C" float sdot_(const std::int32_t* n, const float* x, const std::int32_t* step_x,
                       const float* y, const std::int32_t* step_y);
extern "C" double ddot_(const std::int32_t* n, const double* x, const std::int32_t* step_x,
                        const double* y, const std::int32_t* step_y);

namespace bench {
namespace {

template <class T>
struct Dot {
  static void run(const void* data, std::int64_t n, int threads) {
    const T* x = static_cast<const T*>(data);
    const std::int32_t step = 1;
    T sum = 0;
    in_parts(n, threads, [&](std::int64_t first, std::int32_t count) {
      if constexpr (sizeof(T) == 4) {
        sum += sdot_(&count, x + first, &step, x + first, &step);
      } else {
        sum += ddot_(&count, x + first, &step, x + first, &step);
      }
    });
    keep(sum);
  }
};

}  // namespace
extern const Peer blas_dot;
const Peer blas_dot{named("OpenBLAS dot", "BLAS dot"), find_sum<Dot>};
}  // namespace bench
