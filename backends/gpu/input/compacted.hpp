// The rows that warps compact, for ReduceCompacted (rows_compacted.hpp). The elements that a mask
// selects (select_by_mask.hpp) and concatenated arrays (concatenated.hpp) share one source, because
// a kernel for each would multiply all that compiles. Elements in line under a mask, and boxes of
// runs (strided_runs.hpp), have kernels of their own, which need fewer registers
// (docs/decisions/024, 049).
#pragma once

#include <algorithm>

#include <backends/gpu/collective/chunk_in_shared.hpp>
#include <backends/gpu/input/concatenated.hpp>
#include <backends/gpu/input/select_by_mask.hpp>
#include <backends/gpu/input/strided_runs.hpp>
#include <backends/gpu/kernel/rows_compacted.hpp>

namespace isofold::gpu {

template <class Fold, class Stored>
class CompactedElements;
template <class Fold>
class LineElements;

struct CompactedPlaces {
  MaskedRows masked;
  JoinedArrays joined;
  bool joins = false;            // which of them it is
  bool is_even = false;          // or the box of `masked`, without a mask
  bool is_line = false;          // it is a LineSource
  Fault* empty_fault = nullptr;  // not null: for a row without elements

  // The number of a row's elements, once they are counted.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t selected_of(const Group& group, std::int64_t row) const {
    return is_even ? masked.length
           : joins ? joined.elements(group)
                   : masked.selected_of(group, row);
  }
  // Reports a row without elements, unless a wrong list has been reported already.
  template <class Group>
  ISOFOLD_DEVICE void note_empty(const Group& group, std::int64_t row) const {
    if (empty_fault != nullptr && empty_fault->found == 0) {
      complain(group, empty_fault, joins ? ISOFOLD_SHAPE_joined : ISOFOLD_SHAPE_box, row, 0);
    }
  }
};

// These places together with the form in which the elements lie in memory.
template <class StoredIn>
struct CompactedSourceOf : CompactedPlaces {
  using Stored = StoredIn;
  template <class Fold>
  using Walk = CompactedElements<Fold, Stored>;
  Stored stored;
};
using CompactedSource = CompactedSourceOf<AsComputed>;

// The elements that a mask selects, if they lie one after the other and have the type that is
// computed with.
struct LineSource : CompactedPlaces {
  template <class Fold>
  using Walk = LineElements<Fold>;
};

// Boxes in runs, of elements that have the type that is computed with.
struct RunSource {
  Places places;
  std::int64_t length;  // of each row

  template <class Fold>
  using Walk = RunElements<Fold>;

  template <class Group>
  ISOFOLD_DEVICE std::int64_t selected_of(const Group&, std::int64_t) const {
    return length;
  }
  template <class Group>
  ISOFOLD_DEVICE void note_empty(const Group&, std::int64_t) const {}
};

// The state of the `count` elements from number `begin` on that fill() copies to `buffer`.
// Collective: every lane of the warp must call; every thread gets the state.
template <class Group, class Fold, class Fill>
ISOFOLD_DEVICE typename Fold::state_type fold_filled(const Group& group, const Fold& fold,
                                                     const typename Fold::element_type* buffer,
                                                     std::int64_t begin, int count, Fill&& fill) {
  fill();
  if constexpr (has_copies_to_shared<Group>) {
    group.wait_for_copies();
  }
  group.warp_barrier();
  const core::Elements<Fold> compacted{
      buffer, Fold::arrays == 2 ? buffer + compacted_stride<Fold>() : nullptr};
  const auto state = count == core::chunk_elements
                         ? fold_compacted_chunk<true>(group, fold, compacted, begin, count)
                         : fold_compacted_chunk<false>(group, fold, compacted, begin, count);
  group.warp_barrier();  // the next chunk's copies write what this one has read
  return state;
}

// The elements of a row from one of them on, as a warp copies them to shared memory.
template <class Fold, class Stored>
class CompactedElements {
  using Element = typename Fold::element_type;
  using Selected = SelectedElements<Fold, Stored, false>;
  using Joined = JoinedElements<Fold, Stored>;

 public:
  static constexpr int max_threads = compacted_most_threads<Fold>();

  // The shared memory of a warp: the search's data, and the chunk.
  ISOFOLD_HOST_DEVICE static constexpr std::size_t bytes() {
    return scratch_bytes +
           sizeof(Element) * (Fold::arrays * compacted_stride<Fold>() - compacted_group<Fold>());
  }

  // The elements of row `row` of `first` from number `begin` on, which exists; `memory` is the
  // warp's own. Collective: every lane of the warp must call.
  template <class Group>
  ISOFOLD_DEVICE CompactedElements(const Group& group, const CompactedSourceOf<Stored>& source,
                                   const core::Elements<Fold>& first, std::int64_t row,
                                   std::int64_t begin, unsigned char* memory)
      : joins_(source.joins),
        selected_(group, source.masked, row, memory, source.stored),
        joined_(group, source.joined, first, memory, source.stored),
        buffer_(reinterpret_cast<Element*>(memory + scratch_bytes)) {
    if (joins_) {
      joined_.start(group, begin);
    } else {
      selected_.start(group, first, begin);
    }
  }

  // The state of the next `count` elements, from number `begin` on, which exist. Collective: every
  // lane of the warp must call; every thread gets the state.
  template <class Group>
  ISOFOLD_DEVICE typename Fold::state_type fold(const Group& group, const Fold& fold,
                                                std::int64_t begin, int count) {
    return fold_filled(group, fold, buffer_, begin, count, [&] { fill(group, begin, count); });
  }

 private:
  static constexpr std::size_t scratch_bytes =
      (std::max(Selected::scratch_bytes, Joined::scratch_bytes) + 15) / 16 * 16;

  // Copies the elements to buffer[0], ...; those of the second array to
  // buffer[compacted_stride<Fold>()], .... Only wait_for_copies() tells when the copies have
  // arrived. Collective: every lane of the warp must call, after a barrier that follows the last
  // reads of the buffer, and before another one.
  template <class Group>
  ISOFOLD_DEVICE void fill(const Group& group, std::int64_t begin, int count) {
    if (joins_) {
      joined_.fill(group, begin, count, buffer_);
    } else {
      selected_.fill(group, begin, count, buffer_);
    }
  }

  bool joins_;
  Selected selected_;
  Joined joined_;
  Element* buffer_;
};

// The elements of a row of a LineSource, likewise.
template <class Fold>
class LineElements {
  using Element = typename Fold::element_type;
  using Selected = SelectedElements<Fold, AsComputed, true>;

 public:
  // Sums and the like of 4-byte elements gain by more warps; of 8 bytes they do not
  // (docs/decisions/027, 049).
  static constexpr bool has_few = compacted_most_threads<Fold>() == 640 && sizeof(Element) == 4;
  static constexpr int max_threads = has_few ? 768 : compacted_most_threads<Fold>();

  // The shared memory of a warp; there is room for a group of pieces behind the chunk.
  ISOFOLD_HOST_DEVICE static constexpr std::size_t bytes() {
    return Selected::scratch_bytes + sizeof(Element) * Fold::arrays * compacted_stride<Fold>();
  }

  template <class Group>
  ISOFOLD_DEVICE LineElements(const Group& group, const LineSource& source,
                              const core::Elements<Fold>& first, std::int64_t row,
                              std::int64_t begin, unsigned char* memory)
      : selected_(group, source.masked, row, memory),
        buffer_(reinterpret_cast<Element*>(memory + Selected::scratch_bytes)) {
    static_assert(Selected::scratch_bytes % 16 == 0, "Chunks are aligned.");
    selected_.start(group, first, begin);
  }

  template <class Group>
  ISOFOLD_DEVICE typename Fold::state_type fold(const Group& group, const Fold& fold,
                                                std::int64_t begin, int count) {
    return fold_filled(group, fold, buffer_, begin, count,
                       [&] { selected_.fill(group, begin, count, buffer_); });
  }

 private:
  Selected selected_;
  Element* buffer_;
};

// This kernel spills vector registers on gfx1030 if it has 128 of them.
template <class Fold>
inline constexpr bool needs_registers<ReduceCompacted<Fold, LineSource>> = true;

}  // namespace isofold::gpu
