// Rows that warps pack: what a mask takes (taken.hpp) or arrays that are joined (joined.hpp), by
// one source, for a kernel each would multiply all that compiles; and boxes of runs (runs.hpp),
// whose kernel has fewer registers to hold (in one kernel, interiors of f32 took 10 % longer on an
// H200).
#pragma once

#include <algorithm>

#include <backends/gpu/joined.hpp>
#include <backends/gpu/runs.hpp>
#include <backends/gpu/taken.hpp>

namespace isofold::gpu {

template <class Fold, class Stored>
class PackedElements;

struct PackedPlaces {
  MaskedRows masked;
  JoinedArrays joined;
  bool joins = false;            // which of them it is
  bool has_runs = false;         // the box of `masked`, without a mask
  Fault* empty_fault = nullptr;  // not null: for a row without elements

  ISOFOLD_DEVICE bool by_groups() const { return !joins && !has_runs; }

  // Elements of a row, once they are counted.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t taken_of(const Group& group, std::int64_t row) const {
    return has_runs ? masked.length : joins ? joined.elements(group) : masked.taken_of(group, row);
  }
  // What else a row without elements means; nothing beside a list that is wrong.
  template <class Group>
  ISOFOLD_DEVICE void note_empty(const Group& group, std::int64_t row) const {
    if (empty_fault != nullptr && empty_fault->found == 0) {
      complain(group, empty_fault, joins ? ISOFOLD_SHAPE_joined : ISOFOLD_SHAPE_box, row, 0);
    }
  }
};

// With how the elements are stored.
template <class StoredIn>
struct PackedSourceOf : PackedPlaces {
  using Stored = StoredIn;
  template <class Fold>
  using Walk = PackedElements<Fold, Stored>;
  Stored stored;
};
using PackedSource = PackedSourceOf<AsComputed>;

// Boxes in runs, of elements as they are computed with.
struct RunSource {
  Places places;
  std::int64_t length;  // of each row

  template <class Fold>
  using Walk = RunElements<Fold>;

  ISOFOLD_DEVICE static constexpr bool by_groups() { return false; }
  template <class Group>
  ISOFOLD_DEVICE std::int64_t taken_of(const Group&, std::int64_t) const {
    return length;
  }
  template <class Group>
  ISOFOLD_DEVICE void note_empty(const Group&, std::int64_t) const {}
};

// The elements of a row from one of them on, as a warp copies them to shared memory.
template <class Fold, class Stored>
class PackedElements {
  using Element = typename Fold::element_type;
  using Taken = TakenElements<Fold, Stored>;
  using Joined = JoinedElements<Fold, Stored>;

 public:
  static constexpr std::size_t scratch_bytes =
      std::max(Taken::scratch_bytes, Joined::scratch_bytes);

  // Those of row `row` of `first` from element number `begin` on, which exists. All of the warp
  // call; `scratch` is its own.
  template <class Group>
  ISOFOLD_DEVICE PackedElements(const Group& group, const PackedSourceOf<Stored>& source,
                                const core::Elements<Fold>& first, std::int64_t row,
                                std::int64_t begin, void* scratch)
      : joins_(source.joins),
        taken_(group, source.masked, row, scratch, source.stored),
        joined_(group, source.joined, first, scratch, source.stored) {
    if (joins_) {
      joined_.start(group, begin);
    } else {
      taken_.start(group, first, begin);
    }
  }

  // Copies the next `count` elements, from number `begin` on, which exist, to buffer[0], ...; those
  // of the second array to buffer[packed_stride<Fold>()], .... Others may be written behind them.
  // When the copies have arrived only wait_for_copies() tells. All of the warp call, after a
  // barrier that follows the last reads of the buffer, and before another one.
  template <class Group>
  ISOFOLD_DEVICE void fill(const Group& group, std::int64_t begin, int count, Element* buffer) {
    if (joins_) {
      joined_.fill(group, begin, count, buffer);
    } else {
      taken_.fill(group, begin, count, buffer);
    }
  }

 private:
  bool joins_;
  Taken taken_;
  Joined joined_;
};

}  // namespace isofold::gpu
