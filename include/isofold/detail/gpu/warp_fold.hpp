// Folds inside a warp, for kernels: nodes that its threads hold, and the lanes of a chunk that a
// team of them holds. Nothing here touches shared memory; states travel between threads by
// exchange().
#pragma once

#include <cstring>

#include <isofold/detail/core/fold.hpp>
#include <isofold/detail/core/tree.hpp>
#include <isofold/detail/gpu/platform.hpp>

namespace isofold::gpu {

// This thread's place: its warp in the block, its number in the warp.
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

// The state of the thread whose number in the warp is this one's xor `mask`. Collective: every lane
// of the warp must call.
template <class Group, class State>
ISOFOLD_DEVICE State exchange(const Group& group, const State& state, int mask) {
  static_assert(sizeof(State) % 4 == 0, "States travel in 32-bit words.");
  constexpr int words = static_cast<int>(sizeof(State) / 4);
  std::uint32_t word[sizeof(State) / 4];
  memcpy(word, &state, sizeof(State));
  if constexpr (has_exchange_of_words<Group>) {
    group.exchange_words(word, mask);
  } else {
    for (int i = 0; i < words; ++i) {
      word[i] = group.exchange(word[i], mask);
    }
  }
  State other;
  memcpy(&other, word, sizeof(State));
  return other;
}

// condition ? a : b, for structs word by word: AMD's compiler would choose between their addresses,
// and then they live in scratch memory. A CPU chooses whole structs, because words that are stored
// in one width and loaded in another slow down the emulated kernels.
template <class State>
ISOFOLD_DEVICE State chosen(bool condition, const State& a, const State& b) {
  if constexpr (std::is_arithmetic_v<State> || !is_for_gpus) {
    return condition ? a : b;
  } else {
    constexpr int words = static_cast<int>(sizeof(State) / 4);
    std::uint32_t first[sizeof(State) / 4];
    std::uint32_t second[sizeof(State) / 4];
    memcpy(first, &a, sizeof(State));
    memcpy(second, &b, sizeof(State));
    for (int i = 0; i < words; ++i) {
      first[i] = condition ? first[i] : second[i];
    }
    State state;
    memcpy(&state, first, sizeof(State));
    return state;
  }
}

// combine(left, right) of this thread's state and its partner's, in the order of the definition;
// folds with commutative_bits save the selection. A missing right operand passes the left one on.
// Folds with padding need no test: whatever is missing holds the padding.
template <class Fold, class State>
ISOFOLD_DEVICE State join(const Fold& fold, const State& mine, const State& other, bool i_am_right,
                          bool right_is_there) {
  if constexpr (Fold::commutative_bits && Fold::has_identity) {
    return fold.combine(mine, other);
  } else if constexpr (Fold::commutative_bits) {
    const State joined = fold.combine(mine, other);
    return chosen(right_is_there, joined, chosen(i_am_right, other, mine));
  } else {
    const State left = chosen(i_am_right, other, mine);
    const State joined = fold.combine(left, chosen(i_am_right, mine, other));
    return chosen(Fold::has_identity || right_is_there, joined, left);
  }
}

// The content of a lane or a node that does not exist: the padding, or anything.
template <class Fold>
ISOFOLD_DEVICE typename Fold::state_type missing(const Fold& fold) {
  if constexpr (Fold::has_identity) {
    return fold.identity();
  } else {
    return typename Fold::state_type{};
  }
}

// Folds `count` nodes, of which thread t of a group of neighbours holds node t (and missing() past
// the end), as the aligned binary tree, up to roots over `span` nodes each, a power of two. A
// span's root goes to those of its threads whose number in it is below the power of two from
// `count` on. Collective: every lane of the warp must call.
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

// The strides of halve() below, from `distance` threads on; a thread holds `held` components.
// Strides and counts are constants of the types: if they were loop variables, newer compilers for
// AMD would leave the lanes in scratch memory.
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
      const auto given = chosen(i_am_right, lane[c], lane[c + kept_here]);
      const auto kept = chosen(i_am_right, lane[c + kept_here], lane[c]);
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

// True for a pass whose lanes may be joined in any order, to the bit, and for the fold of its
// nodes.
template <class Pass>
inline constexpr bool is_free_of_order = false;
template <class Fold>
inline constexpr bool joins_in_any_order = false;

// Halving of a team's lanes, 32, 16, ... 1 apart, each thread holding Lanes::per_thread of them;
// lanes from `occupied` on are missing. Collective: every lane of the warp must call; every thread
// of the team gets the chunk's state.
//
// Wide lanes trade: while a thread holds several components, it gives half of them up at each
// stride and keeps the other half, so that two or four components cost 6 or 7 exchanges and not 10
// or 20. The last steps, between components of what was one thread, cross the strides of the trade.
// If any order has equal bits, a thread joins its own lanes first.
template <class Lanes, class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type halve(const Group& group, const Fold& fold,
                                               typename Fold::state_type (&lane)[Lanes::per_thread],
                                               int thread, int occupied) {
  if constexpr (joins_in_any_order<Fold>) {  // missing lanes hold the padding
#pragma unroll
    for (int c = 1; c < Lanes::per_thread; ++c) {
      lane[0] = fold.combine(lane[0], lane[c]);
    }
#pragma unroll
    for (int distance = Lanes::team / 2; distance >= 1; distance /= 2) {
      lane[0] = fold.combine(lane[0], exchange(group, lane[0], distance));
    }
    return lane[0];
  } else if constexpr (!Lanes::consecutive) {  // those 32 lanes apart meet first, then the threads
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
    int component = 0;  // the component that was lane[0] in the thread it came from
    trade<Lanes, Lanes::team / 2, Lanes::per_thread>(group, fold, lane, thread, occupied,
                                                     component);
    // With more components than threads a few are left: their last steps are inside the thread.
    constexpr int left = Lanes::per_thread > Lanes::team ? Lanes::per_thread / Lanes::team : 1;
#pragma unroll
    for (int apart = Lanes::per_thread / 2; apart >= left; apart /= 2) {
      const int distance = Lanes::team * apart / Lanes::per_thread;
      const bool i_am_right = (thread & distance) != 0;
      component &= apart - 1;
#pragma unroll
      for (int c = 0; c < left; ++c) {
        lane[c] = join(fold, lane[c], exchange(group, lane[c], distance), i_am_right,
                       component + c + apart < occupied);
      }
    }
#pragma unroll
    for (int apart = left / 2; apart >= 1; apart /= 2) {
#pragma unroll
      for (int c = 0; c < apart; ++c) {
        lane[c] = join(fold, lane[c], lane[c + apart], false, c + apart < occupied);
      }
    }
    return lane[0];
  }
}

}  // namespace isofold::gpu
