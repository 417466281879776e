// A fold behind function pointers, for code that would otherwise be compiled once for each of some
// hundred cases. States and results are bytes of the sizes given.
#pragma once

#include <cstddef>
#include <cstring>

#include <isofold/detail/core/chunk.hpp>
#include <layout/packed_rows_view.hpp>
#include <ops/supported_cases.hpp>
#include <request/parameters.hpp>

namespace isofold {

// A piece of each of some rows that take turns in memory: whole rows of lanes, at most 1024
// elements. They may end one chunk and begin the next; or end the row, and then no other chunk.
struct PlanePiece {
  isofold_packed::LaneRow lanes[2][core::rows_per_chunk];  // of the first row, each at its place
  std::int64_t distance[2];                                // of a row from the one before, in bytes
  int rows;
  std::int64_t first;
  int count;
  bool is_last;
  int begin() const { return static_cast<int>(first % core::chunk_elements); }  // in its chunk
  bool ends_chunk() const { return is_last || begin() + count >= core::chunk_elements; }
};

struct AnyFold {
  std::size_t element_bytes;
  std::size_t state_bytes;
  std::size_t result_bytes;
  // The state of `count` elements, 1 to 1024 unless its user knows better; `request` has the fold's
  // parameters.
  void (*chunk)(const isofold_request& request, const void* data, const void* second,
                std::int64_t begin, int count, void* state);
  void (*combine)(const void* left, const void* right, void* state);  // `state` may be either
  void (*move)(void* state, std::int64_t by);                         // core::moved_state
  void (*finish)(const void* root, std::int64_t count, void* result);
  void (*empty)(void* result);
  // Null, or: the same of elements of a packed row in runs of 64 elements or more.
  void (*in_runs)(const isofold_request& request, const isofold_packed::PackedRows& packed,
                  std::int64_t row, std::int64_t begin, int count, void* state);
  // Null, or: the states of `count` elements of each of n stretches that lie side by side, n a
  // multiple of `strip` and `most` at most; element i of the first is offsets[a][i] after its
  // array, and has index begin + i, that of the next one `apart` more: 0, they are different rows.
  struct Columns {
    void (*fold)(const isofold_request& request, const void* data, const void* second,
                 const std::int64_t* const (&offsets)[2], std::int64_t begin, std::int64_t apart,
                 int count, int n, void* states) = nullptr;
    int strip = 0;
    int most = 0;
  };
  Columns columns;
  // Null, or: takes a piece of each row into its lanes, lane_bytes of them, and puts the states of
  // the chunk that it ends.
  struct PlanesFold {
    void (*fold)(const isofold_request& request, const PlanePiece& piece, void* lanes,
                 void* states) = nullptr;
    int lane_bytes = 0;
  };
  PlanesFold planes;
};

template <class FoldChunk, class = void>
struct FoldsRuns : std::false_type {};
template <class FoldChunk>
struct FoldsRuns<FoldChunk, std::enable_if_t<FoldChunk::folds_runs>> : std::true_type {};

template <class FoldChunk, class Fold, class = void>
struct FoldsColumns : std::false_type {};
template <class FoldChunk, class Fold>
struct FoldsColumns<FoldChunk, Fold, std::void_t<decltype(FoldChunk::template strip<Fold>)>>
    : std::bool_constant<Fold::stages == 1> {};

// The functions of one fold. FoldChunk::fold(fold, elements, begin, count) makes a chunk's state,
// FoldChunk::columns(fold, elements, offsets, begin, apart, count, n, use), where there is a
// strip<Fold>, calls use(c, state) for stretches side by side, of folds of one pass; and so does
// FoldChunk::planes(fold, piece, lanes, use) where it folds runs, with lane_bytes<Fold> a row.
template <class Fold, class FoldChunk>
struct Erased {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  using Result = typename Fold::result_type;

  template <class Value>
  static Value get(const void* bytes) {
    Value value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  template <class Value>
  static void put(void* bytes, const Value& value) {
    std::memcpy(bytes, &value, sizeof value);
  }
  static void chunk(const isofold_request& request, const void* data, const void* second,
                    std::int64_t begin, int count, void* state) {
    const core::Elements<Fold> x{static_cast<const Element*>(data),
                                 static_cast<const Element*>(second)};
    put(state, FoldChunk::fold(with_parameters(Fold{}, request), x, begin, count));
  }
  static void in_runs(const isofold_request& request, const isofold_packed::PackedRows& packed,
                      std::int64_t row, std::int64_t begin, int count, void* state) {
    put(state, FoldChunk::template in_runs<Fold>(with_parameters(Fold{}, request), packed, row,
                                                 begin, count));
  }
  static void combine(const void* left, const void* right, void* state) {
    put(state, Fold{}.combine(get<State>(left), get<State>(right)));
  }
  static void move(void* state, std::int64_t by) {
    put(state, core::moved_state<Fold>(get<State>(state), by));
  }
  static void finish(const void* root, std::int64_t count, void* result) {
    put(result, Fold{}.finish(get<State>(root), count));
  }
  static void empty(void* result) { put(result, Fold{}.empty()); }

  static void columns(const isofold_request& request, const void* data, const void* second,
                      const std::int64_t* const (&offsets)[2], std::int64_t begin,
                      std::int64_t apart, int count, int n, void* states) {
    const core::Elements<Fold> x{static_cast<const Element*>(data),
                                 static_cast<const Element*>(second)};
    FoldChunk::columns(
        with_parameters(Fold{}, request), x, offsets, begin, apart, count, n,
        [&](int c, const State& state) {
          put(static_cast<char*>(states) + static_cast<std::size_t>(c) * sizeof state, state);
        });
  }
  static void planes(const isofold_request& request, const PlanePiece& piece, void* lanes,
                     void* states) {
    FoldChunk::planes(
        with_parameters(Fold{}, request), piece, lanes, [&](int row, const State& state) {
          put(static_cast<char*>(states) + static_cast<std::size_t>(row) * sizeof state, state);
        });
  }
  static constexpr auto in_runs_or_none() {
    if constexpr (FoldsRuns<FoldChunk>::value) {
      return in_runs;
    } else {
      return nullptr;
    }
  }
  static constexpr AnyFold::Columns columns_or_none() {
    if constexpr (FoldsColumns<FoldChunk, Fold>::value) {
      return {columns, FoldChunk::template strip<Fold>, FoldChunk::template most_columns<Fold>};
    } else {
      return {};
    }
  }

  static constexpr AnyFold::PlanesFold planes_or_none() {
    if constexpr (FoldsRuns<FoldChunk>::value && Fold::stages == 1) {
      return {planes, FoldChunk::template lane_bytes<Fold>};
    } else {
      return {};
    }
  }

  static constexpr AnyFold fold{
      sizeof(Element), sizeof(State),     sizeof(Result),    chunk,           combine, move, finish,
      empty,           in_runs_or_none(), columns_or_none(), planes_or_none()};
};

}  // namespace isofold
