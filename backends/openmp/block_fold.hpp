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

constexpr int at_most(int value, int limit) { return value < limit ? value : limit; }

template <class L>
class BlockFold {
  using Element = typename L::Element;
  using State = typename L::State;
  using States = typename L::States;
  using Watch = typename L::Watch;
  using Combine = typename L::Combine;
  static constexpr Combine combine{};

  static constexpr int width = L::width;
  static constexpr int vectors = core::lanes / width;  // of a row
  static_assert(vectors >= 2 && vectors % 2 == 0, "Vectors are accumulated in pairs.");
  // Where the order matters every lane has its place; else a row may be folded onto itself.
  static constexpr int accumulators = L::any_order ? at_most(vectors, registers / 2) : vectors;
  // Lanes of a chunk that do not fit into the registers take several passes over its rows.
  static constexpr int in_pass = at_most(accumulators, 16);
  static constexpr int passes = accumulators / in_pass;

  // Chunks side by side, so that enough additions are under way: sixteen vectors of them reach the
  // limit of the caches where the registers allow it, eight otherwise.
  static constexpr int neighbours =
      at_most(vectors, registers / 2) == vectors ? registers / 2 / vectors : 1;
  // How far ahead the walk with two streams asks for its lines: worth 5 % from L2.
  static constexpr int bytes_ahead = 1024;

 public:
  // The state of one short or whole chunk: 1 <= n <= 1024.
  static ISOFOLD_INLINE State fold_one(const Element* x, std::int64_t n) {
    Watch seen;
    States only;
    if (n <= width) {
      only = n == width ? L::load_row(x) : L::load_part(x, static_cast<int>(n));
      L::template watch<0>(seen, only, only);
    } else if (n < core::chunk_elements) {
      only = fold_short_chunk(x, static_cast<int>(n), seen);
    } else {
      fold_chunks<1, false>(x, 0, &only, seen);
    }
    return L::settle(seen, halve_lanes<width / 2>(only, combine), x, n);
  }

  // The node above n elements, 1 <= n <= block_elements. Any n is right; up to a chunk fold_one is
  // faster.
  template <int streams>
  static State fold(const Element* x, std::int64_t n) {
    Watch seen;
    States partial[block_chunks];
    const auto whole = static_cast<int>(n >> core::chunk_shift);
    const auto rest = static_cast<int>(n & (core::chunk_elements - 1));
    if constexpr (streams == 2) {
      fold_halves(x, whole, partial, seen);
    } else {
      fold_neighbours<neighbours>(x, 0, whole, partial, seen);
    }
    int chunks = whole;
    if (rest != 0) {
      fold_last(chunk_at(x, whole), rest, partial + chunks++, seen);
    }
    return L::settle(seen, fold_partials(partial, chunks), x, n);
  }

 private:
  static ISOFOLD_INLINE const Element* chunk_at(const Element* x, int chunk) {
    return x + (static_cast<std::int64_t>(chunk) << core::chunk_shift);
  }

  // The chunks [begin, end), `several` neighbours at a time while there are as many.
  template <int several>
  static ISOFOLD_INLINE void fold_neighbours(const Element* x, int begin, int end, States* partial,
                                             Watch& seen) {
    for (; begin + several <= end; begin += several) {
      fold_chunks<several, false>(chunk_at(x, begin), 1, partial + begin, seen);
    }
    if constexpr (several > 1) {
      fold_neighbours<several / 2>(x, begin, end, partial, seen);
    }
  }

  // Two address streams: the chunks' first half and their second half, a chunk of each in turn, or
  // side by side where the registers hold both.
  static ISOFOLD_INLINE void fold_halves(const Element* x, int whole, States* partial,
                                         Watch& seen) {
    constexpr int several = at_most(2, neighbours);
    const int half = whole / 2;
    for (int chunk = 0; chunk < half; ++chunk) {
#pragma GCC unroll 2
      for (int first = chunk; first < 2 * half; first += several == 2 ? 2 * half : half) {
        fold_chunks<several, true>(chunk_at(x, first), half, partial + first, seen);
      }
    }
    if (whole % 2 != 0) {
      fold_chunks<1, true>(chunk_at(x, whole - 1), 0, partial + whole - 1, seen);
    }
  }

  // `several` whole chunks side by side, `apart` chunks from one to the next, each to its vector in
  // `partial`.
  template <int several, bool ahead>
  static ISOFOLD_INLINE void fold_chunks(const Element* x, int apart, States* partial,
                                         Watch& seen) {
    States lane[several][accumulators];
    fold_rows<several, ahead>(x, apart, core::rows_per_chunk, lane, seen);
#pragma GCC unroll 4
    for (int c = 0; c < several; ++c) {
      partial[c * apart] = halve_vectors<accumulators / 2>(lane[c]);
    }
  }

  // The first `rows` >= 1 rows of each chunk, row by row in the order of addresses.
  template <int several, bool ahead>
  static ISOFOLD_INLINE void fold_rows(const Element* x, int apart, int rows,
                                       States (&lane)[several][accumulators], Watch& seen) {
#pragma GCC unroll 4
    for (int pass = 0; pass < passes; ++pass) {
      States own[several][in_pass];
      const Element* row = x + pass * in_pass * width;
      fold_row<several, ahead, true>(row, apart, own, seen);
#pragma GCC unroll 1
      for (int r = 1; r < rows; ++r) {
        row += core::lanes;
        fold_row<several, ahead, false>(row, apart, own, seen);
      }
#pragma GCC unroll 4
      for (int c = 0; c < several; ++c) {
#pragma GCC unroll 16
        for (int v = 0; v < in_pass; ++v) {
          lane[c][pass * in_pass + v] = own[c][v];
        }
      }
    }
  }

  template <int several, bool ahead, bool first, int c = 0>
  static ISOFOLD_INLINE void fold_row(const Element* row, int apart,
                                      States (&own)[several][in_pass], Watch& seen) {
    if constexpr (c < several) {
      add_pairs<ahead, first, c, 0>(chunk_at(row, c * apart), own[c], seen);
      fold_row<several, ahead, first, c + 1>(row, apart, own, seen);
    }
  }

  // The vectors v, v + 1, … of chunk c's row onto its accumulators, in pairs.
  template <bool ahead, bool first, int c, int v>
  static ISOFOLD_INLINE void add_pairs(const Element* row, States (&own)[in_pass], Watch& seen) {
    constexpr int in_row = vectors / passes;
    if constexpr (v < in_row) {
      if constexpr (ahead) {
        prefetch<v>(row);
      }
      States a = L::load_row(row + v * width);
      States b = L::load_row(row + (v + 1) * width);
      L::template watch<(c * in_row + v) / 2>(seen, a, b);
      constexpr int at = v % in_pass;
      if constexpr (first && v < in_pass) {
        own[at] = a;
        own[at + 1] = b;
      } else {
        own[at] = combine(own[at], a);
        own[at + 1] = combine(own[at + 1], b);
        pin(own[at]);
        pin(own[at + 1]);
      }
      add_pairs<ahead, first, c, v + 2>(row, own, seen);
    }
  }

  // Asks for the lines that begin within this pair of vectors, bytes_ahead further on.
  template <int v>
  static ISOFOLD_INLINE void prefetch(const Element* row) {
    constexpr int line = 64;
    constexpr int begin = v * width * static_cast<int>(sizeof(Element));
    constexpr int end = (v + 2) * width * static_cast<int>(sizeof(Element));
#pragma GCC unroll 2
    for (int at = (begin + line - 1) / line * line; at < end; at += line) {
      __builtin_prefetch(reinterpret_cast<const char*>(row) + at + bytes_ahead);
    }
  }

  // Out of line, for the sake of the size of the code.
  static __attribute__((noinline)) void fold_last(const Element* x, int count, States* partial,
                                                  Watch& seen) {
    *partial = fold_short_chunk(x, count, seen);
  }
  // 0 < count < 1024.
  static ISOFOLD_INLINE States fold_short_chunk(const Element* x, int count, Watch& seen) {
    const int rows = count / core::lanes;
    const int rest = count % core::lanes;
    States lane[1][accumulators];
    if (rows != 0) {
      fold_rows<1, false>(x, 0, rows, lane, seen);
    } else {
#pragma GCC unroll 32
      for (int v = 0; v < accumulators; ++v) {
        lane[0][v] = L::padding();
      }
    }
    if (rest != 0) {
      add_part<0>(x + rows * core::lanes, rest, lane[0], seen);
    }
    return halve_vectors<accumulators / 2>(lane[0]);
  }

  // The last row, 0 < count < 64, from vector v on.
  template <int v>
  static ISOFOLD_INLINE void add_part(const Element* x, int count, States (&lane)[accumulators],
                                      Watch& seen) {
    if constexpr (v < vectors) {
      const int here = count - v * width;
      if (here > 0) {
        States a = here >= width ? L::load_row(x + v * width) : L::load_part(x + v * width, here);
        L::template watch<v>(seen, a, a);
        lane[v % accumulators] = combine(lane[v % accumulators], a);
        add_part<v + 1>(x, count, lane, seen);
      }
    }
  }

  // Halving while the stride is a whole number of vectors.
  template <int h>
  static ISOFOLD_INLINE States halve_vectors(States (&lane)[accumulators]) {
#pragma GCC unroll 16
    for (int v = 0; v < h; ++v) {
      lane[v] = combine(lane[v], lane[v + h]);
    }
    if constexpr (h > 1) {
      return halve_vectors<h / 2>(lane);
    } else {
      return lane[0];
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
      partial[0] = halve<h>(partial[0], partial[0], combine);
      return 1;
    }
    for (int v = 0; v < count / 2; ++v) {
      partial[v] = halve<h>(partial[2 * v], partial[2 * v + 1], combine);
    }
    return count / 2;
  }
};

}  // namespace
}  // namespace isofold::openmp
