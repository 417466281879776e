// The list of folds that ReduceFusedOps computes, for execute_fused.hpp: the states of its entries,
// and the results that are made of each. Members of a family with equal states share one entry
// (mean and variance), and extrema and sums come from the states that have their places or their
// bounds. A sum beside moments, which sum each chunk first, does not run over chunks itself.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include <backends/gpu/kernel/fused_ops.hpp>
#include <backends/gpu/op/fused.hpp>
#include <ops/supported_cases.hpp>
#include <request/parameters.hpp>

namespace isofold::gpu {

// Fills a kernel's `folds`, `entry` and `further`. Requests whose fold is not on the kernel's menu,
// or that are `done`, are left out.
template <class Platform, class T, class Kernel>
class FusedList {
 public:
  FusedList(Kernel& kernel, const isofold_request* requests, std::int32_t count, const bool* done)
      : kernel_(kernel) {
    // Those that other folds' states may have come when all others are there, and sums at the end.
    for (const int turn : {0, 1, 2}) {
      for (int i = 0; i < count; ++i) {
        if (!done[i]) {
          visit_folds<T>(requests[i].fold, [&](auto fold) {
            if (turn_of<decltype(fold)> == turn) {
              add(with_parameters(fold, requests[i]), requests[i], i);
            }
          });
        }
      }
    }
    kernel.chunk_folds = entries() - (sum_is_given() ? 1 : 0);
  }

  FusedList(const FusedList&) = delete;
  FusedList& operator=(const FusedList&) = delete;

  int entries() const { return kernel_.folds; }
  int results() const { return results_; }
  const std::size_t* state_bytes() const { return state_bytes_; }  // of each entry
  // They are of all entries, for the chunks of a tile.
  std::size_t states_bytes(int tile_shift) const {
    std::size_t bytes = 0;
    for (int i = 0; i < entries(); ++i) {
      bytes += aligned(state_bytes_[i] << tile_shift);
    }
    return bytes;
  }

  // These are of result number i: where it goes, its request's number, the bytes of a row's.
  void write_to(int i, void* memory) { result_[i].of->to = memory; }
  int request(int i) const { return result_[i].request; }
  std::size_t result_bytes(int i) const { return result_[i].bytes; }

 private:
  template <class Fold>
  static constexpr int turn_of = std::is_same_v<Fold, core::Sum<T>> ? 2
                                 : HeldBy<Fold>::is_possible        ? 1
                                                                    : 0;
  // This tells whether the last entry is a sum, and another one has moments.
  bool sum_is_given() const {
    if (!Kernel::gives_sums || entries() == 0) {
      return false;
    }
    const auto has = [](const FusedEntry& entry, int number) { return entry.number == number; };
    const FusedEntry* const first = kernel_.entry;
    const FusedEntry* const last = first + entries() - 1;
    return has(*last, number_of<core::Sum<T>>) &&
           std::any_of(first, last, [&](const FusedEntry& entry) {
             return has(entry, number_of<MomentsFamily<T>>);
           });
  }

  struct Result {
    FusedResult* of;
    int request;
    std::size_t bytes;
  };

  // An entry for the fold, or one more result of an entry that has its states or its result.
  template <class Fold>
  void add(const Fold& asked, const isofold_request& request, int number) {
    const auto fold = listed_fold<Platform>(asked);
    using Ours = std::decay_t<decltype(fold)>;
    using State = typename Ours::state_type;
    if constexpr (number_of<Ours> < Kernel::Menu::length) {
      const bool write_state = (request.flags & ISOFOLD_STATE) != 0;
      if constexpr (HeldBy<Fold>::is_possible) {
        const auto holds = [&](const auto& other, int which) {
          const auto ours = listed_fold<Platform>(other);
          const int entry = entry_of(ours);
          if (entry < entries()) {
            using Kernels = typename KernelFoldOf<Platform, std::decay_t<decltype(other)>>::type;
            share(entry, result_of(Kernels::members + which, false));
          }
          return entry < entries();
        };
        if (!write_state && HeldBy<Fold>::any(holds)) {
          note(number, sizeof(typename Fold::result_type));
          return;
        }
      }
      const FusedResult result = result_of(number_of_member(fold), write_state);
      const int entry = entry_of(fold);
      if (entry < entries()) {
        share(entry, result);
      } else {
        begin(fold, result);
      }
      note(number, write_state ? sizeof(State) : sizeof(typename Fold::result_type));
    }
  }

  static FusedResult result_of(int member, bool write_state) {
    return {nullptr, static_cast<std::int16_t>(member), FusedResult::none, write_state};
  }
  template <class Ours>
  static constexpr int number_of = Kernel::Menu::template number_of<Ours>();

  // The number of the entry that has the fold's states, or how many entries there are.
  template <class Ours>
  int entry_of([[maybe_unused]] const Ours& fold) const {
    int i = entries();
    if constexpr (is_family<Ours>) {
      for (i = 0; i < entries(); ++i) {
        const FusedEntry& entry = kernel_.entry[i];
        if (entry.number == number_of<Ours> &&
            have_same_states(fold, reinterpret_cast<const Ours&>(entry.fold))) {
          break;
        }
      }
    }
    return i;
  }
  // A new entry, and its first result.
  template <class Ours>
  void begin(const Ours& fold, const FusedResult& result) {
    FusedEntry& entry = kernel_.entry[kernel_.folds];
    std::memcpy(entry.fold, static_cast<const void*>(&fold), sizeof fold);
    entry.number = number_of<Ours>;
    entry.result = result;
    state_bytes_[kernel_.folds++] = sizeof(typename Ours::state_type);
    result_[results_].of = &entry.result;
  }
  // One more result of an entry.
  void share(int entry, const FusedResult& result) {
    FusedResult& further = kernel_.further[further_];
    further = result;
    further.next = std::exchange(kernel_.entry[entry].result.next, further_++);
    result_[results_].of = &further;
  }
  // This notes the request that the result just added answers, and its bytes.
  void note(int request, std::size_t bytes) {
    result_[results_].request = request;
    result_[results_++].bytes = bytes;
  }

  Kernel& kernel_;
  int results_ = 0;
  std::int16_t further_ = 0;
  std::size_t state_bytes_[ISOFOLD_MOST_FUSED]{};
  Result result_[ISOFOLD_MOST_FUSED]{};
};

}  // namespace isofold::gpu
