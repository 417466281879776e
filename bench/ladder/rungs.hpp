// The order of the rungs, from the bottom up, in three ladders that each end with isofold.
#pragma once

#include <vector>

#include "rung.hpp"

namespace bench::ladder {

extern const Rung naive_atomic;
extern const Rung vector_atomic;
extern const Rung interleaved_tree;
extern const Rung non_divergent_tree;
extern const Rung sequential_tree;
extern const Rung add_on_load;
extern const Rung unrolled_last_warp;
extern const Rung warp_shuffle;
extern const Rung integer_sum;
extern const Rung row_thread;
extern const Rung row_block;
extern const Rung row_warp;
extern const Rung isofold_f32;
extern const Rung isofold_i32;

struct Ladder {
  const char* type;
  std::int64_t rows;
  std::int64_t length;
  std::vector<const Rung*> rungs;
};

inline std::vector<Ladder> ladders() {
  return {{"f32",
           1,
           std::int64_t{1} << 25,
           {&naive_atomic, &vector_atomic, &interleaved_tree, &non_divergent_tree, &sequential_tree,
            &add_on_load, &unrolled_last_warp, &warp_shuffle, &isofold_f32}},
          {"i32", 1, std::int64_t{1} << 25, {&integer_sum, &isofold_i32}},
          {"f32", 65536, 2048, {&row_thread, &row_block, &row_warp, &isofold_f32}}};
}

}  // namespace bench::ladder
