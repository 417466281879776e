// The rows of a request on their way to the device, for all kernels, with the functions that write
// results; and the kernel for rows without elements.
#pragma once

#include <backends/gpu/op/family.hpp>

namespace isofold::gpu {

// Writes of(fold) as result number `number`; a family of folds stands for the member that was asked
// for.
template <class Fold, class Of>
ISOFOLD_DEVICE void write_result(const Fold& fold, void* results, std::int64_t number, Of&& of) {
  if constexpr (is_family<Fold>) {
    fold.with_member([&](const auto& member) { write_result(member, results, number, of); });
  } else {
    static_cast<typename Fold::result_type*>(results)[number] = of(fold);
  }
}

// The rows of a request and the place of their results. An array is one row.
template <class Fold>
struct Rows {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;

  Fold fold;
  core::Elements<Fold> first;  // row
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;
  std::int64_t second_stride;
  void* result;
  bool write_state;  // the fold's state instead of the finished result

  ISOFOLD_DEVICE core::Elements<Fold> row(std::int64_t number) const {
    return {first.data + number * stride,
            Fold::arrays == 2 ? first.second + number * second_stride : nullptr};
  }
  ISOFOLD_DEVICE void write(std::int64_t number, const State& root) const {
    if (write_state) {
      static_cast<State*>(result)[number] = root;
    } else {
      write_result(fold, result, number,
                   [&](const auto& member) { return member.finish(root, length); });
    }
  }
  // Writes the result of a row that has a length of its own, perhaps zero.
  ISOFOLD_DEVICE void write_ragged(std::int64_t number, const State& root,
                                   std::int64_t own_length) const {
    write_result(fold, result, number, [&](const auto& member) {
      return own_length == 0 ? member.empty() : member.finish(root, own_length);
    });
  }
};

// Writes the result of no elements for each row.
template <class Fold>
struct EmptyRows {
  static constexpr int max_threads = 256;
  Rows<Fold> rows;

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const std::int64_t step = group.blocks() * group.threads();
    for (std::int64_t row = group.block() * group.threads() + group.thread(); row < rows.rows;
         row += step) {
      write_result(rows.fold, rows.result, row, [](const auto& fold) { return fold.empty(); });
    }
  }
};

}  // namespace isofold::gpu
