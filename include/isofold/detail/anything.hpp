// Calls that no overload of a function takes are refused in one sentence, instead of a list of all
// overloads.
#pragma once

#include <initializer_list>
#include <type_traits>

namespace isofold::detail {

// An argument of any type, a list in braces, or none at all. Every parameter that takes the
// argument as it is, or converts it by the language's own rules, is a better match.
struct Anything {
  constexpr Anything() = default;
  // NOLINTBEGIN(misc-explicit-constructor): it stands for the argument.
  template <class T>
  constexpr Anything(const T&) {}
  constexpr Anything(std::initializer_list<Anything>) {}
  // NOLINTEND(misc-explicit-constructor)
};

// False for any type, even one that a caller gives: isofold::rows<float>(x).
template <class>
inline constexpr bool never = false;

// In place of a result where a static_assert has said why there is none, so that the compiler has
// nothing more to say.
struct NoResult {
  // NOLINTBEGIN(misc-explicit-constructor): it stands for the result.
  operator int() const;
  template <class Class, std::enable_if_t<std::is_class_v<Class>, int> = 0>
  operator Class() const;
  // NOLINTEND(misc-explicit-constructor)
};

}  // namespace isofold::detail

#define ISOFOLD_ANYTHING isofold::detail::Anything = {}, isofold::detail::Anything = {}
// The overload of last resort of a function that has the last argument's type where it is called
// right.
#define ISOFOLD_REFUSE(function, sentence, ...)                                                  \
  template <class None = void>                                                                   \
  __VA_ARGS__ function(ISOFOLD_ANYTHING, ISOFOLD_ANYTHING, ISOFOLD_ANYTHING, ISOFOLD_ANYTHING) { \
    static_assert(isofold::detail::never<None>, sentence);                                       \
    return {};                                                                                   \
  }
