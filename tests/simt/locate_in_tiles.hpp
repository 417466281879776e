// Where the extremum of an array is, by the kernel for tiles of chunks, whose blocks have contests
// where tiles have several rounds (backends/gpu/op/argmin_pruned.hpp).
#pragma once

#include <algorithm>
#include <vector>

#include <backends/gpu/input/contiguous.hpp>
#include <backends/gpu/op/canonical.hpp>
#include <backends/gpu/plan/contiguous.hpp>
#include <isofold/detail/gpu/grid_fold.hpp>

#include "on_device.hpp"

namespace isofold::simt {

// In waves of 32: by so many warps a block, and at most so many blocks, of which each takes tiles
// of so many chunks.
template <class Lanes, class Asked>
typename Asked::result_type locate_in_tiles(const Asked& asked, const std::vector<float>& x,
                                            int warps, int tile_chunks, std::int64_t blocks) {
  constexpr int width = 32;
  const auto fold = gpu::kernel_fold<Platform<width>>(asked);
  using Fold = std::remove_const_t<decltype(fold)>;
  using State = typename Fold::state_type;
  using Result = typename Asked::result_type;
  using Kernel = gpu::GridFold<gpu::Rows<Fold>, Lanes>;
  static_assert(gpu::is_contest<gpu::ContestFor<Group<width>, Fold>>, "It is what is tested.");
  const OnDevice<width, float> elements(x);
  const OnDevice<width, Result> result{std::vector<Result>(1)};
  const auto length = static_cast<std::int64_t>(x.size());
  const std::int64_t chunks = core::chunk_count(length);
  const std::int64_t tiles = gpu::ceil_divide(chunks, std::int64_t{tile_chunks});
  const int grain_shift = core::root_level(tiles == 1 ? tile_chunks : tile_chunks & -tile_chunks);
  const std::int64_t count = gpu::ceil_divide(chunks, std::int64_t{1} << grain_shift);
  const OnDevice<width, State> nodes{std::vector<State>(static_cast<std::size_t>(count))};
  const OnDevice<width, std::uint32_t> counters{std::vector<std::uint32_t>(1)};
  const gpu::Rows<Fold> rows{fold, {elements.data(), nullptr}, 1, length, length, 0, result.data(),
                             false};
  const int capacity = std::max(tile_chunks, width);
  launch<width>(
      Kernel{rows, tiles, tile_chunks, grain_shift, capacity, nodes.data(), counters.data()},
      std::min(blocks, tiles), warps,
      gpu::BlockMemory<State>::bytes(capacity, width) +
          Kernel::Chunks::template Stage<Group<width>>::bytes(warps * width));
  return result.content()[0];
}

}  // namespace isofold::simt
