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

// Copies `bytes` bytes and no other, whole parts of elements, both addresses the same modulo 16. All
// of the warp call.
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
  static constexpr int max_threads = has_short_rows<Fold> ? 1024 : 512;

  Rows<Fold> rows;  // fewer than most_rows
  const void* offsets;
  bool wide_indices;
  std::uint64_t elements;  // that lie at data, or as many as offsets can say
  TinyTiles tiles;
  LeftRows* left;            // a tile each
  std::uint32_t* left_count;  // zero

  static TinyFold of(const Rows<Fold>& rows, const Places& places, const TinyTiles& tiles,
                     LeftRows* left, std::uint32_t* left_count) {
    const std::int64_t most = places.wide_indices ? INT64_MAX : INT32_MAX;
    return {rows,  places.begins, places.wide_indices,
            static_cast<std::uint64_t>(std::min(places.elements, most)),
            tiles, left,          left_count};
  }

  static constexpr std::int64_t most_rows = std::int64_t{1} << 30;
  // A row that this kernel folds has at most so many elements.
  static constexpr int most_elements = core::chunk_elements;

  // Of an array's window, which may begin up to 15 bytes on, and an element behind it that may be
  // read and is not used.
  ISOFOLD_HOST_DEVICE static constexpr int buffer_bytes(const TinyTiles& tiles) {
    return tiles.window * static_cast<int>(sizeof(Element)) + 32;
  }
  // Of a tile's offsets.
  ISOFOLD_HOST_DEVICE static constexpr int offset_bytes(int wave_width) {
    return (wave_width + 2) * 8;
  }
  ISOFOLD_HOST_DEVICE static constexpr int warp_bytes(const TinyTiles& tiles, int wave_width) {
    return 2 * (Fold::arrays * buffer_bytes(tiles) + offset_bytes(wave_width)) +
           wave_width * static_cast<int>(sizeof(Listed)) + 16;  // the count
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const Here<Group> here(group, tiles);
    const int step = static_cast<int>(group.blocks()) * here.place.warps * tiles.rows;
    int base = (static_cast<int>(group.block()) * here.place.warps + here.place.warp) * tiles.rows;
    if (here.place.thread == 0) {
      *here.count = 0;
    }
    prepare_offsets(group, here);
    begin_offsets(group, here, 0, base);
    wait_for_copies(group);
    Tile tile{};
    begin_tile(group, here, 0, base, tile);
    begin_offsets(group, here, 1, base + step);
    int buffer = 0;
#pragma unroll 1
    for (; base < static_cast<int>(rows.rows); base += step) {
      wait_for_copies(group);  // and all have read what was there before
      Tile next{};
      begin_tile(group, here, 1 - buffer, base + step, next);
      begin_offsets(group, here, buffer, base + 2 * step);
      fold_tile(group, here, buffer, tile, base);
      tile = next;
      buffer = 1 - buffer;
    }
  }

 private:
  // A row to be folded.
  struct Listed {
    int at;      // where it begins
    int row;     // of the tile
    int length;  // as a tile's
  };
  // A thread's row of a tile. What shared memory has of the tile is its window: all of its elements,
  // or, where those are too many, some from each end.
  struct Tile {
    int at;                   // where the row begins in the window
    int length;               // negative: none_there, or is_left
    int shift[Fold::arrays];  // of the window's first byte, from a multiple of 16
  };
  static constexpr int none_there = -1;
  static constexpr int is_left = -2;

  // The warp's shared memory: two tiles, of each where its rows begin and end and its window.
  template <class Group>
  struct Here {
    WarpPlace<Group> place;
    char* memory;
    Listed* list;
    std::uint32_t* count;  // of the list; zero between tiles

    ISOFOLD_DEVICE Here(const Group& group, const TinyTiles& tiles) : place(group) {
      memory = static_cast<char*>(group.shared()) +
               place.warp * warp_bytes(tiles, Group::wave_width);
      list = reinterpret_cast<Listed*>(
          memory + 2 * (Fold::arrays * buffer_bytes(tiles) + offset_bytes(Group::wave_width)));
      count = reinterpret_cast<std::uint32_t*>(list + Group::wave_width);
    }
    ISOFOLD_DEVICE char* offsets(int number) const {
      return memory + number * offset_bytes(Group::wave_width);
    }
    ISOFOLD_DEVICE char* window(const TinyTiles& tiles, int number, int array) const {
      return memory + 2 * offset_bytes(Group::wave_width) +
             (number * Fold::arrays + array) * buffer_bytes(tiles);
    }
  };

  // Orders what was copied before what follows, and that before what is copied then. All of the
  // warp call.
  template <class Group>
  ISOFOLD_DEVICE static void wait_for_copies(const Group& group) {
    if constexpr (has_copies_to_shared<Group>) {
      group.wait_for_copies();
    }
    group.warp_barrier();
  }

  // Offsets of 32 bits are the low words of those that are read: zeros above them.
  template <class Group>
  ISOFOLD_DEVICE void prepare_offsets(const Group& group, const Here<Group>& here) const {
    for (int i = here.place.thread; i < 2 * offset_bytes(Group::wave_width) / 8;
         i += Group::wave_width) {
      reinterpret_cast<std::uint64_t*>(here.memory)[i] = 0;
    }
    group.warp_barrier();
  }

  // Begins to copy the offsets of a tile: one for each of its rows that are there, and one.
  template <class Group>
  ISOFOLD_DEVICE void begin_offsets(const Group& group, const Here<Group>& here, int number,
                                    int base) const {
    const int left_of_rows = static_cast<int>(rows.rows) - base;
    const int last = left_of_rows < tiles.rows ? left_of_rows : tiles.rows;
    char* const to = here.offsets(number) + here.place.thread * 8;
    const int end = last - here.place.thread;
    if (wide_indices) {
      const auto* const from = static_cast<const char*>(offsets) +
                               static_cast<std::int64_t>(base + here.place.thread) * 8;
      copy_offsets<8>(group, to, from, end);
    } else {
      const auto* const from = static_cast<const char*>(offsets) +
                               static_cast<std::int64_t>(base + here.place.thread) * 4;
      copy_offsets<4>(group, to, from, end);
    }
  }
  template <int bytes, class Group>
  ISOFOLD_DEVICE static void copy_offsets(const Group& group, char* to, const char* from, int end) {
    if (end >= 0) {
      copy_words<bytes>(group, to, from);
    }
    if (end == Group::wave_width) {  // thread 0, of a tile that has a row for each thread
      copy_words<bytes>(group, to + Group::wave_width * 8, from + Group::wave_width * bytes);
    }
  }

  // Finds a tile's rows by its offsets, which are there, and begins to copy their elements. Nothing
  // is copied of a tile whose bounds are wrong. Where those are right, each element between them lies
  // in the data, whatever the offsets between them are.
  template <class Group>
  ISOFOLD_DEVICE void begin_tile(const Group& group, const Here<Group>& here, int number, int base,
                                 Tile& tile) const {
    const auto* const found = reinterpret_cast<const std::uint64_t*>(here.offsets(number));
    const int left_of_rows = static_cast<int>(rows.rows) - base;
    const int last = left_of_rows < tiles.rows ? left_of_rows : tiles.rows;
    const bool exists = here.place.thread < last;
    const int mine = exists ? here.place.thread : 0;
    tile.length = exists ? is_left : none_there;
    if (last <= 0) {
      return;
    }
    const std::uint64_t low = found[0];
    const std::uint64_t high = found[last];
    const std::uint64_t begin = found[mine] - low;
    const std::uint64_t end = found[mine + 1] - low;
    const std::uint64_t total = high - low;
    if (low > high || high > elements) {
      return;
    }
    bool is_in = begin <= end && end <= total;
    int at = static_cast<int>(begin);
    if (total <= static_cast<std::uint64_t>(tiles.window)) {
      begin_window(group, here, number, low, static_cast<int>(total), tile);
    } else {
      const auto half = static_cast<std::uint64_t>(tiles.window / 2);
      const std::uint64_t skipped =
          (total - static_cast<std::uint64_t>(tiles.window) + 15) & ~std::uint64_t{15};
      const bool is_behind = begin >= half + skipped;
      is_in = is_in && (end <= half || is_behind) &&
              end - begin <= static_cast<std::uint64_t>(most_elements);
      at = static_cast<int>(is_behind ? begin - skipped : begin);
      begin_ends(group, here, number, low, skipped, static_cast<int>(total - skipped - half), tile);
    }
    const int length = static_cast<int>(end - begin);
    is_in = is_in && length <= most_elements;
    tile.at = is_in ? at : 0;
    tile.length = exists && is_in ? length : tile.length;
  }

  // Where element `first` lies in its array.
  ISOFOLD_DEVICE const char* address_of(int array, std::uint64_t first) const {
    const Element* const data = array == 0 ? rows.first.data : rows.first.second;
    return reinterpret_cast<const char*>(data + first);
  }

  // The window of a tile whose elements it holds. Whole lines, if the data have whatever else is in
  // them.
  template <class Group>
  ISOFOLD_DEVICE void begin_window(const Group& group, const Here<Group>& here, int number,
                                   std::uint64_t low, int count, Tile& tile) const {
    constexpr int part = static_cast<int>(sizeof(core::part_t<Element>));
    constexpr int bytes = static_cast<int>(sizeof(Element));
    const bool is_inside = low >= line_bytes && low + static_cast<std::uint64_t>(count) + line_bytes <= elements;
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
                                 Tile& tile) const {
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

  // Folds the rows of a tile: first each thread its own, if that is short, then some threads each of
  // those on the warp's list, which are the others. All of the warp call.
  template <class Group>
  ISOFOLD_DEVICE void fold_tile(const Group& group, const Here<Group>& here, int number,
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
      fold_row(group, here, own, number, tile, row, base);
      if (own) {
        listed = list_rows(group, here, tile, tile.length > tiny_lanes);
      }
    }
    if (*here.count != 0) {
      end_list(group, here, tile, base);
    }
  }

  // Puts the thread's row on the list if it is `wanted` there, and remembers whether the tile has
  // rows that are left. Returns how many the list has. All of the warp call.
  template <class Group>
  ISOFOLD_DEVICE int list_rows(const Group& group, const Here<Group>& here, const Tile& tile,
                               bool wanted) const {
    if (wanted || tile.length == is_left) {
      const auto entry = group.claim(here.count, 1);
      here.list[entry] = {tile.at, here.place.thread, tile.length};
    }
    group.warp_barrier();
    return static_cast<int>(*here.count);
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
      *here.count = 0;
      if (all != 0) {
        left[group.claim(left_count, 1)] = {base, all};
      }
    }
  }

  // Folds a row of the tile, the thread's own or one that it shares, and writes its result.
  template <class Group>
  ISOFOLD_DEVICE void fold_row(const Group& group, const Here<Group>& here, bool own, int number,
                               const Tile& tile, const Listed& listed, int base) const {
    TinyRow<Fold> row{};
    row.length = listed.length > 0 ? listed.length : 0;
    row.thread = own ? 0 : here.place.thread & ((1 << tiny_sharers_shift) - 1);
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      row.from[a] = here.window(tiles, number, a) + tile.shift[a] +
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
};

}  // namespace isofold::gpu
