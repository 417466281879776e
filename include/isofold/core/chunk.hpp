// One chunk, read aloud from docs/tree.md: lift and accumulate by lanes, then fold the lanes by
// halving. Sequential and plain: the reference backend and the Forest use it, faster walks are
// judged by it.
#pragma once

#include <cstdint>

#include <isofold/core/tree.hpp>

namespace isofold::core {

// The state of `count` elements (1 <= count <= 1024) at `x`; `first` is the index of x[0].
template <class Fold>
typename Fold::state_type fold_chunk(Fold fold, const typename Fold::element_type* x,
                                     std::int64_t first, int count) {
  typename Fold::state_type lane[lanes];
  const int occupied = count < lanes ? count : lanes;
  for (int l = 0; l < occupied; ++l) {
    lane[l] = fold.lift(x[l], first + l);
    for (int i = l + lanes; i < count; i += lanes) {
      lane[l] = fold.accumulate(lane[l], x[i], first + i);
    }
  }
  // A lane without an element is missing: its partner passes unchanged.
  for (int half = lanes / 2; half >= 1; half /= 2) {
    for (int l = 0; l < half && l + half < occupied; ++l) {
      lane[l] = fold.combine(lane[l], lane[l + half]);
    }
  }
  return lane[0];
}

}  // namespace isofold::core
