// Ranks: what the members of a Team tell each other, whatever carries it: integers in host memory.
#pragma once

#include <cstdint>

namespace isofold::team::detail {

enum class Combine { sum, maximum };

class Ranks {
 public:
  Ranks() = default;
  Ranks(const Ranks&) = default;
  Ranks& operator=(const Ranks&) = default;
  virtual ~Ranks() = default;

  [[nodiscard]] virtual int size() const noexcept = 0;
  // Collective: joins `count` integers of all ranks, one by one and in place. A process with
  // several ranks gives the integers of all of its own together.
  virtual void all_reduce(std::int64_t* words, std::int64_t count, Combine by) const = 0;
};

}  // namespace isofold::team::detail
