// The runs of rows that are taken together, from their first chunks on: one binary counter for all
// of them, of which a node is the states of every row. core::Run is the counter of one row.
#pragma once

#include <cstring>

#include "vector_folds.hpp"

namespace isofold::openmp {
namespace {

using isofold_openmp::VectorFold;

class ColumnRuns {
 public:
  static constexpr std::size_t bytes = 131072;
  // A node for each level, and the next one.
  static int nodes_of(std::int64_t chunks) {
    int levels = 1;
    while (chunks >> levels != 0) {
      ++levels;
    }
    return levels + 1;
  }
  // How many columns of so many chunks there is room for.
  static std::int64_t most_columns(std::int64_t chunks, std::size_t state_bytes) {
    return static_cast<std::int64_t>(bytes / state_bytes) / nodes_of(chunks);
  }

  ColumnRuns(const VectorFold& fold, int columns)
      : fold_(fold), bytes_(static_cast<std::size_t>(columns) * fold.state_bytes) {}

  // The place for the states of the next chunk, or of the next larger node (always of the same
  // level); push() counts them.
  unsigned char* next() { return memory_; }
  void push() {
    int level = 0;
    for (; (pushed_ >> level & 1) != 0; ++level) {
      join(node(level));
    }
    std::memcpy(node(level), next(), bytes_);
    ++pushed_;
  }
  // The roots over everything pushed, which is at least one node.
  const unsigned char* roots() {
    bool is_first = true;
    for (int level = 0; pushed_ >> level != 0; ++level) {
      if ((pushed_ >> level & 1) != 0) {
        is_first ? static_cast<void>(std::memcpy(next(), node(level), bytes_)) : join(node(level));
        is_first = false;
      }
    }
    return next();
  }

 private:
  void join(const unsigned char* left) {
    for (std::size_t at = 0; at < bytes_; at += fold_.state_bytes) {
      fold_.combine(left + at, next() + at, next() + at);
    }
  }

  unsigned char* node(int level) { return memory_ + static_cast<std::size_t>(level + 1) * bytes_; }

  const VectorFold& fold_;
  std::size_t bytes_;
  std::int64_t pushed_ = 0;
  alignas(64) unsigned char memory_[bytes];
};

}  // namespace
}  // namespace isofold::openmp
