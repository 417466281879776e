// Locations in tiles of several rounds of chunks (backends/gpu/op/argmin_pruned.hpp): which chunks
// can win depends on how warps run, the result does not. Extrema stand in many places, in any chunk
// and order, with NaNs and zeros of both signs among them.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "locate_in_tiles.hpp"

namespace {

using isofold::simt::folded;
using isofold::simt::launch;
using isofold::simt::locate_in_tiles;
using isofold::simt::OnDevice;
using isofold::simt::Random;
namespace core = isofold::core;
namespace gpu = isofold::gpu;

constexpr int width = 32;

// The bits of the values, and the indices.
bool same(const core::LocationBytes<float>& a, const core::LocationBytes<float>& b) {
  return core::same_bits_as<std::int32_t>(a.value) == core::same_bits_as<std::int32_t>(b.value) &&
         a.index == b.index;
}
bool same(const core::LocationPair<float>& a, const core::LocationPair<float>& b) {
  return same(a.minimum, b.minimum) && same(a.maximum, b.maximum);
}

template <class Lanes, class Asked>
void check(const Asked& asked, const std::vector<float>& x, int warps, int tile_chunks,
           std::int64_t blocks, const char* what) {
  const auto expected = folded(asked, x, x);
  const auto found = locate_in_tiles<Lanes>(asked, x, warps, tile_chunks, blocks);
  EXPECT_TRUE(same(expected, found))
      << what << " of " << x.size() << " elements, " << warps << " warps, tiles of " << tile_chunks
      << " chunks, " << blocks << " blocks";
}

template <class Lanes>
void check_all(const std::vector<float>& x, Random& random) {
  const int warps = 1 + static_cast<int>(random.below(4));
  const int tiles[] = {2, 8, 12, 32};
  const int tile = tiles[random.below(4)];
  const auto blocks = static_cast<std::int64_t>(1 + random.below(4));
  check<Lanes>(core::ArgMin<float>{}, x, warps, tile, blocks, "argmin");
  check<Lanes>(core::ArgMax<float>{}, x, warps, tile, blocks, "argmax");
  check<Lanes>(core::ArgMinLast<float>{}, x, warps, tile, blocks, "argmin_last");
  check<Lanes>(core::ArgMaxLast<float>{}, x, warps, tile, blocks, "argmax_last");
  check<Lanes>(core::LocateBoth<float>{}, x, warps, tile, blocks, "argminmax");
}

// Few values, so that extrema tie; values that rise or fall from chunk to chunk, so that each chunk
// wins, or none after the first; or a large one in each chunk or so, so that either end may win
// late.
std::vector<float> some_elements(std::size_t count, Random& random) {
  const auto kind = static_cast<int>(random.below(6));
  const std::uint64_t values = 1 + random.below(3000);
  const std::uint64_t half = values / 2;
  const auto middle = static_cast<float>(half);
  std::vector<float> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t stretch = i / 700;
    const auto place = static_cast<float>(stretch);
    const auto drawn = static_cast<float>(random.below(values));
    x[i] = kind == 0 ? place : kind == 1 ? -place : drawn - middle;
    x[i] = kind == 2 && x[i] == 0 && random.below(2) == 0 ? -0.F : x[i];
    x[i] = kind == 3 && random.below(count / 2 + 1) == 0 ? std::numeric_limits<float>::quiet_NaN()
                                                         : x[i];
  }
  if (kind == 5) {
    for (float& each : x) {
      each *= random.below(1000) == 0 ? 100.F : 1.F;
    }
  }
  if (kind == 4) {  // zeros of both signs are the least and the largest
    for (float& each : x) {
      each = random.below(2) == 0 ? 0.F : -0.F;
    }
  }
  return x;
}

TEST(Contest, LocationsOfManyChunks) {
  Random random(19);
  for (int round = 0; round < 150; ++round) {
    const std::size_t rests[] = {0, 1, 63, 64, 500, 1023};
    const std::size_t count = 1024 * (1 + random.below(70)) + rests[random.below(6)];
    const std::vector<float> x = some_elements(count, random);
    check_all<gpu::WideLanes<float>>(x, random);
    check_all<gpu::NarrowLanes<float>>(x, random);
  }
}

// The least of a warp's words, in each of its threads, and of a block's in shared memory.
struct Least {
  static constexpr int max_threads = 128;
  const std::uint32_t* words;
  std::uint32_t* of_warps;
  std::uint32_t* of_block;
  std::uint32_t* befores;

  template <class Group>
  void operator()(const Group& group) const {
    auto* const shared = static_cast<std::uint32_t*>(group.shared());
    if (group.thread() == 0) {
      *shared = UINT32_MAX;
    }
    group.barrier();
    of_warps[group.thread()] = group.least(words[group.thread()]);
    const std::uint32_t before = group.lower(shared, words[group.thread()]);
    group.barrier();
    of_block[group.thread()] = *shared;
    befores[group.thread()] = before;
  }
};

TEST(Contest, TheLeastOfAWarpAndOfABlock) {
  Random random(3);
  std::vector<std::uint32_t> x(96);
  for (std::uint32_t& each : x) {
    each = static_cast<std::uint32_t>(random.below(1000000));
  }
  const OnDevice<width, std::uint32_t> words(x);
  const OnDevice<width, std::uint32_t> warps{std::vector<std::uint32_t>(96)};
  const OnDevice<width, std::uint32_t> block{std::vector<std::uint32_t>(96)};
  const OnDevice<width, std::uint32_t> befores{std::vector<std::uint32_t>(96)};
  launch<width>(Least{words.data(), warps.data(), block.data(), befores.data()}, 1, 3, 16);
  const std::uint32_t least = *std::min_element(x.begin(), x.end());
  for (std::size_t t = 0; t < 96; ++t) {
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(t / width * width);
    EXPECT_EQ(*std::min_element(first, first + width), warps.content()[t]) << t;
    EXPECT_EQ(least, block.content()[t]) << t;
  }
  // One found the word as it was begun, and each other one what one of those before it had left.
  const std::vector<std::uint32_t> found = befores.content();
  EXPECT_EQ(1, std::count(found.begin(), found.end(), UINT32_MAX));
  for (const std::uint32_t each : found) {
    EXPECT_TRUE(each == UINT32_MAX || std::find(x.begin(), x.end(), each) != x.end()) << each;
  }
}

}  // namespace
