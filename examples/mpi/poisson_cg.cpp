// Conjugate gradients for the 7-point Poisson equation on a cube. The logged history of residuals
// is the same file, to the bit, for any number of ranks and any grid of blocks: the stencil is a
// fixed expression, and the dot products are exact.
#include <cmath>
#include <cstdint>

#include "poisson.hpp"
#include "sums.hpp"

namespace {

void solve(const Settings& settings) {
  const Block block = block_of_rank(settings.size, settings.grid, MPI_COMM_WORLD);
  Field u(block, MPI_COMM_WORLD), r = u, p = u, q = u;
  Sums sums(MPI_COMM_WORLD);
  Log log(settings.log, block.place == Triple{0, 0, 0});
  const auto for_cells = [&](auto&& use) { u.for_each(use); };
  for_cells([&](auto k, auto j, auto i) {
    const Triple& o = block.offsets;
    r(k, j, i) = p(k, j, i) = source(o[0] + k, o[1] + j, o[2] + i);
  });
  double rho = sums.dot(r, r);
  const double first = rho;
  for (std::int64_t step = 0; step < settings.steps && rho > 1e-24 * first; ++step) {
    log.write(step, {std::sqrt(rho)});
    p.fill_ghost_cells(value_behind_a_wall);
    for_cells([&](auto k, auto j, auto i) { q(k, j, i) = matrix_row(p, k, j, i); });
    const double alpha = rho / sums.dot(p, q);
    for_cells([&](auto k, auto j, auto i) {
      u(k, j, i) += alpha * p(k, j, i);
      r(k, j, i) -= alpha * q(k, j, i);
    });
    const double next = sums.dot(r, r);
    const double beta = next / rho;
    for_cells([&](auto k, auto j, auto i) { p(k, j, i) = r(k, j, i) + beta * p(k, j, i); });
    rho = next;
  }
  log.write(-1, {std::sqrt(rho)});
}

}  // namespace

int main(int count, char** arguments) {
  return run_with_mpi(count, arguments, {32, 200, "", ""}, solve);
}
