// A chunk's elements in shared memory, for folds that compute long: the copies that bring them
// there need no registers. A multiprocessor therefore has more warps than can hold a chunk each
// (except in lists of folds, whose warps do hold one), and each warp's next chunk is on its way
// while the warp computes with the one before.
#pragma once

#include <algorithm>
#include <cstring>

#include <isofold/detail/gpu/chunk_fold.hpp>

namespace isofold::gpu {

// This tells whether a fold keeps the memory waiting while the 16 warps that hold a chunk each
// compute, and gains by more warps. Other folds lose by it (docs/decisions/003).
template <class Fold>
inline constexpr bool computes_long =
    Fold::stages == 1 && !core::is_complex<typename Fold::element_type> &&
    !folds_whole_lanes<core::FirstPass<Fold>> &&
    sizeof(typename Fold::element_type) *
            std::max(core::numbers_in<core::LaneOf<core::FirstPass<Fold>>>, Fold::arrays) >
        sizeof(double);

// This tells whether joining two of its states takes an exponential.
template <class Fold>
inline constexpr bool joins_by_exponentials = false;

// This tells whether its chunks go through shared memory, by copies of 16 bytes.
template <class Fold, class Lanes>
ISOFOLD_HOST_DEVICE constexpr bool is_staged() {
  return Lanes::consecutive && Lanes::per_load * sizeof(typename Fold::element_type) == 16 &&
         computes_long<Fold>;
}

// A thread's elements of a chunk in shared memory, with the interface of HeldRows. Load i of a
// warp's thread t is at (i * wave_width + t) * 16 of the warp's memory: neighbours are in
// neighbouring banks, and i is in the instruction.
template <class Element_, class Lanes, int arrays_>
struct StagedRows {
  using Element = Element_;
  using Load = Pack<Element, Lanes::per_load>;
  static constexpr int arrays = arrays_;
  static constexpr int parts = 4;  // all 16 rows at once need too many registers
  static constexpr int rows = core::rows_per_chunk / parts;
  static constexpr int loads = Lanes::per_thread / Lanes::per_load;
  static constexpr int bytes = arrays * core::rows_per_chunk * loads * 16;  // bytes of a thread
  static constexpr bool holds_all = true;

  char* slots;   // the thread's memory
  int apart;     // bytes from one load to the next
  int cut_row;   // the row of lanes that the end of the data cuts
  int part = 0;  // the part that is read

  ISOFOLD_DEVICE static constexpr int lane_of(int c) { return c; }
  // The place of load `load` of row `row` of the chunk.
  ISOFOLD_DEVICE char* slot(int array, int row, int load) const {
    return slots + ((array * core::rows_per_chunk + row) * loads + load) * apart;
  }
  ISOFOLD_DEVICE Element element(int array, int row, int c) const {
    const char* const from = slot(array, row, c / Lanes::per_load);
    if constexpr (sizeof(Element) < 4) {  // compilers load such elements one by one
      constexpr int bits = 8 * static_cast<int>(sizeof(Element));
      constexpr int in_word = 32 / bits;
      const int number = c % Lanes::per_load;
      Pack<std::uint32_t, 4> words;  // by memcpy: the row that is cut was stored element by element
      memcpy(&words, __builtin_assume_aligned(from, sizeof words), sizeof words);
      return static_cast<Element>(words.value[number / in_word] >> (bits * (number % in_word)));
    } else {
      return reinterpret_cast<const Load*>(from)->value[c % Lanes::per_load];
    }
  }
  // The element in row `row` of the part.
  ISOFOLD_DEVICE Element at(int array, int row, int c) const {
    return element(array, part * rows + row, c);
  }
  ISOFOLD_DEVICE Element cut_at(int array, int c) const { return element(array, cut_row, c); }
};

// Takes all of a thread's elements of the chunk into registers.
template <class Held, class Rows>
ISOFOLD_DEVICE void hold_staged(Held& held, const Rows& rows) {
  static_assert(Held::holds_all && Held::loads == Rows::loads, "It is held as it was copied.");
#pragma unroll
  for (int a = 0; a < Held::arrays; ++a) {
#pragma unroll
    for (int row = 0; row < Held::rows; ++row) {
#pragma unroll
      for (int j = 0; j < Held::loads; ++j) {
        held.pack[a][row][j] = *reinterpret_cast<const typename Rows::Load*>(rows.slot(a, row, j));
      }
    }
  }
}

// The shared memory that a block's next chunks are copied to: `bytes` a thread, of which each uses
// its own.
template <class Element, class Lanes, int arrays>
class Stage {
 public:
  using Rows = StagedRows<Element, Lanes, arrays>;
  // Threads of a multiprocessor: their elements take 192 KiB of its shared memory.
  static constexpr int threads = 192 * 1024 / Rows::bytes;
  ISOFOLD_HOST_DEVICE static constexpr std::size_t bytes(int of_threads) {
    return static_cast<std::size_t>(of_threads) * Rows::bytes;
  }

  template <class Group>
  ISOFOLD_DEVICE Stage(const Group& group, void* memory)
      : rows_{static_cast<char*>(memory) +
                  group.thread() / Group::wave_width * (Group::wave_width * Rows::bytes) +
                  16 * (group.thread() % Group::wave_width),
              16 * Group::wave_width, 0, 0} {
    static_assert(sizeof(typename Rows::Load) == 16, "Chunks are copied by 16 bytes.");
  }

  // Begins to copy a chunk of `count` >= 1 elements. Collective: every thread of the team must
  // call, and all of them must have read the chunk before.
  template <class Group>
  ISOFOLD_DEVICE void begin(const Group& group, const Element* x, const Element* second, int count,
                            int thread) const {
    const Element* const from[] = {x + Lanes::first(thread), second + Lanes::first(thread)};
    if (count == core::chunk_elements) {
      begin_rows(group, from, core::rows_per_chunk);
    } else {
      begin_rows(group, from, count / core::lanes);
      begin_cut(group, from, count, thread);
    }
  }

  // Waits for the copy. `count` of the elements are there.
  template <class Group>
  ISOFOLD_DEVICE Rows end(const Group& group, int count) const {
    group.wait_for_copies();
    Rows rows = rows_;
    rows.cut_row = count / core::lanes;
    return rows;
  }

 private:
  template <class Group>
  ISOFOLD_DEVICE void begin_rows(const Group& group, const Element* const (&from)[2],
                                 int whole_rows) const {
#pragma unroll
    for (int array = 0; array < arrays; ++array) {
#pragma unroll
      for (int row = 0; row < core::rows_per_chunk; ++row) {
        if (row < whole_rows) {
#pragma unroll
          for (int j = 0; j < Rows::loads; ++j) {
            group.template copy_to_shared<16>(
                rows_.slot(array, row, j), from[array] + row * core::lanes + j * Lanes::per_load);
          }
        }
      }
    }
  }

  // Copies the row of lanes that the end of the data cuts: one element, or its part, at a time.
  template <class Group>
  ISOFOLD_DEVICE void begin_cut(const Group& group, const Element* const (&from)[2], int count,
                                int thread) const {
    constexpr int bytes = static_cast<int>(sizeof(Element));
    const int row = count / core::lanes;
#pragma unroll
    for (int array = 0; array < arrays; ++array) {
#pragma unroll
      for (int c = 0; c < Lanes::per_thread; ++c) {
        if (row * core::lanes + Lanes::first(thread) + c < count) {
          char* const to =
              rows_.slot(array, row, c / Lanes::per_load) + c % Lanes::per_load * bytes;
          const Element* const x = from[array] + row * core::lanes + c;
          if constexpr (bytes < 4) {  // there are no copies of fewer than 4
            const Element element = load_element(group, x);
            memcpy(to, &element, sizeof element);
          } else {
            group.template copy_to_shared<bytes>(to, x);
          }
        }
      }
    }
  }

  Rows rows_;
};

template <class Fold, class Lanes>
using StageOf = Stage<typename Fold::element_type, Lanes, Fold::arrays>;

// The state of the chunk of `count` <= 1024 elements that is under way; read() is called when this
// thread has read it. Else as fold_chunk().
template <class Lanes, Missing missing_rows = Missing::not_selected, class Group, class Fold,
          class Read>
ISOFOLD_DEVICE typename Fold::state_type fold_staged_chunk(const Group& group, const Fold& fold,
                                                           const StageOf<Fold, Lanes>& stage,
                                                           std::int64_t begin, int count,
                                                           bool whole, int thread, Read&& read) {
  auto rows = stage.end(group, count);
  const auto load = [&](int part) { rows.part = part; };
  return whole ? state_of_held<true, Lanes, missing_rows>(group, fold, rows, begin, count, thread,
                                                          load, read)
               : state_of_held<false, Lanes, missing_rows>(group, fold, rows, begin, count, thread,
                                                           load, read);
}

}  // namespace isofold::gpu
