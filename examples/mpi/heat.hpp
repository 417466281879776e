// The heat equation of heat3d_ranks and examples/nccl/heat3d_gpus: each cell is a fixed expression,
// compiled without contraction, so that hosts and devices compute the same bits.
#pragma once

#include <cstdint>

#include "host_device.hpp"

// Two hot balls in a cold cube of n³ cells: the temperature of the cell (z, y, x), counted from 0.
ON_HOST_AND_DEVICE inline double first_temperature(std::int64_t n, std::int64_t z, std::int64_t y,
                                                   std::int64_t x) {
  const double h = 1.0 / static_cast<double>(n);
  const double dx = (static_cast<double>(x) + 0.5) * h - 0.5;
  const auto is_within = [&](double centre, double radius) {
    const double dz = (static_cast<double>(z) + 0.5) * h - centre;
    const double dy = (static_cast<double>(y) + 0.5) * h - centre;
    return dz * dz + dy * dy + dx * dx < radius * radius;
  };
  return is_within(0.36, 0.2) ? 1.0 : is_within(0.75, 0.11) ? 0.8 : 0.01;
}

// The longest stable time step, for conductivities that grow with the temperature's square.
ON_HOST_AND_DEVICE inline double time_step(double n, double hottest) {
  return 0.9 / (n * n) / (6.0 * hottest * hottest);
}

ON_HOST_AND_DEVICE inline double potential(double cell) { return cell * cell * cell / 3.0; }

// One explicit step of dT/dt = laplacian(T³ / 3) in one cell; factor: the time step times n².
// t(k, j, i) is the temperature.
template <class Cells>
ON_HOST_AND_DEVICE double next_temperature(const Cells& t, std::int64_t k, std::int64_t j,
                                           std::int64_t i, double factor) {
  const double neighbours = (potential(t(k, j, i - 1)) + potential(t(k, j, i + 1))) +
                            (potential(t(k, j - 1, i)) + potential(t(k, j + 1, i))) +
                            (potential(t(k - 1, j, i)) + potential(t(k + 1, j, i)));
  return t(k, j, i) + factor * (neighbours - 6.0 * potential(t(k, j, i)));
}
