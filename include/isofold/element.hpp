// The element types of lists.h by name, and for each of them the type that folds compute in. Users
// see float16, bfloat16 and Type; docs/folds.md has the table.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

#include <isofold/isofold.h>

namespace isofold {

enum class Type : std::int32_t {
#define ISOFOLD_ENUMERATE(name, number, c_type) name = number,
  ISOFOLD_TYPES(ISOFOLD_ENUMERATE)
#undef ISOFOLD_ENUMERATE
};

// 16 bits of storage each; folds compute in float.
using float16 = isofold_f16;
using bfloat16 = isofold_bf16;

// An element that is computed with in a wider type, as if the array had been converted first. In
// memory it is T; widened(shape) makes views of such elements (shape.hpp).
template <class T>
struct Widened {
  T value;
};

// type_of<float> is Type::f32. An element type that isofold does not have does not compile.
template <class T>
struct TypeOf {
  static_assert(!std::is_same_v<T, T>,
                "isofold reduces float, double, std::complex of those, integers of 8 to 64 bits, "
                "float16 and bfloat16.");
};
#define ISOFOLD_TYPE_OF(name, number, c_type) \
  template <>                                 \
  struct TypeOf<c_type> {                     \
    static constexpr Type value = Type::name; \
  };
ISOFOLD_TYPES(ISOFOLD_TYPE_OF)
#undef ISOFOLD_TYPE_OF
// Complex numbers as they are in C++; isofold_c64 and isofold_c128 are the C spelling of them. A
// class of the caller's own that lies in memory as they do is an element, too, if TypeOf and RealOf
// are specialised for it.
template <>
struct TypeOf<std::complex<decltype(isofold_c64::re)>> : TypeOf<isofold_c64> {};
template <>
struct TypeOf<std::complex<decltype(isofold_c128::re)>> : TypeOf<isofold_c128> {};
template <class T>
struct TypeOf<Widened<T>> : TypeOf<T> {};
template <class T>
inline constexpr Type type_of = TypeOf<std::remove_const_t<T>>::value;

// The type that folds over elements T compute in; results are those over that type.
template <class T>
struct ComputedAs {
  using type = T;
};
#define ISOFOLD_COMPUTED_AS(c_type, computed) \
  template <>                                 \
  struct ComputedAs<c_type> {                 \
    using type = computed;                    \
  };
ISOFOLD_CONVERSIONS(ISOFOLD_COMPUTED_AS)
#undef ISOFOLD_COMPUTED_AS
#define ISOFOLD_WIDENED_AS(c_type, computed) \
  template <>                                \
  struct ComputedAs<Widened<c_type>> {       \
    using type = computed;                   \
  };
ISOFOLD_WIDENINGS(ISOFOLD_WIDENED_AS)
#undef ISOFOLD_WIDENED_AS
template <class T>
using computed_t = typename ComputedAs<std::remove_const_t<T>>::type;

// The type of a complex number's parts; T itself if T is real.
template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};
template <>
struct RealOf<isofold_c64> {
  using type = decltype(isofold_c64::re);
};
template <>
struct RealOf<isofold_c128> {
  using type = decltype(isofold_c128::re);
};
template <class T>
using real_t = typename RealOf<T>::type;

// The value of isofold_request.accumulator for elements T.
template <class T>
inline constexpr std::int32_t accumulator_of = 0;
template <class T>
inline constexpr std::int32_t accumulator_of<Widened<T>> =
    static_cast<std::int32_t>(type_of<computed_t<Widened<T>>>);

}  // namespace isofold
