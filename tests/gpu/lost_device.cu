// Kernels that end the use of a device in their process.
#undef NDEBUG
#include <cassert>

#include "lost_device.hpp"

namespace {

__global__ void write_to(int* address) { *address = 1; }
__global__ void trap() { __trap(); }
__global__ void assert_that(bool holds) { assert(holds); }

}  // namespace

void gpu_test::lose_device(Loss loss, void* stream) {
  auto* const on = static_cast<cudaStream_t>(stream);
  switch (loss) {
    case Loss::illegal_address: write_to<<<1, 1, 0, on>>>(reinterpret_cast<int*>(16)); break;
    case Loss::trap: trap<<<1, 1, 0, on>>>(); break;
    case Loss::assertion: assert_that<<<1, 1, 0, on>>>(false); break;
  }
}
