// The kernel for rows that do not need a block each: a team or a warp folds a row, chunk by chunk,
// by wide or by narrow loads.
#pragma once

#include <backends/gpu/input/contiguous.hpp>
#include <isofold/detail/gpu/bulk_stage.hpp>

namespace isofold::gpu {

// Folds a row by each team, or by each warp. A row has at most as many chunks as that has threads:
// a block for each row is faster above that anyway.
template <class Fold, class LanesOf>
struct ReduceByWarps {
  using State = typename Fold::state_type;
  static constexpr int max_threads = 512;
  static constexpr Missing missing_rows = Missing::left_out;  // each row may end in a cut chunk

  Rows<Fold> rows;  // length >= 1
  bool warp_a_row;

  // The states; the stage, where there is one, is before them.
  static constexpr std::size_t shared_bytes(int threads) {
    return sizeof(State) * static_cast<std::size_t>(threads);
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const Walk<Group> walk(group, *this);
    using Stage = StageFor<Group, Fold, LanesOf>;
    char* const memory = static_cast<char*>(group.shared());
    Stage stage(group, memory);
    State* const states = reinterpret_cast<State*>(memory + Stage::bytes(group.threads())) +
                          group.thread() - walk.thread_of_row;
    Step step = walk.first();
    while (step.base < rows.rows) {
      const Step next = walk.after(step);
      const RowChunk chunk = walk.chunk(*this, step);
      State state = state_of(group, stage, walk, step, chunk, next);
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
  // A step of a warp: chunk `round`, or those from there on, of the rows from `base` on.
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
  // The order of the steps, and the place of this thread in them.
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

    ISOFOLD_DEVICE Walk(const Group& group, const ReduceByWarps& of) {
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
    // Teams without a row or a chunk read one that is there: the whole warp can then follow the
    // path of whole chunks.
    ISOFOLD_DEVICE RowChunk chunk(const ReduceByWarps& of, const Step& at) const {
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

  template <class Group, class Stage>
  ISOFOLD_DEVICE State state_of(const Group& group, [[maybe_unused]] Stage& stage,
                                const Walk<Group>& walk, [[maybe_unused]] const Step& step,
                                const RowChunk& chunk, [[maybe_unused]] const Step& next) const {
    if constexpr (is_stage<Stage>) {
      const auto begin = [&](const RowChunk& begun) {
        stage.begin(group, begun.data.data, begun.data.second, begun.count, walk.thread);
      };
      if (step.base == walk.first_base && step.round == 0) {
        begin(chunk);
      }
      return fold_staged_chunk<LanesOf, missing_rows>(group, rows.fold, stage, chunk.begin,
                                                      chunk.count, chunk.whole, walk.thread, [&] {
                                                        if (next.base < rows.rows) {
                                                          begin(walk.chunk(*this, next));
                                                        }
                                                      });
    } else {
      return fold_chunk<LanesOf, missing_rows>(group, rows.fold, chunk.data, chunk.begin,
                                               chunk.count, chunk.whole, walk.thread);
    }
  }
};

template <class Fold, class LanesOf>
inline constexpr int staged_threads<ReduceByWarps<Fold, LanesOf>> =
    staged_chunk_threads<Fold, LanesOf>();
template <class Fold, class LanesOf>
inline constexpr int bulk_threads<ReduceByWarps<Fold, LanesOf>> =
    bulk_chunk_threads<Fold, LanesOf>();

}  // namespace isofold::gpu
