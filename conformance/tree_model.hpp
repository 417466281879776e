// Explicit trees of summations, to compare with what a probe finds: tree v1 as docs/tree.md defines
// it, and two other orders. They are written from the document, with numbers of their own: a model
// with the library's numbers could not contradict the library.
#pragma once

#include <cstdint>
#include <vector>

namespace isofold::conformance {

// The leaves are the elements 0 ... n-1, every other node joins two.
class TreeModel {
 public:
  explicit TreeModel(std::int64_t elements);

  // A new node over two that are joined in nothing yet; returns its number.
  std::int64_t join(std::int64_t left, std::int64_t right);

  std::int64_t elements() const noexcept { return elements_; }
  // Elements under the lowest node that holds both.
  std::int64_t smallest_subtree(std::int64_t one, std::int64_t other) const;

 private:
  struct Node {
    std::int64_t parent;
    std::int64_t elements;
  };
  std::int64_t elements_;
  std::vector<Node> nodes_;
};

TreeModel tree_v1(std::int64_t elements);
// One element after the other.
TreeModel running_sum_tree(std::int64_t elements);
// Neighbours first, then neighbouring pairs, and so on.
TreeModel pairwise_sum_tree(std::int64_t elements);

}  // namespace isofold::conformance
