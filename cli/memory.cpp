// Room by malloc's family, which grows in place where it can.
#include "memory.hpp"

#include <cstdlib>
#include <string>

#include "failure.hpp"

namespace cli {

void HostMemory::Free::operator()(void* memory) const noexcept { std::free(memory); }

void* HostMemory::at_least(std::size_t bytes) {
  if (bytes > bytes_) {
    memory_.reset();
    bytes_ = 0;
    grow(bytes);
  }
  return memory_.get();
}

void* HostMemory::grow(std::size_t bytes) {
  void* grown = std::realloc(memory_.get(), bytes);
  if (grown == nullptr) {
    throw Failure(Exit::failed,
                  "There is no memory for " + std::to_string(bytes) +
                      " bytes; where the input is read in blocks, a smaller --block-bytes "
                      "needs less.");
  }
  static_cast<void>(memory_.release());
  memory_.reset(grown);
  bytes_ = bytes;
  return grown;
}

}  // namespace cli
