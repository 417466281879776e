// Complex elements, and complex numbers as lanes and states hold them: V is a number, or a vector
// of them, one for each of several lanes. Operations work on parts alone, each rounded once; there
// is no recovery of infinities as in C's Annex G. docs/folds.md has the formulas.
#pragma once

#include <type_traits>

#include <isofold/detail/core/host_device.hpp>
#include <isofold/isofold.h>

namespace isofold::core {

template <class V>
struct Complex {
  V re;
  V im;
};

// The type of an element's parts; T itself if T is not complex.
template <class T>
struct PartOf {
  using type = T;
};
template <>
struct PartOf<isofold_c64> {
  using type = float;
};
template <>
struct PartOf<isofold_c128> {
  using type = double;
};
template <class V>
struct PartOf<Complex<V>> {
  using type = V;
};
template <class T>
using part_t = typename PartOf<T>::type;
// True for complex elements and for complex numbers.
template <class T>
inline constexpr bool is_complex = !std::is_same_v<part_t<T>, T>;

}  // namespace isofold::core
