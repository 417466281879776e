// C++ types that are elements under another name: integers that are not the std::int64_t of a
// platform though they have its bits, bool, char, and floating-point types of 16 bits. They reduce
// as the elements of lists.h that they lie in memory as, and so do their results.
#pragma once

#include <cstdint>
#include <type_traits>

#if defined(__has_include)
#if __has_include(<stdfloat>) && __cplusplus > 202002L
#include <stdfloat>
#endif
#endif

#include <isofold/element.hpp>

namespace isofold {

// The integers of 64 bits are long on some platforms and long long on others.
namespace view_detail {
template <class Fixed, class First, class Second>
using other_of = std::conditional_t<std::is_same_v<Fixed, First>, Second, First>;
using other_int64 = other_of<std::int64_t, long, long long>;
using other_uint64 = other_of<std::uint64_t, unsigned long, unsigned long long>;
using int8_of_char = std::conditional_t<std::is_signed_v<char>, std::int8_t, std::uint8_t>;
}  // namespace view_detail

#define ISOFOLD_IS_ELEMENT(type, element)                                                     \
  static_assert(sizeof(type) == sizeof(element), #type " has other bits than " #element "."); \
  template <>                                                                                 \
  struct TypeOf<type> : TypeOf<element> {};                                                   \
  template <>                                                                                 \
  struct ComputedAs<type> : ComputedAs<element> {};
ISOFOLD_IS_ELEMENT(view_detail::other_int64, std::int64_t)
ISOFOLD_IS_ELEMENT(view_detail::other_uint64, std::uint64_t)
ISOFOLD_IS_ELEMENT(bool, std::uint8_t)  // 0 and 1
ISOFOLD_IS_ELEMENT(char, view_detail::int8_of_char)
#if defined(__STDCPP_FLOAT16_T__)
ISOFOLD_IS_ELEMENT(std::float16_t, float16)
#elif defined(__FLT16_MANT_DIG__)  // where a compiler has _Float16: GCC 12 and clang 15 on x86-64
ISOFOLD_IS_ELEMENT(_Float16, float16)
#endif
#if defined(__STDCPP_BFLOAT16_T__)
ISOFOLD_IS_ELEMENT(std::bfloat16_t, bfloat16)
#endif
#undef ISOFOLD_IS_ELEMENT

}  // namespace isofold
