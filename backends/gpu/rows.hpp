// The rows of a request on their way to the device, and the kernel for rows without elements.
#pragma once

#include <backends/gpu/platform.hpp>

namespace isofold::gpu {

// The rows of a request and what becomes of their roots. An array is one row.
template <class Fold>
struct Rows {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;

  Fold fold;
  const Element* data;
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;
  void* result;
  bool write_state;  // the fold's state instead of the finished result

  ISOFOLD_DEVICE const Element* row(std::int64_t number) const { return data + number * stride; }
  ISOFOLD_DEVICE void write(std::int64_t number, const State& root) const {
    if (write_state) {
      static_cast<State*>(result)[number] = root;
    } else {
      static_cast<typename Fold::result_type*>(result)[number] = fold.finish(root, length);
    }
  }
};

// The result of no elements, for each row.
template <class Fold>
struct EmptyRows {
  static constexpr int max_threads = 256;
  Rows<Fold> rows;

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const std::int64_t step = group.blocks() * group.threads();
    for (std::int64_t row = group.block() * group.threads() + group.thread(); row < rows.rows;
         row += step) {
      static_cast<typename Fold::result_type*>(rows.result)[row] = rows.fold.empty();
    }
  }
};

}  // namespace isofold::gpu
