// Kernels that end the use of a device in their process.
#pragma once

namespace gpu_test {

enum class Loss { illegal_address, trap, assertion };

// Launches one and does not wait for it.
void lose_device(Loss loss, void* stream);

}  // namespace gpu_test
