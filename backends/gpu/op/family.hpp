// Families of folds with equal passes and states that differ in their results alone, so that one
// set of kernels serves them all.
#pragma once

#include <isofold/detail/core/fold.hpp>
#include <isofold/detail/gpu/platform.hpp>

namespace isofold::gpu {

// Base has the passes and all that states need; each of Members has result_type, finish() and
// empty(). Member number `member` is the one asked for.
template <class Base, class... Members>
struct Family : Base {
  using BaseFold = Base;
  static constexpr int members = static_cast<int>(sizeof...(Members));
  int member = 0;

  ISOFOLD_HOST_DEVICE Family(const Base& base, int which) : Base(base), member(which) {}

  // use(the member that was asked for)
  template <class Use>
  ISOFOLD_DEVICE void with_member(Use&& use) const {
    with_numbered<0, Members...>(use);
  }

 private:
  template <int number, class Member, class... Others, class Use>
  ISOFOLD_DEVICE void with_numbered(Use&& use) const {
    if (sizeof...(Others) == 0 || member == number) {
      use(Member{});
    } else if constexpr (sizeof...(Others) > 0) {
      with_numbered<number + 1, Others...>(use);
    }
  }
};

template <class Fold>
inline constexpr bool is_family = false;
template <class Base, class... Members>
inline constexpr bool is_family<Family<Base, Members...>> = true;

// The number of a fold in its family; 0 for a fold without one.
template <class Fold>
int number_of_member([[maybe_unused]] const Fold& fold) {
  if constexpr (is_family<Fold>) {
    return fold.member;
  } else {
    return 0;
  }
}
// Another member of the fold's family.
template <class Base, class... Members>
ISOFOLD_DEVICE Family<Base, Members...> member_of(Family<Base, Members...> fold, int number) {
  fold.member = number;
  return fold;
}

}  // namespace isofold::gpu
