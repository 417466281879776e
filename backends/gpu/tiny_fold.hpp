// The kernel for many short segments, one after the other in memory (CSR). A warp takes
// neighbouring segments at once, a tile: wide copies bring the stretch of their elements to shared
// memory while it folds the tile before; then a thread folds a segment alone, or four share one
// that is longer. What does not fit is left to PlacedFold, by way of a list.
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

inline constexpr int tiny_lanes = 16;         // of a segment that a thread folds
inline constexpr int tiny_sharers_shift = 2;  // 2^2 threads share a longer one
static_assert(tiny_lanes << tiny_sharers_shift == core::lanes, "Sharers have all lanes.");

// Lanes that a thread folds at once, for registers, as placed_loads().
template <class Fold>
ISOFOLD_HOST_DEVICE constexpr int tiny_held() {
  constexpr int loads = placed_loads<Fold>();
  return loads < 4 ? 4 : loads;
}

// Folds that are cheap enough to have twice the code where that saves instructions.
template <class Fold>
inline constexpr bool is_tiny_cheap = has_short_rows<Fold>;

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

// The lanes first, first + step, ... of a row, as far as they have elements. Those that a lane
// begins with come by loads with a condition each, for which there is no branch where passes are
// cheap; others are all loaded before the first is used: where one is missing, the row's first once
// more.
template <bool begins, class Fold, class Pass, int held>
ISOFOLD_DEVICE void take_row(const TinyRow<Fold>& row, const Pass& pass, int first, int step,
                             core::LaneOf<Pass> (&lane)[held]) {
  using Element = typename Fold::element_type;
  if constexpr (begins && is_tiny_cheap<Fold>) {
#pragma unroll
    for (int j = 0; j < held; ++j) {
      const int i = first + j * step;
      if (i < row.length) {
        lane[j] = taken(pass, begins, lane[j], i, core::value_of<Pass>(row.at(0, i)));
      }
    }
  } else {
    Element x[Fold::arrays][held];
#pragma unroll
    for (int j = 0; j < held; ++j) {
      const int i = first + j * step;
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        x[a][j] = row.at(a, i < row.length ? i : 0);
      }
    }
#pragma unroll
    for (int j = 0; j < held; ++j) {
      const int i = first + j * step;
      const auto value = core::value_of<Pass>(x[0][j]);
      core::LaneOf<Pass> next;
      if constexpr (Fold::arrays == 2) {
        next = taken(pass, begins, lane[j], i, value, core::value_of<Pass>(x[1][j]));
      } else {
        next = taken(pass, begins, lane[j], i, value);
      }
      lane[j] = chosen(i < row.length, next, lane[j]);
    }
  }
}

// Joins the lanes of a thread `apart` and fewer apart, lane 0 having them all in the end; the first
// is the chunk's lane `first`, and neighbours are `step` apart. (One instance a stride: in a loop
// over strides, nvcc left the lanes in memory.)
template <int apart, class Fold, class Lane>
ISOFOLD_DEVICE void join_held(const Fold& fold, Lane* lane, int first, int step, int length) {
  if constexpr (apart > 0) {
#pragma unroll
    for (int j = 0; j < apart; ++j) {
      lane[j] = join(fold, lane[j], lane[j + apart], false, first + (j + apart) * step < length);
    }
    join_held<apart / 2>(fold, lane, first, step, length);
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
    if (shift > 0) {
#pragma unroll 1
      for (int begin = core::lanes; begin < row.length; begin += core::lanes) {
        take_row<false>(row, pass, begin + first, step, lane);
      }
    }
    join_held<held / 2>(fold, lane, first, step, row.length);
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

// Begins to copy `part` bytes to shared memory; where nothing copies by itself, it is done at once.
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

inline constexpr int line_bytes = 16;

// The same of lines of 16 bytes. All of the warp call.
template <class Group>
ISOFOLD_DEVICE void copy_lines(const Group& group, char* to, const char* from, int lines) {
  constexpr int at_once = 4;
  constexpr int apart = Group::wave_width * line_bytes;
  const int thread = group.thread() % Group::wave_width;
  from += thread * line_bytes;
  to += thread * line_bytes;
#pragma unroll 1
  for (int n = thread; n < lines; n += at_once * Group::wave_width) {
    if constexpr (has_copies_to_shared<Group>) {
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        if (n + j * Group::wave_width < lines) {
          copy_words<line_bytes>(group, to + j * apart, from + j * apart);
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
          memcpy(__builtin_assume_aligned(to + j * apart, line_bytes), &words[j], line_bytes);
        }
      }
    }
    from += at_once * apart;
    to += at_once * apart;
  }
}

// Copies `bytes` bytes and no other, whole parts of elements, both addresses the same modulo 16.
// All of the warp call.
template <int part, class Group>
ISOFOLD_DEVICE void copy_stretch(const Group& group, char* to, const char* from, int bytes) {
  const int thread = group.thread() % Group::wave_width;
  const int before =
      -static_cast<int>(reinterpret_cast<std::uintptr_t>(from) % line_bytes) & (line_bytes - 1);
  const int head = before < bytes ? before : bytes;
  const int lines = (bytes - head) / line_bytes;
  const int tail = head + lines * line_bytes;
  // Threads 0 to 3 have the parts before the first whole line, 4 to 7 those after the last.
  const int edge = thread < 4 ? thread * part : tail + (thread - 4) * part;
  if (thread < 8 && edge < (thread < 4 ? head : bytes)) {
    copy_words<part>(group, to + edge, from + edge);
  }
  copy_lines(group, to + head, from + head, lines);
}

template <class Fold>
struct TinyFold {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  // It bounds the registers of NVIDIA's threads: 64 where lanes are numbers.
  static constexpr int max_threads = is_tiny_cheap<Fold> ? 1024 : 512;

  Rows<Fold> rows;  // at most most_rows
  const void* offsets;
  bool wide_indices;
  std::uint64_t elements;  // that lie at data, or as many as offsets can say
  TinyTiles tiles;
  LeftRows* left;             // a tile each
  std::uint32_t* left_count;  // zero

  static TinyFold of(const Rows<Fold>& rows, const Places& places, const TinyTiles& tiles,
                     LeftRows* left, std::uint32_t* left_count) {
    const std::int64_t most = places.wide_indices ? INT64_MAX : INT32_MAX;
    return {rows,
            places.begins,
            places.wide_indices,
            static_cast<std::uint64_t>(std::min(places.elements, most)),
            tiles,
            left,
            left_count};
  }

  static constexpr std::int64_t most_rows = std::int64_t{1} << 30;
  // A row that this kernel folds has at most so many elements.
  static constexpr int most_elements = core::chunk_elements;

  // Rows of a tile, at most; LeftRows has a bit for each.
  ISOFOLD_HOST_DEVICE static constexpr int most_tile(int wave_width) {
    return is_tiny_cheap<Fold> ? 64 : wave_width;
  }
  // Of an array's window, which may begin up to 15 bytes on and end as many before the end of a
  // line; then an element behind it that may be read and is not used.
  ISOFOLD_HOST_DEVICE static constexpr int buffer_bytes(const TinyTiles& tiles) {
    return tiles.window * static_cast<int>(sizeof(Element)) + 32;
  }
  // Of a tile's offsets.
  ISOFOLD_HOST_DEVICE static constexpr int offset_bytes(int wave_width) {
    return (most_tile(wave_width) + 2) * 8;
  }
  ISOFOLD_HOST_DEVICE static constexpr int warp_bytes(const TinyTiles& tiles, int wave_width) {
    return 2 * (Fold::arrays * buffer_bytes(tiles) + offset_bytes(wave_width)) +
           most_tile(wave_width) * static_cast<int>(sizeof(Listed)) + 16;  // the count
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const Here<Group> here(group, tiles);
    const int step = static_cast<int>(group.blocks()) * here.place.warps * tiles.rows;
    int base = (static_cast<int>(group.block()) * here.place.warps + here.place.warp) * tiles.rows;
    if (here.place.thread == 0) {
      *here.count = 0;
    }
    zero_offsets(group, here);
    begin_offsets(group, here, 0, base);
    // The first round begins the first tile, and folds none.
    base -= step;
    Tile<Group> tile(none_there);
    int other = 0;
#pragma unroll 1
    for (; base < static_cast<int>(rows.rows); base += step) {
      if constexpr (has_copies_to_shared<Group>) {
        group.wait_for_copies();
      }
      group.warp_barrier();  // all can read what was copied, and have read what was there before
      const Tile<Group> next = begin_tile(group, here, other, base + step);
      other = 1 - other;
      begin_offsets(group, here, other, base + 2 * step);
      fold_tile(group, here, other, tile, base);
      tile = next;
    }
  }

 private:
  // A row to be folded.
  struct Listed {
    int at;      // where it begins
    int row;     // of the tile
    int length;  // as a tile's
  };
  // Rows thread, thread + wave_width, ... of a tile. What shared memory has of the tile is its
  // window: all of its elements, or, where those are too many, some from each end.
  template <class Group>
  struct Tile {
    static constexpr int each = most_tile(Group::wave_width) / Group::wave_width;
    int at[each];             // where the row begins in the window
    int length[each];         // negative: none_there, or is_left
    int shift[Fold::arrays];  // of the window's first byte, from a multiple of 16

    ISOFOLD_DEVICE explicit Tile(int of_all) : at{}, shift{} {
      for (int& each_length : length) {
        each_length = of_all;
      }
    }
  };
  static constexpr int none_there = -1;
  static constexpr int is_left = -2;

  // The warp's shared memory: of two tiles the offsets and the window, then the list.
  template <class Group>
  struct Here {
    WarpPlace<Group> place;
    char* memory;
    Listed* list;
    std::uint32_t* count;  // of the list; zero between tiles

    ISOFOLD_DEVICE Here(const Group& group, const TinyTiles& tiles) : place(group) {
      constexpr int width = Group::wave_width;
      memory = static_cast<char*>(group.shared()) + place.warp * warp_bytes(tiles, width);
      list = reinterpret_cast<Listed*>(
          memory + 2 * (Fold::arrays * buffer_bytes(tiles) + offset_bytes(width)));
      count = reinterpret_cast<std::uint32_t*>(list + most_tile(width));
    }
    ISOFOLD_DEVICE char* offsets(int number) const {
      return memory + number * offset_bytes(Group::wave_width);
    }
    ISOFOLD_DEVICE char* window(const TinyTiles& tiles, int number, int array) const {
      return memory + 2 * offset_bytes(Group::wave_width) +
             (number * Fold::arrays + array) * buffer_bytes(tiles);
    }
  };

  // How many of a tile's rows there are.
  ISOFOLD_DEVICE int rows_of_tile(int base) const {
    const int left_of_all = static_cast<int>(rows.rows) - base;
    return left_of_all < tiles.rows ? left_of_all : tiles.rows;
  }

  // Offsets of 32 bits are the low words of those that are read: zeros above them.
  template <class Group>
  ISOFOLD_DEVICE void zero_offsets(const Group& group, const Here<Group>& here) const {
    auto* const words = reinterpret_cast<std::uint64_t*>(here.memory);
    for (int i = here.place.thread; i < 2 * offset_bytes(Group::wave_width) / 8;
         i += Group::wave_width) {
      words[i] = 0;
    }
    group.warp_barrier();
  }

  // Begins to copy the offsets of a tile: one for each of its rows that are there, and one.
  template <class Group>
  ISOFOLD_DEVICE void begin_offsets(const Group& group, const Here<Group>& here, int number,
                                    int base) const {
    const int last = rows_of_tile(base) - here.place.thread;
    char* const to = here.offsets(number) + here.place.thread * 8;
    const std::int64_t mine = base + here.place.thread;
    const auto* const from = static_cast<const char*>(offsets);
    if (wide_indices) {
      copy_offsets<8>(group, to, from + mine * 8, last);
    } else {
      copy_offsets<4>(group, to, from + mine * 4, last);
    }
  }
  template <int bytes, class Group>
  ISOFOLD_DEVICE static void copy_offsets(const Group& group, char* to, const char* from,
                                          int last) {
#pragma unroll
    for (int i = 0; i <= most_tile(Group::wave_width); i += Group::wave_width) {
      if (i <= last) {
        copy_words<bytes>(group, to + i * 8, from + i * bytes);
      }
    }
  }

  // Finds a tile's rows by its offsets, which are there, and begins to copy their elements. Nothing
  // is copied of a tile whose bounds are wrong. Where those are right, each element between them
  // lies in the data, whatever the offsets between them are.
  template <class Group>
  ISOFOLD_DEVICE Tile<Group> begin_tile(const Group& group, const Here<Group>& here, int number,
                                        int base) const {
    Tile<Group> tile(none_there);
    const int last = rows_of_tile(base);
    if (last <= 0) {
      return tile;
    }
    const auto* const found = reinterpret_cast<const std::uint64_t*>(here.offsets(number));
    const std::uint64_t low = found[0];
    const std::uint64_t high = found[last];
    const std::uint64_t total = high - low;
    const bool is_sound = low <= high && high <= elements;
    const auto most = static_cast<std::uint64_t>(tiles.window);
    const std::uint64_t skipped = total > most ? (total - most + 15) & ~std::uint64_t{15} : 0;
    const std::uint64_t half = most / 2;
    if (is_sound) {
      if (skipped == 0) {
        begin_window(group, here, number, low, static_cast<int>(total), tile);
      } else {
        begin_ends(group, here, number, low, skipped, static_cast<int>(total - skipped - half),
                   tile);
      }
    }
#pragma unroll
    for (int i = 0; i < Tile<Group>::each; ++i) {
      const int row = here.place.thread + i * Group::wave_width;
      if (row < last) {
        const std::uint64_t begin = found[row] - low;
        const std::uint64_t end = found[row + 1] - low;
        const std::uint64_t length = end - begin;
        const bool is_behind = begin >= half + skipped;
        const bool fits = skipped == 0 || end <= half || is_behind;
        const bool is_in = is_sound && fits && begin <= end && end <= total &&
                           length <= static_cast<std::uint64_t>(most_elements);
        tile.at[i] = is_in ? static_cast<int>(is_behind ? begin - skipped : begin) : 0;
        tile.length[i] = is_in ? static_cast<int>(length) : is_left;
      }
    }
    return tile;
  }

  // Where element `first` lies in its array.
  ISOFOLD_DEVICE const char* address_of(int array, std::uint64_t first) const {
    const Element* const data = array == 0 ? rows.first.data : rows.first.second;
    return reinterpret_cast<const char*>(data + first);
  }

  // Begins to copy a window that holds all of its tile: whole lines, where the data have whatever
  // else is in them.
  template <class Group>
  ISOFOLD_DEVICE void begin_window(const Group& group, const Here<Group>& here, int number,
                                   std::uint64_t low, int count, Tile<Group>& tile) const {
    constexpr int part = static_cast<int>(sizeof(core::part_t<Element>));
    constexpr int bytes = static_cast<int>(sizeof(Element));
    constexpr std::uint64_t line = line_bytes;  // at least as many elements as are in one
    const bool is_inside =
        low >= line && low + static_cast<std::uint64_t>(count) + line <= elements;
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      const char* const from = address_of(a, low);
      char* const to = here.window(tiles, number, a);
      const int shift = static_cast<int>(reinterpret_cast<std::uintptr_t>(from) % line_bytes);
      tile.shift[a] = shift;
      if (is_inside) {
        copy_lines(group, to, from - shift, (shift + count * bytes + line_bytes - 1) / line_bytes);
      } else {
        copy_stretch<part>(group, to + shift, from, count * bytes);
      }
    }
  }

  // The same where the tile has too many elements: half of the window from its begin on, and those
  // that follow `skipped` ones.
  template <class Group>
  ISOFOLD_DEVICE void begin_ends(const Group& group, const Here<Group>& here, int number,
                                 std::uint64_t low, std::uint64_t skipped, int behind,
                                 Tile<Group>& tile) const {
    constexpr int part = static_cast<int>(sizeof(core::part_t<Element>));
    constexpr int bytes = static_cast<int>(sizeof(Element));
    const int half = tiles.window / 2;
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      const char* from = address_of(a, low);
      tile.shift[a] = static_cast<int>(reinterpret_cast<std::uintptr_t>(from) % line_bytes);
      char* to = here.window(tiles, number, a) + tile.shift[a];
#pragma unroll 1
      for (int end = 0; end < 2; ++end) {
        copy_stretch<part>(group, to, from, (end == 0 ? half : behind) * bytes);
        from = address_of(a, low + static_cast<std::uint64_t>(half) + skipped);
        to += half * bytes;
      }
    }
  }

  // Folds the rows of a tile: first each thread its own, if they are short, then some threads each
  // of those on the warp's list, which are the others. All of the warp call.
  template <class Group>
  ISOFOLD_DEVICE void fold_tile(const Group& group, const Here<Group>& here, int number,
                                const Tile<Group>& tile, int base) const {
    constexpr int at_once = Group::wave_width >> tiny_sharers_shift;
    const int alone = tiles.by_thread ? tiny_lanes : none_there;  // at most so long
    int listed = 0;
    if constexpr (is_tiny_cheap<Fold>) {
      if (tiles.by_thread) {
#pragma unroll
        for (int i = 0; i < Tile<Group>::each; ++i) {
          fold_row(group, here, FixedShift<0>{}, number, tile, own_row(here, tile, i, alone), base);
        }
      }
      listed = list_rows(group, here, tile, base);
      for (int n = 0; n < listed; n += at_once) {
        fold_row(group, here, FixedShift<tiny_sharers_shift>{}, number, tile,
                 listed_row(here, n, listed), base);
      }
    } else {  // the same with one place where rows are folded
      for (int n = -at_once; n < listed || n < 0; n += at_once) {
        const bool own = n < 0;
        if (!own || tiles.by_thread) {
          const Listed row = own ? own_row(here, tile, 0, alone) : listed_row(here, n, listed);
          fold_row(group, here, own ? 0 : tiny_sharers_shift, number, tile, row, base);
        }
        listed = own ? list_rows(group, here, tile, base) : listed;
      }
    }
    if (*here.count != 0) {
      end_list(group, here, tile, base);
    }
  }

  template <class Group>
  ISOFOLD_DEVICE static Listed own_row(const Here<Group>& here, const Tile<Group>& tile, int i,
                                       int alone) {
    return {tile.at[i], here.place.thread + i * Group::wave_width,
            tile.length[i] <= alone ? tile.length[i] : none_there};
  }
  template <class Group>
  ISOFOLD_DEVICE static Listed listed_row(const Here<Group>& here, int first, int listed) {
    const int entry = first + (here.place.thread >> tiny_sharers_shift);
    Listed row = here.list[entry < listed ? entry : first];
    row.length = entry < listed ? row.length : none_there;
    return row;
  }

  // Puts the rows on the list that are to be shared, all of them where none is folded by one
  // thread. Returns how many it has. What the count says besides is whether end_list() has
  // something to do. All of the warp call.
  template <class Group>
  ISOFOLD_DEVICE int list_rows(const Group& group, const Here<Group>& here, const Tile<Group>& tile,
                               int base) const {
#pragma unroll
    for (int i = 0; i < Tile<Group>::each; ++i) {
      const int row = here.place.thread + i * Group::wave_width;
      const Listed listed{tile.at[i], row, tile.length[i]};
      if (tile.length[i] == is_left || (tiles.by_thread && tile.length[i] > tiny_lanes)) {
        const std::uint32_t entry = group.claim(here.count, 1);
        if (tiles.by_thread) {
          here.list[entry] = listed;
        }
      }
      if (!tiles.by_thread) {
        here.list[row] = listed;
      }
    }
    group.warp_barrier();
    return tiles.by_thread ? static_cast<int>(*here.count) : rows_of_tile(base);
  }

  // Zeroes the list; rows of the tile that are left go on that of the device.
  template <class Group>
  ISOFOLD_DEVICE void end_list(const Group& group, const Here<Group>& here, const Tile<Group>& tile,
                               int base) const {
    constexpr int word_bits = 32;
    std::uint32_t mask[2] = {};  // of rows 0 to 31, and 32 to 63
    const int thread = here.place.thread;
#pragma unroll
    for (int i = 0; i < Tile<Group>::each; ++i) {
      const int row = thread + i * Group::wave_width;
      const std::uint32_t bit = tile.length[i] == is_left ? std::uint32_t{1} << row % word_bits : 0;
      mask[0] |= row < word_bits ? bit : 0;
      mask[1] |= row < word_bits ? 0 : bit;
    }
#pragma unroll
    for (std::uint32_t& word : mask) {
      for (int distance = 1; distance < Group::wave_width; distance *= 2) {
        word |= group.exchange(word, distance);
      }
    }
    group.warp_barrier();  // all have read how many are on the list
    if (thread == 0) {
      *here.count = 0;
      const std::uint64_t all = std::uint64_t{mask[1]} << word_bits | mask[0];
      if (all != 0) {
        left[group.claim(left_count, 1)] = {base, all};
      }
    }
  }

  // Folds a row of the tile that 2^shift threads share, and writes its result.
  template <class Group, class Shift>
  ISOFOLD_DEVICE void fold_row(const Group& group, const Here<Group>& here, Shift shift, int number,
                               const Tile<Group>& tile, const Listed& listed, int base) const {
    TinyRow<Fold> row{};
    row.length = listed.length > 0 ? listed.length : 0;
    row.thread = here.place.thread & ((1 << shift) - 1);
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      row.from[a] = here.window(tiles, number, a) + tile.shift[a] +
                    listed.at * static_cast<int>(sizeof(Element));
    }
    const State state = state_by_passes(group, rows.fold, 0, row.length, [&](const auto& pass) {
      return pass_over_row(group, row, pass, shift);
    });
    if (listed.length >= 0 && row.thread == 0) {
      rows.write_ragged(base + listed.row, state, listed.length);
    }
  }
};

}  // namespace isofold::gpu
