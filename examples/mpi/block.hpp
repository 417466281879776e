// A cube of n³ cells cut into a grid of blocks, one a rank (or a GPU).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

using Triple = std::array<std::int64_t, 3>;  // by dimension: z, y, x; x is contiguous

// Reads a grid such as 2x2x1.
inline Triple grid_from(const std::string& text) {
  long long z = 0, y = 0, x = 0;
  if (std::sscanf(text.c_str(), "%lldx%lldx%lld", &z, &y, &x) != 3) {
    throw std::invalid_argument("--grid " + text + ": three factors, such as 2x2x1, go here.");
  }
  return {z, y, x};
}

// A rank's block. Each extent may be 1 cell; a cut leaves no block empty.
struct Block {
  std::int64_t n = 0;  // cells along an edge of the whole
  Triple grid{1, 1, 1};
  Triple place{};    // of the rank in the grid
  Triple offsets{};  // of its first cell in the whole
  Triple extents{};

  Block(std::int64_t cells, Triple cut, std::int64_t rank, std::int64_t ranks)
      : n(cells), grid(cut) {
    for (std::size_t d = 0; d < 3; ++d) {
      if (grid[d] < 1 || grid[d] > n) {
        throw std::invalid_argument("A grid with " + std::to_string(grid[d]) +
                                    " blocks along an edge of " + std::to_string(n) +
                                    " cells: 1 to as many as there are cells go here.");
      }
    }
    if (grid[0] * grid[1] * grid[2] != ranks) {
      throw std::invalid_argument("A grid of " + std::to_string(grid[0] * grid[1] * grid[2]) +
                                  " blocks for " + std::to_string(ranks) +
                                  " ranks: there is one for each.");
    }
    place = {rank / (grid[1] * grid[2]), rank / grid[2] % grid[1], rank % grid[2]};
    for (std::size_t d = 0; d < 3; ++d) {
      offsets[d] = n * place[d] / grid[d];
      extents[d] = n * (place[d] + 1) / grid[d] - offsets[d];
    }
  }
  // The rank one further (step 1) or back (-1) in a dimension; -1 at the wall.
  [[nodiscard]] int neighbour(std::size_t d, std::int64_t step) const {
    Triple at = place;
    at[d] += step;
    if (at[d] < 0 || at[d] >= grid[d]) {
      return -1;
    }
    return static_cast<int>((at[0] * grid[1] + at[1]) * grid[2] + at[2]);
  }
};
