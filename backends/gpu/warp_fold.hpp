// Folds inside a warp: a chunk by a team of its threads, and nodes that its threads hold.
// Nothing here touches shared memory; states travel between threads by exchange().
#pragma once

#include <cstring>

#include <backends/gpu/platform.hpp>
#include <isofold/core/fold.hpp>
#include <isofold/core/tree.hpp>

namespace isofold::gpu {

// Stands between many loads and their use. All of the warp call.
template <class Group>
ISOFOLD_DEVICE void loads_issued([[maybe_unused]] const Group& group) {
  if constexpr (has_loads_issued<Group>) {
    group.loads_issued();
  }
}

// x, on which nothing has been computed before.
template <class Group, class T>
ISOFOLD_DEVICE T as_loaded([[maybe_unused]] const Group& group, T x) {
  if constexpr (has_as_loaded<Group>) {
    return group.as_loaded(x);
  } else {
    return x;
  }
}

// Which lanes of a chunk a thread of a team takes. A team is the threads that fold one chunk; it
// lies inside a warp (a warp of 32 holds two teams of 16, a warp of 64 twice as many).
//
// Wide: a thread takes consecutive lanes, as many as one load of `bytes` brings.
//       Needs the chunk's first element aligned to that.
template <class Element, int bytes = 16>
struct WideLanes {
  static constexpr int per_thread = bytes / static_cast<int>(sizeof(Element));
  static constexpr int team = core::lanes / per_thread;
  static constexpr int per_load = per_thread;
  ISOFOLD_DEVICE static int first(int thread_in_team) { return thread_in_team * per_thread; }
};
// Narrow: a thread takes lanes t and t + 32, each by loads of one element. Any alignment.
template <class Element>
struct NarrowLanes {
  static constexpr int per_thread = 2;
  static constexpr int team = core::lanes / per_thread;
  static constexpr int per_load = 1;
  ISOFOLD_DEVICE static int first(int thread_in_team) { return thread_in_team; }
};

// Where this thread stands: its warp in the block, its number in the warp.
template <class Group>
struct WarpPlace {
  int warp;
  int warps;
  int thread;
  ISOFOLD_DEVICE explicit WarpPlace(const Group& group)
      : warp(group.thread() / Group::wave_width),
        warps(group.threads() / Group::wave_width),
        thread(group.thread() % Group::wave_width) {}
};

// The state of the thread whose number in the warp is this one's xor `mask`. All of the warp call.
template <class Group, class State>
ISOFOLD_DEVICE State exchange(const Group& group, const State& state, int mask) {
  static_assert(sizeof(State) % 4 == 0, "States travel in 32-bit words.");
  constexpr int words = static_cast<int>(sizeof(State) / 4);
  std::uint32_t word[words];
  memcpy(word, &state, sizeof(State));
  for (int i = 0; i < words; ++i) {
    word[i] = group.exchange(word[i], mask);
  }
  State other;
  memcpy(&other, word, sizeof(State));
  return other;
}

// combine(left, right) of this thread's state and its partner's, in the order of the definition;
// folds with commutative_bits save the selection. A missing right operand passes the left one on.
// Folds with padding need no test: whatever is missing holds the padding.
template <class Fold, class State>
ISOFOLD_DEVICE State join(const Fold& fold, const State& mine, const State& other, bool i_am_right,
                          bool right_is_there) {
  if constexpr (Fold::commutative_bits && Fold::has_padding) {
    return fold.combine(mine, other);
  } else {
    const State left = i_am_right ? other : mine;
    const State right = i_am_right ? mine : other;
    return Fold::has_padding || right_is_there ? fold.combine(left, right) : left;
  }
}

// What a lane or a node that does not exist holds: the padding, or anything.
template <class Fold>
ISOFOLD_DEVICE typename Fold::state_type missing(const Fold& fold) {
  if constexpr (Fold::has_padding) {
    return fold.padding();
  } else {
    return typename Fold::state_type{};
  }
}

// Folds `count` nodes, thread t of some neighbours holding node t (and missing() past the end), as
// the aligned binary tree, up to roots over `span` nodes each, a power of two. All of the warp
// call; every thread gets the root over its span.
template <class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type fold_nodes_of_warp(const Group& group, const Fold& fold,
                                                            typename Fold::state_type state,
                                                            int thread, int count,
                                                            int span = Group::wave_width) {
  for (int distance = 1; distance < count && distance < span; distance *= 2) {
    const auto other = exchange(group, state, distance);
    const bool i_am_right = (thread & distance) != 0;
    const int right_node = (thread | distance) & -distance;
    state = join(fold, state, other, i_am_right, right_node < count);
  }
  return state;
}

// The strides of halve() below from `distance` threads on; a thread holds `held` components.
// Strides and counts are constants of the types: where they are loop variables, newer compilers for
// AMD leave the lanes in scratch memory.
template <class Lanes, int distance, int held, class Group, class Fold>
ISOFOLD_DEVICE void trade(const Group& group, const Fold& fold,
                          typename Fold::state_type (&lane)[Lanes::per_thread], int thread,
                          int occupied, int& component) {
  constexpr int kept_here = held > 1 ? held / 2 : 1;
  const bool i_am_right = (thread & distance) != 0;
  const int left_lane = (thread & (distance - 1)) * Lanes::per_thread;
  if constexpr (held > 1) {
    component += i_am_right ? kept_here : 0;
  }
#pragma unroll
  for (int c = 0; c < kept_here; ++c) {
    const int right_lane = left_lane + component + c + distance * Lanes::per_thread;
    if constexpr (held > 1) {
      const auto given = i_am_right ? lane[c] : lane[c + kept_here];
      const auto kept = i_am_right ? lane[c + kept_here] : lane[c];
      lane[c] =
          join(fold, kept, exchange(group, given, distance), i_am_right, right_lane < occupied);
    } else {
      lane[c] = join(fold, lane[c], exchange(group, lane[c], distance), i_am_right,
                     right_lane < occupied);
    }
  }
  if constexpr (distance > 1) {
    trade<Lanes, distance / 2, kept_here>(group, fold, lane, thread, occupied, component);
  }
}

// Halving of a team's lanes, 32, 16, ... 1 apart, each thread holding Lanes::per_thread of them;
// lanes from `occupied` on are missing. All of the warp call; every thread of the team gets the
// chunk's state.
//
// Wide lanes trade: while a thread holds several components, it gives half of them up at each
// stride and keeps the other half, so that two or four components cost 6 or 7 exchanges and not 10
// or 20. The last steps, between components of what was one thread, cross the strides of the trade.
template <class Lanes, class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type halve(const Group& group, const Fold& fold,
                                               typename Fold::state_type (&lane)[Lanes::per_thread],
                                               int thread, int occupied) {
  if constexpr (Lanes::per_load == 1) {  // components 32 lanes apart meet first, then the threads
    static_assert(Lanes::per_thread == 2, "Lanes t and t + 32.");
    auto state = join(fold, lane[0], lane[1], false, thread + Lanes::team < occupied);
#pragma unroll
    for (int distance = Lanes::team / 2; distance >= 1; distance /= 2) {
      const auto other = exchange(group, state, distance);
      const int right_lane = (thread & (distance - 1)) + distance;
      state = join(fold, state, other, (thread & distance) != 0, right_lane < occupied);
    }
    return state;
  } else {
    int component = 0;  // of lane[0] in the thread it came from
    trade<Lanes, Lanes::team / 2, Lanes::per_thread>(group, fold, lane, thread, occupied,
                                                     component);
    auto state = lane[0];
#pragma unroll
    for (int apart = Lanes::per_thread / 2; apart >= 1; apart /= 2) {
      const int distance = Lanes::team * apart / Lanes::per_thread;
      const bool i_am_right = (thread & distance) != 0;
      component &= apart - 1;
      state = join(fold, state, exchange(group, state, distance), i_am_right,
                   component + apart < occupied);
    }
    return state;
  }
}

// The state of the chunk whose first element is `data` and that has `count` <= 1024 elements. All
// of the warp call, each team with a chunk of its own; `whole` says for all of them that every
// count is 1024. Every thread of the team gets the state; with count <= 0 it is meaningless. All
// loads are in flight before the first is used.
template <class Lanes, class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type fold_chunk(const Group& group, const Fold& fold,
                                                    const typename Fold::element_type* data,
                                                    int count, bool whole, int thread) {
  using Element = typename Fold::element_type;
  using Index = core::signed_t<typename Fold::value_type>;
  constexpr int loads = Lanes::per_thread / Lanes::per_load;
  const int first = Lanes::first(thread);
  typename Fold::state_type lane[Lanes::per_thread];
  Pack<Element, Lanes::per_load> pack[core::rows_per_chunk][loads];

  if (whole) {
    const Element* const mine = data + first;
#pragma unroll
    for (int row = 0; row < core::rows_per_chunk; ++row) {
#pragma unroll
      for (int j = 0; j < loads; ++j) {
        pack[row][j] = group.template load<Element, Lanes::per_load>(mine + row * core::lanes +
                                                                     j * Lanes::team);
      }
    }
    loads_issued(group);
    if constexpr (folds_whole_lanes<Fold>) {
#pragma unroll
      for (int c = 0; c < Lanes::per_thread; ++c) {
        Element x[core::rows_per_chunk];
#pragma unroll
        for (int row = 0; row < core::rows_per_chunk; ++row) {
          x[row] = pack[row][c / Lanes::per_load].value[c % Lanes::per_load];
        }
        lane[c] = fold.fold_lane(x);
      }
    } else {
#pragma unroll
      for (int row = 0; row < core::rows_per_chunk; ++row) {
#pragma unroll
        for (int c = 0; c < Lanes::per_thread; ++c) {
          const int at = Lanes::per_load == 1 ? c * Lanes::team : c;
          const auto i = static_cast<Index>(row * core::lanes + first + at);
          const auto x =
              core::value_of<Fold>(pack[row][c / Lanes::per_load].value[c % Lanes::per_load]);
          lane[c] = row == 0 ? fold.lift(x, i) : fold.accumulate(lane[c], x, i);
        }
      }
    }
    return halve<Lanes>(group, fold, lane, thread, core::lanes);
  }

  // The last chunk of a row: its whole rows of lanes as above, and the one that the end cuts by
  // loads of one element. All of them are in flight at once, too.
  const int whole_rows = count > 0 ? count / core::lanes : 0;
  const int cut = whole_rows * core::lanes;
  Element last[Lanes::per_thread];
  // What is not loaded: left alone, nvcc keeps what was there before, all through a loop. A
  // constant would let AMD's compiler widen all of the elements before the branches meet, and spill
  // them.
  Element anything;
  const auto word = static_cast<std::uint64_t>(thread);
  static_assert(sizeof anything <= sizeof word, "Elements have at most 8 bytes.");
  memcpy(&anything, &word, sizeof anything);
  if (whole_rows > 0) {
    // Rows past the end: the last whole one once more. Where each load had a test instead, nvcc
    // kept six in flight.
    const Element* mine = data + first;
#pragma unroll
    for (int row = 0; row < core::rows_per_chunk; ++row) {
#pragma unroll
      for (int j = 0; j < loads; ++j) {
        pack[row][j] = group.template load<Element, Lanes::per_load>(mine + j * Lanes::team);
      }
      mine += row + 1 < whole_rows ? core::lanes : 0;
    }
  } else {
#pragma unroll
    for (int row = 0; row < core::rows_per_chunk; ++row) {
#pragma unroll
      for (int j = 0; j < loads; ++j) {
        for (Element& value : pack[row][j].value) {
          value = anything;
        }
      }
    }
  }
#pragma unroll
  for (int c = 0; c < Lanes::per_thread; ++c) {
    const int at = cut + first + (Lanes::per_load == 1 ? c * Lanes::team : c);
    last[c] = anything;
    if (at < count) {
      last[c] = group.template load<Element, 1>(data + at).value[0];
    }
    lane[c] = missing(fold);
  }
  loads_issued(group);
#pragma unroll
  for (int row = 0; row < core::rows_per_chunk; ++row) {
#pragma unroll
    for (int c = 0; c < Lanes::per_thread; ++c) {
      const int at = Lanes::per_load == 1 ? c * Lanes::team : c;
      const auto i = static_cast<Index>(row * core::lanes + first + at);
      const auto x = core::value_of<Fold>(
          as_loaded(group, pack[row][c / Lanes::per_load].value[c % Lanes::per_load]));
      const auto next = row == 0 ? fold.lift(x, i) : fold.accumulate(lane[c], x, i);
      lane[c] = row < whole_rows ? next : lane[c];
    }
  }
#pragma unroll
  for (int c = 0; c < Lanes::per_thread; ++c) {
    const int at = cut + first + (Lanes::per_load == 1 ? c * Lanes::team : c);
    if (at < count) {
      const auto x = core::value_of<Fold>(last[c]);
      const auto i = static_cast<Index>(at);
      lane[c] = cut == 0 ? fold.lift(x, i) : fold.accumulate(lane[c], x, i);
    }
  }
  return halve<Lanes>(group, fold, lane, thread, count);
}

}  // namespace isofold::gpu
