// Bits as text.
#include "judge.hpp"

#include <cinttypes>
#include <cstdio>

namespace isofold::conformance {

std::string hexadecimal(std::uint64_t bits, std::size_t bytes) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*" PRIx64, static_cast<int>(2 * bytes), bits);
  return text;
}

}  // namespace isofold::conformance
