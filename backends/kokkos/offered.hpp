// The folds that the Kokkos backend has. The program that writes README's table reads this without
// Kokkos.
#pragma once

#include <isofold/detail/core/fold.hpp>

namespace isofold::kokkos_backend {

// Folds that look at their data twice are left out, as are error bounds, which count tree v1's
// additions, and complex elements.
template <class Fold>
inline constexpr bool is_offered =
    Fold::stages == 1 && Fold::has_identity && !core::is_complex<typename Fold::element_type>;

}  // namespace isofold::kokkos_backend
