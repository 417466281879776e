// Host memory that the commands read elements into.
#pragma once

#include <cstddef>
#include <memory>

namespace cli {

// Host memory for elements, aligned for any of them and not written before it is used.
class HostMemory {
 public:
  void* at_least(std::size_t bytes);
  // Grows the room and keeps its content.
  void* grow(std::size_t bytes);

 private:
  struct Free {
    void operator()(void* memory) const noexcept;
  };
  std::unique_ptr<void, Free> memory_;
  std::size_t bytes_ = 0;
};

}  // namespace cli
