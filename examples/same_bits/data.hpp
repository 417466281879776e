// The data that both programs sum: floats of both signs and some binades, the same on every
// machine.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace same_bits {

inline constexpr std::int64_t count = 4000037;

inline float element(std::int64_t i) {
  const std::uint32_t mixed = static_cast<std::uint32_t>(i) * 2654435761U;
  const float fraction = static_cast<float>(mixed >> 8) * 0x1p-24F - 0.25F;
  return fraction * static_cast<float>(1U << (mixed & 15U));
}

inline std::vector<float> elements(std::int64_t begin, std::int64_t end) {
  std::vector<float> x;
  for (std::int64_t i = begin; i < end; ++i) {
    x.push_back(element(i));
  }
  return x;
}

// One line of the table: who, on how many, and the bits of the sum.
inline void print(const std::string& who, const std::string& on, float sum) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &sum, sizeof bits);
  std::printf("| %s | %s | `%08x` |\n", who.c_str(), on.c_str(), static_cast<unsigned>(bits));
}

}  // namespace same_bits
