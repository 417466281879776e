// Conjugate gradients for the 7-point Poisson equation on a cube, -laplacian(u) = f with u = 0 on
// the walls. The logged history of residuals is the same file, to the bit, for any number of ranks
// and any grid of blocks: the stencil is a fixed expression, and the dot products are exact.
#include <cmath>
#include <cstdint>

#include "sums.hpp"

namespace {

void multiply(Field& p, Field& q) {
  // A wall lies half a cell away: the ghost cell has the opposite value.
  p.fill_ghost_cells([](double cell) { return -cell; });
  p.for_each([&](std::int64_t k, std::int64_t j, std::int64_t i) {
    const double neighbours = (p.at(k, j, i - 1) + p.at(k, j, i + 1)) +
                              (p.at(k, j - 1, i) + p.at(k, j + 1, i)) +
                              (p.at(k - 1, j, i) + p.at(k + 1, j, i));
    q.at(k, j, i) = 6.0 * p.at(k, j, i) - neighbours;
  });
}

// A source of many scales, by integers alone, so that it is the same on every machine.
double source(std::int64_t z, std::int64_t y, std::int64_t x) {
  std::uint64_t bits = static_cast<std::uint64_t>((z * 1024 + y) * 1024 + x) + 1;
  bits *= 0x9e3779b97f4a7c15U;
  bits ^= bits >> 29U;
  bits *= 0xbf58476d1ce4e5b9U;
  return static_cast<double>(bits >> 40U) / 16777216.0 - 0.25;
}

void solve(const Settings& settings) {
  const Block block(settings.size, settings.grid, MPI_COMM_WORLD);
  Field u(block), r(block), p(block), q(block);
  Sums sums(MPI_COMM_WORLD);
  Log log(settings.log, block.place == Triple{0, 0, 0});
  const auto for_cells = [&](auto&& use) { u.for_each(use); };
  for_cells([&](auto k, auto j, auto i) {
    const Triple& o = block.offsets;
    r.at(k, j, i) = p.at(k, j, i) = source(o[0] + k, o[1] + j, o[2] + i);
  });
  double rho = sums.dot(r, r);
  const double first = rho;
  for (std::int64_t step = 0; step < settings.steps && rho > 1e-24 * first; ++step) {
    log.write(step, {std::sqrt(rho)});
    multiply(p, q);
    const double alpha = rho / sums.dot(p, q);
    for_cells([&](auto k, auto j, auto i) {
      u.at(k, j, i) += alpha * p.at(k, j, i);
      r.at(k, j, i) -= alpha * q.at(k, j, i);
    });
    const double next = sums.dot(r, r);
    const double beta = next / rho;
    for_cells(
        [&](auto k, auto j, auto i) { p.at(k, j, i) = r.at(k, j, i) + beta * p.at(k, j, i); });
    rho = next;
  }
  log.write(-1, {std::sqrt(rho)});
}

}  // namespace

int main(int count, char** arguments) {
  return run_with_mpi(count, arguments, {32, 200, "", ""}, solve);
}
