// How openmp.cpp reaches the walks: one table of functions for each instruction set.
// Only plain data and types of the C ABI stand here, for this is the one header that translation
// units compiled for different instruction sets share (walk_scope.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include <isofold/isofold.h>
#include <layout/packed_rows_view.hpp>

namespace isofold_openmp {

// How a thread reads: from caches; from farther away, at two places at once; or likewise by vectors
// of 512 bits, with lines asked for ahead (blocks of chunks in one stream, other folds in two).
inline constexpr int one_stream = 1;
inline constexpr int two_streams = 2;
inline constexpr int asked_ahead = 3;

// How a call walks.
struct Plan {
  int threads;  // to ask for; 1: no parallel region
  int streams;  // one of those
  void* runs;   // threads * run_bytes bytes of workspace (of fused folds, fused_run_bytes); unused
                // with one thread
  const isofold_packed::PackedRows* packed = nullptr;  // of a request with a layout
  // Of boxes that are taken slab by slab: most_state_bytes for each chunk, and a room for each
  // thread, aligned to lines of the cache.
  void* states = nullptr;
  void* rooms = nullptr;
};

// What slabs are gathered in: of memory as it lies 512 bytes at once, for of 2^25 floats that lie
// 256 KiB apart loads alone took 28 ms line by line, 10 by four lines, 9 by eight (two threads of
// an EPYC; 320 x 320 x 320 27, 10 and 7). They go to as many chunks and what follows these, off the
// distance at which the ways of a cache collide.
inline constexpr int slab_row_bytes = 512;
inline constexpr int slab_piece = 128;                     // elements of a slab
inline constexpr int slab_pitch = 1024 + slab_piece + 16;  // likewise
inline constexpr std::size_t slab_room_bytes = std::size_t{slab_row_bytes} * slab_pitch;

inline constexpr std::size_t run_bytes = 16384;        // holds a core::Run of any fold of the table
inline constexpr std::size_t fused_run_bytes = 65536;  // and of ISOFOLD_MOST_FUSED at once

// Evaluates the request by the plan; returns the threads that were granted.
using Walk = int (*)(const isofold_request& request, const Plan& plan);
// The same of several requests over one input (contract::Instance::reduce_fused).
using FusedWalk = int (*)(const isofold_request* requests, int count, const Plan& plan);

#define ISOFOLD_COUNT_FOLD(name, number) +1
#define ISOFOLD_COUNT_TYPE(name, number, c_type) +1
inline constexpr int folds = ISOFOLD_FOLDS(ISOFOLD_COUNT_FOLD);
inline constexpr int types = ISOFOLD_TYPES(ISOFOLD_COUNT_TYPE);
#undef ISOFOLD_COUNT_FOLD
#undef ISOFOLD_COUNT_TYPE

struct Walks {
  int vector_bits = 0;  // 128 (the baseline), 256, 512
  // By the numbers, less one, of the fold and of the type that it computes in; others have none.
  Walk of[folds][types]{};      // over contiguous elements of that type
  Walk staged[folds][types]{};  // over any others
  FusedWalk fused = nullptr;
};

void fill_baseline(Walks& walks);
void fill_avx2(Walks& walks);  // call only where __builtin_cpu_supports says so
void fill_avx512(Walks& walks);

}  // namespace isofold_openmp
