// exp and log on the device: all 2^32 floats and the doubles of the CPU's sweep, by their hashes;
// and exp_nonpositive, which must have the bits of exp. Exit code 77: no GPU.
#include <cuda_runtime.h>

#include <cinttypes>
#include <cstdio>

#include <exponential_hash.hpp>

namespace {

namespace core = isofold::core;
using exponential_hash::Function;

struct Findings {
  unsigned long long hash;
  unsigned long long nonpositive_differs;
};

template <class T>
__global__ void sweep(Function function, std::uint64_t count, int spoilt, Findings* findings) {
  using Bits = core::bits_t<T>;
  Findings own{};
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    const T x = exponential_hash::input<T>(function, i);
    T y = function == Function::exp ? core::exp(x) : core::log(x);
    if (function == Function::exp && !(x > 0)) {
      const auto expected = core::bit_cast<Bits>(core::canonical(y));
      const auto short_way = core::bit_cast<Bits>(core::canonical(core::exp_nonpositive(x)));
      own.nonpositive_differs += expected == short_way ? 0 : 1;
    }
    if (spoilt != 0 && i == count / 4) {
      y = core::bit_cast<T>(static_cast<Bits>(core::bit_cast<Bits>(y) ^ 1U));
    }
    own.hash += exponential_hash::share(core::bit_cast<Bits>(x), y);
  }
  atomicAdd(&findings->hash, own.hash);
  atomicAdd(&findings->nonpositive_differs, own.nonpositive_differs);
}

bool succeeds(cudaError_t error) {
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
  }
  return error == cudaSuccess;
}

template <class T>
bool run(Function function, std::uint64_t count, int spoilt, Findings& findings) {
  Findings* device = nullptr;
  if (!succeeds(cudaMalloc(&device, sizeof(Findings))) ||
      !succeeds(cudaMemset(device, 0, sizeof(Findings)))) {
    return false;
  }
  sweep<T><<<2048, 256>>>(function, count, spoilt, device);
  const bool copied = succeeds(cudaGetLastError()) &&
                      succeeds(cudaMemcpy(&findings, device, sizeof findings, cudaMemcpyDefault));
  return succeeds(cudaFree(device)) && copied;
}

template <class T>
bool agrees(const char* type, std::uint64_t count, int spoilt = 0) {
  bool good = true;
  for (const Function function : {Function::exp, Function::log}) {
    Findings findings{};
    if (!run<T>(function, count, spoilt, findings)) {
      return false;
    }
    const bool right = findings.hash == exponential_hash::expected<T>(function) &&
                       findings.nonpositive_differs == 0;
    std::printf("%s %s on the device: hash of %" PRIu64 " results %016llx%s%s\n",
                function == Function::exp ? "exp" : "log", type, count, findings.hash,
                right ? "" : " is not the CPU's", spoilt != 0 ? " (one bit spoilt)" : "");
    if (findings.nonpositive_differs != 0) {
      std::printf("  exp_nonpositive differs %llu times\n", findings.nonpositive_differs);
    }
    good = good && right;
  }
  return good;
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no GPU\n");
    return 77;
  }
  const bool floats = agrees<float>("f32", exponential_hash::inputs_f32);
  const bool doubles = agrees<double>("f64", exponential_hash::inputs_f64);
  const bool control = !agrees<float>("f32", exponential_hash::inputs_f32, 1);
  if (!control) {
    std::printf("The control failed: a spoilt bit was not seen.\n");
  }
  return floats && doubles && control ? 0 : 1;
}
