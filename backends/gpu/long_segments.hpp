// The kernel for long segments, one after the other in memory (CSR), where a Group has bulk copies:
// while a warp folds a chunk, the next one, of whatever segment, is on its way to shared memory. In
// a first launch each warp takes neighbouring segments of about as many elements as every other;
// those of more than a few chunks are listed, in tiles, which a second launch deals out to its
// warps.
#pragma once

#include <backends/gpu/line_copies.hpp>
#include <backends/gpu/mask.hpp>
#include <backends/gpu/placed_fold.hpp>
#include <backends/gpu/tiny_row.hpp>
#include <isofold/core/folds/extremum.hpp>
#include <isofold/core/folds/sum.hpp>

namespace isofold::gpu {

// How segments are cut; launch_table.hpp fills it.
struct LongTiles {
  bool are_taken = false;      // there is such a launch
  std::int64_t most_here = 0;  // chunks of a segment that a warp folds by itself
  std::int64_t room = 0;       // for tiles of others
};

// A listed row is cut into tiles of 2^3 chunks, or of so many more that there are no more than so
// many of them: one warp folds their nodes. Warps take neighbouring tiles at the same time: where
// each had a stretch of the list to itself, with tiles of 2^2, segments of mean 65536 took 146 us
// of f32 and 273 of f64 on an H200, where they take 144 and 260.
inline constexpr int long_tile_shift = 3;
inline constexpr std::int64_t most_tiles = 1024;

ISOFOLD_DEVICE inline int long_shift_for(std::int64_t chunks) {
  int shift = long_tile_shift;
  while (chunks > most_tiles << shift) {
    ++shift;
  }
  return shift;
}

// A tile of a row that warps share.
struct LongTile {
  std::int64_t row;
  std::int64_t begin;   // of the row, in the data
  std::int64_t length;  // of the row
  std::int32_t tile;
  std::int32_t is_there;
};

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
    is_tiny_cheap<Fold>&& is_sum_or_extremum<Fold, float>;
template <class Fold>
inline constexpr bool takes_long_segments<Fold, double> =
    is_tiny_cheap<Fold>&& is_sum_or_extremum<Fold, double>;

template <class Fold>
struct LongSegmentsFold {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  static constexpr int max_threads = 768;
  static constexpr int stack_levels = core::max_root_level + 1;
  static_assert(Fold::arrays == 1, "Chunks under way are of one array.");

  Rows<Fold> rows;
  Places places;
  LongTiles tiles;
  State* nodes;             // of listed tiles
  std::uint32_t* counters;  // of listed rows; before them how many tiles are listed, and blocks
                            // that are done with them; all zero between launches
  LongTile* list;
  bool from_list;

  // A chunk that is under way, and what is to become of its state.
  struct Chunk {
    std::int64_t row;
    std::int64_t length;  // of the row
    std::int64_t begin;   // of the chunk, in the row
    int entry;            // of the list; negative: the row is folded here as a whole
    int tile;             // of the row, that entry's
    int number;           // of the chunk, in the job
    int chunks;           // of the job
    int count;            // elements of the chunk
    int shift;            // bytes before its first one
  };
  static constexpr int chunk_bytes =
      core::chunk_elements * static_cast<int>(sizeof(Element)) + cache_line_bytes;
  static_assert(chunk_bytes % cache_line_bytes == 0, "Chunks lie side by side.");
  static constexpr int slots =
      2;  // of a warp; of three, for which fewer warps fit: 2 to 5 % longer
  // Where a segment begins in the data, and how long it is.
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
  static constexpr std::size_t flag_bytes = cache_line_bytes;  // of a block

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    if constexpr (has_bulk_copies<Group>) {
      Walk<Group> walk(group, *this);
      walk.run(group);
      if (from_list && is_last_block(group, walk.flag(), counters - 1, group.blocks()) &&
          group.thread() == 0) {
        counters[-2] = 0;
      }
    }
  }

 private:
  // What a warp does: some chunks of a row.
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
    static_assert(most_tiles <= width * width, "A warp folds the nodes of a row's tiles.");

   public:
    ISOFOLD_DEVICE Walk(const Group& group, const LongSegmentsFold& of) : of_(of), place_(group) {
      auto* const shared = static_cast<char*>(group.shared());
      flag_ = reinterpret_cast<int*>(shared);
      memory_ = shared + flag_bytes + static_cast<std::size_t>(place_.warp) * warp_bytes(width);
      stack_ = reinterpret_cast<State*>(memory_ + slots * chunk_bytes);
      char* const behind = memory_ + slots * chunk_bytes + stack_bytes;
      bounds_ = reinterpret_cast<Bounds*>(behind);
      arrivals_ = reinterpret_cast<std::uint64_t*>(behind + width * sizeof(Bounds));
      if (place_.thread < slots) {
        group.begin_arrivals(arrivals_ + place_.thread);
      }
      const std::int64_t warp = group.block() * place_.warps + place_.warp;
      warps_ = group.blocks() * place_.warps;
      if (of.from_list) {
        const std::int64_t listed = of.counters[-2];
        next_ = warp;
        end_ = listed < of.tiles.room ? listed : of.tiles.room;
        load_tile();
      } else {
        begin_segments(group, warp);
      }
      group.warp_barrier();
    }

    ISOFOLD_DEVICE int* flag() const { return flag_; }

    ISOFOLD_DEVICE void run(const Group& group) {
      Chunk chunk;
      bool is_there = begin_chunk(group, 0, chunk);
      int slot = 0;
      std::uint32_t parity = 0;
      while (is_there) {
        Chunk next;
        is_there = begin_chunk(group, 1 - slot, next);
        group.wait_for_arrival(arrivals_ + slot, parity);
        group.warp_barrier();  // what others have stored of a chunk at the end of the data
        const bool goes_on = is_there && next.entry - next.tile == chunk.entry - chunk.tile;
        fold_chunk(group, slot, chunk, goes_on);
        group.warp_barrier();  // all have read it
        chunk = next;
        parity ^= slot == 1 ? 1U : 0U;
        slot = 1 - slot;
      }
    }

   private:
    ISOFOLD_DEVICE char* memory_of(int slot) const { return memory_ + slot * chunk_bytes; }

    // ---- which segments ---------------------------------------------------------------------

    ISOFOLD_DEVICE std::int64_t offset(const Group& group, std::int64_t i) const {
      return of_.places.entry(group, of_.places.begins, i);
    }

    // The segments that begin in the warp's share of all elements. Whatever the offsets are, each
    // segment is one warp's: the search does not go back as the offset that is sought grows.
    ISOFOLD_DEVICE void begin_segments(const Group& group, std::int64_t warp) {
      const std::int64_t low = offset(group, 0);
      std::int64_t all = offset(group, of_.rows.rows) - low;
      all = all > 0 ? all : 0;
      const std::int64_t share = all / warps_;
      const std::int64_t longer = all - share * warps_;  // the first shares have one more
      // Half of the warp seeks where its share begins, half where the next one does.
      const bool is_next = place_.thread >= width / 2;
      const std::int64_t sharer = warp + (is_next ? 1 : 0);
      const std::int64_t found = first_from(
          group, low + share * sharer + (sharer < longer ? sharer : longer), sharer < warps_);
      next_ = sharer <= 0 ? 0 : sharer < warps_ ? found : of_.rows.rows;
      end_ = exchange(group, next_, width / 2);
      const std::int64_t mine = next_;
      next_ = is_next ? end_ : mine;
      end_ = is_next ? mine : end_;
      found_ = next_;
    }

    // The first segment that begins at `sought` or behind it, for half of the warp: in each step an
    // interval becomes a part of it, in all of the warp.
    ISOFOLD_DEVICE std::int64_t first_from(const Group& group, std::int64_t sought,
                                           bool is_there) const {
      constexpr int parts = width / 2;
      const int thread = place_.thread % parts;
      std::int64_t low = 0;
      std::int64_t high = is_there ? of_.rows.rows : 0;  // the answer is from low to high
      for (std::int64_t most = of_.rows.rows; most > 0; most = most / parts) {
        const std::int64_t step = (high - low + parts - 1) / parts;
        const std::int64_t mine = low + (thread + 1) * step - 1;
        const bool is_before = step > 0 && mine < high && offset(group, mine) < sought;
        std::uint32_t first = is_before ? parts : static_cast<std::uint32_t>(thread);
#pragma unroll
        for (int distance = 1; distance < parts; distance *= 2) {
          const std::uint32_t other = group.exchange(first, distance);
          first = other < first ? other : first;
        }
        const std::int64_t before = low + static_cast<std::int64_t>(first) * step;
        const std::int64_t behind = step > 0 ? before + step - 1 : low;
        high = behind < high ? behind : high;
        low = before < high ? before : high;
      }
      return low;
    }

    // Loads the bounds of the next segments, one a thread; those without elements are finished.
    ISOFOLD_DEVICE void load_segments(const Group& group) {
      found_ = next_;
      const std::int64_t number = found_ + place_.thread;
      const bool exists = number < end_;
      PlacedRow<Fold> row{};
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
      next_ = found_ + width < end_ ? found_ + width : end_;
    }

    // Whether there is a next job.
    ISOFOLD_DEVICE bool next_job(const Group& group) {
      return of_.from_list ? next_listed() : next_segment(group);
    }
    ISOFOLD_DEVICE bool next_segment(const Group& group) {
      while (true) {
        while (pending_ == 0) {
          if (next_ >= end_) {
            return false;
          }
          group.warp_barrier();  // all have read the bounds before
          load_segments(group);
        }
        const std::uint32_t lowest = pending_ & -pending_;
        pending_ -= lowest;
        const int thread = bits_in(lowest - 1);
        job_ = Job{};
        job_.row = found_ + thread;
        job_.begin = bounds_[thread].begin;
        job_.length = bounds_[thread].length;
        job_.count = job_.length;
        const std::int64_t chunks = core::chunk_count(job_.length);
        if (chunks <= of_.tiles.most_here || !put(group, chunks)) {
          job_.chunks = static_cast<int>(chunks);
          return true;
        }
      }
    }

    // Puts the job's row on the list; false where that has no room for all of its tiles. All of the
    // warp call.
    ISOFOLD_DEVICE bool put(const Group& group, std::int64_t chunks) const {
      const auto all = static_cast<std::uint32_t>(TileList::pieces(chunks, long_shift_for(chunks)));
      std::uint32_t first = 0;
      if (place_.thread == 0) {
        first = group.claim(of_.counters - 2, all);
      }
      for (int distance = 1; distance < width; distance *= 2) {
        const std::uint32_t other = group.exchange(first, distance);
        first = (place_.thread & distance) != 0 ? other : first;
      }
      const bool fits = std::int64_t{first} + all <= of_.tiles.room;
      for (std::uint32_t t = static_cast<std::uint32_t>(place_.thread);
           t < all && std::int64_t{first} + t < of_.tiles.room; t += width) {
        of_.list[first + t] = {job_.row, job_.begin, job_.length, static_cast<std::int32_t>(t),
                               fits ? 1 : 0};
      }
      return fits;
    }

    // The next entry of the list is on its way while the one before it is folded.
    ISOFOLD_DEVICE void load_tile() {
      if (next_ < end_) {
        tile_ = of_.list[next_];
      }
    }
    ISOFOLD_DEVICE bool next_listed() {
      while (next_ < end_ && tile_.is_there == 0) {
        next_ += warps_;
        load_tile();
      }
      if (next_ >= end_) {
        return false;
      }
      const int shift = long_shift_for(core::chunk_count(tile_.length)) + core::chunk_shift;
      job_.row = tile_.row;
      job_.length = tile_.length;
      job_.first = std::int64_t{tile_.tile} << shift;
      job_.begin = tile_.begin + job_.first;
      const std::int64_t left = tile_.length - job_.first;
      job_.count = left < std::int64_t{1} << shift ? left : std::int64_t{1} << shift;
      job_.entry = static_cast<int>(next_);
      job_.tile = tile_.tile;
      job_.chunks = static_cast<int>(core::chunk_count(job_.count));
      job_.number = 0;
      next_ += warps_;
      load_tile();
      return true;
    }

    // ---- its chunks -------------------------------------------------------------------------

    // Begins to copy the next chunk to a slot, if there is one.
    ISOFOLD_DEVICE bool begin_chunk(const Group& group, int slot, Chunk& chunk) {
      if (job_.number == job_.chunks && !next_job(group)) {
        job_.chunks = job_.number;
        return false;
      }
      const std::int64_t before = std::int64_t{job_.number} << core::chunk_shift;
      const std::int64_t left = job_.count - before;
      const int count = left < core::chunk_elements ? static_cast<int>(left) : core::chunk_elements;
      const std::int64_t first = job_.begin + before;
      const char* const from = reinterpret_cast<const char*>(of_.rows.first.data + first);
      const int shift = shift_of(from);
      const int before_line = shift % line_bytes;
      const int bytes = count * static_cast<int>(sizeof(Element));
      const bool is_inside =
          first >= line_bytes && first + count + line_bytes <= of_.places.elements;
      const int lines = is_inside ? lines_of(before_line, bytes) : 0;
      chunk = {job_.row,    job_.length, job_.first + before,
               job_.entry,  job_.tile,   job_.number,
               job_.chunks, count,       shift};
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

    // `goes_on`: if it is of a listed row, so is the warp's next chunk.
    ISOFOLD_DEVICE void fold_chunk(const Group& group, int slot, const Chunk& at, bool goes_on) {
      TinyRow<Fold> row{};
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

    // The first thread has the state of a job. All of the warp call. Of a row's tiles that are the
    // warp's next ones it counts all with the last: that waits for memory.
    ISOFOLD_DEVICE void finish(const Group& group, const Chunk& at, const State& state,
                               bool goes_on) {
      if (at.entry < 0) {
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
      const std::int64_t chunks = core::chunk_count(at.length);
      const auto all = static_cast<std::uint32_t>(TileList::pieces(chunks, long_shift_for(chunks)));
      const int first = at.entry - at.tile;
      std::uint32_t is_last = 0;
      if (place_.thread == 0) {
        is_last = group.arrive(&of_.counters[first], done_) + done_ == all ? 1 : 0;
        if (is_last != 0) {
          of_.counters[first] = 0;
        }
      }
      done_ = 0;
      group.warp_barrier();  // what the first thread has acquired, all have
      if (largest_of_warp(group, static_cast<int>(is_last)) != 0) {
        const State root =
            fold_nodes_by_warp(group, of_.rows.fold, of_.nodes + first, static_cast<int>(all));
        if (place_.thread == 0) {
          of_.rows.write_ragged(at.row, root, at.length);
        }
      }
    }

    const LongSegmentsFold& of_;
    WarpPlace<Group> place_;
    int* flag_;
    char* memory_;
    State* stack_;
    Bounds* bounds_;  // of the segments from found_ on
    std::uint64_t* arrivals_;
    std::int64_t warps_;
    std::int64_t next_;          // segment, or entry of the list
    std::int64_t end_;           // of those
    std::int64_t found_;         // the first segment whose bounds threads hold
    std::uint32_t pending_ = 0;  // of these, those that have elements and are to be taken
    LongTile tile_{};            // entry next_ of the list
    std::uint32_t done_ = 0;     // tiles of a row that are not counted
    Job job_;
  };
};

}  // namespace isofold::gpu
