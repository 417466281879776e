// Chunks of any fold, on vectors: their passes over the 64 lanes, row by row, then the halving. Two
// chunks always go together, so that the loads of one are under way while the other computes: any
// two for folds of one pass, else a chunk's second pass and the next one's first. Folds that have
// no faster way of their own (block_fold.hpp) use it.
#pragma once

#include <isofold/detail/core/chunk.hpp>

#include <layout/packed_rows_view.hpp>

#include "extremum_fold.hpp"

namespace isofold::openmp {
namespace {

// So many strips go down their lines together as there is room for their lanes on the stack: 12
// make lines of 3 KiB. Lines that are read in parts take much longer (docs/decisions/049).
using isofold_openmp::strip_bytes;
inline constexpr int strips_together = 12;
inline constexpr int strip_lane_bytes = strips_together * core::lanes * strip_bytes;
// Lines of a lane that are read in turns: as many streams. All 16 lines of a chunk would fall into
// the same few ways of a cache where they are a power of two apart (docs/decisions/049).
inline constexpr int lines_at_once = 8;

// `width` values side by side: complex ones are two vectors, of real and of imaginary parts.
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

// The watch of a pass: a record of all elements beside its lanes, whatever their order. A pass that
// watches nothing has NoWatch.
struct NoWatch {};
template <class Pass, class V, class = void>
struct WatchOf {
  using type = NoWatch;
};
template <class Pass, class V>
struct WatchOf<Pass, V, std::void_t<typename Pass::template watch<V>>> {
  using type = typename Pass::template watch<V>;
};

// InLine and InRuns say where the rows of lanes of a chunk are, by the element that a row begins
// with: one after the other, or each for itself, some cut in two.
template <class Fold, bool ahead = false>
struct InLine {
  using Row = core::Elements<Fold>;
  Row x;
  ISOFOLD_INLINE Row operator()(int i) const {
    const Row row = x.from(i);
    if constexpr (ahead) {
      ask_for_row_after(row.data);
      if constexpr (Fold::arrays == 2) {
        ask_for_row_after(row.second);
      }
    }
    return row;
  }
};
template <class Fold>
struct InRuns {
  struct Row {
    core::Elements<Fold> x;
    core::Elements<Fold> rest;  // from where on its elements from split[array] on lie
    int split[2];
    ISOFOLD_INLINE bool is_whole() const {
      return split[0] >= core::lanes && (Fold::arrays == 1 || split[1] >= core::lanes);
    }
  };
  isofold_packed::LaneRow rows[Fold::arrays][core::rows_per_chunk];
  std::int64_t shift[Fold::arrays]{};  // in bytes, of all of an array
  ISOFOLD_INLINE Row operator()(int i) const {
    using Element = typename Fold::element_type;
    const auto& first = rows[0][i / core::lanes];
    const auto& second = rows[Fold::arrays - 1][i / core::lanes];
    const auto at = [&](int which, const char* x) {
      return reinterpret_cast<const Element*>(x + shift[which]);
    };
    constexpr int last = Fold::arrays - 1;
    return {{at(0, first.data), at(last, second.data)},
            {at(0, first.rest), at(last, second.rest)},
            {static_cast<int>(first.split), static_cast<int>(second.split)}};
  }
};

// The chunks of a node: chunk(c, count).
template <class Fold, bool ahead>
struct LineChunks {
  core::Elements<Fold> x;
  ISOFOLD_INLINE InLine<Fold, ahead> chunk(int c, int = core::chunk_elements) const {
    return {x.from(static_cast<std::int64_t>(c) * core::chunk_elements)};
  }
};
template <class Fold>
struct RunChunks {
  const isofold_packed::PackedRows& packed;
  std::int64_t row;
  std::int64_t begin;
  InRuns<Fold> chunk(int c, int count = core::chunk_elements) const {
    InRuns<Fold> chunk;
    for (int which = 0; which < Fold::arrays; ++which) {
      isofold_packed::lane_rows(packed, which, row,
                                begin + static_cast<std::int64_t>(c) * core::chunk_elements, count,
                                chunk.rows[which]);
    }
    return chunk;
  }
};

template <class Fold, class Pass, int bits>
class PassFold {
  using Element = typename Pass::element_type;
  using Value = typename Pass::value_type;
  static constexpr int width = bits / 8 / static_cast<int>(sizeof(core::part_t<Value>));
  using V = ValuesOf<Value, width>;
  using Indices = core::signed_t<V>;
  using Lane = typename Pass::template lane<V>;
  using Scalar = core::LaneOf<Pass>;
  using Watch = typename WatchOf<Pass, V>::type;
  static constexpr bool watches = !std::is_same_v<Watch, NoWatch>;

 public:
  static constexpr int vectors = core::lanes / width;  // of a row

 private:
  // A row's vectors that are unrolled: all, except the narrowest, which compile for minutes. Lanes
  // that do not stay in registers are then loaded and stored in L1, row by row. Columns in turn
  // would keep lanes in registers, but read elements that are not one stretch, which is slower from
  // memory.
  static constexpr int at_once = vectors <= 16 ? vectors : 8;
  static_assert(vectors % at_once == 0, "A row is cut into equal parts.");

 public:
  // The result of fold_group() for a chunk; a pass that watches adds what it has seen.
  using Whole = std::conditional_t<watches, core::Ranged<Scalar>, Scalar>;

  // Returns `pass` over `count` elements, 0 < count <= 1024; row_at(i) is the row of lanes that
  // begins with element i.
  template <class RowAt>
  static ISOFOLD_INLINE Scalar fold(const Pass& pass, const RowAt& row_at, int count) {
    Lane lane[vectors];
    fold_rows(pass, row_at, 0, count, lane);
    return halve(pass, lane, count);
  }

  // fold() piece by piece: take_rows() folds the elements [begin, end) of the chunk, rows of lanes
  // of which only the chunk's last may be short; halve() follows the last piece.
  using AllLanes = Lane[vectors];
  template <class RowAt>
  static ISOFOLD_INLINE void take_rows(const Pass& pass, const RowAt& row_at, int begin, int end,
                                       AllLanes& lane) {
    fold_rows(pass, row_at, begin, end, lane);
  }
  static ISOFOLD_INLINE Scalar halve(const Pass& pass, AllLanes& lane, int count) {
    return count >= core::lanes ? halve(pass, lane) : halve_some(pass, lane, count);
  }

  // Folds each of a group's whole chunks chunk_of(c); their halving goes together.
  template <class ChunkOf>
  static ISOFOLD_INLINE void fold_group(const Pass& pass, ChunkOf&& chunk_of,
                                        Whole (&folded)[group_chunks]) {
    Lane lane[group_chunks][vectors];
    Watch seen[group_chunks];
    for (int c = 0; c < group_chunks; c += 2) {
      fold_rows_of_two(pass, chunk_of(c), pass, chunk_of(c + 1), lane[c], lane[c + 1], seen[c],
                       seen[c + 1]);
    }
    halve_group(pass, lane, seen, folded);
  }

  // Returns `pass` over the whole chunk `x`; `folded` receives `other` over `y`.
  template <class Other, class RowAt>
  static ISOFOLD_INLINE Scalar fold_two(const Pass& pass, const RowAt& x, const Other& other,
                                        const RowAt& y, core::LaneOf<Other>& folded) {
    using Others = PassFold<Fold, Other, bits>;
    Lane of_x[vectors];
    typename Others::Lane of_y[Others::vectors];
    if constexpr (stay_in_registers<Other>()) {
      Watch none_of_x;
      typename Others::Watch none_of_y;
      fold_rows_of_two(pass, x, other, y, of_x, of_y, none_of_x, none_of_y);
    } else {
      fold_rows(pass, x, 0, core::chunk_elements, of_x);
      Others::fold_rows(other, y, 0, core::chunk_elements, of_y);
    }
    folded = Others::halve(other, of_y);
    return halve(pass, of_x);
  }

  static constexpr int strip = strip_bytes / static_cast<int>(sizeof(Element));  // of columns
  static constexpr int strip_vectors = strip / width;
  static constexpr int most_strips =
      at_most(strips_together,
              strip_lane_bytes / (core::lanes * strip_vectors * static_cast<int>(sizeof(Lane))));
  // Folds, as fold() does, rows whose elements lie side by side, so many strips of them: element i
  // of the first is offset[0][i] after x.data, and offset[1][i] after x.second.
  static __attribute__((noinline)) void fold_side_by_side(const Pass& pass,
                                                          const core::Elements<Fold>& x,
                                                          const std::int64_t* const (&offset)[2],
                                                          int count, int strips,
                                                          Scalar (&folded)[most_strips * strip]) {
    Lane lane[core::lanes][most_strips * strip_vectors];
    const int occupied = count < core::lanes ? count : core::lanes;
    for (int begin = 0; begin < count; begin += lines_at_once * core::lanes) {
      for (int i = begin; i < begin + core::lanes && i < count; ++i) {
        for (int s = 0; s < strips; ++s) {
          fold_lines(pass, x.from(s * strip), offset, i, count,
                     lane[i - begin] + s * strip_vectors);
        }
      }
    }
    for (int h = core::lanes / 2; h >= 1; h /= 2) {
      for (int l = 0; l < h && l + h < occupied; ++l) {
        for (int v = 0; v < strips * strip_vectors; ++v) {
          lane[l][v] = pass.combine(lane[l][v], lane[l + h][v]);
        }
      }
    }
    for (int c = 0; c < strips * strip; ++c) {
      folded[c] = core::component(lane[0][c / width], c % width);
    }
  }

 private:
  template <class, class, int>
  friend class PassFold;

  // This tells whether the lanes of two passes stay in registers, beside elements and what is made
  // of them. If not, two passes of a chunk are slower row by row in cache than one after the other;
  // two chunks of one pass are not.
  template <class Other>
  static constexpr bool stay_in_registers() {
    using Others = PassFold<Fold, Other, bits>;
    constexpr int others = Others::vectors * core::numbers_in<typename Others::Lane>;
    return vectors * core::numbers_in<Lane> + others <= registers - 8;
  }

  // Folds some lines of one lane of a strip: its columns stay in registers. Line by line, all lanes
  // would be in L1, which is much slower (docs/decisions/049).
  static ISOFOLD_INLINE void fold_lines(const Pass& pass, const core::Elements<Fold>& x,
                                        const std::int64_t* const (&offset)[2], int first,
                                        int count, Lane* lane) {
    const auto line = [&](int i) {
      return core::Elements<Fold>{x.data + offset[0][i],
                                  Fold::arrays == 2 ? x.second + offset[1][i] : nullptr};
    };
    const auto index = [](int i) { return core::splat<Indices>(static_cast<Index>(i)); };
    const int end = at_most(first + lines_at_once * core::lanes, count);
    Lane own[strip_vectors];
    if (first < core::lanes) {
      for (int v = 0; v < strip_vectors; ++v) {
        own[v] = lift(pass, line(first), v, width, index(first));
      }
      first += core::lanes;
    } else {
      std::memcpy(own, lane, sizeof own);
    }
    for (int i = first; i < end; i += core::lanes) {
      for (int v = 0; v < strip_vectors; ++v) {
        own[v] = accumulate(pass, own[v], line(i), v, width, index(i));
      }
    }
    std::memcpy(lane, own, sizeof own);
  }

  // Folds all lanes, down the rows from element `begin` to `end`. It is not inlined, nor is the
  // halving: with narrow vectors the compiler would unroll what is around it, and take minutes.
  template <class RowAt>
  static __attribute__((noinline)) void fold_rows(const Pass& pass, const RowAt& row_at, int begin,
                                                  int end, Lane* lane) {
    Lane own[vectors]{};
    if (begin != 0) {
      std::memcpy(own, lane, sizeof own);
    }
    Watch none = unseen(pass);
    const int rest = end / core::lanes * core::lanes;
    for (int at = begin; at < rest; at += core::lanes) {
      fold_row(pass, row_at(at), at, own, none);
    }
    if (rest < end) {
      fold_rest(pass, row_at(rest), rest, end - rest, own);
    }
    std::memcpy(lane, own, sizeof own);
  }
  // Folds two whole chunks, row by row in turn.
  template <class Other, class RowAt, class OthersLane, class OthersWatch>
  static __attribute__((noinline)) void fold_rows_of_two(const Pass& pass, const RowAt& x,
                                                         const Other& other, const RowAt& y,
                                                         Lane* of_x, OthersLane* of_y, Watch& in_x,
                                                         OthersWatch& in_y) {
    using Others = PassFold<Fold, Other, bits>;
    Lane own[vectors]{};
    OthersLane its[Others::vectors]{};
    Watch seen = unseen(pass);
    OthersWatch other_seen = Others::unseen(other);
    fold_row(pass, x(0), 0, own, seen);
    Others::fold_row(other, y(0), 0, its, other_seen);
    for (int at = core::lanes; at < core::chunk_elements; at += core::lanes) {
      fold_row(pass, x(at), at, own, seen);
      Others::fold_row(other, y(at), at, its, other_seen);
    }
    std::memcpy(of_x, own, sizeof own);
    std::memcpy(of_y, its, sizeof its);
    in_x = seen;
    in_y = other_seen;
  }
  static ISOFOLD_INLINE Watch unseen([[maybe_unused]] const Pass& pass) {
    if constexpr (watches) {
      return pass.template unseen<core::part_t<V>>();
    } else {
      return {};
    }
  }
  // Takes the row that begins with element `at` of the chunk into the lanes.
  template <class Row>
  static ISOFOLD_INLINE void fold_row(const Pass& pass, const Row& row, int at, Lane* own,
                                      Watch& seen) {
    if constexpr (is_in_line<Row>) {
#pragma GCC unroll 1
      for (int v = 0; v < vectors; v += at_once) {
        fold_vectors(pass, row, at, v, own, seen, std::make_integer_sequence<int, at_once>{});
      }
    } else if (row.is_whole()) {
      fold_row(pass, row.x, at, own, seen);
    } else {
      fold_cut_row(pass, row, at, own, seen);
    }
  }
  static __attribute__((noinline)) void fold_cut_row(const Pass& pass,
                                                     const typename InRuns<Fold>::Row& row, int at,
                                                     Lane* own, Watch& seen) {
#pragma GCC unroll 1
    for (int v = 0; v < vectors; ++v) {
      fold_vectors(pass, row, at, v, own, seen, std::integer_sequence<int, 0>{});
    }
  }
  template <class Row, int... v>
  static ISOFOLD_INLINE void fold_vectors(const Pass& pass, const Row& row, int at, int first,
                                          Lane* own, Watch& seen,
                                          std::integer_sequence<int, v...>) {
    if (at == 0) {
      ((own[first + v] = lift(pass, row, first + v, width, indices(0, first + v))), ...);
    } else {
      ((own[first + v] =
            accumulate(pass, own[first + v], row, first + v, width, indices(at, first + v))),
       ...);
    }
    if constexpr (watches) {
      ((seen = pass.see(seen, values_of<0>(row, first + v, width), indices(at, first + v))), ...);
    }
  }
  // Takes the row that the end cuts.
  template <class Row>
  static __attribute__((noinline)) void fold_rest(const Pass& pass, const Row& row, int at,
                                                  int rest, Lane* own) {
    for (int v = 0; v * width < rest; ++v) {
      const int here = rest - v * width < width ? rest - v * width : width;
      if (at == 0) {
        own[v] = lift(pass, row, v, here, indices(0, v));
      } else {
        const Lane next = accumulate(pass, own[v], row, v, here, indices(at, v));
        const Indices there = iota() < core::splat<Indices>(static_cast<Index>(here));
        own[v] =
            core::zip([&](auto a, auto b) { return decltype(a)(there ? a : b); }, next, own[v]);
      }
    }
  }

  // Lifts the first `here` elements of vector `v` of a row, whose indices are `i`.
  template <class Row>
  static ISOFOLD_INLINE Lane lift(const Pass& pass, const Row& row, int v, int here,
                                  const Indices& i) {
    if constexpr (Fold::arrays == 2) {
      return pass.template lift<V>(values_of<0>(row, v, here), values_of<1>(row, v, here), i);
    } else {
      return pass.template lift<V>(values_of<0>(row, v, here), i);
    }
  }
  template <class Row>
  static ISOFOLD_INLINE Lane accumulate(const Pass& pass, const Lane& s, const Row& row, int v,
                                        int here, const Indices& i) {
    if constexpr (Fold::arrays == 2) {
      return pass.template accumulate<V>(s, values_of<0>(row, v, here), values_of<1>(row, v, here),
                                         i);
    } else {
      return pass.template accumulate<V>(s, values_of<0>(row, v, here), i);
    }
  }

  template <class Row>
  static constexpr bool is_in_line = std::is_same_v<Row, core::Elements<Fold>>;
  template <int which>
  static ISOFOLD_INLINE const Element* array_of(const core::Elements<Fold>& x) {
    return which == 0 ? x.data : x.second;
  }
  template <int which, class Row>
  static ISOFOLD_INLINE V values_of(const Row& row, int v, int here) {
    if constexpr (is_in_line<Row>) {
      return values(array_of<which>(row) + v * width, here);
    } else {
      const Element* const x = array_of<which>(row.x) + v * width;
      const Element* const rest = array_of<which>(row.rest) + v * width;
      const int split = row.split[which] - v * width;
      return split >= here ? values(x, here)
             : split <= 0  ? values(rest, here)
                           : joined_values(x, split, rest, here);
    }
  }
  // The first `split` of a vector of elements from `x`, the others of `here` from `rest`.
  static ISOFOLD_INLINE V joined_values(const Element* x, int split, const Element* rest,
                                        int here) {
    if constexpr (core::is_complex<Element>) {
      V all = values(x, split);
      for (int i = split; i < here; ++i) {
        all.re[i] = rest[i].re;
        all.im[i] = rest[i].im;
      }
      return all;
    } else {
      const auto loaded = load_joined<Vector<Element, width>>(x, split, rest, here);
      if constexpr (std::is_same_v<Element, Value>) {
        return loaded;
      } else {
        return widen<V>(loaded);
      }
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
  static ISOFOLD_INLINE Indices indices(int at, int v) {
    return iota() + core::splat<Indices>(static_cast<Index>(at + v * width));
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

  // Halves 64 lanes. The upper lanes within a vector no longer count, whatever they hold.
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

  template <class L, class W>
  static ISOFOLD_INLINE auto with_watch(L lane, [[maybe_unused]] W seen) {
    if constexpr (watches) {
      return core::Ranged<L>{lane, seen};
    } else {
      return lane;
    }
  }

  // Halves a group's chunks, each to one vector, then all to one: a step is as long for four chunks
  // as for one. combine() needs nothing that a pass knows of its chunk.
  static __attribute__((noinline)) void halve_group(const Pass& pass,
                                                    Lane (&lane)[group_chunks][vectors],
                                                    const Watch (&seen)[group_chunks],
                                                    Whole (&folded)[group_chunks]) {
    int h = vectors / 2;
    asm("" : "+r"(h));  // as above
    for (; h >= 1; h /= 2) {
      for (int v = 0; v < h; ++v) {
        for (int c = 0; c < group_chunks; ++c) {
          lane[c][v] = pass.combine(lane[c][v], lane[c][v + h]);
        }
      }
    }
    const auto whole = [&](int c) { return with_watch(lane[c][0], seen[c]); };
    const decltype(whole(0)) two[] = {halve_two<width / 2>(pass, whole(0), whole(1)),
                                      halve_two<width / 2>(pass, whole(2), whole(3))};
    if constexpr (width > 2) {
      const auto four = halve_joined<width / 8>(pass, halve_two<width / 4>(pass, two[0], two[1]));
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
  // Halves as halve<h>() of vector.hpp does, any lanes.
  template <int h, class L>
  static ISOFOLD_INLINE L halve_two(const Pass& pass, L a, L b) {
    return pass.combine(core::zip(LowerParts<h>{}, a, b), core::zip(UpperParts<h>{}, a, b));
  }
  template <int h, class L>
  static ISOFOLD_INLINE L halve_joined(const Pass& pass, L joined) {
    if constexpr (h == 0) {
      return joined;
    } else {
      return halve_joined<h / 2>(pass, halve_two<h>(pass, joined, joined));
    }
  }

  // Halves fewer lanes: absent ones are skipped.
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
template <class Fold, int bits, class RowAt>
inline __attribute__((noinline)) typename Fold::state_type fold_passes_on_vectors(
    const Fold& fold, const RowAt& row_at, std::int64_t begin, int count) {
  using First = core::FirstPass<Fold>;
  const auto run = [&](const auto& pass) {
    return PassFold<Fold, std::decay_t<decltype(pass)>, bits>::fold(pass, row_at, count);
  };
  const auto first = PassFold<Fold, First, bits>::fold(core::first_pass(fold), row_at, count);
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

// The order in which a node's whole chunks are folded: from memory, those of its halves in turn.
struct ChunkOrder {
  int half;
  ISOFOLD_INLINE int operator()(int i) const { return i < 2 * half ? i % 2 * half + i / 2 : i; }
};

// Calls use(i, `pass` over chunk i in the given order) for some whole chunks, by groups, while
// use() is true for all of a group; returns how many.
template <class Fold, int bits, class Pass, class Chunks, class Use>
inline int fold_groups_on_vectors(const Pass& pass, const Chunks& x, int chunks, ChunkOrder order,
                                  Use&& use) {
  bool goes_on = true;
  int done = 0;
  for (; goes_on && done + group_chunks <= chunks; done += group_chunks) {
    typename PassFold<Fold, Pass, bits>::Whole folded[group_chunks];
    PassFold<Fold, Pass, bits>::fold_group(
        pass, [&](int c) { return x.chunk(order(done + c)); }, folded);
    for (int c = 0; c < group_chunks; ++c) {
      goes_on &= use(order(done + c), folded[c]);
    }
  }
  return done;
}

// Calls use(the chunk's second pass).
template <class Fold, class First, class Use>
ISOFOLD_INLINE void with_second_pass(const Fold& fold, const First& first, Use&& use) {
  if constexpr (core::has_likely_second<Fold>) {
    if (fold.is_likely(first)) {
      use(fold.likely_second(first, core::chunk_elements));
      return;
    }
  }
  use(fold.second(first, core::chunk_elements));
}

// The states of the whole chunks from `begin` on of a fold of two passes: each chunk's second pass
// with the next one's first.
template <class Fold, int bits, class Chunks>
inline void fold_overlapping(const Fold& fold, const Chunks& x, int begin, int chunks,
                             ChunkOrder order, typename Fold::state_type* state) {
  using First = core::FirstPass<Fold>;
  using Firsts = PassFold<Fold, First, bits>;
  constexpr int count = core::chunk_elements;
  if (begin == chunks) {
    return;
  }
  const First first_pass = core::first_pass(fold);
  auto chunk = x.chunk(order(begin));
  core::LaneOf<First> first = Firsts::fold(first_pass, chunk, count);
  for (int i = begin; i < chunks; ++i) {
    with_second_pass(fold, first, [&](const auto& pass) {
      using Second = std::decay_t<decltype(pass)>;
      core::LaneOf<First> next{};
      core::LaneOf<Second> second;
      if (i + 1 < chunks) {
        const auto next_chunk = x.chunk(order(i + 1));
        next = Firsts::fold_two(first_pass, next_chunk, pass, chunk, second);
        chunk = next_chunk;
      } else {
        second = PassFold<Fold, Second, bits>::fold(pass, chunk, count);
      }
      state[order(i)] = fold.chunk(first, second, count);
      first = next;
    });
  }
}

// This tells whether a fold of two passes tries one first, a group at a time: reading once is
// faster from memory, where a second pass finds half of L1 filled by the next chunk. It is slower
// in cache where lanes do not stay in registers, as norm2 of f64 by AVX2 (docs/decisions/049).
template <class Fold, int bits, int streams>
constexpr bool tries_one_pass() {
  if constexpr (core::has_one_pass<Fold>) {
    using Pass = decltype(std::declval<Fold>().one_pass());
    return streams != one_stream || 2 * PassFold<Fold, Pass, bits>::vectors <= registers;
  } else {
    return false;
  }
}

// The states of a number of chunks, up to the first for which one pass is not enough, by groups.
template <class Fold, int bits, class Chunks>
inline int fold_groups_in_one_pass(const Fold& fold, const Chunks& x, int chunks, ChunkOrder order,
                                   typename Fold::state_type* state) {
  return fold_groups_on_vectors<Fold, bits>(
      fold.one_pass(), x, chunks, order, [&](int c, const auto& folded) {
        const bool is_enough = fold.is_enough(folded);
        state[c] = is_enough ? fold.chunk(folded, core::chunk_elements)
                             : fold_passes_on_vectors<Fold, bits>(fold, x.chunk(c), 0,
                                                                  core::chunk_elements);
        return is_enough;
      });
}

// This tells whether chunks are read once. Prefetched lines are in the way of a second pass over a
// chunk, so folds that read chunks twice do not prefetch (docs/decisions/037).
template <class Fold>
inline constexpr bool is_read_once = Fold::stages == 1 || core::has_one_pass<Fold>;

// A node of at most so many chunks, the last of which may be short.
inline constexpr int chunk_node_level = block_level;
template <class Fold, int bits, int streams, class Chunks>
inline typename Fold::state_type fold_node_on_vectors(const Fold& fold, const Chunks& x,
                                                      std::int64_t begin, int count) {
  typename Fold::state_type state[1 << chunk_node_level];
  const int whole = count / core::chunk_elements;
  const ChunkOrder order{streams != one_stream ? whole / 2 : 0};
  int chunks = 0;
  if constexpr (Fold::stages == 1) {
    const auto use = [&](int c, const auto& folded) {
      state[c] =
          core::chunk_state(fold, folded, begin + c * core::chunk_elements, core::chunk_elements);
      return true;
    };
    chunks = fold_groups_on_vectors<Fold, bits>(core::first_pass(fold), x, whole, order, use);
  } else {
    if constexpr (tries_one_pass<Fold, bits, streams>()) {
      chunks = fold_groups_in_one_pass<Fold, bits>(fold, x, whole, order, state);
    }
    fold_overlapping<Fold, bits>(fold, x, chunks, whole, order, state);
    chunks = whole;
  }
  for (; chunks * core::chunk_elements < count; ++chunks) {
    const int c = order(chunks);
    const int here = at_most(count - c * core::chunk_elements, core::chunk_elements);
    state[c] = fold_passes_on_vectors<Fold, bits>(fold, x.chunk(c, here),
                                                  begin + c * core::chunk_elements, here);
  }
  for (int apart = 1; apart < chunks; apart *= 2) {
    for (int c = 0; c + apart < chunks; c += 2 * apart) {
      state[c] = fold.combine(state[c], state[c + apart]);
    }
  }
  return state[0];
}

template <class Fold, int bits>
using ColumnsOnVectors = PassFold<Fold, core::FirstPass<Fold>, bits>;

// Folds chunks side by side, some strips of them, by folds of one pass: calls use(c, state) for
// column c, whose first element has the index begin + c * apart.
template <class Fold, int bits, class Use>
inline void fold_columns_on_vectors(const Fold& fold, const core::Elements<Fold>& x,
                                    const std::int64_t* const (&offset)[2], std::int64_t begin,
                                    std::int64_t apart, int count, int columns, Use&& use) {
  using Columns = ColumnsOnVectors<Fold, bits>;
  core::LaneOf<core::FirstPass<Fold>> folded[Columns::most_strips * Columns::strip];
  Columns::fold_side_by_side(core::first_pass(fold), x, offset, count, columns / Columns::strip,
                             folded);
  for (int c = 0; c < columns; ++c) {
    use(c, core::chunk_state(fold, folded[c], begin + c * apart, count));
  }
}

template <class Fold, int bits>
using PlanesOnVectors = PassFold<Fold, core::FirstPass<Fold>, bits>;

using isofold_openmp::PlanePiece;

// Takes a piece of rows that take turns in memory into the lanes of each, by folds of one pass;
// calls use(row, the state of the chunk that it ends).
template <class Fold, int bits, class Use>
inline void fold_planes_on_vectors(const Fold& fold, const PlanePiece& piece, void* lanes,
                                   Use&& use) {
  using Rows = PlanesOnVectors<Fold, bits>;
  const auto pass = core::first_pass(fold);
  InRuns<Fold> in_row;
  std::memcpy(in_row.rows, piece.lanes, sizeof in_row.rows);
  const auto begin = static_cast<int>(piece.first % core::chunk_elements);
  const int end = begin + piece.count;
  const int here = at_most(end, core::chunk_elements);
  for (int row = 0; row < piece.rows; ++row) {
    auto& lane = static_cast<typename Rows::AllLanes*>(lanes)[row];
    for (int which = 0; which < Fold::arrays; ++which) {
      in_row.shift[which] = row * piece.distance[which];
    }
    Rows::take_rows(pass, in_row, begin, here, lane);
    if (piece.is_last || end >= core::chunk_elements) {
      use(row, core::chunk_state(fold, Rows::halve(pass, lane, here), piece.first - begin, here));
    }
    if (here < end) {
      Rows::take_rows(pass, in_row, 0, end - here, lane);
    }
  }
}

// The level of the nodes that fold_chunk_on_vectors() makes.
template <class Fold>
inline constexpr int node_level =
    MadeOfExtrema<Fold>::value ? MadeOfExtrema<Fold>::level : chunk_node_level;

// The state of `count` elements at `x`, the first of which has the index `begin` in its row: at
// most a node of node_level<Fold>. Elements from memory come in two streams, or are prefetched.
template <class Fold, int bits, int streams>
inline __attribute__((noinline)) typename Fold::state_type fold_chunk_on_vectors(
    const Fold& fold, const core::Elements<Fold>& x, std::int64_t begin, int count) {
  if constexpr (MadeOfExtrema<Fold>::value) {
    return MadeOfExtrema<Fold>::template fold<bits, streams>(fold, x.data, begin, count);
  } else if (count <= core::chunk_elements) {
    return fold_passes_on_vectors<Fold, bits>(fold, InLine<Fold>{x}, begin, count);
  } else {
    constexpr bool ahead = streams == prefetched && is_read_once<Fold>;
    return fold_node_on_vectors<Fold, bits, streams>(fold, LineChunks<Fold, ahead>{x}, begin,
                                                     count);
  }
}

}  // namespace
}  // namespace isofold::openmp
