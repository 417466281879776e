// Fields on blocks of a cube, one block a GPU, with a layer of ghost cells, which NCCL exchanges
// between neighbours. All work is enqueued: nobody waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gpus.hpp"

// Cells with the indices 1 to extent, and ghost cells 0 and extent + 1.
struct Cells {
  double* data;
  std::int64_t extents[3];

  __host__ __device__ double& operator()(std::int64_t k, std::int64_t j, std::int64_t i) const {
    return data[(k * (extents[1] + 2) + j) * (extents[2] + 2) + i];
  }
};

// The first cell of a GPU's block in the whole of n³ cells.
struct Origin {
  std::int64_t n, z, y, x;
};

// use(k, j, i) for each own cell.
template <class Use>
__global__ void visit_cells(Cells cells, Use use) {
  const std::int64_t count = cells.extents[0] * cells.extents[1] * cells.extents[2];
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t c = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; c < count; c += step) {
    const std::int64_t i = c % cells.extents[2];
    const std::int64_t row = c / cells.extents[2];
    use(row / cells.extents[1] + 1, row % cells.extents[1] + 1, i + 1);
  }
}
template <class Use>
void for_each_cell(const Gpu& gpu, const Cells& cells, const Use& use) {
  gpu.use();
  visit_cells<<<512, 256, 0, gpu.stream>>>(cells, use);
  check(cudaGetLastError(), "A kernel was not launched");
}

// One layer of cells across dimension d.
struct Layer {
  int d;
  std::int64_t at;
  std::int64_t rows;
  std::int64_t columns;

  __device__ double& cell(const Cells& cells, std::int64_t c) const {
    const std::int64_t s = c / columns + 1;
    const std::int64_t t = c % columns + 1;
    return d == 0 ? cells(at, s, t) : d == 1 ? cells(s, at, t) : cells(s, t, at);
  }
};
static __global__ void pack(Cells cells, Layer layer, double* to) {
  const std::int64_t c = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c < layer.rows * layer.columns) {
    to[c] = layer.cell(cells, c);
  }
}
// Ghost cells get what a neighbour sent, or `wall` times the cell before them.
static __global__ void fill(Cells cells, Layer ghosts, const double* received, Layer own,
                            double wall) {
  const std::int64_t c = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c < ghosts.rows * ghosts.columns) {
    ghosts.cell(cells, c) = received != nullptr ? received[c] : wall * own.cell(cells, c);
  }
}

// Memory of a GPU, zeros at first.
class DeviceDoubles {
 public:
  DeviceDoubles(const Gpu& gpu, std::int64_t count) {
    gpu.use();
    const auto bytes = static_cast<std::size_t>(count) * sizeof(double);
    check(cudaMalloc(&data_, bytes), "cudaMalloc");
    check(cudaMemsetAsync(data_, 0, bytes, gpu.stream), "cudaMemset");
  }
  ~DeviceDoubles() { cudaFree(data_); }
  DeviceDoubles(DeviceDoubles&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  DeviceDoubles& operator=(DeviceDoubles&&) = delete;
  [[nodiscard]] double* data() const { return static_cast<double*>(data_); }

 private:
  void* data_ = nullptr;
};

// A field over all GPUs, of which this process has some.
class Field {
 public:
  Field(const Gpus& gpus, std::int64_t n, const Triple& grid) : gpus_(&gpus) {
    for (const Gpu& gpu : gpus.own()) {
      blocks_.emplace_back(n, grid, gpu.rank, gpus.size());
      const Triple& e = blocks_.back().extents;
      memory_.emplace_back(gpu, (e[0] + 2) * (e[1] + 2) * (e[2] + 2));
      cells_.push_back({memory_.back().data(), {e[0], e[1], e[2]}});
      for (int d = 0; d < 3; ++d) {
        for (const bool is_high : {false, true}) {
          const auto across = static_cast<std::size_t>(d);
          const std::int64_t rows = e[d == 0 ? 1 : 0];
          const std::int64_t columns = e[d == 2 ? 1 : 2];
          faces_.push_back({memory_.size() - 1, blocks_.back().neighbour(across, is_high ? 1 : -1),
                            Layer{d, is_high ? e[across] : 1, rows, columns},
                            Layer{d, is_high ? e[across] + 1 : 0, rows, columns},
                            DeviceDoubles(gpu, rows * columns),
                            DeviceDoubles(gpu, rows * columns)});
        }
      }
    }
  }
  [[nodiscard]] const Cells& cells(std::size_t gpu) const { return cells_[gpu]; }
  [[nodiscard]] Origin origin(std::size_t gpu) const {
    const Block& block = blocks_[gpu];
    return {block.n, block.offsets[0], block.offsets[1], block.offsets[2]};
  }
  // The own cells, as isofold takes them; nothing is packed.
  [[nodiscard]] isofold::Box<double> own(std::size_t gpu) const {
    const Cells& c = cells_[gpu];
    return isofold::interior(
        isofold::box(c.data, {c.extents[0] + 2, c.extents[1] + 2, c.extents[2] + 2}), 1);
  }
  void fill_ghost_cells(double wall) const {
    for (const Face& face : faces_) {
      if (face.neighbour < 0) {
        continue;  // nobody gets the cells at a wall
      }
      const Gpu& gpu = gpus_->own()[face.gpu];
      gpu.use();
      pack<<<blocks_of(face), 256, 0, gpu.stream>>>(cells_[face.gpu], face.own, face.sent.data());
    }
    check(ncclGroupStart(), "ncclGroupStart");
    for (const Face& face : faces_) {
      if (face.neighbour >= 0) {
        const Gpu& gpu = gpus_->own()[face.gpu];
        const auto count = static_cast<std::size_t>(face.own.rows * face.own.columns);
        check(ncclSend(face.sent.data(), count, ncclFloat64, face.neighbour, gpu.comm, gpu.stream),
              "ncclSend");
        check(ncclRecv(face.received.data(), count, ncclFloat64, face.neighbour, gpu.comm,
                       gpu.stream),
              "ncclRecv");
      }
    }
    check(ncclGroupEnd(), "ncclGroupEnd");
    for (const Face& face : faces_) {
      const Gpu& gpu = gpus_->own()[face.gpu];
      gpu.use();
      fill<<<blocks_of(face), 256, 0, gpu.stream>>>(
          cells_[face.gpu], face.ghosts, face.neighbour >= 0 ? face.received.data() : nullptr,
          face.own, wall);
    }
    check(cudaGetLastError(), "A kernel was not launched");
  }

 private:
  struct Face {
    std::size_t gpu;  // of this process
    int neighbour;    // its rank; -1: a wall
    Layer own;
    Layer ghosts;
    DeviceDoubles sent;
    DeviceDoubles received;
  };
  static unsigned blocks_of(const Face& face) {
    return static_cast<unsigned>((face.own.rows * face.own.columns + 255) / 256);
  }

  const Gpus* gpus_;
  std::vector<Block> blocks_;
  std::vector<DeviceDoubles> memory_;
  std::vector<Cells> cells_;
  std::vector<Face> faces_;
};

// The grid asked for; without one, slabs.
inline Triple grid_for(const Settings& settings, const Gpus& gpus) {
  return settings.grid.empty() ? Triple{gpus.size(), 1, 1} : grid_from(settings.grid);
}

// The history of a run, on each GPU: kernels write a row of `width` numbers a step, and the host
// reads them at the end.
class History {
 public:
  History(const Gpus& gpus, std::int64_t rows, std::int64_t width)
      : gpus_(&gpus), rows_(rows), width_(width) {
    for (const Gpu& gpu : gpus.own()) {
      memory_.emplace_back(gpu, rows * width);
    }
  }
  [[nodiscard]] double* on(std::size_t gpu) const { return memory_[gpu].data(); }
  [[nodiscard]] std::vector<std::vector<double>> read() const {
    std::vector<double> all(static_cast<std::size_t>(rows_ * width_));
    const Gpu& first = gpus_->own().front();
    first.use();
    check(cudaStreamSynchronize(first.stream), "cudaStreamSynchronize");
    check(cudaMemcpy(all.data(), memory_.front().data(), all.size() * sizeof(double),
                     cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    std::vector<std::vector<double>> rows;
    for (auto at = all.begin(); at != all.end(); at += width_) {
      rows.emplace_back(at, at + width_);
    }
    return rows;
  }

 private:
  const Gpus* gpus_;
  std::int64_t rows_;
  std::int64_t width_;
  std::vector<DeviceDoubles> memory_;
};
