// Nodes as a block folds them, more than its shared memory holds at once, and as a warp does: no
// other launch of the tests has so many. The fold is one whose order shows in every bit.
#include <gtest/gtest.h>

#include <backends/gpu/collective/last_block.hpp>

#include "on_device.hpp"
#include "ordered_fold.hpp"

namespace {

using isofold::simt::FoldsNodes;
using isofold::simt::launch;
using isofold::simt::OnDevice;
using isofold::simt::Ordered;
using isofold::simt::Random;
namespace core = isofold::core;
namespace gpu = isofold::gpu;

// The control: the two orders differ, and so do the two trees.
TEST(Nodes, TheirOrderShows) {
  const Ordered fold;
  EXPECT_NE(fold.combine(1, 2), fold.combine(2, 1));
  EXPECT_NE(fold.combine(fold.combine(1, 2), 3), fold.combine(1, fold.combine(2, 3)));
}

// Folds nodes of so many whole segments, and around them.
template <int width>
void fold_segments(int capacity, int warps, int most_segments = 10) {
  const std::int64_t segment = std::int64_t{capacity} * gpu::few_nodes<Ordered> * width;
  Random random(1);
  std::vector<std::uint64_t> state(static_cast<std::size_t>(most_segments * segment));
  for (std::uint64_t& each : state) {
    each = random.next();
  }
  const OnDevice<width, std::uint64_t> nodes(state);
  const OnDevice<width, std::uint64_t> root(std::vector<std::uint64_t>(1));
  for (std::int64_t segments = 0; segments < most_segments; ++segments) {
    for (const std::int64_t more : {std::int64_t{1}, segment / 2 + 3, segment}) {
      const std::int64_t count = segments * segment + more;
      launch<width>(FoldsNodes<Ordered>{{}, capacity, nodes.data(), count, root.data()}, 1, warps,
                    gpu::BlockMemory<std::uint64_t>::bytes(capacity, width));
      core::Run<Ordered> run(Ordered{});
      for (std::int64_t i = 0; i < count; ++i) {
        run.push(0, i, state[static_cast<std::size_t>(i)]);
      }
      EXPECT_EQ(run.root(), root.content()[0])
          << count << " nodes, of which " << segment << " are folded at once";
    }
  }
}

TEST(Nodes, OfSeveralSegments) {
  for (const int warps : {1, 3}) {
    fold_segments<32>(1, warps);
    fold_segments<32>(4, warps);
    fold_segments<64>(2, warps);
  }
  fold_segments<32>(64, 2);
  fold_segments<32>(512, 2, 2);  // of which a warp does not fold the roots alone
}

// A row's nodes, by one warp.
struct FoldsByWarp {
  static constexpr int max_threads = 64;

  const std::uint64_t* nodes;
  int count;
  std::uint64_t* root;

  template <class Group>
  void operator()(const Group& group) const {
    const std::uint64_t state = gpu::fold_nodes_by_warp(group, Ordered{}, nodes, count);
    if (group.thread() == 0) {
      *root = state;
    }
  }
};

// As many nodes as a warp can fold; a last group of few comes after any number of whole ones.
template <int width>
void fold_by_warp(int step) {
  Random random(2);
  std::vector<std::uint64_t> state(static_cast<std::size_t>(width * width));
  for (std::uint64_t& each : state) {
    each = random.next();
  }
  const OnDevice<width, std::uint64_t> nodes(state);
  const OnDevice<width, std::uint64_t> root(std::vector<std::uint64_t>(1));
  core::Run<Ordered> run(Ordered{});
  for (int count = 1; count <= width * width; ++count) {
    run.push(0, count - 1, state[static_cast<std::size_t>(count - 1)]);
    if (count % width < 4 || count % step == 0) {
      launch<width>(FoldsByWarp{nodes.data(), count, root.data()}, 1, 1, 0);
      EXPECT_EQ(run.root(), root.content()[0]) << count << " nodes, waves of " << width;
    }
  }
}

// Rows of so many nodes each, by one block.
struct FinishesRows {
  static constexpr int max_threads = 192;

  gpu::Rows<Ordered> rows;
  const std::uint64_t* nodes;
  std::int64_t tiles;
  std::int64_t end;

  template <class Group>
  void operator()(const Group& group) const {
    const gpu::BlockMemory<std::uint64_t> memory(group.shared(), gpu::shared_row_states,
                                                 Group::wave_width);
    gpu::finish_rows(group, rows, memory, nodes, tiles, 0, end);
  }
};

// Few nodes for each thread of a warp, and more; rows around what a block takes at once.
template <int width>
void finish_rows_of_nodes(int warps) {
  constexpr int few = gpu::few_nodes<Ordered>;
  Random random(4);
  for (const int tiles :
       {1, 2, 3, few - 1, few, few + 1, 2 * few, 2 * few + 1, 5 * few - 1, few * width - 1,
        few * width, few * width + 1, width * width, width * width + 1}) {
    const int threads_a_row = 1 << core::root_level((tiles + few - 1) / few);
    const int at_once = threads_a_row > width ? 1 : warps * width / threads_a_row;
    for (const int count : {1, at_once - 1, at_once, at_once + 1, 2 * at_once + 1}) {
      if (count < 1) {
        continue;
      }
      std::vector<std::uint64_t> state(static_cast<std::size_t>(count * tiles));
      std::vector<std::uint64_t> expected;
      for (std::uint64_t& each : state) {
        each = random.next();
      }
      for (int row = 0; row < count; ++row) {
        core::Run<Ordered> run(Ordered{});
        for (int i = 0; i < tiles; ++i) {
          run.push(0, i, state[static_cast<std::size_t>(row * tiles + i)]);
        }
        expected.push_back(run.root());
      }
      const OnDevice<width, std::uint64_t> nodes(state);
      const OnDevice<width, std::uint64_t> results(
          std::vector<std::uint64_t>(static_cast<std::size_t>(count)));
      const gpu::Rows<Ordered> rows{Ordered{}, {}, count, 1024, 1024, 0, results.data(), false};
      launch<width>(FinishesRows{rows, nodes.data(), tiles, count}, 1, warps,
                    gpu::BlockMemory<std::uint64_t>::bytes(gpu::shared_row_states, width));
      EXPECT_EQ(expected, results.content())
          << count << " rows of " << tiles << " nodes, " << warps << " warps of " << width;
    }
  }
}

TEST(Nodes, OfTheRowsOfABlock) {
  finish_rows_of_nodes<32>(1);
  finish_rows_of_nodes<32>(3);
  finish_rows_of_nodes<64>(1);
  finish_rows_of_nodes<64>(3);
}

TEST(Nodes, OfARowByOneWarp) {
  fold_by_warp<32>(1);
  fold_by_warp<64>(5);
}

}  // namespace
