// Tree v1 in numbers: 64 lanes, 16 rows, chunks of 1024 elements, and the binary tree above them.
// docs/tree.md is the definition; these constants are the same for every element type and never
// change.
#pragma once

#include <cstdint>

#include <isofold/detail/core/host_device.hpp>

namespace isofold::core {

inline constexpr int lanes = 64;
inline constexpr int rows_per_chunk = 16;
inline constexpr int chunk_shift = 10;
inline constexpr int chunk_elements = 1 << chunk_shift;
static_assert(lanes * rows_per_chunk == chunk_elements,
              "A chunk is its lanes times its rows: docs/tree.md, Definition.");

// Number of chunks of n >= 0 elements; the last may be short.
ISOFOLD_HOST_DEVICE constexpr std::int64_t chunk_count(std::int64_t n) {
  return (n >> chunk_shift) + ((n & (chunk_elements - 1)) != 0);
}

// Level of the root over `chunks` >= 1 leaves: ceil(log2(chunks)).
ISOFOLD_HOST_DEVICE constexpr int root_level(std::int64_t chunks) {
  int level = 0;
  while ((chunks - 1) >> level != 0) {
    ++level;
  }
  return level;
}

// The highest level any 64-bit count can reach.
inline constexpr int max_root_level = 63 - chunk_shift;
static_assert(root_level(chunk_count(INT64_MAX)) == max_root_level,
              "Fixed-size node stacks rely on this height.");

}  // namespace isofold::core
