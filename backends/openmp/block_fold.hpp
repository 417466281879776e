// A block of consecutive chunks on vectors: each chunk to one vector of lanes, then all of them
// together, by halving across vectors, to the node above the block. Absent chunks and elements are
// padding; blocks are aligned, so a block is a node of the tree whether it is whole or the last.
#pragma once

#include <isofold/core/tree.hpp>

#include "lanes.hpp"

namespace isofold::openmp {
namespace {

inline constexpr int block_level = 6;
inline constexpr int block_chunks = 1 << block_level;
inline constexpr std::int64_t block_elements = std::int64_t{block_chunks} << core::chunk_shift;

// Keeps an accumulator in its register: GCC would spill one of sixteen in every step.
template <class V>
ISOFOLD_INLINE void pin([[maybe_unused]] V& v) {
#if defined(__AVX512VL__)
  asm volatile("" : "+v"(v));
#elif defined(__SSE2__)
  asm volatile("" : "+x"(v));
#endif
}

template <class L>
class BlockFold {
  using Element = typename L::Element;
  using State = typename L::State;
  using States = typename L::States;
  using Watch = typename L::Watch;

  static constexpr int width = L::width;
  static constexpr int vectors = core::lanes / width;  // of a row
  // Lanes of a chunk that are folded in one pass over its rows: those that fit into registers.
  static constexpr int at_once = vectors <= 16 ? vectors : 8;
  static_assert(vectors >= 2 && vectors % 2 == 0, "Vectors are accumulated in pairs.");

 public:
  // The node above n elements, 1 <= n <= block_elements.
  template <int streams>
  static State fold(const Element* x, std::int64_t n) {
    Watch seen;
    if (n <= width) {
      const States only = n == width ? L::load_row(x) : L::load_part(x, static_cast<int>(n));
      L::watch(seen, only, only);
      return L::settle(seen, across<width / 2>(only)[0], x, n);
    }
    if (n <= core::chunk_elements) {
      const States only = n == core::chunk_elements
                              ? fold_chunk(x, seen)
                              : fold_short_chunk(x, static_cast<int>(n), seen);
      return L::settle(seen, across<width / 2>(only)[0], x, n);
    }
    return L::settle(seen, fold_chunks<streams>(x, n, seen), x, n);
  }

 private:
  template <int streams>
  static ISOFOLD_INLINE State fold_chunks(const Element* x, std::int64_t n, Watch& seen) {
    States partial[block_chunks];
    const auto whole = static_cast<int>(n >> core::chunk_shift);
    const auto rest = static_cast<int>(n & (core::chunk_elements - 1));
    int chunk = 0;
    if constexpr (streams == 2) {
      // The block's two halves side by side, as far as the second one reaches.
      const int half = block_chunks / 2;
      for (; chunk + half < whole; ++chunk) {
        partial[chunk] = fold_chunk(chunk_at(x, chunk), seen);
        partial[chunk + half] = fold_chunk(chunk_at(x, chunk + half), seen);
      }
      for (int single = chunk; single < (whole < half ? whole : half); ++single) {
        partial[single] = fold_chunk(chunk_at(x, single), seen);
      }
    } else {
      for (; chunk < whole; ++chunk) {
        partial[chunk] = fold_chunk(chunk_at(x, chunk), seen);
      }
    }
    int chunks = whole;
    if (rest != 0) {
      partial[chunks++] = fold_short_chunk(chunk_at(x, whole), rest, seen);
    }
    return fold_partials(partial, chunks);
  }

  static ISOFOLD_INLINE const Element* chunk_at(const Element* x, int chunk) {
    return x + (static_cast<std::int64_t>(chunk) << core::chunk_shift);
  }

  static ISOFOLD_INLINE States fold_chunk(const Element* x, Watch& seen) {
    States lane[vectors];
#pragma GCC unroll 4
    for (int begin = 0; begin < vectors; begin += at_once) {
      States own[at_once];
      fold_rows(x + begin * width, core::rows_per_chunk, own, seen);
#pragma GCC unroll 16
      for (int v = 0; v < at_once; ++v) {
        lane[begin + v] = own[v];
      }
    }
    return halve_vectors<vectors / 2>(lane);
  }

  // The lanes of `own` over `rows` >= 1 rows, row by row in the order of addresses.
  static ISOFOLD_INLINE void fold_rows(const Element* x, int rows, States (&own)[at_once],
                                       Watch& seen) {
#pragma GCC unroll 16
    for (int v = 0; v < at_once; v += 2) {
      own[v] = L::load_row(x + v * width);
      own[v + 1] = L::load_row(x + (v + 1) * width);
      L::watch(seen, own[v], own[v + 1]);
    }
#pragma GCC unroll 1
    for (int row = 1; row < rows; ++row) {
      x += core::lanes;
#pragma GCC unroll 16
      for (int v = 0; v < at_once; v += 2) {
        const States a = L::load_row(x + v * width);
        const States b = L::load_row(x + (v + 1) * width);
        L::watch(seen, a, b);
        own[v] = L::combine(own[v], a);
        own[v + 1] = L::combine(own[v + 1], b);
        pin(own[v]);
        pin(own[v + 1]);
      }
    }
  }

  // 0 < count < 1024.
  static ISOFOLD_INLINE States fold_short_chunk(const Element* x, int count, Watch& seen) {
    const int rows = count / core::lanes;
    const int rest = count % core::lanes;
    States lane[vectors];
#pragma GCC unroll 4
    for (int begin = 0; begin < vectors; begin += at_once) {
      States own[at_once];
      if (rows != 0) {
        fold_rows(x + begin * width, rows, own, seen);
      }
#pragma GCC unroll 16
      for (int v = 0; v < at_once; ++v) {
        lane[begin + v] = rows != 0 ? own[v] : L::padding();
      }
    }
    if (rest != 0) {
      fold_part(x + rows * core::lanes, rest, lane, seen);
    }
    return halve_vectors<vectors / 2>(lane);
  }

  // The last row, 0 < count < 64.
  static ISOFOLD_INLINE void fold_part(const Element* x, int count, States (&lane)[vectors],
                                       Watch& seen) {
#pragma GCC unroll 32
    for (int v = 0; v < vectors; ++v) {
      const int here = count - v * width;
      if (here >= width) {
        const States a = L::load_row(x + v * width);
        L::watch(seen, a, a);
        lane[v] = L::combine(lane[v], a);
      } else if (here > 0) {
        const States a = L::load_part(x + v * width, here);
        L::watch(seen, a, a);
        lane[v] = L::combine(lane[v], a);
      }
    }
  }

  // Halving while the stride is a whole number of vectors.
  template <int h>
  static ISOFOLD_INLINE States halve_vectors(States (&lane)[vectors]) {
#pragma GCC unroll 16
    for (int v = 0; v < h; ++v) {
      lane[v] = L::combine(lane[v], lane[v + h]);
    }
    if constexpr (h > 1) {
      return halve_vectors<h / 2>(lane);
    } else {
      return lane[0];
    }
  }

  // Halving within one vector; the results are its first components.
  template <int h>
  static ISOFOLD_INLINE States across(States v) {
    v = halve<h>(v, v, L::combine);
    if constexpr (h > 1) {
      return across<h / 2>(v);
    } else {
      return v;
    }
  }

  // The chunks' vectors to one state: first the halving within chunks, several at a time, which
  // leaves one state a chunk, in order; then the tree, neighbour with neighbour.
  static ISOFOLD_INLINE State fold_partials(States* partial, int chunks) {
    int count = 1;
    int levels = 0;
    for (; count < chunks; count *= 2) {
      ++levels;
    }
    for (int absent = chunks; absent < count; ++absent) {
      partial[absent] = L::padding();
    }
    count = halve_all<width / 2>(partial, count);
    for (; levels > 0; --levels) {
      count = halve_each<1>(partial, count);
    }
    return partial[0][0];
  }
  template <int h>
  static ISOFOLD_INLINE int halve_all(States* partial, int count) {
    count = halve_each<h>(partial, count);
    if constexpr (h > 1) {
      return halve_all<h / 2>(partial, count);
    } else {
      return count;
    }
  }
  template <int h>
  static ISOFOLD_INLINE int halve_each(States* partial, int count) {
    if (count == 1) {
      partial[0] = halve<h>(partial[0], partial[0], L::combine);
      return 1;
    }
    for (int v = 0; v < count / 2; ++v) {
      partial[v] = halve<h>(partial[2 * v], partial[2 * v + 1], L::combine);
    }
    return count / 2;
  }
};

}  // namespace
}  // namespace isofold::openmp
