// Rows that do not need a block each. Two kernels:
//   RowsFold       a row for each team or each warp, chunk by chunk, by wide or by narrow loads
//   ShortRowsFold  rows of at most 512 elements, several at once in each team, so that enough loads
//                  are in flight however short a row is; any alignment and stride will do
#pragma once

#include <backends/gpu/rows.hpp>
#include <isofold/gpu/stage.hpp>

namespace isofold::gpu {

// A row for each team, or for each warp, which has at most as many chunks as that has threads;
// above that a block a row is faster anyway.
template <class Fold, class LanesOf>
struct RowsFold {
  using State = typename Fold::state_type;
  static constexpr int max_threads = 512;
  static constexpr bool is_staged = gpu::is_staged<Fold, LanesOf>();

  Rows<Fold> rows;  // length >= 1
  bool warp_a_row;

  // The states; the stage, where there is one, is before them.
  static constexpr std::size_t shared_bytes(int threads) {
    return sizeof(State) * static_cast<std::size_t>(threads);
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const Walk<Group> walk(group, *this);
    char* memory = static_cast<char*>(group.shared());
    if constexpr (is_staged && has_stages<Group>) {
      memory += StageOf<Fold, LanesOf>::bytes(group.threads());
    }
    State* const states = reinterpret_cast<State*>(memory) + group.thread() - walk.thread_of_row;
    Step step = walk.first();
    while (step.base < rows.rows) {
      const Step next = walk.after(step);
      const RowChunk chunk = walk.chunk(*this, step);
      State state = state_of(group, walk, step, chunk, next);
      if (walk.chunks > 1 && walk.thread == 0 && chunk.number < walk.chunks) {
        states[chunk.number] = state;
      }
      if (next.round == 0) {  // all of the row has been read
        if (walk.chunks > 1) {
          group.warp_barrier();
          const int node = walk.thread_of_row;
          state = node < walk.chunks ? states[node] : missing(rows.fold);
          state = fold_nodes_of_warp(group, rows.fold, state, node, walk.chunks);
          group.warp_barrier();  // the next row writes what has just been read
        }
        const std::int64_t row = step.base + walk.row_of_warp;
        if (row < rows.rows && walk.thread_of_row == 0) {
          rows.write(row, state);
        }
      }
      step = next;
    }
  }

 private:
  // What a warp does at once: chunk `round`, or those from there on, of the rows from `base` on.
  struct Step {
    std::int64_t base;
    int round;
  };
  struct RowChunk {
    core::Elements<Fold> data;
    std::int64_t begin;
    int number;
    int count;
    bool whole;
  };
  // How the steps follow, and where this thread is in them.
  template <class Group>
  struct Walk {
    int thread;
    int rows_a_warp;
    int teams_a_row;
    int row_of_warp;
    int team_of_row;
    int thread_of_row;
    int chunks;
    std::int64_t first_base;
    std::int64_t step;

    ISOFOLD_DEVICE Walk(const Group& group, const RowsFold& of) {
      constexpr int teams_a_warp = Group::wave_width / LanesOf::team;
      const WarpPlace<Group> place(group);
      const int team = place.thread / LanesOf::team;
      thread = place.thread % LanesOf::team;
      rows_a_warp = of.warp_a_row ? 1 : teams_a_warp;
      teams_a_row = of.warp_a_row ? teams_a_warp : 1;
      row_of_warp = of.warp_a_row ? 0 : team;
      team_of_row = of.warp_a_row ? team : 0;
      thread_of_row = of.warp_a_row ? place.thread : thread;
      chunks = static_cast<int>(core::chunk_count(of.rows.length));
      step = group.blocks() * place.warps * rows_a_warp;
      first_base = (group.block() * place.warps + place.warp) * rows_a_warp;
    }
    ISOFOLD_DEVICE Step first() const { return {first_base, 0}; }
    ISOFOLD_DEVICE Step after(const Step& at) const {
      return at.round + teams_a_row < chunks ? Step{at.base, at.round + teams_a_row}
                                             : Step{at.base + step, 0};
    }
    // Teams without a row or a chunk read one that is there: all of the warp can take the path of
    // whole chunks then.
    ISOFOLD_DEVICE RowChunk chunk(const RowsFold& of, const Step& at) const {
      const std::int64_t row = at.base + row_of_warp;
      const core::Elements<Fold> data = of.rows.row(row < of.rows.rows ? row : at.base);
      const int number = at.round + team_of_row;
      const int end = at.round + teams_a_row < chunks ? at.round + teams_a_row : chunks;
      const std::int64_t begin = static_cast<std::int64_t>(number < end ? number : at.round)
                                 << core::chunk_shift;
      const std::int64_t left = of.rows.length - begin;
      const bool whole = static_cast<std::int64_t>(end) << core::chunk_shift <= of.rows.length;
      const int count = left > core::chunk_elements ? core::chunk_elements : static_cast<int>(left);
      return {data.from(begin), begin, number, count, whole};
    }
  };

  template <class Group>
  ISOFOLD_DEVICE State state_of(const Group& group, const Walk<Group>& walk,
                                [[maybe_unused]] const Step& step, const RowChunk& chunk,
                                [[maybe_unused]] const Step& next) const {
    if constexpr (is_staged && has_stages<Group>) {
      const StageOf<Fold, LanesOf> stage(group, group.shared());
      const auto begin = [&](const RowChunk& begun) {
        stage.begin(group, begun.data.data, begun.data.second, begun.count, walk.thread);
      };
      if (step.base == walk.first_base && step.round == 0) {
        begin(chunk);
      }
      return fold_staged_chunk<LanesOf>(group, rows.fold, stage, chunk.begin, chunk.count,
                                        chunk.whole, walk.thread, [&] {
                                          if (next.base < rows.rows) {
                                            begin(walk.chunk(*this, next));
                                          }
                                        });
    } else {
      return fold_chunk<LanesOf>(group, rows.fold, chunk.data, chunk.begin, chunk.count,
                                 chunk.whole, walk.thread);
    }
  }
};

template <class Fold, class LanesOf>
inline constexpr int staged_threads<RowsFold<Fold, LanesOf>> =
    staged_bound<StageOf<Fold, LanesOf>, RowsFold<Fold, LanesOf>::is_staged>();

// How a warp takes short rows: a team of `team` threads shares one, each of its threads loads
// `segments` elements, `team` apart, of at most `rows` rows at once. Every row has more than
// `whole` segments.
struct RowShape {
  int team;
  int segments;
  int whole;
  int rows;
  // Loads in flight: 16 to 32, but no more than 40 registers of 64 hold.
  ISOFOLD_HOST_DEVICE constexpr int rows_a_team(std::size_t bytes) const {
    int few = rows;
    while (few > 1 && few * segments * static_cast<int>(bytes) > 40 * 4) {
      few /= 2;
    }
    return few;
  }
  ISOFOLD_HOST_DEVICE constexpr int most_elements() const { return team * segments; }
};

// The first that holds a row is taken. Few shapes, as each is code: in between, idle threads and
// loads that bring nothing new are hidden behind the memory. Threads that share a row are few where
// it is short: a step of its halving between two threads takes four instructions, inside one thread
// one. (Measured on an H200 for rows of 1 to 160 elements with 22 such shapes: rows of 1, 7, 17 and
// 129 took 13 to 32 % longer with a team of 4, 16, 32 and 32 threads and 16 loads.)
inline constexpr RowShape row_shapes[] = {
    {1, 1, 0, 16}, {2, 1, 0, 16}, {4, 1, 0, 16}, {4, 2, 1, 8},  {8, 2, 1, 8},  {16, 2, 1, 16},
    {32, 2, 1, 8}, {32, 4, 2, 4}, {32, 5, 4, 4}, {32, 8, 4, 2}, {32, 16, 8, 1}};
inline constexpr int row_shape_count = sizeof row_shapes / sizeof row_shapes[0];
inline constexpr int most_short_elements = row_shapes[row_shape_count - 1].most_elements();

// Halving across a team, thread t holding lane t of each of `held` rows, from stride `distance` on.
// While a thread holds several rows it gives half of them up at each stride and keeps the other
// half: folding 8 rows over 32 threads costs 9 exchanges instead of 40. Returns the number of the
// first of the rows that the thread has kept; they are state[0], state[1], ... All of the warp
// call; lanes from `occupied` on are missing. (One instance a stride: rolled up, states went to
// memory.)
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

// The lanes of `rows` rows that this thread has, folded into lane `thread` of each, to folded[].
// The first row begins at `data`, the next ones `step` elements apart; each has `length` elements.
// In the segment that the end cuts, a thread without an element loads the row's first once more,
// which is cheaper than a branch for each thread. All of the warp call; all loads are in flight
// before the first is used.
template <int number, int rows, class Group, class Pass>
ISOFOLD_DEVICE void load_short_rows(const Group& group, const Pass& pass,
                                    const typename Pass::element_type* data, std::int64_t step,
                                    int length, int thread, core::LaneOf<Pass> (&folded)[rows]) {
  using Element = typename Pass::element_type;
  const LaneFold<Pass> fold{pass};
  constexpr RowShape shape = row_shapes[number];
  // Segments s and s + held are of the same lane.
  constexpr int held =
      shape.most_elements() < core::lanes ? shape.segments : core::lanes / shape.team;
  static_assert(held <= 2, "The lanes of a thread are folded in one step.");
  Element x[shape.segments][rows];
#pragma unroll
  for (int s = 0; s < shape.segments; ++s) {
    const int i = s * shape.team + thread;
    if (s > shape.whole && s * shape.team >= length) {
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        x[s][r] = {};
      }
    } else {
      const Element* mine = data + (s < shape.whole || i < length ? i : 0);
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        x[s][r] = load_element(group, mine);
        mine += step;
      }
    }
  }
  loads_issued(group);
  core::LaneOf<Pass> lane[held][rows];
#pragma unroll
  for (int r = 0; r < rows; ++r) {
#pragma unroll
    for (int s = 0; s < held; ++s) {
      lane[s][r] = missing(fold);
    }
  }
#pragma unroll
  for (int s = 0; s < shape.segments; ++s) {
    const int i = s * shape.team + thread;
    if (s > shape.whole && s * shape.team >= length) {
      break;
    }
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      auto& mine = lane[s % held][r];
      const auto next = taken(pass, s < held, mine, i, core::value_of<Pass>(x[s][r]));
      mine = chosen(s < shape.whole || i < length, next, mine);
    }
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    folded[r] = lane[0][r];
    if constexpr (held == 2) {
      folded[r] = join(fold, lane[0][r], lane[1][r], false, thread + shape.team < length);
    }
  }
}

// Folds that have ShortRowsFold: for others a team takes a row, however short (RowsFold). It is the
// largest kernel, and lanes of several numbers would leave few rows to be in flight.
template <class Fold>
inline constexpr bool has_short_rows =
    Fold::arrays == 1 && Fold::stages == 1 && !core::is_complex<typename Fold::element_type> &&
    core::numbers_in<core::LaneOf<core::FirstPass<Fold>>> == 1;

// Rows of 1 to most_short_elements elements, at least as many as a warp takes at once.
template <class Fold>
struct ShortRowsFold {
  static_assert(has_short_rows<Fold>, "A short row of one array, in one pass.");
  using Pass = core::FirstPass<Fold>;
  // It bounds the registers: 64 a thread on NVIDIA's, so that 32 warps share a multiprocessor.
  static constexpr int max_threads = 1024;

  Rows<Fold> rows;
  int shape;  // of row_shapes

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    fold_by_shape<0>(group);
  }

 private:
  template <int number, class Group>
  ISOFOLD_DEVICE void fold_by_shape(const Group& group) const {
    if constexpr (number < row_shape_count) {
      if (shape == number) {
        fold_rows<number>(group);
      } else {
        fold_by_shape<number + 1>(group);
      }
    }
  }

  template <int number, class Group>
  ISOFOLD_DEVICE void fold_rows(const Group& group) const {
    constexpr RowShape of = row_shapes[number];
    constexpr int teams = Group::wave_width / of.team;
    constexpr int rows_a_team = of.rows_a_team(sizeof(typename Fold::element_type));
    constexpr int rows_a_warp = teams * rows_a_team;
    constexpr int kept = rows_a_team > of.team ? rows_a_team / of.team : 1;
    constexpr int sharers = of.team * kept / rows_a_team;  // threads with the same row in the end
    const WarpPlace<Group> place(group);
    const int team = place.thread / of.team;
    const int thread = place.thread % of.team;
    const int length = static_cast<int>(rows.length);
    const Pass pass = core::first_pass(rows.fold);

    const std::int64_t step = group.blocks() * place.warps * rows_a_warp;
    const std::int64_t begin = (group.block() * place.warps + place.warp) * rows_a_warp;
    for (std::int64_t base = begin; base < rows.rows; base += step) {
      // The last rows of all: those before them once more, so that none is missing; not written.
      const std::int64_t last = rows.rows - rows_a_warp;
      const std::int64_t from = base < last ? base : last;
      const int again = static_cast<int>(base - from);
      // Row r of a team is row from + r * teams + team.
      core::LaneOf<Pass> lane[rows_a_team];
      load_short_rows<number>(group, pass, rows.row(from + team).data, teams * rows.stride, length,
                              thread, lane);
      const int first = fold_across_team<of.team / 2, rows_a_team>(group, LaneFold<Pass>{pass},
                                                                   lane, thread, length);
      if (thread % sharers == 0) {
#pragma unroll
        for (int r = 0; r < kept; ++r) {
          const int row = (first + r) * teams + team;
          if (row >= again) {
            rows.write(from + row, core::chunk_state(rows.fold, lane[r], 0, length));
          }
        }
      }
    }
  }
};

}  // namespace isofold::gpu
