// Peer: BLAS xASUM, the sum of absolute values; BLAS has no plain sum, and this reads as many
// bytes.
#include "blas.hpp"

extern "C" float sasum_(const std::int32_t* n, const float* x, const std::int32_t* step);
extern "C" double dasum_(const std::int32_t* n, const double* x, const std::int32_t* step);

namespace bench {
namespace {

template <class T>
struct Asum {
  static void run(const void* data, std::int64_t n, int threads) {
    const T* x = static_cast<const T*>(data);
    const std::int32_t step = 1;
    T sum = 0;
    in_parts(n, threads, [&](std::int64_t first, std::int32_t count) {
      if constexpr (sizeof(T) == 4) {
        sum += sasum_(&count, x + first, &step);
      } else {
        sum += dasum_(&count, x + first, &step);
      }
    });
    keep(sum);
  }
};

}  // namespace
extern const Peer blas_asum;
const Peer blas_asum{named("OpenBLAS asum", "BLAS asum"), find_sum<Asum>};
}  // namespace bench
