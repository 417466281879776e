// The trees, node by node.
#include "tree_model.hpp"

#include <algorithm>

namespace isofold::conformance {
namespace {

constexpr std::int64_t none = -1;

// docs/tree.md, Definition, steps 2 and 3: the state of the chunk [begin, end).
std::int64_t join_chunk(TreeModel& tree, std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> lanes;
  for (std::int64_t first = begin; first < std::min(begin + 64, end); ++first) {
    std::int64_t lane = first;
    for (std::int64_t element = first + 64; element < end; element += 64) {
      lane = tree.join(lane, element);
    }
    lanes.push_back(lane);
  }
  for (std::size_t stride = 32; stride >= 1; stride /= 2) {
    for (std::size_t lane = 0; lane < stride && lane + stride < lanes.size(); ++lane) {
      lanes[lane] = tree.join(lanes[lane], lanes[lane + stride]);
    }
    lanes.resize(std::min(lanes.size(), stride));
  }
  return lanes.front();
}

// Neighbours joined, level after level; who has no partner passes on.
void join_neighbours(TreeModel& tree, std::vector<std::int64_t> level) {
  while (level.size() > 1) {
    std::vector<std::int64_t> above;
    for (std::size_t i = 0; i < level.size(); i += 2) {
      above.push_back(i + 1 < level.size() ? tree.join(level[i], level[i + 1]) : level[i]);
    }
    level = above;
  }
}

}  // namespace

TreeModel::TreeModel(std::int64_t elements)
    : elements_(elements), nodes_(static_cast<std::size_t>(elements), Node{none, 1}) {}

std::int64_t TreeModel::join(std::int64_t left, std::int64_t right) {
  const auto number = static_cast<std::int64_t>(nodes_.size());
  Node& first = nodes_[static_cast<std::size_t>(left)];
  Node& second = nodes_[static_cast<std::size_t>(right)];
  first.parent = number;
  second.parent = number;
  nodes_.push_back({none, first.elements + second.elements});
  return number;
}

std::int64_t TreeModel::smallest_subtree(std::int64_t one, std::int64_t other) const {
  while (one != other) {  // a parent has a higher number than its children
    std::int64_t& lower = one < other ? one : other;
    lower = nodes_[static_cast<std::size_t>(lower)].parent;
  }
  return nodes_[static_cast<std::size_t>(one)].elements;
}

TreeModel tree_v1(std::int64_t elements) {
  TreeModel tree(elements);
  std::vector<std::int64_t> chunks;
  for (std::int64_t begin = 0; begin < elements; begin += 1024) {
    chunks.push_back(join_chunk(tree, begin, std::min(begin + 1024, elements)));
  }
  join_neighbours(tree, chunks);
  return tree;
}

TreeModel running_sum_tree(std::int64_t elements) {
  TreeModel tree(elements);
  std::int64_t sum = 0;
  for (std::int64_t element = 1; element < elements; ++element) {
    sum = tree.join(sum, element);
  }
  return tree;
}

TreeModel pairwise_sum_tree(std::int64_t elements) {
  TreeModel tree(elements);
  std::vector<std::int64_t> leaves;
  for (std::int64_t element = 0; element < elements; ++element) {
    leaves.push_back(element);
  }
  join_neighbours(tree, leaves);
  return tree;
}

}  // namespace isofold::conformance
