// The search for the places of both extrema of doubles in two steps, for lists of folds
// (fused_ops.hpp): two places at once would spill the registers of all other folds of a list. A
// chunk's states say that its extrema are the first of its elements, and win or lose against other
// chunks as the true ones do. One chunk wins at each end, and the place is found there
// (docs/decisions/014, 051).
#pragma once

#include <backends/gpu/op/canonical.hpp>
#include <isofold/detail/gpu/chunk_fold.hpp>

namespace isofold::gpu {

// This tells whether the places of a list's fold come late.
template <class Fold>
inline constexpr bool has_deferred_indices = std::is_base_of_v<core::LocateBoth<double>, Fold>;

// The state of a chunk whose first element has number `begin` in its row; by(fold) is the state
// that another fold, of both extrema, makes of it.
template <class Platform, class Fold, class By>
ISOFOLD_DEVICE typename Fold::state_type state_without_places(std::int64_t begin, By&& by) {
  using T = typename Fold::element_type;
  const auto ends = by(KernelFoldFor<Platform, core::MinimumMaximum<T>>{});
  return {{core::Keys<T, core::Toward::lowest>::of(ends.first), begin},
          {core::Keys<T, core::Toward::highest>::of(ends.second), begin}};
}

// The least of the warp's numbers >= 0, where -1 is none. Collective: every lane of the warp must
// call.
template <class Group>
ISOFOLD_DEVICE int first_of_warp(const Group& group, int number) {
  auto rank = static_cast<std::uint32_t>(number);
#pragma unroll 1
  for (int distance = 1; distance < Group::wave_width; distance *= 2) {
    const std::uint32_t other = group.exchange(rank, distance);
    rank = other < rank ? other : rank;
  }
  return static_cast<int>(rank);
}

// The number of the first of a chunk's elements that have the bits of `value`, or that are NaNs as
// it is: there is one. The row has `left` elements from the chunk on. Collective: every lane of the
// warp must call. The function has few instructions because each runs once, and a line of eight
// takes as long as a load.
template <class LanesOf, class Group, class T>
ISOFOLD_DEVICE_APART int place_in_chunk(const Group& group, const T* chunk, std::int64_t left,
                                        T value) {
  constexpr int at_once = LanesOf::per_load;
  constexpr int step = Group::wave_width * at_once;
  constexpr int loads = core::chunk_elements / step;
  const int thread = group.thread() % Group::wave_width;
  const auto bits = core::same_bits_as<core::signed_t<T>>(value);
  int number = -1;
  const auto look_at = [&](T x, int at) {
    const bool found = value != value ? x != x : core::same_bits_as<core::signed_t<T>>(x) == bits;
    number = found && number < 0 ? at : number;
  };
  if (left >= core::chunk_elements) {
    Pack<T, at_once> pack[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      pack[i] = group.template load<T, at_once>(chunk + i * step + thread * at_once);
    }
#pragma unroll
    for (int i = 0; i < loads; ++i) {
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        look_at(pack[i].value[j], i * step + j);
      }
    }
    number += number < 0 ? 0 : thread * at_once;
  } else {
#pragma unroll 1
    for (int i = thread; i < left; i += Group::wave_width) {
      look_at(group.template load<T, 1>(chunk + i).value[0], i);
    }
  }
  return first_of_warp(group, number);
}

// A node of such states, with its places; the warp's first thread has the node, and all of them get
// the true one. `row` has `length` elements; `shared` is shared memory of the warp for a state.
// Collective: every lane of the warp must call.
template <class LanesOf, class Group, class State, class T>
ISOFOLD_DEVICE State with_places(const Group& group, State node, const T* row, std::int64_t length,
                                 State* shared) {
  group.warp_barrier();  // all have read what is written now
  if (group.thread() % Group::wave_width == 0) {
    *shared = node;
  }
  group.warp_barrier();
  node = *shared;
  const auto found = [&](auto keys, const core::LocationState& state) {
    using Keys = decltype(keys);
    const T value = Keys::value(static_cast<typename Keys::Key>(state.key));
    return state.index +
           place_in_chunk<LanesOf>(group, row + state.index, length - state.index, value);
  };
  node.first.index = found(core::Keys<T, core::Toward::lowest>{}, node.first);
  node.second.index = found(core::Keys<T, core::Toward::highest>{}, node.second);
  return node;
}

}  // namespace isofold::gpu
