// A fold made for tests: a combine that is neither commutative nor associative in any bit, so that
// every other order and every other tree shows. The kernel of a block that folds nodes is here,
// too.
#pragma once

#include <isofold/detail/core/folds/sum.hpp>
#include <isofold/detail/gpu/block_fold.hpp>

namespace isofold::simt {

struct Ordered {
  using element_type = std::uint32_t;
  using state_type = std::uint64_t;
  using result_type = std::uint64_t;
  static constexpr int arrays = 1;
  static constexpr int stages = 1;
  static constexpr bool commutative_bits = false;
  static constexpr bool has_identity = false;
  static constexpr bool empty_is_error = false;

  core::Sum<std::uint32_t> first() const { return {}; }
  state_type chunk(std::uint64_t sum, std::int64_t begin, int count) const {
    return combine(sum, static_cast<std::uint64_t>(begin + count));
  }
  state_type combine(state_type a, state_type b) const {
    const std::uint64_t mixed = (a ^ a >> 29) * 0x9e3779b97f4a7c15U + b;
    return (mixed ^ mixed >> 32) * 0xbf58476d1ce4e5b9U;
  }
  result_type finish(state_type s, std::int64_t) const { return s; }
  result_type empty() const { return 0; }
};

// One block folds nodes[0, count); in its shared memory are `capacity` states.
template <class Fold>
struct FoldsNodes {
  using State = typename Fold::state_type;
  static constexpr int max_threads = 256;
  Fold fold;
  int capacity;
  const State* nodes;
  std::int64_t count;
  State* root;

  template <class Group>
  void operator()(const Group& group) const {
    const gpu::BlockMemory<State> memory(group.shared(), capacity, Group::wave_width);
    const State found = gpu::fold_nodes(group, fold, memory, capacity, nodes, count);
    if (group.thread() == 0) {
      *root = found;
    }
  }
};

}  // namespace isofold::simt
