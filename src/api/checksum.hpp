// The checksum of serialised partial results.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isofold {

inline std::uint64_t checksum(const unsigned char* bytes, std::size_t size) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a, 64 bits
  for (std::size_t i = 0; i < size; ++i) {
    hash = (hash ^ bytes[i]) * 0x100000001b3U;
  }
  return hash;
}

}  // namespace isofold
