// Questions about a fold that transform_reduce.hpp and device_reducer.hpp ask, on the host and on
// devices: whether it is one, which of the optional parts a fold of the caller's own has
// (docs/user_folds.md), and whether it is one of core/folds. A member that does not fit is refused
// in a sentence: it must not be passed over, for the result would be another one.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <isofold/detail/anything.hpp>
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

// A fold of core/exact, which keeps words and has no tree.
template <class Fold, class = void>
struct IsExact : std::false_type {};
template <class Fold>
struct IsExact<Fold, std::void_t<typename Fold::element_type, decltype(Fold::sums)>>
    : std::true_type {};
template <class Fold>
inline constexpr bool is_exact = IsExact<Fold>::value;

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

template <class Fold, class = void>
struct HasState : std::false_type {};
template <class Fold>
struct HasState<Fold, std::void_t<typename Fold::state_type>> : std::true_type {};

// These tell whether a member can be called as it is meant to be, and returns what it should.
template <class Fold, class Value, class = void>
struct Lifts : std::false_type {};
template <class Fold, class Value>
struct Lifts<Fold, Value,
             std::enable_if_t<std::is_convertible_v<decltype(std::declval<const Fold&>().lift(
                                                        std::declval<const Value&>())),
                                                    typename Fold::state_type>>> : std::true_type {
};
template <class Fold, class Value, class = void>
struct Accumulates : std::false_type {};
template <class Fold, class Value>
struct Accumulates<
    Fold, Value,
    std::enable_if_t<std::is_convertible_v<decltype(std::declval<const Fold&>().accumulate(
                                               std::declval<const typename Fold::state_type&>(),
                                               std::declval<const Value&>())),
                                           typename Fold::state_type>>> : std::true_type {};
template <class Fold, class = void>
struct Combines : std::false_type {};
template <class Fold>
struct Combines<
    Fold,
    std::enable_if_t<std::is_convertible_v<decltype(std::declval<const Fold&>().combine(
                                               std::declval<const typename Fold::state_type&>(),
                                               std::declval<const typename Fold::state_type&>())),
                                           typename Fold::state_type>>> : std::true_type {};
template <class Fold, class = void>
struct Finishes : std::false_type {};
template <class Fold>
struct Finishes<Fold, std::enable_if_t<!std::is_void_v<decltype(std::declval<const Fold&>().finish(
                          std::declval<const typename Fold::state_type&>(), std::int64_t{}))>>>
    : std::true_type {};
template <class Fold, class = void>
struct HasEmpty : std::false_type {};
template <class Fold>
struct HasEmpty<Fold,
                std::enable_if_t<!std::is_void_v<decltype(std::declval<const Fold&>().empty())>>>
    : std::true_type {};

// has_NAME<Fold>() tells whether there is a member of that name, of any kind: one more of the name
// makes it ambiguous. Of a final class it sees functions that are no templates and not overloaded.
#define ISOFOLD_MEMBER(name)                                                           \
  struct Named_##name {                                                                \
    int name;                                                                          \
  };                                                                                   \
  template <class Fold>                                                                \
  struct With_##name : Fold, Named_##name {};                                          \
  template <class Class, class = void>                                                 \
  struct Names_##name : std::false_type {};                                            \
  template <class Class>                                                               \
  struct Names_##name<Class, std::void_t<decltype(&Class::name)>> : std::true_type {}; \
  template <class Fold>                                                                \
  ISOFOLD_HOST_DEVICE constexpr bool has_##name() {                                    \
    if constexpr (std::is_final_v<Fold>) {                                             \
      return Names_##name<Fold>::value;                                                \
    } else {                                                                           \
      return !Names_##name<With_##name<Fold>>::value;                                  \
    }                                                                                  \
  }
// People write these names for members that a fold need not have; they would be passed over.
#define ISOFOLD_MISSPELT(X)  \
  X(accumulate, Accumulate)  \
  X(accumulate, accumulates) \
  X(accumulate, accumulated) \
  X(accumulate, accumulat)   \
  X(accumulate, accumualte)  \
  X(accumulate, accumuate)   \
  X(accumulate, accum)       \
  X(accumulate, accumulte)   \
  X(accumulate, accumlate)   \
  X(accumulate, accumalate)  \
  X(accumulate, acumulate)   \
  X(accumulate, acummulate)  \
  X(accumulate, accummulate) \
  X(finish, Finish)          \
  X(finish, finished)        \
  X(finish, finnish)         \
  X(finish, finsh)           \
  X(finish, finsih)          \
  X(finish, finihs)          \
  X(finish, fnish)           \
  X(finish, finis)           \
  X(finish, finalize)        \
  X(finish, finalise)        \
  X(finish, Finalize)        \
  X(empty, Empty)            \
  X(empty, emtpy)
// NOLINTBEGIN(misc-multiple-inheritance): a second member of the name makes the first ambiguous.
ISOFOLD_MEMBER(accumulate)
ISOFOLD_MEMBER(finish)
ISOFOLD_MEMBER(empty)
#define ISOFOLD_MISSPELT_MEMBER(meant, name) ISOFOLD_MEMBER(name)
ISOFOLD_MISSPELT(ISOFOLD_MISSPELT_MEMBER)
// NOLINTEND(misc-multiple-inheritance)
#undef ISOFOLD_MISSPELT_MEMBER
#undef ISOFOLD_MEMBER

// This tells whether no values have a result; a fold of the library only if Reducer returns one,
// too.
template <class Fold>
constexpr bool allows_empty() {
  if constexpr (is_of_library<Fold> || is_exact<Fold>) {
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
  } else if constexpr (is_exact<Fold>) {
    return static_cast<typename Fold::result_type>(fold.finish(root));
  } else {
    return root;
  }
}

// The type of that result; void for what is no fold.
template <class Fold, class = void>
struct Result {
  using type = void;
};
template <class Fold>
struct Result<Fold, std::enable_if_t<HasState<Fold>::value>> {
  using type = decltype(finished(std::declval<const Fold&>(),
                                 std::declval<typename Fold::state_type>(), std::int64_t{}));
};
template <class Fold>
using ResultOf = typename Result<Fold>::type;

using detail::never;
using detail::NoResult;

// The check_ functions refuse in one sentence at compile time, and return whether all is right.
// This one refuses what is no fold.
template <class Fold>
constexpr bool check_state() {
  if constexpr (!HasState<Fold>::value) {
    static_assert(never<Fold>,
                  "A fold is a struct with state_type, lift(x) and combine(a, b). A lambda or a "
                  "function such as std::plus is none: fold_of(lift, combine) makes a fold of two, "
                  "on devices fold_of<State>(lift, combine).");
  } else if constexpr (is_exact<Fold>) {
    return true;
  } else if constexpr (!std::is_trivially_copyable_v<Fold> ||
                       !std::is_trivially_copyable_v<typename Fold::state_type> ||
                       sizeof(typename Fold::state_type) > 64) {
    static_assert(never<Fold>,
                  "Folds and states are trivially copyable, states of at most 64 bytes.");
  } else if constexpr (!std::is_default_constructible_v<typename Fold::state_type>) {
    static_assert(never<Fold>, "States can be made without a value, to be assigned one later.");
  } else if constexpr (is_of_library<Fold>) {
    static_assert(Fold::arrays == 1,
                  "map returns one value: of two arrays, map to what the fold sums.");
    return Fold::arrays == 1;
  } else {
    return true;
  }
  return false;
}

// The type of the values that a map returns, if it is one.
template <class Map, class = void>
struct MapsTo : std::false_type {};
template <class Map>
struct MapsTo<Map,
              std::enable_if_t<!std::is_void_v<std::invoke_result_t<const Map&, std::int64_t>>>>
    : std::true_type {
  using type = std::decay_t<std::invoke_result_t<const Map&, std::int64_t>>;
};

template <class Element, class Value, class = void>
struct IsElement : std::is_constructible<Element, const Value&> {};
template <class Element, class Value>
struct IsElement<Element, Value, std::enable_if_t<is_complex<Element>>> : std::true_type {};

// This tells whether an exact fold's elements can be made of a Value: of its two members, if it is
// a fold of two arrays.
template <class Fold, class Value, class = void>
struct IsExactValue : std::false_type {};
template <class Fold, class Value>
struct IsExactValue<Fold, Value, std::enable_if_t<Fold::arrays == 1>>
    : IsElement<typename Fold::element_type, Value> {};
template <class Fold, class Value>
struct IsExactValue<
    Fold, Value,
    std::enable_if_t<Fold::arrays == 2 &&
                     IsElement<typename Fold::element_type,
                               std::decay_t<decltype(std::declval<const Value&>().first)>>::value &&
                     IsElement<typename Fold::element_type,
                               std::decay_t<decltype(std::declval<const Value&>().second)>>::value>>
    : std::true_type {};

// Refuses a fold that does not take what map returns, a Value.
template <class Fold, class Value>
ISOFOLD_HOST_DEVICE constexpr bool check_values() {
  if constexpr (is_of_library<Fold>) {
    constexpr bool is_element = IsElement<typename Fold::element_type, Value>::value;
    static_assert(is_element, "map returns what the fold's elements cannot be made of.");
    return is_element;
  } else if constexpr (is_exact<Fold>) {
    static_assert(
        IsExactValue<Fold, Value>::value,
        "map returns what the fold's elements cannot be made of; for a fold of two arrays "
        "it returns a pair, with the members first and second.");
    return IsExactValue<Fold, Value>::value;
  } else if constexpr (!Lifts<Fold, Value>::value) {
    static_assert(never<Fold>,
                  "A fold needs lift(x) const, which takes what map returns, as a constant, and "
                  "returns a state.");
  } else if constexpr (has_accumulate<Fold>() && !Accumulates<Fold, Value>::value) {
    static_assert(never<Fold>,
                  "The fold's accumulate does not fit: it is accumulate(s, x) const, which takes a "
                  "state and what map returns, both constant, and returns a state.");
  } else {
    return true;
  }
  return false;
}
// Refuses other members that do not fit.
template <class Fold>
constexpr bool check_members() {
#define ISOFOLD_CHECK_SPELLING(meant, name)                                      \
  static_assert(!has_##name<Fold>(),                                             \
                "A fold has no member '" #name "', and would be folded without " \
                "it: is '" #meant "' meant?");
  ISOFOLD_MISSPELT(ISOFOLD_CHECK_SPELLING)
#undef ISOFOLD_CHECK_SPELLING
  if constexpr (is_of_library<Fold> || is_exact<Fold>) {
    return true;
  } else if constexpr (!Combines<Fold>::value) {
    static_assert(never<Fold>,
                  "A fold needs combine(a, b) const, which takes two states and returns one.");
  } else if constexpr (has_finish<Fold>() && !Finishes<Fold>::value) {
    static_assert(never<Fold>,
                  "The fold's finish does not fit: it is finish(s, n) const, which takes the state "
                  "and the number of values as std::int64_t, and returns the result.");
  } else if constexpr (has_empty<Fold>() && !HasEmpty<Fold>::value) {
    static_assert(never<Fold>,
                  "The fold's empty does not fit: it is empty() const, which returns the result of "
                  "no values.");
  } else {
    return true;
  }
  return false;
}

// Refuses all of that. On devices no Value is given: device code alone knows it, and checks it.
template <class Fold, class... Value>
constexpr bool check_user_fold() {
  if constexpr (!check_state<Fold>()) {
    return false;
  } else if constexpr (!(check_values<Fold, Value>() && ...)) {
    return false;
  } else {
    return check_members<Fold>();
  }
}
#undef ISOFOLD_MISSPELT

}  // namespace isofold::core
