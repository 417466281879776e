// Probing every backend, and the controls without which that would prove nothing.
#include "tree_shape.hpp"

#include <algorithm>
#include <chrono>
#include <exception>

#include "seconds_since.hpp"
#include "sections.hpp"

namespace isofold::conformance {
namespace {

std::string text_of(std::int64_t size) {
  return size == no_size ? "no subtree: the sum is no whole number from 0 to n"
                         : "a subtree of " + std::to_string(size);
}

// Adds to the comparison what is told about pairs of one size.
class Comparer {
 public:
  Comparer(std::int64_t n, TreeComparison& into)
      : tree_(tree_v1(n)),
        running_(running_sum_tree(n)),
        pairwise_(pairwise_sum_tree(n)),
        into_(into) {}

  void operator()(Pair pair, std::int64_t size) {
    ++into_.pairs;
    const std::int64_t expected = tree_.smallest_subtree(pair.plus, pair.minus);
    if (size != expected && ++into_.differing == 1) {
      into_.first_difference = "n = " + std::to_string(tree_.elements()) + ", elements " +
                               std::to_string(pair.plus) + " and " + std::to_string(pair.minus) +
                               ": tree v1 joins them in " + text_of(expected) + ", found " +
                               text_of(size);
    }
    into_.differing_from_running_sum += size != running_.smallest_subtree(pair.plus, pair.minus);
    into_.differing_from_pairwise_sum += size != pairwise_.smallest_subtree(pair.plus, pair.minus);
  }

 private:
  TreeModel tree_;
  TreeModel running_;
  TreeModel pairwise_;
  TreeComparison& into_;
};

float running_sum(const float* x, std::int64_t n) {
  float sum = x[0];
  for (std::int64_t i = 1; i < n; ++i) {
    sum += x[i];
  }
  return sum;
}

float pairwise_sum(const float* x, std::int64_t n) {
  std::vector<float> level(x, x + n);
  while (level.size() > 1) {
    const std::size_t above = (level.size() + 1) / 2;
    for (std::size_t i = 0; i < above; ++i) {
      const bool has_partner = 2 * i + 1 < level.size();
      level[i] = has_partner ? level[2 * i] + level[2 * i + 1] : level[2 * i];
    }
    level.resize(above);
  }
  return level.front();
}

std::vector<TreeControl> controls() {
  ProbedSizes probed;
  probed.all_pairs_of = {100};
  probed.recovered_for = {2048};
  TreeControl running{"running sum", compare_with_tree_v1(probe_function(running_sum), probed)};
  running.differing_from_its_own = running.found.differing_from_running_sum;
  TreeControl pairwise{"pairwise sum", compare_with_tree_v1(probe_function(pairwise_sum), probed)};
  pairwise.differing_from_its_own = pairwise.found.differing_from_pairwise_sum;
  return {running, pairwise};
}

}  // namespace

ProbedSizes sizes_to_probe(Level level, std::uint64_t seed) {
  ProbedSizes probed;
  probed.seed = seed;
  if (level == Level::quick) {
    probed.all_pairs_of = {2, 3, 7, 33, 64, 65, 100, 129, 300};
    probed.recovered_for = {1024, 1025, 2148};
    probed.sampled_for = {300001};
    probed.sample = 40;
    return probed;
  }
  for (std::int64_t n = 2; n <= 300; ++n) {
    const bool near_a_row = n % 64 <= 1 || n % 64 == 63;
    if (level == Level::exhaustive || n <= 70 || near_a_row || n % 50 == 0) {
      probed.all_pairs_of.push_back(n);
    }
  }
  probed.recovered_for = {1000, 1023, 1024, 1025, 1500, 2047, 2048,
                          2049, 2148, 3000, 3073, 4095, 4096};
  probed.sampled_for = {65537, 300001, most_probed_elements};
  probed.sample = level == Level::exhaustive ? 2000 : 200;
  return probed;
}

TreeComparison compare_with_tree_v1(const SubtreeSizes& sizes, const ProbedSizes& probed) {
  TreeComparison found;
  found.probed = probed;
  const auto compare = [&](const std::vector<std::int64_t>& all, auto&& probe) {
    for (const std::int64_t n : all) {
      Comparer comparer(n, found);
      probe(n, [&](Pair pair, std::int64_t size) { comparer(pair, size); });
    }
  };
  compare(probed.all_pairs_of,
          [&](std::int64_t n, const TellSize& tell) { probe_all_pairs(sizes, n, tell); });
  compare(probed.recovered_for,
          [&](std::int64_t n, const TellSize& tell) { probe_for_recovery(sizes, n, tell); });
  compare(probed.sampled_for, [&](std::int64_t n, const TellSize& tell) {
    probe_some_pairs(sizes, n, probed.sample, probed.seed, tell);
  });
  return found;
}

bool TreeReport::passed() const {
  return !cells.empty() && std::all_of(cells.begin(), cells.end(), [](const TreeCell& cell) {
    return cell.passed();
  }) && std::all_of(controls.begin(), controls.end(), [](const TreeControl& control) {
    return control.told_apart();
  });
}

std::int64_t TreeReport::pairs() const {
  std::int64_t sum = 0;
  for (const TreeCell& cell : cells) {
    sum += cell.found.pairs;
  }
  return sum;
}

std::int64_t TreeReport::differing() const {
  std::int64_t sum = 0;
  for (const TreeCell& cell : cells) {
    sum += cell.promises_tree_v1 ? cell.found.differing : 0;
  }
  return sum;
}

std::int64_t TreeReport::failures() const {
  return std::count_if(cells.begin(), cells.end(),
                       [](const TreeCell& cell) { return !cell.passed(); });
}

TreeCell probe_cell(Target& target, std::int32_t type, ProbedShape shape,
                    const ProbedSizes& probed) {
  TreeCell cell;
  cell.backend = target.name();
  cell.type = isofold_type_name(type);
  cell.shape = shape == ProbedShape::array ? "array" : "rows";
  cell.promises_tree_v1 = target.promises_same_bits();
  const auto start = std::chrono::steady_clock::now();
  try {
    cell.found = compare_with_tree_v1(probe_target(target, type, shape), probed);
  } catch (const std::exception& error) {
    cell.failure = error.what();
  }
  cell.seconds = seconds_since(start);
  return cell;
}

TreeReport probe_trees(const SuiteOptions& options, const SuiteWatch& watch) {
  const auto start = std::chrono::steady_clock::now();
  TreeReport report;
  report.level = options.level;
  report.seed = options.seed;
  const std::vector<std::string> backends = choose_backends(options, report.skipped);
  report.controls = controls();
  const ProbedSizes probed = sizes_to_probe(options.level, options.seed);
  const double steps = static_cast<double>(4 * backends.size());
  for (const std::string& backend : backends) {
    for (const std::int32_t type : {ISOFOLD_TYPE_f32, ISOFOLD_TYPE_f64}) {
      for (const ProbedShape shape : {ProbedShape::array, ProbedShape::rows}) {
        report.stopped = report.stopped || (watch.stop && watch.stop());
        if (report.stopped) {
          continue;
        }
        if (watch.progress) {
          watch.progress(static_cast<double>(report.cells.size()) / steps,
                         backend + " " + isofold_type_name(type));
        }
        report.cells.push_back(probe_cell(*library_target(backend), type, shape, probed));
      }
    }
  }
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace isofold::conformance
