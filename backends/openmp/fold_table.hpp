// The folds of a group of element types on the vectors of one instruction set: their entries in the
// table of vector_folds.hpp. Each unit that CMakeLists.txt writes includes it, first.
#pragma once

#include "instruction_set_scope.hpp"

#include <ops/any_fold.hpp>

#include "chunk_fold.hpp"
#include "conversion.hpp"
#include "same_states.hpp"

namespace isofold::openmp {
namespace {

using isofold_openmp::VectorFold;
using isofold_openmp::VectorFolds;

// Elements are prefetched for vectors of 512 bits where they are read once (narrower vectors were
// not tried). Other folds take two streams.
template <class Fold, int bits>
inline constexpr int ahead_or_two = bits == 512 && is_read_once<Fold> ? prefetched : two_streams;

// The functions of a fold.
template <class Fold, int bits>
class OnVectors : FoldOfBytes<Fold> {
  using FoldOfBytes<Fold>::put;
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  template <int streams>
  using Block = BlockFold<Lanes<Fold, bits_from<bits, streams>>>;
  // Runs are taken by the vectors of two streams, near or not.
  static constexpr int bits_of_runs = bits_of<Fold, bits, two_streams>;
  using Columns = ColumnsOnVectors<Fold, bits>;
  static constexpr bool takes_stretches = Fold::stages == 1;

  static core::Elements<Fold> elements(const void* data, const void* second) {
    return {static_cast<const Element*>(data), static_cast<const Element*>(second)};
  }

  template <int streams>
  static void chunk(const isofold_request& request, const void* data, const void* second,
                    std::int64_t begin, int count, void* state) {
    const core::Elements<Fold> x = elements(data, second);
    if constexpr (has_lanes<Fold>) {
      put(state, count <= core::chunk_elements
                     ? Block<streams>::fold_one(x.data, count)
                     : Block<streams>::template fold<streams>(x.data, count));
    } else {
      put(state, fold_chunk_on_vectors<Fold, bits_of<Fold, bits, streams>, streams>(
                     OfRequest<Fold>::fold(request), x, begin, count));
    }
  }

  // Folds rows one after the other, which may be very short, in one loop.
  static void rows(const isofold_request& request, std::int64_t begin, std::int64_t end,
                   int streams) {
    const std::int64_t n = request.length;
    if (__builtin_expect(
            end - begin == 1 && n != 0 && n <= core::chunk_elements && streams == one_stream, 1)) {
      write(request, begin, Block<one_stream>::fold_one(row_at(request, begin), n));
    } else if (streams == one_stream) {
      all_rows<one_stream>(request, begin, end);
    } else if (streams == two_streams) {
      all_rows<two_streams>(request, begin, end);
    } else {
      all_rows<ahead_or_two<Fold, bits>>(request, begin, end);
    }
  }
  template <int streams>
  static __attribute__((noinline)) void all_rows(const isofold_request& request, std::int64_t begin,
                                                 std::int64_t end) {
    const std::int64_t n = request.length;
    if (n == 0) {
      for (std::int64_t row = begin; row < end; ++row) {
        static_cast<typename Fold::result_type*>(request.result)[row] = Fold{}.empty();
      }
    } else if (n > core::chunk_elements) {
      for (std::int64_t row = begin; row < end; ++row) {
        State state;
        chunk<streams>(request, row_at(request, row), nullptr, 0, static_cast<int>(n), &state);
        write(request, row, state);
      }
    } else if (streams != two_streams || is_few<Lanes<Fold, bits_from<bits, streams>>>(n)) {
      for (std::int64_t row = begin; row < end; ++row) {
        write(request, row, Block<one_stream>::fold_one(row_at(request, row), n));
      }
    } else {
      for (std::int64_t row = begin; row < end; ++row) {
        write(request, row, Block<streams>::fold_one(row_at(request, row), n));
      }
    }
  }
  // This tells whether n elements fill no row of lanes, nor fit one vector: wider vectors need
  // fewer steps for such rows (docs/decisions/038).
  template <class L>
  static constexpr bool is_few(std::int64_t n) {
    return L::width < n && n < core::lanes;
  }
  static ISOFOLD_INLINE const Element* row_at(const isofold_request& request, std::int64_t row) {
    return static_cast<const Element*>(request.data) + row * request.stride;
  }
  static ISOFOLD_INLINE void write(const isofold_request& request, std::int64_t row,
                                   const State& root) {
    if (__builtin_expect((request.flags & ISOFOLD_STATE) != 0, 0)) {
      static_cast<State*>(request.result)[row] = root;
    } else {
      static_cast<typename Fold::result_type*>(request.result)[row] =
          Fold{}.finish(root, request.length);
    }
  }

  static void in_runs(const isofold_request& request, const isofold_packed::PackedRows& packed,
                      std::int64_t row, std::int64_t begin, int count, void* state) {
    put(state,
        fold_node_on_vectors<Fold, bits_of_runs, two_streams>(
            OfRequest<Fold>::fold(request), RunChunks<Fold>{packed, row, begin}, begin, count));
  }
  static void columns(const isofold_request& request, const void* data, const void* second,
                      const std::int64_t* const (&offsets)[2], std::int64_t begin,
                      std::int64_t apart, int count, int n, void* states) {
    fold_columns_on_vectors<Fold, bits>(
        OfRequest<Fold>::fold(request), elements(data, second), offsets, begin, apart, count, n,
        [&](int c, const State& state) {
          put(static_cast<char*>(states) + static_cast<std::size_t>(c) * sizeof state, state);
        });
  }
  static void planes(const isofold_request& request, const PlanePiece& piece, void* lanes,
                     void* states) {
    fold_planes_on_vectors<Fold, bits_of_runs>(
        OfRequest<Fold>::fold(request), piece, lanes, [&](int row, const State& state) {
          put(static_cast<char*>(states) + static_cast<std::size_t>(row) * sizeof state, state);
        });
  }

  static constexpr VectorFold::Rows rows_or_none() {
    if constexpr (has_lanes<Fold>) {
      return rows;
    } else {
      return nullptr;
    }
  }
  static constexpr VectorFold::Columns columns_or_none() {
    if constexpr (takes_stretches) {
      return {columns, Columns::strip, Columns::most_strips * Columns::strip};
    } else {
      return {nullptr, 0, 0};
    }
  }
  static constexpr VectorFold::Planes planes_or_none() {
    if constexpr (takes_stretches) {
      return {planes, sizeof(typename PlanesOnVectors<Fold, bits_of_runs>::AllLanes)};
    } else {
      return {nullptr, 0};
    }
  }

 public:
  // The entry of a fold that has these states and this result.
  template <class Finished>
  static constexpr VectorFold entry() {
    constexpr int level = has_lanes<Fold> ? block_level : node_level<Fold>;
    constexpr bool in_groups = has_lanes<Fold> || MadeOfExtrema<Fold>::level > 0;
    static_assert(!in_groups || sizeof(Element) <= 8, "A stage has room for the elements.");
    return {sizeof(Element),
            sizeof(State),
            sizeof(typename Finished::result_type),
            level,
            in_groups ? group_level : 0,
            {chunk<one_stream>, chunk<two_streams>, chunk<ahead_or_two<Fold, bits>>},
            rows_or_none(),
            in_runs,
            columns_or_none(),
            planes_or_none(),
            FoldOfBytes<Fold>::combine,
            FoldOfBytes<Finished>::finish,
            FoldOfBytes<Finished>::empty};
  }
};

template <class Fold, int bits>
inline constexpr VectorFold vector_fold =
    OnVectors<same_states_t<Fold>, bits>::template entry<Fold>();

template <class T>
void fill_type(VectorFolds& table) {
  constexpr int type = type_number<T>();
  for (int fold = 1; fold <= isofold_openmp::folds; ++fold) {
    visit_folds<T>(fold, [&](auto f) {
      table.of[fold - 1][type - 1] = &vector_fold<decltype(f), ISOFOLD_INSTRUCTION_SET_BITS>;
    });
  }
  for (int stored = 1; stored <= isofold_openmp::types; ++stored) {
    for (int accumulator = 0; accumulator <= isofold_openmp::types; ++accumulator) {
      visit_stored(stored, accumulator, [&](auto element) {
        if constexpr (std::is_same_v<computed_t<decltype(element)>, T>) {
          table.convert[stored - 1][accumulator] = conversion_of<decltype(element)>();
        }
      });
    }
  }
}

template <class... T>
void fill_group(VectorFolds& table, isofold_openmp::TypeGroup<T...>) {
  (fill_type<T>(table), ...);
}

}  // namespace
}  // namespace isofold::openmp

namespace isofold_openmp {

// It is called only where the instruction set exists, and no static object of these units has a
// constructor: a machine without it never runs an instruction of theirs.
void ISOFOLD_JOIN(fill, ISOFOLD_INSTRUCTION_SET_NAME,
                  ISOFOLD_INSTRUCTION_SET_GROUP)(VectorFolds& table) {
  table.vector_bits = ISOFOLD_INSTRUCTION_SET_BITS;
  isofold::openmp::fill_group(table, group::ISOFOLD_INSTRUCTION_SET_GROUP{});
}

}  // namespace isofold_openmp
