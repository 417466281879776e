// A run: the fold of consecutive whole chunks as its fewest complete nodes, like a binary counter.
// Loops push chunk states (or larger aligned nodes) from left to right, join adjacent runs of their
// threads, and take the root. m chunks need at most 2·log2(m) + 1 nodes.
#pragma once

#include <cstdint>

#include <isofold/detail/core/tree.hpp>

namespace isofold::core {

// Node (level, index): the chunks [index << level, (index + 1) << level), all of them complete.
template <class State>
struct Node {
  int level;
  std::int64_t index;
  State state;
};

// Room for that many, unless `capacity` says less: a run that begins at chunk 0 needs one node a
// level.
inline constexpr int run_capacity = 2 * (max_root_level + 1) + 1;

template <class Fold, int capacity = run_capacity>
class Run {
 public:
  using State = typename Fold::state_type;

  explicit Run(Fold fold) : fold_(fold) {}

  // The next node to the right of everything pushed so far.
  void push(int level, std::int64_t index, State state) {
    while (size_ > 0 && (index & 1) != 0 && nodes_[size_ - 1].level == level) {
      state = fold_.combine(nodes_[--size_].state, state);
      ++level;
      index >>= 1;
    }
    nodes_[size_++] = {level, index, state};
  }

  // Appends the run that starts where this one ends.
  void append(const Run& right) {
    for (int i = 0; i < right.size_; ++i) {
      push(right.nodes_[i].level, right.nodes_[i].index, right.nodes_[i].state);
    }
  }

  int size() const { return size_; }
  const Node<State>& operator[](int i) const { return nodes_[i]; }

  // The root over everything pushed, which began at chunk 0: missing right children pass the left
  // operand on, so the nodes left on the stack fold from the right. A run of nothing, which callers
  // do not ask, has a state without a meaning, and compilers see none that is not set.
  State root() const {
    if (size_ < 1) {
      return State();
    }
    State state = nodes_[size_ - 1].state;
    for (int i = size_ - 2; i >= 0; --i) {
      state = fold_.combine(nodes_[i].state, state);
    }
    return state;
  }

 private:
  Fold fold_;
  int size_ = 0;
  Node<State> nodes_[static_cast<unsigned>(capacity)];
};

}  // namespace isofold::core
