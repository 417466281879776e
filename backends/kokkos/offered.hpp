// Which folds the Kokkos backend has. Read without Kokkos too: by what writes README's table.
#pragma once

#include <isofold/detail/core/fold.hpp>

namespace isofold::kokkos_backend {

// Not those that look at their data twice, nor error bounds, which count tree v1's additions; nor
// complex elements.
template <class Fold>
inline constexpr bool is_offered =
    Fold::stages == 1 && Fold::has_padding && !core::is_complex<typename Fold::element_type>;

}  // namespace isofold::kokkos_backend
