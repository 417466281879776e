// A cube of n³ cells cut into a grid of blocks, one a rank, and fields on a block with a layer of
// ghost cells, which are exchanged by messages between neighbours.
#pragma once

#include <isofold/mpi.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

using Triple = std::array<std::int64_t, 3>;  // by dimension: z, y, x; x is contiguous

// This rank's block. Each extent may be 1 cell; a cut leaves no block empty.
struct Block {
  std::int64_t n = 0;  // cells along an edge of the whole
  Triple grid{1, 1, 1};
  Triple place{};    // of this rank in the grid
  Triple offsets{};  // of its first cell in the whole
  Triple extents{};
  MPI_Comm comm = MPI_COMM_NULL;

  Block(std::int64_t cells, const std::string& text, MPI_Comm of) : n(cells), comm(of) {
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (text.empty()) {
      int factors[3] = {0, 0, 0};
      MPI_Dims_create(ranks, 3, factors);
      grid = {factors[0], factors[1], factors[2]};
    } else {
      long long z = 0, y = 0, x = 0;
      if (std::sscanf(text.c_str(), "%lldx%lldx%lld", &z, &y, &x) != 3) {
        throw std::invalid_argument("--grid " + text + ": three factors, such as 2x2x1, go here.");
      }
      grid = {z, y, x};
    }
    if (grid[0] * grid[1] * grid[2] != ranks) {
      throw std::invalid_argument("A grid of " + text + " blocks for " + std::to_string(ranks) +
                                  " ranks: there is one for each.");
    }
    place = {rank / (grid[1] * grid[2]), rank / grid[2] % grid[1], rank % grid[2]};
    for (std::size_t d = 0; d < 3; ++d) {
      offsets[d] = n * place[d] / grid[d];
      extents[d] = n * (place[d] + 1) / grid[d] - offsets[d];
      if (grid[d] > n) {
        throw std::invalid_argument("A grid of more blocks than cells along an edge.");
      }
    }
  }
  // The neighbour one further, or back, in a dimension; MPI_PROC_NULL at the wall.
  int neighbour(std::size_t d, std::int64_t step) const {
    Triple at = place;
    at[d] += step;
    if (at[d] < 0 || at[d] >= grid[d]) {
      return MPI_PROC_NULL;
    }
    return static_cast<int>((at[0] * grid[1] + at[1]) * grid[2] + at[2]);
  }
};

class Field {
 public:
  explicit Field(const Block& block)
      : block_(&block),
        pitch_{(block.extents[1] + 2) * (block.extents[2] + 2), block.extents[2] + 2, 1},
        cells_(static_cast<std::size_t>((block.extents[0] + 2) * pitch_[0])) {}

  // Own cells have the indices 1 to extent, ghost cells 0 and extent + 1.
  double& at(std::int64_t k, std::int64_t j, std::int64_t i) {
    return cells_[static_cast<std::size_t>(k * pitch_[0] + j * pitch_[1] + i)];
  }
  double at(std::int64_t k, std::int64_t j, std::int64_t i) const {
    return cells_[static_cast<std::size_t>(k * pitch_[0] + j * pitch_[1] + i)];
  }
  // The own cells, as isofold takes them; nothing is packed.
  isofold::Box<double> own() const {
    const Triple& n = block_->extents;
    return isofold::interior(isofold::box(cells_.data(), {n[0] + 2, n[1] + 2, n[2] + 2}), 1);
  }
  template <class Use>
  void for_each(Use&& use) const {
    for (std::int64_t k = 1; k <= block_->extents[0]; ++k) {
      for (std::int64_t j = 1; j <= block_->extents[1]; ++j) {
        for (std::int64_t i = 1; i <= block_->extents[2]; ++i) {
          use(k, j, i);
        }
      }
    }
  }
  const Block& block() const { return *block_; }

  // Fills the ghost cells behind each face with the neighbour's cells; at the walls with `wall` of
  // the cell before it.
  template <class Wall>
  void fill_ghost_cells(Wall&& wall) {
    for (std::size_t d = 0; d < 3; ++d) {
      const std::int64_t last = block_->extents[d];
      exchange(d, last, 0, 1, wall);       // towards higher indices
      exchange(d, 1, last + 1, -1, wall);  // and lower ones
    }
  }

 private:
  template <class Use>
  void for_face(std::size_t d, std::int64_t layer, Use&& use) {
    const std::size_t a = d == 0 ? 1 : 0;
    const std::size_t b = d == 2 ? 1 : 2;
    for (std::int64_t s = 1; s <= block_->extents[a]; ++s) {
      for (std::int64_t t = 1; t <= block_->extents[b]; ++t) {
        Triple index{};
        index[d] = layer;
        index[a] = s;
        index[b] = t;
        use(at(index[0], index[1], index[2]));
      }
    }
  }
  template <class Wall>
  void exchange(std::size_t d, std::int64_t from, std::int64_t to, std::int64_t step, Wall&& wall) {
    std::vector<double> sent;
    for_face(d, from, [&](double cell) { sent.push_back(cell); });
    std::vector<double> received(sent.size());
    const int source = block_->neighbour(d, -step);
    const auto count = static_cast<int>(sent.size());
    MPI_Sendrecv(sent.data(), count, MPI_DOUBLE, block_->neighbour(d, step), 1, received.data(),
                 count, MPI_DOUBLE, source, 1, block_->comm, MPI_STATUS_IGNORE);
    if (source == MPI_PROC_NULL) {
      received.clear();
      for_face(d, to + step, [&](double cell) { received.push_back(wall(cell)); });
    }
    std::size_t next = 0;
    for_face(d, to, [&](double& ghost) { ghost = received[next++]; });
  }

  const Block* block_;
  Triple pitch_;
  std::vector<double> cells_;
};
