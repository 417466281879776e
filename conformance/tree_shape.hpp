// `isofold verify --tree`: the trees of the sums of every backend, probed through the public
// interface and compared with tree v1 as docs/tree.md defines it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance.hpp"
#include "tree_probe.hpp"

namespace isofold::conformance {

// How long the sums are that are probed, and for which pairs.
struct ProbedSizes {
  std::vector<std::int64_t> all_pairs_of;   // each pair
  std::vector<std::int64_t> recovered_for;  // FPRev's choice of pairs, which is enough for the tree
  std::vector<std::int64_t> sampled_for;    // random pairs: long enough for many threads and blocks
  std::int64_t sample = 0;                  // how many of these, for each size
  std::uint64_t seed = 0;                   // of these
};

// Every size up to 300 when exhaustive, few when quick.
ProbedSizes sizes_to_probe(Level level, std::uint64_t seed);

// Pairs of these sizes, probed of one summation and compared with tree v1 and with other trees.
struct TreeComparison {
  ProbedSizes probed;
  std::int64_t pairs = 0;
  std::int64_t differing = 0;
  std::int64_t differing_from_running_sum = 0;
  std::int64_t differing_from_pairwise_sum = 0;
  std::string first_difference;  // a sentence; "" when there is none
};

TreeComparison compare_with_tree_v1(const SubtreeSizes& sizes, const ProbedSizes& probed);

struct TreeCell {
  std::string backend;
  std::string type;
  std::string shape;  // "array", "rows"
  bool promises_tree_v1 = true;
  TreeComparison found;
  std::string failure;  // why nothing could be probed; "" when it could
  double seconds = 0;

  bool is_tree_v1() const { return failure.empty() && found.pairs > 0 && found.differing == 0; }
  bool passed() const { return promises_tree_v1 ? is_tree_v1() : failure.empty(); }
};

// Another summation, as a plain loop: the probe must recover its own tree, and tell it from tree
// v1.
struct TreeControl {
  std::string name;
  TreeComparison found;
  std::int64_t differing_from_its_own = 0;

  bool told_apart() const { return found.differing > 0 && differing_from_its_own == 0; }
};

struct TreeReport {
  Level level = Level::standard;
  std::uint64_t seed = 0;  // of the random pairs
  std::vector<TreeControl> controls;
  std::vector<TreeCell> cells;  // one for each backend, type and shape, in that order
  std::vector<SkippedBackend> skipped;
  double seconds = 0;
  bool stopped = false;  // before the end

  bool passed() const;  // no failure, the controls told apart, and at least one backend was asked
  std::int64_t pairs() const;
  std::int64_t differing() const;  // of those who promise tree v1
  std::int64_t failures() const;   // cells that have not passed
};

TreeCell probe_cell(Target& target, std::int32_t type, ProbedShape shape,
                    const ProbedSizes& probed);

// `options.seed` is that of the random pairs. Throws as run_suite does.
TreeReport probe_trees(const SuiteOptions& options, const SuiteWatch& watch = {});

}  // namespace isofold::conformance
