// Fields on a rank's block, with a layer of ghost cells, which are exchanged by messages between
// neighbours.
#pragma once

#include <isofold/mpi.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "block.hpp"

// The block of this rank; without a grid MPI chooses one.
inline Block block_of_rank(std::int64_t cells, const std::string& grid, MPI_Comm comm) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int factors[3] = {0, 0, 0};
  MPI_Dims_create(ranks, 3, factors);
  const Triple chosen{factors[0], factors[1], factors[2]};
  return {cells, grid.empty() ? chosen : grid_from(grid), rank, ranks};
}

class Field {
 public:
  Field(const Block& block, MPI_Comm comm)
      : block_(&block),
        comm_(comm),
        pitch_{(block.extents[1] + 2) * (block.extents[2] + 2), block.extents[2] + 2, 1},
        cells_(static_cast<std::size_t>((block.extents[0] + 2) * pitch_[0])) {}

  // Own cells have the indices 1 to extent, ghost cells 0 and extent + 1.
  double& operator()(std::int64_t k, std::int64_t j, std::int64_t i) {
    return cells_[static_cast<std::size_t>(k * pitch_[0] + j * pitch_[1] + i)];
  }
  double operator()(std::int64_t k, std::int64_t j, std::int64_t i) const {
    return cells_[static_cast<std::size_t>(k * pitch_[0] + j * pitch_[1] + i)];
  }
  // The own cells, as isofold takes them; nothing is packed.
  [[nodiscard]] isofold::Box<double> own() const {
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
  [[nodiscard]] const Block& block() const { return *block_; }

  // Fills the ghost cells behind each face with the neighbour's cells; at the walls with `wall`
  // times the cell before it.
  void fill_ghost_cells(double wall) {
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
        use((*this)(index[0], index[1], index[2]));
      }
    }
  }
  void exchange(std::size_t d, std::int64_t from, std::int64_t to, std::int64_t step, double wall) {
    std::vector<double> sent;
    for_face(d, from, [&](double cell) { sent.push_back(cell); });
    std::vector<double> received(sent.size());
    const auto rank_at = [&](std::int64_t towards) {
      const int rank = block_->neighbour(d, towards);
      return rank < 0 ? MPI_PROC_NULL : rank;
    };
    const int source = rank_at(-step);
    const auto count = static_cast<int>(sent.size());
    MPI_Sendrecv(sent.data(), count, MPI_DOUBLE, rank_at(step), 1, received.data(), count,
                 MPI_DOUBLE, source, 1, comm_, MPI_STATUS_IGNORE);
    if (source == MPI_PROC_NULL) {
      received.clear();
      for_face(d, to + step, [&](double cell) { received.push_back(wall * cell); });
    }
    std::size_t next = 0;
    for_face(d, to, [&](double& ghost) { ghost = received[next++]; });
  }

  const Block* block_;
  MPI_Comm comm_;
  Triple pitch_;
  std::vector<double> cells_;
};
