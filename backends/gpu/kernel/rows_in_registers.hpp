// The kernels for rows of at most 512 elements, of any alignment and stride: a team of threads
// folds several rows at once, all of whose elements are in registers before the first is used; one
// pass or two run over them there. There is a shape, and a kernel, for each of several lengths.
#pragma once

#include <iterator>
#include <type_traits>

#include <backends/gpu/input/contiguous.hpp>
#include <isofold/detail/gpu/chunk_fold.hpp>

namespace isofold::gpu {

// The way in which a warp folds short rows: a team of `team` threads shares one, each of its
// threads loads `segments` elements, `team` apart, of at most `rows` rows at once. Every row has
// more than `whole` segments.
struct RowShape {
  int team;
  int segments;
  int whole;
  int rows;
  ISOFOLD_HOST_DEVICE constexpr int most_elements() const { return team * segments; }
  // A thread holds so many lanes of a row: segments s and s + lanes() are of one lane.
  ISOFOLD_HOST_DEVICE constexpr int lanes() const {
    return most_elements() < core::lanes ? segments : core::lanes / team;
  }
};

// A row gets the first shape that holds it. There are few shapes, because each is a kernel of every
// fold: for lengths in between, idle threads and loads that bring nothing new are hidden behind the
// memory. Few threads share a short row: a step of its halving between two threads takes several
// instructions, inside one thread a single one.
inline constexpr RowShape row_shapes[] = {
    {1, 1, 0, 16}, {2, 1, 0, 16}, {4, 1, 0, 16}, {4, 2, 1, 8},  {8, 2, 1, 8},   {16, 2, 1, 16},
    {32, 2, 1, 8}, {32, 4, 2, 4}, {32, 5, 4, 4}, {32, 8, 4, 2}, {32, 12, 8, 1}, {32, 16, 12, 2}};
// The shapes for folds that are more code.
inline constexpr RowShape few_row_shapes[] = {{2, 1, 0, 8},   {4, 2, 0, 8},   {8, 2, 1, 8},
                                              {16, 2, 1, 16}, {32, 2, 1, 16}, {32, 4, 2, 8},
                                              {32, 8, 4, 4},  {32, 12, 8, 2}, {32, 16, 12, 2}};
inline constexpr int count_of_shapes = static_cast<int>(std::size(row_shapes));
inline constexpr int count_of_few_shapes = static_cast<int>(std::size(few_row_shapes));
template <std::size_t shapes>
constexpr int most_elements(const RowShape (&shape)[shapes]) {
  return shape[shapes - 1].most_elements();
}
inline constexpr int most_short_elements = most_elements(row_shapes);
static_assert(most_elements(few_row_shapes) == most_short_elements, "Short rows are those of all.");

// Folds with lanes of one number that one pass over one array makes.
template <class Fold>
inline constexpr bool is_light =
    Fold::arrays == 1 && Fold::stages == 1 && !core::is_complex<typename Fold::element_type> &&
    core::numbers_in<core::LaneOf<core::FirstPass<Fold>>> == 1;

// The shapes for a fold, and how many rows of one a team folds at once: a thread has so many bytes
// of elements on the way, fewer if the rows are more than the team's threads, which then end with
// states of several.
struct RowShapes {
  const RowShape* shape;
  int shapes;
  int element_bytes;  // of all arrays
  int most_rows;
  int most_bytes;
  int most_bytes_of_several;

  ISOFOLD_HOST_DEVICE constexpr int rows_a_team(const RowShape& of) const {
    int few = of.rows < most_rows ? of.rows : most_rows;
    while (few > 1 && few * of.segments * element_bytes >
                          (few > of.team ? most_bytes_of_several : most_bytes)) {
      few /= 2;
    }
    return few;
  }
  // length <= most_short_elements
  const RowShape& holding(std::int64_t length) const { return shape[number_holding(length)]; }
  int number_holding(std::int64_t length) const {
    int number = 0;
    while (shape[number].most_elements() < length) {
      ++number;
    }
    return number;
  }
};

// Folds that are more code need many warps on a multiprocessor, and 128 bytes on the way in each of
// their threads (docs/decisions/009, 048).
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr RowShapes row_shapes_of() {
  constexpr int element_bytes =
      Fold::arrays * static_cast<int>(sizeof(typename Fold::element_type));
  constexpr bool are_moments = Fold::stages == 2 && sizeof(typename Fold::state_type) > 16;
  constexpr int most_rows = are_moments && element_bytes > 4 ? 8 : 16;
  return is_light<Fold>
             ? RowShapes{row_shapes, count_of_shapes, element_bytes, most_rows, 160, 160}
             : RowShapes{few_row_shapes, count_of_few_shapes, element_bytes, most_rows, 128, 64};
}

// Halving across a team, thread t holding lane t of each of `held` rows, from stride `distance` on.
// While a thread holds several rows it gives half of them up at each stride and keeps the other
// half: folding 8 rows over 32 threads costs 9 exchanges instead of 40. Returns the number of the
// first of the rows that the thread has kept; they are state[0], state[1], ... Lanes from
// `occupied` on are missing. Collective: every lane of the warp must call. (One instance a stride:
// rolled up, states went to memory.)
template <int distance, int held, class Group, class Fold, class State>
ISOFOLD_DEVICE int fold_across_team(const Group& group, const Fold& fold, State* state, int thread,
                                    int occupied) {
  if constexpr (distance == 0) {
    return 0;
  } else {
    const bool i_am_right = (thread & distance) != 0;
    const bool right_is_there = (thread & (distance - 1)) + distance < occupied;
    constexpr int kept_rows = held > 1 ? held / 2 : 1;
#pragma unroll
    for (int row = 0; row < kept_rows; ++row) {
      State mine = state[row];
      State given = mine;
      if constexpr (held > 1) {
        given = chosen(i_am_right, mine, state[row + kept_rows]);
        mine = chosen(i_am_right, state[row + kept_rows], mine);
      }
      state[row] = join(fold, mine, exchange(group, given, distance), i_am_right, right_is_there);
    }
    const int first = held > 1 && i_am_right ? kept_rows : 0;
    return first + fold_across_team<distance / 2, kept_rows>(group, fold, state, thread, occupied);
  }
}

// The way back: the threads of a team tell each other the values of the rows that they have kept,
// so that each has those of all `held`. Collective: every lane of the warp must call.
template <int distance, int held, class Group, class Told>
ISOFOLD_DEVICE void share_in_team(const Group& group, Told* told, int thread) {
  if constexpr (distance > 0 && held > 1) {
    constexpr int kept_rows = held / 2;
    share_in_team<distance / 2, kept_rows>(group, told, thread);
    const bool i_am_right = (thread & distance) != 0;
#pragma unroll
    for (int row = 0; row < kept_rows; ++row) {
      const Told mine = told[row];
      const Told other = exchange(group, mine, distance);
      told[row] = chosen(i_am_right, other, mine);
      told[row + kept_rows] = chosen(i_am_right, mine, other);
    }
  }
}

// The elements that a thread holds of its team's rows.
template <class Fold, int number>
struct ShortRows {
  using Element = typename Fold::element_type;
  static constexpr RowShapes shapes = row_shapes_of<Fold>();
  static constexpr RowShape shape = shapes.shape[number];
  static constexpr int rows = shapes.rows_a_team(shape);
  static constexpr int kept = rows > shape.team ? rows / shape.team : 1;  // in the end
  // (The number is not asked of `shape` at its use: HIP's clang would call it there, on a copy in
  // memory.)
  static constexpr int lanes = shape.lanes();
  static_assert(lanes <= 2, "The lanes of a thread are folded in one step.");

  Element x[Fold::arrays][shape.segments][rows];

  // Loads rows of `length` elements from `data` on, `step` elements apart in each array. A thread
  // without an element in the segment that the end cuts loads the row's first once more, which is
  // cheaper than a branch for each thread.
  template <class Group>
  ISOFOLD_DEVICE ShortRows(const Group& group, const core::Elements<Fold>& data,
                           const std::int64_t (&step)[2], int length, int thread) {
    const Element* const begin[] = {data.data, data.second};
#pragma unroll
    for (int s = 0; s < shape.segments; ++s) {
      const int i = s * shape.team + thread;
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        if (s > shape.whole && s * shape.team >= length) {
#pragma unroll
          for (int r = 0; r < rows; ++r) {
            x[a][s][r] = {};
          }
        } else {
          const Element* mine = begin[a] + (s < shape.whole || i < length ? i : 0);
#pragma unroll
          for (int r = 0; r < rows; ++r) {
            x[a][s][r] = load_element(group, mine);
            mine += step[a];
          }
        }
      }
    }
    loads_issued(group);
  }

  // Folds lane `thread` of each row into folded[]; pass_of(r) is the pass of row r.
  template <class PassOf, class Lane>
  ISOFOLD_DEVICE void fold_lanes(PassOf&& pass_of, int length, int thread,
                                 Lane (&folded)[rows]) const {
    using Pass = std::decay_t<decltype(pass_of(0))>;
    Lane lane[lanes][rows];
#pragma unroll
    for (int s = 0; s < shape.segments; ++s) {
      const int i = s * shape.team + thread;
      if (s < lanes) {
#pragma unroll
        for (int r = 0; r < rows; ++r) {
          lane[s][r] = missing(LaneFold<Pass>{pass_of(r)});
        }
      }
      if (s <= shape.whole || s * shape.team < length) {
#pragma unroll
        for (int r = 0; r < rows; ++r) {
          Lane& mine = lane[s % lanes][r];
          const Lane next = selected_at(pass_of(r), s, r, mine, i);
          mine = chosen(s < shape.whole || i < length, next, mine);
        }
      }
    }
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      folded[r] = lane[0][r];
      if constexpr (lanes == 2) {
        folded[r] = join(LaneFold<Pass>{pass_of(r)}, lane[0][r], lane[1][r], false,
                         thread + shape.team < length);
      }
    }
  }

 private:
  template <class Pass>
  ISOFOLD_DEVICE core::LaneOf<Pass> selected_at(const Pass& pass, int s, int r,
                                                const core::LaneOf<Pass>& lane, int i) const {
    const bool begins = s < lanes;
    const auto value = core::value_of<Pass>(x[0][s][r]);
    if constexpr (Fold::arrays == 2) {
      return taken(pass, begins, lane, i, value, core::value_of<Pass>(x[1][s][r]));
    } else {
      return taken(pass, begins, lane, i, value);
    }
  }
};

// Folds rows of as many elements as the fold's shape of that number holds, at least as many as a
// warp folds at once. Each shape has a kernel, because in one of all shapes those that need many
// registers take them from the others (docs/decisions/009, 048).
template <class Fold, int number>
struct ReduceInRegisters {
  using State = typename Fold::state_type;
  using Pass = core::FirstPass<Fold>;
  using Held = ShortRows<Fold, number>;
  // This bound on the threads of a block is a bound on the registers of each on NVIDIA devices: 64
  // a thread, so that 32 warps share a multiprocessor, or 80, for the 64 words of a row of 512
  // elements of 16 bytes (docs/decisions/009, 048).
  static constexpr int max_threads = row_shapes_of<Fold>().element_bytes <= 8 ? 1024 : 768;

  Rows<Fold> rows;

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    constexpr RowShape of = Held::shape;
    constexpr int teams = Group::wave_width / of.team;
    constexpr int rows_a_warp = teams * Held::rows;
    constexpr int sharers =
        of.team * Held::kept / Held::rows;  // threads with the same row in the end
    const WarpPlace<Group> place(group);
    const int team = place.thread / of.team;
    const int thread = place.thread % of.team;
    const int length = static_cast<int>(rows.length);
    const std::int64_t apart[] = {teams * rows.stride, teams * rows.second_stride};

    const std::int64_t step = group.blocks() * place.warps * rows_a_warp;
    const std::int64_t begin = (group.block() * place.warps + place.warp) * rows_a_warp;
    for (std::int64_t base = begin; base < rows.rows; base += step) {
      // The last warp folds rows before its own once more, so that none of its rows is missing, and
      // does not write them again.
      const std::int64_t last = rows.rows - rows_a_warp;
      const std::int64_t from = base < last ? base : last;
      const int again = static_cast<int>(base - from);
      // Row r of a team is row from + r * teams + team.
      const Held held(group, rows.row(from + team), apart, length, thread);
      State state[Held::kept];
      const int first = fold_held(group, held, length, thread, state);
      if (thread % sharers == 0) {
#pragma unroll
        for (int r = 0; r < Held::kept; ++r) {
          const int row = (first + r) * teams + team;
          if (row >= again) {
            rows.write(from + row, state[r]);
          }
        }
      }
    }
  }

 private:
  // Computes the states of the rows that the thread ends with; returns the number of the first of
  // them. The thread also makes the second pass's fold of these rows, and tells its team, so that
  // each is made once: it has a division, which would be expensive in every thread
  // (docs/decisions/009, 048).
  template <class Group>
  ISOFOLD_DEVICE int fold_held(const Group& group, const Held& held, int length, int thread,
                               State (&state)[Held::kept]) const {
    const Pass pass = core::first_pass(rows.fold);
    core::LaneOf<Pass> lane[Held::rows];
    const int first = run(
        group, held, [&](int) { return pass; }, length, thread, lane);
    if constexpr (Fold::stages == 1) {
#pragma unroll
      for (int r = 0; r < Held::kept; ++r) {
        state[r] = core::chunk_state(rows.fold, lane[r], 0, length);
      }
    } else {
      const auto by_second = [&](const auto& second_of) {
        using Second = std::decay_t<decltype(second_of(lane[0]))>;
        Second second[Held::rows];
#pragma unroll
        for (int r = 0; r < Held::kept; ++r) {
          second[r] = second_of(lane[r]);
        }
        share_in_team<Held::shape.team / 2, Held::rows>(group, second, thread);
        core::LaneOf<Second> folded[Held::rows];
        run(
            group, held, [&](int r) { return second[r]; }, length, thread, folded);
#pragma unroll
        for (int r = 0; r < Held::kept; ++r) {
          state[r] = rows.fold.chunk(lane[r], folded[r], length);
        }
      };
      if constexpr (core::has_likely_second<Fold>) {
        bool likely = true;
#pragma unroll
        for (int r = 0; r < Held::kept; ++r) {
          likely &= rows.fold.is_likely(lane[r]);
        }
        if (all_of_warp(group, likely)) {
          by_second([&](const auto& mine) { return rows.fold.likely_second(mine, length); });
          return first;
        }
      }
      by_second([&](const auto& mine) { return rows.fold.second(mine, length); });
    }
    return first;
  }

  // Runs a pass over the rows, and leaves those that the thread ends with in lane[0], lane[1], ...;
  // pass_of(r) is the pass of row r. (Rows can share a halving because all of a fold's second
  // passes combine lanes alike.)
  template <class Group, class PassOf, class Lane>
  ISOFOLD_DEVICE static int run(const Group& group, const Held& held, const PassOf& pass_of,
                                int length, int thread, Lane (&lane)[Held::rows]) {
    using Run = std::decay_t<decltype(pass_of(0))>;
    held.fold_lanes(pass_of, length, thread, lane);
    return fold_across_team<Held::shape.team / 2, Held::rows>(group, LaneFold<Run>{pass_of(0)},
                                                              lane, thread, length);
  }
};

// Returns visit(std::integral_constant<int, number>), for one of the fold's shapes.
template <class Fold, int first = 0, class Visit>
auto with_row_shape(int number, Visit&& visit) {
  constexpr int last = row_shapes_of<Fold>().shapes - 1;
  if constexpr (first < last) {
    if (number != first) {
      return with_row_shape<Fold, first + 1>(number, visit);
    }
  }
  return visit(std::integral_constant<int, first>{});
}

}  // namespace isofold::gpu
