// Bulk copies of a team's whole chunks through shared memory, each by one instruction of the
// hardware's own, for folds that read a chunk twice. No register holds a chunk under way, so the
// next chunk comes while the whole team computes with the last one.
#pragma once

#include <isofold/detail/gpu/stage.hpp>

namespace isofold::gpu {

// This tells whether a fold's chunks come in bulk if a Group has such copies: norm2 of c128 alone,
// which reads its elements twice, and more of them than the registers of a team or all of L1 hold.
// Other folds lose by it, as do chunks that wait in registers while the next one comes in bulk
// (docs/decisions/004). Lists whose chunks are too large for registers have theirs come so, too:
// fused_ops.hpp (docs/decisions/015).
template <class Fold>
inline constexpr bool comes_in_bulk = false;

template <class Fold, class Lanes>
ISOFOLD_HOST_DEVICE constexpr bool is_bulk() {
  return Lanes::consecutive && Lanes::per_load * sizeof(typename Fold::element_type) == 16 &&
         comes_in_bulk<Fold>;
}

// The shared memory that a team's next chunk is copied to.
template <class Element, class Lanes, int arrays>
class BulkStage {
 public:
  static constexpr int array_bytes = core::chunk_elements * static_cast<int>(sizeof(Element));
  static constexpr int chunk_bytes = arrays * array_bytes;
  static constexpr int thread_bytes = chunk_bytes / Lanes::team;  // and a word for each team
  // Threads of a multiprocessor: their chunks take 192 KiB of its shared memory.
  static constexpr int threads = 192 * 1024 / thread_bytes;
  // Bytes of a block; memory behind them is aligned to 16 bytes.
  ISOFOLD_HOST_DEVICE static constexpr std::size_t bytes(int of_threads) {
    return static_cast<std::size_t>(of_threads) * thread_bytes +
           aligned(static_cast<std::size_t>(of_threads / Lanes::team) * sizeof(std::uint64_t));
  }

  // Collective: every lane of the warp must call, once in the kernel. `is_used` says whether there
  // is such memory.
  template <class Group>
  ISOFOLD_DEVICE BulkStage(const Group& group, void* memory, bool is_used = true) {
    const int team = group.thread() / Lanes::team;
    chunk_ = reinterpret_cast<Element*>(static_cast<char*>(memory) + team * chunk_bytes);
    arrival_ = reinterpret_cast<std::uint64_t*>(static_cast<char*>(memory) +
                                                group.threads() / Lanes::team * chunk_bytes) +
               team;
    if (is_used && group.thread() % Lanes::team == 0) {
      group.begin_arrivals(arrival_);
    }
    group.warp_barrier();
  }

  // Begins to copy the team's chunk of `count` >= 1 elements, whole lines of 16 bytes. Collective:
  // every lane of the warp must call, and must have read the chunk before.
  template <class Group>
  ISOFOLD_DEVICE void begin(const Group& group, const Element* x, const Element* second, int count,
                            int thread) const {
    const Element* const from[] = {x, second};
    const int bytes = count * static_cast<int>(sizeof(Element));
    group.warp_barrier();
    if (thread == 0) {
      group.expect(arrival_, arrays * bytes);
#pragma unroll
      for (int a = 0; a < arrays; ++a) {
        group.copy_bulk(chunk_ + a * core::chunk_elements, from[a], bytes, arrival_);
      }
    }
  }

  // Waits for the copy.
  template <class Group>
  ISOFOLD_DEVICE const Element* end(const Group& group) {
    group.wait_for_arrival(arrival_, parity_);
    parity_ ^= 1U;
    return chunk_;
  }

 private:
  Element* chunk_;
  std::uint64_t* arrival_;
  std::uint32_t parity_ = 0;
};

template <class Fold, class Lanes>
using BulkStageOf = BulkStage<typename Fold::element_type, Lanes, Fold::arrays>;

// Takes the rows of part `part` of a chunk in shared memory into registers and, if the chunk is not
// whole, the row of lanes that the end of the data cuts. Missing rows keep their old content.
template <bool whole, class Lanes, class Held>
ISOFOLD_DEVICE void hold_shared(Held& held, const typename Held::Element* chunk, int part,
                                int count, int thread) {
  using Load = Pack<typename Held::Element, Lanes::per_load>;
  const typename Held::Element* const mine = chunk + Lanes::first(thread);
#pragma unroll
  for (int a = 0; a < Held::arrays; ++a) {
    const typename Held::Element* const from = mine + a * core::chunk_elements;
#pragma unroll
    for (int row = 0; row < Held::rows; ++row) {
#pragma unroll
      for (int j = 0; j < Held::loads; ++j) {
        held.pack[a][row][j] = *reinterpret_cast<const Load*>(
            from + (part * Held::rows + row) * core::lanes + j * Lanes::per_load);
      }
    }
    if (!whole && part == 0) {
#pragma unroll
      for (int c = 0; c < Lanes::per_thread; ++c) {
        const int at = count / core::lanes * core::lanes + c;
        held.cut[a][c] = from[at < core::chunk_elements ? at : 0];
      }
    }
  }
}

// hold_shared() of a part whose number the compiler does not know: nvcc would keep all elements in
// registers for a second pass.
template <bool whole, class Lanes, class Group, class Held>
ISOFOLD_DEVICE void hold_part(const Group& group, Held& held, const typename Held::Element* chunk,
                              int part, int count, int thread) {
  const auto unknown = static_cast<int>(group.unknown(static_cast<std::uint32_t>(part)));
  hold_shared<whole, Lanes>(held, chunk, unknown, count, thread);
}

template <bool whole, class Lanes, Missing missing_rows, class Group, class Fold, class Read>
ISOFOLD_DEVICE typename Fold::state_type fold_near_chunk(const Group& group, const Fold& fold,
                                                         const typename Fold::element_type* chunk,
                                                         std::int64_t begin, int count, int thread,
                                                         Read&& read) {
  static_assert(parts_of<Fold>() > 1, "Threads take a few rows at a time, so that many warps fit.");
  HeldOf<Fold, Lanes> held;
  static_assert(sizeof(typename Fold::element_type) % 16 == 0,
                "A cut chunk, too, comes by whole lines of 16 bytes.");
  const auto load = [&](int part) {
    hold_part<whole, Lanes>(group, held, chunk, part, count, thread);
  };
  return state_of_held<whole, Lanes, missing_rows>(group, fold, held, begin, count, thread, load,
                                                   read);
}

// The state of the chunk under way, as the function of that name for the other stage (stage.hpp).
template <class Lanes, Missing missing_rows = Missing::not_selected, class Group, class Fold,
          class Read>
ISOFOLD_DEVICE typename Fold::state_type fold_staged_chunk(const Group& group, const Fold& fold,
                                                           BulkStageOf<Fold, Lanes>& stage,
                                                           std::int64_t begin, int count,
                                                           bool whole, int thread, Read&& read) {
  const auto* const chunk = stage.end(group);
  return whole ? fold_near_chunk<true, Lanes, missing_rows>(group, fold, chunk, begin,
                                                            core::chunk_elements, thread, read)
               : fold_near_chunk<false, Lanes, missing_rows>(group, fold, chunk, begin, count,
                                                             thread, read);
}

// ---- which stage a fold's chunks go through, if any -------------------------------------------

struct NoStage {
  static constexpr int threads = 0;
  template <class Group>
  ISOFOLD_DEVICE NoStage(const Group&, void*) {}
  ISOFOLD_HOST_DEVICE static constexpr std::size_t bytes(int) { return 0; }
};
template <class Stage>
inline constexpr bool is_stage = !std::is_same_v<Stage, NoStage>;

template <class Group, class Fold, class Lanes>
using StageFor =
    std::conditional_t<is_bulk<Fold, Lanes>() && has_bulk_copies<Group>, BulkStageOf<Fold, Lanes>,
                       std::conditional_t<is_staged<Fold, Lanes>() && has_stages<Group>,
                                          StageOf<Fold, Lanes>, NoStage>>;

// The staged_threads and bulk_threads of a kernel whose chunks go through such a stage.
template <class Fold, class Lanes>
constexpr int staged_chunk_threads() {
  return is_staged<Fold, Lanes>() ? StageOf<Fold, Lanes>::threads : 0;
}
template <class Fold, class Lanes>
constexpr int bulk_chunk_threads() {
  return is_bulk<Fold, Lanes>() ? BulkStageOf<Fold, Lanes>::threads : 0;
}

// The threads of a multiprocessor whose chunks fit if a block keeps `kept` bytes for other things.
template <class Stage>
int fitting_threads(const DeviceFacts& device, std::size_t kept) {
  if constexpr (is_stage<Stage>) {
    const auto threads = static_cast<int>((device.shared_bytes - kept) / Stage::bytes(1));
    return std::min(Stage::threads, threads / device.wave_width * device.wave_width);
  } else {
    return 0;
  }
}

// Calls use(Stage) with the stage that chunks go through in the code for a device with such facts.
template <class Fold, class Lanes, class Use>
auto with_stage(const DeviceFacts& device, Use&& use) {
  return is_bulk<Fold, Lanes>() && device.has_bulk_copies
             ? use(static_cast<BulkStageOf<Fold, Lanes>*>(nullptr))
         : is_staged<Fold, Lanes>() && device.has_stages
             ? use(static_cast<StageOf<Fold, Lanes>*>(nullptr))
             : use(static_cast<NoStage*>(nullptr));
}

}  // namespace isofold::gpu
