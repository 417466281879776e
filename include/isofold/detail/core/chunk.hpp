// One chunk, evaluated exactly as docs/tree.md says: lift and accumulate by lanes, then fold the
// lanes by halving; twice for two-stage folds. It is sequential and plain; the reference backend
// and the Forest use it, and faster loops and kernels are judged by it.
#pragma once

#include <cstdint>

#include <isofold/detail/core/fold.hpp>
#include <isofold/detail/core/tree.hpp>

namespace isofold::core {

// The lane that `pass` makes of `count` elements (1 <= count <= 1024).
template <class Pass, class Fold>
LaneOf<Pass> fold_lanes(const Pass& pass, Elements<Fold> x, int count) {
  using Value = typename Pass::value_type;
  using Index = signed_t<Value>;
  LaneOf<Pass> lane[lanes];
  const int occupied = count < lanes ? count : lanes;
  for (int l = 0; l < occupied; ++l) {
    for (int i = l; i < count; i += lanes) {
      const Value value = value_of<Pass>(x.data[i]);
      const auto index = static_cast<Index>(i);
      if constexpr (Fold::arrays == 2) {
        const Value other = value_of<Pass>(x.second[i]);
        lane[l] =
            i == l ? pass.lift(value, other, index) : pass.accumulate(lane[l], value, other, index);
      } else {
        lane[l] = i == l ? pass.lift(value, index) : pass.accumulate(lane[l], value, index);
      }
    }
  }
  // A lane without an element is missing: its partner passes unchanged.
  for (int half = lanes / 2; half >= 1; half /= 2) {
    for (int l = 0; l < half && l + half < occupied; ++l) {
      lane[l] = pass.combine(lane[l], lane[l + half]);
    }
  }
  return lane[0];
}

// The state of `count` elements (1 <= count <= 1024) at `x`, the first of which has the index
// `begin` in its row.
template <class Fold>
typename Fold::state_type fold_chunk(const Fold& fold, Elements<Fold> x, std::int64_t begin,
                                     int count) {
  const auto first = fold_lanes(first_pass(fold), x, count);
  if constexpr (Fold::stages == 2) {
    return fold.chunk(first, fold_lanes(fold.second(first, count), x, count), count);
  } else {
    return chunk_state(fold, first, begin, count);
  }
}

}  // namespace isofold::core
