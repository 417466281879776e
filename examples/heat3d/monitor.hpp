// The questions that the simulation asks isofold: the sum, the minimum and the maximum of the
// interior each step, and now and then its mean over each plane of constant x. The answers have the
// same bits on every backend and for every number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <isofold/isofold.hpp>

#include "field.hpp"

class Monitor {
 public:
  // An empty backend name leaves the choice to isofold: the data are in host memory, so openmp.
  Monitor(const Field& field, const std::string& backend, int threads)
      : reduce_(backend.empty() ? nullptr : backend.c_str(), isofold::Options{}.threads(threads)),
        profile_(has_memory_of_its_own(backend) ? backend : "reference",
                 static_cast<std::size_t>(field.n()) * sizeof(double)) {
    if (has_memory_of_its_own(backend)) {
      cells_ = std::make_unique<isofold::Buffer>(
          backend, static_cast<std::size_t>(field.n() * field.n() * field.n()) * sizeof(double));
    }
  }

  // The interior is a box within the field: its strides step over the ghost cells, and nothing is
  // packed. A device has no such boxes yet, and needs a copy anyway, since the stencil runs on the
  // CPU: it gets the interior packed, which has the same bits.
  void look_at(const Field& field) {
    const std::int64_t edge = field.pitch();
    interior_ = interior(isofold::box(field.data(), {edge, edge, edge}), 1);
    if (cells_ != nullptr) {
      const std::vector<double> packed = interior_of(field);
      cells_->copy_from(packed.data(), cells_->bytes());
      interior_ = isofold::box(cells_->as<const double>(), {field.n(), field.n(), field.n()});
    }
  }

  double sum() { return reduce_.sum(interior_); }
  double minimum() { return reduce_.minimum(interior_); }
  double maximum() { return reduce_.maximum(interior_); }
  // The mean over y and z, for each x.
  std::vector<double> profile() {
    std::vector<double> means(profile_.bytes() / sizeof(double));
    reduce_.mean(over(interior_, {1, 2}), profile_.as<double>());
    reduce_.synchronize();
    profile_.copy_to(means.data(), profile_.bytes());
    return means;
  }
  const char* backend() const { return reduce_.backend(); }

 private:
  static bool has_memory_of_its_own(const std::string& backend) {
    return backend == "cuda" || backend == "hip";
  }
  static std::vector<double> interior_of(const Field& field) {
    std::vector<double> cells;
    for (std::int64_t k = 1; k <= field.n(); ++k) {
      for (std::int64_t j = 1; j <= field.n(); ++j) {
        const double* pencil = field.data() + field.index(1, j, k);
        cells.insert(cells.end(), pencil, pencil + field.n());
      }
    }
    return cells;
  }

  isofold::Reducer reduce_;
  isofold::Buffer profile_;
  std::unique_ptr<isofold::Buffer> cells_;  // the copy on a device
  isofold::Box<double> interior_{};
};
