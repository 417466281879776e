// The kernel for rows of any shape. A power of two of neighbouring threads, its sharers, shares a
// row: few if rows lie side by side (columns) or are short, a warp if a row is one stretch. Sharer
// t of s has the lanes t, t + s, t + 2s, ... of each chunk. A cursor finds the elements, or a table
// in shared memory, which the warp writes for each chunk.
//
// All work goes through one loop, with one place that folds chunks: that is most of the code, and
// compilers take it apart once for each place.
#pragma once

#include <backends/gpu/collective/chunk_unaligned.hpp>
#include <backends/gpu/collective/last_block.hpp>
#include <backends/gpu/collective/work_list.hpp>
#include <backends/gpu/input/convert.hpp>
#include <backends/gpu/input/strided.hpp>
#include <backends/gpu/plan/nodes.hpp>

namespace isofold::gpu {

// The six bits of n < 64 in reverse: the order in which halving joins lanes.
inline constexpr int lane_number_bits = core::root_level(core::lanes);
ISOFOLD_DEVICE inline int reversed(int n) {
  return (n & 1) << 5 | (n & 2) << 3 | (n & 4) << 1 | (n & 8) >> 1 | (n & 16) >> 3 | (n & 32) >> 5;
}

// A chunk as its sharers see it.
template <class Fold, class Stored>
struct StridedChunk {
  const char* data[2];  // of the row's element 0
  Stored stored;
  Cursor<Fold::arrays> cursor;
  const std::int64_t* table;  // of the warp
  bool looked_up;             // in the table, not by the cursor
  int count;                  // of its elements; none: it is not there
  int most;                   // elements of the largest chunk of the warp
  int thread;                 // of its sharers
  int shift;                  // 2^shift of them
  int lane_bits;              // each has 2^lane_bits lanes
};

// Finds the places of the chunk's elements: `count` from number `begin` of the row on. `table` is
// the warp's own, or the block's; null if the cursor covers every chunk. It holds for all of its
// rows: only their beginnings differ. Collective: every lane of the warp, or every thread of the
// block, must call.
template <bool by_block = false, class Group, class Fold, class Stored>
ISOFOLD_DEVICE void place_chunk(const Group& group, const Places& places,
                                const StridedRow<Fold>& row, const Stored& stored,
                                std::int64_t begin, int count, std::int64_t* table,
                                StridedChunk<Fold, Stored>& chunk) {
  const int bytes = stored.template bytes_of<typename Fold::element_type>();
  chunk.stored = stored;
  chunk.data[0] = reinterpret_cast<const char*>(row.data.data);
  chunk.data[1] = reinterpret_cast<const char*>(row.data.second);
  for (int a = 0; a < Fold::arrays; ++a) {
    chunk.data[a] += row.first[a] * bytes;
  }
  chunk.table = table;
  chunk.looked_up = false;
  if (places.has_cursor()) {
    chunk.cursor = places.template cursor<Fold::arrays>(begin, bytes);
    if (table == nullptr || chunk.cursor.covers(count)) {
      return;
    }
  }
  chunk.looked_up = true;
  const auto barrier = [&] {
    if constexpr (by_block) {
      group.barrier();
    } else {
      group.warp_barrier();
    }
  };
  barrier();  // the last chunk's table has been read
  places.template write_table<Fold::arrays, by_block>(group, begin, count, table);
  barrier();
}

// A thread has so many loads of each array in flight: their elements and lanes shall need no more
// than 32 registers. (Most folds spilled with 16 loads; complex elements, whose parts are loaded
// one by one, with 4.)
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr int strided_loads() {
  using Pass = core::FirstPass<Fold>;
  constexpr int registers = (Fold::arrays * static_cast<int>(sizeof(typename Fold::element_type)) +
                             static_cast<int>(sizeof(core::LaneOf<Pass>))) /
                            4;
  constexpr bool complex = core::is_complex<typename Fold::element_type>;
  return registers <= 2 ? 16 : registers <= 4 ? 8 : complex ? 2 : 4;
}

// The bytes of a lane on its way through shared memory, of whatever pass.
template <class Fold, bool two = Fold::stages == 2>
struct LargestLane {
  static constexpr std::size_t bytes = sizeof(core::LaneOf<core::FirstPass<Fold>>);
};
template <class Fold>
struct LargestLane<Fold, true> {
  using First = core::LaneOf<core::FirstPass<Fold>>;
  using Second = core::LaneOf<decltype(std::declval<Fold>().second(std::declval<First>(), 0))>;
  static constexpr std::size_t bytes = sizeof(Second);
  static_assert(sizeof(First) <= bytes,
                "Behind all lanes of a first pass there may be results of the second one before.");
};
template <class Fold>
inline constexpr std::size_t largest_lane = LargestLane<Fold>::bytes;

// Nodes over a thread's lanes, as they are finished: a binary counter in registers.
template <class Lane, int levels = lane_number_bits>
struct LaneNodes {
  Lane node[levels > 0 ? levels : 1];

  // Adds a node over 2^level lanes whose first one has number n; there(m) tells whether the lane of
  // number m exists. Returns the highest node that this completes.
  template <int level, class Fold, class There>
  ISOFOLD_DEVICE Lane add(const Fold& fold, const Lane& right, int n, There&& there) {
    if constexpr (level < levels) {
      if ((n >> level & 1) != 0) {
        const Lane joined = join(fold, node[level], right, false, there(n >> level << level));
        return add<level + 1>(fold, joined, n, there);
      }
      node[level] = right;
    }
    return right;
  }
};

// Loads elements of another type than is computed in, as the other load_strided().
template <class Group, class Fold, int loads>
ISOFOLD_DEVICE void load_strided(const Group& group, const StridedChunk<Fold, StoredAs>& chunk,
                                 int array, const int (&index)[loads],
                                 typename Fold::element_type (&x)[loads]) {
  const int last = chunk.count - 1;
  const char* at[loads];
  if (chunk.looked_up) {
    const std::int64_t* const table = chunk.table + array * core::chunk_elements;
#pragma unroll
    for (int s = 0; s < loads; ++s) {
      at[s] = chunk.data[array] + table[index[s] < last ? index[s] : last] * chunk.stored.bytes;
    }
  } else if (chunk.cursor.is_one_stretch()) {
#pragma unroll
    for (int s = 0; s < loads; ++s) {
      at[s] = chunk.data[array] +
              chunk.cursor.offset_in_stretch(array, index[s] < last ? index[s] : last);
    }
  } else {
#pragma unroll
    for (int s = 0; s < loads; ++s) {
      at[s] = chunk.data[array] + chunk.cursor.offset(array, index[s] < last ? index[s] : last);
    }
  }
  load_converted(group, chunk.stored, at, x);
}

// Loads the chunk's elements index[0], index[1], ... of an array; its last one stands for a missing
// one. The table's entries are all read before the first element is loaded: with a test before each
// load, nvcc lets each wait for the one before it (docs/decisions/048).
template <class Group, class Fold, int loads>
ISOFOLD_DEVICE void load_strided(const Group& group, const StridedChunk<Fold, AsComputed>& chunk,
                                 int array, const int (&index)[loads],
                                 typename Fold::element_type (&x)[loads]) {
  using Element = typename Fold::element_type;
  const int last = chunk.count - 1;
  const char* const data = chunk.data[array];
  const auto element = [&](std::int64_t at) {
    return load_element(group, reinterpret_cast<const Element*>(data + at));
  };
  if (!chunk.looked_up && chunk.cursor.is_one_stretch()) {
#pragma unroll
    for (int s = 0; s < loads; ++s) {
      x[s] = element(chunk.cursor.offset_in_stretch(array, index[s] < last ? index[s] : last));
    }
  } else if (!chunk.looked_up) {
#pragma unroll
    for (int s = 0; s < loads; ++s) {
      x[s] = element(chunk.cursor.offset(array, index[s] < last ? index[s] : last));
    }
  } else {
    std::int64_t at[loads];
#pragma unroll
    for (int s = 0; s < loads; ++s) {
      at[s] = chunk.table[array * core::chunk_elements + (index[s] < last ? index[s] : last)];
    }
#pragma unroll
    for (int s = 0; s < loads; ++s) {
      x[s] = load_element(group, reinterpret_cast<const Element*>(data) + at[s]);
    }
  }
}

// Accumulates the elements x[array][s], which have numbers index_of(s) in their chunk, of `count`,
// into lanes: row after row, element s into lane s % held. `begins` says that the first row is the
// chunk's. (The numbers are computed again here: if they were kept since the loads, they would need
// registers: docs/decisions/048.)
template <class Pass, int arrays, int loads, int held, class IndexOf>
ISOFOLD_DEVICE void take_elements(const Pass& pass,
                                  const typename Pass::element_type (&x)[arrays][loads],
                                  IndexOf&& index_of, bool begins, int count,
                                  core::LaneOf<Pass> (&lane)[held]) {
#pragma unroll
  for (int s = 0; s < loads; ++s) {
    core::LaneOf<Pass>& own = lane[s % held];
    const int i = index_of(s);
    const bool is_first = begins && s < held;
    const auto value = core::value_of<Pass>(x[0][s]);
    core::LaneOf<Pass> next;
    if constexpr (arrays == 2) {
      next = taken(pass, is_first, own, i, value, core::value_of<Pass>(x[1][s]));
    } else {
      next = taken(pass, is_first, own, i, value);
    }
    own = chosen(i < count, next, own);
  }
}

// Joins the nodes of 2^shift neighbouring threads, of which this is number `thread`, each with a
// node over the lanes thread, thread + 2^shift, ... of a chunk of `count`: all of them get the
// root. Collective: every lane of the warp must call.
template <class Group, class Fold, class Lane>
ISOFOLD_DEVICE Lane join_sharers(const Group& group, const Fold& fold, Lane node, int thread,
                                 int shift, int count) {
  for (int distance = 1 << shift >> 1; distance >= 1; distance /= 2) {
    const auto other = exchange(group, node, distance);
    node = join(fold, node, other, (thread & distance) != 0,
                (thread & (distance - 1)) + distance < count);
  }
  return node;
}

// The root that a pass makes of a chunk, a thread accumulating `rows` rows of lanes at once; every
// sharer gets it. Collective: every lane of the warp must call, with one shift, lane_bits and most.
template <int rows, class Group, class Fold, class Stored, class Pass>
ISOFOLD_DEVICE core::LaneOf<Pass> pass_over(const Group& group,
                                            const StridedChunk<Fold, Stored>& chunk,
                                            const Pass& pass) {
  using Element = typename Fold::element_type;
  using Lane = core::LaneOf<Pass>;
  constexpr int loads = strided_loads<Fold>();
  constexpr int held = loads / rows;  // lanes
  const LaneFold<Pass> fold{pass};
  const int mine = 1 << chunk.lane_bits;
  // The lane of number n + j, n a multiple of `held` and j below it, in two parts whose bits
  // differ.
  const auto lane_of = [&](int n, int j) {
    const int number = (reversed(n) + reversed(j)) >> (lane_number_bits - chunk.lane_bits);
    return n + j < mine ? chunk.thread + (number << chunk.shift) : core::chunk_elements;
  };
  const auto there = [&](int n) { return lane_of(n, 0) < chunk.count; };
  Lane root = missing(fold);
  LaneNodes<Lane> nodes;
  for (Lane& node : nodes.node) {
    node = root;
  }
#pragma unroll 1
  for (int n = 0; n < mine; n += held) {
    Lane lane[held];
    int first[held];
#pragma unroll
    for (int j = 0; j < held; ++j) {
      lane[j] = missing(fold);
      first[j] = lane_of(n, j);
    }
#pragma unroll 1
    for (int row = 0; row * core::lanes < chunk.most; row += rows) {
      Element x[Fold::arrays][loads];
      const auto index_of = [&](int s) { return first[s % held] + (row + s / held) * core::lanes; };
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        if (chunk.count > 0) {
          int index[loads];
#pragma unroll
          for (int s = 0; s < loads; ++s) {
            index[s] = index_of(s);
          }
          load_strided(group, chunk, a, index, x[a]);
        } else {
#pragma unroll
          for (int s = 0; s < loads; ++s) {
            x[a][s] = anything<Element>(chunk.thread);
          }
        }
      }
      loads_issued(group);  // all of them are in flight before the first is used
      take_elements(pass, x, index_of, row == 0, chunk.count, lane);
    }
#pragma unroll
    for (int step = 1; step < held; step *= 2) {
#pragma unroll
      for (int j = 0; j < held; j += 2 * step) {
        lane[j] = join(fold, lane[j], lane[j + step], false, first[j + step] < chunk.count);
      }
    }
    root = nodes.template add<core::root_level(held)>(fold, lane[0], n, there);
  }
  return join_sharers(group, fold, root, chunk.thread, chunk.shift, chunk.count);
}

// The state of a chunk, whose first element has index `begin` in its row. Collective: every lane of
// the warp must call.
template <class Group, class Fold, class Stored>
ISOFOLD_DEVICE typename Fold::state_type fold_strided_chunk(const Group& group, const Fold& fold,
                                                            const StridedChunk<Fold, Stored>& chunk,
                                                            std::int64_t begin) {
  return state_by_passes(group, fold, begin, chunk.count, [&](const auto& pass) {
    // Few sharers have many lanes each, and fold a row of them at once; many have few.
    return chunk.shift <= strided_few_sharers
               ? pass_over<1>(group, chunk, pass)
               : pass_over<strided_loads<Fold>() / 2>(group, chunk, pass);
  });
}

// The largest of the values of all threads of the warp. Collective: every lane of the warp must
// call.
template <class Group>
ISOFOLD_DEVICE int largest_of_warp(const Group& group, int value) {
  for (int distance = 1; distance < Group::wave_width; distance *= 2) {
    const auto other =
        static_cast<int>(group.exchange(static_cast<std::uint32_t>(value), distance));
    value = other > value ? other : value;
  }
  return value;
}

// The next work of a warp: several rows, a sharing each, or one row. All of its rows have `chunks`
// chunks to be folded, from number `first` on.
template <class Fold>
struct StridedJob {
  std::int64_t number;  // of this thread's row
  std::int64_t first;
  std::int64_t chunks;
  StridedRow<Fold> row;
  bool there;   // the row, and it is to be folded
  bool listed;  // a tile of the list, not a row
  int shift;
  bool is_pair;   // of two rows of one chunk each half of the warp has one
  bool is_whole;  // these have 1024 elements both
};

template <class Fold, class Stored = AsComputed>
struct ReduceStrided {
  using State = typename Fold::state_type;
  using Lanes = WideLanes<typename Fold::element_type>;
  static constexpr int max_threads = 512;
  // A warp has so many states of a row under way: nodes over 1, 2, 4, ... chunks.
  static constexpr int stack_levels = core::max_root_level + 1;

  Rows<Fold> rows;
  Places places;
  Sharing sharing;
  State* nodes;             // of rows that blocks share
  std::uint32_t* counters;  // likewise, all zero between launches
  // Ragged rows: tiles of rows that blocks share, at most sharing.room of them. The two counters
  // before `counters` count them, and the blocks that are done with them.
  ListedTile* list;
  bool from_list;  // the last launch; what is left comes first
  Stored stored;
  SegmentsLeft rest{};  // of ragged rows

  // ReduceShortSegments folds no converted elements, so it leaves none.
  ISOFOLD_DEVICE bool has_left() const { return !Stored::converts && rest.rows != nullptr; }
  ISOFOLD_HOST_DEVICE TileList shared_rows() const {
    return {list, counters - 2, sharing.room, sharing.block_shift, sharing.list_shift};
  }
  static constexpr std::size_t shared_bytes(int threads, int wave_width, const Sharing& sharing,
                                            bool ragged) {
    const std::size_t slots = static_cast<std::size_t>(threads >> sharing.shift);
    const std::size_t warps = static_cast<std::size_t>(threads / wave_width);
    const std::size_t stack = ragged ? stack_levels * warps : (strided_tile_shift + 1) * slots;
    const std::size_t table =
        sharing.tabled ? sizeof(std::int64_t) * Fold::arrays * core::chunk_elements * warps : 0;
    return table + BlockMemory<State>::bytes(shared_row_states, wave_width) +
           sizeof(State) * (slots + stack);
  }

  // This tells whether a warp folds two chunks of ragged rows at once, wherever they begin, one by
  // each half of it.
  ISOFOLD_HOST_DEVICE static constexpr bool pairs_chunks(int wave_width) {
    return !Stored::converts && may_shift<Fold> && wave_width == 2 * Lanes::team;
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    rest.turns.reset(group);
    if (from_list && counters[-2] == 0 && (!has_left() || *rest.count == 0)) {
      return;  // nothing is on the lists, and nothing counted
    }
    const Here<Group> here(group, sharing);
    std::int64_t position = group.block();  // a unit, an entry of the list; ragged: see next_ragged
    int item = -1;
    const bool by_warps = sharing.by_chunks || (places.is_ragged() && (!from_list || has_left()));
    if (by_warps) {
      position = position * here.place.warps + here.place.warp;
      position *= has_left() ? 1 : here.rows_a_warp;
    }
    StridedJob<Fold> job;
    job.listed = from_list && !has_left();
    while (next(group, here, position, item, job)) {
      finish(group, here, position, job, fold_chunks(group, here, job));
    }
    if (from_list && is_last_block(group, here.memory.flag, counters - 1, group.blocks()) &&
        group.thread() == 0) {
      counters[-2] = 0;
    }
    if (has_left() && is_last_block(group, here.memory.flag, rest.count - 1, group.blocks()) &&
        group.thread() == 0) {
      *rest.count = 0;
    }
  }

 private:
  // The place of a thread, and the shared memory of its block.
  template <class Group>
  struct Here {
    WarpPlace<Group> place;
    std::int64_t* table;  // of the warp
    BlockMemory<State> memory;
    State* slots;  // a state for each row that a warp has
    State* stack;
    int rows_a_warp;
    int rows_a_block;
    int part;  // even rows: which of the warps that share a row
    int slot;  // even rows: which of the block's rows

    ISOFOLD_DEVICE Here(const Group& group, const Sharing& sharing)
        : place(group),
          table(static_cast<std::int64_t*>(group.shared()) +
                place.warp * Fold::arrays * core::chunk_elements),
          memory(static_cast<std::int64_t*>(group.shared()) +
                     (sharing.tabled ? place.warps * Fold::arrays * core::chunk_elements : 0),
                 shared_row_states, Group::wave_width),
          slots(reinterpret_cast<State*>(memory.flag + 4)),  // after the 16 bytes of the flag
          stack(slots + (group.threads() >> sharing.shift)),
          rows_a_warp(Group::wave_width >> sharing.shift),
          rows_a_block((place.warps >> sharing.warps_shift) * rows_a_warp),
          part(place.warp & ((1 << sharing.warps_shift) - 1)),
          slot((place.warp >> sharing.warps_shift) * rows_a_warp +
               (place.thread >> sharing.shift)) {}
  };
  template <class Group>
  static constexpr int whole_warp = core::root_level(Group::wave_width);

  // ---- what is next -------------------------------------------------------------------------

  template <class Group>
  ISOFOLD_DEVICE bool next(const Group& group, const Here<Group>& here, std::int64_t& position,
                           int& item, StridedJob<Fold>& job) const {
    job.first = 0;
    job.shift = sharing.shift;
    job.is_pair = false;
    if (!places.is_ragged()) {
      return sharing.by_chunks ? next_chunk(group, here, position, item, job)
                               : next_even(group, here, position, item, job);
    }
    if (!Stored::converts && from_list && !job.listed) {
      if (next_left(group, here, position, item, job)) {
        return true;
      }
      position = group.block();
      item = -1;
      job.listed = true;
    }
    return job.listed   ? next_listed(group, here, position, item, job)
           : has_left() ? next_left(group, here, position, item, job)
                        : next_ragged(group, here, position, item, job);
  }

  // Rows of one length: neighbours have neighbouring sharers, and the blocks fold them in turn.
  template <class Group>
  ISOFOLD_DEVICE bool next_even(const Group& group, const Here<Group>& here, std::int64_t& unit,
                                int& item, StridedJob<Fold>& job) const {
    if (item >= 0) {
      unit += group.blocks();
      if (shares_rows()) {
        group.barrier();  // the next unit writes the shared memory that this one has read
      }
    }
    item = 0;
    if (unit >= sharing.sets * sharing.tiles) {
      return false;
    }
    const std::int64_t set = sharing.by_tiles.divide(unit);
    const std::int64_t tile = unit - set * sharing.tiles;
    job.number = set * here.rows_a_block + here.slot;
    job.there = job.number < rows.rows;
    job.row = places.row<Fold>(group, rows.first, rows.length, job.there ? job.number : 0);
    job.first = ((tile << sharing.warps_shift) + here.part) << sharing.tile_shift;
    const std::int64_t left = core::chunk_count(rows.length) - job.first;
    const std::int64_t most = std::int64_t{1} << sharing.tile_shift;
    job.chunks = left < most ? left : most;
    return true;
  }

  // Rows of one length, of which a warp folds a chunk.
  template <class Group>
  ISOFOLD_DEVICE bool next_chunk(const Group& group, const Here<Group>& here, std::int64_t& unit,
                                 int& item, StridedJob<Fold>& job) const {
    unit += item >= 0 ? group.blocks() * here.place.warps : 0;
    item = 0;
    if (unit >= rows.rows * sharing.tiles) {
      return false;
    }
    job.number = sharing.by_tiles.divide(unit);
    job.there = true;
    job.row = places.row<Fold>(group, rows.first, rows.length, job.number);
    job.first = sharing.tile_of(unit - job.number * sharing.tiles);
    job.chunks = 1;
    return true;
  }

  // Rows of many lengths: a warp folds its short ones together (item -1), then each of the others.
  // `base` is the first of them.
  template <class Group>
  ISOFOLD_DEVICE bool next_ragged(const Group& group, const Here<Group>& here, std::int64_t& base,
                                  int& item, StridedJob<Fold>& job) const {
    for (; base < rows.rows; ++item) {
      if (item < 0) {
        job.number = base + (here.place.thread >> sharing.shift);
        const bool exists = job.number < rows.rows;
        job.row = places.row<Fold>(group, rows.first, 0, exists ? job.number : base);
        job.there = exists && job.row.length <= sharing.longest;
        job.chunks = 1;
        const bool is_long = exists && !job.there;
        item = largest_of_warp(group, is_long ? 1 : 0) != 0 ? 0 : here.rows_a_warp;
        return true;
      }
      if (item >= here.rows_a_warp || base + item >= rows.rows) {
        base += group.blocks() * here.place.warps * here.rows_a_warp;
        item = -2;
        continue;
      }
      if constexpr (pairs_chunks(Group::wave_width)) {
        if (next_pair(group, here, base, item, job)) {
          return true;
        }
      }
      job.number = base + item;
      job.row = places.row<Fold>(group, rows.first, 0, job.number);
      job.chunks = core::chunk_count(job.row.length);
      if (job.row.length > sharing.longest &&
          (job.chunks <= 1 << strided_tile_shift || !put_on_list(group, here, job))) {
        job.there = true;
        job.shift = whole_warp<Group>;
        ++item;
        return true;
      }
    }
    return false;
  }

  // The next two rows, if both are long and have but one chunk, of least_shifted elements or more.
  template <class Group>
  ISOFOLD_DEVICE bool next_pair(const Group& group, const Here<Group>& here, std::int64_t base,
                                int& item, StridedJob<Fold>& job) const {
    if (item + 1 >= here.rows_a_warp || base + item + 1 >= rows.rows) {
      return false;
    }
    const std::int64_t number = base + item + here.place.thread / Lanes::team;
    const StridedRow<Fold> row = places.row<Fold>(group, rows.first, 0, number, false);
    const bool is_right = row.length > sharing.longest && row.length >= least_shifted &&
                          row.length <= core::chunk_elements;
    const bool is_whole = row.length == core::chunk_elements;
    std::uint32_t word = (is_right ? 1U : 0) | (is_whole ? 2U : 0);
    word &= group.exchange(word, Lanes::team);  // of both
    if ((word & 1U) == 0) {
      return false;
    }
    job.number = number;
    job.row = row;
    job.chunks = 1;
    job.there = true;
    job.shift = core::root_level(Lanes::team);
    job.is_pair = true;
    job.is_whole = (word & 2U) != 0;
    item += 2;
    return true;
  }

  // Rows that ReduceShortSegments has left: a warp has an entry, and folds each row of it by
  // itself.
  template <class Group>
  ISOFOLD_DEVICE bool next_left(const Group& group, const Here<Group>& here, std::int64_t& entry,
                                int& item, StridedJob<Fold>& job) const {
    const std::int64_t count = *rest.count;
    job.there = true;
    job.shift = whole_warp<Group>;
    for (; entry < count; entry += group.blocks() * here.place.warps) {
      const LeftRows rows_left = rest.rows[entry];
      for (++item; item < 64; ++item) {
        if ((rows_left.which >> item & 1) != 0) {
          job.number = rows_left.first + item;
          job.row = places.row<Fold>(group, rows.first, 0, job.number, here.place.thread == 0);
          job.chunks = core::chunk_count(job.row.length);
          if (job.chunks <= 1 << strided_tile_shift || from_list ||
              !put_on_list(group, here, job)) {
            return true;
          }
        }
      }
      item = -1;
    }
    return false;
  }

  template <class Group>
  ISOFOLD_DEVICE bool put_on_list(const Group& group, const Here<Group>& here,
                                  const StridedJob<Fold>& job) const {
    return shared_rows().put(group, here.place.thread,
                             {job.number, 0, job.row.first[0], job.row.length}, job.chunks);
  }

  // The tiles of the list: a block has one, each of its warps a part of it.
  template <class Group>
  ISOFOLD_DEVICE bool next_listed(const Group& group, const Here<Group>& here, std::int64_t& entry,
                                  int& item, StridedJob<Fold>& job) const {
    const std::int64_t listed = counters[-2];
    const std::int64_t count = listed < sharing.room ? listed : sharing.room;
    if (item >= 0) {
      entry += group.blocks();
      group.barrier();  // the next tile writes the shared memory that this one has read
    }
    item = 0;
    while (entry < count && list[entry].row < 0) {
      entry += group.blocks();
    }
    if (entry >= count) {
      return false;
    }
    job.number = list[entry].row;
    job.there = true;
    job.shift = whole_warp<Group>;
    job.row = places.row<Fold>(group, rows.first, 0, job.number);
    const std::int64_t chunks = core::chunk_count(job.row.length);
    const int shift = shared_rows().shift_for(chunks);
    job.first = ((list[entry].tile << sharing.block_shift) + here.place.warp) << shift;
    const std::int64_t most = std::int64_t{1} << shift;
    job.chunks = chunks - job.first < most ? chunks - job.first : most;
    return true;
  }

  // ---- a row's chunks -----------------------------------------------------------------------

  // Folds the chunks of a job; sharer 0 of each row gets its state. Collective: every lane of the
  // warp must call.
  template <class Group>
  ISOFOLD_DEVICE State fold_chunks(const Group& group, const Here<Group>& here,
                                   const StridedJob<Fold>& job) const {
    const bool ragged = places.is_ragged();
    const ChunkCounter<Fold> counter(
        here.stack +
            (ragged ? here.place.warp * stack_levels : here.part * here.rows_a_block + here.slot),
        ragged ? 1 : here.rows_a_block << sharing.warps_shift);
    StridedChunk<Fold, Stored> chunk;
    chunk.shift = job.shift;
    chunk.thread = here.place.thread & ((1 << job.shift) - 1);
    State state = missing(rows.fold);
#pragma unroll 1
    for (std::int64_t n = 0; n < job.chunks; ++n) {
      const int two = is_pair_at<Group>(job, n) ? 1 : 0;  // chunks n and n + 1 at once
      const std::int64_t begin = (job.first + n) << core::chunk_shift;
      const std::int64_t left = job.row.length - begin;
      const int count = left < core::chunk_elements ? static_cast<int>(left) : core::chunk_elements;
      if (pairs_chunks(Group::wave_width) && (two != 0 || job.is_pair)) {
        state = fold_pair(group, here, job, begin);
      } else if (is_stretch<Group>(job)) {
        state = fold_stretch(group, job.row, begin, count, chunk.thread);
      } else {
        chunk.count = job.there ? count : 0;
        chunk.most = ragged ? largest_of_warp(group, chunk.count) : count;
        const int lanes = chunk.most < core::lanes ? chunk.most : core::lanes;
        const int lane_bits = core::root_level(lanes < 1 ? 1 : lanes) - job.shift;
        chunk.lane_bits = lane_bits < 0 ? 0 : lane_bits;
        place_chunk(group, places, job.row, stored, begin, count,
                    sharing.tabled ? here.table : nullptr, chunk);
        state = fold_strided_chunk(group, rows.fold, chunk, begin);
      }
      if (job.chunks > 1 && chunk.thread == 0) {
        counter.add(rows.fold, state, n, two);
      }
      n += two;
    }
    return job.chunks > 1 && chunk.thread == 0 ? counter.root(rows.fold, job.chunks) : state;
  }

  // This tells whether the warp has one row, whose elements lie one after the other, and is one
  // team: then its chunks are folded as those of arrays, with twice as many loads in flight.
  template <class Group>
  ISOFOLD_DEVICE bool is_stretch(const StridedJob<Fold>& job) const {
    using Element = typename Fold::element_type;
    return !Stored::converts && Group::wave_width == NarrowLanes<Element>::team &&
           places.is_ragged() && job.shift == whole_warp<Group>;
  }
  template <class Group>
  ISOFOLD_DEVICE State fold_stretch(const Group& group, const StridedRow<Fold>& row,
                                    std::int64_t begin, int count, int thread) const {
    using Lanes = NarrowLanes<typename Fold::element_type>;
    if constexpr (Group::wave_width == Lanes::team && !Stored::converts) {
      return fold_chunk<Lanes>(group, rows.fold, row.data.from(row.first[0] + begin), begin, count,
                               count == core::chunk_elements, thread);
    } else {
      return missing(rows.fold);
    }
  }

  // This tells whether chunks n and n + 1 of the job's row are folded at once.
  template <class Group>
  ISOFOLD_DEVICE bool is_pair_at(const StridedJob<Fold>& job, std::int64_t n) const {
    if constexpr (pairs_chunks(Group::wave_width)) {
      const std::int64_t left = job.row.length - ((job.first + n) << core::chunk_shift);
      return is_stretch<Group>(job) && n + 1 < job.chunks &&
             left >= core::chunk_elements + least_shifted;
    } else {
      return false;
    }
  }
  // The node over the chunk at `begin` and the next one; of a pair of rows, the state of each.
  template <class Group>
  ISOFOLD_DEVICE State fold_pair(const Group& group, const Here<Group>& here,
                                 const StridedJob<Fold>& job, std::int64_t begin) const {
    if constexpr (pairs_chunks(Group::wave_width)) {
      const int half = here.place.thread / Lanes::team;
      const std::int64_t mine = begin + (job.is_pair ? 0 : half * core::chunk_elements);
      const std::int64_t left = job.row.length - mine;
      const State state = fold_shifted_chunk(
          group, rows.fold, job.row.data.data + job.row.first[0] + mine, mine,
          left < core::chunk_elements ? static_cast<int>(left) : core::chunk_elements,
          job.is_pair ? job.is_whole : job.row.length - begin >= 2 * core::chunk_elements,
          here.place.thread % Lanes::team);
      return job.is_pair
                 ? state
                 : join(rows.fold, state, exchange(group, state, Lanes::team), half != 0, true);
    } else {
      return missing(rows.fold);
    }
  }

  // ---- what becomes of a state --------------------------------------------------------------

  template <class Group>
  ISOFOLD_DEVICE void finish(const Group& group, const Here<Group>& here, std::int64_t position,
                             const StridedJob<Fold>& job, const State& state) const {
    const bool first_sharer = (here.place.thread & ((1 << job.shift) - 1)) == 0;
    if (sharing.by_chunks) {
      if (first_sharer) {
        nodes[job.number * sharing.tiles + job.first] = state;
      }
    } else if (!places.is_ragged()) {
      finish_even(group, here, position, job, first_sharer, state);
    } else if (job.listed) {
      finish_listed(group, here, position, job, first_sharer, state);
    } else if (job.there && first_sharer) {
      rows.write_ragged(job.number, state, job.row.length);
    }
  }

  // This tells whether warps or blocks share one of the even rows. If not, warps wait for nothing.
  ISOFOLD_DEVICE bool shares_rows() const { return sharing.warps_shift > 0 || sharing.tiles > 1; }

  // Joins the states of `warps` neighbouring warps' tiles of one row: slots[w * apart], of which
  // the first `count` are there.
  ISOFOLD_DEVICE State join_tiles(State* slots, int apart, int warps, std::int64_t count) const {
    for (int distance = 1; distance < warps; distance *= 2) {
      for (int w = 0; w + distance < warps && w + distance < count; w += 2 * distance) {
        slots[w * apart] = rows.fold.combine(slots[w * apart], slots[(w + distance) * apart]);
      }
    }
    return slots[0];
  }

  template <class Group>
  ISOFOLD_DEVICE void finish_even(const Group& group, const Here<Group>& here, std::int64_t unit,
                                  const StridedJob<Fold>& job, bool first_sharer,
                                  const State& state) const {
    if (!shares_rows()) {
      if (job.there && first_sharer) {
        rows.write(job.number, state);
      }
      return;
    }
    const std::int64_t set = sharing.by_tiles.divide(unit);
    const std::int64_t tile = unit - set * sharing.tiles;
    if (first_sharer) {
      here.slots[here.part * here.rows_a_block + here.slot] = state;
    }
    group.barrier();
    const std::int64_t number = set * here.rows_a_block + group.thread();
    if (group.thread() < here.rows_a_block && number < rows.rows) {
      const std::int64_t left =
          core::chunk_count(rows.length) - (tile << (sharing.warps_shift + sharing.tile_shift));
      const State joined =
          join_tiles(here.slots + group.thread(), here.rows_a_block, 1 << sharing.warps_shift,
                     TileList::pieces(left, sharing.tile_shift));
      if (sharing.tiles == 1) {
        rows.write(number, joined);
      } else {
        nodes[number * sharing.tiles + tile] = joined;
      }
    }
    if (sharing.tiles > 1 &&
        is_last_block(group, here.memory.flag, &counters[set], sharing.tiles)) {
      const std::int64_t first = set * here.rows_a_block;
      const std::int64_t end = first + here.rows_a_block;
      finish_rows(group, rows, here.memory, nodes, sharing.tiles, first,
                  end < rows.rows ? end : rows.rows);
    }
  }

  template <class Group>
  ISOFOLD_DEVICE void finish_listed(const Group& group, const Here<Group>& here, std::int64_t entry,
                                    const StridedJob<Fold>& job, bool first_sharer,
                                    const State& state) const {
    if (first_sharer) {
      here.slots[here.place.warp] = state;
    }
    group.barrier();
    const std::int64_t tile = list[entry].tile;
    const std::int64_t chunks = core::chunk_count(job.row.length);
    const int shift = shared_rows().shift_for(chunks);
    const std::int64_t tiles = TileList::pieces(chunks, shift + sharing.block_shift);
    if (group.thread() == 0) {
      const std::int64_t left = chunks - (tile << (shift + sharing.block_shift));
      const State joined =
          join_tiles(here.slots, 1, here.place.warps, TileList::pieces(left, shift));
      if (tiles == 1) {
        rows.write_ragged(job.number, joined, job.row.length);
      } else {
        nodes[entry] = joined;
      }
    }
    if (tiles > 1 && is_last_block(group, here.memory.flag, &counters[entry - tile], tiles)) {
      const State root = fold_nodes(group, rows.fold, here.memory, shared_row_states,
                                    nodes + (entry - tile), tiles);
      if (group.thread() == 0) {
        rows.write_ragged(job.number, root, job.row.length);
      }
    }
  }
};

// The states of lanes under way, the elements in flight and their places fill the registers.
template <class Fold, class Stored>
inline constexpr bool needs_registers<ReduceStrided<Fold, Stored>> = true;
// Complex elements of 16 bytes spill with 128 registers.
template <class Fold, class Stored>
inline constexpr bool needs_all_registers<ReduceStrided<Fold, Stored>> =
    core::is_complex<typename Fold::element_type>;

// A shape of rows with places of their own.
struct StridedProblem {
  std::int64_t rows;
  std::int64_t length;    // of each; ragged: of the average, where that is known, else 0
  std::int64_t elements;  // ragged: of all rows, or more of them; 0: not known
  bool columns;           // neighbouring rows are nearer to each other than a row's elements
  bool ragged;
  bool blocks_may_share;  // ragged: there are rows long enough, or it is not known
  bool tabled;            // elements are where a table says, 8 bytes each; never if ragged
  Slabs slabs;            // of a row
  // It returns the bytes of a block of so many threads, for waves of such a width.
  std::size_t (*shared_bytes)(int threads, int wave_width, const Sharing& sharing, bool ragged);
  TunedDevice device;
};

struct StridedPlan {
  Sharing sharing;
  Launch launch;                   // but shared_bytes, which depends on the state
  std::int64_t second_blocks = 0;  // of a launch for the rows that blocks share
  int second_threads = 0;
  std::int64_t nodes = 0;
  std::int64_t counters = 0;
};

inline std::int64_t mean_of(const StridedProblem& at) {
  const StridedTuning& tuning = at.device.tuning->strided;
  return at.length > 0 ? at.length : tuning.likely_mean;
}

// This sets the shift, and the longest row, of segments and batches.
inline void share_ragged(const StridedProblem& at, Sharing& sharing) {
  const StridedTuning& tuning = at.device.tuning->strided;
  const int wave_width = at.device.wave_width;
  const std::int64_t mean = mean_of(at);
  const int whole_warp = ceil_shift(wave_width);
  sharing.shift = whole_warp;
  sharing.longest = core::chunk_elements;
  for (const RaggedSharing& each : tuning.ragged) {
    if (mean <= each.most_mean) {
      sharing.shift = each.shift;
      sharing.longest = each.longest;
      break;
    }
  }
  // More where that leaves multiprocessors without work.
  const std::int64_t enough =
      std::int64_t{tuning.ragged_warps} * at.device.multiprocessors * wave_width;
  while (sharing.shift < whole_warp && at.rows << sharing.shift < enough) {
    ++sharing.shift;
  }
}

// log2 of the threads that share a row.
inline int sharers_shift(const StridedProblem& at) {
  const StridedTuning& tuning = at.device.tuning->strided;
  const int whole_warp = ceil_shift(at.device.wave_width);
  if (!at.columns) {
    return at.length > tuning.few_sharers_elements
               ? whole_warp
               : std::clamp(ceil_shift(ceil_divide(at.length, tuning.one_sharer_elements)), 0,
                            strided_few_sharers);
  }
  // Columns: the rows of a warp side by side; more sharers only while there are too few warps, and
  // few, so that a warp's rows fill the sectors of the memory.
  int shift = std::max(0, whole_warp - ceil_shift(at.rows));
  const std::int64_t enough =
      std::int64_t{tuning.column_warps} * at.device.multiprocessors * at.device.wave_width;
  const std::int64_t chunks = core::chunk_count(at.length);
  while (shift < strided_few_sharers && at.length >> shift > tuning.one_sharer_elements &&
         (at.rows << shift) < enough / chunks) {
    ++shift;
  }
  return shift;
}

inline StridedPlan plan_ragged(const StridedProblem& at, StridedPlan plan) {
  const StridedTuning& tuning = at.device.tuning->strided;
  const int wave_width = at.device.wave_width;
  Sharing& sharing = plan.sharing;
  const ListSharing* list = tuning.lists.data();
  while (mean_of(at) > list->most_mean) {
    ++list;
  }
  const int warps = std::min(plan.launch.threads / wave_width, list->warps);
  plan.second_threads = warps * wave_width;
  sharing.block_shift = ceil_shift(warps);
  sharing.list_shift = list->shift;
  // A row that is listed has at least so many elements for each of its tiles.
  const int least = std::min(strided_tile_shift, sharing.block_shift + sharing.list_shift - 1);
  const std::int64_t tile = std::int64_t{1} << (least + core::chunk_shift);
  sharing.room = at.elements > 0 ? std::min(at.elements / tile + 1, most_room) : tuning.likely_room;
  const std::int64_t all_warps = ceil_divide(at.rows, wave_width >> sharing.shift);
  plan.launch.blocks = std::min(ceil_divide(all_warps, plan.launch.threads / wave_width),
                                std::int64_t{tuning.ragged_blocks} * at.device.multiprocessors);
  if (at.blocks_may_share) {
    plan.second_blocks = std::min(
        sharing.room, std::int64_t{tuning.listed_warps / warps} * at.device.multiprocessors);
  } else {
    sharing.room = 0;
  }
  plan.nodes = sharing.room;
  plan.counters = sharing.room + 2;
  return plan;
}

inline StridedPlan plan_strided(const StridedProblem& at) {
  const StridedTuning& tuning = at.device.tuning->strided;
  const int wave_width = at.device.wave_width;
  StridedPlan plan;
  plan.sharing.tabled = at.tabled;
  if (at.ragged) {
    share_ragged(at, plan.sharing);
  } else {
    plan.sharing.shift = sharers_shift(at);
  }
  // Fewer if the states of all rows of a block, or a table for each of its warps, would not fit.
  plan.launch.threads = tuning.threads;
  while (plan.launch.threads > wave_width &&
         at.shared_bytes(plan.launch.threads, wave_width, plan.sharing, at.ragged) >
             shared_memory) {
    plan.launch.threads /= 2;
  }
  plan.sharing.block_shift = ceil_shift(plan.launch.threads / wave_width);
  if (at.ragged) {
    return plan_ragged(at, plan);
  }
  Sharing& sharing = plan.sharing;
  const int rows_a_warp = wave_width >> sharing.shift;
  const int warps = plan.launch.threads / wave_width;
  const std::int64_t chunks = core::chunk_count(at.length);
  const std::int64_t groups = ceil_divide(at.rows, rows_a_warp);
  const std::int64_t enough =
      std::int64_t{at.columns ? tuning.column_warps : tuning.warps} * at.device.multiprocessors;
  const std::int64_t all = chunks > INT64_MAX / groups ? INT64_MAX : chunks * groups;
  sharing.tile_shift = std::min(strided_tile_shift, floor_shift(all / enough));
  const std::int64_t tiles = ceil_divide(chunks, std::int64_t{1} << sharing.tile_shift);
  sharing.warps_shift = std::min(sharing.block_shift, ceil_shift(tiles));
  sharing.tiles = ceil_divide(tiles, std::int64_t{1} << sharing.warps_shift);
  sharing.by_tiles = Divisor(sharing.tiles);
  sharing.sets = ceil_divide(groups, warps >> sharing.warps_shift);
  plan.launch.blocks = std::min(sharing.sets * sharing.tiles, most_blocks);
  plan.nodes = sharing.tiles > 1 ? at.rows * sharing.tiles : 0;
  plan.counters = sharing.tiles > 1 ? sharing.sets : 0;
  return plan;
}

// Others take theirs chunk by chunk: what a sector brings besides, other warps read at about the
// same time, from caches. docs/decisions/031, 049
struct SlabsPlan {
  StridedPlan strided;
  CompactedPlan compacted;
};

inline bool are_slabs(const Problem& at) {
  const TransposedTuning& tuning = at.device.tuning->transposed;
  return !at.columns && at.slabs.length >= tuning.least_slab &&
         at.length / at.slabs.length >= tuning.least_slabs &&
         at.length >= tuning.least_slabs * core::chunk_elements;
}

inline SlabsPlan plan_slabs(const StridedProblem& at) {
  const TransposedTuning& tuning = at.device.tuning->transposed;
  SlabsPlan plan{plan_strided(at), {}};
  Sharing& sharing = plan.strided.sharing;
  sharing.by_chunks = true;
  sharing.shift = ceil_shift(at.device.wave_width);
  sharing.tile_shift = 0;
  sharing.tiles = core::chunk_count(at.length);
  sharing.by_tiles = Divisor(sharing.tiles);
  sharing.slabs = at.slabs.length >= tuning.long_chunks * core::chunk_elements
                      ? at.length / at.slabs.length
                      : 1;
  sharing.slab_chunks = sharing.tiles / sharing.slabs;
  sharing.by_slabs = Divisor(sharing.slabs);
  CompactedPlan& compacted = plan.compacted;
  compacted.tiles.most_shift = 0;
  compacted.tiles.most = sharing.tiles;
  compacted.launch.threads = plan.strided.launch.threads;
  const std::int64_t warps = compacted.launch.threads / at.device.wave_width;
  compacted.launch.blocks = std::min(ceil_divide(at.rows * sharing.tiles, warps), most_blocks);
  plan_nodes(at.rows, at.device, compacted);
  return plan;
}

template <class Fold>
StridedProblem strided_of(const Problem& problem) {
  const Places& places = *problem.places;
  const bool ragged = places.is_ragged();
  const std::int64_t elements = problem.request.layout->elements;
  constexpr std::int64_t tile_elements = std::int64_t{1}
                                         << (strided_tile_shift + core::chunk_shift);
  StridedProblem at{};
  at.rows = problem.rows;
  at.length = ragged ? elements / problem.rows : problem.length;
  at.elements = elements;
  at.columns = problem.columns;
  at.ragged = ragged;
  at.blocks_may_share = elements == 0 || elements > tile_elements;
  at.tabled = places.needs_table();
  at.slabs = problem.slabs;
  at.shared_bytes = ReduceStrided<Fold>::shared_bytes;
  at.device = problem.device;
  return at;
}

// ReduceStrided has these of the workspace: a list of tiles, then nodes.
inline Needs needs_of_strided(const Problem& problem, const StridedPlan& plan) {
  return {static_cast<std::size_t>(plan.nodes) * problem.fold.state_bytes +
              static_cast<std::size_t>(plan.sharing.room) * sizeof(ListedTile),
          plan.counters};
}

template <class Platform, class Fold, class Stored>
ReduceStrided<Fold, Stored> strided_kernel(const Call<Platform, Fold>& call,
                                           const StridedPlan& plan, void* memory,
                                           std::uint32_t* counters, const SegmentsLeft& rest,
                                           const Stored& stored) {
  const bool ragged = call.problem.places->is_ragged();  // then two counters are the list's
  auto* const list = static_cast<ListedTile*>(memory);
  auto* const nodes = reinterpret_cast<typename Fold::state_type*>(list + plan.sharing.room);
  return {call.rows,
          *call.problem.places,
          plan.sharing,
          nodes,
          counters + (ragged ? 2 : 0),
          list,
          false,
          stored,
          rest};
}

// The kernel by `first_blocks`, then by others for the rows that several blocks share; without the
// former these take its rest, too.
template <class Platform, class Fold, class Stored>
Status launch_strided(const Call<Platform, Fold>& call, const StridedPlan& plan,
                      ReduceStrided<Fold, Stored>& kernel, std::int64_t first_blocks) {
  Launch size = plan.launch;
  const auto launch = [&] {
    size.shared_bytes = kernel.shared_bytes(size.threads, call.problem.device.wave_width,
                                            plan.sharing, call.problem.places->is_ragged());
    return call.launch(kernel, size);
  };
  if (first_blocks > 0) {
    size.blocks = first_blocks;
    const Status launched = launch();
    if (!launched.ok() || plan.second_blocks == 0) {
      return launched;
    }
    kernel.rest = {};
  }
  kernel.from_list = true;
  size.blocks = plan.second_blocks;
  size.threads = plan.second_threads;
  return launch();
}

template <class Platform, class Fold>
Status load_strided(const Problem& problem) {
  return with_stored<Fold>(problem, [](auto stored) {
    return Platform::template load<ReduceStrided<Fold, decltype(stored)>>();
  });
}

// On the list of kernels: rows of any shape.
template <class Platform, class Fold>
struct StridedRows : ListedKernel {
  using Plan = StridedPlan;

  static bool is_for(const Problem& problem) { return problem.is_in_place(); }
  static std::optional<StridedPlan> plan(const Problem& problem) {
    return plan_strided(strided_of<Fold>(problem));
  }
  static Needs needs(const Problem& problem, const StridedPlan& plan) {
    return needs_of_strided(problem, plan);
  }
  static Status load(const Problem& problem) { return load_strided<Platform, Fold>(problem); }
  static Status launch(const StridedPlan& plan, const Call<Platform, Fold>& call) {
    return with_stored<Fold>(call.problem, [&](auto stored) {
      auto kernel = strided_kernel(call, plan, call.memory, call.counters, {}, stored);
      return launch_strided(call, plan, kernel, plan.launch.blocks);
    });
  }
};

// On the list of kernels: rows in slabs, chunk by chunk.
template <class Platform, class Fold>
struct TransposedRows : ListedKernel {
  using Plan = SlabsPlan;

  static bool is_for(const Problem& problem) {
    return problem.is_in_place() && !problem.is_ragged();
  }
  static std::optional<SlabsPlan> plan(const Problem& problem) {
    return are_slabs(problem) ? std::optional(plan_slabs(strided_of<Fold>(problem))) : std::nullopt;
  }
  static Needs needs(const Problem& problem, const SlabsPlan& plan) {
    return needs_of_tiles(problem, plan.compacted);
  }
  static Status load(const Problem& problem) {
    const Status loaded = Platform::template load<CombineTiles<Fold, CompactedPlaces>>();
    return loaded.ok() ? load_strided<Platform, Fold>(problem) : loaded;
  }
  static Status launch(const SlabsPlan& plan, const Call<Platform, Fold>& call) {
    return launch_tiles(call, plan.compacted, [&](auto* nodes) {
      return with_stored<Fold>(call.problem, [&](auto stored) {
        using Kernel = ReduceStrided<Fold, decltype(stored)>;
        const Sharing& sharing = plan.strided.sharing;
        Launch size = plan.compacted.launch;
        size.shared_bytes =
            Kernel::shared_bytes(size.threads, call.problem.device.wave_width, sharing, false);
        return call.launch(Kernel{call.rows, *call.problem.places, sharing, nodes, nullptr, nullptr,
                                  false, stored},
                           size);
      });
    });
  }
};

}  // namespace isofold::gpu
