// The folds that are made of extrema: minmax and the locations. Each extremum comes from the loop
// of minima (block_fold.hpp); its place is then sought in the first group of chunks whose lanes
// have it, by one comparison of bits for each vector. Keys of all elements, compared with their
// indices, are slower (docs/decisions/034).
#pragma once

#include <isofold/detail/core/folds/extent.hpp>
#include <isofold/detail/core/folds/location.hpp>

#include "block_fold.hpp"
#include "same_states.hpp"

namespace isofold::openmp {
namespace {

template <class T, core::Toward toward, int bits>
struct BlockExtremum {
  using Block = BlockFold<Lanes<core::Extremum<T, toward>, bits>>;
  using Groups = typename Block::Groups;
  using Keys = core::Keys<T, toward>;
  static constexpr int width = bits / 8 / static_cast<int>(sizeof(T));
  static constexpr int group_elements = core::chunk_elements * group_chunks;
  using V = Vector<T, width>;
  using Bits = Vector<core::bits_t<T>, width>;

  // The extremum of 1 to block_elements elements; a NaN is the canonical one. One chunk has no
  // groups.
  template <int streams>
  static __attribute__((noinline)) T value(const T* x, int count, Groups& groups) {
    groups.count = 0;
    return count <= core::chunk_elements ? Block::fold_one(x, count)
                                         : Block::template fold<streams>(x, count, groups);
  }
  template <int streams>
  static T value(const T* x, int count) {
    Groups groups;
    return value<streams>(x, count, groups);
  }

  // The extremum's key, and the index of the first or the last element that has it, as a fold's
  // lane.
  template <int streams>
  static core::Indexed<core::signed_t<T>> located(const T* x, int count, bool last) {
    Groups groups;
    const T found = value<streams>(x, count, groups);
    const auto index = static_cast<core::signed_t<T>>(
        last ? last_place(x, end_of_groups(groups, count, found), found)
             : first_place(x, begin_of_groups(groups, found), count, found));
    return {Keys::of(found), last ? ~index : index};
  }

 private:
  // The place from which on, or up to which, the groups have the extremum. None has a NaN, which is
  // then anywhere; and zeros of both signs are equal here, but none lies on the other side.
  static int begin_of_groups(const Groups& groups, T found) {
    int g = 0;
    while (g < groups.count && !holds_value(groups.of[g], found)) {
      ++g;
    }
    return g < groups.count ? g * group_elements : 0;
  }
  static int end_of_groups(const Groups& groups, int count, T found) {
    int g = groups.count;
    while (g > 0 && !holds_value(groups.of[g - 1], found)) {
      --g;
    }
    const int end = g * group_elements;
    return 0 < end && end < count ? end : count;
  }
  static ISOFOLD_INLINE bool holds_value(const V& v, T found) {
    return any_set((Bits)(v == broadcast<V>(found)));
  }

  static bool is(T x, T found) {
    if constexpr (core::is_floating<T>) {
      if (found != found) {
        return x != x;
      }
    }
    return core::bit_cast<core::bits_t<T>>(x) == core::bit_cast<core::bits_t<T>>(found);
  }
  // This tells whether one of a vector's elements is the extremum.
  static ISOFOLD_INLINE bool holds(const T* x, T found) {
    const V v = load<V>(x);
    if constexpr (core::is_floating<T>) {
      if (found != found) {
        return any_set((Bits)(v != v));
      }
    }
    return any_set((Bits)((Bits)v == (Bits)broadcast<V>(found)));
  }

  static __attribute__((noinline)) int first_place(const T* x, int begin, int count, T found) {
    int i = begin;
    while (i + width <= count && !holds(x + i, found)) {
      i += width;
    }
    while (!is(x[i], found)) {
      ++i;
    }
    return i;
  }
  static __attribute__((noinline)) int last_place(const T* x, int count, T found) {
    int end = count;
    while (end >= width && !holds(x + end - width, found)) {
      end -= width;
    }
    while (!is(x[end - 1], found)) {
      --end;
    }
    return end - 1;
  }
};

// MadeOfExtrema<Fold>::fold<bits, streams>(fold, x, begin, count), where the fold is one, of nodes
// up to `level`. Two extrema are sought chunk by chunk, for the second then finds the chunk in L1;
// groups of four chunks are faster in L2 alone (docs/decisions/034). The next chunk may be
// prefetched meanwhile.
template <class Fold>
struct MadeOfExtrema : std::false_type {
  static constexpr int level = 0;
};

template <class T>
struct MadeOfExtrema<core::MinimumMaximum<T>> : std::true_type {
  static constexpr int level = block_level;
  template <int bits, int streams>
  static core::Two<T> fold(const core::MinimumMaximum<T>& fold, const T* x, std::int64_t,
                           int count) {
    core::Two<T> both = of_chunk<bits, streams>(x, at_most(count, core::chunk_elements));
    for (int i = core::chunk_elements; i < count; i += core::chunk_elements) {
      both = fold.combine(both,
                          of_chunk<bits, streams>(x + i, at_most(count - i, core::chunk_elements)));
    }
    return both;
  }

 private:
  template <int bits, int streams>
  static ISOFOLD_INLINE core::Two<T> of_chunk(const T* x, int count) {
    using Lowest = BlockExtremum<T, core::Toward::lowest, bits>;
    using Highest = BlockExtremum<T, core::Toward::highest, bits>;
    constexpr int half = core::chunk_elements / 2;
    ask_for_next<streams>(x);
    const T lowest = Lowest::template value<streams>(x, count);
    ask_for_next<streams>(x + half);
    return {lowest, Highest::template value<streams>(x, count)};
  }
  // Prefetches the half of a chunk that begins a chunk after `x`.
  template <int streams>
  static ISOFOLD_INLINE void ask_for_next(const T* x) {
    if constexpr (streams == prefetched) {
      for (int i = 0; i < core::chunk_elements / 2; i += core::lanes) {
        ask_for_row_after<core::chunk_elements * sizeof(T)>(x + i);
      }
    }
  }
};
template <class T, core::Toward toward>
struct MadeOfExtrema<LocateEither<T, toward>> : std::true_type {
  static constexpr int level = block_level;
  template <int bits, int streams>
  static core::LocationState fold(const LocateEither<T, toward>& fold, const T* x,
                                  std::int64_t begin, int count) {
    using Extremum = BlockExtremum<T, toward, bits>;
    return fold.chunk(Extremum::template located<streams>(x, count, fold.last), begin, count);
  }
};
template <class T>
struct MadeOfExtrema<core::LocateBoth<T>> : std::true_type {
  static constexpr int level = 0;
  template <int bits, int streams>
  static core::Two<core::LocationState> fold(const core::LocateBoth<T>& fold, const T* x,
                                             std::int64_t begin, int count) {
    using Lowest = BlockExtremum<T, core::Toward::lowest, bits>;
    using Highest = BlockExtremum<T, core::Toward::highest, bits>;
    return fold.chunk(
        core::Two<core::Indexed<core::signed_t<T>>>{
            Lowest::template located<streams>(x, count, false),
            Highest::template located<streams>(x, count, false)},
        begin, count);
  }
};

}  // namespace
}  // namespace isofold::openmp
