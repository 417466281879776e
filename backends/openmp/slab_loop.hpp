// The loop over transposed boxes: those of another order than their memory, such as boxes whose
// first index is the nearest. Elements that share a line of the cache belong to neighbouring slabs
// there: stretches of a row. Slabs of whole chunks are folded where they lie, as columns are, by
// folds of one pass. Other slabs are gathered, as many at once as lie in some lines, in L2, and
// their chunks are folded there: chunk after chunk of long slabs, some chunks of a row of short
// ones. All states go to workspace, and are combined at the end.
#pragma once

#include <api/float_environment.hpp>
#include <omp.h>

#include "nodes.hpp"

namespace isofold::openmp {
namespace {

using isofold_openmp::Plan;
using isofold_openmp::strip_bytes;

class SlabLoop {
 public:
  SlabLoop(const AnyNodes& nodes, const Stage& stage, const Plan& plan)
      : nodes_(nodes),
        stage_(stage),
        plan_(plan),
        slabs_(isofold_packed::slabs_of(*plan.packed)),
        chunks_(core::chunk_count(nodes.request.length)),
        sides_(nodes.request.length / (slabs_.length * slabs_.neighbours)),
        arrays_(nodes.request.second != nullptr ? 2 : 1),
        columns_(are_columns() ? strips_in(slabs_.neighbours) : 0),
        blocks_(ranges_of(columns_, in_block())),
        lines_(ranges_of(slabs_.neighbours - columns_, at_once())),
        apart_(apart()),
        column_ranges_(sides_ * blocks_ * chunks_of_slab()),
        range_(is_long() ? long_range() : short_range()),
        ranges_(!is_long()
                    ? ranges_of(chunks_, range_)
                    : column_ranges_ + lines_ * sides_ * ranges_of(chunks_of_slab(), range_)) {}

  // Returns the number of threads that were granted.
  int walk() const {
    const std::int64_t units = nodes_.request.rows * ranges_;
    if (plan_.threads <= 1) {
      for (std::int64_t unit = 0; unit < units; ++unit) {
        fold_unit(unit, 0);
      }
      for (std::int64_t row = 0; row < nodes_.request.rows; ++row) {
        join_chunks(row);
      }
      return 1;
    }
    int granted = 1;
#pragma omp parallel num_threads(plan_.threads)
    {
      const FloatEnvironment environment;
      const int thread = omp_get_thread_num();
      if (thread == 0) {
        granted = omp_get_num_threads();
      }
#pragma omp for schedule(dynamic)
      for (std::int64_t unit = 0; unit < units; ++unit) {
        fold_unit(unit, thread);
      }
#pragma omp for schedule(static)
      for (std::int64_t row = 0; row < nodes_.request.rows; ++row) {
        join_chunks(row);
      }
    }
    return granted;
  }

 private:
  static constexpr std::int64_t chunk = core::chunk_elements;
  static constexpr std::int64_t least_long = 2 * chunk;  // elements of a slab
  static constexpr std::int64_t most_range = 32;         // chunks, and one is gathered besides
  static constexpr std::int64_t least_range = 4;
  static constexpr std::int64_t units_a_thread = 4;
  static constexpr std::size_t state_room = 65536;  // bytes
  static_assert(state_room >= strip_bytes * core::most_state_bytes, "A strip's states have room.");
  static constexpr std::int64_t cache_line = 64;  // bytes
  // 128 slabs that begin a multiple of this apart share eight sets of an L1.
  static constexpr std::int64_t colliding_bytes = 512;
  static constexpr std::int64_t row_bytes = isofold_openmp::slab_row_bytes;
  static constexpr std::int64_t piece = isofold_openmp::slab_piece;
  static constexpr std::int64_t pitch = isofold_openmp::slab_pitch;
  static_assert(piece % 8 == 0 && pitch >= chunk + piece, "A slab has room for both.");
  static_assert(pitch >= chunk + cache_line, "A chunk has room for a line of bytes besides.");
  static_assert(row_bytes <= isofold_packed::most_gathered, "A slab is a byte wide at least.");

  static std::int64_t ranges_of(std::int64_t all, std::int64_t of_range) {
    return (all + of_range - 1) / of_range;
  }
  bool has_whole_chunks() const { return slabs_.length % chunk == 0; }
  bool is_long() const { return slabs_.length >= least_long || has_whole_chunks(); }
  std::int64_t chunks_of_slab() const { return core::chunk_count(slabs_.length); }
  void fold_unit(std::int64_t unit, int thread) const {
    auto* const room = static_cast<unsigned char*>(plan_.rooms) +
                       static_cast<std::size_t>(thread) * isofold_openmp::slab_room_bytes;
    const std::int64_t row = unit / ranges_;
    const std::int64_t range = unit % ranges_;
    if (!is_long()) {
      fold_short(row, range, room);
    } else if (range < column_ranges_) {
      fold_columns(row, range);
    } else {
      fold_long(row, range - column_ranges_, room);
    }
  }

  // This tells whether a side's slabs are columns for a fold that takes such: as they lie, and
  // their chunks begin together.
  bool are_columns() const {
    const VectorFold::Columns& columns = nodes_.fold.columns;
    return columns.fold != nullptr && stage_.convert == nullptr && has_whole_chunks() &&
           slabs_.neighbours >= columns.strip &&
           isofold_packed::slabs_lie_side_by_side(*plan_.packed, arrays_ - 1);
  }
  std::int64_t strips_in(std::int64_t slabs) const {
    return slabs / nodes_.fold.columns.strip * nodes_.fold.columns.strip;
  }
  // The number of slabs at once whose states have room.
  std::int64_t in_block() const {
    const auto room = static_cast<std::int64_t>(state_room / nodes_.fold.state_bytes);
    const std::int64_t most = room < nodes_.fold.columns.most ? room : nodes_.fold.columns.most;
    return columns_ > 0 ? in_equal_parts(columns_, strips_in(most), nodes_.fold.columns.strip) : 1;
  }

  // Folds a chunk of each of some slabs side by side.
  void fold_columns(std::int64_t row, std::int64_t range) const {
    const std::int64_t side = range / (blocks_ * chunks_of_slab());
    const std::int64_t first = range / chunks_of_slab() % blocks_ * in_block();
    const std::int64_t begin = range % chunks_of_slab() * chunk;
    const std::int64_t left = columns_ - first;
    const auto slabs = static_cast<int>(left < in_block() ? left : in_block());
    const std::int64_t before = (side * slabs_.neighbours + first) * slabs_.length + begin;
    alignas(64) unsigned char states[state_room];
    fold_as_they_lie<2>(nodes_, stage_, {row, before, chunk}, slabs, slabs_.length, states);
    for (int s = 0; s < slabs; ++s) {
      std::memcpy(state(row, (before + s * slabs_.length) >> core::chunk_shift),
                  states + static_cast<std::size_t>(s) * nodes_.fold.state_bytes,
                  nodes_.fold.state_bytes);
    }
  }

  int at_once() const { return static_cast<int>(row_bytes / stage_.element_bytes / arrays_); }
  std::int64_t long_range() const {
    std::int64_t range = most_range;
    const std::int64_t lines = nodes_.request.rows * sides_ * lines_;
    while (range > least_range &&
           lines * ranges_of(chunks_of_slab(), range) < units_a_thread * plan_.threads) {
      range /= 2;
    }
    return range;
  }
  // The number of chunks in a range: as many as a room holds, or fewer for more threads and for
  // shorter slabs, of which few chunks lie side by side already (docs/decisions/049).
  std::int64_t short_range() const {
    const std::int64_t side_by_side = at_once() * slabs_.length >> core::chunk_shift;
    std::int64_t range = least(at_once(), side_by_side > most_range ? side_by_side : most_range);
    while (range > least_range &&
           nodes_.request.rows * ranges_of(chunks_, range) < units_a_thread * plan_.threads) {
      range /= 2;
    }
    return range;
  }

  // Folds one of the row's ranges: some chunks of slabs side by side. They are gathered piece by
  // piece, each slab's from where the chunk before it ended.
  __attribute__((noinline)) void fold_long(std::int64_t row, std::int64_t range,
                                           unsigned char* room) const {
    const std::int64_t side = range / lines_ % sides_;
    const std::int64_t first = columns_ + range % lines_ * at_once();
    const std::int64_t left = slabs_.neighbours - first;
    const int slabs = left < at_once() ? static_cast<int>(left) : at_once();
    const std::int64_t slab = side * slabs_.neighbours + first;
    const std::int64_t all = chunks_of_slab();
    const std::int64_t begin = range / (lines_ * sides_) * range_;
    const std::int64_t end = all - begin < range_ ? all : begin + range_;
    const std::int64_t behind_all = has_whole_chunks() ? end : end + 1;
    for (std::int64_t at = begin * chunk; at < behind_all * chunk; at += piece) {
      gather_piece(row, slab, slabs, at, room);
      for (int s = 0; s < slabs; ++s) {
        const std::int64_t behind = in_chunk(slab + s, at) + piece - chunk;
        if (behind >= 0) {
          const std::int64_t before = at + piece - behind - chunk;  // elements of the slab
          const std::int64_t index = (slab + s) * slabs_.length + before;
          if (before >= begin * chunk && before < end * chunk && before < slabs_.length) {
            fold_chunk(row, index >> core::chunk_shift, s * pitch, room);
          }
          move_rest(s, behind, room);
        }
      }
    }
  }
  // How many elements of its chunk are before element `at` of a slab.
  std::int64_t in_chunk(std::int64_t slab, std::int64_t at) const {
    return (slab * slabs_.length + at) & (chunk - 1);
  }
  // Gathers a piece of each slab from element `at` on, or of what follows it in the row.
  void gather_piece(std::int64_t row, std::int64_t slab, int slabs, std::int64_t at,
                    unsigned char* room) const {
    const std::int64_t left = slabs_.length - at;
    const std::int64_t inside = left < 0 ? 0 : left < piece ? left : piece;
    const std::int64_t side_ends = slabs_.neighbours - slab % slabs_.neighbours;
    const int next = slabs < side_ends ? slabs : slabs - 1;  // side by side, too
    const bool is_last = (slab + slabs) * slabs_.length >= nodes_.request.length;
    for (int a = 0; a < arrays_; ++a) {
      void* to[isofold_packed::most_gathered];
      for (int s = 0; s < slabs; ++s) {
        to[s] = room_of(a, s * pitch + in_chunk(slab + s, at), room);
      }
      if (inside > 0) {
        gather(a, row, slab, slabs, at, inside, to);
      }
      if (inside < piece) {
        for (int s = 0; s < slabs; ++s) {
          to[s] = static_cast<char*>(to[s]) + inside * stage_.element_bytes;
        }
        const std::int64_t begin = at + inside - slabs_.length;
        gather(a, row, slab + 1, next, begin, piece - inside, to);
        if (next < slabs && !is_last) {
          gather(a, row, slab + slabs, 1, begin, piece - inside, to + next);
        }
      }
    }
  }
  void gather(int which, std::int64_t row, std::int64_t slab, int slabs, std::int64_t first,
              std::int64_t count, void* const* to) const {
    isofold_packed::gather_slabs(*plan_.packed, which, row, slab, slabs, first, count, to);
  }
  // The address of an array's element number `at` in the room.
  unsigned char* room_of(int which, std::int64_t at, unsigned char* room) const {
    return room + (which * at_once() * pitch + at) * stage_.element_bytes;
  }
  // Moves to the front what has been gathered behind a slab's chunk.
  void move_rest(int s, std::int64_t count, unsigned char* room) const {
    for (int a = 0; a < arrays_; ++a) {
      std::memcpy(room_of(a, s * pitch, room), room_of(a, s * pitch + chunk, room),
                  static_cast<std::size_t>(count * stage_.element_bytes));
    }
  }

  // Folds one of the row's ranges, consecutive chunks.
  __attribute__((noinline)) void fold_short(std::int64_t row, std::int64_t range,
                                            unsigned char* room) const {
    const std::int64_t first = range * range_;
    const std::int64_t last = least(first + range_, chunks_);
    const std::int64_t begin = first * chunk;
    const std::int64_t n = nodes_.request.length;
    const std::int64_t end = least(last * chunk, n);
    for (std::int64_t at = begin; at < end;) {
      const std::int64_t slab = at / slabs_.length;
      const std::int64_t before = at - slab * slabs_.length;
      const std::int64_t side_ends = slabs_.neighbours - slab % slabs_.neighbours;
      const std::int64_t whole = least((end - at) / slabs_.length, side_ends);
      const std::int64_t rest = least(slabs_.length - before, end - at);
      const bool is_part = before > 0 || whole == 0;
      const std::int64_t count = is_part ? rest : slabs_.length;
      const auto slabs =
          is_part ? 1 : static_cast<int>(least(whole, isofold_packed::most_gathered));
      const std::int64_t step = apart_ > 0 ? step_in_chunk() : count;
      for (std::int64_t i = 0; i < count; i += step) {
        gather_short(row, slab, slabs, before + i, step, at - begin + i, count, room);
      }
      at += slabs * count;
    }
    for (std::int64_t number = first; number < last; ++number) {
      fold_chunk(row, number, short_place((number - first) * chunk), room);
    }
  }
  // Gathers the elements [first, first + count) of some slabs: the first slab's go to element
  // number `at` of the range, the next one's `distance` behind it.
  void gather_short(std::int64_t row, std::int64_t slab, int slabs, std::int64_t first,
                    std::int64_t count, std::int64_t at, std::int64_t distance,
                    unsigned char* room) const {
    for (int a = 0; a < arrays_; ++a) {
      void* to[isofold_packed::most_gathered];
      for (int s = 0; s < slabs; ++s) {
        to[s] = room_of(a, short_place(at + s * distance), room);
      }
      gather(a, row, slab, slabs, first, count, to);
    }
  }
  // The place of element number `i` of a short range: its chunks are one after the other, but with
  // a line of the cache between them where slabs would lie at a distance at which the ways of a
  // cache collide (docs/decisions/040). A slab's elements then go to their places in steps that
  // cross no chunk.
  std::int64_t short_place(std::int64_t i) const { return i + (i >> core::chunk_shift) * apart_; }
  std::int64_t step_in_chunk() const { return least(slabs_.length & -slabs_.length, chunk); }
  std::int64_t apart() const {
    return step_in_chunk() * stage_.element_bytes < colliding_bytes
               ? 0
               : cache_line / stage_.element_bytes;
  }
  static std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

  // Folds chunk number `number` of the row, whose elements are in the room from number `at` on.
  void fold_chunk(std::int64_t row, std::int64_t number, std::int64_t at,
                  unsigned char* room) const {
    const std::int64_t begin = number << core::chunk_shift;
    const std::int64_t left = nodes_.request.length - begin;
    const std::int64_t count = left < chunk ? left : chunk;
    const void* x[2] = {nullptr, nullptr};
    alignas(64) unsigned char converted[2][chunk * 8];
    for (int a = 0; a < arrays_; ++a) {
      x[a] = room_of(a, at, room);
      if (stage_.convert != nullptr) {
        stage_.convert(x[a], count, converted[a]);
        x[a] = converted[a];
      }
    }
    nodes_.fold.chunk[0](nodes_.request, x[0], x[1], begin, static_cast<int>(count),
                         state(row, number));
  }
  unsigned char* state(std::int64_t row, std::int64_t number) const {
    return static_cast<unsigned char*>(plan_.states) +
           static_cast<std::size_t>(row * chunks_ + number) * nodes_.fold.state_bytes;
  }
  __attribute__((noinline)) void join_chunks(std::int64_t row) const {
    core::Run<AnyNodes::Combine> run(nodes_.combine());
    for (std::int64_t number = 0; number < chunks_; ++number) {
      AnyState chunk_state;
      std::memcpy(chunk_state.bytes, state(row, number), nodes_.fold.state_bytes);
      run.push(0, number, chunk_state);
    }
    nodes_.write(row, run.root(), nodes_.request.length);
  }

  const AnyNodes& nodes_;
  const Stage& stage_;
  const Plan& plan_;
  isofold_packed::Slabs slabs_;
  std::int64_t chunks_;  // of a row
  std::int64_t sides_;   // likewise
  int arrays_;
  std::int64_t columns_;        // slabs of a side that are folded where they lie,
  std::int64_t blocks_;         // in so many blocks,
  std::int64_t lines_;          // and lines of those that are gathered
  std::int64_t apart_;          // chunks of a short range, elements
  std::int64_t column_ranges_;  // of a row
  std::int64_t range_;          // chunks: of a slab, or of the row
  std::int64_t ranges_;         // all of a row
};

}  // namespace
}  // namespace isofold::openmp
