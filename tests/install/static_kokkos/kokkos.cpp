#include <Kokkos_Core.hpp>

namespace Kokkos {

thread_local int runs = 0;

void note_run() { ++runs; }

}  // namespace Kokkos
