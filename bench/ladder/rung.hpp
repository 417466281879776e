// A rung of the ladder: one way to reduce on a GPU, as tutorials teach it. One file each, in the
// order of rungs.hpp; a step up is one idea.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace bench::ladder {

// One array is one row. The results lie on the device, one a row, as long as an element.
struct Work {
  const void* data;
  std::int64_t rows;
  std::int64_t length;
  void* results;
  void* workspace;  // one number for each 128 elements of an array, and some more
  cudaStream_t stream;
};

struct Rung {
  const char* name;
  const char* step;  // what is new since the rung before
  void (*enqueue)(const Work& work);
};

// The threads of a block in every rung but the last.
constexpr int threads = 256;

constexpr unsigned whole_blocks(std::int64_t work, std::int64_t a_block) {
  return static_cast<unsigned>((work + a_block - 1) / a_block);
}

// Enough blocks to fill the GPU eight deep, but no more than there is work for.
inline unsigned filling_blocks(std::int64_t work) {
  static const int processors = [] {
    int count = 1;
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
    return count;
  }();
  const unsigned enough = whole_blocks(work, threads);
  const auto filled = static_cast<unsigned>(8 * processors);
  return enough < filled ? enough : filled;
}

}  // namespace bench::ladder
