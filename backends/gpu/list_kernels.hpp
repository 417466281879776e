// The launches over lists alone: the same for all folds and element types, made once for a
// platform.
#pragma once

#include <algorithm>

#include <backends/gpu/joined.hpp>
#include <backends/gpu/launch_table.hpp>
#include <backends/gpu/mask.hpp>

namespace isofold::gpu {

template <class Platform>
struct ListKernels {
  static Status load_mask();
  static Status load_lengths();
  // What the mask takes: words of bits, and how many before each word.
  static Status count_mask(const MaskedRows& masked, const DeviceFacts& facts, bool capturing,
                           void* stream);
  // Where in the joined array each of its arrays begins.
  static Status join_lengths(const JoinLengths& lengths, const DeviceFacts& facts, bool capturing,
                             void* stream);
};

// Outside of the class: what is inline, each source would make for itself.
template <class Platform>
Status ListKernels<Platform>::load_mask() {
  const Status loaded = Platform::template load<CountMask>();
  return loaded.ok() ? Platform::template load<SumCounts>() : loaded;
}

template <class Platform>
Status ListKernels<Platform>::load_lengths() {
  return Platform::template load<JoinLengths>();
}

template <class Platform>
Status ListKernels<Platform>::count_mask(const MaskedRows& masked, const DeviceFacts& facts,
                                         bool capturing, void* stream) {
  Launch size;
  size.capturing = capturing;
  size.threads = CountMask::max_threads;
  size.blocks = std::min(
      ceil_divide(masked.rows * masked.blocks(), size.threads / facts.wave_width), most_blocks);
  const Status counted =
      Platform::launch(CountMask{masked, Divisor(masked.blocks())}, size, stream);
  if (!counted.ok() || masked.blocks() == 1) {
    return counted;
  }
  size.threads = SumCounts::max_threads;
  size.blocks = std::min(masked.rows, most_blocks);
  size.shared_bytes = SumCounts::shared_bytes(size.threads, facts.wave_width);
  return Platform::launch(SumCounts{masked}, size, stream);
}

template <class Platform>
Status ListKernels<Platform>::join_lengths(const JoinLengths& lengths, const DeviceFacts& facts,
                                           bool capturing, void* stream) {
  Launch size;
  size.capturing = capturing;
  size.threads = JoinLengths::max_threads;
  size.shared_bytes = JoinLengths::shared_bytes(size.threads, facts.wave_width);
  return Platform::launch(lengths, size, stream);
}

}  // namespace isofold::gpu
