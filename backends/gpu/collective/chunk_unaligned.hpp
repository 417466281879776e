// The state of a chunk of elements of 4 bytes that begins anywhere, by loads of 16 bytes. These
// begin at multiples of 16 bytes, so an element's position, its index and a shift of up to three,
// says which load brings it: the lanes have moved on around the circle of all 64. Halving joins
// lanes half a circle apart, then a quarter of it, ..., wherever the circle begins: same bits. The
// page docs/decisions/054-shifted-chunks-of-numbers.md says which folds gain and which lose.
#pragma once

#include <isofold/detail/gpu/stage.hpp>

namespace isofold::gpu {

// This tells whether a fold's chunks are read so: where a lane is one number, and the loads bound
// the speed.
template <class Fold>
inline constexpr bool may_shift =
    Fold::arrays == 1 && sizeof(typename Fold::element_type) == 4 && parts_of<Fold>() == 1 &&
    std::is_arithmetic_v<core::LaneOf<core::FirstPass<Fold>>> && !computes_long<Fold>;

// A chunk of so many elements gives each lane one in the first two rows of positions, which are
// whole.
inline constexpr int least_shifted = 2 * core::lanes;

// A thread holds four of each row of 64 positions. The chunk's first element has the position
// `shift`, so the first thread's positions below it are late: their lanes begin with the second
// row.
template <class Fold>
struct ShiftedRows {
  using Element = typename Fold::element_type;
  using Lanes = WideLanes<Element>;
  static constexpr int components = Lanes::per_thread;
  static constexpr int most_rows = core::rows_per_chunk;

  Pack<Element, components> row[most_rows];
  Element end[components];  // what comes after the whole rows
  int first;                // index of this thread's first position; negative: some are late
  int whole_rows;           // of positions, the first one counted
  int count;                // of the chunk's elements

  template <bool whole>
  ISOFOLD_DEVICE static ShiftedRows of(const Element* x, int count, int thread) {
    ShiftedRows rows;
    const auto before = reinterpret_cast<std::uintptr_t>(x) / sizeof(Element);
    const int shift = static_cast<int>(before % static_cast<unsigned>(components));
    rows.first = Lanes::first(thread) - shift;
    rows.whole_rows = whole ? most_rows : (shift + count) / core::lanes;
    rows.count = whole ? core::chunk_elements : count;
    return rows;
  }

  ISOFOLD_DEVICE int index(int r, int c) const { return r * core::lanes + first + c; }
  ISOFOLD_DEVICE bool is_late(int c) const { return c < components - 1 && index(0, c) < 0; }

  // Loads all of the chunk, the last whole row again for each that follows it, as load_rows() does.
  // No address is outside the chunk.
  template <bool whole, class Group>
  ISOFOLD_DEVICE void load(const Group& group, const Element* x) {
    const Element* from = x + first;
#pragma unroll
    for (int r = 0; r < most_rows; ++r) {
      if (r == 0 && first < 0) {
        load_begin(group, x);
      } else {
        row[r] = group.template load<Element, components>(from);
      }
      from += whole || r + 1 < whole_rows ? core::lanes : 0;
    }
    load_end(group, x);
    loads_issued(group);
  }

  // Lets `pass` run over the whole rows, and over what comes after them.
  template <bool whole, class Group, class Pass, class Lane>
  ISOFOLD_DEVICE void run_over(const Group& group, const Pass& pass,
                               Lane (&lane)[components]) const {
#pragma unroll
    for (int r = 0; r < most_rows; ++r) {
#pragma unroll
      for (int c = 0; c < components; ++c) {
        const Element x = row[r].value[c];
        const auto value = core::value_of<Pass>(whole ? x : as_loaded(group, x));
        const bool begins = r == 0 || (r == 1 && is_late(c));
        const Lane next = taken(pass, begins, lane[c], index(r, c), value);
        lane[c] = chosen(whole || r < whole_rows, next, lane[c]);
      }
    }
#pragma unroll
    for (int c = 0; c < components; ++c) {
      if (index(whole_rows, c) < count) {
        const auto value = core::value_of<Pass>(end[c]);
        lane[c] = taken(pass, false, lane[c], index(whole_rows, c), value);
      }
    }
  }

 private:
  // Loads the chunk's part of the first row.
  template <class Group>
  ISOFOLD_DEVICE void load_begin(const Group& group, const Element* x) {
#pragma unroll
    for (int c = 0; c < components; ++c) {
      row[0].value[c] = anything<Element>(first);
      if (!is_late(c)) {
        row[0].value[c] = load_element(group, x + index(0, c));
      }
    }
  }
  template <class Group>
  ISOFOLD_DEVICE void load_end(const Group& group, const Element* x) {
#pragma unroll
    for (int c = 0; c < components; ++c) {
      end[c] = anything<Element>(first);
      if (index(whole_rows, c) < count) {
        end[c] = load_element(group, x + index(whole_rows, c));
      }
    }
  }
};

template <bool whole, class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type fold_shifted_chunk(const Group& group, const Fold& fold,
                                                            const typename Fold::element_type* x,
                                                            std::int64_t begin, int count,
                                                            int thread) {
  using Rows = ShiftedRows<Fold>;
  Rows rows = Rows::template of<whole>(x, count, thread);
  rows.template load<whole>(group, x);
  return state_by_passes(group, fold, begin, count, [&](const auto& pass) {
    using Pass = std::decay_t<decltype(pass)>;
    core::LaneOf<Pass> lane[Rows::components];
#pragma unroll
    for (int c = 0; c < Rows::components; ++c) {
      lane[c] = missing(LaneFold<Pass>{pass});
    }
    rows.template run_over<whole>(group, pass, lane);
    return halve<typename Rows::Lanes>(group, LaneFold<Pass>{pass}, lane, thread, core::lanes);
  });
}

// The state of the chunk at `x`, as fold_chunk(): each team is one of WideLanes, and `count`
// least_shifted or more. Collective: every lane of the warp must call.
template <class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type fold_shifted_chunk(const Group& group, const Fold& fold,
                                                            const typename Fold::element_type* x,
                                                            std::int64_t begin, int count,
                                                            bool whole, int thread) {
  return whole ? fold_shifted_chunk<true>(group, fold, x, begin, core::chunk_elements, thread)
               : fold_shifted_chunk<false>(group, fold, x, begin, count, thread);
}

}  // namespace isofold::gpu
