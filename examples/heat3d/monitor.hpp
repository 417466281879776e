// What the simulation asks isofold each step: the sum, the minimum and the maximum of the interior.
// The answers have the same bits on every backend and for every number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <isofold/isofold.hpp>

#include "field.hpp"

class Monitor {
 public:
  // An empty backend name leaves the choice to isofold: the data are in host memory, so openmp.
  Monitor(const Field& field, const std::string& backend, int threads)
      : reduce_(backend.empty() ? nullptr : backend.c_str(), isofold::Options{}.threads(threads)),
        pencils_(memory_of(backend),
                 static_cast<std::size_t>(pencil_count(field)) * sizeof(double)),
        planes_(memory_of(backend), static_cast<std::size_t>(field.n()) * sizeof(double)) {
    if (has_memory_of_its_own(backend)) {
      cells_ = std::make_unique<isofold::Buffer>(
          backend, static_cast<std::size_t>(field.volume()) * sizeof(double));
    }
  }

  // The stencil runs on the CPU, so a device needs a copy of the field each step. A code whose
  // field lives on the device would pass that pointer and copy nothing.
  void look_at(const Field& field) {
    field_ = &field;
    data_ = field.data();
    if (cells_ != nullptr) {
      cells_->copy_from(field.data(), cells_->bytes());
      data_ = cells_->as<double>();
    }
  }

  double sum() { return over_interior(isofold::sum); }
  double minimum() { return over_interior(isofold::minimum); }
  double maximum() { return over_interior(isofold::maximum); }
  const char* backend() const { return reduce_.backend(); }

 private:
  // Along each pencil, then over the pencils of each plane, then over the planes: a stride steps
  // over the ghost cells, and nothing is packed. Intermediate results stay in the backend's memory.
  template <isofold::Fold fold>
  double over_interior(isofold::FoldTag<fold> tag) {
    const std::int64_t n = field_->n();
    const std::int64_t pitch = field_->pitch();
    const double* first = data_ + field_->index(1, 1, 1);
    reduce_.reduce(tag, isofold::rows(first, pencil_count(*field_), n, pitch),
                   pencils_.as<double>());
    reduce_.reduce(tag, isofold::rows(pencils_.as<double>(), n, n, pitch), planes_.as<double>());
    return reduce_.reduce(tag, isofold::array(planes_.as<double>(), n));
  }

  // From the first interior pencil to the last, with the two pencils of ghost cells between planes;
  // the second step leaves those out.
  static std::int64_t pencil_count(const Field& field) {
    return (field.n() - 1) * field.pitch() + field.n();
  }
  static bool has_memory_of_its_own(const std::string& backend) {
    return backend == "cuda" || backend == "hip";
  }
  static std::string memory_of(const std::string& backend) {
    return has_memory_of_its_own(backend) ? backend : "reference";
  }

  isofold::Reducer reduce_;
  isofold::Buffer pencils_;
  isofold::Buffer planes_;
  std::unique_ptr<isofold::Buffer> cells_;  // the copy on a device
  const Field* field_ = nullptr;
  const double* data_ = nullptr;
};
