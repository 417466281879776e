// The fold of a chunk whose elements a warp has compacted into shared memory, for the kernels under
// masks and over concatenated arrays: loads come from shared memory, the passes are those of any
// other chunk.
#pragma once

#include <backends/gpu/input/compact.hpp>
#include <isofold/detail/gpu/chunk_fold.hpp>

namespace isofold::gpu {

// A Group that loads from shared memory.
template <class Group>
struct FromShared : Group {
  ISOFOLD_DEVICE explicit FromShared(const Group& group) : Group(group) {}

  template <class T, int count>
  ISOFOLD_DEVICE Pack<T, count> load(const T* address) const {
    Pack<T, count> pack;
    const void* const from = __builtin_assume_aligned(address, sizeof pack);
    if constexpr (has_as_loaded<Group>) {  // clang 15 cuts some copies into bytes
#pragma unroll
      for (int i = 0; i < count; ++i) {
        pack.value[i] = static_cast<const T*>(from)[i];
      }
    } else {  // nvcc makes fewer instructions of them
      memcpy(&pack, from, sizeof pack);
    }
    return pack;
  }
  template <class T>
  ISOFOLD_DEVICE Pack<T, 2> load_two(const T* address) const {
    return load<T, 2>(address);  // the buffer aligns elements to their size
  }
};
template <class Group>
inline constexpr bool has_as_loaded<FromShared<Group>> = has_as_loaded<Group>;

// A thread holds a quarter of a compacted chunk's rows, to save registers: the others are soon
// loaded again. Folds by whole lanes hold all rows.
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr int compacted_parts() {
  return folds_whole_lanes<core::FirstPass<Fold>> ? 1 : 4;
}
template <class Fold>
using PackedRows = HeldRows<typename Fold::element_type, NarrowLanes<typename Fold::element_type>,
                            Fold::arrays, compacted_parts<Fold>()>;

// The state of the chunk that lies compacted at `x`, in shared memory. Collective: every lane of
// the warp must call; every thread gets the state.
template <bool whole, class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type fold_compacted_chunk(const Group& group, const Fold& fold,
                                                              const core::Elements<Fold>& x,
                                                              std::int64_t begin, int count) {
  using Lanes = NarrowLanes<typename Fold::element_type>;
  const FromShared<Group> from(group);
  const typename Fold::element_type* const arrays[] = {x.data, x.second};
  const int thread = group.thread() % Lanes::team;  // teams of a warp do the same
  PackedRows<Fold> held;
  const auto load = [&](int part) {
    load_part<whole, Lanes>(from, held, arrays, part, count, thread);
  };
  if constexpr (PackedRows<Fold>::parts == 1) {
    load(0);
  }
  return state_of_held<whole, Lanes>(from, fold, held, begin, count, thread, load);
}

// This bound on the threads of a block is a bound on the registers of each on NVIDIA devices. Sums,
// products and extrema of one array need few registers and gain by more warps; the other folds
// spill at that bound, and some of them need all registers (docs/decisions/027, 049).
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr int compacted_most_threads() {
  using Element = typename Fold::element_type;
  constexpr bool is_large =
      core::has_likely_second<Fold> || (Fold::arrays == 2 && sizeof(Element) > sizeof(double));
  constexpr bool is_small = Fold::stages == 1 && !folds_whole_lanes<core::FirstPass<Fold>> &&
                            Fold::arrays == 1 && sizeof(Element) <= 8 &&
                            sizeof(core::LaneOf<core::FirstPass<Fold>>) == sizeof(Element);
  return is_large ? 256 : is_small ? 640 : 512;
}

}  // namespace isofold::gpu
