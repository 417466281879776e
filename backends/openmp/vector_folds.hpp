// Folds on the vectors of one instruction set, behind function pointers: the functions that the
// loop over rows and threads (loop.cpp) calls, and the table that the units of each instruction set
// fill (fold_table.hpp). Only plain data and types of the C ABI stand here, for this is the one
// header that translation units compiled for different instruction sets share
// (instruction_set_scope.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include <isofold/isofold.h>
#include <layout/packed_rows_view.hpp>

namespace isofold_openmp {

// How a thread reads: from caches; from farther away, at two places at once; or likewise by vectors
// of 512 bits, with lines prefetched (blocks of chunks in one stream, other folds in two).
inline constexpr int one_stream = 1;
inline constexpr int two_streams = 2;
inline constexpr int prefetched = 3;

// Levels: of the nodes that most folds make at once, and of those that are worth a call where
// elements come through a buffer in L1.
inline constexpr int block_level = 6;
inline constexpr int group_level = 2;

// Columns of so many bytes of a line are in registers at once.
inline constexpr int strip_bytes = 256;

// A piece of each of some rows that take turns in memory: whole rows of lanes, at most 1024
// elements. They may end one chunk and begin the next; or end the row, and then no other chunk.
struct PlanePiece {
  isofold_packed::LaneRow lanes[2][16];  // of the first row, each at its place in its chunk
  std::int64_t distance[2];              // of a row from the one before, in bytes
  int rows;
  std::int64_t first;
  int count;
  bool is_last;
};

// States and results are bytes of the sizes given; `request` has the fold's parameters.
struct VectorFold {
  std::size_t element_bytes;
  std::size_t state_bytes;
  std::size_t result_bytes;
  int level;  // chunk() makes nodes of at most this level,
  int piece;  // and of this one where elements come through a buffer in L1

  // The state of `count` elements, the first of which has the index `begin` in its row. The arrays
  // are indexed by the streams, less one.
  using Chunk = void (*)(const isofold_request& request, const void* data, const void* second,
                         std::int64_t begin, int count, void* state);
  Chunk chunk[3];
  // Nulls, or: folds the request's rows [begin, end), of at most a block of elements that lie one
  // after the other, and writes their results.
  using Rows = void (*)(const isofold_request& request, std::int64_t begin, std::int64_t end);
  Rows rows[3];
  // Folds, as chunk() does, elements of a packed row in runs of 64 elements or more.
  using Runs = void (*)(const isofold_request& request, const isofold_packed::PackedRows& packed,
                        std::int64_t row, std::int64_t begin, int count, void* state);
  Runs in_runs;
  // Null, or: the states of `count` elements of each of n stretches that lie side by side, n a
  // multiple of `strip` and `most` at most; element i of the first is offsets[a][i] after its
  // array, and has index begin + i, that of the next one `apart` more: 0, they are different rows.
  struct Columns {
    void (*fold)(const isofold_request& request, const void* data, const void* second,
                 const std::int64_t* const (&offsets)[2], std::int64_t begin, std::int64_t apart,
                 int count, int n, void* states);
    int strip;
    int most;
  };
  Columns columns;
  // Null, or: takes a piece of each row into its lanes, lane_bytes of them, and puts the states of
  // the chunk that it ends.
  struct Planes {
    void (*fold)(const isofold_request& request, const PlanePiece& piece, void* lanes,
                 void* states);
    int lane_bytes;
  };
  Planes planes;

  void (*combine)(const void* left, const void* right, void* state);  // `state` may be either
  void (*finish)(const void* root, std::int64_t count, void* result);
  void (*empty)(void* result);
};

// The sums of exact_v1 (exact_sums.hpp) of one thread, in a room of its own.
struct ExactFold {
  void (*begin)(void* room);
  // Adds n elements that lie one after the other; y: of the second array, if there is one.
  void (*add)(void* room, const void* x, const void* y, std::int64_t n);
  const void* (*words)(void* room);  // the fold's state, carried; nothing is added afterwards
};
inline constexpr std::size_t exact_room_bytes = 8192;
inline constexpr std::size_t exact_room_alignment = 64;

// Converts contiguous elements to the values that folds compute with.
using Convert = void (*)(const void* elements, std::int64_t count, void* values);

#define ISOFOLD_COUNT_FOLD(name, number) +1
#define ISOFOLD_COUNT_TYPE(name, number, c_type) +1
inline constexpr int folds = ISOFOLD_FOLDS(ISOFOLD_COUNT_FOLD);
inline constexpr int types = ISOFOLD_TYPES(ISOFOLD_COUNT_TYPE);
#undef ISOFOLD_COUNT_FOLD
#undef ISOFOLD_COUNT_TYPE

struct VectorFolds {
  int vector_bits = 0;  // 128 (the baseline), 256, 512
  // Indexed by the numbers, less one, of the fold and of the type that it computes in; else null.
  const VectorFold* of[folds][types]{};
  const ExactFold* exact[folds][types]{};  // indexed as `of`
  // The index is the number, less one, of the elements' type in memory, then the accumulator; null
  // where a fold takes elements unconverted.
  Convert convert[types][types + 1]{};
};

// Element types whose folds are compiled together, for some of them compute the same states
// (same_states.hpp): one small unit for each group and instruction set, and one for all of
// exact_v1.
template <class... T>
struct TypeGroup {};
namespace group {
using f32 = TypeGroup<float>;
using f64 = TypeGroup<double>;
using integers32 = TypeGroup<std::int32_t, std::uint32_t>;
using integers64 = TypeGroup<std::int64_t, std::uint64_t>;
using complex = TypeGroup<isofold_c64, isofold_c128>;
}  // namespace group
#define ISOFOLD_TYPE_GROUPS(X, set) \
  X(set, f32) X(set, f64) X(set, integers32) X(set, integers64) X(set, complex) X(set, exact)

// fill_avx2_f32(table, narrower) and the like: avx2's and avx512's may be called only where
// __builtin_cpu_supports says so. avx512's take some functions from the filled table of avx2.
#define ISOFOLD_DECLARE_FILL(set, group) \
  void fill_##set##_##group(VectorFolds& table, const VectorFolds* narrower);
ISOFOLD_TYPE_GROUPS(ISOFOLD_DECLARE_FILL, baseline)
ISOFOLD_TYPE_GROUPS(ISOFOLD_DECLARE_FILL, avx2)
ISOFOLD_TYPE_GROUPS(ISOFOLD_DECLARE_FILL, avx512)
#undef ISOFOLD_DECLARE_FILL

}  // namespace isofold_openmp
