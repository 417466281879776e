// The least that the Kokkos backend needs: a parallel_reduce on the host, in a shared object.
#include <Kokkos_Core.hpp>

double sum(const double* x, int n) {
  double total = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, n),
      [=](int i, double& partial) { partial += x[i]; }, total);
  return total;
}
