// A segment in shared memory, of up to a chunk of elements: the lanes that a pass of a fold makes
// of it when one thread, four threads or a warp share it. The kernels of segments fold with these
// functions.
#pragma once

#include <backends/gpu/kernel/rows_in_registers.hpp>
#include <backends/gpu/kernel/rows_strided.hpp>

namespace isofold::gpu {

inline constexpr int short_segments_lanes = 16;         // of a segment that a thread folds at once
inline constexpr int short_segments_sharers_shift = 2;  // 2^2 threads share a longer one
static_assert(short_segments_lanes << short_segments_sharers_shift == core::lanes,
              "Sharers have all lanes.");

// A thread folds so many lanes at once, which bounds its registers, as strided_loads() does.
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr int short_segments_held() {
  constexpr int loads = strided_loads<Fold>();
  return loads < 4 ? 4 : loads;
}

// Folds that are cheap enough to have twice the code where that saves instructions.
template <class Fold>
inline constexpr bool is_short_segments_cheap = is_light<Fold>;

// A thread folds segments of up to so many elements alone. Cheap folds have twice the code for it,
// because that spares threads that share a segment (docs/decisions/019, 022, 049).
template <class Fold>
inline constexpr int short_segments_alone =
    is_short_segments_cheap<Fold> ? 2 * short_segments_lanes : short_segments_lanes;

// An element in shared memory; only the parts of complex ones are aligned there.
template <class Element>
ISOFOLD_DEVICE Element staged_element(const char* at) {
  // None of these is a memcpy: clang 15 cut some of them into bytes.
  if constexpr (core::is_complex<Element>) {
    const auto* const parts = reinterpret_cast<const decltype(Element::re)*>(at);
    return {parts[0], parts[1]};
  } else {
    return *reinterpret_cast<const Element*>(at);
  }
}

// Shared memory has 32 banks, each as wide as a word of 4 bytes. If all segments have one length, a
// multiple of 2^k, their first elements lie in 32 >> k banks, and so do those that the threads of a
// warp read next: 2^k of them wait for one another. Slot s of such a segment therefore gets its
// element s ^ turn, with another turn for each of the 2^k.
//
// The tree stays as it is if turn < 2^k: slots s and s + h meet where their elements do, perhaps as
// right and left, and as 2^k divides the length, a slot is in the segment where its element is.
inline constexpr int line_shift = 5;  // 2^5 words reach each bank once
// This tells whether turned slots pay: they spare bank conflicts for multiples of 8 and 32, and
// cost a little for other lengths (docs/decisions/019, 049).
ISOFOLD_DEVICE inline bool is_turned(std::uint32_t length) {
  return length % (length > short_segments_lanes ? 32 : 8) == 0;
}

// The largest power of two that divides a length, less one.
ISOFOLD_DEVICE inline int below_power_in(int length) { return (length & -length) - 1; }

// The turn of a segment that a thread folds alone, and that begins at element `at` of the window.
template <class Element>
ISOFOLD_DEVICE int turn_of_own(int at, int length) {
  constexpr int words = static_cast<int>(sizeof(Element) / 4);
  return ((at * words) >> line_shift) & below_power_in(length);
}
// The turn of a segment that four threads share, whose slots are thread, thread + 4, ...: each
// keeps the lanes it has.
ISOFOLD_DEVICE inline int turn_of_shared(int thread_of_warp, int length) {
  constexpr int sharers = 1 << short_segments_sharers_shift;
  return thread_of_warp & -sharers & below_power_in(length);
}

// A segment in shared memory, as its 2^shift sharers see it.
template <class Fold, bool turned = false>
struct RowInShared {
  const char* from[2];  // its first element, of each array
  int length;
  int thread;  // of the sharers
  int turn;    // in bytes, so that a slot takes two instructions more

  using Element = typename Fold::element_type;
  static constexpr int bytes = static_cast<int>(sizeof(Element));
  ISOFOLD_DEVICE Element at(int array, int slot) const {
    const int offset = slot * bytes;
    return staged_element<Element>(from[array] + (turned ? offset ^ turn : offset));
  }
  // The index of the element that a slot holds.
  ISOFOLD_DEVICE int index(int slot) const { return turned ? slot ^ turn / bytes : slot; }
};

// The lanes of the slots first, first + step, ... of a row, as far as they have elements. Loads of
// cheap passes have a condition each, for which there is no branch. The elements of other passes
// are all loaded before the first is used, and the row's first element stands for a missing one.
template <bool begins, class Fold, bool turned, class Pass, int held>
ISOFOLD_DEVICE void take_row(const RowInShared<Fold, turned>& row, const Pass& pass, int first,
                             int step, core::LaneOf<Pass> (&lane)[held]) {
  using Element = typename Fold::element_type;
  if constexpr (is_short_segments_cheap<Fold>) {
    const int behind = row.length - first;  // compared with constants, where `step` is one
#pragma unroll
    for (int j = 0; j < held; ++j) {
      const int slot = first + j * step;
      if (turned && j > 0 && j % 4 == 0 && j * step >= behind) {
        break;  // the warp, most likely
      }
      if (j * step < behind) {
        lane[j] =
            taken(pass, begins, lane[j], row.index(slot), core::value_of<Pass>(row.at(0, slot)));
      }
    }
  } else {
    static_assert(!turned, "Segments are turned where passes are cheap.");
    Element x[Fold::arrays][held];
#pragma unroll
    for (int j = 0; j < held; ++j) {
      const int i = first + j * step;
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        x[a][j] = row.at(a, i < row.length ? i : 0);
      }
    }
#pragma unroll
    for (int j = 0; j < held; ++j) {
      const int i = first + j * step;
      const auto value = core::value_of<Pass>(x[0][j]);
      core::LaneOf<Pass> next;
      if constexpr (Fold::arrays == 2) {
        next = taken(pass, begins, lane[j], i, value, core::value_of<Pass>(x[1][j]));
      } else {
        next = taken(pass, begins, lane[j], i, value);
      }
      lane[j] = chosen(i < row.length, next, lane[j]);
    }
  }
}

// The rows of lanes from element `begin` on, slots first, first + step, ... of each: as far as
// there are elements, or, without a test, all of them.
template <int rows, bool all, class Fold, bool turned, class Pass, int held>
ISOFOLD_DEVICE void take_rows(const RowInShared<Fold, turned>& row, const Pass& pass, int begin,
                              int first, int step, core::LaneOf<Pass> (&lane)[held]) {
  using Element = typename Fold::element_type;
  Element x[Fold::arrays][rows][held];
#pragma unroll
  for (int r = 0; r < rows; ++r) {
#pragma unroll
    for (int j = 0; j < held; ++j) {
      const int slot = begin + first + r * core::lanes + j * step;
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        x[a][r][j] = row.at(a, all || slot < row.length ? slot : 0);
      }
    }
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
#pragma unroll
    for (int j = 0; j < held; ++j) {
      const int slot = begin + first + r * core::lanes + j * step;
      const int i = row.index(slot);
      const bool begins = r == 0 && begin == 0;
      const auto value = core::value_of<Pass>(x[0][r][j]);
      core::LaneOf<Pass> next;
      if constexpr (Fold::arrays == 2) {
        next = taken(pass, begins, lane[j], i, value, core::value_of<Pass>(x[1][r][j]));
      } else {
        next = taken(pass, begins, lane[j], i, value);
      }
      lane[j] = chosen(all || slot < row.length, next, lane[j]);
    }
  }
}

// Joins the lanes of a thread `apart` and fewer apart, lane 0 having them all in the end; the first
// is the chunk's lane `first`, and neighbours are `step` apart. (One instance a stride: in a loop
// over strides, nvcc left the lanes in memory.)
template <int apart, class Fold, class Lane>
ISOFOLD_DEVICE void join_held(const Fold& fold, Lane* lane, int first, int step, int length) {
  if constexpr (apart > 0) {
#pragma unroll
    for (int j = 0; j < apart; ++j) {
      lane[j] = join(fold, lane[j], lane[j + apart], false, first + (j + apart) * step < length);
    }
    join_held<apart / 2>(fold, lane, first, step, length);
  }
}

// Each lane from 16 on of a row that a thread folds alone joins the one 16 before it, as the first
// halving does: those of the slots first, first + step, ...
template <class Fold, bool turned, class Pass, int held>
ISOFOLD_DEVICE void join_second_half(const LaneFold<Pass>& fold,
                                     const RowInShared<Fold, turned>& row, const Pass& pass,
                                     int first, int step, core::LaneOf<Pass> (&lane)[held]) {
  const int behind = row.length - short_segments_lanes - first;
#pragma unroll
  for (int j = 0; j < held; ++j) {
    if (j * step < behind) {
      const int slot = short_segments_lanes + first + j * step;
      const auto other =
          taken(pass, true, missing(fold), row.index(slot), core::value_of<Pass>(row.at(0, slot)));
      lane[j] = join(fold, lane[j], other, false, true);
    }
  }
}

// A shift that is known when kernels are compiled; others are numbers.
template <int shift>
struct FixedShift {
  // NOLINTNEXTLINE(misc-explicit-constructor): stands where a number would
  ISOFOLD_HOST_DEVICE constexpr operator int() const { return shift; }
};

// The lane that a pass makes of a row, which has at most short_segments_alone elements for a thread
// alone, at most a chunk for four sharers. Collective: every lane of the warp must call; every
// sharer gets the lane. A thread's slots are thread + (m << shift); it folds `held` of them at
// once, those whose numbers m are `groups` apart.
template <class Group, class Fold, bool turned, class Pass, class Shift>
ISOFOLD_DEVICE core::LaneOf<Pass> pass_over_row(const Group& group,
                                                const RowInShared<Fold, turned>& row,
                                                const Pass& pass, Shift shift) {
  using Lane = core::LaneOf<Pass>;
  constexpr int held = short_segments_held<Fold>();
  constexpr int groups = short_segments_lanes / held;
  constexpr int levels = core::root_level(groups);
  const LaneFold<Pass> fold{pass};
  static_assert(!turned || LaneFold<Pass>::commutative_bits, "Turned operands may be swapped.");
  // Halving joins numbers m in the order of their bits in reverse.
  const auto lane_of = [&](int n) {
    return row.thread + (reversed(n) >> (lane_number_bits - levels) << shift);
  };
  const int step = groups << shift;
  Lane root = missing(fold);
  LaneNodes<Lane, levels> nodes;
  for (Lane& node : nodes.node) {
    node = root;
  }
#pragma unroll 1
  for (int n = 0; n < groups; ++n) {
    const int first = lane_of(n);
    Lane lane[held];
#pragma unroll
    for (int j = 0; j < held; ++j) {
      lane[j] = missing(fold);
    }
    take_row<true>(row, pass, first, step, lane);
    if constexpr (is_short_segments_cheap<Fold> && std::is_same_v<Shift, FixedShift<0>>) {
      if (row.length > short_segments_lanes) {
        join_second_half(fold, row, pass, first, step, lane);
      }
    }
    if (shift > 0) {
      int begin = core::lanes;
      if constexpr (is_short_segments_cheap<Fold>) {
#pragma unroll 1
        for (; begin + core::lanes <= row.length; begin += core::lanes) {
          take_rows<1, true>(row, pass, begin, first, step, lane);
        }
      }
#pragma unroll 1
      for (; begin < row.length; begin += core::lanes) {
        take_row<false>(row, pass, begin + first, step, lane);
      }
    }
    join_held<held / 2>(fold, lane, first, step, row.length);
    root = nodes.template add<0>(fold, lane[0], n,
                                 [&](int number) { return lane_of(number) < row.length; });
  }
#pragma unroll
  for (int distance = 1 << short_segments_sharers_shift >> 1; distance >= 1; distance /= 2) {
    if (distance < 1 << shift) {
      const auto other = exchange(group, root, distance);
      root = join(fold, root, other, (row.thread & distance) != 0,
                  (row.thread & (distance - 1)) + distance < row.length);
    }
  }
  return root;
}

// The lane that a pass makes of a row of at most a chunk that the whole warp shares: thread t has
// the lanes t, t + wave_width, ..., and folds several rows of lanes at once. If `unrolled`, their
// addresses are constants beside the row's, which is worth the code for rows of about a chunk.
template <bool unrolled = false, class Group, class Fold, class Pass>
ISOFOLD_DEVICE core::LaneOf<Pass> pass_by_warp(const Group& group, const RowInShared<Fold>& row,
                                               const Pass& pass) {
  constexpr int held = core::lanes / Group::wave_width;
  constexpr int most_rows =
      is_short_segments_cheap<Fold> ? 2 : short_segments_held<Fold>() / held;  // at once
  constexpr int rows = most_rows < 1 ? 1 : most_rows;
  constexpr int whole_rows = 8 / held;
  constexpr int step = whole_rows * core::lanes;
  const LaneFold<Pass> fold{pass};
  core::LaneOf<Pass> lane[held];
#pragma unroll
  for (int j = 0; j < held; ++j) {
    lane[j] = missing(fold);
  }
  [[maybe_unused]] int begin = 0;
  if constexpr (unrolled) {
#pragma unroll
    for (int at = 0; at < core::chunk_elements; at += step) {
      if (at + step > row.length) {
        if (at < row.length) {
          take_rows<whole_rows, false>(row, pass, at, row.thread, Group::wave_width, lane);
        }
        break;
      }
      take_rows<whole_rows, true>(row, pass, at, row.thread, Group::wave_width, lane);
    }
  } else {
    if constexpr (is_short_segments_cheap<Fold>) {
#pragma unroll 1
      for (; begin + step <= row.length; begin += step) {
        take_rows<whole_rows, true>(row, pass, begin, row.thread, Group::wave_width, lane);
      }
    }
#pragma unroll 1
    for (; begin < row.length; begin += rows * core::lanes) {
      take_rows<rows, false>(row, pass, begin, row.thread, Group::wave_width, lane);
    }
  }
  join_held<held / 2>(fold, lane, row.thread, Group::wave_width, row.length);
  core::LaneOf<Pass> root = lane[0];
#pragma unroll
  for (int distance = Group::wave_width / 2; distance >= 1; distance /= 2) {
    const auto other = exchange(group, root, distance);
    root = join(fold, root, other, (row.thread & distance) != 0,
                (row.thread & (distance - 1)) + distance < row.length);
  }
  return root;
}

}  // namespace isofold::gpu
