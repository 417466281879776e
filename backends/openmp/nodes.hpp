// How nodes of the tree are made, for the one loop over rows and threads (row_loop.hpp):
//   ChunkNodes  of elements that lie one after the other; also of segments and batches, whose rows
//               lie in line, too
//   RunNodes    of boxes in long runs, where they lie, also of rows that take turns in memory
//   FusedNodes  of several folds, which take each chunk in turn while it is in L1
//   StagedNodes piece by piece, of elements that are not those that the fold takes, or that do not
//               lie one after the other (stage.hpp)
//   TakenNodes  of either of these two, of the elements that a mask selects
// They serve any fold, through the function pointers of vector_folds.hpp.
#pragma once

#include <cstring>

#include <isofold/detail/core/fold.hpp>
#include <isofold/detail/core/run.hpp>

#include "column_runs.hpp"
#include "stage.hpp"

namespace isofold::openmp {
namespace {

using isofold_openmp::block_level;
using isofold_openmp::group_level;
using isofold_openmp::one_stream;
using isofold_openmp::PlanePiece;
using isofold_openmp::two_streams;

constexpr std::int64_t at_most(std::int64_t value, std::int64_t limit) {
  return value < limit ? value : limit;
}

// A state of any fold.
struct AnyState {
  alignas(16) unsigned char bytes[core::most_state_bytes];
};

// Combines and writes the states of any fold.
struct AnyNodes {
  using State = AnyState;
  static constexpr std::size_t run_bytes = isofold_openmp::run_bytes;
  struct Combine {
    using state_type = AnyState;
    const VectorFold* fold;
    AnyState combine(const AnyState& left, const AnyState& right) const {
      AnyState state;
      fold->combine(left.bytes, right.bytes, state.bytes);
      return state;
    }
  };

  const isofold_request& request;
  const VectorFold& fold;

  Combine combine() const { return {&fold}; }
  void write(std::int64_t row, const State& root, std::int64_t length) const {
    char* const results = static_cast<char*>(request.result);
    if ((request.flags & ISOFOLD_STATE) != 0) {
      std::memcpy(results + row * static_cast<std::int64_t>(fold.state_bytes), root.bytes,
                  fold.state_bytes);
    } else {
      fold.finish(root.bytes, length, result(row));
    }
  }
  void write_empty(std::int64_t row) const { fold.empty(result(row)); }
  // Writes some rows, whose states are one after the other.
  void write_rows(std::int64_t row, int rows, const unsigned char* states) const {
    for (int r = 0; r < rows; ++r) {
      AnyState state;
      std::memcpy(state.bytes, states + static_cast<std::size_t>(r) * fold.state_bytes,
                  fold.state_bytes);
      write(row + r, state, request.length);
    }
  }

 private:
  char* result(std::int64_t row) const {
    return static_cast<char*>(request.result) + row * static_cast<std::int64_t>(fold.result_bytes);
  }
};

// The states of a piece of a row, a chunk at most, and of the `columns` - 1 pieces that lie beside
// it, where they lie: strips of Columns. Each has indices that are `apart` more than its
// neighbour's; 0: it belongs to the next row.
template <int arrays>
__attribute__((noinline)) void fold_as_they_lie(const AnyNodes& nodes, const Stage& stage,
                                                const Piece& piece, int columns, std::int64_t apart,
                                                unsigned char* states) {
  const isofold_request& request = nodes.request;
  std::int64_t offsets[arrays][core::chunk_elements];
  const std::int64_t* from[2] = {offsets[0], offsets[arrays - 1]};
  const void* x[2] = {request.data, request.second};
  for (int which = 0; which < arrays && x[which] != nullptr; ++which) {
    isofold_packed::column_offsets(*stage.packed, which, piece.first, piece.count, offsets[which]);
    x[which] = static_cast<const char*>(x[which]) +
               isofold_packed::row_offset(*stage.packed, which, piece.row) * stage.element_bytes;
  }
  nodes.fold.columns.fold(request, x[0], x[1], from, piece.first, apart,
                          static_cast<int>(piece.count), columns, states);
}

struct ChunkNodes : AnyNodes {
  struct Row {
    const char* data;
    const char* second;
  };

  int streams_from_memory;
  const isofold_packed::PackedRows* packed = nullptr;  // of rows that lie in line, with lengths

  int most_level() const { return fold.level; }
  // This tells whether fold.rows take them.
  bool are_rows_of_blocks() const {
    return fold.rows[0] != nullptr && packed == nullptr &&
           request.length <= std::int64_t{core::chunk_elements} << block_level;
  }
  bool is_ragged() const { return packed != nullptr; }
  std::int64_t length(std::int64_t row) const {
    return packed != nullptr ? isofold_packed::length_of(*packed, row) : request.length;
  }
  Row row_at(std::int64_t row) const {
    if (packed != nullptr) {
      return {line_of(0, row), request.second != nullptr ? line_of(1, row) : nullptr};
    }
    const auto bytes = static_cast<std::int64_t>(fold.element_bytes);
    const auto* second = static_cast<const char*>(request.second);
    return {static_cast<const char*>(request.data) + row * request.stride * bytes,
            second != nullptr ? second + row * request.second_stride * bytes : nullptr};
  }
  template <int streams>
  State short_row(const Row& x, std::int64_t n) const {
    return node<streams>(x, 0, n);
  }
  template <int streams>
  State node(const Row& x, std::int64_t first, std::int64_t count) const {
    const std::int64_t offset = first * static_cast<std::int64_t>(fold.element_bytes);
    // Lengths that vary end in the middle of a row, which costs narrow vectors more.
    const int few = packed != nullptr ? core::chunk_elements : core::lanes - 1;
    const bool is_far = streams == two_streams && count > few;
    const VectorFold::Chunk chunk = fold.chunk[(is_far ? streams_from_memory : one_stream) - 1];
    AnyState state;
    chunk(request, x.data + offset, x.second != nullptr ? x.second + offset : nullptr, first,
          static_cast<int>(count), state.bytes);
    return state;
  }

 private:
  const char* line_of(int which, std::int64_t row) const {
    return static_cast<const char*>(
        isofold_packed::elements_of(*packed, which, row, 0, length(row), nullptr));
  }
};

// A piece is a node of at most the level, or the row's last.
template <int level>
struct StagedNodes : AnyNodes {
  using Row = std::int64_t;  // its number
  static constexpr int most_level() { return level; }
  // Folds of two arrays go chunk by chunk.
  static constexpr int arrays = level == 0 ? 2 : 1;
  using Room = StageRoom<(core::chunk_elements << level)>;

  const Stage& stage;

  bool is_ragged() const { return has_own_lengths(stage, request); }
  std::int64_t length(std::int64_t row) const { return row_length(stage, request, row); }
  Row row_at(std::int64_t row) const { return row; }
  template <int streams>
  State short_row(Row row, std::int64_t n) const {
    return fold_piece({row, 0, n});
  }
  template <int streams>
  State node(Row row, std::int64_t first, std::int64_t count) const {
    return fold_piece({row, first, count});
  }

  // The number of columns among the rows [row, end) that are folded at once; 1: there are none.
  int columns_from(Row row, Row end) const { return columns_at(stage, row, end, columns_taken()); }
  // The number of columns that cost little to fold without their neighbours.
  int columns_apart(Row end) const {
    const int columns = columns_from(0, end);
    return is_strip(columns) ? fold.columns.strip : columns;
  }
  // Pushes the states of the chunks [begin, end) of so many columns.
  void push_chunks(ColumnRuns& runs, Row row, int columns, std::int64_t begin,
                   std::int64_t end) const {
    const std::int64_t n = request.length;
    for (std::int64_t chunk = begin; chunk < end; ++chunk) {
      const std::int64_t first = chunk << core::chunk_shift;
      const std::int64_t count =
          n - first < core::chunk_elements ? n - first : core::chunk_elements;
      is_strip(columns)
          ? fold_as_they_lie<arrays>(*this, stage, {row, first, count}, columns, 0, runs.next())
          : fold_gathered(row, columns, first, count, runs.next());
      runs.push();
    }
  }

 protected:
  // The state of elements one after the other, as the fold takes them.
  State fold_chunk(const void* x, const void* y, std::int64_t first, int count) const {
    AnyState state;
    fold.chunk[0](request, x, y, first, count, state.bytes);
    return state;
  }

 private:
  int arrays_read() const { return arrays == 2 && request.second != nullptr ? 2 : 1; }
  // There are none where columns must be gathered.
  ColumnsTaken columns_taken() const {
    if (fold.columns.fold == nullptr || stage.convert != nullptr) {
      return {0, 0};
    }
    const std::int64_t room =
        ColumnRuns::most_columns(core::chunk_count(request.length), fold.state_bytes);
    const std::int64_t most = room < fold.columns.most ? room : fold.columns.most;
    const int strips = static_cast<int>(most) / fold.columns.strip;
    return {strips > 0 ? fold.columns.strip : 0, strips * fold.columns.strip};
  }
  bool is_strip(int columns) const {
    return columns_taken().strip > 0 && columns >= columns_taken().strip;
  }

  __attribute__((noinline)) void fold_gathered(Row row, int columns, std::int64_t first,
                                               std::int64_t count, unsigned char* states) const {
    ColumnRoom room[arrays];
    alignas(64) unsigned char converted[arrays][core::chunk_elements * Room::most_converted_bytes];
    for (int which = 0; which < arrays_read(); ++which) {
      isofold_packed::gather_columns(*stage.packed, which, row, columns, first, count,
                                     room[which].gathered, ColumnRoom::pitch);
    }
    for (int c = 0; c < columns; ++c) {
      const void* x[2] = {nullptr, nullptr};
      for (int which = 0; which < arrays_read(); ++which) {
        x[which] = room[which].gathered + c * ColumnRoom::pitch * stage.element_bytes;
        if (stage.convert != nullptr) {
          stage.convert(x[which], count, converted[which]);
          x[which] = converted[which];
        }
      }
      const AnyState state = fold_chunk(x[0], x[1], first, static_cast<int>(count));
      std::memcpy(states + static_cast<std::size_t>(c) * fold.state_bytes, state.bytes,
                  fold.state_bytes);
    }
  }
  State fold_piece(const Piece& piece) const {
    Room room[arrays];
    const void* x = deliver(stage, request, 0, piece, room[0]);
    const void* y = nullptr;
    if constexpr (arrays == 2) {
      y = request.second == nullptr ? nullptr : deliver(stage, request, 1, piece, room[1]);
    }
    return fold_chunk(x, y, piece.first, static_cast<int>(piece.count));
  }
};

// Nodes of boxes in long runs, which are folded where they lie: row by row, or rows that take turns
// in memory together, run by run in the order of addresses, which is faster (docs/decisions/039).
struct RunNodes : AnyNodes {
  using Row = std::int64_t;  // its number
  static constexpr int most_level() { return block_level; }

  const isofold_packed::PackedRows& packed;

  bool is_ragged() const { return false; }
  std::int64_t length(std::int64_t) const { return request.length; }
  Row row_at(std::int64_t row) const { return row; }
  template <int streams>
  State short_row(Row row, std::int64_t n) const {
    return node<streams>(row, 0, n);
  }
  template <int streams>
  State node(Row row, std::int64_t first, std::int64_t count) const {
    State state;
    fold.in_runs(request, packed, row, first, static_cast<int>(count), state.bytes);
    return state;
  }

  // The number of rows of [row, end) that take turns and are folded at once; 1: there are none.
  int columns_from(Row row, Row end) const {
    const VectorFold::Planes& planes = fold.planes;
    if (planes.fold == nullptr) {
      return 1;
    }
    const std::int64_t of_runs =
        ColumnRuns::most_columns(core::chunk_count(request.length), fold.state_bytes);
    const std::int64_t of_lanes = static_cast<std::int64_t>(lanes_bytes) / planes.lane_bytes;
    const std::int64_t all = isofold_packed::planes_of(packed, row).rows;
    return in_equal_parts(all < end - row ? all : end - row,
                          of_runs < of_lanes ? of_runs : of_lanes, 1);
  }
  // The number of rows that cost little to fold without their neighbours: their runs have some KiB
  // together.
  int columns_apart(Row end) const { return static_cast<int>(at_most(columns_from(0, end), 16)); }
  // Pushes the states of the chunks [begin, end) of so many rows, where columns_from() is more than
  // one somewhere.
  void push_chunks(ColumnRuns& runs, Row row, int columns, std::int64_t begin,
                   std::int64_t end) const {
    alignas(64) unsigned char lanes[lanes_bytes];
    const isofold_packed::Planes planes = isofold_packed::planes_of(packed, row);
    const std::int64_t last = end << core::chunk_shift;
    const std::int64_t n = last < request.length ? last : request.length;
    PlanePiece piece{{}, {planes.distance[0], planes.distance[1]}, columns, 0, 0, false};
    for (piece.first = begin << core::chunk_shift; piece.first < n; piece.first += piece.count) {
      piece.count = piece_from(piece.first, n, planes.run);
      piece.is_last = piece.first + piece.count == n;
      find_lanes(row, piece);
      fold.planes.fold(request, piece, lanes, runs.next());
      if (piece.is_last || begin_of(piece) + piece.count >= core::chunk_elements) {
        runs.push();
      }
    }
  }

 private:
  // The lanes of the rows that are folded at once, 384 of doubles; they stay in L2.
  static constexpr std::size_t lanes_bytes = 196608;

  // The rows of lanes that end where a run does, or before.
  static int piece_from(std::int64_t first, std::int64_t n, std::int64_t run) {
    const std::int64_t begin = first % core::chunk_elements;
    const std::int64_t next = ((first + core::lanes - 1) / run + 1) * run;
    std::int64_t count = (next < n ? next : n) - first;
    count = count < core::chunk_elements ? count : core::chunk_elements;
    if (first + count < n) {
      return static_cast<int>(count / core::lanes * core::lanes);
    }
    return static_cast<int>(begin + count > core::chunk_elements ? core::chunk_elements - begin
                                                                 : count);
  }
  static int begin_of(const PlanePiece& piece) {  // in its chunk
    return static_cast<int>(piece.first % core::chunk_elements);
  }
  void find_lanes(Row row, PlanePiece& piece) const {
    const int begin = begin_of(piece);
    const auto here = static_cast<int>(at_most(piece.count, core::chunk_elements - begin));
    for (int which = 0; which < (request.second != nullptr ? 2 : 1); ++which) {
      isofold_packed::LaneRow* const lanes = piece.lanes[which];
      isofold_packed::lane_rows(packed, which, row, piece.first, here, lanes + begin / core::lanes);
      isofold_packed::lane_rows(packed, which, row, piece.first + here, piece.count - here, lanes);
    }
  }
};

struct FusedFolds {
  struct State {
    AnyState of[ISOFOLD_MOST_FUSED];
  };
  using state_type = State;

  const VectorFold* const* folds;
  int count;

  State combine(const State& left, const State& right) const {
    State state;
    for (int i = 0; i < count; ++i) {
      folds[i]->combine(left.of[i].bytes, right.of[i].bytes, state.of[i].bytes);
    }
    return state;
  }
};

struct FusedNodes {
  using State = FusedFolds::State;
  using Combine = FusedFolds;
  using Row = std::int64_t;  // its number
  using Room = StageRoom<core::chunk_elements>;
  static constexpr int most_level() { return 0; }
  static constexpr std::size_t run_bytes = isofold_openmp::fused_run_bytes;

  const isofold_request& request;   // one that has all arrays
  const isofold_request* requests;  // one a fold
  FusedFolds fused;
  const Stage& stage;

  Combine combine() const { return fused; }
  bool is_ragged() const { return has_own_lengths(stage, request); }
  std::int64_t length(std::int64_t row) const { return row_length(stage, request, row); }
  Row row_at(std::int64_t row) const { return row; }
  template <int streams>
  State short_row(Row row, std::int64_t n) const {
    return fold_piece({row, 0, n});
  }
  template <int streams>
  State node(Row row, std::int64_t first, std::int64_t count) const {
    return fold_piece({row, first, count});
  }
  void write(std::int64_t row, const State& root, std::int64_t length) const {
    for (int i = 0; i < fused.count; ++i) {
      AnyNodes{requests[i], *fused.folds[i]}.write(row, root.of[i], length);
    }
  }
  void write_empty(std::int64_t row) const {
    for (int i = 0; i < fused.count; ++i) {
      AnyNodes{requests[i], *fused.folds[i]}.write_empty(row);
    }
  }

 protected:
  State fold_chunk(const void* x, const void* y, std::int64_t first, int count) const {
    State state;
    for (int i = 0; i < fused.count; ++i) {
      fused.folds[i]->chunk[0](requests[i], x, y, first, count, state.of[i].bytes);
    }
    return state;
  }

 private:
  State fold_piece(const Piece& piece) const {
    Room room[2];
    const void* x = deliver(stage, request, 0, piece, room[0]);
    const void* y =
        request.second != nullptr ? deliver(stage, request, 1, piece, room[1]) : nullptr;
    return fold_chunk(x, y, piece.first, static_cast<int>(piece.count));
  }
};

// Nodes of the elements that a mask selects, which are packed chunk by chunk while the mask is read
// once; StagedNodes or FusedNodes fold a chunk.
template <class Nodes>
struct TakenNodes : Nodes {
  using typename Nodes::Row;
  using typename Nodes::State;
  static constexpr int most_level() { return block_level; }

  template <int streams>
  State short_row(Row row, std::int64_t n) const {
    return node<streams>(row, 0, n);
  }
  template <int streams>
  State node(Row row, std::int64_t first, std::int64_t count) const {
    core::Run<typename Nodes::Combine> run(this->combine());
    std::int64_t chunk = 0;
    for_taken_chunks(this->stage, this->request, {row, first, count},
                     [&](const void* x, const void* y, int n) {
                       const std::int64_t begin = first + (chunk << core::chunk_shift);
                       run.push(0, chunk++, this->fold_chunk(x, y, begin, n));
                     });
    return run.root();
  }
};

}  // namespace
}  // namespace isofold::openmp
