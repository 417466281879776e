// A header for the backend's own source, after `#define ISOFOLD_VENDOR its platform`: it declares
// that other sources make the kernels of folds (units.cmake), and has only those over index lists
// and masks made here. A source without this header makes all kernels.
#pragma once

#include <backends/gpu/host/typed_dispatch.hpp>

namespace isofold::gpu {

#define ISOFOLD_APART_OF(element, kind) \
  extern template class FoldReductions<WithFaults<ISOFOLD_VENDOR>, element, FoldKind::kind>;
#define ISOFOLD_APART(name, number, element) \
  ISOFOLD_APART_OF(element, sums)            \
  ISOFOLD_APART_OF(element, counts)          \
  ISOFOLD_APART_OF(element, extrema)         \
  ISOFOLD_APART_OF(element, places)          \
  ISOFOLD_APART_OF(element, statistics)      \
  ISOFOLD_APART_OF(element, pairs)           \
  extern template class ListReductions<WithFaults<ISOFOLD_VENDOR>, element>;
ISOFOLD_COMPUTED_TYPES(ISOFOLD_APART)
#undef ISOFOLD_APART
#undef ISOFOLD_APART_OF
template struct ListKernels<WithFaults<ISOFOLD_VENDOR>>;

}  // namespace isofold::gpu
