// Reductions with folds and maps of the caller's own on a GPU, header-only, for files that nvcc
// or hipcc compiles (nvcc with --extended-lambda for lambdas): tree v1 over map(0) to map(n - 1),
// with the bits of transform_reduce on the host. (docs/user_folds.md)
//
//   isofold::DeviceReducer reduce(stream);      // on the current device; the default stream
//   const double energy = reduce.transform_reduce(
//       n, [=] __device__(std::int64_t i) { return 0.5 * mass[i] * v[i] * v[i]; },
//       isofold::core::Sum<double>{});          // waits
//   reduce.transform_reduce(n, map, fold, out); // writes *out on the device, in stream order
//
// The fold is any of isofold/detail/core/folds over one array, or a struct as transform_reduce.hpp
// describes it, or fold_of<State>(lift, combine). The functions of such a fold and the map are
// __device__; the size of its state is a multiple of 4 bytes; its result is trivially copyable. The
// map is called in no order, perhaps more than once for an index; combine is also called with
// State{} in place of a missing state, and its result is dropped then.
//
// Compile the file with -fmad=false (nvcc) or -ffp-contract=off (hipcc), without -use_fast_math:
// the first call in a file tests that, in one small launch. Division and square root must round
// correctly, as they do unless -prec-div=false or -prec-sqrt=false asks for less.
//
// A DeviceReducer is used by one thread at a time, allocates device memory when a call first needs
// more, and waits for its own work at its end. A graph that has captured its calls names its
// workspace: it must not be launched after the DeviceReducer is gone, nor run beside other calls.
#pragma once

#if defined(__FAST_MATH__) || defined(__USE_FAST_MATH__)
#error \
    "isofold/device_reducer.hpp compiles your fold with your flags, and these allow other bits: leave out -use_fast_math and -ffast-math for this file."
#endif

#if defined(__CUDACC__)
#include <isofold/detail/gpu/cuda.hpp>
#elif defined(__HIPCC__)
#include <isofold/detail/gpu/hip.hpp>
#else
#error \
    "isofold/device_reducer.hpp is compiled by nvcc or hipcc; on the host there is isofold/transform_reduce.hpp."
#endif

#include <isofold/detail/gpu/transform_reducer.hpp>
#include <isofold/fold_of.hpp>

namespace isofold {
namespace {  // a type of each file that includes this: what it tests of itself is not another's
struct FileOfCaller {};
}  // namespace

class DeviceReducer {
#if defined(__CUDACC__)
  using Platform = cuda::Platform;
#else
  using Platform = hip::Platform;
#endif

 public:
  explicit DeviceReducer(void* stream = nullptr) : reducer_(stream) {}

  template <class Map, class Fold, class File = FileOfCaller>
  [[nodiscard]] auto transform_reduce(std::int64_t n, const Map& map, const Fold& fold) {
    return reducer_.reduce(n, map, fold, File{});
  }
  template <class Map, class Fold, class File = FileOfCaller>
  void transform_reduce(std::int64_t n, const Map& map, const Fold& fold,
                        core::ResultOf<Fold>* result) {
    reducer_.reduce(n, map, fold, result, File{});
  }
  void synchronize() { reducer_.synchronize(); }

 private:
  gpu::TransformReducer<Platform> reducer_;
};

}  // namespace isofold
