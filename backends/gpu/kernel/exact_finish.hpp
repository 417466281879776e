// The kernel that rounds words of exact_v1 which were added elsewhere, by an all-reduce for
// instance: a warp takes a row.
#pragma once

#include <backends/gpu/kernel/exact_sums.hpp>

namespace isofold::gpu {

template <class Fold>
struct FinishExactly : ExactRows<Fold> {
  static constexpr int max_threads = 128;
  using Base = ExactRows<Fold>;
  using typename Base::State;

  const std::int64_t* summed;  // of each row, carried or not

  ISOFOLD_HOST_DEVICE static constexpr std::size_t shared_bytes(int warps) {
    return static_cast<std::size_t>(warps) * sizeof(State);
  }

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    arguments_of(group, this).run(group);
  }

 private:
  template <class Group>
  ISOFOLD_DEVICE void run(const Group& group) const {
    const WarpPlace<Group> place(group);
    State& state = static_cast<State*>(group.shared())[place.warp];
    auto* const words = reinterpret_cast<std::int64_t*>(&state);
    for (std::int64_t row = group.block() * place.warps + place.warp; row < this->rows;
         row += group.blocks() * place.warps) {
      take_words(group, row, words);
      group.warp_barrier();
      this->finish_row(group, state, row);
      group.warp_barrier();
    }
  }

  // Brings a row's words, whose digits are in [-2^31, 2^31) then, but for what the ones below add.
  // The digits of a small negative sum, each 2^32 - 1 up to the sign, so become zeros, and the
  // others lie near each other, as finish_row() likes them. All loads are on their way at once.
  template <class Group>
  ISOFOLD_DEVICE void take_words(const Group& group, std::int64_t row, std::int64_t* words) const {
    constexpr int each = (Base::words + Group::wave_width - 1) / Group::wave_width;
    const int lane = group.thread() % Group::wave_width;
    std::int64_t own[std::size_t{each}];
    std::int64_t below[std::size_t{each}];
#pragma unroll
    for (int j = 0; j < each; ++j) {
      const int i = lane + j * Group::wave_width;
      own[j] = i < Base::words ? word(group, row * Base::words + i) : 0;
      below[j] = 0 < i && i < Base::words ? word(group, row * Base::words + i - 1) : 0;
    }
#pragma unroll
    for (int j = 0; j < each; ++j) {
      const int i = lane + j * Group::wave_width;
      const int of_sum = i < Base::first_words ? i : i - Base::first_words;
      const bool is_kept =
          of_sum < Base::counts || i == Base::first_words - 1 || i == Base::words - 1;
      const std::int64_t carried = of_sum > Base::counts ? (below[j] - low(below[j])) >> 32 : 0;
      if (i < Base::words) {
        words[i] = (is_kept ? own[j] : low(own[j])) + carried;
      }
    }
  }
  ISOFOLD_DEVICE static std::int64_t low(std::int64_t digit) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(digit));
  }
  template <class Group>
  ISOFOLD_DEVICE std::int64_t word(const Group& group, std::int64_t i) const {
    return group.template load<std::int64_t, 1>(summed + i).value[0];
  }
};

}  // namespace isofold::gpu
