// For the backend's own source, after `#define ISOFOLD_VENDOR its platform`: the kernels of element
// types are made by other sources (ISOFOLD_KERNELS_OF), those over lists alone here. Without this
// header one source makes them all.
#pragma once

#include <backends/gpu/host/typed_dispatch.hpp>

namespace isofold::gpu {

#define ISOFOLD_APART(name, number, element) \
  extern template class Reductions<WithFaults<ISOFOLD_VENDOR>, element>;
ISOFOLD_COMPUTED_TYPES(ISOFOLD_APART)
#undef ISOFOLD_APART
template struct ListKernels<WithFaults<ISOFOLD_VENDOR>>;

}  // namespace isofold::gpu
