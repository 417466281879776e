// Rows that warps pack. What a mask takes (select_by_mask.hpp) and arrays that are joined
// (concatenated.hpp) come by one source, for a kernel each would multiply all that compiles.
// Kernels of their own have what a mask takes of elements in line, and boxes of runs
// (strided_runs.hpp): these have fewer registers to hold (in one kernel, interiors of f32 took 10 %
// longer on an H200).
#pragma once

#include <algorithm>

#include <backends/gpu/collective/chunk_in_shared.hpp>
#include <backends/gpu/input/concatenated.hpp>
#include <backends/gpu/input/select_by_mask.hpp>
#include <backends/gpu/input/strided_runs.hpp>
#include <backends/gpu/kernel/rows_compacted.hpp>

namespace isofold::gpu {

template <class Fold, class Stored>
class PackedElements;
template <class Fold>
class LineElements;

struct PackedPlaces {
  MaskedRows masked;
  JoinedArrays joined;
  bool joins = false;            // which of them it is
  bool is_even = false;          // or the box of `masked`, without a mask
  bool is_line = false;          // it is a LineSource
  Fault* empty_fault = nullptr;  // not null: for a row without elements

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

// What a mask takes of elements that lie one after the other, as they are computed with.
struct LineSource : PackedPlaces {
  template <class Fold>
  using Walk = LineElements<Fold>;
};

// Boxes in runs, of elements as they are computed with.
struct RunSource {
  Places places;
  std::int64_t length;  // of each row

  template <class Fold>
  using Walk = RunElements<Fold>;

  template <class Group>
  ISOFOLD_DEVICE std::int64_t taken_of(const Group&, std::int64_t) const {
    return length;
  }
  template <class Group>
  ISOFOLD_DEVICE void note_empty(const Group&, std::int64_t) const {}
};

// The state of the `count` elements from number `begin` on that fill() copies to `buffer`. All of
// the warp call; every thread gets it.
template <class Group, class Fold, class Fill>
ISOFOLD_DEVICE typename Fold::state_type fold_filled(const Group& group, const Fold& fold,
                                                     const typename Fold::element_type* buffer,
                                                     std::int64_t begin, int count, Fill&& fill) {
  fill();
  if constexpr (has_copies_to_shared<Group>) {
    group.wait_for_copies();
  }
  group.warp_barrier();
  const core::Elements<Fold> packed{buffer,
                                    Fold::arrays == 2 ? buffer + packed_stride<Fold>() : nullptr};
  const auto state = count == core::chunk_elements
                         ? fold_packed_chunk<true>(group, fold, packed, begin, count)
                         : fold_packed_chunk<false>(group, fold, packed, begin, count);
  group.warp_barrier();  // the next chunk's copies write what this one has read
  return state;
}

// The elements of a row from one of them on, as a warp copies them to shared memory.
template <class Fold, class Stored>
class PackedElements {
  using Element = typename Fold::element_type;
  using Taken = TakenElements<Fold, Stored, false>;
  using Joined = JoinedElements<Fold, Stored>;

 public:
  static constexpr int max_threads = packed_most_threads<Fold>();

  // Of shared memory: what finding needs, and the chunk.
  ISOFOLD_HOST_DEVICE static constexpr std::size_t bytes() {
    return scratch_bytes +
           sizeof(Element) * (Fold::arrays * packed_stride<Fold>() - packed_group<Fold>());
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
    return fold_filled(group, fold, buffer_, begin, count, [&] { fill(group, begin, count); });
  }

 private:
  static constexpr std::size_t scratch_bytes =
      (std::max(Taken::scratch_bytes, Joined::scratch_bytes) + 15) / 16 * 16;

  // Copies the elements to buffer[0], ...; those of the second array to
  // buffer[packed_stride<Fold>()], .... When the copies have arrived only wait_for_copies() tells.
  // All of the warp call, after a barrier that follows the last reads of the buffer, and before
  // another one.
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

// The same of a LineSource.
template <class Fold>
class LineElements {
  using Element = typename Fold::element_type;
  using Taken = TakenElements<Fold, AsComputed, true>;

 public:
  // Elements of 4 bytes have 80 registers, for 24 warps (with 96 for 20 sums of f32 took 3 % longer
  // on an H200; those of f64 with 80, or 128 for 16, 1 %).
  static constexpr bool has_few = packed_most_threads<Fold>() == 640 && sizeof(Element) == 4;
  static constexpr int max_threads = has_few ? 768 : packed_most_threads<Fold>();

  // Behind the chunk is room for a group of pieces.
  ISOFOLD_HOST_DEVICE static constexpr std::size_t bytes() {
    return Taken::scratch_bytes + sizeof(Element) * Fold::arrays * packed_stride<Fold>();
  }

  template <class Group>
  ISOFOLD_DEVICE LineElements(const Group& group, const LineSource& source,
                              const core::Elements<Fold>& first, std::int64_t row,
                              std::int64_t begin, unsigned char* memory)
      : taken_(group, source.masked, row, memory),
        buffer_(reinterpret_cast<Element*>(memory + Taken::scratch_bytes)) {
    static_assert(Taken::scratch_bytes % 16 == 0, "Chunks are aligned.");
    taken_.start(group, first, begin);
  }

  template <class Group>
  ISOFOLD_DEVICE typename Fold::state_type fold(const Group& group, const Fold& fold,
                                                std::int64_t begin, int count) {
    return fold_filled(group, fold, buffer_, begin, count,
                       [&] { taken_.fill(group, begin, count, buffer_); });
  }

 private:
  Taken taken_;
  Element* buffer_;
};

// On gfx1030 it spilled 1 to 13 vector registers, with 128 of them.
template <class Fold>
inline constexpr bool needs_registers<PackedFold<Fold, LineSource>> = true;

}  // namespace isofold::gpu
