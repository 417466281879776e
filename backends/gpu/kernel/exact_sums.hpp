// The kernel of exact_v1: rows of any shape. A sum has no order, so a warp, or a block, takes
// whatever part of a row it likes. Blocks that share a row add their words to those of the row in
// device memory; the last of them rounds, and leaves zeros there for the next launch.
#pragma once

#include <backends/gpu/collective/carry_words.hpp>
#include <backends/gpu/collective/last_block.hpp>
#include <backends/gpu/kernel/exact_windows.hpp>

namespace isofold::gpu {

// Elements as they lie in memory, side by side: a tile is so many loads of 16 bytes of each thread.
template <class Fold>
struct ExactTile {
  using T = typename Fold::element_type;
  static constexpr int per_load = 16 / static_cast<int>(sizeof(T));
  // Each array has so many loads on their way; more of them would spill registers.
  static constexpr bool is_wide = Fold::sums == 2 && !core::is_complex<T>;
  static constexpr int loads = 4 / Fold::arrays / (is_wide ? 2 : 1);
  static constexpr int count = loads * per_load;  // of a thread
  static constexpr int scattered = 16 / static_cast<int>(sizeof(T)) < 2 ? 4 : 8 / Fold::arrays;
};

// Rows, their results, and how warps and blocks finish them.
template <class Fold>
struct ExactRows {
  using T = typename Fold::element_type;
  using State = typename Fold::state_type;
  using Room = ExactRoom<Fold>;
  using Results = ExactResults<Fold>;
  static constexpr int words = exact::words_of<State>;
  // Two sums of doubles have one result: with more, their tiles spilled twice as many registers
  // (docs/decisions/058, 17).
  static constexpr int most_results =
      Fold::sums == 2 && sizeof(core::part_t<T>) == 8 ? 1 : ISOFOLD_MOST_FUSED;

  ExactSource source;
  std::int64_t rows;
  std::int64_t pieces;  // of a row
  Divisor by_pieces;
  bool by_blocks;   // else a warp takes a row, which is one piece
  bool is_aligned;  // all rows begin at addresses that a load of 16 bytes may have
  int results;      // of each row, at most most_results
  ExactResult result[std::size_t{most_results}];
  bool writes_words;
  Fault* empty_fault;        // null: rows without elements have their empty value
  Fault* range_fault;        // of integers
  std::int64_t* row_words;   // zeros, for pieces; of each row
  std::uint32_t* row_count;  // likewise

  template <class Group, class Word = void>
  using Lanes = std::conditional_t<std::is_integral_v<T>, ExactIntegers<Fold, Group>,
                                   ExactLanes<Fold, Group, Word>>;

  template <class Group>
  ISOFOLD_DEVICE static void clear_words(const Group& group, Room& room) {
    auto* const all = reinterpret_cast<std::int64_t*>(&room.words);
    for (int i = group.thread() % Group::wave_width; i < words; i += Group::wave_width) {
      all[i] = 0;
    }
    if (group.thread() % Group::wave_width == 0) {
      room.is_touched = 0;
      room.deposits = 0;
    }
  }

  // Ends a row, which is in this warp's room, or a piece of one, which is in the rooms of the
  // block's warps: `rooms`, else null. A row in windows waits; this tells whether it was the last
  // that may, so that finish_waiting() is due.
  template <class Group>
  ISOFOLD_DEVICE bool finish(const Group& group, Room& room, Room* rooms, std::int64_t row) const {
    const WarpPlace<Group> place(group);
    if constexpr (has_near_results<Fold>) {
      if (rooms == nullptr && room.is_touched == 0 && !writes_words) {
        return !keep(group, room, row);
      }
      if (rooms != nullptr && pieces == 1 && !writes_words) {
        int& flag = block_words(group).flag;
        group.barrier();
        if (place.warp == 0) {
          const bool kept = keep_together(group, rooms, row);
          if (place.thread == 0) {
            flag = kept ? 1 : 0;
          }
        }
        group.barrier();
        if (flag != 0) {
          return place.warp == 0 && waiting_rows(group).count == WaitingRows<Fold>::most;
        }
      }
    }
    group.warp_barrier();
    if (place.thread == 0) {
      Lanes<Group>::move_held(room);
    }
    if (rooms != nullptr) {
      BlockWords& all = block_words(group);
      if (gather(group, room, rooms, all, row)) {
        if (place.warp == 0) {
          finish_row(group, all.words, row);
        }
        group.barrier();
        copy_words(all.words, row, group.thread(), group.threads());
        group.barrier();
      }
      return false;
    }
    group.warp_barrier();
    finish_row(group, room.words, row);
    copy_words(room.words, row, place.thread, Group::wave_width);
    group.warp_barrier();
    clear_words(group, room);
    group.warp_barrier();
    return false;
  }
  // Shared memory: a room for each warp, the words of all of them together, and the rows that wait,
  // of the block if it takes rows, else of each warp.
  ISOFOLD_HOST_DEVICE static constexpr std::size_t shared_bytes(int warps, bool by_blocks) {
    return static_cast<std::size_t>(warps) * sizeof(Room) + sizeof(BlockWords) +
           static_cast<std::size_t>(by_blocks ? 1 : warps) * sizeof(WaitingRows<Fold>);
  }
  struct alignas(16) BlockWords {
    State words;
    std::int32_t flag;
  };
  template <class Group>
  ISOFOLD_DEVICE static BlockWords& block_words(const Group& group) {
    auto* const rooms = static_cast<Room*>(group.shared());
    return *reinterpret_cast<BlockWords*>(rooms + WarpPlace<Group>(group).warps);
  }
  // Warps other than the first have none if blocks take rows.
  template <class Group>
  ISOFOLD_DEVICE WaitingRows<Fold>& waiting_rows(const Group& group) const {
    auto* const all = reinterpret_cast<WaitingRows<Fold>*>(&block_words(group) + 1);
    return all[by_blocks ? 0 : WarpPlace<Group>(group).warp];
  }
  // Lets the row wait. This tells whether another one may, too.
  template <class Group>
  ISOFOLD_DEVICE bool keep(const Group& group, Room& room, std::int64_t row) const {
    WaitingRows<Fold>& waiting = waiting_rows(group);
    group.warp_barrier();
    if (group.thread() % Group::wave_width == 0) {
      auto& kept = waiting.of[waiting.count++];
      kept.row = row;
      kept.sum[0].take(room.window[0], room.words.first);
      if constexpr (Fold::sums == 2) {
        kept.sum[1].take(room.window[1], room.words.second);
      }
      clear_held(room);
    }
    group.warp_barrier();
    return waiting.count < WaitingRows<Fold>::most;
  }
  // Lets a row wait that is in the windows of all of the block's warps. This tells whether it is.
  // One warp calls.
  template <class Group>
  ISOFOLD_DEVICE_APART bool keep_together(const Group group, Room* rooms, std::int64_t row) const {
    static_assert(512 / Group::wave_width <= Group::wave_width, "A lane has a warp's room.");
    WaitingRows<Fold>& waiting = waiting_rows(group);
    const WarpPlace<Group> place(group);
    const bool is_mine = place.thread < place.warps;
    Room& room = rooms[is_mine ? place.thread : 0];
    typename WaitingRow<Fold>::Sum sum[std::size_t{Fold::sums}] = {};
    if (is_mine) {
      sum[0].take(room.window[0], room.words.first);
      if constexpr (Fold::sums == 2) {
        sum[1].take(room.window[1], room.words.second);
      }
    }
    bool fits = room.is_touched == 0;
    for (auto& each : sum) {
      const bool too = each.gather(group);
      fits = fits && too;
    }
    if (!all_of_warp(group, fits)) {
      return false;
    }
    if (is_mine) {
      clear_held(room);
    }
    if (place.thread == 0) {
      auto& kept = waiting.of[waiting.count++];
      kept.row = row;
      for (int k = 0; k < Fold::sums; ++k) {
        kept.sum[k] = sum[k];
      }
    }
    group.warp_barrier();
    return true;
  }
  ISOFOLD_DEVICE static void clear_held(Room& room) {
    for (ExactWindow& window : room.window) {
      window.clear();
    }
    clear_counts(room.words);
  }
  ISOFOLD_DEVICE static void clear_counts(State& state) {
    state.first.terms = 0;
    state.first.not_minus_zero = 0;
    if constexpr (Fold::sums == 2) {
      state.second.terms = 0;
      state.second.not_minus_zero = 0;
    }
  }

  // Brings a piece's words to `all`, or, of a row of several pieces, the row's to the last block
  // that comes here. This tells whether they are there.
  template <class Group>
  ISOFOLD_DEVICE bool gather(const Group& group, Room& room, const Room* rooms, BlockWords& all,
                             std::int64_t row) const {
    const WarpPlace<Group> place(group);
    auto* const all_words = reinterpret_cast<std::int64_t*>(&all.words);
    group.barrier();
    for (int i = group.thread(); i < words; i += group.threads()) {
      const std::int64_t sum = word_of_block(rooms, place.warps, i);
      if (pieces == 1) {
        all_words[i] = sum;
      } else if (sum != 0) {
        group.add(row_words + row * words + i, sum);
      }
    }
    group.barrier();
    clear_words(group, room);
    if (pieces > 1) {
      if (!is_last_block(group, &all.flag, row_count + row, pieces)) {
        return false;
      }
      for (int i = group.thread(); i < words; i += group.threads()) {
        all_words[i] = row_words[row * words + i];
        row_words[row * words + i] = 0;
      }
    }
    group.barrier();
    return true;
  }

  ISOFOLD_DEVICE int result_count() const { return most_results == 1 ? 1 : results; }
  ISOFOLD_DEVICE std::int64_t piece_of(std::int64_t unit) const {
    return unit - by_pieces.divide(unit) * pieces;
  }

  static constexpr int counts = 5;  // words before the digits
  static constexpr int first_words = exact::words_of<decltype(State::first)>;
  // A word of all warps together, whose digits are carried once: so no sum of blocks overflows.
  ISOFOLD_DEVICE static std::int64_t word_of_block(const Room* rooms, int warps, int i) {
    const int own = i < first_words ? i : i - first_words;
    const bool is_last = i == first_words - 1 || i == words - 1;
    std::int64_t sum = 0;
    for (int w = 0; w < warps; ++w) {
      const auto* const all = reinterpret_cast<const std::int64_t*>(&rooms[w].words);
      sum += own < counts || is_last ? all[i] : all[i] & 0xffffffff;
      sum += own > counts ? all[i - 1] >> 32 : 0;
    }
    return sum;
  }

  // Writes the results of the rows that wait, each by a thread of the warp. No row is in the room
  // meanwhile.
  template <class Group>
  ISOFOLD_DEVICE_APART void finish_waiting(const Group group, Room& room) const {
    if constexpr (has_near_results<Fold>) {
      WaitingRows<Fold>& waiting = waiting_rows(group);
      const int lane = group.thread() % Group::wave_width;
      bool done = true;
      if (lane < waiting.count && !finish_held(waiting.of[lane])) {
        const WaitingRow<Fold>& kept = waiting.of[lane];
        NearDigits sums[std::size_t{Fold::sums}];
        for (int k = 0; k < Fold::sums; ++k) {
          sums[k] = kept.sum[k].digits();
        }
        done = finish_near_sums(group, kept.sum[0].terms, sums, kept.row);
      }
      group.warp_barrier();
      for (auto left = group.ballot(!done); left != 0; left &= left - 1) {
        const WaitingRow<Fold>& kept = waiting.of[core::countr_zero(left)];
        if (lane == 0) {
          kept.sum[0].move_to(room.words.first);
          if constexpr (Fold::sums == 2) {
            kept.sum[1].move_to(room.words.second);
          }
        }
        group.warp_barrier();
        finish_words(group, room.words, kept.row);
        clear_words(group, room);
        group.warp_barrier();
      }
      if (lane == 0) {
        waiting.count = 0;
      }
      group.warp_barrier();
    }
  }

  // Writes the result of a row that waits, if it is the rounded sum itself, as of most rows. This
  // tells whether it is.
  ISOFOLD_DEVICE bool finish_held(const WaitingRow<Fold>& kept) const {
    if constexpr (is_plain_sum<Fold>) {
      using Result = typename Fold::result_type;
      const auto& sum = kept.sum[0];
      return results == 1 && result[0].fold == 0 && sum.terms > 0 &&
             sum.held.round_to(static_cast<Result*>(result[0].of_rows)[kept.row]);
    } else {
      return false;
    }
  }

  // Writes the row's result, of all of its words. Collective: every lane of the warp must call.
  template <class Group>
  ISOFOLD_DEVICE void finish_row(const Group& group, State& state, std::int64_t row) const {
    if constexpr (has_near_results<Fold>) {
      int lowest[std::size_t{Fold::sums}] = {};
      if (find_all_digits(group, state, lowest)) {
        bool done = true;
        if (group.thread() % Group::wave_width == 0) {
          NearDigits sums[std::size_t{Fold::sums}];
          sums[0] = near_digits(state.first, lowest[0]);
          if constexpr (Fold::sums == 2) {
            sums[1] = near_digits(state.second, lowest[1]);
          }
          note_minus_zeros(state, sums);
          done = finish_near_sums(group, state.first.terms, sums, row);
        }
        if (all_of_warp(group, done)) {
          return;
        }
      }
    }
    finish_words(group, state, row);
  }
  template <class Group>
  ISOFOLD_DEVICE bool find_all_digits(const Group& group, const State& state,
                                      int (&lowest)[std::size_t{Fold::sums}]) const {
    bool near = !writes_words && find_digits(group, state.first, lowest[0]);
    if constexpr (Fold::sums == 2) {
      const bool too = find_digits(group, state.second, lowest[1]);
      near = near && too;
    }
    return near;
  }
  // All of the warp's lanes call.
  template <class Group>
  ISOFOLD_DEVICE void finish_words(const Group& group, State& state, std::int64_t row) const {
    carry_words(group, state.first);
    if constexpr (Fold::sums == 2) {
      carry_words(group, state.second);
    }
    if (!writes_words && group.thread() % Group::wave_width == 0) {
      finish_far_sums(group, state, row);
    }
    group.warp_barrier();
  }
  // This tells whether all terms were finite and digits that are not zero lie near the lowest.
  template <class Terms, class Group>
  ISOFOLD_DEVICE static bool find_digits(const Group& group, const exact::Words<Terms>& sum,
                                         int& lowest) {
    constexpr int digits = exact::Words<Terms>::digits;
    const int lane = group.thread() % Group::wave_width;
    int low = digits;
    int high = 0;
#pragma unroll
    for (int first = 0; first < digits; first += Group::wave_width) {
      const auto set = group.ballot(first + lane < digits && sum.digit[first + lane] != 0);
      if (set != 0) {
        low = low < digits ? low : first + core::countr_zero(set);
        high = first + core::bit_width(set) - 1;
      }
    }
    lowest = low;
    return exact::all_finite(sum) && high < low + (NearDigits::count - 2);
  }
  template <class Terms>
  ISOFOLD_DEVICE static NearDigits near_digits(const exact::Words<Terms>& sum, int lowest) {
    std::int64_t digit[std::size_t{NearDigits::count}];
#pragma unroll
    for (int j = 0; j < NearDigits::count; ++j) {
      const int k = lowest + j;
      digit[j] = j < NearDigits::count - 2 && k < exact::Words<Terms>::digits ? sum.digit[k] : 0;
    }
    return NearDigits(digit, 32 * lowest - exact::Words<Terms>::bias);
  }

  ISOFOLD_DEVICE static void note_minus_zeros(const State& state,
                                              NearDigits (&sums)[std::size_t{Fold::sums}]) {
    sums[0].all_minus_zero = state.first.terms > 0 && state.first.not_minus_zero == 0;
    if constexpr (Fold::sums == 2) {
      sums[1].all_minus_zero = state.second.terms > 0 && state.second.not_minus_zero == 0;
    }
  }

  // One thread calls these two for a row. Whether there is a result: else finish_far_sums() makes
  // it.
  template <class Group>
  ISOFOLD_DEVICE_APART bool finish_near_sums(const Group group, std::int64_t terms,
                                             NearDigits* sums, std::int64_t row) const {
    if (terms == 0) {
      finish_empty(group, row);
      return true;
    }
    bool done = true;
    ISOFOLD_NOT_UNROLLED
    for (int i = 0; i < result_count() && done; ++i) {
      done = Results::near(result[i], sums, terms, row);
    }
    return done;
  }
  template <class Group>
  ISOFOLD_DEVICE_APART void finish_far_sums(const Group group, State& state,
                                            std::int64_t row) const {
    const std::int64_t terms = state.first.terms;
    if (terms == 0) {
      finish_empty(group, row);
      return;
    }
    ISOFOLD_NOT_UNROLLED
    for (int i = 0; i < result_count(); ++i) {
      if (!Results::far(result[i], state, row)) {
        complain(group, range_fault, fault_of_range, row, terms);
      }
    }
  }
  template <class Group>
  ISOFOLD_DEVICE void finish_empty(const Group& group, std::int64_t row) const {
    ISOFOLD_NOT_UNROLLED
    for (int i = 0; i < result_count(); ++i) {
      Results::Folds::with(result[i].fold, [&](auto asked) {
        using Asked = decltype(asked);
        static_cast<typename Asked::result_type*>(result[i].of_rows)[row] = Asked::empty();
      });
    }
    if (empty_fault != nullptr) {
      complain(group, empty_fault, source.places.shape, row, 0);
    }
  }

  ISOFOLD_DEVICE void copy_words(const State& state, std::int64_t row, int own, int sharers) const {
    ISOFOLD_NOT_UNROLLED
    for (int k = 0; k < result_count() && writes_words; ++k) {
      const ExactPart part = Results::part(result[k].fold);
      const auto* const from = reinterpret_cast<const std::int64_t*>(&state) + part.begin;
      auto* const to = static_cast<std::int64_t*>(result[k].of_rows) + row * part.count;
      for (int i = own; i < part.count; i += sharers) {
        to[i] = from[i];
      }
    }
  }
};

// The elements of each row are Words that lie side by side: those that are computed with, or a
// StoredWord of them. void: they are of any type and lie anywhere.
template <class Fold, class Word>
struct SumExactly : ExactRows<Fold> {
  static constexpr int max_threads = 512;
  static constexpr bool in_line = !std::is_void_v<Word>;
  // Lines may begin at any element. (Two sums have no registers left for that: moments took a third
  // longer.)
  static constexpr bool takes_head = in_line && Fold::arrays == 1 && Fold::sums == 1;
  // Windows are chosen for elements outside of tiles, too. (Sums of doubles, of three levels, would
  // spill registers: 4 % longer.)
  static constexpr bool chooses_anywhere =
      !takes_head || sizeof(core::part_t<typename Fold::element_type>) < 8;
  using Stored = std::conditional_t<in_line, Word, typename Fold::element_type>;
  using Base = ExactRows<Fold>;
  using Tile = ExactTile<Fold>;
  using typename Base::Room;
  using typename Base::State;
  using typename Base::T;
  template <class Group>
  using Lanes = typename Base::template Lanes<Group, Word>;

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    arguments_of(group, this).run(group);
  }

 protected:
  // The warp's room, without sums.
  template <class Group>
  ISOFOLD_DEVICE Room& begin_room(const Group& group) const {
    const WarpPlace<Group> place(group);
    Room& room = static_cast<Room*>(group.shared())[place.warp];
    Base::clear_words(group, room);
    if (place.thread == 0) {
      Lanes<Group>::begin_room(room);
      if constexpr (has_near_results<Fold>) {
        if (!this->by_blocks || place.warp == 0) {
          this->waiting_rows(group).count = 0;
        }
      }
    }
    group.warp_barrier();
    return room;
  }

  template <class Group>
  ISOFOLD_DEVICE void run(const Group& group) const {
    Room& room = begin_room(group);
    Lanes<Group> lanes(group, this->source, room);
    const Sharers of(*this, group);
    for_pieces(group, room, [&](std::int64_t unit) {
      add_piece(group, lanes, room, this->piece_of(unit), of.own, of.sharers);
      lanes.end_row();
    });
  }
  // The warps that share a piece, and this warp's number among them; the units that they take.
  struct Sharers {
    int own;
    int sharers;
    std::int64_t first;
    std::int64_t step;
    template <class Group>
    ISOFOLD_DEVICE Sharers(const Base& rows, const Group& group) {
      const WarpPlace<Group> place(group);
      own = rows.by_blocks ? place.warp : 0;
      sharers = rows.by_blocks ? place.warps : 1;
      first = rows.by_blocks ? group.block() : group.block() * place.warps + place.warp;
      step = group.blocks() * (rows.by_blocks ? 1 : place.warps);
    }
  };
  // Calls add(unit) for each piece of a row that the warp, or its block, takes; the row is in the
  // room then.
  template <class Group, class Add>
  ISOFOLD_DEVICE void for_pieces(const Group& group, Room& room, Add&& add) const {
    const WarpPlace<Group> place(group);
    auto* const rooms = static_cast<Room*>(group.shared());
    const Sharers of(*this, group);
    for (std::int64_t unit = of.first;; unit += of.step) {
      const bool is_end = unit >= this->rows * this->pieces;
      if (is_end && ((this->by_blocks && place.warp != 0) || !has_near_results<Fold>)) {
        return;
      }
      bool is_due = is_end;
      if (!is_end) {
        const std::int64_t row = this->by_pieces.divide(unit);
        if (place.thread == 0) {
          if constexpr (in_line) {
            room.row = this->source.plain_row(row);
          } else {
            room.row = this->source.template row<T, Fold::arrays>(
                group, row, this->piece_of(unit) == 0 && of.own == 0);
          }
        }
        group.warp_barrier();
        add(unit);
        is_due = this->finish(group, room, this->by_blocks ? rooms : nullptr, row);
      }
      // (There is one call that rounds rows that wait, because AMD's compiler inlines it.)
      if (is_due) {
        this->finish_waiting(group, room);
      }
      if (is_end) {
        return;
      }
    }
  }

  // Adds the warp's share of a piece.
  template <class Group>
  ISOFOLD_DEVICE void add_piece(const Group& group, Lanes<Group>& lanes, Room& room,
                                std::int64_t piece, int own, int sharers) const {
    constexpr int width = Group::wave_width;
    constexpr int tile = Tile::count * width;
    // Tiles begin at the first element that is aligned to a load.
    const std::int64_t head = unaligned_head(room.row);
    const std::int64_t length = room.row.length - head;
    std::int64_t begin = 0;
    std::int64_t end = length;
    if (this->pieces > 1) {
      const std::int64_t tiles = (length + tile - 1) / tile;
      const std::int64_t each = (tiles + this->pieces - 1) / this->pieces * tile;
      begin = piece * each < length ? piece * each : length;
      end = length - begin < each ? length : begin + each;
    }
    begin += head;
    end += head;
    if constexpr (in_line) {
      const std::int64_t tiles = takes_head || this->is_aligned ? (end - begin) / tile : 0;
      add_tiles(group, lanes, room, begin, tiles, own, sharers);
      begin += tiles * tile;
    }
    // The elements behind the tiles, and then those before them: their number is found anew,
    // because few registers live across the tiles.
#pragma unroll 1
    for (int part = 0; part < (takes_head ? 2 : 1); ++part) {
      add_elements(group, lanes, room, begin, end, own, sharers);
      begin = 0;
      end = piece == 0 ? unaligned_head(room.row) : 0;
    }
  }
  // Elements of a line before the first address that a load of 16 bytes may have.
  ISOFOLD_DEVICE static std::int64_t unaligned_head(const ExactRow& row) {
    if constexpr (takes_head) {
      constexpr auto bytes = static_cast<std::int64_t>(sizeof(Stored));
      const auto address = reinterpret_cast<std::uintptr_t>(row.base[0]) +
                           static_cast<std::uintptr_t>(row.first[0] * bytes);
      const std::int64_t head = static_cast<std::int64_t>((0 - address) % 16) / bytes;
      return head < row.length ? head : row.length;
    } else {
      return 0;
    }
  }

  // Adds the warp's share of elements `begin` to `end`, one by one.
  template <class Group>
  ISOFOLD_DEVICE void add_elements(const Group& group, Lanes<Group>& lanes, Room& room,
                                   std::int64_t begin, std::int64_t end, int own,
                                   int sharers) const {
    constexpr int width = Group::wave_width;
    constexpr int scattered = Tile::scattered * width;
    for (std::int64_t first = begin + std::int64_t{own} * scattered; first < end;
         first += std::int64_t{sharers} * scattered) {
      const std::int64_t behind = end - first < scattered ? end : first + scattered;
      ExactSource::Taken<T> taken[Tile::scattered];
      const std::int64_t mine = first + group.thread() % width;
      if constexpr (in_line) {
        this->source.template load_line<T, Stored, Fold::arrays>(group, room.row, mine, width,
                                                                 behind, taken);
      } else {
        this->source.template load<T, Fold::arrays>(group, room.row, mine, width, behind, true,
                                                    taken);
      }
      int count = static_cast<int>(behind - first);
      if (!in_line && this->source.mask != nullptr) {
        count = 0;
#pragma unroll
        for (const auto& each : taken) {
          count += core::popcount(group.ballot(each.is_there));
        }
      }
      if constexpr (chooses_anywhere) {
        lanes.template choose_windows<Tile::scattered>([&](int j) { return taken[j]; });
      }
      lanes.template add_tile<Tile::scattered>(
          first, behind, count, [&](int j) { return taken[j]; },
          [&](int j) { return mine + std::int64_t{j} * width; });
    }
  }

  // Each load of a tile is of 16 bytes, unless the tile has fewer.
  static constexpr int per_load = 16 / static_cast<int>(sizeof(Stored)) < Tile::count
                                      ? 16 / static_cast<int>(sizeof(Stored))
                                      : Tile::count;
  static constexpr int loads = Tile::count / per_load;
  struct Loaded {
    Pack<Stored, per_load> x[std::size_t{loads}];
    Pack<Stored, per_load> y[Fold::arrays == 2 ? std::size_t{loads} : 1];
  };
  struct Pair {
    T x;
    T y;
  };
  // The next tile is on its way while one is added.
  template <class Group>
  ISOFOLD_DEVICE void add_tiles(const Group& group, Lanes<Group>& lanes, Room& room,
                                std::int64_t begin, std::int64_t tiles, int own,
                                int sharers) const {
    constexpr int width = Group::wave_width;
    constexpr int tile = Tile::count * width;
    if (own >= tiles) {
      return;
    }
    const std::int64_t at = begin + group.thread() % width * per_load;
    const Stored* const x =
        reinterpret_cast<const Stored*>(room.row.base[0]) + room.row.first[0] + at;
    const Stored* const y =
        reinterpret_cast<const Stored*>(room.row.base[1]) + room.row.first[1] + at;
    const auto load = [&](std::int64_t number) {
      Loaded loaded;
#pragma unroll
      for (int j = 0; j < loads; ++j) {
        const std::int64_t from = number * tile + j * (width * per_load);
        loaded.x[j] = group.template load<Stored, per_load>(x + from);
        if constexpr (Fold::arrays == 2) {
          loaded.y[j] = group.template load<Stored, per_load>(y + from);
        }
      }
      return loaded;
    };
    const auto stored_word = converter<T, Stored>(group, this->source.stored.type);
    const auto element_of = [&](const Loaded& loaded, int j) {
      const int pack = j / per_load;
      const int element = j % per_load;
      const Stored y =
          loaded.y[Fold::arrays == 2 ? pack : 0].value[Fold::arrays == 2 ? element : 0];
      return Pair{stored_word.converted(loaded.x[pack].value[element]), stored_word.converted(y)};
    };
    Loaded next = load(own);
    lanes.template choose_windows<Tile::count>([&](int j) { return element_of(next, j); });
#pragma unroll 1
    for (std::int64_t number = own; number < tiles; number += sharers) {
      const Loaded now = next;
      if (number + sharers < tiles) {
        next = load(number + sharers);
      }
      if constexpr (has_loads_issued<Group>) {
        group.loads_issued();
      }
      const std::int64_t first = begin + number * tile;
      lanes.template add_tile<Tile::count>(
          first, first + tile, tile, [&](int j) { return element_of(now, j); },
          [&](int j) {
            const int pack = j / per_load;
            return first + (pack * width + group.thread() % width) * per_load + j % per_load;
          });
    }
  }
};

}  // namespace isofold::gpu
