// Lists of folds as FusedFold folds them: which of a tile's chunks a warp takes, whole ones and
// those of which one is cut, by some numbers of warps, of chunks in a tile, of tiles, rows and
// blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include <backends/gpu/fused_fold.hpp>
#include <isofold/gpu/tile_plan.hpp>

#include "on_device.hpp"

namespace {

using isofold::simt::folded;
using isofold::simt::launch;
using isofold::simt::OnDevice;
using isofold::simt::Platform;
using isofold::simt::Random;
namespace core = isofold::core;
namespace gpu = isofold::gpu;

// Numbers whose sums round, so that the order of additions shows.
std::vector<float> some_numbers(std::size_t count, Random& random) {
  std::vector<float> x(count);
  for (float& each : x) {
    each = static_cast<float>(static_cast<int>(random.below(20000)) - 9000) / 700;
  }
  return x;
}

// Rows of one length, each `stride` elements after the one before.
struct Shape {
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;
};

std::vector<float> sums_of(const Shape& shape, const float* x) {
  std::vector<float> sums;
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const float* const begin = x + row * shape.stride;
    const std::vector<float> elements(begin, begin + shape.length);
    sums.push_back(folded(core::Sum<float>{}, elements, elements));
  }
  return sums;
}

// A list of two sums of the rows, by so many warps a block and tiles of 2^tile_shift chunks, which
// go through a stage if `staged` and there are any.
template <int width, class Lanes>
void check(const Shape& shape, const float* x, const std::vector<float>& expected, int warps,
           int tile_shift, std::int64_t blocks, bool staged) {
  using Kernel = gpu::FusedFold<Platform<width>, float, Lanes, 1>;
  const auto fold = gpu::kernel_fold<Platform<width>>(core::Sum<float>{});
  using Fold = std::decay_t<decltype(fold)>;
  using State = typename Fold::state_type;
  const std::int64_t chunks = core::chunk_count(shape.length);
  Kernel kernel{};
  kernel.data[0] = x;
  kernel.stride[0] = shape.stride;
  kernel.rows = shape.rows;
  kernel.length = shape.length;
  kernel.tile_shift = tile_shift;
  kernel.tiles = gpu::ceil_divide(chunks, std::int64_t{1} << tile_shift);
  kernel.folds = 2;
  const auto of_rows = static_cast<std::size_t>(shape.rows);
  const OnDevice<width, std::uint32_t> counters{std::vector<std::uint32_t>(of_rows)};
  const auto all_nodes = of_rows * static_cast<std::size_t>(kernel.tiles);
  const OnDevice<width, State> nodes[] = {OnDevice<width, State>(std::vector<State>(all_nodes)),
                                          OnDevice<width, State>(std::vector<State>(all_nodes))};
  const OnDevice<width, float> sums[] = {OnDevice<width, float>(std::vector<float>(of_rows)),
                                         OnDevice<width, float>(std::vector<float>(of_rows))};
  kernel.counters = counters.data();
  for (int i = 0; i < 2; ++i) {
    gpu::FusedEntry& entry = kernel.entry[i];
    std::memcpy(entry.fold, static_cast<const void*>(&fold), sizeof fold);
    entry.number = Kernel::Menu::template number_of<Fold>();
    entry.nodes = nodes[i].data();
    entry.result = sums[i].data();
  }
  constexpr std::size_t state_bytes[] = {sizeof(State), sizeof(State)};
  const bool may_stage = Kernel::template may_stage<isofold::simt::Group<width>>;
  launch<width>(kernel, blocks, warps,
                kernel.lay_out(state_bytes, warps * width, may_stage && staged));
  for (const auto& each : sums) {
    ASSERT_EQ(expected, each.content())
        << shape.rows << " rows of " << shape.length << " elements, " << shape.stride << " apart, "
        << warps << " warps of " << width << ", tiles of " << (1 << tile_shift) << " chunks, "
        << blocks << " blocks" << (kernel.staged ? ", by a stage" : "");
  }
}

// Some shapes, whose rows begin `apart` elements after what a wide load is aligned to.
template <int width, class Lanes>
void check_some(int apart, Random& random) {
  constexpr int aligned_to = gpu::WideLanes<float>::per_load;
  for (int round = 0; round < 150; ++round) {
    Shape shape{};
    shape.rows = 1 + static_cast<std::int64_t>(random.below(3));
    const auto chunks = static_cast<std::int64_t>(random.below(36));
    const std::int64_t rests[] = {1, 63, 64, 500, 1023, 1024};
    shape.length = chunks * core::chunk_elements + rests[random.below(6)];
    shape.stride = (shape.length + aligned_to - 1) / aligned_to * aligned_to + apart;
    const std::vector<float> x =
        some_numbers(static_cast<std::size_t>(shape.rows * shape.stride + apart), random);
    const OnDevice<width, float> data(x);
    const std::vector<float> expected = sums_of(shape, x.data() + apart);
    const int warps = 1 + static_cast<int>(random.below(512 / width));
    check<width, Lanes>(shape, data.data() + apart, expected, warps,
                        static_cast<int>(random.below(7)),
                        1 + static_cast<std::int64_t>(random.below(4)), random.below(2) == 0);
  }
}

TEST(Fused, SumsOfRows) {
  Random random(1);
  check_some<32, gpu::WideLanes<float>>(0, random);
  check_some<32, gpu::NarrowLanes<float>>(1, random);
  check_some<64, gpu::WideLanes<float>>(0, random);
  check_some<64, gpu::NarrowLanes<float>>(1, random);
}

}  // namespace
