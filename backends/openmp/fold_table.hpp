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

// Elements that are read once come from memory in one of three ways: narrow vectors take one
// stream, those of 256 bits two, and those of 512 bits prefetch. Elements that are read twice come
// in two streams.
template <class Fold, int bits>
inline constexpr int from_memory = bits == 128                         ? one_stream
                                   : bits == 512 && is_read_once<Fold> ? prefetched
                                                                       : two_streams;

// The functions of a fold.
template <class Fold, int bits>
class OnVectors : FoldOfBytes<Fold> {
  using FoldOfBytes<Fold>::put;
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  using Block = BlockFold<Lanes<Fold, bits>>;
  // A table of 512 bits has the functions of two streams from the one of 256 bits, and those of
  // runs and planes where elements are read once and not converted: wider vectors are no faster
  // there (docs/decisions/036, 038).
  static constexpr bool has_narrower = bits > 256 && is_read_once<Fold>;
  static constexpr bool has_narrower_runs =
      has_narrower && Fold::stages == 1 &&
      std::is_same_v<typename core::FirstPass<Fold>::element_type,
                     typename core::FirstPass<Fold>::value_type>;
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
      put(state, count <= core::chunk_elements ? Block::fold_one(x.data, count)
                                               : Block::template fold<streams>(x.data, count));
    } else {
      put(state, fold_chunk_on_vectors<Fold, bits, streams>(OfRequest<Fold>::fold(request), x,
                                                            begin, count));
    }
  }

  // Folds rows one after the other, which may be very short, in one loop.
  template <int streams>
  static void rows(const isofold_request& request, std::int64_t begin, std::int64_t end) {
    const std::int64_t n = request.length;
    if (streams == one_stream &&
        __builtin_expect(end - begin == 1 && n != 0 && n <= core::chunk_elements, 1)) {
      write(request, begin, Block::fold_one(row_at(request, begin), n));
    } else {
      all_rows<streams>(request, begin, end);
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
    } else {
      for (std::int64_t row = begin; row < end; ++row) {
        write(request, row, Block::fold_one(row_at(request, row), n));
      }
    }
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
        fold_node_on_vectors<Fold, bits, two_streams>(
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
    fold_planes_on_vectors<Fold, bits>(
        OfRequest<Fold>::fold(request), piece, lanes, [&](int row, const State& state) {
          put(static_cast<char*>(states) + static_cast<std::size_t>(row) * sizeof state, state);
        });
  }

  static constexpr int far = from_memory<Fold, bits>;
  static constexpr VectorFold with_rows(VectorFold made) {
    if constexpr (has_lanes<Fold>) {
      made.rows[0] = rows<one_stream>;
      made.rows[1] = made.rows[2] = rows<far>;
    }
    return made;
  }
  static constexpr VectorFold::Columns columns_or_none() {
    if constexpr (takes_stretches) {
      return {columns, Columns::strip, Columns::most_strips * Columns::strip};
    } else {
      return {nullptr, 0, 0};
    }
  }
  static constexpr VectorFold::Runs runs_or_none() {
    if constexpr (has_narrower_runs) {
      return nullptr;
    } else {
      return in_runs;
    }
  }
  static constexpr VectorFold::Planes planes_or_none() {
    if constexpr (takes_stretches && !has_narrower_runs) {
      return {planes, sizeof(typename PlanesOnVectors<Fold, bits>::AllLanes)};
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
    return with_rows({sizeof(Element),
                      sizeof(State),
                      sizeof(typename Finished::result_type),
                      level,
                      in_groups ? group_level : 0,
                      {chunk<one_stream>, chunk<far>, chunk<far>},
                      {},
                      runs_or_none(),
                      columns_or_none(),
                      planes_or_none(),
                      FoldOfBytes<Fold>::combine,
                      FoldOfBytes<Finished>::finish,
                      FoldOfBytes<Finished>::empty});
  }
  static void take_from(const VectorFold& narrower, VectorFold& made) {
    if constexpr (has_narrower) {
      made.chunk[two_streams - 1] = narrower.chunk[two_streams - 1];
      made.rows[two_streams - 1] = narrower.rows[two_streams - 1];
    }
    if constexpr (has_narrower_runs) {
      made.in_runs = narrower.in_runs;
      made.planes = narrower.planes;
    }
  }
};

template <class Fold, int bits>
inline VectorFold vector_fold = OnVectors<same_states_t<Fold>, bits>::template entry<Fold>();

template <class T>
void fill_type(VectorFolds& table, const VectorFolds* narrower) {
  constexpr int bits = ISOFOLD_INSTRUCTION_SET_BITS;
  constexpr int type = type_number<T>();
  for (int fold = 1; fold <= isofold_openmp::folds; ++fold) {
    visit_folds<T>(fold, [&](auto f) {
      using Fold = decltype(f);
      VectorFold& made = vector_fold<Fold, bits>;
      if (narrower != nullptr) {
        OnVectors<same_states_t<Fold>, bits>::take_from(*narrower->of[fold - 1][type - 1], made);
      }
      table.of[fold - 1][type - 1] = &made;
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
void fill_group(VectorFolds& table, const VectorFolds* narrower, isofold_openmp::TypeGroup<T...>) {
  (fill_type<T>(table, narrower), ...);
}

}  // namespace
}  // namespace isofold::openmp

namespace isofold_openmp {

// It is called only where the instruction set exists, and no static object of these units has a
// constructor: a machine without it never runs an instruction of theirs.
void ISOFOLD_JOIN(fill, ISOFOLD_INSTRUCTION_SET_NAME,
                  ISOFOLD_INSTRUCTION_SET_GROUP)(VectorFolds& table, const VectorFolds* narrower) {
  table.vector_bits = ISOFOLD_INSTRUCTION_SET_BITS;
  isofold::openmp::fill_group(table, narrower, group::ISOFOLD_INSTRUCTION_SET_GROUP{});
}

}  // namespace isofold_openmp
