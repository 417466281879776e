// A chunk of the folds that are made of extrema: minmax and the locations. Each extremum by the
// walk of minima (block_fold.hpp), then where it is by one comparison of bits for each vector, up
// to the first that has it. With all elements made into keys and compared with their indices,
// argmin in cache had half of NumPy's speed.
#pragma once

#include <isofold/core/folds/extent.hpp>
#include <isofold/core/folds/location.hpp>

#include "block_fold.hpp"

namespace isofold::openmp {
namespace {

template <class T, core::Toward toward, int bits>
struct ChunkExtremum {
  using Block = BlockFold<Lanes<core::Extremum<T, toward>, bits>>;
  using Keys = core::Keys<T, toward>;
  static constexpr int width = bits / 8 / static_cast<int>(sizeof(T));
  using V = Vector<T, width>;
  using Bits = Vector<core::bits_t<T>, width>;

  // Of 1 to 1024 elements; of NaNs the canonical one.
  static __attribute__((noinline)) T value(const T* x, int count) {
    return Block::fold_one(x, count);
  }

  // Its key, and the index of the first or the last element that has it, as a fold's lane.
  static core::Indexed<core::signed_t<T>> located(const T* x, int count, bool last) {
    const T found = value(x, count);
    const auto index = static_cast<core::signed_t<T>>(last ? last_place(x, count, found)
                                                           : first_place(x, count, found));
    return {Keys::of(found), last ? ~index : index};
  }

 private:
  static bool is(T x, T found) {
    if constexpr (core::is_floating<T>) {
      if (found != found) {
        return x != x;
      }
    }
    return core::bit_cast<core::bits_t<T>>(x) == core::bit_cast<core::bits_t<T>>(found);
  }
  // Whether one of a vector's elements is it.
  static ISOFOLD_INLINE bool holds(const T* x, T found) {
    const V v = load<V>(x);
    if constexpr (core::is_floating<T>) {
      if (found != found) {
        return any_set((Bits)(v != v));
      }
    }
    return any_set((Bits)((Bits)v == (Bits)broadcast<V>(found)));
  }

  static __attribute__((noinline)) int first_place(const T* x, int count, T found) {
    int i = 0;
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

// The search for a place ends where no predictor knows, and the loads of the next chunk wait for
// that: from memory a quarter of argmin's time (f32). In cache, and where two searches follow each
// other, asking costs more than it brings.
template <class T>
ISOFOLD_INLINE void ask_for_chunk(const T* next) {
  constexpr int line = 64 / static_cast<int>(sizeof(T));
  for (int i = 0; i < core::chunk_elements; i += line) {
    __builtin_prefetch(next + i);
  }
}

// MadeOfExtrema<Fold>::fold<bits>(fold, x, begin, count), where the fold is one.
template <class Fold>
struct MadeOfExtrema : std::false_type {};

template <class T>
struct MadeOfExtrema<core::MinimumMaximum<T>> : std::true_type {
  template <int bits>
  static core::Two<T> fold(const core::MinimumMaximum<T>&, const T* x, std::int64_t, int count) {
    return {ChunkExtremum<T, core::Toward::lowest, bits>::value(x, count),
            ChunkExtremum<T, core::Toward::highest, bits>::value(x, count)};
  }
};
template <class T, core::Toward toward, bool last>
struct MadeOfExtrema<core::Locate<T, toward, last>> : std::true_type {
  template <int bits>
  static core::LocationState fold(const core::Locate<T, toward, last>& fold, const T* x,
                                  std::int64_t begin, int count) {
    ask_for_chunk(x + count);
    return fold.chunk(ChunkExtremum<T, toward, bits>::located(x, count, last), begin, count);
  }
};
template <class T>
struct MadeOfExtrema<core::LocateBoth<T>> : std::true_type {
  template <int bits>
  static core::Two<core::LocationState> fold(const core::LocateBoth<T>& fold, const T* x,
                                             std::int64_t begin, int count) {
    using Lowest = ChunkExtremum<T, core::Toward::lowest, bits>;
    using Highest = ChunkExtremum<T, core::Toward::highest, bits>;
    return fold.chunk(
        core::Two<core::Indexed<core::signed_t<T>>>{Lowest::located(x, count, false),
                                                    Highest::located(x, count, false)},
        begin, count);
  }
};

}  // namespace
}  // namespace isofold::openmp
