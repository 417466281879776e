// A work queue of all blocks of a launch, so that they end together: with equal shares some
// multiprocessors run out of work early, because some are nearer to the memory than others, or have
// shorter segments (docs/decisions/023). The kernels of segments draw from it the work that is not
// statically assigned.
#pragma once

#include <isofold/detail/gpu/platform.hpp>

namespace isofold::gpu {

// The value that the warp's first thread has. Collective: every lane of the warp must call.
template <class Group>
ISOFOLD_DEVICE std::uint32_t of_first_thread(const Group& group, int thread, std::uint32_t value) {
  for (int distance = 1; distance < Group::wave_width; distance *= 2) {
    const std::uint32_t other = group.exchange(value, distance);
    value = (thread & distance) != 0 ? other : value;
  }
  return value;
}

// Numbers from several counters in device memory, each of which serves some of the blocks, because
// one counter for all makes claims wait for one another (docs/decisions/023). The counters are zero
// before the launch, and again when the last block, or a later launch, has called reset().
struct WorkQueue {
  static constexpr int counters = 8;
  static constexpr int apart = 32;  // words: each counter has a cache line to itself
  static constexpr int words = counters * apart;
  std::uint32_t* first = nullptr;

  // A turn; number() turns it into a number once it has come from memory. One thread calls.
  template <class Group>
  ISOFOLD_DEVICE std::uint32_t take(const Group& group) const {
    return group.claim(first + counter(group) * apart, 1);
  }
  // The number of a turn. Each number comes once, and none is left out if every block asks until
  // its numbers are large enough.
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
