// The elements of a box that lie in runs, such as its interior, for ReduceCompacted: RunElements
// folds a row of them, chunk after chunk, by loads that step through a run as through an array.
// Threads find the beginnings of 32 runs together, one each; a row of lanes meets the end of one
// run at most.
#pragma once

#include <backends/gpu/input/strided.hpp>
#include <isofold/detail/gpu/chunk_fold.hpp>

namespace isofold::gpu {

// The number of elements of a row of the box that lie side by side in memory, in both arrays: the
// extent of the innermost of Axes, or 0 if its stride is not 1.
inline std::int64_t run_length(const isofold_layout& layout, bool two_arrays) {
  std::int64_t run = 1;
  for (int d = layout.dimensions - 1; d >= 0; --d) {
    const std::int64_t extent = layout.extents[d];
    if ((layout.kept >> d & 1U) != 0 || extent == 1) {
      continue;
    }
    if (layout.strides[d] != run || (two_arrays && layout.second_strides[d] != run)) {
      return run == 1 ? 0 : run;
    }
    run *= extent;
  }
  return run;
}

// The elements of a row of such a box, whose runs have least_run elements or more.
template <class Fold>
class RunElements {
  using Element = typename Fold::element_type;
  using Lanes = NarrowLanes<Element>;
  static constexpr int known_runs = 32;

 public:
  // This bound on the threads of a block is a bound on the registers of each on NVIDIA devices: one
  // array of 4 bytes needs few registers and gains by more warps; larger elements, two arrays of
  // them and long computations spill with fewer (docs/decisions/024, 049).
  static constexpr bool is_large = !core::is_complex<Element> && sizeof(Element) > sizeof(float) &&
                                   (Fold::arrays == 2 || core::has_likely_second<Fold>);
  static constexpr int max_threads = is_large                                         ? 256
                                     : Fold::arrays * sizeof(Element) > sizeof(float) ? 512
                                                                                      : 768;

  // The shared memory of a warp: the beginnings of the known runs.
  ISOFOLD_HOST_DEVICE static constexpr std::size_t bytes() {
    return sizeof(const Element*) * Fold::arrays * known_runs;
  }

  // The elements of row `row` of `first` from number `begin` on; `memory` is the warp's own.
  // Collective: every lane of the warp must call.
  template <class Group, class Source>
  ISOFOLD_DEVICE RunElements(const Group&, const Source& source, const core::Elements<Fold>& first,
                             std::int64_t row, std::int64_t begin, void* memory)
      : places_(source.places),
        first_(first),
        row_(row),
        from_(static_cast<const Element**>(memory)),
        extent_(places_.reduced.extents[places_.reduced.count - 1]),
        runs_(places_.reduced.by[places_.reduced.count - 1].divide(source.length)),
        run_(places_.reduced.by[places_.reduced.count - 1].divide(begin)),
        before_(run_ * extent_ - begin),
        touched_(extent_ < core::chunk_elements
                     ? core::chunk_elements / static_cast<int>(extent_) + 3
                     : 3),
        known_(run_ - known_runs) {}

  // The state of the next chunk, which begins at element `begin` and has `count`. Collective: every
  // lane of the warp must call; every thread gets the state.
  template <class Group>
  ISOFOLD_DEVICE typename Fold::state_type fold(const Group& group, const Fold& fold,
                                                std::int64_t begin, int count) {
    if (run_ - known_ + touched_ >= known_runs) {
      find_runs(group);
    }
    return count == core::chunk_elements ? fold_chunk<true>(group, fold, begin, count)
                                         : fold_chunk<false>(group, fold, begin, count);
  }

 private:
  // The place of a row of lanes: the run it begins in, the next one, and the one after that.
  struct Cursor {
    const Element* here[Fold::arrays];  // the chunk's element number `thread`, were it of this run
    const Element* next[Fold::arrays];  // or of that one
    const Element* fetched[Fold::arrays];  // where the one after that begins
    std::int64_t behind;                   // where the next one begins: elements from the chunk on
    int end;                               // the same, but no more than a chunk has
    int passed;                            // runs
    int thread;                            // in the team: the number of the first lane
  };

  // Finds the beginnings of the runs from run_ on. Collective: every lane of the warp must call.
  template <class Group>
  ISOFOLD_DEVICE void find_runs(const Group& group) {
    group.warp_barrier();  // those before have been read
    known_ = run_;
    for (int n = group.thread() % Group::wave_width; n < known_runs; n += Group::wave_width) {
      const std::int64_t run = known_ + n < runs_ ? known_ + n : runs_ - 1;
      const Element* const arrays[] = {first_.data, first_.second};
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        from_[a * known_runs + n] =
            arrays[a] + places_.kept.offset(a, row_) + places_.reduced.line_offset(a, run);
      }
    }
    group.warp_barrier();
  }

  ISOFOLD_DEVICE void fetch(Cursor& at, int number) const {
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      at.fetched[a] = from_[a * known_runs + static_cast<int>(run_ - known_) + number];
    }
  }
  ISOFOLD_DEVICE void pass(Cursor& at) const {
    ++at.passed;
    at.behind += extent_;
    at.end = at.behind < core::chunk_elements ? static_cast<int>(at.behind) : core::chunk_elements;
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      at.here[a] = at.next[a];
      at.next[a] = at.fetched[a] - (at.behind - at.thread);
    }
    fetch(at, at.passed + 2);
  }
  ISOFOLD_DEVICE void start(Cursor& at, int thread) const {
    fetch(at, 0);
    at.passed = -1;
    at.behind = before_;
    at.thread = thread;
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      at.next[a] = at.fetched[a] - (at.behind - thread);
    }
    fetch(at, 1);
    pass(at);
  }

  // The place of the thread's element that lies `distance` after its first one in the chunk.
  ISOFOLD_DEVICE static const Element* place(const Cursor& at, int array, int distance) {
    const bool is_here = at.end - at.thread > distance;
    return (is_here ? at.here[array] : at.next[array]) + distance;
  }

  // Loads row number `row` of the chunk into row `r` of those that the thread holds. No load is in
  // a branch: one that writes a register which another branch's load may have to write waits for
  // all that are on their way.
  template <class Group, class Held>
  ISOFOLD_DEVICE void load_row(const Group& group, Held& held, int r, Cursor& at, int row) const {
#pragma unroll
    for (int a = 0; a < Held::arrays; ++a) {
#pragma unroll
      for (int c = 0; c < Held::loads; ++c) {
        const int distance = row * core::lanes + Held::lane_of(c);
        held.pack[a][r][c] = {load_element(group, place(at, a, distance))};
      }
    }
#pragma unroll 1  // once at most, but a condition would be computed for each row
    while (at.end < (row + 1) * core::lanes) {
      pass(at);
    }
  }

  // Loads a row that is not there, or that the end of the data cuts, at `count`.
  template <class Group, class Held>
  ISOFOLD_DEVICE void load_cut(const Group& group, Held& held, int r, const Cursor& at, int row,
                               int count) const {
#pragma unroll
    for (int a = 0; a < Held::arrays; ++a) {
#pragma unroll
      for (int c = 0; c < Held::loads; ++c) {
        const auto any = anything<Element>(at.thread);
        held.pack[a][r][c] = {any};
        if (row == count / core::lanes) {
          const int distance = row * core::lanes + Held::lane_of(c);
          held.cut[a][c] =
              distance + at.thread < count ? load_element(group, place(at, a, distance)) : any;
        }
      }
    }
  }

  // Loads a part, as load_part() of chunk_fold.hpp; the parts come one after the other.
  template <bool whole, class Group, class Held>
  ISOFOLD_DEVICE void load_part(const Group& group, Held& held, Cursor& at, int part, int count,
                                int thread) const {
    if (part == 0) {
      start(at, thread);
    }
#pragma unroll
    for (int r = 0; r < Held::rows; ++r) {
      const int row = part * Held::rows + r;
      if (whole || row < count / core::lanes) {
        load_row(group, held, r, at, row);
      } else {
        load_cut(group, held, r, at, row, count);
      }
    }
    loads_issued(group);
  }

  template <bool whole, class Group>
  ISOFOLD_DEVICE typename Fold::state_type fold_chunk(const Group& group, const Fold& fold,
                                                      std::int64_t begin, int count) {
    const int thread = group.thread() % Lanes::team;  // teams of a warp do the same
    HeldOf<Fold, Lanes> held;
    Cursor at;
    const auto load = [&](int part) { load_part<whole>(group, held, at, part, count, thread); };
    if constexpr (parts_of<Fold>() == 1) {
      load(0);
    }
    const auto state = state_of_held<whole, Lanes>(group, fold, held, begin, count, thread, load);
    run_ += at.passed;
    before_ += at.passed * extent_ - core::chunk_elements;
    return state;
  }

  const Places& places_;
  const core::Elements<Fold>& first_;
  std::int64_t row_;
  const Element** from_;  // where the known runs begin, of both arrays
  std::int64_t extent_;   // of a run
  std::int64_t runs_;     // of a row
  std::int64_t run_;      // the one that the next element is of, or the one before
  std::int64_t before_;   // where it begins, from the next chunk on: at most 0
  int touched_;           // runs whose places a chunk asks for, at most
  std::int64_t known_;    // the first one whose place is known
};

}  // namespace isofold::gpu
