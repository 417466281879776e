// The tree over blocks that come one after the other and are gone again, for isofold reduce: one
// block is in memory, and the end of the data may show only when it is reached. A Forest needs its
// count when it is made, and takes one array; a loop from left to right over whole, aligned
// subtrees needs neither. docs/tree.md, "Cut anywhere". Sums of exact_v1 need no tree: the words of
// all blocks are added.
#pragma once

#include <cstdint>
#include <memory>

#include <isofold/fold.hpp>

namespace cli {

class BlockTree {
 public:
  static std::unique_ptr<BlockTree> of(isofold::Fold fold, isofold::Type type, bool exact);
  virtual ~BlockTree() = default;

  // Room for one state of the fold, to be filled by a request with ISOFOLD_STATE.
  virtual void* state() noexcept = 0;
  // Takes the state of block `index`, which is 2^level chunks long; the last may be shorter.
  virtual void push(int level, std::int64_t index) = 0;
  // Writes the result over `count` > 0 elements.
  virtual void finish(std::int64_t count, void* result) const = 0;
};

}  // namespace cli
