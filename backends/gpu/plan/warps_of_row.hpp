// warps_of_row() says how many warps of a block share a row, if its parts may be added in any
// order.
#pragma once

#include <algorithm>
#include <cstdint>

#include <isofold/detail/core/bits.hpp>

namespace isofold::gpu {

inline std::int64_t power_of_two_up_to(std::int64_t x) {
  return x < 1 ? 1 : std::int64_t{1} << (core::bit_width(static_cast<std::uint64_t>(x)) - 1);
}

// Each warp gets several of a row's tiles, as far as there are rows for all warps of the device.
inline std::int64_t warps_of_row(std::int64_t tiles, std::int64_t rows, std::int64_t all_warps,
                                 std::int64_t most_warps) {
  const std::int64_t by_tiles = power_of_two_up_to(tiles / 8);
  const std::int64_t by_rows = 2 * power_of_two_up_to(all_warps / rows);
  return std::min({most_warps, tiles, std::max(by_tiles, by_rows)});
}

}  // namespace isofold::gpu
