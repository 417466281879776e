// heat3d over ranks: two hot balls spread through a cold cube whose conductivity grows with the
// temperature. The maximum limits each time step; sum, minimum and the sums of planes are logged.
// The log is the same file for any number of ranks and any grid of blocks.
#include <cstdint>
#include <utility>

#include "sums.hpp"

namespace {

void ignite(Field& temperature) {
  const Block& block = temperature.block();
  const double h = 1.0 / static_cast<double>(block.n);
  const auto inside = [](double z, double y, double x, double centre, double radius) {
    const double dz = z - centre;
    const double dy = y - centre;
    const double dx = x - 0.5;
    return dz * dz + dy * dy + dx * dx < radius * radius;
  };
  temperature.for_each([&](std::int64_t k, std::int64_t j, std::int64_t i) {
    const double z = (static_cast<double>(block.offsets[0] + k) - 0.5) * h;
    const double y = (static_cast<double>(block.offsets[1] + j) - 0.5) * h;
    const double x = (static_cast<double>(block.offsets[2] + i) - 0.5) * h;
    const bool large = inside(z, y, x, 0.36, 0.2);
    const bool small = inside(z, y, x, 0.75, 0.11);
    temperature.at(k, j, i) = large ? 1.0 : small ? 0.8 : 0.01;
  });
}

// One explicit step of dT/dt = laplacian(T³ / 3); each new cell is a fixed expression of old ones.
void advance(const Field& t, Field& next, double factor) {
  const auto potential = [&](std::int64_t k, std::int64_t j, std::int64_t i) {
    const double cell = t.at(k, j, i);
    return cell * cell * cell / 3.0;
  };
  t.for_each([&](std::int64_t k, std::int64_t j, std::int64_t i) {
    const double neighbours = (potential(k, j, i - 1) + potential(k, j, i + 1)) +
                              (potential(k, j - 1, i) + potential(k, j + 1, i)) +
                              (potential(k - 1, j, i) + potential(k + 1, j, i));
    next.at(k, j, i) = t.at(k, j, i) + factor * (neighbours - 6.0 * potential(k, j, i));
  });
}

void simulate(const Settings& settings) {
  const Block block(settings.size, settings.grid, MPI_COMM_WORLD);
  Field temperature(block);
  Field next(block);
  Sums sums(MPI_COMM_WORLD);
  Log log(settings.log, block.place == Triple{0, 0, 0});
  ignite(temperature);
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
    const double dt = 0.9 / (n * n) / (6.0 * hottest * hottest);
    temperature.fill_ghost_cells([](double cell) { return cell; });  // insulated walls
    advance(temperature, next, dt * n * n);
    std::swap(temperature, next);
    time += dt;
  }
}

}  // namespace

int main(int count, char** arguments) {
  return run_with_mpi(count, arguments, {48, 100, "", ""}, simulate);
}
