// The folds of exact_v1 that one pass serves: whose words are among those that one fold keeps.
#pragma once

#include <isofold/detail/core/exact/folds.hpp>

namespace isofold::core::exact {

// This tells whether a fold's words are among those that the fold Kept keeps: all of them or, of
// those of moments, one of the two sums.
template <class Kept, class Fold>
inline constexpr bool is_part_of = std::is_same_v<typename KeptBy<Fold>::type, Kept>;
template <class T>
inline constexpr bool is_part_of<AllMoments<T>, Sum<T>> = true;
template <class T>
inline constexpr bool is_part_of<AllMoments<T>, Mean<T>> = true;
template <class T>
inline constexpr bool is_part_of<AllMoments<T>, Norm2<T>> = true;

// Returns the words of such a fold.
template <class Fold, class Kept>
ISOFOLD_HOST_DEVICE typename Fold::state_type part_of(const Kept& words) {
  using Own = typename Fold::state_type;
  if constexpr (std::is_same_v<Own, Kept>) {
    return words;
  } else if constexpr (std::is_same_v<decltype(Own::first), decltype(Kept::first)>) {
    return {words.first};
  } else {
    return {words.second};
  }
}

}  // namespace isofold::core::exact
