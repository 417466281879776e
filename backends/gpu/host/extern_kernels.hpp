// A header for the backend's own source, after `#define ISOFOLD_VENDOR its platform`: it declares
// that other sources make the kernels of folds (units.cmake), and has only those over index lists
// and masks made here. A source without this header makes all kernels.
#pragma once

#include <backends/gpu/host/typed_dispatch.hpp>

namespace isofold::gpu {

#define ISOFOLD_EXTERN_OF(element, kind) \
  extern template class FoldReductions<WithFaults<ISOFOLD_VENDOR>, element, FoldKind::kind>;
#define ISOFOLD_EXTERN(name, number, element)                                \
  ISOFOLD_EXTERN_OF(element, sums)                                           \
  ISOFOLD_EXTERN_OF(element, counts)                                         \
  ISOFOLD_EXTERN_OF(element, extrema)                                        \
  ISOFOLD_EXTERN_OF(element, places)                                         \
  ISOFOLD_EXTERN_OF(element, statistics)                                     \
  ISOFOLD_EXTERN_OF(element, pairs)                                          \
  extern template class ListReductions<WithFaults<ISOFOLD_VENDOR>, element>; \
  extern template class ExactReductions<WithFaults<ISOFOLD_VENDOR>, element>;
ISOFOLD_COMPUTED_TYPES(ISOFOLD_EXTERN)
#undef ISOFOLD_EXTERN
#undef ISOFOLD_EXTERN_OF
template struct ListKernels<WithFaults<ISOFOLD_VENDOR>>;

}  // namespace isofold::gpu
