// Folds with the same passes and states, which differ in their results alone: one set of kernels.
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

  // use(the member)
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

// Which member of its family a fold is; of none 0.
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
