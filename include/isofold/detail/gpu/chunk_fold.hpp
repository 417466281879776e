// The state of one chunk, folded by a team of threads inside a warp, for kernels: all of the
// chunk's elements go into registers at once, then one pass or two run over them there.
#pragma once

#include <isofold/detail/gpu/warp_fold.hpp>

namespace isofold::gpu {

// Stands between many loads and their use. Collective: every lane of the warp must call.
template <class Group>
ISOFOLD_DEVICE void loads_issued([[maybe_unused]] const Group& group) {
  if constexpr (has_loads_issued<Group>) {
    group.loads_issued();
  }
}

// x, before anything has been computed with it.
template <class Group, class T>
ISOFOLD_DEVICE T as_loaded([[maybe_unused]] const Group& group, T x) {
  if constexpr (has_as_loaded<Group> && core::is_complex<T>) {
    return T{group.as_loaded(x.re), group.as_loaded(x.im)};
  } else if constexpr (has_as_loaded<Group>) {
    return group.as_loaded(x);
  } else {
    return x;
  }
}

// The lanes of a chunk that a thread of a team takes. A team is the threads that fold one chunk; it
// lies inside a warp (a warp of 32 holds two teams of 16, a warp of 64 twice as many).
//
// Wide: a thread takes consecutive lanes, as many as one load of `bytes` brings, two at least. The
// chunk's first element must be aligned to that.
template <class Element, int bytes = 16>
struct WideLanes {
  static constexpr bool consecutive = true;
  static constexpr int per_load = bytes / static_cast<int>(sizeof(Element));
  static constexpr int per_thread = per_load < 2 ? 2 : per_load;
  static constexpr int team = core::lanes / per_thread;
  ISOFOLD_DEVICE static int first(int thread_in_team) { return thread_in_team * per_thread; }
};
// Narrow: a thread takes lanes t and t + 32, each by loads of one element (of one part of a complex
// element, because no more is aligned). Any alignment will do.
template <class Element>
struct NarrowLanes {
  static constexpr bool consecutive = false;
  static constexpr int per_thread = 2;
  static constexpr int team = core::lanes / per_thread;
  static constexpr int per_load = 1;
  ISOFOLD_DEVICE static int first(int thread_in_team) { return thread_in_team; }
};

// A pass over a chunk in the form of a fold of nodes, whose nodes are lanes.
template <class Pass>
struct LaneFold {
  using state_type = core::LaneOf<Pass>;
  static constexpr bool commutative_bits = true;
  static constexpr bool has_identity = Pass::has_identity;
  Pass pass;

  ISOFOLD_DEVICE state_type combine(const state_type& a, const state_type& b) const {
    return pass.combine(a, b);
  }
  ISOFOLD_DEVICE state_type identity() const { return core::lane_identity(pass); }
};

template <class Pass>
inline constexpr bool joins_in_any_order<LaneFold<Pass>> =
    is_free_of_order<Pass>&& Pass::has_identity;

// The lane after an element, or a pair of them, was added; its first element begins it.
template <class Pass, class... Values>
ISOFOLD_DEVICE core::LaneOf<Pass> taken(const Pass& pass, bool begins,
                                        const core::LaneOf<Pass>& lane, int index,
                                        Values... values) {
  const auto i = static_cast<core::signed_t<typename Pass::value_type>>(index);
  return chosen(begins, pass.lift(values..., i), pass.accumulate(lane, values..., i));
}

// One element, which is aligned as its parts are.
template <class Group, class Element>
ISOFOLD_DEVICE Element load_element(const Group& group, const Element* x) {
  if constexpr (core::is_complex<Element>) {
    const auto parts = group.load_two(&x->re);
    return {parts.value[0], parts.value[1]};
  } else {
    return group.template load<Element, 1>(x).value[0];
  }
}

// The rows of lanes of a chunk that a thread has in registers at once: all 16; fewer for two
// arrays, and for lanes of more than two numbers, which need the registers. It also has the
// thread's share of the row of lanes that the end of the data cuts. Lanes of two numbers do not
// come in parts, which would be slower (docs/decisions/049).
template <class Element_, class Lanes, int arrays_, int parts_>
struct HeldRows {
  using Element = Element_;
  static constexpr int arrays = arrays_;
  static constexpr int parts = parts_;  // how many times it loads
  static constexpr int rows = core::rows_per_chunk / parts;
  static constexpr int loads = Lanes::per_thread / Lanes::per_load;
  static constexpr bool by_element = !Lanes::consecutive;  // each load brings one element
  static constexpr bool holds_all = parts == 1;            // at() finds all of the chunk's rows

  Pack<Element, Lanes::per_load> pack[std::size_t{arrays}][std::size_t{rows}][std::size_t{loads}];
  Element cut[std::size_t{arrays}][Lanes::per_thread];

  // The lane of component c, in threads whose first lane is 0.
  ISOFOLD_DEVICE static constexpr int lane_of(int c) {
    return Lanes::consecutive ? c : c * Lanes::team;
  }
  ISOFOLD_DEVICE Element at(int array, int row, int c) const {
    return pack[array][row][c / Lanes::per_load].value[c % Lanes::per_load];
  }
  ISOFOLD_DEVICE Element cut_at(int array, int c) const { return cut[array][c]; }
};

// How many more parts complex elements come in, for registers: a quarter of those of 16 bytes at
// once, half of pairs of those of 8. (With twice as many at once gfx1030 spilled.)
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr int parts_for_size() {
  using Element = typename Fold::element_type;
  if constexpr (core::is_complex<Element>) {
    return sizeof(Element) > sizeof(double) ? 4 : Fold::arrays;
  } else {
    return 1;
  }
}

// How many parts one fold's chunk comes in. A fold that needs the elements twice or together holds
// them all or, if they are complex and come in parts, loads them again, from L1.
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr int parts_of() {
  constexpr int numbers = core::numbers_in<core::LaneOf<core::FirstPass<Fold>>>;
  constexpr bool all_at_once = Fold::stages == 2 || folds_whole_lanes<core::FirstPass<Fold>>;
  static_assert(Fold::stages == 1 || (Fold::arrays == 1 && numbers == 1),
                "A second pass finds all of the chunk held.");
  return parts_for_size<Fold>() *
         (all_at_once ? 1 : Fold::arrays * (numbers <= 2 ? 1 : numbers / 2));
}
template <class Fold, class Lanes>
using HeldOf = HeldRows<typename Fold::element_type, Lanes, Fold::arrays, parts_of<Fold>()>;

// Loads the rows of part `part`. `mine` is this thread's first element in the part's first row. The
// last of the chunk's `whole_rows` rows is loaded again in place of each row that follows it: with
// a test at each load, nvcc kept only six of them in flight.
template <bool whole, class Held, class Group>
ISOFOLD_DEVICE void load_rows(const Group& group, Held& held, int array,
                              const typename Held::Element* mine, int part, int whole_rows) {
  constexpr int per_load = sizeof held.pack[0][0][0].value / sizeof(typename Held::Element);
  if constexpr (!whole) {
    const int before = part * Held::rows;
    mine += (before < whole_rows ? before : whole_rows - 1) * core::lanes;
  }
#pragma unroll
  for (int r = 0; r < Held::rows; ++r) {
    const int row = part * Held::rows + r;
#pragma unroll
    for (int j = 0; j < Held::loads; ++j) {
      const auto* const from = mine + (whole ? row * core::lanes : 0) + Held::lane_of(j * per_load);
      if constexpr (Held::by_element) {
        held.pack[array][r][j] = {load_element(group, from)};
      } else {
        held.pack[array][r][j] = group.template load<typename Held::Element, per_load>(from);
      }
    }
    if constexpr (!whole) {
      mine += row + 1 < whole_rows ? core::lanes : 0;
    }
  }
}

// The elements of rows that do not exist. Left uninitialised, they would make nvcc keep the old
// content all through a loop. A constant would let AMD's compiler widen all of the elements before
// the branches meet, and spill them.
template <class Element>
ISOFOLD_DEVICE Element anything(int thread) {
  const auto word = static_cast<std::uint64_t>(thread);
  const std::uint64_t words[] = {word, word};
  Element value;
  static_assert(sizeof value <= sizeof words, "Elements have at most 16 bytes.");
  memcpy(&value, words, sizeof value);
  return value;
}

template <class Held>
ISOFOLD_DEVICE void hold_anything(Held& held, int array, int thread) {
#pragma unroll
  for (int row = 0; row < Held::rows; ++row) {
#pragma unroll
    for (int j = 0; j < Held::loads; ++j) {
      for (auto& value : held.pack[array][row][j].value) {
        value = anything<typename Held::Element>(thread);
      }
    }
  }
}

// How the missing rows of a cut chunk are passed over.
enum class Missing {
  not_selected,  // a choice in each: in kernels that seldom meet such a chunk it costs no registers
  // a branch at each: faster for short rows, but argmin of one array of doubles spilled
  // (docs/decisions/009, 049)
  left_out
};

// Lets `pass` run over the rows of part `part`, into this thread's lanes; only the first
// `whole_rows` rows of the chunk count. `first` is this thread's first lane.
template <bool whole, Missing missing_rows, class Group, class Pass, class Held, class Lane,
          std::size_t lanes>
ISOFOLD_DEVICE void run_over_rows(const Group& group, const Pass& pass, const Held& held, int part,
                                  int first, int whole_rows, Lane (&lane)[lanes]) {
  constexpr int components = static_cast<int>(lanes);
  constexpr bool leaves_out = !whole && missing_rows == Missing::left_out;
  if constexpr (whole && folds_whole_lanes<Pass> && Held::arrays * Held::parts == 1) {
#pragma unroll
    for (int c = 0; c < components; ++c) {
      typename Held::Element x[core::rows_per_chunk];
#pragma unroll
      for (int row = 0; row < core::rows_per_chunk; ++row) {
        x[row] = held.at(0, row, c);
      }
      lane[c] = pass.fold_lane(x, first + Held::lane_of(c));
    }
    return;
  }
  const auto value = [&](int array, int row, int c) {
    const auto x = held.at(array, row, c);
    return core::value_of<Pass>(whole ? x : as_loaded(group, x));
  };
#pragma unroll
  for (int r = 0; r < Held::rows; ++r) {
    const int row = part * Held::rows + r;
    if (leaves_out && row >= whole_rows) {
      break;
    }
#pragma unroll
    for (int c = 0; c < components; ++c) {
      const int i = row * core::lanes + first + Held::lane_of(c);
      Lane next;
      if constexpr (Held::arrays == 2) {
        next = taken(pass, row == 0, lane[c], i, value(0, r, c), value(1, r, c));
      } else {
        next = taken(pass, row == 0, lane[c], i, value(0, r, c));
      }
      lane[c] = chosen(whole || leaves_out || row < whole_rows, next, lane[c]);
    }
  }
}

// run_over() for the row of lanes that the end of the data cuts; the chunk has `count` elements.
template <class Pass, class Held, class Lane, std::size_t lanes>
ISOFOLD_DEVICE void run_over_cut(const Pass& pass, const Held& held, int first, int count,
                                 Lane (&lane)[lanes]) {
  constexpr int components = static_cast<int>(lanes);
  const int cut = count / core::lanes * core::lanes;
#pragma unroll
  for (int c = 0; c < components; ++c) {
    const int i = cut + first + Held::lane_of(c);
    if (i < count) {
      const auto x = core::value_of<Pass>(held.cut_at(0, c));
      if constexpr (Held::arrays == 2) {
        lane[c] = taken(pass, cut == 0, lane[c], i, x, core::value_of<Pass>(held.cut_at(1, c)));
      } else {
        lane[c] = taken(pass, cut == 0, lane[c], i, x);
      }
    }
  }
}

// This tells whether the condition holds in all threads of the warp. Collective: every lane of the
// warp must call.
template <class Group>
ISOFOLD_DEVICE bool all_of_warp(const Group& group, bool condition) {
  if constexpr (has_vote<Group>) {
    return group.all(condition);
  } else {
    std::uint32_t holds = condition ? 1 : 0;
#pragma unroll
    for (int distance = 1; distance < Group::wave_width; distance *= 2) {
      holds &= group.exchange(holds, distance);
    }
    return holds != 0;
  }
}

// The state of a chunk whose passes `run` does: run(pass) returns the lane that the pass makes of
// the elements. All callers that must stay together take one path: agree(condition) tells each of
// them whether the condition holds for all.
template <class Fold, class Run, class Agree>
ISOFOLD_DEVICE typename Fold::state_type state_by_agreed_passes(const Fold& fold,
                                                                std::int64_t begin, int count,
                                                                Run&& run,
                                                                [[maybe_unused]] Agree&& agree) {
  const auto first = run(core::first_pass(fold));
  if constexpr (core::has_likely_second<Fold>) {
    if (agree(fold.is_likely(first))) {
      return fold.chunk(first, run(fold.likely_second(first, count)), count);
    }
  }
  if constexpr (Fold::stages == 2) {
    return fold.chunk(first, run(fold.second(first, count)), count);
  } else {
    return core::chunk_state(fold, first, begin, count);
  }
}

// state_by_agreed_passes() for a warp. Collective: every lane of the warp must call.
template <class Group, class Fold, class Run>
ISOFOLD_DEVICE typename Fold::state_type state_by_passes(const Group& group, const Fold& fold,
                                                         std::int64_t begin, int count, Run&& run) {
  return state_by_agreed_passes(fold, begin, count, run,
                                [&](bool condition) { return all_of_warp(group, condition); });
}

// Loads part `part` of a chunk of `count` elements: its whole rows of lanes, and with part 0 the
// row that the end of the data cuts, by loads of one element. All of them are in flight at once.
template <bool whole, class Lanes, class Group, class Held>
ISOFOLD_DEVICE void load_part(const Group& group, Held& held,
                              const typename Held::Element* const (&arrays)[2], int part, int count,
                              int thread) {
  using Element = typename Held::Element;
  const int first = Lanes::first(thread);
  const int whole_rows = count > 0 ? count / core::lanes : 0;
#pragma unroll
  for (int array = 0; array < Held::arrays; ++array) {
    if constexpr (whole) {
      load_rows<true>(group, held, array, arrays[array] + first, part, core::rows_per_chunk);
    } else if (whole_rows > 0) {
      load_rows<false>(group, held, array, arrays[array] + first, part, whole_rows);
    } else {
      hold_anything(held, array, thread);
    }
    if (!whole && part == 0) {
#pragma unroll
      for (int c = 0; c < Lanes::per_thread; ++c) {
        const int at = whole_rows * core::lanes + first + Held::lane_of(c);
        held.cut[array][c] = anything<Element>(thread);
        if (at < count) {
          held.cut[array][c] = load_element(group, arrays[array] + at);
        }
      }
    }
  }
  loads_issued(group);
}

struct Nothing {
  ISOFOLD_DEVICE void operator()() const {}
};

// The state that `fold` makes of a chunk that is held. load(part) brings the next part if there are
// several, so the caller's `held` must not be const; read() is called when all elements have been
// read for the last time. Collective: every lane of the warp must call.
template <bool whole, class Lanes, Missing missing_rows = Missing::not_selected, class Group,
          class Fold, class Held, class Load, class Read = Nothing>
ISOFOLD_DEVICE typename Fold::state_type state_of_held(const Group& group, const Fold& fold,
                                                       Held& held, std::int64_t begin, int count,
                                                       int thread, Load&& load, Read&& read = {}) {
  const int first = Lanes::first(thread);
  const int whole_rows = whole ? core::rows_per_chunk : count > 0 ? count / core::lanes : 0;
  return state_by_passes(group, fold, begin, count, [&](const auto& pass) {
    using Pass = std::decay_t<decltype(pass)>;
    constexpr bool is_last =
        Fold::stages == 1 || !std::is_same_v<Pass, std::decay_t<core::FirstPass<Fold>>>;
    core::LaneOf<Pass> lane[Lanes::per_thread];
    if constexpr (!whole) {
#pragma unroll
      for (int c = 0; c < Lanes::per_thread; ++c) {
        lane[c] = missing(LaneFold<Pass>{pass});
      }
    }
    // Loads all parts, even if this team's chunk ends before: the warp loads them together.
#pragma unroll 1  // else the loads of the second part move up to those of the first
    for (int part = 0; part < Held::parts; ++part) {
      if constexpr (Held::parts > 1) {
        load(part);
      }
      run_over_rows<whole, missing_rows>(group, pass, held, part, first, whole_rows, lane);
    }
    if constexpr (!whole) {
      run_over_cut(pass, held, first, count, lane);
    }
    if constexpr (is_last) {
      read();
    }
    return halve<Lanes>(group, LaneFold<Pass>{pass}, lane, thread, whole ? core::lanes : count);
  });
}

template <bool whole, class Lanes, Missing missing_rows, class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type fold_chunk(const Group& group, const Fold& fold,
                                                    const core::Elements<Fold>& x,
                                                    std::int64_t begin, int count, int thread) {
  const typename Fold::element_type* const arrays[] = {x.data, x.second};
  HeldOf<Fold, Lanes> held;
  const auto load = [&](int part) {
    load_part<whole, Lanes>(group, held, arrays, part, count, thread);
  };
  if constexpr (parts_of<Fold>() == 1) {
    load(0);
  }
  return state_of_held<whole, Lanes, missing_rows>(group, fold, held, begin, count, thread, load);
}

// The state of the chunk at `x`, of index `begin` in its row, that has `count` <= 1024 elements.
// Collective: every lane of the warp must call, each team with a chunk of its own; `whole` says for
// all of them that every count is 1024. Every thread of the team gets the state; with count <= 0 it
// is meaningless. All loads of a part are in flight before the first is used.
template <class Lanes, Missing missing_rows = Missing::not_selected, class Group, class Fold>
ISOFOLD_DEVICE typename Fold::state_type fold_chunk(const Group& group, const Fold& fold,
                                                    const core::Elements<Fold>& x,
                                                    std::int64_t begin, int count, bool whole,
                                                    int thread) {
  return whole ? fold_chunk<true, Lanes, missing_rows>(group, fold, x, begin, core::chunk_elements,
                                                       thread)
               : fold_chunk<false, Lanes, missing_rows>(group, fold, x, begin, count, thread);
}

}  // namespace isofold::gpu
