// Nodes as a block folds them, of more than its shared memory holds at once, and as a warp does: no
// launch of the tests has so many. With a fold whose order shows in every bit.
#include <gtest/gtest.h>

#include <backends/gpu/shared_rows.hpp>

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

// Of so many whole segments, and around them.
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

// As many as it can fold; a last group of few comes after any number of whole ones.
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

TEST(Nodes, OfARowByOneWarp) {
  fold_by_warp<32>(1);
  fold_by_warp<64>(5);
}

}  // namespace
