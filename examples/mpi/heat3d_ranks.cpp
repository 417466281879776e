// heat3d over ranks: two hot balls spread through a cold cube whose conductivity grows with the
// temperature. The maximum limits each time step; sum, minimum and the sums of planes are logged.
// The log is the same file for any number of ranks and any grid of blocks.
#include <cstdint>
#include <utility>

#include "heat.hpp"
#include "sums.hpp"

namespace {

void simulate(const Settings& settings) {
  const Block block = block_of_rank(settings.size, settings.grid, MPI_COMM_WORLD);
  Field temperature(block, MPI_COMM_WORLD);
  Field next(block, MPI_COMM_WORLD);
  Sums sums(MPI_COMM_WORLD);
  Log log(settings.log, block.place == Triple{0, 0, 0});
  const Triple& o = block.offsets;
  temperature.for_each([&](auto k, auto j, auto i) {
    temperature(k, j, i) = first_temperature(block.n, o[0] + k - 1, o[1] + j - 1, o[2] + i - 1);
  });
  const double n = static_cast<double>(block.n);
  double time = 0;
  for (std::int64_t step = 0;; ++step) {
    const auto [heat, coldest, hottest] = sums.look_at(temperature);
    log.write(step, {time, heat, coldest, hottest});
    if (step % 20 == 0) {
      log.write(step, sums.profile(temperature));
    }
    if (step == settings.steps) {
      return;
    }
    const double dt = time_step(n, hottest);
    temperature.fill_ghost_cells(1.0);  // insulated walls
    temperature.for_each([&](auto k, auto j, auto i) {
      next(k, j, i) = next_temperature(temperature, k, j, i, dt * n * n);
    });
    std::swap(temperature, next);
    time += dt;
  }
}

}  // namespace

int main(int count, char** arguments) {
  return run_with_mpi(count, arguments, {48, 100, "", ""}, simulate);
}
