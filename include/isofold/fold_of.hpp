// fold_of(lift, combine[, finish]) makes a fold of functions for transform_reduce: lambdas,
// functions and function objects, which can be called when they are constant.
//
//   lift(x) -> state            from what map returns; its type, as a value, is the state's
//   combine(a, b) -> state      associative and commutative up to rounding
//   finish(s, n) or finish(s)   the result of n values; the state itself if it is left out
//
//   const double largest = transform_reduce(
//       n, [&](std::int64_t i) { return std::abs(x[i]); },
//       fold_of([](double x) { return x; }, [](double a, double b) { return a > b ? a : b; }));
//
// fold_of<State>(...) says the state's type, for a lift that returns another one, and for devices.
// Functions that capture are trivially copyable: they capture by reference, or such values. No
// values are the error empty_input. It costs nothing at run time. (docs/user_folds.md)
#pragma once

#include <cstdint>
#include <type_traits>

#include <isofold/detail/core/user_fold.hpp>

namespace isofold {

namespace fold_of_detail {

struct StateItself {
  template <class State>
  ISOFOLD_HOST_DEVICE State operator()(const State& s) const {
    return s;
  }
};

// A fold of functions whose state's type only the map's values tell.
template <class Lift, class Combine, class Finish>
struct Functions {
  Lift lift;
  Combine combine;
  Finish finish;
};

// The fold. A function that does not fit is no member, and refused as that.
template <class State, class Lift, class Combine, class Finish>
struct FoldOf {
  using state_type = State;
  Functions<Lift, Combine, Finish> of;

  ISOFOLD_OF_EITHER_SIDE
  template <class Value>
  ISOFOLD_HOST_DEVICE
      std::enable_if_t<std::is_invocable_r_v<State, const Lift&, const Value&>, State>
      lift(const Value& x) const {
    return of.lift(x);
  }
  ISOFOLD_OF_EITHER_SIDE
  template <class Called = const Combine&>
  ISOFOLD_HOST_DEVICE
      std::enable_if_t<std::is_invocable_r_v<State, Called, const State&, const State&>, State>
      combine(const State& a, const State& b) const {
    return of.combine(a, b);
  }
  ISOFOLD_OF_EITHER_SIDE
  template <class Called = const Finish&>
  ISOFOLD_HOST_DEVICE std::invoke_result_t<Called, const State&, std::int64_t> finish(
      const State& s, std::int64_t n) const {
    return of.finish(s, n);
  }
  ISOFOLD_OF_EITHER_SIDE
  template <class Called = const Finish&,
            class = std::enable_if_t<!std::is_invocable_v<Called, const State&, std::int64_t>>>
  ISOFOLD_HOST_DEVICE std::invoke_result_t<Called, const State&> finish(const State& s,
                                                                        std::int64_t) const {
    return of.finish(s);
  }
};

struct NoState {  // of a lift that does not take what map returns, which is then refused
  using type = NoState;
};

// The fold for a map that returns a Value: itself, or with the state's type that its lift tells.
template <class Value, class Fold>
const Fold& for_values(const Fold& fold) {
  return fold;  // NOLINT(bugprone-return-const-ref-from-parameter): it outlives the call
}
template <class Value, class Lift, class Combine, class Finish>
auto for_values(const Functions<Lift, Combine, Finish>& functions) {
  using Lifted = std::conditional_t<std::is_invocable_v<const Lift&, const Value&>,
                                    std::invoke_result<const Lift&, const Value&>, NoState>;
  return FoldOf<std::decay_t<typename Lifted::type>, Lift, Combine, Finish>{functions};
}

}  // namespace fold_of_detail

template <class State = void, class Lift, class Combine, class Finish = fold_of_detail::StateItself>
[[nodiscard]] auto fold_of(Lift lift, Combine combine, Finish finish = {}) {
  const fold_of_detail::Functions<Lift, Combine, Finish> functions{lift, combine, finish};
  if constexpr (std::is_void_v<State>) {
    return functions;
  } else {
    return fold_of_detail::FoldOf<State, Lift, Combine, Finish>{functions};
  }
}
ISOFOLD_REFUSE(
    fold_of,
    "fold_of(lift, combine), or fold_of(lift, combine, finish), takes functions: lift(x) "
    "returns a state, combine(a, b) that of two, and finish(s) or finish(s, n) the result.",
    detail::NoResult)

}  // namespace isofold
