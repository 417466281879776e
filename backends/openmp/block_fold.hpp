// A block of consecutive chunks on vectors: each chunk to one vector of lanes, four chunks to one
// vector, and all of those together, by halving, to the node above the block. Absent chunks and
// elements are the fold's identity; blocks are aligned, so a block is a node whether it is whole or
// the last.
#pragma once

#include <isofold/detail/core/tree.hpp>

#include "lanes.hpp"
#include "vector_folds.hpp"

namespace isofold::openmp {
namespace {

using isofold_openmp::block_level;
inline constexpr int block_chunks = 1 << block_level;
inline constexpr std::int64_t block_elements = std::int64_t{block_chunks} << core::chunk_shift;

// Chunks that are folded together until they fill one vector.
using isofold_openmp::group_level;
inline constexpr int group_chunks = 1 << group_level;

using isofold_openmp::one_stream;
using isofold_openmp::prefetched;
using isofold_openmp::two_streams;

// Prefetches the lines of a row of lanes that lies so many bytes after the one at `x`. A core of a
// Zen 5 reads memory faster with it: docs/decisions/037.
template <std::size_t bytes = 2048, class Element>
ISOFOLD_INLINE void ask_for_row_after(const Element* x) {
  const char* const row = reinterpret_cast<const char*>(x) + bytes;
#pragma GCC unroll 16
  for (std::size_t at = 0; at < core::lanes * sizeof(Element); at += 64) {
    __builtin_prefetch(row + at);
  }
}

// The rows of a chunk to fold, one after the other.
template <bool ahead>
struct RowsInTurn {
  int count = core::rows_per_chunk;
};
using Rows = RowsInTurn<false>;

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
  // Every lane has its own accumulator where the order matters; else a row may be folded onto
  // itself.
  static constexpr int accumulators = L::any_order ? at_most(vectors, registers / 2) : vectors;
  // Lanes of a chunk that do not fit into the registers take several passes over its rows.
  static constexpr int in_pass = at_most(accumulators, 16);
  static constexpr int passes = accumulators / in_pass;

  // All rows are unrolled where a row is a few vectors, because the loop over one chunk's rows
  // shows in L1.
  using AllRows = std::make_integer_sequence<int, core::rows_per_chunk>;
  using Unrolled = std::conditional_t<(vectors <= 8), AllRows, Rows>;

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
      only = fold_chunk(x, Unrolled{}, seen);
    }
    return L::settle(seen, halve_lanes<width / 2>(only, combine), x, n);
  }

  // The vectors that the chunks of a block's groups became; the last group may be short.
  struct Groups {
    int count;
    States of[block_chunks / group_chunks];
  };

  // The node above n elements, 1 <= n <= block_elements. Any n is right; up to a chunk fold_one is
  // faster.
  template <int streams>
  static ISOFOLD_INLINE State fold(const Element* x, std::int64_t n) {
    Groups groups;
    return fold<streams>(x, n, groups);
  }
  // Folds as fold() above does, and leaves the groups in `all`.
  template <int streams>
  static State fold(const Element* x, std::int64_t n, Groups& all) {
    Watch seen;
    States(&partial)[block_chunks / group_chunks] = all.of;
    const auto whole = static_cast<int>(n >> core::chunk_shift);
    int groups = whole / group_chunks;
    if constexpr (streams == one_stream) {
      fold_groups(x, 0, groups, Unrolled{}, partial, seen);
    } else if constexpr (streams == prefetched) {
      fold_groups(x, 0, groups, RowsInTurn<true>{}, partial, seen);
    } else {
      fold_halves(x, groups, partial, seen);
    }
    const Element* rest = chunk_at(x, groups * group_chunks);
    const auto left = static_cast<int>(n - (rest - x));
    if (left != 0) {
      fold_last(rest, left, partial + groups++, seen);
    }
    all.count = groups;
    return L::settle(seen, fold_partials(partial, groups), x, n);
  }

 private:
  static ISOFOLD_INLINE const Element* chunk_at(const Element* x, int chunk) {
    return x + (static_cast<std::int64_t>(chunk) << core::chunk_shift);
  }

  // The groups [begin, end), each to its vector in `partial`.
  template <class Order>
  static ISOFOLD_INLINE void fold_groups(const Element* x, int begin, int end, Order order,
                                         States* partial, Watch& seen) {
#pragma GCC unroll 1
    for (int group = begin; group < end; ++group) {
      partial[group] = fold_group(chunk_at(x, group * group_chunks), order, seen);
    }
  }
  // There are two of them, because a pragma takes no parameter: unrolled chunks for unrolled rows,
  // a loop for a loop.
  static ISOFOLD_INLINE States fold_group(const Element* x, AllRows rows, Watch& seen) {
    States chunk[group_chunks];
#pragma GCC unroll 4
    for (int c = 0; c < group_chunks; ++c) {
      chunk[c] = fold_chunk(chunk_at(x, c), rows, seen);
    }
    return join(chunk);
  }
  template <bool ahead>
  static ISOFOLD_INLINE States fold_group(const Element* x, RowsInTurn<ahead> rows, Watch& seen) {
    States chunk[group_chunks];
#pragma GCC unroll 1
    for (int c = 0; c < group_chunks; ++c) {
      chunk[c] = fold_chunk(chunk_at(x, c), rows, seen);
    }
    return join(chunk);
  }

  // Two address streams: a group of the first half and one of the second, a chunk of each at a
  // time.
  static ISOFOLD_INLINE void fold_halves(const Element* x, int groups, States* partial,
                                         Watch& seen) {
    const int half = groups / 2;
#pragma GCC unroll 1
    for (int group = 0; group < half; ++group) {
      States chunk[2][group_chunks];
#pragma GCC unroll 1
      for (int c = 0; c < group_chunks; ++c) {
        const int first = group * group_chunks + c;
        fold_two(chunk_at(x, first), chunk_at(x, first + half * group_chunks), chunk[0][c],
                 chunk[1][c], seen);
      }
      partial[group] = join(chunk[0]);
      partial[half + group] = join(chunk[1]);
    }
    fold_groups(x, 2 * half, groups, Rows{}, partial, seen);
  }

  // Folds two whole chunks, row by row where the registers hold the lanes of both: doubles come
  // from memory faster so than chunk after chunk (docs/decisions/049).
  static ISOFOLD_INLINE void fold_two(const Element* x, const Element* y, States& of_x,
                                      States& of_y, Watch& seen) {
    if constexpr (2 * accumulators <= registers) {
      States chunk[2];
      fold_together(x, y - x, chunk, seen);
      of_x = chunk[0];
      of_y = chunk[1];
    } else {
      of_x = fold_chunk(x, Rows{}, seen);
      of_y = fold_chunk(y, Rows{}, seen);
    }
  }

  // Folds two chunks that begin `apart` elements from each other, row by row.
  static ISOFOLD_INLINE void fold_together(const Element* x, std::int64_t apart, States (&chunk)[2],
                                           Watch& seen) {
    States lane[2][in_pass];
#pragma GCC unroll 2
    for (int c = 0; c < 2; ++c) {
      add_pairs<true, 0>(x + c * apart, lane[c], seen);
    }
#pragma GCC unroll 1
    for (int r = core::lanes; r < core::chunk_elements; r += core::lanes) {
#pragma GCC unroll 2
      for (int c = 0; c < 2; ++c) {
        add_pairs<false, 0>(x + c * apart + r, lane[c], seen);
      }
    }
#pragma GCC unroll 2
    for (int c = 0; c < 2; ++c) {
      chunk[c] = halve_vectors<accumulators / 2>(lane[c]);
    }
  }

  // Folds a whole chunk, or its first rows, to one vector.
  template <class AnyRows>
  static ISOFOLD_INLINE States fold_chunk(const Element* x, AnyRows rows, Watch& seen) {
    States lane[accumulators];
    fold_rows(x, rows, lane, seen);
    return halve_vectors<accumulators / 2>(lane);
  }

  // Folds rows in the order of addresses: all of them unrolled, or a number of them.
  template <class AnyRows>
  static ISOFOLD_INLINE void fold_rows(const Element* x, AnyRows rows, States (&lane)[accumulators],
                                       Watch& seen) {
#pragma GCC unroll 4
    for (int pass = 0; pass < passes; ++pass) {
      States own[in_pass];
      add_rows(x + pass * in_pass * width, rows, own, seen);
#pragma GCC unroll 16
      for (int v = 0; v < in_pass; ++v) {
        lane[pass * in_pass + v] = own[v];
      }
    }
  }
  template <int... r>
  static ISOFOLD_INLINE void add_rows(const Element* x, std::integer_sequence<int, r...>,
                                      States (&own)[in_pass], Watch& seen) {
    (add_pairs<r == 0, 0>(x + r * core::lanes, own, seen), ...);
  }
  template <bool ahead>
  static ISOFOLD_INLINE void add_rows(const Element* x, RowsInTurn<ahead> rows,
                                      States (&own)[in_pass], Watch& seen) {
    const auto ask = [](const Element* row) {
      if constexpr (ahead) {
        ask_for_row_after(row);
      }
    };
    ask(x);
    add_pairs<true, 0>(x, own, seen);
#pragma GCC unroll 1
    for (int r = 1; r < rows.count; ++r) {
      ask(x + r * core::lanes);
      add_pairs<false, 0>(x + r * core::lanes, own, seen);
    }
  }

  // Adds the vectors v, v + 1, … of a row to their accumulators, in pairs.
  template <bool first, int v>
  static ISOFOLD_INLINE void add_pairs(const Element* row, States (&own)[in_pass], Watch& seen) {
    if constexpr (v < vectors / passes) {
      States a = L::load_row(row + v * width);
      States b = L::load_row(row + (v + 1) * width);
      L::template watch<v / 2>(seen, a, b);
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
      add_pairs<first, v + 2>(row, own, seen);
    }
  }

  // Folds fewer elements than a group has. It is out of line to keep the code small.
  static __attribute__((noinline)) void fold_last(const Element* x, int count, States* partial,
                                                  Watch& all_seen) {
    Watch seen = all_seen;  // of its own, to stay in registers
    States chunk[group_chunks];
    int c = 0;
#pragma GCC unroll 1
    for (; count >= core::chunk_elements; count -= core::chunk_elements) {
      chunk[c] = fold_chunk(chunk_at(x, c), Rows{}, seen);
      ++c;
    }
    if (count != 0) {
      chunk[c] = fold_short_chunk(chunk_at(x, c), count, seen);
      ++c;
    }
    for (; c < group_chunks; ++c) {
      chunk[c] = L::identity();
    }
    *partial = join(chunk);
    all_seen = seen;
  }
  // 0 < count < 1024.
  static ISOFOLD_INLINE States fold_short_chunk(const Element* x, int count, Watch& seen) {
    const int rows = count / core::lanes;
    const int rest = count % core::lanes;
    States lane[accumulators];
    if (rows != 0) {
      fold_rows(x, Rows{rows}, lane, seen);
    } else {
#pragma GCC unroll 32
      for (int v = 0; v < accumulators; ++v) {
        lane[v] = L::identity();
      }
    }
    if (rest != 0) {
      add_part<0>(x + rows * core::lanes, rest, lane, seen);
    }
    return halve_vectors<accumulators / 2>(lane);
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

  // The vectors of a group's chunks to one: the first two steps of the halving.
  static ISOFOLD_INLINE States join(const States (&chunk)[group_chunks]) {
    constexpr int first = width / 2;
    constexpr int second = first > 1 ? first / 2 : 1;
    return halve<second>(halve<first>(chunk[0], chunk[1], combine),
                         halve<first>(chunk[2], chunk[3], combine), combine);
  }

  // The groups' vectors to one state: first the rest of the halving within chunks, several at a
  // time, which leaves one state a chunk, in order; then the tree, neighbour with neighbour. One
  // straight piece of code for each number of groups: a loop that ends too soon for the branch
  // predictor would stop the loads of the next block (docs/decisions/049).
  static ISOFOLD_INLINE State fold_partials(States* partial, int groups) {
    constexpr int lanes_apart = width / group_chunks / 2;
    if (groups <= 1) {
      return fold_nodes<lanes_apart, 1>(partial);
    }
    if (groups <= 4) {
      pad(partial, groups, 4);
      return fold_nodes<lanes_apart, 4>(partial);
    }
    pad(partial, groups, block_chunks / group_chunks);
    return fold_nodes<lanes_apart, block_chunks / group_chunks>(partial);
  }
  static ISOFOLD_INLINE void pad(States* partial, int begin, int end) {
#pragma GCC unroll 1
    for (; begin < end; ++begin) {
      partial[begin] = L::identity();
    }
  }
  // Halves by `apart`, and by halves of it down to 1; each further step by 1 is one of the tree.
  template <int apart, int count>
  static ISOFOLD_INLINE State fold_nodes(const States* partial) {
    constexpr int h = apart > 1 ? apart : 1;
    if constexpr (count > 1) {
      States next[count / 2];
#pragma GCC unroll 8
      for (int v = 0; v < count / 2; ++v) {
        next[v] = halve<h>(partial[2 * v], partial[2 * v + 1], combine);
      }
      return fold_nodes<h / 2, count / 2>(next);
    } else {
      return fold_components<h, width>(partial[0]);
    }
  }
  template <int apart, int components>
  static ISOFOLD_INLINE State fold_components(States nodes) {
    constexpr int h = apart > 1 ? apart : 1;
    if constexpr (components > 1) {
      return fold_components<h / 2, components / 2>(halve<h>(nodes, nodes, combine));
    } else {
      return nodes[0];
    }
  }
};

}  // namespace
}  // namespace isofold::openmp
