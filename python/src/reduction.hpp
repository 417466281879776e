// One reduction as the C ABI takes it: an array, the axes that are reduced, a mask, a second array.
// The fewest axes that describe it are found here, so that what is an array or rows in memory is
// asked for as that.
#pragma once

#include <isofold/isofold.h>

#include <cstdint>

#include "array.hpp"

namespace isofold_python {

// A fold and where its results go.
struct Job {
  std::int32_t fold;
  std::int32_t definition;
  void* result;
  std::int32_t accumulator = 0;
};

class Reduction {
 public:
  // This says what is done with the two parts of complex elements, where a fold has none of them.
  enum class Parts { whole, kept, reduced };

  // Reduces the axes of `x` whose entry of `reduced` is true. `y` has the shape of `x`, or is null;
  // `mask`, of bytes, is broadcast to that shape, or is null. All outlive the object.
  Reduction(const Array& x, const Array* y, const Array* mask, const bool* reduced, Parts parts);

  std::int64_t rows() const { return rows_; }
  std::int64_t length() const { return length_; }
  std::int32_t type() const { return type_; }
  bool masked() const { return mask_ != nullptr; }

  // This tells whether the C ABI has as many axes; if not, the caller packs `x` first.
  bool fits() const { return count_ <= ISOFOLD_MOST_DIMENSIONS; }

  // Runs the jobs, more than one by one read. A long one is cut into pieces between which Python
  // handles signals. A mask that takes nothing is an error for the folds that have no value then,
  // unless `allow_empty`.
  void run(const Job* jobs, int count, bool allow_empty) const;

  // Writes the words of exact_v1 of each row (isofold_exact_words() each) to host memory.
  void run_words(std::int32_t fold, std::int32_t accumulator, std::int64_t* words) const;

  // Raises the library's error for a fold that has no value without elements.
  static void raise_empty(std::int32_t fold, std::int32_t type);

 private:
  struct Axis {
    std::int64_t extent;
    std::int64_t x;
    std::int64_t y;
    std::int64_t mask;
    bool kept;

    bool continues(const Axis& inner) const {
      return kept == inner.kept && x == inner.x * inner.extent && y == inner.y * inner.extent &&
             mask == inner.mask * inner.extent;
    }
  };

  void append(const Axis& axis);
  void count_rows();
  isofold_request request(isofold_layout& layout) const;
  void reduce(const Job* jobs, int count, std::int32_t flags) const;
  bool run_in_pieces(const Job& job) const;
  void run_rows_in_pieces(const Job& job, std::int64_t pieces) const;
  bool run_row_in_pieces(const Job& job, std::int64_t pieces) const;
  Reduction piece(int axis, std::int64_t begin, std::int64_t end) const;

  const Array& x_;
  const char* data_;
  const char* second_ = nullptr;
  const char* mask_ = nullptr;
  std::int32_t type_;
  std::int64_t bytes_;  // of an element
  int count_ = 0;
  Axis axes_[most_dimensions + 1];
  std::int64_t rows_ = 1;
  std::int64_t length_ = 1;
};

// The most elements of a piece; tests make it small.
extern std::int64_t piece_elements;

}  // namespace isofold_python
