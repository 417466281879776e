// The walk over boxes of another order than their memory, such as those whose first index is the
// nearest. Elements that share a line of the cache belong to neighbouring slabs there: stretches of
// a row. So several slabs are gathered at once, in L2, and their chunks folded there: of long slabs
// chunk after chunk of as many as share a line, of short ones some chunks of a row. Their states go
// to workspace, and are joined at the end.
#pragma once

#include <float_environment.hpp>
#include <omp.h>

#include "nodes.hpp"

namespace isofold::openmp {
namespace {

using isofold_openmp::Plan;

class SlabWalk {
 public:
  SlabWalk(const AnyNodes& nodes, const Stage& stage, const Plan& plan)
      : nodes_(nodes),
        stage_(stage),
        plan_(plan),
        slabs_(isofold_packed::slabs_of(*plan.packed)),
        chunks_(core::chunk_count(nodes.request.length)),
        lines_((slabs_.neighbours + at_once() - 1) / at_once()),
        sides_(nodes.request.length / (slabs_.length * slabs_.neighbours)),
        ranges_(is_long()
                    ? lines_ * sides_ * ranges_of(core::chunk_count(slabs_.length), long_range)
                    : ranges_of(chunks_, short_range())),
        arrays_(nodes.request.second != nullptr ? 2 : 1) {}

  // The threads that were granted.
  int walk() const {
    const std::int64_t units = nodes_.request.rows * ranges_;
    if (plan_.threads <= 1) {
      for (std::int64_t unit = 0; unit < units; ++unit) {
        fold_unit(unit);
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
      if (omp_get_thread_num() == 0) {
        granted = omp_get_num_threads();
      }
#pragma omp for schedule(dynamic)
      for (std::int64_t unit = 0; unit < units; ++unit) {
        fold_unit(unit);
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
  static constexpr std::int64_t long_range = 32;         // chunks, and one is gathered besides
  // Slabs a little farther apart than two chunks, off the distance that the ways of a cache collide
  // at.
  static constexpr std::int64_t pitch = 2 * chunk + line_bytes;
  struct Room {
    alignas(64) unsigned char gathered[line_bytes * pitch];
    alignas(64) unsigned char converted[chunk * 8];
  };

  static std::int64_t ranges_of(std::int64_t chunks, std::int64_t of_range) {
    return (chunks + of_range - 1) / of_range;
  }
  bool is_long() const { return slabs_.length >= least_long; }
  void fold_unit(std::int64_t unit) const {
    const std::int64_t row = unit / ranges_;
    is_long() ? fold_long(row, unit % ranges_) : fold_short(row, unit % ranges_);
  }
  int at_once() const { return static_cast<int>(line_bytes / stage_.element_bytes); }
  std::int64_t short_range() const { return 2 * at_once(); }  // chunks that a room holds

  // One of the row's ranges: some chunks of slabs side by side.
  __attribute__((noinline)) void fold_long(std::int64_t row, std::int64_t range) const {
    Room room[2];
    const std::int64_t side = range / lines_ % sides_;
    const std::int64_t first = range % lines_ * at_once();
    const std::int64_t left = slabs_.neighbours - first;
    const int slabs = left < at_once() ? static_cast<int>(left) : at_once();
    const std::int64_t slab = side * slabs_.neighbours + first;
    const std::int64_t all = core::chunk_count(slabs_.length);
    const std::int64_t begin = range / (lines_ * sides_) * long_range;
    const std::int64_t end = all - begin < long_range ? all : begin + long_range;
    gather_window(row, slab, slabs, begin * chunk, 0, room);
    for (std::int64_t n = begin; n < end; ++n) {
      gather_window(row, slab, slabs, (n + 1) * chunk, chunk, room);
      for (int s = 0; s < slabs; ++s) {
        const std::int64_t before = (slab + s) * slabs_.length;
        const std::int64_t phase = -before & (chunk - 1);  // where the slab's first chunk begins
        if (phase + n * chunk < slabs_.length) {
          fold_chunk(row, ((before + phase) >> core::chunk_shift) + n, s * pitch + phase, room);
        }
      }
      move_window(slabs, room);
    }
  }
  // A chunk's worth of each slab from element `first` on, or of what follows it in the row, to
  // element `to` of its part of the room.
  void gather_window(std::int64_t row, std::int64_t slab, int slabs, std::int64_t first,
                     std::int64_t to, Room (&room)[2]) const {
    const std::int64_t left = slabs_.length - first;
    const std::int64_t inside = left < 0 ? 0 : left < chunk ? left : chunk;
    const std::int64_t side_ends = slabs_.neighbours - slab % slabs_.neighbours;
    const int next = slabs < side_ends ? slabs : slabs - 1;  // side by side, too
    const bool is_last = (slab + slabs) * slabs_.length >= nodes_.request.length;
    for (int a = 0; a < arrays_; ++a) {
      if (inside > 0) {
        gather(a, row, slab, slabs, first, inside, to, room);
      }
      if (inside < chunk) {
        const std::int64_t begin = first + inside - slabs_.length;
        gather(a, row, slab + 1, next, begin, chunk - inside, to + inside, room);
        if (next < slabs && !is_last) {
          gather(a, row, slab + slabs, 1, begin, chunk - inside, next * pitch + to + inside, room);
        }
      }
    }
  }
  void gather(int which, std::int64_t row, std::int64_t slab, int slabs, std::int64_t first,
              std::int64_t count, std::int64_t to, Room (&room)[2],
              std::int64_t apart = pitch) const {
    isofold_packed::gather_slabs(*plan_.packed, which, row, slab, slabs, first, count,
                                 room[which].gathered + to * stage_.element_bytes, apart);
  }
  void move_window(int slabs, Room (&room)[2]) const {
    const std::int64_t bytes = chunk * stage_.element_bytes;
    for (int a = 0; a < arrays_; ++a) {
      for (int s = 0; s < slabs; ++s) {
        unsigned char* const own = room[a].gathered + s * pitch * stage_.element_bytes;
        std::memcpy(own, own + bytes, static_cast<std::size_t>(bytes));
      }
    }
  }

  // One of the row's ranges, consecutive chunks.
  __attribute__((noinline)) void fold_short(std::int64_t row, std::int64_t range) const {
    Room room[2];
    const std::int64_t first = range * short_range();
    const std::int64_t last = first + short_range() < chunks_ ? first + short_range() : chunks_;
    const std::int64_t begin = first * chunk;
    const std::int64_t n = nodes_.request.length;
    const std::int64_t end = last * chunk < n ? last * chunk : n;
    for (std::int64_t at = begin; at < end;) {
      const std::int64_t slab = at / slabs_.length;
      const std::int64_t before = at - slab * slabs_.length;
      const std::int64_t whole = (end - at) / slabs_.length;
      const std::int64_t side_ends = slabs_.neighbours - slab % slabs_.neighbours;
      const bool is_part = before > 0 || whole == 0;
      const std::int64_t rest = slabs_.length - before;
      const std::int64_t count = !is_part ? slabs_.length : rest < end - at ? rest : end - at;
      const int slabs = is_part ? 1 : static_cast<int>(whole < side_ends ? whole : side_ends);
      for (int a = 0; a < arrays_; ++a) {
        gather(a, row, slab, slabs, before, count, at - begin, room, slabs_.length);
      }
      at += slabs * count;
    }
    for (std::int64_t number = first; number < last; ++number) {
      fold_chunk(row, number, (number - first) * chunk, room);
    }
  }

  // Chunk number `number` of the row, whose elements are there from number `at` on.
  void fold_chunk(std::int64_t row, std::int64_t number, std::int64_t at, Room (&room)[2]) const {
    const std::int64_t begin = number << core::chunk_shift;
    const std::int64_t left = nodes_.request.length - begin;
    const std::int64_t count = left < chunk ? left : chunk;
    const void* x[2] = {nullptr, nullptr};
    for (int a = 0; a < arrays_; ++a) {
      x[a] = room[a].gathered + at * stage_.element_bytes;
      if (stage_.convert != nullptr) {
        stage_.convert(x[a], count, room[a].converted);
        x[a] = room[a].converted;
      }
    }
    nodes_.fold.chunk(nodes_.request, x[0], x[1], begin, static_cast<int>(count),
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
  std::int64_t lines_;   // of slabs side by side
  std::int64_t sides_;   // of a row
  std::int64_t ranges_;  // likewise
  int arrays_;
};

}  // namespace
}  // namespace isofold::openmp
