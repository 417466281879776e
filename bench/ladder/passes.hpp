// Blocks cannot wait for each other, so the trees leave one partial sum a block, and the same
// kernel reduces those until one number is left: three launches for 2^25 elements.
#pragma once

#include "rung.hpp"

namespace bench::ladder {

using Pass = void (*)(const float* x, std::int64_t n, float* partial);

inline void pass_by_pass(Pass pass, std::int64_t elements_a_block, const Work& work) {
  const float* x = static_cast<const float*>(work.data);
  std::int64_t n = work.length;
  float* partial = static_cast<float*>(work.workspace);
  do {
    const unsigned blocks = whole_blocks(n, elements_a_block);
    float* to = blocks == 1 ? static_cast<float*>(work.results) : partial;
    pass<<<blocks, threads, 0, work.stream>>>(x, n, to);
    x = to;
    n = blocks;
    partial += blocks;
  } while (n > 1);
}

}  // namespace bench::ladder
