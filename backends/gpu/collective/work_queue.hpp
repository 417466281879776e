// Work that all blocks take by turns, so that they end together: where each had the same share,
// multiprocessors of an H200 were without work for 3 to 27 % of a launch, as some are nearer to the
// memory than others, or have shorter segments.
#pragma once

#include <isofold/detail/gpu/platform.hpp>

namespace isofold::gpu {

// What the warp's first thread has. All of the warp call.
template <class Group>
ISOFOLD_DEVICE std::uint32_t of_first_thread(const Group& group, int thread, std::uint32_t value) {
  for (int distance = 1; distance < Group::wave_width; distance *= 2) {
    const std::uint32_t other = group.exchange(value, distance);
    value = (thread & distance) != 0 ? other : value;
  }
  return value;
}

// Numbers from counters in device memory, each of which is some blocks', for with one for all each
// claim took 1.7 ns on an H200. They are zero before, and again when who comes last, or a later
// launch, has called reset().
struct SharedTurns {
  static constexpr int counters = 8;
  static constexpr int apart = 32;  // words: each counter has a cache line to itself
  static constexpr int words = counters * apart;
  std::uint32_t* first = nullptr;

  // A turn, whose number may be asked for when it has come from memory. One thread calls.
  template <class Group>
  ISOFOLD_DEVICE std::uint32_t take(const Group& group) const {
    return group.claim(first + counter(group) * apart, 1);
  }
  // Each number once; none is left out, where every block asks until its numbers are large enough.
  template <class Group>
  ISOFOLD_DEVICE static std::int64_t number(const Group& group, std::uint32_t turn) {
    return std::int64_t{turn} * used(group) + counter(group);
  }
  template <class Group>
  ISOFOLD_DEVICE void reset(const Group& group) const {
    if (first != nullptr && group.block() == 0 && group.thread() == 0) {
      reset();
    }
  }
  ISOFOLD_DEVICE void reset() const {
    for (int c = 0; c < counters; ++c) {
      first[c * apart] = 0;
    }
  }

 private:
  template <class Group>
  ISOFOLD_DEVICE static int used(const Group& group) {
    const auto blocks = static_cast<int>(group.blocks());
    return blocks < counters ? blocks : counters;
  }
  template <class Group>
  ISOFOLD_DEVICE static int counter(const Group& group) {
    return static_cast<int>(group.block()) % used(group);
  }
};

}  // namespace isofold::gpu
