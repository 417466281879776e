// The shape of the tree, probed from outside (conformance/tree_probe.hpp has the method): every
// backend has the tree of docs/tree.md, and other trees are told apart, for a probe that finds no
// difference anywhere would prove nothing.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <conformance/tree_shape.hpp>
#include <test_support.hpp>

namespace {

using isofold::conformance::Level;
using isofold::conformance::Pair;
using isofold::conformance::probe_for_recovery;
using isofold::conformance::probe_function;
using isofold::conformance::ProbedShape;
using isofold::conformance::ProbedSizes;
using isofold::conformance::SubtreeSizes;
using isofold::conformance::TreeModel;

// ---- the model ------------------------------------------------------------------------------

// Elements in the smallest subtree of tree v1 that holds both i < j, of n, without a tree:
// docs/tree.md, Definition, once more.
std::int64_t subtree_of(std::int64_t i, std::int64_t j, std::int64_t n) {
  const std::int64_t chunk_i = i / 1024;
  const std::int64_t chunk_j = j / 1024;
  if (chunk_i != chunk_j) {
    std::int64_t width = 1;  // chunks under the lowest node that holds both
    while (chunk_i / width != chunk_j / width) {
      width *= 2;
    }
    const std::int64_t begin = chunk_i / width * width * 1024;
    return std::min(n, begin + width * 1024) - begin;
  }
  const std::int64_t in_chunk = std::min<std::int64_t>(1024, n - chunk_i * 1024);
  const std::int64_t lane_i = i % 1024 % 64;
  const std::int64_t lane_j = j % 1024 % 64;
  if (lane_i == lane_j) {  // a lane accumulates from its first row on
    return (std::max(i, j) % 1024) / 64 + 1;
  }
  std::int64_t half = 32;  // halving by h joins lanes that are equal modulo h
  while (lane_i % half != lane_j % half) {
    half /= 2;
  }
  std::int64_t size = 0;
  for (std::int64_t element = 0; element < in_chunk; ++element) {
    size += element % 64 % half == lane_i % half;
  }
  return size;
}

TEST(TreeModel, TheExplicitTreeHasTheSizesOfTheFormula) {
  for (const std::int64_t n : {2, 3, 63, 64, 65, 200, 1024, 1025, 2500}) {
    const TreeModel tree = isofold::conformance::tree_v1(n);
    for (std::int64_t i = 0; i < n; i += n < 300 ? 1 : 17) {
      for (std::int64_t j = i + 1; j < n; ++j) {
        ASSERT_EQ(tree.smallest_subtree(i, j), subtree_of(i, j, n)) << n << " " << i << " " << j;
      }
    }
  }
}

TEST(TreeModel, ThreeAndSevenAreThoseOfTheDocument) {
  const TreeModel three = isofold::conformance::tree_v1(3);  // ((x0, x2), x1)
  EXPECT_EQ(three.smallest_subtree(0, 2), 2);
  EXPECT_EQ(three.smallest_subtree(0, 1), 3);
  EXPECT_EQ(three.smallest_subtree(2, 1), 3);
  const TreeModel chunks = isofold::conformance::tree_v1(7 * 1024);  // ((c01, c23), (c45, c6))
  EXPECT_EQ(chunks.smallest_subtree(0, 1024), 2048);
  EXPECT_EQ(chunks.smallest_subtree(0, 3 * 1024), 4096);
  EXPECT_EQ(chunks.smallest_subtree(4 * 1024, 6 * 1024), 3 * 1024);
  EXPECT_EQ(chunks.smallest_subtree(0, 6 * 1024), 7 * 1024);
}

// A lane is a caterpillar: its rows one after the other.
TEST(TreeModel, ALaneIsARunningSum) {
  const TreeModel tree = isofold::conformance::tree_v1(1024);
  for (std::int64_t row = 1; row < 16; ++row) {
    EXPECT_EQ(tree.smallest_subtree(5, 5 + 64 * row), row + 1);
    EXPECT_EQ(tree.smallest_subtree(5 + 64 * (row - 1), 5 + 64 * row), row + 1);
  }
}

isofold::conformance::TreeComparison compare_with_tree_v1(
    const SubtreeSizes& sizes, const std::vector<std::int64_t>& all_pairs_of,
    const std::vector<std::int64_t>& recovered_for) {
  ProbedSizes probed;
  probed.all_pairs_of = all_pairs_of;
  probed.recovered_for = recovered_for;
  return isofold::conformance::compare_with_tree_v1(sizes, probed);
}

// ---- the backends ---------------------------------------------------------------------------

// Every size at the standard level, as `isofold verify --tree` has them; a few by default.
Level level() {
  const char* name = std::getenv("ISOFOLD_TEST_LEVEL");
  return name != nullptr && std::string(name) == "standard" ? Level::standard : Level::quick;
}

class TreeShape : public testing::TestWithParam<std::string> {};

#ifdef ISOFOLD_TEST_SOME_CASES  // the few cases of emulated GPUs have sums of f32 alone
constexpr std::int32_t probed_types[] = {ISOFOLD_TYPE_f32};
#else
constexpr std::int32_t probed_types[] = {ISOFOLD_TYPE_f32, ISOFOLD_TYPE_f64};
#endif

TEST_P(TreeShape, IsTreeV1) {
  const auto target = isofold::conformance::library_target(GetParam());
  for (const std::int32_t type : probed_types) {
    for (const ProbedShape shape : {ProbedShape::array, ProbedShape::rows}) {
      const auto cell = isofold::conformance::probe_cell(
          *target, type, shape, isofold::conformance::sizes_to_probe(level(), 1));
      EXPECT_TRUE(cell.is_tree_v1())
          << cell.type << " " << cell.shape << ": " << cell.found.first_difference << cell.failure;
      EXPECT_GT(cell.found.pairs, level() == Level::standard ? 400000 : 60000);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Host, TreeShape, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

// ---- the controls ---------------------------------------------------------------------------

// The sizes of a tree, as if a summation had it, where places[i] stands for element i.
SubtreeSizes sizes_of(const TreeModel& tree, std::vector<std::int64_t> places = {}) {
  return [tree, places = std::move(places)](std::int64_t, const std::vector<Pair>& pairs) {
    const auto place = [&](std::int64_t i) {
      return places.empty() ? i : places[static_cast<std::size_t>(i)];
    };
    std::vector<std::int64_t> sizes;
    for (const Pair& pair : pairs) {
      sizes.push_back(tree.smallest_subtree(place(pair.plus), place(pair.minus)));
    }
    return sizes;
  };
}

float running_sum(const float* x, std::int64_t n) {
  float sum = x[0];
  for (std::int64_t i = 1; i < n; ++i) {
    sum += x[i];
  }
  return sum;
}

TEST(TreeShapeControl, ARunningSumIsToldApart) {
  const SubtreeSizes running = probe_function(running_sum);
  EXPECT_EQ(compare_with_tree_v1(running, {2}, {}).differing, 0) << "two elements have one order";
  EXPECT_GT(compare_with_tree_v1(running, {3}, {}).differing, 0);
  const auto found = compare_with_tree_v1(running, {100}, {2048});
  EXPECT_GT(found.differing, 4000);
  EXPECT_EQ(found.differing_from_running_sum, 0) << "its own tree";
  EXPECT_NE(found.first_difference, "");
}

TEST(TreeShapeControl, APairwiseSumIsToldApart) {
  // By halves, so that the tree is no copy of the model's levels; at powers of two it is the same.
  struct Halves {
    static double sum(const double* x, std::int64_t n) {
      return n == 1 ? x[0] : sum(x, n / 2) + sum(x + n / 2, n - n / 2);
    }
  };
  const auto found = compare_with_tree_v1(probe_function(Halves::sum), {64, 128}, {1024, 2048});
  EXPECT_GT(found.differing, 4000);
  EXPECT_EQ(found.differing_from_pairwise_sum, 0) << "its own tree";
}

TEST(TreeShapeControl, TheControlsOfTheCommandAreToldApart) {
  isofold::conformance::SuiteOptions options;
  options.level = Level::quick;
  options.backends = {"reference"};
  const auto report = isofold::conformance::probe_trees(options);
  ASSERT_EQ(report.controls.size(), 2U);
  for (const auto& control : report.controls) {
    EXPECT_TRUE(control.told_apart()) << control.name;
  }
  EXPECT_TRUE(report.passed());
}

TEST(TreeShapeControl, TwoSwappedLanesAreFound) {
  for (const std::int64_t n : {64, 100, 300, 1024, 2148}) {
    std::vector<std::int64_t> places;
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t lane = i % 64;
      places.push_back(i + (lane == 8 && i + 1 < n ? 1 : lane == 9 ? -1 : 0));
    }
    const SubtreeSizes swapped = sizes_of(isofold::conformance::tree_v1(n), places);
    EXPECT_GT(compare_with_tree_v1(swapped, {}, {n}).differing, 0) << n;
    if (n <= 300) {
      EXPECT_GT(compare_with_tree_v1(swapped, {n}, {}).differing, 0) << n;
    }
    EXPECT_EQ(compare_with_tree_v1(sizes_of(isofold::conformance::tree_v1(n)), {}, {n}).differing,
              0);
  }
}

// One subtree hung elsewhere, far from the first element, which few pairs see.
TEST(TreeShapeControl, AChunkJoinedOutOfTurnIsFound) {
  constexpr std::int64_t n = 4096;
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < n; ++i) {  // c0, c1, c2, c3 -> c0, c2, c1, c3
    const std::int64_t chunk = i / 1024;
    places.push_back(i + (chunk == 1 ? 1024 : chunk == 2 ? -1024 : 0));
  }
  EXPECT_GT(
      compare_with_tree_v1(sizes_of(isofold::conformance::tree_v1(n), places), {}, {n}).differing,
      0);
}

// The last two rows of one lane of the last chunk, added to each other first.
TEST(TreeShapeControl, ALaneThatIsNoRunningSumIsFound) {
  TreeModel tree(192);
  std::vector<std::int64_t> lanes;
  for (std::int64_t lane = 0; lane < 64; ++lane) {
    lanes.push_back(lane == 63 ? tree.join(lane, tree.join(lane + 64, lane + 128))
                               : tree.join(tree.join(lane, lane + 64), lane + 128));
  }
  for (std::size_t half = 32; half >= 1; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) {
      lanes[lane] = tree.join(lanes[lane], lanes[lane + half]);
    }
  }
  EXPECT_GT(compare_with_tree_v1(sizes_of(tree), {192}, {}).differing, 0);
  EXPECT_GT(compare_with_tree_v1(sizes_of(tree), {}, {192}).differing, 0);
}

// A value that no tree of additions returns is a difference, not a number that happens to fit.
TEST(TreeShapeControl, ASumThatIsNoCountIsADifference) {
  const auto nearly = [](const float* x, std::int64_t n) { return running_sum(x, n) + 0.25F; };
  const auto found = compare_with_tree_v1(probe_function(nearly), {10}, {});
  EXPECT_EQ(found.differing, found.pairs);
  const auto lost = [](const float*, std::int64_t) { return -1.0F; };
  EXPECT_EQ(compare_with_tree_v1(probe_function(lost), {10}, {}).differing, 45);
}

// Random pairs meet every level, also those above the chunks.
TEST(TreeShapeControl, SampledPairsSeeWhatIsWrongInALongSum) {
  constexpr std::int64_t n = 100000;
  constexpr std::int64_t whole_chunks = n / 1024 * 1024;
  std::vector<std::int64_t> turned;  // every whole chunk in its right neighbour's place
  for (std::int64_t i = 0; i < n; ++i) {
    turned.push_back(i < whole_chunks ? (i + 1024) % whole_chunks : i);
  }
  ProbedSizes probed;
  probed.sampled_for = {n};
  probed.sample = 40;
  const TreeModel tree = isofold::conformance::tree_v1(n);
  const auto differing = [&](const SubtreeSizes& sizes) {
    return isofold::conformance::compare_with_tree_v1(sizes, probed).differing;
  };
  EXPECT_EQ(differing(sizes_of(tree)), 0);
  EXPECT_GT(differing(sizes_of(tree, turned)), 0);
  EXPECT_GT(differing(probe_function(running_sum)), 30);
}

TEST(TreeShapeControl, RecoveryAsksFewPairsAndComesToAnEnd) {
  for (const bool is_tree : {true, false}) {
    std::int64_t pairs = 0;
    const SubtreeSizes sizes = is_tree ? sizes_of(isofold::conformance::tree_v1(4096))
                                       : [](std::int64_t, const std::vector<Pair>& all) {
                                           return std::vector<std::int64_t>(all.size(), 5);
                                         };
    const std::int64_t n = is_tree ? 4096 : 300;
    probe_for_recovery(sizes, n, [&](Pair, std::int64_t) { ++pairs; });
    EXPECT_GE(pairs, n - 1);
    EXPECT_LE(pairs, is_tree ? 20 * n : n * (n - 1) / 2);
  }
}

TEST(TreeShapeControl, WhatCannotBeProbedIsRefused) {
  EXPECT_THROW(
      probe_function(running_sum)(isofold::conformance::most_probed_elements + 1, {{0, 1}}),
      isofold::Error);
}

}  // namespace
