// Questions about a fold that transform_reduce.hpp and device_reducer.hpp ask, on the host and on
// devices: which of the optional parts a fold of the caller's own has (docs/user_folds.md), and
// whether it is one of core/folds.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <isofold/detail/core/complex.hpp>

namespace isofold::core {

// A fold of core/folds, which knows its elements and its passes.
template <class Fold, class = void>
struct IsOfLibrary : std::false_type {};
template <class Fold>
struct IsOfLibrary<Fold, std::void_t<typename Fold::element_type, decltype(Fold::stages)>>
    : std::true_type {};
template <class Fold>
inline constexpr bool is_of_library = IsOfLibrary<Fold>::value;

// The value that a map returned, as an element of a fold of the library. A complex element may come
// as std::complex or any other type that has real() and imag().
ISOFOLD_OF_EITHER_SIDE
template <class Element, class Value>
ISOFOLD_HOST_DEVICE Element as_element(const Value& value) {
  if constexpr (is_complex<Element> && !std::is_same_v<Element, Value>) {
    return {static_cast<part_t<Element>>(value.real()), static_cast<part_t<Element>>(value.imag())};
  } else {
    return static_cast<Element>(value);
  }
}

template <class Fold, class Value, class = void>
struct Accumulates : std::false_type {};
template <class Fold, class Value>
struct Accumulates<Fold, Value,
                   std::void_t<decltype(std::declval<const Fold&>().accumulate(
                       std::declval<typename Fold::state_type>(), std::declval<Value>()))>>
    : std::true_type {};
template <class Fold, class = void>
struct Finishes : std::false_type {};
template <class Fold>
struct Finishes<Fold, std::void_t<decltype(std::declval<const Fold&>().finish(
                          std::declval<typename Fold::state_type>(), std::int64_t{}))>>
    : std::true_type {};
template <class Fold, class = void>
struct HasEmpty : std::false_type {};
template <class Fold>
struct HasEmpty<Fold, std::void_t<decltype(std::declval<const Fold&>().empty())>> : std::true_type {
};

// This tells whether no values have a result; a fold of the library only if Reducer returns one,
// too.
template <class Fold>
constexpr bool allows_empty() {
  if constexpr (is_of_library<Fold>) {
    return !Fold::empty_is_error;
  } else {
    return HasEmpty<Fold>::value;
  }
}

// The state with one more value.
ISOFOLD_OF_EITHER_SIDE
template <class Fold, class Value>
ISOFOLD_HOST_DEVICE typename Fold::state_type accumulated(const Fold& fold,
                                                          const typename Fold::state_type& state,
                                                          const Value& x) {
  if constexpr (Accumulates<Fold, Value>::value) {
    return fold.accumulate(state, x);
  } else {
    return fold.combine(state, fold.lift(x));
  }
}

// The result of n >= 1 values.
ISOFOLD_OF_EITHER_SIDE
template <class Fold>
ISOFOLD_HOST_DEVICE auto finished(const Fold& fold, const typename Fold::state_type& root,
                                  [[maybe_unused]] std::int64_t n) {
  if constexpr (Finishes<Fold>::value) {
    return fold.finish(root, n);
  } else {
    return root;
  }
}
template <class Fold>
using ResultOf = decltype(finished(std::declval<const Fold&>(),
                                   std::declval<typename Fold::state_type>(), std::int64_t{}));

template <class Fold>
constexpr bool check_user_fold() {
  using State = typename Fold::state_type;
  static_assert(std::is_trivially_copyable_v<Fold> && std::is_trivially_copyable_v<State> &&
                    sizeof(State) <= 64,
                "Folds and states are trivially copyable, states of at most 64 bytes.");
  static_assert(std::is_default_constructible_v<State>,
                "States can be made without a value, to be assigned one later.");
  if constexpr (is_of_library<Fold>) {
    static_assert(Fold::arrays == 1,
                  "map returns one value: of two arrays, map to what the fold sums.");
  }
  return true;
}

}  // namespace isofold::core
