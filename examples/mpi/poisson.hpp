// The 7-point Poisson equation of poisson_cg and examples/nccl/poisson_cg_gpus, -laplacian(u) = f
// with u = 0 on the walls: fixed expressions, compiled without contraction.
#pragma once

#include <cstdint>

#include "host_device.hpp"

// A wall lies half a cell away: the ghost cell has the opposite value.
constexpr double value_behind_a_wall = -1.0;

// The matrix's row of a cell. p(k, j, i) is the vector.
template <class Cells>
ON_HOST_AND_DEVICE double matrix_row(const Cells& p, std::int64_t k, std::int64_t j,
                                     std::int64_t i) {
  const double neighbours = (p(k, j, i - 1) + p(k, j, i + 1)) + (p(k, j - 1, i) + p(k, j + 1, i)) +
                            (p(k - 1, j, i) + p(k + 1, j, i));
  return 6.0 * p(k, j, i) - neighbours;
}

// A source of many scales, by integers alone, so that it is the same on every machine. Cells are
// counted from 1.
ON_HOST_AND_DEVICE inline double source(std::int64_t z, std::int64_t y, std::int64_t x) {
  std::uint64_t bits = static_cast<std::uint64_t>((z * 1024 + y) * 1024 + x) + 1;
  bits *= 0x9e3779b97f4a7c15U;
  bits ^= bits >> 29U;
  bits *= 0xbf58476d1ce4e5b9U;
  return static_cast<double>(bits >> 40U) / 16777216.0 - 0.25;
}
