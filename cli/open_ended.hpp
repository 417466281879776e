// The tree over a stream whose length shows only at its end. A Forest needs its count when it is
// made; a walk from left to right needs it only to finish, so blocks of whole, aligned subtrees can
// be folded as they come. docs/tree.md, "Cut anywhere".
#pragma once

#include <cstdint>
#include <memory>

#include <isofold/fold.hpp>

namespace cli {

class OpenEnded {
 public:
  static std::unique_ptr<OpenEnded> of(isofold::Fold fold, isofold::Type type);
  virtual ~OpenEnded() = default;

  // Room for one state of the fold, to be filled by a request with ISOFOLD_STATE.
  virtual void* state() noexcept = 0;
  // Takes the state of block `index`, which is 2^level chunks long; the last may be shorter.
  virtual void push(int level, std::int64_t index) = 0;
  // Writes the result over `count` > 0 elements.
  virtual void finish(std::int64_t count, void* result) const = 0;
};

}  // namespace cli
