// Rows that warps pack: what a mask takes (taken.hpp) or arrays that are joined (joined.hpp), by
// one source, for a kernel each would multiply all that compiles; and boxes of runs (runs.hpp),
// whose kernel has fewer registers to hold (in one kernel, interiors of f32 took 10 % longer on an
// H200).
#pragma once

#include <algorithm>

#include <backends/gpu/joined.hpp>
#include <backends/gpu/packed_chunk.hpp>
#include <backends/gpu/runs.hpp>
#include <backends/gpu/taken.hpp>

namespace isofold::gpu {

template <class Fold, class Stored>
class PackedElements;

struct PackedPlaces {
  MaskedRows masked;
  JoinedArrays joined;
  bool joins = false;            // which of them it is
  bool is_even = false;          // or the box of `masked`, without a mask
  Fault* empty_fault = nullptr;  // not null: for a row without elements

  ISOFOLD_DEVICE bool by_groups() const { return !joins; }

  // Elements of a row, once they are counted.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t taken_of(const Group& group, std::int64_t row) const {
    return is_even ? masked.length : joins ? joined.elements(group) : masked.taken_of(group, row);
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
  static constexpr int max_threads = packed_most_threads<Fold>();

  // Of shared memory: what finding needs, and the chunk. Behind that is room for a group, where
  // elements may come by groups: not elsewhere, for what shared memory does not take is L1, in
  // which elements that are on their way have their place.
  ISOFOLD_HOST_DEVICE static constexpr std::size_t bytes(bool by_groups) {
    return scratch_bytes + sizeof(Element) * (Fold::arrays * packed_stride<Fold>() -
                                              (by_groups ? 0 : packed_group<Fold>()));
  }

  // Those of row `row` of `first` from element number `begin` on, which exists. All of the warp
  // call; `memory` is its own.
  template <class Group>
  ISOFOLD_DEVICE PackedElements(const Group& group, const PackedSourceOf<Stored>& source,
                                const core::Elements<Fold>& first, std::int64_t row,
                                std::int64_t begin, unsigned char* memory)
      : joins_(source.joins),
        taken_(group, source.masked, row, memory, source.stored),
        joined_(group, source.joined, first, memory, source.stored),
        buffer_(reinterpret_cast<Element*>(memory + scratch_bytes)) {
    if (joins_) {
      joined_.start(group, begin);
    } else {
      taken_.start(group, first, begin);
    }
  }

  // The state of the next `count` elements, from number `begin` on, which exist. All of the warp
  // call; every thread gets it.
  template <class Group>
  ISOFOLD_DEVICE typename Fold::state_type fold(const Group& group, const Fold& fold,
                                                std::int64_t begin, int count) {
    fill(group, begin, count);
    if constexpr (has_copies_to_shared<Group>) {
      group.wait_for_copies();
    }
    group.warp_barrier();
    const core::Elements<Fold> packed{
        buffer_, Fold::arrays == 2 ? buffer_ + packed_stride<Fold>() : nullptr};
    const auto state = count == core::chunk_elements
                           ? fold_packed_chunk<true>(group, fold, packed, begin, count)
                           : fold_packed_chunk<false>(group, fold, packed, begin, count);
    group.warp_barrier();  // the next chunk's copies write what this one has read
    return state;
  }

 private:
  static constexpr std::size_t scratch_bytes =
      (std::max(Taken::scratch_bytes, Joined::scratch_bytes) + 15) / 16 * 16;

  // Copies the elements to buffer[0], ...; those of the second array to
  // buffer[packed_stride<Fold>()], .... Others may be written behind them. When the copies have
  // arrived only wait_for_copies() tells. All of the warp call, after a barrier that follows the
  // last reads of the buffer, and before another one.
  template <class Group>
  ISOFOLD_DEVICE void fill(const Group& group, std::int64_t begin, int count) {
    if (joins_) {
      joined_.fill(group, begin, count, buffer_);
    } else {
      taken_.fill(group, begin, count, buffer_);
    }
  }

  bool joins_;
  Taken taken_;
  Joined joined_;
  Element* buffer_;
};

}  // namespace isofold::gpu
