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

std::string text_of_result(std::int32_t fold, std::int32_t type, const void* result,
                           std::size_t bytes) {
  const auto* memory = static_cast<const unsigned char*>(result);
  isofold_component components[4];
  const std::int32_t count = isofold_result_components(fold, type, components, 4);
  std::array<unsigned char, 64> padding{};  // what no component covers
  std::memcpy(padding.data(), memory, bytes < 64 ? bytes : 64);
  std::string text;
  std::size_t end = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(components[i].offset);
    const auto size = static_cast<std::size_t>(isofold_type_bytes(components[i].type));
    end = at + size;
    if (end > bytes) {
      break;
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, memory + at, size);
    std::memset(padding.data() + at, 0, size);
    const std::string name = components[i].name;
    text += (i == 0 ? "" : ", ") + name + (name.empty() ? "" : " ") + hexadecimal(bits, size);
  }
  const bool is_whole = static_cast<std::int64_t>(bytes) == isofold_result_bytes(fold, type);
  if (is_whole && end <= bytes && padding == std::array<unsigned char, 64>{}) {
    return text;
  }
  text = is_whole ? text + " and padding that is not zero, bytes" : "bytes";
  for (std::size_t i = 0; i < bytes; ++i) {
    text += " " + hexadecimal(memory[i], 1).substr(2);
  }
  return text;
}

}  // namespace isofold::conformance
