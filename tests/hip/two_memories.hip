// Kernels for inspection that store to shared memory in one branch and to the device's in another,
// for states of several numbers: clang 15 once made one flat store of both.
#include <isofold/detail/gpu/hip.hpp>  // first: what a GPU's compiler knows

#include <backends/gpu/input/compacted.hpp>
#include <backends/gpu/kernel/rows_compacted.hpp>
#include <backends/gpu/kernel/segments_short.hpp>
#include <isofold/detail/core/folds/extent.hpp>

namespace isofold::hip {

using Fold = core::MinimumMaximum<double>;
template __global__ void run(const gpu::ReduceShortSegments<Fold>);
template __global__ void run(const gpu::ReduceCompacted<Fold, gpu::LineSource>);

}  // namespace isofold::hip
