// Devices of no class of their own, and what the classes that nobody measured begin with: the
// measured values of sm90.hpp, but for those that depend on caches, shared memory and the width of
// waves, which the device's facts give. docs/decisions/044
#pragma once

#include <algorithm>

#include <backends/gpu/tuning/sm90.hpp>
#include <isofold/detail/gpu/tile_plan.hpp>

namespace isofold::gpu {

// Shared memory and the L1 are one memory on NVIDIA's devices, a multiple of so many bytes, and
// kernels that ask for little of the former leave nearly all to the latter.
inline constexpr std::int64_t l1_step = 64 << 10;

inline Tuning default_tuning(const DeviceFacts& facts) {
  Tuning tuning = sm90_tuning;

  // Two blocks of a multiprocessor have their chunks in shared memory.
  constexpr std::size_t bulk_step = 32 << 10;
  tuning.fused.bulk_bytes = std::clamp(facts.shared_bytes / 2 / bulk_step * bulk_step, bulk_step,
                                       sm90_tuning.fused.bulk_bytes);
  const bool is_wide = facts.wave_width > 32;
  tuning.fused.l1_bytes =
      is_wide ? 0 : ceil_divide(static_cast<std::int64_t>(facts.shared_bytes), l1_step) * l1_step;
  tuning.fused.row_warps = is_wide ? 0 : sm90_tuning.fused.row_warps;

  // A multiprocessor's part of half of the L2 holds what a second pass reads again.
  if (facts.l2_bytes > 0) {
    const auto l2_bytes = static_cast<std::int64_t>(facts.l2_bytes);
    const std::int64_t part = l2_bytes / 2 / std::max(1, facts.multiprocessors);
    tuning.columns.read_again =
        std::clamp<std::int64_t>(floor_power(part), 16 << 10, sm90_tuning.columns.read_again);
    tuning.few_columns.read_again =
        std::clamp<std::int64_t>(part, 16 << 10, sm90_tuning.few_columns.read_again);
  }
  return tuning;
}

}  // namespace isofold::gpu
