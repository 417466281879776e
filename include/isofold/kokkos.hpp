// Kokkos views as boxes, for codes that use Kokkos; isofold itself needs none of it. Include this
// header before or after Kokkos; any layout, and subviews, will do.
#pragma once

#include <Kokkos_Core.hpp>

#include <isofold/shape.hpp>

namespace isofold {

// Kokkos' complex numbers lie in memory as C++'s do; results are Kokkos' numbers, too.
template <class T>
struct TypeOf<Kokkos::complex<T>> : TypeOf<std::complex<T>> {};
template <class T>
struct RealOf<Kokkos::complex<T>> : RealOf<std::complex<T>> {};

// The box of a view: reduce.sum(box(view)) takes the elements in row-major order of their indices,
// so the layout changes no bit. A view has 1 to 8 dimensions. The backend must reach the view's
// memory, which must outlive the box: a box owns nothing. A Reducer's stream is not the view's
// execution space: fence, or give the Reducer that space's stream.
template <class Data, class... Properties>
[[nodiscard]] auto box(const Kokkos::View<Data, Properties...>& view) {
  using View = Kokkos::View<Data, Properties...>;
  using T = typename View::non_const_value_type;
  constexpr int rank = static_cast<int>(View::rank);
  static_assert(rank >= 1 && rank <= ISOFOLD_MOST_DIMENSIONS, "A box has 1 to 8 dimensions.");
  static_assert(std::is_same_v<typename View::traits::specialize, void>,
                "Views of plain elements only: of others data() is not where elements lie.");
  Box<T> made{view.data(), rank, {}, {}};
  for (int d = 0; d < rank; ++d) {
    made.extents[d] = static_cast<std::int64_t>(view.extent(static_cast<unsigned>(d)));
    made.strides[d] = static_cast<std::int64_t>(view.stride(static_cast<unsigned>(d)));
  }
  return made;
}

}  // namespace isofold
