// The rows of ReduceByBlocks for transform_reduce: one row, the values that a map returns for the
// numbers from 0 to n - 1, folded by a fold of core/folds or by one of the caller's own. A team of
// threads makes a chunk's values and folds them in registers.
#pragma once

#include <isofold/detail/core/user_fold.hpp>
#include <isofold/detail/gpu/grid_fold.hpp>

namespace isofold::gpu {

// A fold of the caller's own in the form that ReduceByBlocks takes.
template <class Fold>
struct WalkedFold {
  using state_type = typename Fold::state_type;
  using element_type = std::uint32_t;  // for the lanes of a thread alone, which are two of any type
  static constexpr int arrays = 1;
  static constexpr bool commutative_bits = false;
  static constexpr bool has_identity = false;
  static_assert(sizeof(state_type) % 4 == 0,
                "On devices states travel in words of 4 bytes: make the state a multiple of them.");
  Fold fold;

  ISOFOLD_DEVICE state_type combine(const state_type& a, const state_type& b) const {
    return fold.combine(a, b);
  }
};

template <class Fold, bool of_library = core::is_of_library<Fold>>
struct Walked {
  using type = Fold;
};
template <class Fold>
struct Walked<Fold, false> {
  using type = WalkedFold<Fold>;
};

template <class Map>
struct MappedRow {
  const Map& map;
};

// The rows of lanes of a chunk that are mapped before the first of them is folded: 16 values a
// thread, whose loads are then in flight together (docs/decisions/049).
inline constexpr int mapped_rows = 8;

// The values of the map for this thread's two lanes in `rows` rows of lanes from index `begin` on.
template <class Value, int rows>
struct MappedValues {
  Value value[std::size_t{rows}][2];

  template <class Group, class Map>
  ISOFOLD_DEVICE MappedValues(const Group& group, const Map& map, std::int64_t begin, int team) {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        value[row][c] = map(begin + row * core::lanes + c * team);
      }
    }
    loads_issued(group);
  }
};

// Folds the lanes of a whole chunk, mapped in batches if values can wait in registers.
template <class Group, class Map, class Fold, class State>
ISOFOLD_DEVICE void fold_whole_lanes(const Group& group, const Map& map, const Fold& fold,
                                     std::int64_t mine, int team, State (&lane)[2]) {
  using Value = std::decay_t<decltype(map(mine))>;
  constexpr bool waits = std::is_arithmetic_v<Value>;
  constexpr int rows = waits ? mapped_rows : 1;
#pragma unroll 1
  for (int row = 0; row < core::rows_per_chunk; row += rows) {
    const MappedValues<Value, rows> x(group, map, mine + row * core::lanes, team);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        lane[c] = row + r == 0 ? fold.lift(x.value[r][c])
                               : core::accumulated(fold, lane[c], x.value[r][c]);
      }
    }
  }
}

// The state of a chunk of a map's values, by a fold of the caller's own. The map is called for the
// chunk's own elements alone.
template <class Lanes, class Group, class Fold, class Map>
ISOFOLD_DEVICE typename Fold::state_type state_of_chunk(const Group& group,
                                                        const WalkedFold<Fold>& walked,
                                                        const MappedRow<Map>& row,
                                                        const TeamChunk& chunk) {
  static_assert(Lanes::per_thread == 2 && !Lanes::consecutive, "A thread has lanes t, t + 32.");
  static_assert(core::check_values<Fold, std::decay_t<decltype(row.map(chunk.begin))>>(),
                "The fold does not take what map returns.");
  const Fold& fold = walked.fold;
  const std::int64_t mine = chunk.begin + chunk.thread;
  typename Fold::state_type lane[2]{};  // initialised, because combine() sees missing lanes, too
  if (chunk.whole) {
    fold_whole_lanes(group, row.map, fold, mine, Lanes::team, lane);
  } else {
#pragma unroll 1
    for (int i = chunk.thread; i < chunk.count; i += core::lanes) {
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        if (i + c * Lanes::team < chunk.count) {
          const auto x = row.map(chunk.begin + i + c * Lanes::team);
          lane[c] = i < core::lanes ? fold.lift(x) : core::accumulated(fold, lane[c], x);
        }
      }
    }
  }
  return halve<Lanes>(group, walked, lane, chunk.thread, chunk.count);
}

// How many parts a chunk's values come in. A fold that needs the values twice or together holds
// them all or, if they are complex and come in parts, asks the map for them again.
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr int mapped_parts() {
  constexpr bool all_at_once = Fold::stages == 2 || folds_whole_lanes<core::FirstPass<Fold>>;
  return all_at_once ? parts_for_size<Fold>() : Fold::arrays * core::rows_per_chunk / mapped_rows;
}

// Maps into the held rows of an array: part `part` of the chunk's values, and with part 0 the row
// of lanes that the end of the data cuts.
template <class Lanes, class Held, class Map>
ISOFOLD_DEVICE void map_part(Held& held, int array, const Map& map, const TeamChunk& chunk,
                             int part) {
  using Element = typename Held::Element;
  const auto value_or_any = [&](int i) {
    return chunk.whole || i < chunk.count ? core::as_element<Element>(map(chunk.begin + i))
                                          : anything<Element>(chunk.thread);
  };
#pragma unroll
  for (int r = 0; r < Held::rows; ++r) {
#pragma unroll
    for (int c = 0; c < 2; ++c) {
      held.pack[array][r][c].value[0] =
          value_or_any((part * Held::rows + r) * core::lanes + chunk.thread + c * Lanes::team);
    }
  }
  if (!chunk.whole && part == 0) {
    const int cut = chunk.count > 0 ? chunk.count / core::lanes * core::lanes : 0;
#pragma unroll
    for (int c = 0; c < 2; ++c) {
      held.cut[array][c] = value_or_any(cut + chunk.thread + c * Lanes::team);
    }
  }
}

// The state of a chunk by a fold of the library, whose passes run over the values that load(held,
// part) holds, as over elements of an array.
template <class Lanes, class Group, class Fold, class Load>
ISOFOLD_DEVICE typename Fold::state_type state_of_loaded(const Group& group, const Fold& fold,
                                                         const TeamChunk& chunk, Load&& load) {
  constexpr int parts = mapped_parts<Fold>();
  HeldRows<typename Fold::element_type, Lanes, Fold::arrays, parts> held;
  const auto load_issued = [&](int part) {
    load(held, part);
    loads_issued(group);
  };
  if constexpr (parts == 1) {
    load_issued(0);
  }
  return chunk.whole ? state_of_held<true, Lanes>(group, fold, held, chunk.begin,
                                                  core::chunk_elements, chunk.thread, load_issued)
                     : state_of_held<false, Lanes>(group, fold, held, chunk.begin, chunk.count,
                                                   chunk.thread, load_issued);
}

// The state of a chunk of a map's values, by a fold of the library.
template <class Lanes, class Group, class Fold, class Map>
ISOFOLD_DEVICE typename Fold::state_type state_of_chunk(const Group& group, const Fold& fold,
                                                        const MappedRow<Map>& row,
                                                        const TeamChunk& chunk) {
  return state_of_loaded<Lanes>(group, fold, chunk, [&](auto& held, int part) {
    map_part<Lanes>(held, 0, row.map, chunk, part);
  });
}

// The one row of ReduceByBlocks. File is a type of the file that calls, so that a kernel that
// another file makes of this map and fold, with other flags, is another kernel.
template <class Map, class Fold, class File>
struct MappedRows {
  using Walk = typename Walked<Fold>::type;
  using Result = core::ResultOf<Fold>;

  Walk fold;
  Map map;
  std::int64_t rows;  // 1
  std::int64_t length;
  Result* result;

  ISOFOLD_DEVICE MappedRow<Map> row(std::int64_t) const { return {map}; }
  ISOFOLD_DEVICE void write(std::int64_t, const typename Fold::state_type& root) const {
    if constexpr (core::is_of_library<Fold>) {
      *result = core::finished(fold, root, length);
    } else {
      *result = core::finished(fold.fold, root, length);
    }
  }
};

template <class Fold>
using MapLanes = NarrowLanes<typename Walked<Fold>::type::element_type>;
template <class Map, class Fold, class File>
using MapFold = ReduceByBlocks<MappedRows<Map, Fold, File>, MapLanes<Fold>>;

// The result of no values.
template <class Fold, class File>
struct EmptyMap {
  static constexpr int max_threads = 64;
  Fold fold;
  core::ResultOf<Fold>* result;

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    if (group.block() == 0 && group.thread() == 0) {
      *result = fold.empty();
    }
  }
};

}  // namespace isofold::gpu
