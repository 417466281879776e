// Where extrema are, found in two steps. A chunk's state says that its extremum is the first of its
// elements, and wins or loses against other chunks as the true one does: of f32 that takes one
// instruction an element, the place two more. Of many chunks one wins, and the place is found
// there.
#pragma once

#include <backends/gpu/op/canonical.hpp>
#include <isofold/detail/gpu/chunk_fold.hpp>

namespace isofold::gpu {

// How many places a fold of T's finds that may come late.
template <class T, class Fold>
ISOFOLD_HOST_DEVICE constexpr int late_places() {
  if constexpr (!core::is_floating<T>) {
    return 0;
  } else if constexpr (std::is_base_of_v<core::LocateBoth<T>, Fold>) {
    return 2;
  } else {
    return std::is_base_of_v<LocateKeys<T>, Fold> ? 1 : 0;
  }
}

// The state of a chunk whose first element has number `begin` in its row; by(fold) is the state
// that another fold, of the chunk's extremum or of both, makes of it.
template <class Platform, class Fold, class By>
ISOFOLD_DEVICE typename Fold::state_type state_without_place(const Fold& fold, std::int64_t begin,
                                                             By&& by) {
  using T = typename Fold::element_type;
  using Lowest = core::Keys<T, core::Toward::lowest>;
  using Highest = core::Keys<T, core::Toward::highest>;
  if constexpr (late_places<T, Fold>() == 2) {
    const auto ends = by(KernelFoldFor<Platform, core::MinimumMaximum<T>>{});
    return {{Lowest::of(ends.first), begin}, {Highest::of(ends.second), begin}};
  } else {
    const auto key = fold.turned == 0
                         ? Lowest::of(by(KernelFoldFor<Platform, core::Minimum<T>>{}))
                         : Highest::of(by(KernelFoldFor<Platform, core::Maximum<T>>{}));
    return {key, fold.last ? ~begin : begin};
  }
}

// The least, or of `last` the greatest, of the warp's numbers >= 0, where -1 is none. All of the
// warp call.
template <class Group>
ISOFOLD_DEVICE int outermost(const Group& group, int number, bool last) {
  std::uint32_t rank =
      number < 0 ? UINT32_MAX : static_cast<std::uint32_t>(last ? ~number : number);
#pragma unroll 1
  for (int distance = 1; distance < Group::wave_width; distance *= 2) {
    const std::uint32_t other = group.exchange(rank, distance);
    rank = other < rank ? other : rank;
  }
  return static_cast<int>(last ? ~rank : rank);
}

// The number of the first, or of the last, of a chunk's elements that have the bits of `value`, or
// that are NaNs as it is: there is one. The row has `left` elements from the chunk on. All of the
// warp call. In few instructions: each runs once, and a line of eight takes as long as a load.
template <class LanesOf, class Group, class T>
ISOFOLD_DEVICE_APART int place_in_chunk(const Group& group, const T* chunk, std::int64_t left,
                                        T value, bool last) {
  constexpr int at_once = LanesOf::per_load;
  constexpr int step = Group::wave_width * at_once;
  constexpr int loads = core::chunk_elements / step;
  const int thread = group.thread() % Group::wave_width;
  const auto bits = core::same_bits_as<core::signed_t<T>>(value);
  int number = -1;
  const auto look_at = [&](T x, int at) {
    const bool found = value != value ? x != x : core::same_bits_as<core::signed_t<T>>(x) == bits;
    number = found && (last || number < 0) ? at : number;
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
  return outermost(group, number, last);
}

// A node of such states, with its places; the warp's first thread has the node, and all of them get
// the true one. `row` has `length` elements; `shared` is shared memory of the warp for a state. All
// of the warp call.
template <class LanesOf, class Group, class Fold, class T>
ISOFOLD_DEVICE typename Fold::state_type with_places(const Group& group, const Fold& fold,
                                                     typename Fold::state_type node, const T* row,
                                                     std::int64_t length,
                                                     typename Fold::state_type* shared) {
  using Lowest = core::Keys<T, core::Toward::lowest>;
  using Highest = core::Keys<T, core::Toward::highest>;
  group.warp_barrier();  // all have read what is written now
  if (group.thread() % Group::wave_width == 0) {
    *shared = node;
  }
  group.warp_barrier();
  node = *shared;
  const auto found = [&](const core::LocationState& state, bool lowest, bool last) {
    const auto key = static_cast<typename Lowest::Key>(state.key);
    const T value = lowest ? Lowest::value(key) : Highest::value(key);
    const std::int64_t begin = last ? ~state.index : state.index;
    const std::int64_t place =
        begin + place_in_chunk<LanesOf>(group, row + begin, length - begin, value, last);
    return last ? ~place : place;
  };
  if constexpr (late_places<T, Fold>() == 2) {
    node.first.index = found(node.first, true, false);
    node.second.index = found(node.second, false, false);
  } else {
    node.index = found(node, fold.turned == 0, fold.last);
  }
  return node;
}

}  // namespace isofold::gpu
