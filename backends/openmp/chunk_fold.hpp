// Chunks of any fold, on vectors: their passes over the 64 lanes, then the halving, of four whole
// chunks together. For folds that have no faster way of their own (block_fold.hpp).
#pragma once

#include <isofold/core/chunk.hpp>

#include "extremum_fold.hpp"

namespace isofold::openmp {
namespace {

// What fold_side_by_side() reads of a line of columns at once, and how many lines ahead it asks
// for: lines are often a page apart. With 128 bytes sums of columns took a third to two thirds
// longer.
inline constexpr int side_by_side_bytes = 256;
inline constexpr int lines_ahead = 16;
// Which lines of what comes next a pass over data from memory asks for: all of those
// chunk_bytes_ahead further on, or every second line of the group that follows, where two passes
// share its lines. Halving keeps the loads that come after it waiting, and a second pass finds all
// in L1, while memory would rest (docs/performance.md, "Chunks from memory").
enum class Ahead { nothing, all_lines, even_lines, odd_lines };
inline constexpr int chunk_bytes_ahead = 4096;

// So many values side by side: complex ones as two vectors, of real and of imaginary parts.
template <class Value, int width>
struct ValuesSideBySide {
  using type = Vector<Value, width>;
};
template <class T, int width>
struct ValuesSideBySide<core::Complex<T>, width> {
  using type = core::Complex<Vector<T, width>>;
};
template <class Value, int width>
using ValuesOf = typename ValuesSideBySide<Value, width>::type;

template <class Fold, class Pass, int bits>
class PassFold {
  using Element = typename Pass::element_type;
  using Value = typename Pass::value_type;
  static constexpr int width = bits / 8 / static_cast<int>(sizeof(core::part_t<Value>));
  using V = ValuesOf<Value, width>;
  using Indices = core::signed_t<V>;
  using Lane = typename Pass::template lane<V>;
  using Scalar = core::LaneOf<Pass>;
  static constexpr int vectors = core::lanes / width;
  // Vectors of lanes that stay in registers, with room for elements and what is made of them.
  static constexpr int fitting = registers / 2 / core::numbers_in<Lane>;
  static constexpr int at_once = fitting < 1 ? 1 : fitting < vectors ? fitting : vectors;
  static_assert((at_once & (at_once - 1)) == 0, "Groups of vectors are equal.");

 public:
  // What `pass` makes of `count` elements, 0 < count <= 1024.
  template <Ahead ahead>
  static ISOFOLD_INLINE Scalar fold(const Pass& pass, const core::Elements<Fold>& x, int count) {
    Lane lane[vectors];
    for (int v = 0; v < vectors; v += at_once) {
      fold_columns<ahead>(pass, x, v, count, lane + v);
    }
    return count >= core::lanes ? halve(pass, lane) : halve_some(pass, lane, count);
  }

  // The same of each of a group's whole chunks, by pass_of(c): their halving goes together.
  template <Ahead ahead, class PassOf>
  static ISOFOLD_INLINE void fold_group(PassOf&& pass_of, const core::Elements<Fold>& x,
                                        Scalar (&folded)[group_chunks]) {
    Lane lane[group_chunks][vectors];
    for (int c = 0; c < group_chunks; ++c) {
      const Pass pass = pass_of(c);
      const auto chunk = x.from(c * core::chunk_elements);
      for (int v = 0; v < vectors; v += at_once) {
        fold_columns<ahead>(pass, chunk, v, core::chunk_elements, lane[c] + v);
      }
    }
    halve_group(pass_of(0), lane, folded);
  }

  // The same of `columns` rows whose elements lie side by side: element i of the first of them is
  // offset[0][i] after x.data, and offset[1][i] after x.second.
  static constexpr int columns = side_by_side_bytes / static_cast<int>(sizeof(Element));
  static __attribute__((noinline)) void fold_side_by_side(const Pass& pass,
                                                          const core::Elements<Fold>& x,
                                                          const std::int64_t* const (&offset)[2],
                                                          int count, Scalar (&folded)[columns]) {
    constexpr int wide = columns / width;
    Lane lane[core::lanes][wide];
    const auto at = [&](int i, int v) {
      return core::Elements<Fold>{
          x.data + offset[0][i] + v * width,
          Fold::arrays == 2 ? x.second + offset[1][i] + v * width : nullptr};
    };
    const auto index = [](int i) { return core::splat<Indices>(static_cast<Index>(i)); };
    const int occupied = count < core::lanes ? count : core::lanes;
    for (int i = 0; i < occupied; ++i) {
      for (int v = 0; v < wide; ++v) {
        lane[i][v] = lift(pass, at(i, v), index(i));
      }
    }
    for (int i = core::lanes; i < count; ++i) {
      prefetch_line(at(i + lines_ahead < count ? i + lines_ahead : i, 0));
      Lane(&mine)[wide] = lane[i % core::lanes];
      for (int v = 0; v < wide; ++v) {
        mine[v] = accumulate(pass, mine[v], at(i, v), index(i));
      }
    }
    for (int h = core::lanes / 2; h >= 1; h /= 2) {
      for (int l = 0; l < h && l + h < occupied; ++l) {
        for (int v = 0; v < wide; ++v) {
          lane[l][v] = pass.combine(lane[l][v], lane[l + h][v]);
        }
      }
    }
    for (int c = 0; c < columns; ++c) {
      folded[c] = core::component(lane[0][c / width], c % width);
    }
  }

 private:
  static ISOFOLD_INLINE void prefetch_line(const core::Elements<Fold>& line) {
    for (int byte = 0; byte < side_by_side_bytes; byte += 64) {
      __builtin_prefetch(reinterpret_cast<const char*>(line.data) + byte);
      if constexpr (Fold::arrays == 2) {
        __builtin_prefetch(reinterpret_cast<const char*>(line.second) + byte);
      }
    }
  }
  static ISOFOLD_INLINE Lane lift(const Pass& pass, const core::Elements<Fold>& x,
                                  const Indices& i) {
    if constexpr (Fold::arrays == 2) {
      return pass.template lift<V>(values(x.data, width), values(x.second, width), i);
    } else {
      return pass.template lift<V>(values(x.data, width), i);
    }
  }
  static ISOFOLD_INLINE Lane accumulate(const Pass& pass, const Lane& s,
                                        const core::Elements<Fold>& x, const Indices& i) {
    if constexpr (Fold::arrays == 2) {
      return pass.template accumulate<V>(s, values(x.data, width), values(x.second, width), i);
    } else {
      return pass.template accumulate<V>(s, values(x.data, width), i);
    }
  }

  // at_once vectors of lanes from vector `first` on, down all rows. Not inlined, as the halving:
  // with narrow vectors the compiler would unroll what is around it, and take minutes.
  template <Ahead ahead>
  static __attribute__((noinline)) void fold_columns(const Pass& pass,
                                                     const core::Elements<Fold>& x, int first,
                                                     int count, Lane* lane) {
    Lane own[at_once]{};
    const int begin = first * width;
    const int rows = count / core::lanes;
    if (rows != 0) {
      prefetch<ahead>(x.data + begin);
      if constexpr (Fold::arrays == 2) {
        prefetch<ahead>(x.second + begin);
      }
      lift_row(pass, x, begin, own, Columns{});
      for (int row = 1; row < rows; ++row) {
        const int at = row * core::lanes + begin;
        prefetch<ahead>(x.data + at);
        if constexpr (Fold::arrays == 2) {
          prefetch<ahead>(x.second + at);
        }
        accumulate_row(pass, x, at, own, Columns{});
      }
    }
    const int rest = count % core::lanes - begin;
    if (rest > 0) {
      fold_rest(pass, x, rows * core::lanes + begin, rest, rows == 0, own);
    }
    std::memcpy(lane, own, sizeof own);
  }
  using Columns = std::make_integer_sequence<int, at_once>;
  template <int... v>
  static ISOFOLD_INLINE void lift_row(const Pass& pass, const core::Elements<Fold>& x, int at,
                                      Lane* own, std::integer_sequence<int, v...>) {
    ((own[v] = lift(pass, x, at + v * width, width)), ...);
  }
  template <int... v>
  static ISOFOLD_INLINE void accumulate_row(const Pass& pass, const core::Elements<Fold>& x, int at,
                                            Lane* own, std::integer_sequence<int, v...>) {
    ((own[v] = accumulate(pass, own[v], x, at + v * width, width)), ...);
  }
  // The row that the end cuts.
  static __attribute__((noinline)) void fold_rest(const Pass& pass, const core::Elements<Fold>& x,
                                                  int at, int rest, bool first, Lane* own) {
    for (int v = 0; v < at_once && v * width < rest; ++v) {
      const int here = rest - v * width < width ? rest - v * width : width;
      if (first) {
        own[v] = lift(pass, x, at + v * width, here);
      } else {
        const Lane next = accumulate(pass, own[v], x, at + v * width, here);
        const Indices there = iota() < core::splat<Indices>(static_cast<Index>(here));
        own[v] =
            core::zip([&](auto a, auto b) { return decltype(a)(there ? a : b); }, next, own[v]);
      }
    }
  }

  static ISOFOLD_INLINE Lane lift(const Pass& pass, const core::Elements<Fold>& x, int at,
                                  int here) {
    if constexpr (Fold::arrays == 2) {
      return pass.template lift<V>(values(x.data + at, here), values(x.second + at, here),
                                   indices(at));
    } else {
      return pass.template lift<V>(values(x.data + at, here), indices(at));
    }
  }
  static ISOFOLD_INLINE Lane accumulate(const Pass& pass, const Lane& s,
                                        const core::Elements<Fold>& x, int at, int here) {
    if constexpr (Fold::arrays == 2) {
      return pass.template accumulate<V>(s, values(x.data + at, here), values(x.second + at, here),
                                         indices(at));
    } else {
      return pass.template accumulate<V>(s, values(x.data + at, here), indices(at));
    }
  }

  // The first `here` of a vector of elements, as values; nothing behind them is touched.
  static ISOFOLD_INLINE V values(const Element* x, int here) {
    if constexpr (core::is_complex<Element>) {
      return load_complex<core::part_t<V>>(&x->re, here);
    } else {
      using Elements = Vector<Element, width>;
      const Elements loaded =
          here == width ? load<Elements>(x) : load_first<Elements>(x, here, Elements{});
      if constexpr (std::is_same_v<Element, Value>) {
        return loaded;
      } else {
        return widen<V>(loaded);
      }
    }
  }

  using Index = core::component_t<Indices>;
  template <int... i>
  static ISOFOLD_INLINE Indices iota_of(std::integer_sequence<int, i...>) {
    return Indices{Index{i}...};
  }
  static ISOFOLD_INLINE Indices iota() { return iota_of(std::make_integer_sequence<int, width>{}); }
  static ISOFOLD_INLINE Indices indices(int at) {
    return iota() + core::splat<Indices>(static_cast<Index>(at));
  }

  // Asks for a row's lines further on; without `ahead`, for those of the next chunk where the
  // columns are not whole rows, and memory is read in jumps.
  template <Ahead ahead>
  static ISOFOLD_INLINE void prefetch(const Element* row) {
    if constexpr (ahead != Ahead::nothing || at_once < vectors) {
      constexpr int bytes = at_once * width * static_cast<int>(sizeof(Element));
      constexpr int chunk_bytes = core::chunk_elements * static_cast<int>(sizeof(Element));
      constexpr bool half = ahead == Ahead::even_lines || ahead == Ahead::odd_lines;
      constexpr int by = half                        ? group_chunks * chunk_bytes
                         : ahead == Ahead::all_lines ? chunk_bytes_ahead
                                                     : chunk_bytes;
      for (int byte = ahead == Ahead::odd_lines ? 64 : 0; byte < bytes; byte += half ? 128 : 64) {
        __builtin_prefetch(reinterpret_cast<const char*>(row) + byte + by);
      }
    }
  }

  template <int h>
  struct Shift {
    template <class W>
    ISOFOLD_INLINE W operator()(W a, W) const {
      return shift(a, std::make_integer_sequence<int, width>{});
    }
    template <class W, int... i>
    static ISOFOLD_INLINE W shift(W a, std::integer_sequence<int, i...>) {
      return __builtin_shufflevector(a, a, ((i + h) % width)...);
    }
  };

  // Halving of 64 lanes. Within a vector, what has become of the upper lanes is of no account.
  static __attribute__((noinline)) Scalar halve(const Pass& pass, Lane* lane) {
    int h = vectors / 2;
    asm("" : "+r"(h));  // a loop: unrolled, it is most of the code
    for (; h >= 1; h /= 2) {
      for (int v = 0; v < h; ++v) {
        lane[v] = pass.combine(lane[v], lane[v + h]);
      }
    }
    return halve_within<width / 2>(pass, lane[0]);
  }
  template <int h>
  static ISOFOLD_INLINE Scalar halve_within(const Pass& pass, Lane lane) {
    if constexpr (h == 0) {
      return core::component(lane, 0);
    } else {
      return halve_within<h / 2>(pass, pass.combine(lane, core::zip(Shift<h>{}, lane, lane)));
    }
  }

  // Of a group's chunks, each to one vector, then all to one: a step is as long for four chunks as
  // for one. What a pass knows of its chunk does not matter to combine().
  static __attribute__((noinline)) void halve_group(const Pass& pass,
                                                    Lane (&lane)[group_chunks][vectors],
                                                    Scalar (&folded)[group_chunks]) {
    int h = vectors / 2;
    asm("" : "+r"(h));  // as above
    for (; h >= 1; h /= 2) {
      for (int v = 0; v < h; ++v) {
        for (int c = 0; c < group_chunks; ++c) {
          lane[c][v] = pass.combine(lane[c][v], lane[c][v + h]);
        }
      }
    }
    const Lane two[] = {halve_two<width / 2>(pass, lane[0][0], lane[1][0]),
                        halve_two<width / 2>(pass, lane[2][0], lane[3][0])};
    if constexpr (width > 2) {
      const Lane four = halve_joined<width / 8>(pass, halve_two<width / 4>(pass, two[0], two[1]));
      for (int c = 0; c < group_chunks; ++c) {
        folded[c] = core::component(four, c);
      }
    } else {
      for (int c = 0; c < group_chunks; ++c) {
        folded[c] = core::component(two[c / 2], c % 2);
      }
    }
  }
  static_assert(group_chunks == 4, "Two steps join the vectors of a group's chunks.");

  template <int h>
  struct LowerParts {
    template <class W>
    ISOFOLD_INLINE W operator()(W a, W b) const {
      return lower_parts<h>(a, b, std::make_integer_sequence<int, width>{});
    }
  };
  template <int h>
  struct UpperParts {
    template <class W>
    ISOFOLD_INLINE W operator()(W a, W b) const {
      return upper_parts<h>(a, b, std::make_integer_sequence<int, width>{});
    }
  };
  // As halve<h>() of vector.hpp, of any lanes.
  template <int h>
  static ISOFOLD_INLINE Lane halve_two(const Pass& pass, Lane a, Lane b) {
    return pass.combine(core::zip(LowerParts<h>{}, a, b), core::zip(UpperParts<h>{}, a, b));
  }
  template <int h>
  static ISOFOLD_INLINE Lane halve_joined(const Pass& pass, Lane joined) {
    if constexpr (h == 0) {
      return joined;
    } else {
      return halve_joined<h / 2>(pass, halve_two<h>(pass, joined, joined));
    }
  }

  // Of fewer lanes: absent ones are skipped.
  static __attribute__((noinline)) Scalar halve_some(const Pass& pass, const Lane* lane,
                                                     int occupied) {
    Scalar one[core::lanes];
    for (int l = 0; l < occupied; ++l) {
      one[l] = core::component(lane[l / width], l % width);
    }
    for (int h = core::lanes / 2; h >= 1; h /= 2) {
      for (int l = 0; l < h && l + h < occupied; ++l) {
        one[l] = pass.combine(one[l], one[l + h]);
      }
    }
    return one[0];
  }
};

// The state of one chunk.
template <class Fold, int bits, bool from_memory>
inline __attribute__((noinline)) typename Fold::state_type fold_passes_on_vectors(
    const Fold& fold, const core::Elements<Fold>& x, std::int64_t begin, int count) {
  using First = core::FirstPass<Fold>;
  const auto run = [&](const auto& pass) {
    return PassFold<Fold, std::decay_t<decltype(pass)>, bits>::template fold<Ahead::nothing>(
        pass, x, count);
  };
  constexpr Ahead ahead = from_memory ? Ahead::all_lines : Ahead::nothing;
  const auto first =
      PassFold<Fold, First, bits>::template fold<ahead>(core::first_pass(fold), x, count);
  if constexpr (core::has_likely_second<Fold>) {
    if (fold.is_likely(first)) {
      return fold.chunk(first, run(fold.likely_second(first, count)), count);
    }
  }
  if constexpr (Fold::stages == 2) {
    return fold.chunk(first, run(fold.second(first, count)), count);
  } else {
    return core::chunk_state(fold, first, begin, count);
  }
}

// The states of a group's whole chunks.
template <class Fold, int bits, bool from_memory>
inline __attribute__((noinline)) void fold_group_on_vectors(
    const Fold& fold, const core::Elements<Fold>& x, std::int64_t begin,
    typename Fold::state_type (&state)[group_chunks]) {
  constexpr int count = core::chunk_elements;
  constexpr Ahead only = from_memory ? Ahead::all_lines : Ahead::nothing;
  constexpr Ahead former = from_memory ? Ahead::even_lines : Ahead::nothing;
  constexpr Ahead latter = from_memory ? Ahead::odd_lines : Ahead::nothing;
  using First = core::FirstPass<Fold>;
  core::LaneOf<First> first[group_chunks];
  PassFold<Fold, First, bits>::template fold_group<Fold::stages == 1 ? only : former>(
      [&](int) { return core::first_pass(fold); }, x, first);
  if constexpr (Fold::stages == 1) {
    for (int c = 0; c < group_chunks; ++c) {
      state[c] = core::chunk_state(fold, first[c], begin + c * count, count);
    }
  } else {
    const auto run = [&](auto&& pass_of) {
      using Second = decltype(pass_of(0));
      core::LaneOf<Second> second[group_chunks];
      PassFold<Fold, Second, bits>::template fold_group<latter>(pass_of, x, second);
      for (int c = 0; c < group_chunks; ++c) {
        state[c] = fold.chunk(first[c], second[c], count);
      }
    };
    if constexpr (core::has_likely_second<Fold>) {
      bool all_likely = true;
      for (const auto& of_chunk : first) {
        all_likely = all_likely && fold.is_likely(of_chunk);
      }
      if (all_likely) {
        run([&](int c) { return fold.likely_second(first[c], count); });
        return;
      }
    }
    run([&](int c) { return fold.second(first[c], count); });
  }
}

// A node of at most a group's chunks, the last of which may be short.
template <class Fold, int bits, bool from_memory>
inline typename Fold::state_type fold_node_on_vectors(const Fold& fold,
                                                      const core::Elements<Fold>& x,
                                                      std::int64_t begin, int count) {
  typename Fold::state_type state[group_chunks];
  int chunks = 0;
  if (count == group_chunks * core::chunk_elements) {
    fold_group_on_vectors<Fold, bits, from_memory>(fold, x, begin, state);
    chunks = group_chunks;
  }
  for (int first = chunks * core::chunk_elements; first < count; first += core::chunk_elements) {
    state[chunks++] = fold_passes_on_vectors<Fold, bits, from_memory>(
        fold, x.from(first), begin + first, at_most(count - first, core::chunk_elements));
  }
  for (int apart = 1; apart < chunks; apart *= 2) {
    for (int c = 0; c + apart < chunks; c += 2 * apart) {
      state[c] = fold.combine(state[c], state[c + apart]);
    }
  }
  return state[0];
}

// The states of chunks of rows side by side, of folds of one pass: state(c), of row c.
template <class Fold, int bits, class Use>
inline void fold_columns_on_vectors(const Fold& fold, const core::Elements<Fold>& x,
                                    const std::int64_t* const (&offset)[2], std::int64_t begin,
                                    int count, Use&& use) {
  using Pass = core::FirstPass<Fold>;
  using Columns = PassFold<Fold, Pass, bits>;
  core::LaneOf<Pass> folded[Columns::columns];
  Columns::fold_side_by_side(core::first_pass(fold), x, offset, count, folded);
  for (int c = 0; c < Columns::columns; ++c) {
    use(c, core::chunk_state(fold, folded[c], begin, count));
  }
}

// The nodes that fold_chunk_on_vectors() makes.
template <class Fold>
inline constexpr int node_level =
    MadeOfExtrema<Fold>::value ? MadeOfExtrema<Fold>::level : group_level;

// The state of `count` elements at `x`, the first of which has the index `begin` in its row: of a
// node of at most node_level<Fold>. Two streams: from memory, which a first pass reads in one.
template <class Fold, int bits, int streams>
inline __attribute__((noinline)) typename Fold::state_type fold_chunk_on_vectors(
    const Fold& fold, const core::Elements<Fold>& x, std::int64_t begin, int count) {
  if constexpr (MadeOfExtrema<Fold>::value) {
    return MadeOfExtrema<Fold>::template fold<bits, streams>(fold, x.data, begin, count);
  } else if (count <= core::chunk_elements) {
    return fold_passes_on_vectors<Fold, bits, streams == 2>(fold, x, begin, count);
  } else {
    return fold_node_on_vectors<Fold, bits, streams == 2>(fold, x, begin, count);
  }
}

}  // namespace
}  // namespace isofold::openmp
