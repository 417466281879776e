// The loop over rows and threads, as openmp.cpp calls it: compiled once, for what needs an
// instruction set of its own is behind the function pointers of vector_folds.hpp.
#pragma once

#include "vector_folds.hpp"

namespace isofold_openmp {

// How a call folds its rows.
struct Plan {
  int threads;  // to ask for; 1: no parallel region
  int streams;  // one_stream, two_streams or prefetched
  void* runs;   // threads * run_bytes bytes of workspace (of fused folds, fused_run_bytes); unused
                // with one thread
  const isofold_packed::PackedRows* packed = nullptr;  // of a request with a layout
  // Workspace of boxes that are folded slab by slab: most_state_bytes for each chunk, and a room
  // for each thread, aligned to lines of the cache.
  void* states = nullptr;
  void* rooms = nullptr;
};

// Slabs are gathered from 512 bytes of memory at once, because loads of elements that lie far apart
// are slow line by line (docs/decisions/049). They go to as many chunks and what follows these, off
// the distance at which the ways of a cache collide.
inline constexpr int slab_row_bytes = 512;
inline constexpr int slab_piece = 128;                     // elements of a slab
inline constexpr int slab_pitch = 1024 + slab_piece + 16;  // likewise
inline constexpr std::size_t slab_room_bytes = std::size_t{slab_row_bytes} * slab_pitch;

inline constexpr std::size_t run_bytes = 16384;        // holds a core::Run of any fold of the table
inline constexpr std::size_t fused_run_bytes = 65536;  // and of ISOFOLD_MOST_FUSED at once

// The fold that takes the request's elements as they lie: contiguous, of the type that it computes
// in. Null: there is none.
inline const VectorFold* direct_fold(const VectorFolds& folds, const isofold_request& request) {
  return request.accumulator == 0 && request.layout == nullptr
             ? folds.of[request.fold - 1][request.type - 1]
             : nullptr;
}

// Evaluates the request by the plan; returns the threads that were granted.
int walk(const VectorFolds& folds, const isofold_request& request, const Plan& plan);
// Evaluates several requests over one input (backend_interface::Instance::reduce_fused).
int walk_fused(const VectorFolds& folds, const isofold_request* requests, int count,
               const Plan& plan);

}  // namespace isofold_openmp
