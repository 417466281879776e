// The kernel for many segments, one after the other in memory (CSR). A warp folds neighbouring
// ones, a tile, and then whichever tile of its block is next, or at the end of those that no block
// has to itself (work_queue.hpp), because their elements may differ much. It folds them in rounds:
// wide copies bring a stretch of elements to shared memory while it folds the stretch before. A
// stretch is as many segments as fit, each of which a thread, four or the warp fold, by its length;
// or a chunk of a longer one, if the tile does not fit as a whole. The longest, and in tiles that
// do fit those of more than a chunk, are left to the next launch, by lists: ReduceLongSegments's if
// it can be, or ReduceStrided's.
#pragma once

#include <backends/gpu/collective/row_in_shared.hpp>
#include <backends/gpu/input/copy_async.hpp>
#include <backends/gpu/kernel/rows_strided.hpp>
#include <backends/gpu/kernel/segments_long.hpp>

namespace isofold::gpu {

// The cut of segments into tiles; its plan fills it.
struct ShortSegmentsTiles {
  int rows = 0;    // of a tile; none: there is no such launch
  int half = 0;    // of these, where a half may fit into the window that the tile does not; or none
  int window = 0;  // elements of a round that shared memory holds, a multiple of 32
  static constexpr int most_window = (1 << 16) - 32;  // for numbers of 16 bits
  bool by_thread = true;  // short segments are folded by one thread each
  int shared = 0;         // elements of a segment that four share; a longer one gets the warp
  int chunks = 0;         // of a segment that is folded chunk by chunk, at most; 0: window < chunk
  std::int64_t listed = 1 << strided_tile_shift;  // segments of more chunks than that are listed
  int assigned = 0;  // tiles that each block has to itself; the others come by the work queue
};

// A segment that is folded here has at most so many chunks: blocks share longer ones.
inline constexpr int short_segments_most_chunks = 1 << strided_tile_shift;

template <class Fold>
struct ReduceShortSegments {
  using Element = typename Fold::element_type;
  using State = typename Fold::state_type;
  // This bound on the threads of a block is a bound on the registers of each on NVIDIA devices:
  // folds whose lanes are numbers need fewer, but sums of f64 spill with fewer still.
  static constexpr int max_threads = is_short_segments_cheap<Fold> ? 768 : 512;

  // The layout of a warp's shared memory, in bytes: the windows of two rounds, the offsets of two
  // tiles, the part that has one size whatever the tiles are (Head), then the lists. (It is
  // computed before the launch, because each warp computed it several times a round.)
  struct Sizes {
    int window;   // of an array, which may begin up to 127 bytes on
    int offsets;  // of a tile
    int head_at;
    int warp;  // all of it
  };

  Rows<Fold> rows;  // at most most_rows
  const void* offsets;
  bool wide_indices;
  std::uint64_t elements;  // that lie at data, or as many as offsets can say
  ShortSegmentsTiles tiles;
  Sizes sizes;
  TileList list;      // of rows that blocks share
  SegmentsLeft rest;  // empty; of a tile one entry of rows that are left, or one of each half

  static ReduceShortSegments of(const Rows<Fold>& rows, const Places& places,
                                const ShortSegmentsTiles& tiles, const TileList& list,
                                const SegmentsLeft& rest) {
    const std::int64_t most = places.wide_indices ? INT64_MAX : INT32_MAX;
    return {rows,
            places.begins,
            places.wide_indices,
            static_cast<std::uint64_t>(std::min(places.elements, most)),
            tiles,
            sizes_of(tiles),
            list,
            rest};
  }

  static constexpr std::int64_t most_rows = std::int64_t{1} << 30;
  // A row of a round of several rows has at most so many elements.
  static constexpr int most_elements = core::chunk_elements;

  // A tile has at most so many rows; LeftRows has a bit for each.
  ISOFOLD_HOST_DEVICE static constexpr int most_tile(int wave_width) {
    return is_short_segments_cheap<Fold> ? 64 : wave_width;
  }
  static constexpr Sizes sizes_of(const ShortSegmentsTiles& tiles) {
    Sizes sizes{};
    sizes.window =
        whole_cache_lines(tiles.window * static_cast<int>(sizeof(Element)) + cache_line_bytes - 1);
    sizes.offsets = (tiles.rows + 2) * 8;
    sizes.head_at = 2 * (Fold::arrays * sizes.window + sizes.offsets);
    sizes.warp = whole_cache_lines(sizes.head_at + static_cast<int>(sizeof(Head)) +
                                   (tiles.rows + 1) * static_cast<int>(sizeof(Listed)));
    return sizes;
  }
  static constexpr int warp_bytes(const ShortSegmentsTiles& tiles, int /*wave_width*/) {
    return sizes_of(tiles).warp;
  }
  // A block also counts the tiles that its warps have drawn.
  static constexpr int block_bytes = 16;
  static constexpr int shared_bytes(const ShortSegmentsTiles& tiles, int warps, int wave_width) {
    return warps * warp_bytes(tiles, wave_width) + block_bytes;
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const Here<Group> here(group, sizes);
    if (group.thread() == 0) {
      *here.taken = 0;
    }
    group.barrier();
    begin_warp(group, here);
    Cursor at{};
    at.base = here.head->bases[1];
    begin_offsets(group, here, 0, at.base);
    Round<Group> round;  // the first round begins the first stretch, and folds none
    std::uint32_t number = 0;
    int slot = 0;  // of round `number`; that of the round before is the other one
    do {
      wait(group, here, number, round);
      group.warp_barrier();  // all can read what was copied, and have read what was there before
      const Round<Group> next = begin_round(group, here, slot, at);
      slot = 1 - slot;
      ++number;
      fold_round(group, here, slot, round);
      round = next;
    } while (round.base >= 0);
  }

 private:
  // A row to be folded.
  struct Listed {
    int at;               // where it begins in the window
    std::int16_t row;     // of the tile
    std::int16_t length;  // none_there: no row
  };
  // The counts of a round: rows on the list for four, on that for the warp, and rows that are left.
  struct Counts {
    std::uint32_t shared;
    std::uint32_t whole;
    std::uint32_t left;
  };
  // The position of a warp.
  struct Cursor {
    int base;            // of its tile
    int next;            // and of the one that it folds next
    int slot;            // where its tile's offsets are
    int row;             // of the tile, the first that no round has yet
    int begun;           // elements of that row that rounds have
    std::uint64_t left;  // rows of the tile that are left
  };
  // Elements of the data that a round needs.
  struct Window {
    std::uint64_t low;  // the first
    int count;
  };
  // The beginning of a row in the window, and its length or one of these two, as one word.
  static constexpr int none_there = -1;
  static constexpr int is_left = -2;
  struct RoundRow {
    std::uint32_t word = std::uint32_t{0xffff};
    ISOFOLD_DEVICE static RoundRow of(std::uint32_t at, int length) {
      return {at << 16 | (static_cast<std::uint32_t>(length) & 0xffffU)};
    }
    ISOFOLD_DEVICE int at() const { return static_cast<int>(word >> 16); }
    ISOFOLD_DEVICE int length() const { return static_cast<std::int16_t>(word & 0xffffU); }
  };
  // The work of a warp at once, which shared memory holds: nothing, several rows of a tile, or a
  // chunk. (It has few words, because a warp moves them from round to round.)
  template <class Group>
  struct Round {
    static constexpr int each = most_tile(Group::wave_width) / Group::wave_width;
    static constexpr int are_rows = 1;
    static constexpr int are_turned = 2;  // rows
    static constexpr int are_short = 4;   // each row is there, and a thread folds it alone
    static constexpr int is_chunk = 8;
    static constexpr int is_copied_in_parts = 16;  // not in bulk
    static constexpr int row_bits = 8;
    static_assert(most_tile(Group::wave_width) <= 1 << row_bits, "A row's number has its bits.");
    int base = -1;  // of the tile; negative: there is no such round
    int what = 0;
    RoundRow mine[each];        // rows thread, thread + wave_width, ...
    int shift[Fold::arrays]{};  // of each array's elements in the window, in bytes
    int place = 0;              // the chunk's number, and behind it the row's, of the tile
    int row_length = 0;         // of a chunk

    ISOFOLD_DEVICE int number() const { return place >> row_bits; }
    ISOFOLD_DEVICE int row() const { return place & ((1 << row_bits) - 1); }
    // Elements of the chunk, which begins the window.
    ISOFOLD_DEVICE int chunk() const {
      const int rest = row_length - (number() << core::chunk_shift);
      return rest < core::chunk_elements ? rest : core::chunk_elements;
    }
  };

  // The part of a warp's shared memory that is there whatever its tiles are.
  struct Head {
    std::uint64_t arrivals[2];  // of rounds' copies
    Counts counts;              // zero between rounds
    int bases[2];               // of the tile after one with its offsets in slot 0, or 1
    alignas(16) State stack[strided_tile_shift + 1];  // of a row's nodes over 1, 2, 4, ... chunks
  };
  static_assert(alignof(Head) <= 16, "Behind offsets it is aligned to 16 bytes.");

  // The warp's shared memory.
  template <class Group>
  struct Here {
    WarpPlace<Group> place;
    Head* head;
    std::uint32_t* taken;  // tiles of the block that warps have drawn

    ISOFOLD_DEVICE Here(const Group& group, const Sizes& sizes) : place(group) {
      char* const shared = static_cast<char*>(group.shared());
      head = reinterpret_cast<Head*>(shared + place.warp * sizes.warp + sizes.head_at);
      taken = reinterpret_cast<std::uint32_t*>(shared + place.warps * sizes.warp);
    }
    ISOFOLD_DEVICE char* window(const Sizes& sizes, int slot, int array) const {
      return memory() - sizes.head_at + (slot * Fold::arrays + array) * sizes.window;
    }
    ISOFOLD_DEVICE char* offsets(const Sizes& sizes, int slot) const {
      return memory() - (2 - slot) * sizes.offsets;
    }
    // The list: from its begin on rows for four, from its end on those for the warp.
    ISOFOLD_DEVICE Listed* list() const { return reinterpret_cast<Listed*>(head + 1); }
    ISOFOLD_DEVICE char* memory() const { return reinterpret_cast<char*>(head); }
  };

  // The base of the block's next tile, which is this warp's. One thread of the warp calls.
  template <class Group>
  ISOFOLD_DEVICE int take_tile(const Group& group, const Here<Group>& here) const {
    const auto number = static_cast<int>(group.claim(here.taken, 1));
    const auto blocks = static_cast<int>(group.blocks());
    const auto block = static_cast<int>(group.block());
    if (number < tiles.assigned) {
      return (number * blocks + block) * tiles.rows;
    }
    return (tiles.assigned * blocks +
            static_cast<int>(WorkQueue::number(group, rest.turns.take(group)))) *
           tiles.rows;
  }
  // The number of a tile's rows that are there.
  ISOFOLD_DEVICE int rows_of_tile(int base) const {
    const int left_of_all = static_cast<int>(rows.rows) - base;
    return left_of_all < tiles.rows ? left_of_all : tiles.rows;
  }

  // Waits for the elements of `round`, the one before `number`, if there is one, and for the next
  // tile's offsets.
  template <class Group>
  ISOFOLD_DEVICE static void wait(const Group& group, [[maybe_unused]] const Here<Group>& here,
                                  [[maybe_unused]] std::uint32_t number,
                                  [[maybe_unused]] const Round<Group>& round) {
    if constexpr (has_bulk_copies<Group>) {
      if (number > 0) {
        group.wait_for_arrival(here.head->arrivals + (number - 1) % 2, (number - 1) / 2 % 2);
      }
    }
    if constexpr (has_copies_to_shared<Group>) {
      group.wait_for_copies();
    }
    if constexpr (has_bulk_copies<Group>) {
      if ((round.what & Round<Group>::is_copied_in_parts) != 0) {
        group.end_stores();
      }
    }
  }

  // ---- offsets ------------------------------------------------------------------------------

  // Initialises shared memory before the first round. Offsets of 32 bits are the low words of those
  // that are read, so the words above them are zero.
  template <class Group>
  ISOFOLD_DEVICE void begin_warp(const Group& group, const Here<Group>& here) const {
    if (here.place.thread == 0) {
      here.head->counts = Counts{};
      here.head->bases[1] = take_tile(group, here);
      here.head->bases[0] = take_tile(group, here);
    }
    if constexpr (has_bulk_copies<Group>) {
      if (here.place.thread < 2) {
        group.begin_arrivals(here.head->arrivals + here.place.thread);
      }
    }
    auto* const words = reinterpret_cast<std::uint64_t*>(here.offsets(sizes, 0));
    for (int i = here.place.thread; i < 2 * sizes.offsets / 8; i += Group::wave_width) {
      words[i] = 0;
    }
    group.warp_barrier();
  }

  // Begins to copy the offsets of a tile: one for each of its rows that are there, and one.
  template <class Group>
  ISOFOLD_DEVICE void begin_offsets(const Group& group, const Here<Group>& here, int number,
                                    int base) const {
    const int last = rows_of_tile(base) - here.place.thread;
    char* const to = here.offsets(sizes, number) + here.place.thread * 8;
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

  // ---- what the next round is ---------------------------------------------------------------

  // Begins to copy what comes next, and moves the cursor behind it; copies nothing if rows are
  // left, or of a tile whose bounds are wrong. If those are right, each element between them lies
  // in the data, whatever the offsets between them are. Collective: every lane of the warp must
  // call.
  template <class Group>
  ISOFOLD_DEVICE Round<Group> begin_round(const Group& group, const Here<Group>& here, int slot,
                                          Cursor& at) const {
    Round<Group> round;
    const int last = rows_of_tile(at.base);
    if (last <= 0) {
      return round;
    }
    round.base = at.base;
    if (at.row == 0 && at.begun == 0) {  // a new tile, whose predecessor's offsets have been read
      at.next = here.head->bases[at.slot];
      if (here.place.thread == 0) {  // to be read in another round
        here.head->bases[1 - at.slot] = take_tile(group, here);
      }
      begin_offsets(group, here, 1 - at.slot, at.next);
    }
    const auto* const found = reinterpret_cast<const std::uint64_t*>(here.offsets(sizes, at.slot));
    const std::uint64_t low = found[0];
    const std::uint64_t high = found[last];
    const bool is_sound = low <= high && high <= elements;
    const bool is_whole =
        at.row == 0 && at.begun == 0 && high - low <= static_cast<std::uint64_t>(tiles.window);
    Window window{0, 0};
    if (!is_sound) {
      at.left = ~std::uint64_t{0} >> (64 - last);
      at.row = last;
    } else if (is_whole) {
      window = plan_rows(group, here, found, 0, last, round);
      at.row = last;
    } else {
      window = plan_part(group, here, found, last, at, round);
    }
    begin_window(group, here, slot, window, round);
    if (at.row == last) {
      if (at.left != 0 && here.place.thread == 0) {
        rest.rows[group.claim(rest.count, 1)] = {at.base, at.left};
      }
      at = {at.next, 0, 1 - at.slot, 0, 0, 0};
    }
    return round;
  }

  // Plans the rows [first, end) of a tile, which fit into the window as far as they are right; the
  // other rows are left.
  template <class Group>
  ISOFOLD_DEVICE Window plan_rows([[maybe_unused]] const Group& group, const Here<Group>& here,
                                  const std::uint64_t* found, int first, int end,
                                  Round<Group>& round) const {
    const std::uint64_t low = found[first];
    const auto total = static_cast<std::uint32_t>(found[end] - low);
    // This is a guess, and a wrong one does no harm: any row may be turned.
    const auto one = static_cast<std::uint32_t>(found[first + 1] - low);
    const bool turned = is_turned(one) && one * static_cast<std::uint32_t>(end - first) == total;
    bool alone = tiles.by_thread;
#pragma unroll
    for (int i = 0; i < Round<Group>::each; ++i) {
      const int row = here.place.thread + i * Group::wave_width;
      if (row >= first && row < end) {
        const std::uint64_t begin = found[row] - low;
        const std::uint64_t behind = found[row + 1] - low;
        const auto from = static_cast<std::uint32_t>(begin);  // all of it, where the row is right
        const auto length = static_cast<std::uint32_t>(behind) - from;
        const bool is_in = (begin | behind) >> 32 == 0 && from <= total && length <= total - from &&
                           length <= std::uint32_t{most_elements};
        round.mine[i] = RoundRow::of(is_in && length > 0 ? from : 0,
                                     is_in ? static_cast<int>(length) : is_left);
        alone = alone && is_in && length <= std::uint32_t{short_segments_alone<Fold>};
      }
    }
    using Known = Round<Group>;
    round.what = Known::are_rows | (turned ? Known::are_turned : 0);
    if constexpr (has_vote<Group>) {
      round.what |= group.all(alone) ? Known::are_short : 0;
    }
    return {low, static_cast<int>(total)};
  }

  // Plans a part of a tile that does not fit as a whole: its first half or the second, or else as
  // many of its rows as fit, from at.row on; or the next chunk of that row; or nothing, if that one
  // is left.
  template <class Group>
  ISOFOLD_DEVICE Window plan_part(const Group& group, const Here<Group>& here,
                                  const std::uint64_t* found, int last, Cursor& at,
                                  Round<Group>& round) const {
    const std::uint64_t begin = found[at.row];
    const std::uint64_t behind = found[at.row + 1];
    const std::uint64_t length = behind - begin;
    const bool is_right = found[0] <= begin && begin <= behind && behind <= found[last];
    const int of_half = at.row == 0 && tiles.half < last ? tiles.half : last;
    int end = at.row;
    if (tiles.half > 0 && (at.row == 0 || at.row == tiles.half) && at.begun == 0 &&
        found[of_half] - begin <= static_cast<std::uint64_t>(tiles.window)) {
      end = of_half;  // as the tile does not fit, such an end of it lies between its bounds
    } else if (is_right && length <= static_cast<std::uint64_t>(most_elements)) {
      end = first_unfit(group, here, found, last, at.row);
    }
    if (end > at.row) {
      const int first = at.row;
      at.row = end;
      return plan_rows(group, here, found, first, end, round);
    }
    if (!is_right || length > static_cast<std::uint64_t>(tiles.chunks) << core::chunk_shift) {
      const auto chunks = core::chunk_count(static_cast<std::int64_t>(length));
      const bool is_listed = is_right && chunks > tiles.listed &&
                             list.put(group, here.place.thread,
                                      {at.base + at.row, 0, static_cast<std::int64_t>(begin),
                                       static_cast<std::int64_t>(length)},
                                      chunks);
      at.left |= std::uint64_t{is_listed ? 0U : 1U} << at.row;
      ++at.row;
      return {};
    }
    round.what = Round<Group>::is_chunk;
    round.row_length = static_cast<int>(length);
    round.place = at.begun >> core::chunk_shift << Round<Group>::row_bits | at.row;
    const Window window{begin + static_cast<std::uint64_t>(at.begun), round.chunk()};
    const bool is_last = at.begun + window.count == round.row_length;
    at.begun = is_last ? 0 : at.begun + window.count;
    at.row += is_last ? 1 : 0;
    return window;
  }

  // The first row from `first` on, which is right, that the window does not hold together with
  // those before it, or that is wrong or longer than a chunk. Collective: every lane of the warp
  // must call.
  template <class Group>
  ISOFOLD_DEVICE int first_unfit(const Group& group, const Here<Group>& here,
                                 const std::uint64_t* found, int last, int first) const {
    const std::uint64_t low = found[first];
    const auto most = static_cast<std::uint64_t>(tiles.window);
    std::uint64_t room = found[last] - low;
    room = room < most ? room : most;
    int from_last = 0;
#pragma unroll
    for (int i = Round<Group>::each - 1; i >= 0; --i) {
      const int row = here.place.thread + i * Group::wave_width;
      if (row >= first && row < last) {
        const std::uint64_t begin = found[row] - low;
        const std::uint64_t behind = found[row + 1] - low;
        const bool fits = behind <= room && begin <= behind &&
                          behind - begin <= static_cast<std::uint64_t>(most_elements);
        from_last = fits ? from_last : last - row;
      }
    }
    return last - largest_of_warp(group, from_last);
  }

  // Begins to copy a round's elements: whole lines, if the data have whatever else is in them.
  template <class Group>
  ISOFOLD_DEVICE void begin_window(const Group& group, const Here<Group>& here, int slot,
                                   const Window& window, Round<Group>& round) const {
    constexpr std::uint64_t line = line_bytes;  // at least as many elements as are in one
    const bool is_inside = window.count > 0 && window.low >= line &&
                           window.low + static_cast<std::uint64_t>(window.count) + line <= elements;
    const int bytes = window.count * static_cast<int>(sizeof(Element));
    const char* from[Fold::arrays];
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      const Element* const data = a == 0 ? rows.first.data : rows.first.second;
      from[a] = reinterpret_cast<const char*>(data + window.low);
      round.shift[a] = shift_of(from[a]);
    }
    if constexpr (has_bulk_copies<Group>) {
      begin_bulk(group, here, slot, is_inside, from, round, bytes);
    }
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      char* const to = here.window(sizes, slot, a) + round.shift[a];
      if (!is_inside) {
        copy_stretch(group, to, from[a], bytes);
      } else if constexpr (!has_bulk_copies<Group>) {
        const int before = round.shift[a] % line_bytes;
        copy_lines(group, to - before, from[a] - before, lines_of(before, bytes));
      }
    }
    round.what |= !is_inside && bytes > 0 ? Round<Group>::is_copied_in_parts : 0;
  }

  // Begins the bulk copies of a round, or none.
  template <class Group>
  ISOFOLD_DEVICE void begin_bulk(const Group& group, const Here<Group>& here, int slot,
                                 bool is_inside, const char* const (&from)[Fold::arrays],
                                 const Round<Group>& round, int bytes) const {
    if (here.place.thread != 0) {
      return;
    }
    std::uint64_t* const arrival = here.head->arrivals + slot;
    int copied[Fold::arrays];
    int all = 0;
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      copied[a] = is_inside ? lines_of(round.shift[a] % line_bytes, bytes) * line_bytes : 0;
      all += copied[a];
    }
    group.expect(arrival, all);
    if (is_inside) {
#pragma unroll
      for (int a = 0; a < Fold::arrays; ++a) {
        const int before = round.shift[a] % line_bytes;
        group.copy_bulk(here.window(sizes, slot, a) + round.shift[a] - before, from[a] - before,
                        copied[a], arrival);
      }
    }
  }

  // ---- how a round is folded ----------------------------------------------------------------

  // Folds a round: first each thread its own rows, if they are short, then groups of threads the
  // rows on the list for them, then the warp those on its list, or the chunk. Collective: every
  // lane of the warp must call.
  template <class Group>
  ISOFOLD_DEVICE void fold_round(const Group& group, const Here<Group>& here, int slot,
                                 const Round<Group>& round) const {
    if (round.what == 0) {
      return;
    }
    const bool are_rows = (round.what & Round<Group>::are_rows) != 0;
    const Counts counts = are_rows ? fold_short(group, here, slot, round) : Counts{0, 1, 0};
    for (int n = 0; n < static_cast<int>(counts.whole); ++n) {
      fold_whole(group, here, slot, round, n);
    }
    if (are_rows && (counts.shared | counts.whole | counts.left) != 0) {
      end_lists(group, here, round, counts);
    }
  }

  // Folds short rows; returns the counts of the lists.
  template <class Group>
  ISOFOLD_DEVICE Counts fold_short(const Group& group, const Here<Group>& here, int slot,
                                   const Round<Group>& round) const {
    Counts counts{};
    [[maybe_unused]] const bool turned = (round.what & Round<Group>::are_turned) != 0;
    if constexpr (is_short_segments_cheap<Fold>) {
      // One test for all rows of a thread: their loads are in flight together.
      if (tiles.by_thread) {
        turned ? fold_own<true>(group, here, slot, round)
               : fold_own<false>(group, here, slot, round);
      }
      if ((round.what & Round<Group>::are_short) != 0) {
        return counts;
      }
      counts = list_rows(group, here, round);
      const auto shared = static_cast<int>(counts.shared);
      turned ? fold_shared<true>(group, here, slot, round, shared)
             : fold_shared<false>(group, here, slot, round, shared);
    } else {  // the same with one place where rows are folded
      constexpr int at_once = Group::wave_width >> short_segments_sharers_shift;
      const int alone =
          tiles.by_thread ? short_segments_alone<Fold> : none_there;  // at most so long
      for (int n = -at_once; n < static_cast<int>(counts.shared) || n < 0; n += at_once) {
        const bool own = n < 0;
        if (!own || tiles.by_thread) {
          const Listed row = own ? own_row(here, round, 0, alone)
                                 : shared_row(here, n, static_cast<int>(counts.shared));
          fold_row<false>(group, here, own ? 0 : short_segments_sharers_shift, slot, round, row);
        }
        counts = own ? list_rows(group, here, round) : counts;
      }
    }
    return counts;
  }

  template <bool turned, class Group>
  ISOFOLD_DEVICE void fold_own(const Group& group, const Here<Group>& here, int slot,
                               const Round<Group>& round) const {
#pragma unroll
    for (int i = 0; i < Round<Group>::each; ++i) {
      fold_row<turned>(group, here, FixedShift<0>{}, slot, round,
                       own_row(here, round, i, short_segments_alone<Fold>));
    }
  }
  template <bool turned, class Group>
  ISOFOLD_DEVICE void fold_shared(const Group& group, const Here<Group>& here, int slot,
                                  const Round<Group>& round, int count) const {
    for (int n = 0; n < count; n += Group::wave_width >> short_segments_sharers_shift) {
      fold_row<turned>(group, here, FixedShift<short_segments_sharers_shift>{}, slot, round,
                       shared_row(here, n, count));
    }
  }

  // A thread's row i.
  template <class Group>
  ISOFOLD_DEVICE static Listed row_of(const Here<Group>& here, const Round<Group>& round, int i) {
    return {round.mine[i].at(),
            static_cast<std::int16_t>(here.place.thread + i * Group::wave_width),
            static_cast<std::int16_t>(round.mine[i].length())};
  }
  template <class Group>
  ISOFOLD_DEVICE static Listed own_row(const Here<Group>& here, const Round<Group>& round, int i,
                                       int alone) {
    Listed row = row_of(here, round, i);
    row.length = row.length <= alone ? row.length : std::int16_t{none_there};
    return row;
  }
  template <class Group>
  ISOFOLD_DEVICE static Listed shared_row(const Here<Group>& here, int first, int count) {
    const int entry = first + (here.place.thread >> short_segments_sharers_shift);
    Listed row = here.list()[entry < count ? entry : first];
    row.length = entry < count ? row.length : std::int16_t{none_there};
    return row;
  }

  // Puts the rows that no thread folds alone on the lists. Collective: every lane of the warp must
  // call.
  template <class Group>
  ISOFOLD_DEVICE Counts list_rows(const Group& group, const Here<Group>& here,
                                  const Round<Group>& round) const {
    const int alone = tiles.by_thread ? short_segments_alone<Fold> : none_there;
#pragma unroll
    for (int i = 0; i < Round<Group>::each; ++i) {
      const Listed row = row_of(here, round, i);
      if (row.length > tiles.shared) {
        const std::uint32_t entry = group.claim(&here.head->counts.whole, 1);
        here.list()[tiles.rows - static_cast<int>(entry)] = row;
      } else if (row.length > alone) {
        const std::uint32_t entry = group.claim(&here.head->counts.shared, 1);
        here.list()[entry] = row;
      } else if (row.length == is_left) {
        group.claim(&here.head->counts.left, 1);
      }
    }
    group.warp_barrier();
    return here.head->counts;
  }

  // Zeroes the lists; rows that are left go on the device's list.
  template <class Group>
  ISOFOLD_DEVICE void end_lists(const Group& group, const Here<Group>& here,
                                const Round<Group>& round, const Counts& counts) const {
    std::uint64_t all = 0;
    if (counts.left != 0) {
      constexpr int word_bits = 32;
      std::uint32_t mask[2] = {};  // of rows 0 to 31, and 32 to 63
#pragma unroll
      for (int i = 0; i < Round<Group>::each; ++i) {
        const int row = here.place.thread + i * Group::wave_width;
        const std::uint32_t bit =
            row_of(here, round, i).length == is_left ? std::uint32_t{1} << row % word_bits : 0;
        mask[0] |= row < word_bits ? bit : 0;
        mask[1] |= row < word_bits ? 0 : bit;
      }
#pragma unroll
      for (std::uint32_t& word : mask) {
        for (int distance = 1; distance < Group::wave_width; distance *= 2) {
          word |= group.exchange(word, distance);
        }
      }
      all = std::uint64_t{mask[1]} << word_bits | mask[0];
    }
    group.warp_barrier();  // all have read what is on the lists
    if (here.place.thread == 0) {
      here.head->counts = Counts{};
      if (all != 0) {
        rest.rows[group.claim(rest.count, 1)] = {round.base, all};
      }
    }
  }

  template <bool turned = false, class Group>
  ISOFOLD_DEVICE RowInShared<Fold, turned> row_at(const Here<Group>& here, int slot,
                                                  const Round<Group>& round, int at,
                                                  int length) const {
    RowInShared<Fold, turned> row{};
    row.length = length > 0 ? length : 0;
#pragma unroll
    for (int a = 0; a < Fold::arrays; ++a) {
      row.from[a] =
          here.window(sizes, slot, a) + round.shift[a] + at * static_cast<int>(sizeof(Element));
    }
    return row;
  }

  // Folds a row of the round that 2^shift threads share, and writes its result.
  template <bool turned, class Group, class Shift>
  ISOFOLD_DEVICE void fold_row(const Group& group, const Here<Group>& here, Shift shift, int slot,
                               const Round<Group>& round, const Listed& listed) const {
    auto row = row_at<turned>(here, slot, round, listed.at, listed.length);
    row.thread = here.place.thread & ((1 << shift) - 1);
    if constexpr (turned) {
      row.turn = row.bytes * (shift > 0 ? turn_of_shared(here.place.thread, row.length)
                                        : turn_of_own<Element>(listed.at, row.length));
    }
    const State state = state_by_passes(group, rows.fold, 0, row.length, [&](const auto& pass) {
      return pass_over_row(group, row, pass, shift);
    });
    if (listed.length >= 0 && row.thread == 0) {
      rows.write_ragged(round.base + listed.row, state, listed.length);
    }
  }

  // Folds row n of the warp's list, and writes its result; or the chunk.
  template <class Group>
  ISOFOLD_DEVICE void fold_whole(const Group& group, const Here<Group>& here, int slot,
                                 const Round<Group>& round, int n) const {
    const bool is_chunk = (round.what & Round<Group>::is_chunk) != 0;
    Listed listed{0, none_there, static_cast<std::int16_t>(is_chunk ? round.chunk() : 0)};
    if (!is_chunk) {
      listed = here.list()[tiles.rows - n];
    }
    RowInShared<Fold> row = row_at(here, slot, round, listed.at, listed.length);
    row.thread = here.place.thread;
    const std::int64_t begin = std::int64_t{round.number()} << core::chunk_shift;
    const State state = state_by_passes(group, rows.fold, begin, row.length, [&](const auto& pass) {
      return pass_by_warp(group, row, pass);
    });
    if (row.thread == 0) {
      if (is_chunk) {
        add_chunk(here.head->stack, round, state);
      } else {
        rows.write_ragged(round.base + listed.row, state, listed.length);
      }
    }
  }

  // Adds a chunk's state to its row's nodes; the last one joins the nodes that are left, from the
  // right, and then the row has its result.
  template <class Group>
  ISOFOLD_DEVICE void add_chunk(State* stack, const Round<Group>& round, State state) const {
    int level = 0;
    for (; (round.number() >> level & 1) != 0; ++level) {
      state = rows.fold.combine(stack[level], state);
    }
    const int chunks = round.number() + 1;
    stack[level] = state;  // even the last: ReduceCompacted::add_chunk() says why
    if (chunks << core::chunk_shift < round.row_length) {
      return;
    }
    for (++level; chunks >> level != 0; ++level) {
      if ((chunks >> level & 1) != 0) {
        state = rows.fold.combine(stack[level], state);
      }
    }
    rows.write_ragged(round.base + round.row(), state, round.row_length);
  }
};

// Shared memory that a block takes besides: the device's, and its counter of tiles.
inline constexpr std::int64_t short_segments_block_bytes = 1024 + 16;

struct ShortSegmentsProblem {
  std::int64_t rows;
  std::int64_t elements;       // of all rows, or more of them; 0: not known
  std::int64_t most_rows;      // that the kernel can count
  std::int64_t element_bytes;  // of all arrays
  int (*most_tile)(int wave_width);
  int (*warp_bytes)(const ShortSegmentsTiles& tiles, int wave_width);
  int (*shared_bytes)(const ShortSegmentsTiles& tiles, int warps, int wave_width);  // of a block
  TunedDevice device;
  bool takes_long_rows;  // as long as a chunk, on average
  bool pairs_chunks;     // ReduceStrided does, of such rows
};

struct ShortSegmentsTiling {
  ShortSegmentsTiles tiles;
  Launch launch;
  std::int64_t room = 0;         // for entries of rows that are left; none: by ReduceStrided alone
  std::int64_t left_blocks = 0;  // of the launch for these,
  bool leaves_few = false;       // which is that of the rows that blocks share
};

// Elements that a tile of so many rows seldom exceeds. Of rows of 0 to twice the mean, each length
// as likely, 64 have 1.25 times as many as on average once in 3000 tiles, 8 have 1.5 times once in
// 140.
inline std::int64_t likely_window(int rows, std::int64_t mean) {
  const int percent = 125 + 8 * std::max(0, 6 - floor_shift(rows));
  return rows * mean * percent / 100 + 16;
}

// This tells whether enough warps fit whose windows hold a chunk.
inline bool holds_chunks(const ShortSegmentsProblem& at, ShortSegmentsTiles tiles) {
  const ShortSegmentsTuning& tuning = at.device.tuning->short_segments;
  tiles.window = core::chunk_elements;
  const std::int64_t bytes =
      at.warp_bytes(tiles, at.device.wave_width) + short_segments_block_bytes / tuning.block;
  return tuning.chunk_warps * bytes <= static_cast<std::int64_t>(at.device.shared_bytes);
}

// This tells whether tiles of half as many rows are better.
inline bool is_large_tile(const ShortSegmentsTuning& tuning, int rows, std::int64_t mean,
                          std::int64_t element_bytes) {
  const std::int64_t elements = rows * mean;
  const std::int64_t most = rows > tuning.tall_rows ? tuning.tall_tile_bytes : tuning.tile_bytes;
  return elements > tuning.tile_elements || elements * element_bytes > most;
}

// Rows of one length each, of a chunk or more, are better left to ReduceStrided where it folds two
// chunks at once: there is nothing to even out. docs/decisions/049
inline bool are_pairs(const ShortSegmentsProblem& at, std::int64_t mean) {
  return at.pairs_chunks && mean >= core::chunk_elements && at.rows * mean == at.elements;
}

// This plans segments that follow one another.
inline ShortSegmentsTiling plan_short_segments(const ShortSegmentsProblem& at) {
  const ShortSegmentsTuning& tuning = at.device.tuning->short_segments;
  const int wave_width = at.device.wave_width;
  const std::int64_t enough = std::int64_t{tuning.rounds} * wave_width * at.device.multiprocessors;
  const std::int64_t mean = at.rows > 0 ? ceil_divide(at.elements, at.rows) : 0;
  if (mean == 0 || mean > tuning.most_mean || at.rows > at.most_rows || are_pairs(at, mean) ||
      at.rows * std::max<std::int64_t>(1, mean / tuning.mean_of_rounds) < enough) {
    return {};
  }
  ShortSegmentsTiling plan;
  ShortSegmentsTiles& tiles = plan.tiles;
  tiles.rows = at.most_tile(wave_width);
  const bool is_long = mean > tuning.chunk_mean;
  const bool may_differ =
      mean > tuning.plain_mean && mean <= tuning.differing_mean && holds_chunks(at, tiles);
  if (mean > tuning.heavy_mean && !at.takes_long_rows) {
    return {};
  }
  const int least_rows = is_long                ? tuning.long_rows
                         : at.element_bytes > 4 ? tuning.least_wide_rows
                                                : tuning.least_rows;
  while (!may_differ && is_large_tile(tuning, tiles.rows, mean, at.element_bytes) &&
         tiles.rows > least_rows) {
    tiles.rows /= 2;
  }
  tiles.by_thread = mean <= tuning.thread_mean && tiles.rows >= wave_width;
  tiles.shared = static_cast<int>(std::max(tuning.shared, 4 * mean));
  std::int64_t wanted = likely_window(tiles.rows, mean);
  if (may_differ) {
    wanted = at.element_bytes > 4 ? std::int64_t{core::chunk_elements}
                                  : std::max<std::int64_t>(core::chunk_elements, wanted);
  } else if (is_long) {
    wanted = core::chunk_elements;
  } else if (tiles.rows < at.most_tile(wave_width)) {  // for the shorter ones among long ones
    tiles.half = tiles.rows;
    tiles.rows *= 2;
  }
  // The largest window with which most warps fit.
  for (const int warps : tuning.warps) {
    const int block = std::min(warps, warps >= 2 * tuning.block ? tuning.block : tuning.block / 2);
    const std::int64_t bytes = static_cast<std::int64_t>(at.device.shared_bytes) / warps -
                               short_segments_block_bytes / block;
    tiles.window = 0;
    const std::int64_t fits = (bytes - at.warp_bytes(tiles, wave_width)) / (2 * at.element_bytes);
    if (is_long && warps < tuning.long_warps) {
      return {};
    }
    if (fits >= wanted) {
      tiles.window = static_cast<int>(
          std::min({fits, 2 * wanted, std::int64_t{ShortSegmentsTiles::most_window}}) / 32 * 32);
      tiles.chunks = tiles.window < core::chunk_elements ? 0 : short_segments_most_chunks;
      plan.leaves_few = tiles.chunks > 0;
      // A tile leaves rows once, or once for each of its halves.
      plan.room = ceil_divide(at.rows, tiles.half > 0 ? tiles.half : tiles.rows);
      plan.launch.threads = block * wave_width;
      plan.launch.shared_bytes =
          static_cast<std::size_t>(at.shared_bytes(tiles, block, wave_width));
      plan.launch.blocks = std::min(ceil_divide(ceil_divide(at.rows, tiles.rows), block),
                                    std::int64_t{warps / block} * at.device.multiprocessors);
      plan.left_blocks = std::min(plan.room, std::int64_t{4} * at.device.multiprocessors);
      tiles.assigned = static_cast<int>(ceil_divide(at.rows, tiles.rows) * tuning.assigned / 16 /
                                        plan.launch.blocks);
      return plan;
    }
  }
  return {};
}

// ReduceShortSegments, and behind it, for what that leaves, ReduceLongSegments where chunks come in
// bulk, else ReduceStrided.
struct ShortSegmentsPlan {
  ShortSegmentsTiling short_segments;
  LongPlan behind;
  StridedPlan strided;
};
inline void plan_behind(const LongSegmentsProblem& at, ShortSegmentsPlan& plan) {
  const LongSegmentsTuning& tuning = at.device.tuning->long_segments;
  plan.behind = plan_long(at);
  if (plan.behind.is_there) {
    ShortSegmentsTiles& tiles = plan.short_segments.tiles;
    tiles.listed = tuning.most_in_short;
    tiles.chunks = std::min(tiles.chunks, tuning.most_in_short);
  }
}

// On the list of kernels: segments that are short on average.
template <class Platform, class Fold>
struct ShortSegments : ListedKernel {
  using Kernel = ReduceShortSegments<Fold>;
  using Plan = ShortSegmentsPlan;

  static bool is_for(const Problem& problem) { return problem.is_in_line(); }
  static std::optional<ShortSegmentsPlan> plan(const Problem& problem) {
    const int wave_width = problem.device.wave_width;
    ShortSegmentsPlan plan;
    plan.short_segments = plan_short_segments(
        {problem.rows, problem.request.layout->elements, Kernel::most_rows,
         problem.fold.arrays * problem.fold.element_bytes, Kernel::most_tile, Kernel::warp_bytes,
         Kernel::shared_bytes, problem.device, is_short_segments_cheap<Fold>,
         ReduceStrided<Fold>::pairs_chunks(wave_width)});
    if (plan.short_segments.room == 0) {
      return std::nullopt;
    }
    if constexpr (has_long_segments<Platform, Fold>) {
      plan_behind(long_of<Fold>(problem), plan);
    }
    if (!plan.behind.is_there) {
      plan.strided = plan_strided(strided_of<Fold>(problem));
    }
    return plan;
  }
  // Rows that ReduceShortSegments leaves come first: each entry begins at a multiple of 16 bytes.
  static Needs needs(const Problem& problem, const ShortSegmentsPlan& plan) {
    const std::size_t left = static_cast<std::size_t>(plan.short_segments.room) * sizeof(LeftRows);
    if (plan.behind.is_there) {
      return needs_of_long(problem, plan.behind, left);
    }
    const Needs strided = needs_of_strided(problem, plan.strided);
    return {left + strided.bytes, strided.counters + 2 + WorkQueue::words};
  }
  static Status load(const Problem& problem) {
    if constexpr (has_long_segments<Platform, Fold>) {
      if (problem.device.has_bulk_copies) {
        const Status loaded = Platform::template load<ReduceLongSegments<Fold, true>>();
        if (!loaded.ok()) {
          return loaded;
        }
      }
    }
    const Status loaded = Platform::template load<Kernel>();
    return loaded.ok() ? load_strided<Platform, Fold>(problem) : loaded;
  }
  static Status launch(const ShortSegmentsPlan& plan, const Call<Platform, Fold>& call) {
    const Places& places = *call.problem.places;
    const auto launch_short_segments = [&](const TileList& list, const SegmentsLeft& rest) {
      return call.launch(Kernel::of(call.rows, places, plan.short_segments.tiles, list, rest),
                         plan.short_segments.launch);
    };
    if constexpr (has_long_segments<Platform, Fold>) {
      if (plan.behind.is_there) {
        const auto kernels = long_launches(call, plan.behind, plan.short_segments.room);
        const Status launched = launch_short_segments(kernels.first.shared_rows(), kernels.rest);
        return launched.ok() ? call.launch(kernels.behind, plan.behind.launch) : launched;
      }
    }
    auto* const left = static_cast<LeftRows*>(call.memory);
    std::uint32_t* const behind = call.counters + WorkQueue::words;
    const SegmentsLeft rest{left, behind + 1, {call.counters}};
    auto kernel = strided_kernel(call, plan.strided, left + plan.short_segments.room, behind + 2,
                                 rest, AsComputed{});
    const Status launched = launch_short_segments(kernel.shared_rows(), rest);
    const bool in_second = plan.short_segments.leaves_few && plan.strided.second_blocks > 0;
    return launched.ok() ? launch_strided(call, plan.strided, kernel,
                                          in_second ? 0 : plan.short_segments.left_blocks)
                         : launched;
  }
};

}  // namespace isofold::gpu
