// The kernel for many short segments, one after the other in memory (CSR). A warp takes neighbouring
// segments at once, a tile: wide copies bring the stretch of their elements to shared memory while
// it folds the tile before; then a thread folds a segment alone, or four share one that is longer.
// What does not fit is left to PlacedFold, by way of a list.
#pragma once

#include <backends/gpu/placed_fold.hpp>
#include <backends/gpu/row_fold.hpp>

namespace isofold::gpu {

// How segments are cut into tiles; launch_table.hpp fills it.
struct TinyTiles {
  int rows = 0;           // of a tile; none: there is no such launch
  int window = 0;         // elements of a tile that shared memory holds, a multiple of 32
  bool by_thread = true;  // short segments are folded by one thread each
};

inline constexpr int tiny_lanes = 16;        // of a segment that a thread folds
inline constexpr int tiny_sharers_shift = 2;  // 2^2 threads share a longer one
static_assert(tiny_lanes << tiny_sharers_shift == core::lanes, "Sharers have all lanes.");

// Lanes that a thread folds at once, for registers, as placed_loads().
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr int tiny_held() {
  constexpr int loads = placed_loads<Fold>();
  return loads < 4 ? 4 : loads;
}

// An element in shared memory; of complex ones only their parts are aligned there.
template <class Element>
ISOFOLD_DEVICE Element staged_element(const char* at) {
  Element x;
  if constexpr (core::is_complex<Element>) {
    memcpy(&x.re, __builtin_assume_aligned(at, sizeof x.re), sizeof x.re);
    memcpy(&x.im, __builtin_assume_aligned(at + sizeof x.re, sizeof x.im), sizeof x.im);
  } else {
    memcpy(&x, __builtin_assume_aligned(at, sizeof x), sizeof x);
  }
  return x;
}

// A segment in shared memory, as its 2^shift sharers see it.
template <class Fold>
struct TinyRow {
  const char* from[2];  // its first element, of each array
  int length;
  int thread;  // of the sharers

  using Element = typename Fold::element_type;
  ISOFOLD_DEVICE Element at(int array, int i) const {
    return staged_element<Element>(from[array] + i * static_cast<int>(sizeof(Element)));
  }
};

// What a pass makes of `lane`, given the row's element i.
template <bool begins, class Fold, class Pass, class Lane>
ISOFOLD_DEVICE Lane taken_of_row(const TinyRow<Fold>& row, const Pass& pass, const Lane& lane,
                                 int i) {
  const auto value = [&](int array) { return core::value_of<Pass>(row.at(array, i)); };
  if constexpr (Fold::arrays == 2) {
    return taken(pass, begins, lane, i, value(0), value(1));
  } else {
    return taken(pass, begins, lane, i, value(0));
  }
}

// The lanes first, first + step, ... of a row, as far as they have elements. Of cheap passes each
// load and what follows has one condition, for which compilers need no branch; of others an element
// that is missing is the row's first once more (there is one, or what is read is not used).
template <bool begins, class Fold, class Pass, int held>
ISOFOLD_DEVICE void take_row(const TinyRow<Fold>& row, const Pass& pass, int first, int step,
                             core::LaneOf<Pass> (&lane)[held]) {
#pragma unroll
  for (int j = 0; j < held; ++j) {
    const int i = first + j * step;
    if constexpr (has_short_rows<Fold>) {
      if (i < row.length) {
        lane[j] = taken_of_row<begins>(row, pass, lane[j], i);
      }
    } else {
      const int there = i < row.length ? i : 0;
      lane[j] =
          chosen(i < row.length, taken_of_row<begins>(row, pass, lane[j], there), lane[j]);
    }
  }
}

// A shift that is known when kernels are compiled; others are numbers.
template <int shift>
struct FixedShift {
  ISOFOLD_HOST_DEVICE constexpr operator int() const { return shift; }
};

// What a pass makes of a row of at most tiny_lanes << shift elements, or, where there are four
// sharers, of at most a chunk. All of the warp call; every sharer gets it. A thread's lanes are
// thread + (m << shift); it folds `held` of them at once, those whose numbers m are `groups` apart.
template <class Group, class Fold, class Pass, class Shift>
ISOFOLD_DEVICE core::LaneOf<Pass> pass_over_row(const Group& group, const TinyRow<Fold>& row,
                                                const Pass& pass, Shift shift) {
  using Lane = core::LaneOf<Pass>;
  constexpr int held = tiny_held<Fold>();
  constexpr int groups = tiny_lanes / held;
  constexpr int levels = core::root_level(groups);
  const LaneFold<Pass> fold{pass};
  // Halving joins numbers m in the order of their bits in reverse.
  const auto lane_of = [&](int n) {
    return row.thread + (reversed(n) >> (lane_number_bits - levels) << shift);
  };
  const int step = groups << shift;
  Lane root = missing(fold);
  LaneNodes<Lane, levels> nodes;
  for (Lane& node : nodes.node) {
    node = root;
  }
#pragma unroll 1
  for (int n = 0; n < groups; ++n) {
    const int first = lane_of(n);
    Lane lane[held];
#pragma unroll
    for (int j = 0; j < held; ++j) {
      lane[j] = missing(fold);
    }
    take_row<true>(row, pass, first, step, lane);
#pragma unroll 1
    for (int begin = core::lanes; begin < row.length; begin += core::lanes) {
      take_row<false>(row, pass, begin + first, step, lane);
    }
#pragma unroll
    for (int apart = held / 2; apart >= 1; apart /= 2) {
#pragma unroll
      for (int j = 0; j < apart; ++j) {
        lane[j] = join(fold, lane[j], lane[j + apart], false, first + (j + apart) * step < row.length);
      }
    }
    root = nodes.template add<0>(fold, lane[0], n,
                                 [&](int number) { return lane_of(number) < row.length; });
  }
#pragma unroll
  for (int distance = 1 << tiny_sharers_shift >> 1; distance >= 1; distance /= 2) {
    if (distance < 1 << shift) {
      const auto other = exchange(group, root, distance);
      root = join(fold, root, other, (row.thread & distance) != 0,
                  (row.thread & (distance - 1)) + distance < row.length);
    }
  }
  return root;
}

// Copies `bytes` bytes to shared memory, both addresses the same modulo 16; whole parts of elements.
// All of the warp call.
template <int part, class Group>
ISOFOLD_DEVICE void copy_words(const Group& group, char* to, const char* from) {
  if constexpr (has_copies_to_shared<Group>) {
    group.template copy_to_shared<part>(to, from);
  } else {
    const auto words =
        group.template load<std::uint32_t, part / 4>(reinterpret_cast<const std::uint32_t*>(from));
    memcpy(__builtin_assume_aligned(to, part), &words, part);
  }
}
template <int part, class Group>
ISOFOLD_DEVICE void copy_stretch(const Group& group, char* to, const char* from, int bytes) {
  constexpr int line = 16;
  constexpr int at_once = 4;
  const int thread = group.thread() % Group::wave_width;
  const int before = -static_cast<int>(reinterpret_cast<std::uintptr_t>(from)) & (line - 1);
  const int head = before < bytes ? before : bytes;
  const int lines = (bytes - head) / line;
  const int tail = head + lines * line;
  // Threads 0 to 3 have the parts before the first whole line, 4 to 7 those after the last.
  const int edge = thread < 4 ? thread * part : tail + (thread - 4) * part;
  if (thread < 8 && edge < (thread < 4 ? head : bytes)) {
    copy_words<part>(group, to + edge, from + edge);
  }
  from += head + thread * line;
  to += head + thread * line;
#pragma unroll 1
  for (int n = thread; n < lines; n += at_once * Group::wave_width) {
    constexpr int apart = Group::wave_width * line;
    if constexpr (has_copies_to_shared<Group>) {
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        if (n + j * Group::wave_width < lines) {
          copy_words<line>(group, to + j * apart, from + j * apart);
        }
      }
    } else {  // all loads before the first store, none behind a test
      Pack<std::uint32_t, 4> words[at_once];
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        const int there = n + j * Group::wave_width < lines ? j * apart : 0;
        words[j] = group.template load<std::uint32_t, 4>(
            reinterpret_cast<const std::uint32_t*>(from + there));
      }
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        if (n + j * Group::wave_width < lines) {
          memcpy(__builtin_assume_aligned(to + j * apart, line), &words[j], line);
        }
      }
    }
    from += at_once * apart;
    to += at_once * apart;
  }
}

template <class Fold>
struct TinyFold {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  // It bounds the registers of NVIDIA's threads: 64 where lanes are numbers.
  static constexpr int max_threads = has_short_rows<Fold> ? 1024 : 512;

  Rows<Fold> rows;  // fewer than most_rows
  const void* offsets;
  bool wide_indices;
  std::int64_t elements;  // that lie at data
  TinyTiles tiles;
  LeftRows* left;            // a tile each
  std::uint32_t* left_count;  // zero

  static constexpr std::int64_t most_rows = std::int64_t{1} << 30;
  // A row that this kernel folds has at most so many elements.
  static constexpr int most_elements = core::chunk_elements;

  // Of an array's window, which may begin up to 15 bytes on, and an element behind it that may be
  // read and is not used.
  ISOFOLD_HOST_DEVICE static constexpr int buffer_bytes(const TinyTiles& tiles) {
    return tiles.window * static_cast<int>(sizeof(Element)) + 32;
  }
  ISOFOLD_HOST_DEVICE static constexpr int warp_bytes(const TinyTiles& tiles, int wave_width) {
    return 2 * Fold::arrays * buffer_bytes(tiles) + wave_width * static_cast<int>(sizeof(Listed)) +
           16;  // the count
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const Here<Group> here(group, tiles);
    const int step = static_cast<int>(group.blocks()) * here.place.warps * tiles.rows;
    int base = (static_cast<int>(group.block()) * here.place.warps + here.place.warp) * tiles.rows;
    const int end = static_cast<int>(rows.rows);
    if (here.place.thread == 0) {
      *here.counts = 0;
    }
    Offsets offsets_of_next = load_offsets(group, base, here.place.thread);
    Tile tile = tile_of(offsets_of_next, here.place.thread, base);
    int buffer = 0;
    begin_copies(group, here.buffers, offsets_of_next, tile);
    offsets_of_next = load_offsets(group, base + step, here.place.thread);
#pragma unroll 1
    for (; base < end; base += step) {
      if constexpr (has_copies_to_shared<Group>) {
        group.wait_for_copies();
      }
      group.warp_barrier();  // all have what was copied, and have read what was there before
      Tile next = tile_of(offsets_of_next, here.place.thread, base + step);
      const int other = Fold::arrays * buffer_bytes(tiles) - buffer;
      begin_copies(group, here.buffers + other, offsets_of_next, next);
      offsets_of_next = load_offsets(group, base + 2 * step, here.place.thread);
      fold_tile(group, here, here.buffers + buffer, tile, base);
      tile = next;
      buffer = other;
    }
  }

 private:
  // A row to be folded.
  struct Listed {
    int at;      // where it begins
    int row;     // of the tile
    int length;  // as a tile's
  };

  template <class Group>
  struct Here {
    WarpPlace<Group> place;
    char* buffers;  // two, for each array
    Listed* list;
    std::uint32_t* counts;  // one: how many are on the list, zero between tiles

    ISOFOLD_DEVICE Here(const Group& group, const TinyTiles& tiles) : place(group) {
      buffers = static_cast<char*>(group.shared()) +
                place.warp * warp_bytes(tiles, Group::wave_width);
      list = reinterpret_cast<Listed*>(buffers + 2 * Fold::arrays * buffer_bytes(tiles));
      counts = reinterpret_cast<std::uint32_t*>(list + Group::wave_width);
    }
  };

  // Where a row and its tile begin and end, as the list says.
  struct Offsets {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t low;
    std::int64_t high;
  };
  // A tile, and a thread's row of it, in its window: the tile's elements but for `skipped` ones in
  // the middle, where it has too many.
  struct Tile {
    int at;      // where the row begins
    int length;  // negative: none_there, or is_left
    int count;   // of the elements before what is skipped; 0: none is copied
    int behind;  // of those behind
    std::int64_t skipped;
    int shift[Fold::arrays];  // of the window's first byte, from a multiple of 16
  };
  static constexpr int none_there = -1;
  static constexpr int is_left = -2;

  template <class Group>
  ISOFOLD_DEVICE Offsets load_offsets(const Group& group, int base, int thread) const {
    const int all = static_cast<int>(rows.rows);
    const auto clamped = [&](int row) { return row < all ? row : all; };
    const int mine = thread < tiles.rows ? base + thread : base + tiles.rows;
    const int number[] = {clamped(mine), clamped(thread < tiles.rows ? mine + 1 : mine),
                          clamped(base), clamped(base + tiles.rows)};
    Offsets found;
    if (wide_indices) {
      const auto* const list = static_cast<const std::int64_t*>(offsets);
      found.begin = group.template load<std::int64_t, 1>(list + number[0]).value[0];
      found.end = group.template load<std::int64_t, 1>(list + number[1]).value[0];
      found.low = group.template load<std::int64_t, 1>(list + number[2]).value[0];
      found.high = group.template load<std::int64_t, 1>(list + number[3]).value[0];
    } else {
      const auto* const list = static_cast<const std::int32_t*>(offsets);
      found.begin = group.template load<std::int32_t, 1>(list + number[0]).value[0];
      found.end = group.template load<std::int32_t, 1>(list + number[1]).value[0];
      found.low = group.template load<std::int32_t, 1>(list + number[2]).value[0];
      found.high = group.template load<std::int32_t, 1>(list + number[3]).value[0];
    }
    return found;
  }

  // Nothing is copied of a tile whose bounds are wrong. Where those are right, each element between
  // them lies in the data, whatever the offsets between them are.
  ISOFOLD_DEVICE Tile tile_of(const Offsets& of, int thread, int base) const {
    Tile tile{};
    const bool exists = thread < tiles.rows && base + thread < static_cast<int>(rows.rows);
    const std::int64_t total = of.high - of.low;
    const bool sound = of.low >= 0 && total >= 0 && of.high <= elements;
    const auto begin = static_cast<std::uint64_t>(of.begin - of.low);
    const auto end = static_cast<std::uint64_t>(of.end - of.low);
    bool is_in = sound && begin <= end && end <= static_cast<std::uint64_t>(total);
    tile.at = static_cast<int>(begin);
    tile.count = sound ? static_cast<int>(total) : 0;
    if (sound && total > tiles.window) {
      const int half = tiles.window / 2;
      tile.skipped = (total - tiles.window + 15) & ~std::int64_t{15};
      tile.count = half;
      tile.behind = static_cast<int>(total - tile.skipped) - half;
      const auto behind = static_cast<std::uint64_t>(half + tile.skipped);
      is_in = is_in && (end <= static_cast<std::uint64_t>(half) || begin >= behind);
      tile.at = static_cast<int>(begin >= behind ? begin - static_cast<std::uint64_t>(tile.skipped)
                                                 : begin);
    }
    const auto length = static_cast<int>(end - begin);
    is_in = is_in && length <= most_elements;
    tile.at = is_in ? tile.at : 0;
    tile.length = is_in ? length : is_left;
    tile.length = exists ? tile.length : none_there;
    return tile;
  }

  template <class Group>
  ISOFOLD_DEVICE void begin_copies(const Group& group, char* buffer, const Offsets& of,
                                   Tile& tile) const {
    constexpr int part = static_cast<int>(sizeof(core::part_t<Element>));
    constexpr int bytes = static_cast<int>(sizeof(Element));
    const int half = tiles.window / 2;
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      const Element* const data = a == 0 ? rows.first.data : rows.first.second;
      const auto* const from = reinterpret_cast<const char*>(data + of.low);
      tile.shift[a] = static_cast<int>(reinterpret_cast<std::uintptr_t>(from) & 15);
      char* const to = buffer + a * buffer_bytes(tiles) + tile.shift[a];
      copy_stretch<part>(group, to, from, tile.count * bytes);
      if (tile.behind > 0) {
        copy_stretch<part>(group, to + half * bytes, from + (half + tile.skipped) * bytes,
                           tile.behind * bytes);
      }
    }
  }

  // Folds the rows of a tile: first each thread its own, if that is short, then some threads each of
  // those on the warp's list, which are the others. All of the warp call.
  template <class Group>
  ISOFOLD_DEVICE void fold_tile(const Group& group, const Here<Group>& here, const char* buffer,
                                const Tile& tile, int base) const {
    constexpr int at_once = Group::wave_width >> tiny_sharers_shift;
    const int alone = tiles.by_thread ? tiny_lanes : is_left;  // at most so long
    int listed = 0;
    if (!tiles.by_thread) {
      listed = list_rows(group, here, tile, true);
    }
    for (int n = tiles.by_thread ? -at_once : 0; n < listed || n < 0; n += at_once) {
      const bool own = n < 0;
      const int entry = own ? 0 : n + (here.place.thread >> tiny_sharers_shift);
      Listed row{tile.at, here.place.thread, tile.length <= alone ? tile.length : none_there};
      if (!own) {
        row = here.list[entry < listed ? entry : n];
        row.length = entry < listed ? row.length : none_there;
      }
      fold_row(group, own, buffer, tile, row, base);
      if (own) {
        listed = list_rows(group, here, tile, tile.length > tiny_lanes);
      }
    }
    if (here.counts[0] != 0) {
      end_list(group, here, tile, base);
    }
  }

  // Puts the thread's row on the list if it is `wanted` there, and remembers whether the tile has
  // rows that are left. Returns how many the list has. All of the warp call.
  template <class Group>
  ISOFOLD_DEVICE int list_rows(const Group& group, const Here<Group>& here, const Tile& tile,
                               bool wanted) const {
    if (wanted || tile.length == is_left) {
      const auto entry = group.claim(here.counts, 1);
      here.list[entry] = {tile.at, here.place.thread, tile.length};
    }
    group.warp_barrier();
    return static_cast<int>(here.counts[0]);
  }

  // Zeroes the list; rows of the tile that are left go on that of the device.
  template <class Group>
  ISOFOLD_DEVICE void end_list(const Group& group, const Here<Group>& here, const Tile& tile,
                               int base) const {
    const int thread = here.place.thread;
    std::uint32_t mask = tile.length == is_left ? std::uint32_t{1} << thread % 32 : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      mask |= group.exchange(mask, distance);
    }
    std::uint64_t all = mask;
    if constexpr (Group::wave_width == 64) {
      const std::uint32_t other = group.exchange(mask, 32);
      all |= std::uint64_t{other} << 32;
    }
    group.warp_barrier();
    if (thread == 0) {
      *here.counts = 0;
      if (all != 0) {
        left[group.claim(left_count, 1)] = {base, all};
      }
    }
  }

  // Folds a row of the tile, the thread's own or one that it shares, and writes its result.
  template <class Group>
  ISOFOLD_DEVICE void fold_row(const Group& group, bool own, const char* buffer, const Tile& tile,
                               const Listed& listed, int base) const {
    TinyRow<Fold> row{};
    row.length = listed.length > 0 ? listed.length : 0;
    row.thread = own ? 0 : here_thread(group) & ((1 << tiny_sharers_shift) - 1);
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      row.from[a] = buffer + a * buffer_bytes(tiles) + tile.shift[a] +
                    listed.at * static_cast<int>(sizeof(Element));
    }
    const auto fold_with = [&](auto shift) {
      const State state =
          state_by_passes(group, rows.fold, 0, row.length,
                          [&](const auto& pass) { return pass_over_row(group, row, pass, shift); });
      if (listed.length >= 0 && row.thread == 0) {
        rows.write_ragged(base + listed.row, state, listed.length);
      }
    };
    if constexpr (has_short_rows<Fold>) {  // cheap: twice, each as it is best
      own ? fold_with(FixedShift<0>{})
          : fold_with(FixedShift<tiny_sharers_shift>{});
    } else {
      fold_with(own ? 0 : tiny_sharers_shift);
    }
  }

  template <class Group>
  ISOFOLD_DEVICE static int here_thread(const Group& group) {
    return group.thread() % Group::wave_width;
  }
};

}  // namespace isofold::gpu
