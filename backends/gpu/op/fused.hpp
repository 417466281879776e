// The kernels' folds for lists of folds (fused_ops.hpp): here more results are made of a family's
// states than by its own kernels, which would lack registers for them (gfx1030).
#pragma once

#include <backends/gpu/op/canonical.hpp>

namespace isofold::gpu {

// The extremum alone, from the state that has its place.
template <class T, core::Toward toward>
struct FoundExtremum {
  using result_type = T;
  ISOFOLD_HOST_DEVICE T finish(const core::LocationState& s, std::int64_t) const {
    return core::location_of<T, toward>(s, false).value;
  }
};
// The sum alone, from the state that has its bound.
template <class T>
struct SumOfBounded {
  using result_type = T;
  ISOFOLD_HOST_DEVICE T finish(const core::Two<T>& s, std::int64_t n) const {
    return core::Sum<T>{}.finish(s.first, n);
  }
};

// The further members of a family, by its base (further_members() is declared for its type alone).
template <class... Members>
struct MemberList {};
template <class T, bool floating = core::is_floating<T>>
struct FoundExtrema {
  using type =
      MemberList<FoundExtremum<T, core::Toward::lowest>, FoundExtremum<T, core::Toward::highest>>;
};
template <class T>
struct FoundExtrema<T, false> {
  using Unsigned = std::make_unsigned_t<T>;
  using type =
      MemberList<FoundExtremum<T, core::Toward::lowest>, FoundExtremum<T, core::Toward::highest>,
                 FoundExtremum<Unsigned, core::Toward::lowest>,
                 FoundExtremum<Unsigned, core::Toward::highest>>;
};
MemberList<> further_members(...);
template <class T>
typename FoundExtrema<T>::type further_members(const LocateKeys<T>*);
template <class T>
MemberList<SumOfBounded<T>> further_members(const core::BoundedSum<T, core::BoundedKind::sum>*);

// A family with its further members behind its own; any other fold as it is.
template <class Fold>
struct ListedFamily {
  using type = Fold;
};
template <class Base, class... Members>
struct ListedFamily<Family<Base, Members...>> {
  template <class... Further>
  static Family<Base, Members..., Further...> with(MemberList<Further...>);
  using type = decltype(with(further_members(static_cast<const Base*>(nullptr))));
};

// The fold of a list for a case, and its type.
template <class Platform, class Fold>
auto listed_fold(const Fold& fold) {
  const auto ours = kernel_fold<Platform>(fold);
  using Ours = std::remove_const_t<decltype(ours)>;
  if constexpr (is_family<Ours>) {
    return typename ListedFamily<Ours>::type(ours, ours.member);
  } else {
    return ours;
  }
}
template <class Platform, class Fold>
struct ListedFoldOf {
  using type = decltype(listed_fold<Platform>(Fold{}));
};

// HeldBy<Fold>::any(holds): whether holds(other, which) of one of the folds whose states have the
// result of Fold as further member number `which`.
template <class Fold>
struct HeldBy {
  static constexpr bool is_possible = false;
};
template <class T, core::Toward toward>
struct HeldBy<core::Extremum<T, toward>> {
  static constexpr bool is_possible = true;
  template <class Holds>
  static bool any(Holds&& holds) {
    constexpr int which =
        (toward == core::Toward::highest ? 1 : 0) + (std::is_unsigned_v<T> ? 2 : 0);
    return holds(core::Locate<T, toward, false>{}, which) ||
           holds(core::Locate<T, toward, true>{}, which);
  }
};
template <class T>
struct HeldBy<core::Sum<T>> {
  static constexpr bool is_possible = core::is_floating<T>;
  template <class Holds>
  static bool any(Holds&& holds) {
    return holds(core::SumWithBound<T>{}, 0);
  }
};

// This tells whether two folds of a family compute the same states.
template <class Base, class... Members>
bool have_same_states([[maybe_unused]] const Family<Base, Members...>& a,
                      [[maybe_unused]] const Family<Base, Members...>& b) {
  if constexpr (std::is_empty_v<Base>) {
    return true;
  } else {
    return a == b;
  }
}

}  // namespace isofold::gpu
