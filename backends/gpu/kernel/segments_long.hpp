// The kernel for long segments, one after the other in memory (CSR), if a Group has bulk copies:
// while a warp folds a chunk, the next one, of whatever segment, is on its way to shared memory.
// Warps fold segments in a first launch; those of more than a few chunks are listed, in tiles,
// which a second launch assigns to its warps. That one also folds what ReduceShortSegments
// (segments_short.hpp) lists and leaves.
#pragma once

#include <backends/gpu/collective/last_block.hpp>
#include <backends/gpu/collective/row_in_shared.hpp>
#include <backends/gpu/collective/work_list.hpp>
#include <backends/gpu/input/copy_async.hpp>
#include <backends/gpu/input/mask_bits.hpp>
#include <backends/gpu/plan/nodes.hpp>
#include <isofold/detail/core/folds/extremum.hpp>
#include <isofold/detail/core/folds/sum.hpp>

namespace isofold::gpu {

// The assignment of segments, or tiles, to warps. Each warp has statically assigned batches of
// neighbours; the others come from the work queue, a few at a time, so that all warps end together.
struct StaticAssignment {
  int batch = 0;    // one a thread, at most
  int batches = 0;  // of each warp
  int turn = 1;     // so many come by one number of the work queue, one a thread at most

  // Assigns about `sixteenths` of all statically, in batches of at most so many.
  ISOFOLD_HOST_DEVICE static StaticAssignment of(std::int64_t all, std::int64_t warps,
                                                 int sixteenths, int most, int turn) {
    const std::int64_t each = all * sixteenths / 16 / warps;
    const auto batch = static_cast<int>(each < most ? each : most);
    return {batch, batch > 0 ? static_cast<int>(each / batch) : 0, turn};
  }
};

// The assignment and the cut of segments; its plan fills it.
struct LongTiles {
  StaticAssignment assignment;  // of segments; the second launch deals out its list itself
  std::int64_t most_here = 0;   // chunks of a segment that a warp folds by itself
  std::int64_t room = 0;        // for tiles of others
  int shift = 0;                // a tile has 2^shift chunks, of a very long segment more
};

// One segment has at most so many tiles; a longer one has larger tiles. A warp folds their nodes,
// which bounds their number; fewer tiles make a very long segment slower (docs/decisions/021, 023,
// 049).
inline constexpr std::int64_t most_long_tiles = 1 << 10;

template <class Fold, class T>
inline constexpr bool is_sum_or_extremum =
    std::is_base_of_v<core::Sum<T>, Fold> ||
    std::is_base_of_v<core::Extremum<T, core::Toward::lowest>, Fold> ||
    std::is_base_of_v<core::Extremum<T, core::Toward::highest>, Fold>;
// Folds whose long segments go this way: sums and extrema of floating-point numbers. (Each is a
// kernel more to compile; others were not measured.)
template <class Fold, class Element = typename Fold::element_type>
inline constexpr bool takes_long_segments = false;
template <class Fold>
inline constexpr bool takes_long_segments<Fold, float> =
    is_short_segments_cheap<Fold>&& is_sum_or_extremum<Fold, float>;
template <class Fold>
inline constexpr bool takes_long_segments<Fold, double> =
    is_short_segments_cheap<Fold>&& is_sum_or_extremum<Fold, double>;

// The first launch, or the one behind it. Each is a kernel of its own, because one kernel for both
// spills (docs/decisions/021, 023, 049).
template <class Fold, bool from_list = false>
struct ReduceLongSegments {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  static constexpr int max_threads = 768;
  static constexpr int stack_levels = core::max_root_level + 1;
  static_assert(Fold::arrays == 1, "Chunks under way are of one array.");

  Rows<Fold> rows;
  Places places;
  LongTiles tiles;
  State* nodes;             // of listed tiles
  std::uint32_t* counters;  // of listed segments; before them how many tiles are listed, and warps
                            // that have found them taken; all of them, and the turns, are zero
                            // between calls
  ListedTile* list;
  WorkQueue turns;
  SegmentsLeft rest{};  // folded with the list; its queue is that of the launch before this one

  // The list, for the kernel that fills it.
  ISOFOLD_HOST_DEVICE TileList shared_rows() const {
    return {list, counters - 2, tiles.room, 0, tiles.shift, most_long_tiles};
  }

  // A chunk that is under way, and the place of its state.
  struct Chunk {
    std::int64_t row;
    std::int64_t length;  // of the row
    std::int64_t begin;   // of the chunk, in the row
    int entry;            // of the list; negative: the row is not on it
    int tile;             // of the row, that entry's
    int number;           // of the chunk, in the job
    int chunks;           // of the job
    int count;            // elements of the chunk
    int shift;            // bytes before its first one
  };
  static constexpr int chunk_bytes =
      core::chunk_elements * static_cast<int>(sizeof(Element)) + cache_line_bytes;
  static_assert(chunk_bytes % cache_line_bytes == 0, "Chunks lie side by side.");
  static constexpr int slots = 2;  // of a warp; fewer warps fit with three (docs/decisions/049)
  // The beginning of a segment in the data, and its length.
  struct Bounds {
    std::int64_t begin;
    std::int64_t length;
  };
  static constexpr std::size_t stack_bytes = aligned(sizeof(State) * stack_levels);
  ISOFOLD_HOST_DEVICE static constexpr std::size_t warp_bytes(int wave_width) {
    const std::size_t bytes = slots * (chunk_bytes + sizeof(std::uint64_t)) + stack_bytes +
                              static_cast<std::size_t>(wave_width) * sizeof(Bounds);
    return static_cast<std::size_t>(whole_cache_lines(static_cast<int>(bytes)));
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    if constexpr (has_bulk_copies<Group>) {
      rest.turns.reset(group);
      if (from_list && counters[-2] == 0 && (rest.rows == nullptr || *rest.count == 0)) {
        return;  // nothing is on the lists, and nothing counted
      }
      Walk<Group>(group, *this).run(group);
    }
  }

 private:
  // The work of a warp: several chunks of a row.
  struct Job {
    std::int64_t row = 0;
    std::int64_t length = 0;
    std::int64_t first = 0;  // of its elements, in the row
    std::int64_t begin = 0;  // and in the data
    std::int64_t count = 0;  // of them
    int entry = -1;          // as in Chunk
    int tile = 0;
    int chunks = 0;
    int number = 0;  // of the next chunk
  };

  template <class Group>
  class Walk {
    static constexpr int width = Group::wave_width;
    static_assert(width == 32, "A warp's segments are bits of a word.");
    static_assert(most_long_tiles <= width * width, "A warp folds the nodes of a row's tiles.");
    static constexpr int none_there = -1;
    // So many sixteenths of the list, whose length only the device knows, are statically assigned
    // (docs/decisions/023, 049).
    static constexpr int tiles_assigned = 8;

   public:
    ISOFOLD_DEVICE Walk(const Group& group, const ReduceLongSegments& of) : of_(of), place_(group) {
      memory_ = static_cast<char*>(group.shared()) +
                static_cast<std::size_t>(place_.warp) * warp_bytes(width);
      stack_ = reinterpret_cast<State*>(memory_ + slots * chunk_bytes);
      char* const behind = memory_ + slots * chunk_bytes + stack_bytes;
      bounds_ = reinterpret_cast<Bounds*>(behind);
      arrivals_ = reinterpret_cast<std::uint64_t*>(behind + width * sizeof(Bounds));
      if (place_.thread < slots) {
        group.begin_arrivals(arrivals_ + place_.thread);
      }
      warps_ = group.blocks() * place_.warps;
      number_ = warp(group);
      if constexpr (from_list) {
        const std::int64_t listed = of.counters[-2];
        all_ = listed < of.tiles.room ? listed : of.tiles.room;
        assignment_ = StaticAssignment::of(all_, warps_, tiles_assigned, 1, 1);
        next_left_ = number_;
        end_left_ = of.rest.rows != nullptr ? *of.rest.count : 0;
        take_turn(group);
        load_next_tile(group);
      } else {
        all_ = of.rows.rows;
        assignment_ = of.tiles.assignment;
        take_turn(group);
      }
      group.warp_barrier();
    }

    ISOFOLD_DEVICE void run(const Group& group) {
      bool is_there = begin_chunk(group, 0);
      int slot = 0;
      std::uint32_t parity = 0;
      while (is_there) {
        const Chunk chunk = begun_chunk();
        is_there = begin_chunk(group, 1 - slot);
        group.wait_for_arrival(arrivals_ + slot, parity);
        group.warp_barrier();  // what others have written of a chunk at the end of the data
        const bool goes_on = is_there && job_.entry - job_.tile == chunk.entry - chunk.tile;
        fold_chunk(group, slot, chunk, goes_on);
        group.warp_barrier();  // all have read it
        parity ^= slot == 1 ? 1U : 0U;
        slot = 1 - slot;
      }
    }

   private:
    ISOFOLD_DEVICE char* memory_of(int slot) const { return memory_ + slot * chunk_bytes; }

    // ---- which segments ---------------------------------------------------------------------

    // Neighbours are in different blocks, so that a few segments have all multiprocessors.
    ISOFOLD_DEVICE std::int64_t warp(const Group& group) const {
      return place_.warp * group.blocks() + group.block();
    }

    // The warp's next segments or tiles, from `first` on; returns how many. The next number of the
    // work queue is on its way while the warp folds what it has. Collective: every lane of the warp
    // must call.
    ISOFOLD_DEVICE int next_span(const Group& group, std::int64_t& first) {
      if (batch_ < assignment_.batches) {
        first = (warp(group) + batch_ * warps_) * assignment_.batch;
        ++batch_;
        return assignment_.batch;
      }
      first = by_turn();
      if (first >= all_) {
        return 0;
      }
      number_ = warps_ + WorkQueue::number(group, of_first_thread(group, place_.thread, turn_));
      take_turn(group);
      const std::int64_t left = all_ - first;
      return left < assignment_.turn ? static_cast<int>(left) : assignment_.turn;
    }
    // The first segment or tile that belongs to the warp's next number of the work queue; each
    // warp's first number is its own.
    ISOFOLD_DEVICE std::int64_t by_turn() const {
      return assignment_.batches * warps_ * assignment_.batch + number_ * assignment_.turn;
    }
    // Draws no number if the one before it came too late, so that none is on its way at the end.
    ISOFOLD_DEVICE void take_turn(const Group& group) {
      if (place_.thread == 0 && by_turn() < all_) {
        turn_ = of_.turns.take(group);
      }
    }

    // Loads the warp's next segments, one a thread. False: there are none.
    ISOFOLD_DEVICE bool load_segments(const Group& group) {
      std::int64_t first;
      const int count = next_span(group, first);
      if (count > 0) {
        load_bounds(group, first, place_.thread < count);
      }
      return count > 0;
    }
    // Loads the rows in the lower half of the next entry of those that are left, then those in its
    // upper one.
    ISOFOLD_DEVICE bool load_left(const Group& group) {
      if (next_left_ >= end_left_) {
        return false;
      }
      const LeftRows entry = of_.rest.rows[next_left_];
      const int half = is_upper_ ? width : 0;
      load_bounds(group, entry.first + half,
                  (entry.which >> (half + place_.thread) & std::uint64_t{1}) != 0);
      next_left_ += is_upper_ ? warps_ : 0;
      is_upper_ = !is_upper_;
      return true;
    }
    ISOFOLD_DEVICE bool load_rows(const Group& group) {
      if constexpr (from_list) {
        return load_left(group);
      } else {
        return load_segments(group);
      }
    }
    // Loads the bounds of the segments from `first` on, of each thread's own if it `exists`; those
    // without elements are finished.
    ISOFOLD_DEVICE void load_bounds(const Group& group, std::int64_t first, bool exists) {
      group.warp_barrier();  // all have read the bounds before
      found_ = first;
      const std::int64_t number = first + place_.thread;
      StridedRow<Fold> row{};
      if (exists) {
        row = of_.places.template row<Fold>(group, of_.rows.first, 0, number);
        if (row.length <= 0) {
          of_.rows.write_ragged(number, missing(of_.rows.fold), 0);
        }
      }
      const bool is_job = exists && row.length > 0;
      bounds_[place_.thread] = {row.first[0], row.length};
      pending_ = is_job ? std::uint32_t{1} << place_.thread : 0;
      for (int distance = 1; distance < width; distance *= 2) {
        pending_ |= group.exchange(pending_, distance);
      }
      group.warp_barrier();
    }

    // This tells whether there is a next job.
    ISOFOLD_DEVICE bool next_job(const Group& group) {
      if constexpr (from_list) {
        return next_segment(group) || next_listed(group);
      } else {
        return next_segment(group);
      }
    }
    ISOFOLD_DEVICE bool next_segment(const Group& group) {
      while (true) {
        while (pending_ == 0) {
          if (!load_rows(group)) {
            return false;
          }
        }
        const std::uint32_t lowest = pending_ & -pending_;
        pending_ -= lowest;
        const int thread = core::popcount(lowest - 1);
        job_ = Job{};
        job_.row = found_ + thread;
        job_.begin = bounds_[thread].begin;
        job_.length = bounds_[thread].length;
        job_.count = job_.length;
        const std::int64_t chunks = core::chunk_count(job_.length);
        if (from_list || chunks <= of_.tiles.most_here ||
            !of_.shared_rows().put(group, place_.thread, {job_.row, 0, job_.begin, job_.length},
                                   chunks)) {
          job_.chunks = static_cast<int>(chunks);
          return true;
        }
      }
    }

    // Loads the next entry of the list, which is on its way while the one before it is folded.
    ISOFOLD_DEVICE void load_next_tile(const Group& group) {
      std::int64_t next;
      entry_ = next_span(group, next) > 0 ? static_cast<int>(next) : none_there;
      if (entry_ >= 0) {
        tile_ = of_.list[entry_];
      }
    }
    ISOFOLD_DEVICE bool next_listed(const Group& group) {
      while (entry_ >= 0 && tile_.row < 0) {
        load_next_tile(group);
      }
      if (entry_ < 0) {
        leave(group);
        return false;
      }
      const int shift =
          of_.shared_rows().shift_for(core::chunk_count(tile_.length)) + core::chunk_shift;
      job_.row = tile_.row;
      job_.length = tile_.length;
      job_.first = tile_.tile << shift;
      job_.begin = tile_.begin + job_.first;
      const std::int64_t left = tile_.length - job_.first;
      job_.count = left < std::int64_t{1} << shift ? left : std::int64_t{1} << shift;
      job_.entry = entry_;
      job_.tile = static_cast<int>(tile_.tile);
      job_.chunks = static_cast<int>(core::chunk_count(job_.count));
      job_.number = 0;
      load_next_tile(group);
      return true;
    }

    // The last warp that finds the lists empty makes their counters zero, for the next call: all
    // have read them, and have no number of the queue on its way. Collective: every lane of the
    // warp must call, once.
    ISOFOLD_DEVICE void leave(const Group& group) const {
      if (place_.thread == 0 &&
          group.arrive(of_.counters - 1) == static_cast<std::uint32_t>(warps_ - 1)) {
        of_.counters[-2] = 0;
        of_.counters[-1] = 0;
        of_.turns.reset();
        if (of_.rest.rows != nullptr) {
          *of_.rest.count = 0;
        }
      }
    }

    // ---- its chunks -------------------------------------------------------------------------

    // Begins to copy the next chunk to a slot, if there is one.
    ISOFOLD_DEVICE bool begin_chunk(const Group& group, int slot) {
      if (job_.number == job_.chunks && !next_job(group)) {
        return false;
      }
      const int count = count_of(job_.number);
      const std::int64_t first = first_of(job_.number);
      const char* const from = reinterpret_cast<const char*>(of_.rows.first.data + first);
      const int shift = shift_of(from);
      const int before_line = shift % line_bytes;
      const int bytes = count * static_cast<int>(sizeof(Element));
      const bool is_inside =
          first >= line_bytes && first + count + line_bytes <= of_.places.elements;
      const int lines = is_inside ? lines_of(before_line, bytes) : 0;
      if (place_.thread == 0) {
        group.expect(arrivals_ + slot, lines * line_bytes);
        if (is_inside) {
          group.copy_bulk(memory_of(slot) + shift - before_line, from - before_line,
                          lines * line_bytes, arrivals_ + slot);
        }
      }
      if (!is_inside) {  // at the ends of the data, element by element
        for (int i = place_.thread; i < count; i += width) {
          reinterpret_cast<Element*>(memory_of(slot) + shift)[i] =
              load_element(group, of_.rows.first.data + first + i);
        }
        group.end_stores();
      }
      ++job_.number;
      return true;
    }

    // The first element, in the data, of the job's chunk of such a number, and how many it has.
    ISOFOLD_DEVICE std::int64_t first_of(int number) const {
      return job_.begin + (std::int64_t{number} << core::chunk_shift);
    }
    ISOFOLD_DEVICE int count_of(int number) const {
      const std::int64_t left = job_.count - (std::int64_t{number} << core::chunk_shift);
      return left < core::chunk_elements ? static_cast<int>(left) : core::chunk_elements;
    }
    // The chunk that was begun last. (It is computed again, because it would need registers while
    // the one before it is folded.)
    ISOFOLD_DEVICE Chunk begun_chunk() const {
      const int number = job_.number - 1;
      return {job_.row,
              job_.length,
              job_.first + (std::int64_t{number} << core::chunk_shift),
              job_.entry,
              job_.tile,
              number,
              job_.chunks,
              count_of(number),
              shift_of(reinterpret_cast<const char*>(of_.rows.first.data + first_of(number)))};
    }

    // Folds a chunk. `goes_on`: if it is of a listed row, so is the warp's next chunk.
    ISOFOLD_DEVICE void fold_chunk(const Group& group, int slot, const Chunk& at, bool goes_on) {
      RowInShared<Fold> row{};
      row.from[0] = memory_of(slot) + at.shift;
      row.length = at.count;
      row.thread = place_.thread;
      const State state =
          state_by_passes(group, of_.rows.fold, at.begin, row.length,
                          [&](const auto& pass) { return pass_by_warp<true>(group, row, pass); });
      if (at.chunks > 1) {
        const ChunkCounter<Fold> counter(stack_, 1);
        if (place_.thread == 0) {
          counter.add(of_.rows.fold, state, at.number);
        }
        if (at.number + 1 == at.chunks) {
          finish(group, at, place_.thread == 0 ? counter.root(of_.rows.fold, at.chunks) : state,
                 goes_on);
        }
      } else {
        finish(group, at, state, goes_on);
      }
    }

    // Finishes a job, whose state the first thread has. The warp counts tiles of a row that it
    // folds one after the other all with the last of them, because counting waits for memory.
    // Collective: every lane of the warp must call.
    ISOFOLD_DEVICE void finish(const Group& group, const Chunk& at, const State& state,
                               bool goes_on) {
      const bool is_whole = (std::int64_t{at.chunks} << core::chunk_shift) >= at.length;
      if (!from_list || is_whole) {
        if (place_.thread == 0) {
          of_.rows.write_ragged(at.row, state, at.length);
        }
        return;
      }
      if (place_.thread == 0) {
        of_.nodes[at.entry] = state;
      }
      ++done_;
      if (goes_on) {
        return;
      }
      const TileList list = of_.shared_rows();
      const std::int64_t chunks = core::chunk_count(at.length);
      const auto all = static_cast<int>(TileList::pieces(chunks, list.shift_for(chunks)));
      const int first = at.entry - at.tile;
      const std::uint32_t done = done_;
      done_ = 0;
      if (!are_done(group, first, done, all)) {
        return;
      }
      const State root = fold_nodes_by_warp(group, of_.rows.fold, of_.nodes + first, all);
      if (place_.thread == 0) {
        of_.rows.write_ragged(at.row, root, at.length);
      }
    }

    // Counts so many parts of `all` that are done, by the counter with such a number. Returns
    // whether they are the last ones, so that all nodes can be read, and the counter is zero again.
    // Collective: every lane of the warp must call.
    ISOFOLD_DEVICE bool are_done(const Group& group, int counter, std::uint32_t done,
                                 int all) const {
      std::uint32_t is_last = 0;
      if (place_.thread == 0) {
        std::uint32_t* const count = &of_.counters[counter];
        is_last = group.arrive(count, done) + done == static_cast<std::uint32_t>(all) ? 1 : 0;
        if (is_last != 0) {
          *count = 0;
        }
      }
      group.warp_barrier();  // what the first thread has acquired, all have
      return largest_of_warp(group, static_cast<int>(is_last)) != 0;
    }

    const ReduceLongSegments& of_;
    WarpPlace<Group> place_;
    char* memory_;
    State* stack_;
    Bounds* bounds_;  // of the segments from found_ on
    std::uint64_t* arrivals_;
    std::int64_t warps_;
    std::int64_t found_;           // the first segment whose bounds threads hold
    std::uint32_t pending_ = 0;    // of these, those that have elements and are to be folded
    std::int64_t all_;             // segments, or entries of the list
    StaticAssignment assignment_;  // of these
    int batch_ = 0;                // the warp's next one
    std::int64_t number_;          // its next one in the work queue
    std::uint32_t turn_ = 0;       // the first thread's
    int entry_ = none_there;       // of the list, the next one
    ListedTile tile_{};            // it
    std::int64_t next_left_ = 0;   // entry of the rows that are left
    std::int64_t end_left_ = 0;    // of those
    bool is_upper_ = false;        // which half of it is next
    std::uint32_t done_ = 0;       // tiles of a row that are not counted
    Job job_;
  };
};

struct LongSegmentsProblem {
  std::int64_t rows;
  std::int64_t elements;  // of all rows, or more of them; 0: not known
  std::size_t warp_bytes;
  TunedDevice device;
};

struct LongPlan {
  bool is_there = false;
  LongTiles tiles;
  Launch launch;
};

// This tells whether ReduceLongSegments takes them all.
inline bool are_long(const LongSegmentsProblem& at) {
  const LongSegmentsTuning& tuning = at.device.tuning->long_segments;
  return at.rows > 0 && at.elements >= tuning.least_elements * at.device.multiprocessors &&
         at.elements / at.rows >= tuning.least_mean;
}

inline LongPlan plan_long(const LongSegmentsProblem& at) {
  const LongSegmentsTuning& tuning = at.device.tuning->long_segments;
  LongPlan plan;
  if (!at.device.has_bulk_copies) {
    return plan;
  }
  constexpr std::size_t kept = 1024;  // by the device, for each block
  const std::size_t block = static_cast<std::size_t>(tuning.block) * at.warp_bytes;
  const auto blocks = static_cast<std::int64_t>((at.device.shared_bytes + kept) / (block + kept));
  if (blocks == 0) {
    return plan;
  }
  plan.is_there = true;
  plan.launch.threads = tuning.block * at.device.wave_width;
  plan.launch.shared_bytes = block;
  plan.launch.blocks = blocks * at.device.multiprocessors;
  const std::int64_t chunks = at.elements >> core::chunk_shift;
  const std::int64_t warps = plan.launch.blocks * tuning.block;
  plan.tiles.assignment = StaticAssignment::of(
      at.rows, warps, tuning.assigned, at.device.wave_width,
      static_cast<int>(std::clamp<std::int64_t>(at.rows / (tuning.turns * warps), 1, tuning.turn)));
  plan.tiles.most_here = tuning.most_here;
  plan.tiles.shift = tuning.tile_shift;
  plan.tiles.room =
      std::min(most_room, (chunks >> tuning.tile_shift) + chunks / tuning.most_here + 1);
  return plan;
}

// ReduceLongSegments has these of the workspace behind `before` bytes: a list of tiles, then nodes.
// The counters are its own: turns of two launches, entries of what ReduceShortSegments leaves, and
// of the list.
inline constexpr std::int64_t long_counters_before = 2 * WorkQueue::words + 4;
inline Needs needs_of_long(const Problem& problem, const LongPlan& plan, std::size_t before) {
  return {before + static_cast<std::size_t>(plan.tiles.room) *
                       (sizeof(ListedTile) + problem.fold.state_bytes),
          long_counters_before + plan.tiles.room};
}

// The kernels of the two launches, the first of which takes all segments, or is
// ReduceShortSegments's, which leaves `left` to the second.
template <class Fold>
struct LongLaunches {
  SegmentsLeft rest;
  ReduceLongSegments<Fold> first;
  ReduceLongSegments<Fold, true> behind;
};
template <class Platform, class Fold>
LongLaunches<Fold> long_launches(const Call<Platform, Fold>& call, const LongPlan& plan,
                                 std::int64_t left_room) {
  const Places& places = *call.problem.places;
  auto* const left = static_cast<LeftRows*>(call.memory);
  auto* const list = reinterpret_cast<ListedTile*>(left + left_room);
  auto* const nodes = reinterpret_cast<typename Fold::state_type*>(list + plan.tiles.room);
  std::uint32_t* const turns = call.counters;
  std::uint32_t* const counters = turns + long_counters_before;
  const SegmentsLeft rest{left_room > 0 ? left : nullptr, counters - 3, {turns}};
  return {rest,
          {call.rows, places, plan.tiles, nodes, counters, list, {turns}},
          {call.rows, places, plan.tiles, nodes, counters, list, {turns + WorkQueue::words}, rest}};
}

template <class Platform, class Fold>
inline constexpr bool has_long_segments =
    takes_long_segments<Fold>&& may_have_bulk_copies<Platform>;

template <class Fold>
LongSegmentsProblem long_of(const Problem& problem) {
  return {problem.rows, problem.request.layout->elements,
          ReduceLongSegments<Fold>::warp_bytes(problem.device.wave_width), problem.device};
}

// On the list of kernels: segments that are long on average.
template <class Platform, class Fold>
struct LongSegments : ListedKernel {
  static constexpr bool exists = has_long_segments<Platform, Fold>;
  using Plan = LongPlan;

  static bool is_for(const Problem& problem) {
    return problem.is_in_line() && problem.device.has_bulk_copies;
  }
  static std::optional<LongPlan> plan(const Problem& problem) {
    const LongSegmentsProblem at = long_of<Fold>(problem);
    if (!are_long(at)) {
      return std::nullopt;
    }
    const LongPlan plan = plan_long(at);
    return plan.is_there ? std::optional(plan) : std::nullopt;
  }
  static Needs needs(const Problem& problem, const LongPlan& plan) {
    return needs_of_long(problem, plan, 0);
  }
  static Status load(const Problem&) {
    return load_all<Platform, ReduceLongSegments<Fold>, ReduceLongSegments<Fold, true>>();
  }
  static Status launch(const LongPlan& plan, const Call<Platform, Fold>& call) {
    const auto kernels = long_launches(call, plan, 0);
    const Status launched = call.launch(kernels.first, plan.launch);
    return launched.ok() ? call.launch(kernels.behind, plan.launch) : launched;
  }
};

}  // namespace isofold::gpu
