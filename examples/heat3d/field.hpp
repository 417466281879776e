// The temperature on a cube of n³ cells with one layer of ghost cells, and its update.
// Each new cell is a fixed expression of old cells, so its bits depend on no number of threads.
// x runs along the last index, which is the slowest in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

class Field {
 public:
  explicit Field(std::int64_t n) : n_(n), cells_(static_cast<std::size_t>(volume())) {}

  std::int64_t n() const { return n_; }          // interior cells along an edge
  std::int64_t pitch() const { return n_ + 2; }  // cells from one pencil to the next
  std::int64_t volume() const { return pitch() * pitch() * pitch(); }
  double spacing() const { return 1.0 / static_cast<double>(n_); }
  const double* data() const { return cells_.data(); }

  // Interior cells have the indices 1 … n, ghost cells 0 and n + 1.
  std::int64_t index(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return (k * pitch() + j) * pitch() + i;
  }
  double& at(std::int64_t i, std::int64_t j, std::int64_t k) {
    return cells_[static_cast<std::size_t>(index(i, j, k))];
  }
  double at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return cells_[static_cast<std::size_t>(index(i, j, k))];
  }

 private:
  std::int64_t n_;
  std::vector<double> cells_;
};

// Two hot balls in a cold medium.
inline void ignite(Field& temperature) {
  const double h = temperature.spacing();
  const auto inside = [](double x, double y, double z, double centre, double radius) {
    const double dx = x - centre;
    const double dy = y - centre;
    const double dz = z - 0.5;
    return dx * dx + dy * dy + dz * dz < radius * radius;
  };
  for (std::int64_t k = 1; k <= temperature.n(); ++k) {
    for (std::int64_t j = 1; j <= temperature.n(); ++j) {
      for (std::int64_t i = 1; i <= temperature.n(); ++i) {
        const double x = (static_cast<double>(k) - 0.5) * h;
        const double y = (static_cast<double>(j) - 0.5) * h;
        const double z = (static_cast<double>(i) - 0.5) * h;
        const bool large = inside(x, y, z, 0.36, 0.2);
        const bool small = inside(x, y, z, 0.75, 0.11);
        temperature.at(i, j, k) = large ? 1.0 : small ? 0.8 : 0.01;
      }
    }
  }
}

// Insulated walls: a ghost cell has its neighbour's temperature, so no heat flows between them.
inline void fill_ghost_cells(Field& temperature) {
  const std::int64_t n = temperature.n();
  for (std::int64_t a = 1; a <= n; ++a) {
    for (std::int64_t b = 1; b <= n; ++b) {
      temperature.at(0, a, b) = temperature.at(1, a, b);
      temperature.at(n + 1, a, b) = temperature.at(n, a, b);
      temperature.at(a, 0, b) = temperature.at(a, 1, b);
      temperature.at(a, n + 1, b) = temperature.at(a, n, b);
      temperature.at(a, b, 0) = temperature.at(a, b, 1);
      temperature.at(a, b, n + 1) = temperature.at(a, b, n);
    }
  }
}

// One explicit step of dT/dt = div(T² grad T) = laplacian(T³ / 3): a conductivity that grows with
// the temperature, as in a plasma. Monotone and stable for dt <= spacing² / (6 max T²).
inline void advance(const Field& old_field, Field& new_field, double dt) {
  const std::int64_t n = old_field.n();
  const std::int64_t row = old_field.pitch();
  const std::int64_t plane = row * row;
  const double factor = dt / (old_field.spacing() * old_field.spacing());
  const auto potential = [](double t) { return t * t * t / 3.0; };
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t k = 1; k <= n; ++k) {
    for (std::int64_t j = 1; j <= n; ++j) {
      const double* t = old_field.data() + old_field.index(0, j, k);
      double* out = &new_field.at(0, j, k);
      for (std::int64_t i = 1; i <= n; ++i) {
        const double neighbours = (potential(t[i - 1]) + potential(t[i + 1])) +
                                  (potential(t[i - row]) + potential(t[i + row])) +
                                  (potential(t[i - plane]) + potential(t[i + plane]));
        out[i] = t[i] + factor * (neighbours - 6.0 * potential(t[i]));
      }
    }
  }
}
