// Memory for the results of a call, in the library of its input, and the objects that are made of
// it.
#pragma once

#include <isofold/isofold.h>

#include "array.hpp"

namespace isofold_python {

// The components of one result as they lie in memory; a complex number is one component.
struct ResultKind {
  int count = 0;
  isofold_component components[4];
  std::int64_t bytes = 0;
};
ResultKind result_kind(std::int32_t fold, std::int32_t type, bool kept_parts);

class Results {
 public:
  // Takes memory for results of the given shape. NumPy's array without dimensions is a scalar.
  Results(const Array& like, const ResultKind& kind, const std::int64_t* shape, int dimensions);
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  void* memory() { return memory_; }

  // The results' component of that number, converted to `wanted` (0: as it is).
  nb::object take(int component, DType wanted) const;

 private:
  void allocate_numpy(DType dtype, const std::int64_t* shape, int dimensions);
  void allocate_exchanged(DType dtype, const std::int64_t* shape, int dimensions);
  void allocate_adapted(DType dtype, const std::int64_t* shape, int dimensions);

  const Array& like_;
  ResultKind kind_;
  int dimensions_;
  std::int64_t shape_[most_dimensions];
  bool scalar_;
  std::int64_t inline_[8] = {};  // a scalar's
  void* memory_ = nullptr;
  nb::object array_;
};

// NumPy's scalar of the value at `memory`.
nb::object scalar(const void* memory, DType native, DType wanted);

}  // namespace isofold_python
