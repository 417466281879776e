// The stacks that OpenMP gives its threads, which only its environment variables tell. Threads that
// are tried out need the same, for address space may be short.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>

namespace isofold::detail {

// The bytes that the text of OMP_STACKSIZE asks for: a number of KiB, or of the unit behind it (B,
// K, M, G, of either case), with blanks around both. 0 for a text that is none, which OpenMP
// ignores, and for nullptr.
inline std::size_t stack_bytes(const char* text) noexcept {
  const auto skip_blanks = [&text] {
    while (*text == ' ' || *text == '\t' || *text == '\n') {
      ++text;
    }
  };
  if (text == nullptr) {
    return 0;
  }
  skip_blanks();
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  std::size_t number = 0;
  bool has_digits = false;
  for (; *text >= '0' && *text <= '9'; ++text, has_digits = true) {
    const auto digit = static_cast<std::size_t>(*text - '0');
    if (number > (most - digit) / 10) {
      return 0;
    }
    number = 10 * number + digit;
  }
  skip_blanks();
  int shift = 10;
  switch (*text) {
    case 'b':
    case 'B': shift = 0; break;
    case 'm':
    case 'M': shift = 20; break;
    case 'g':
    case 'G': shift = 30; break;
    default: break;
  }
  const bool has_unit = shift != 10 || *text == 'k' || *text == 'K';
  text += has_unit ? 1 : 0;
  skip_blanks();
  return has_digits && *text == '\0' && number <= most >> shift ? number << shift : 0;
}

// The bytes of a stack of OpenMP's threads; 0: as many as other threads have.
inline std::size_t openmp_stack_bytes() noexcept {
  const std::size_t standard = stack_bytes(std::getenv("OMP_STACKSIZE"));
  return standard != 0 ? standard : stack_bytes(std::getenv("GOMP_STACKSIZE"));
}

}  // namespace isofold::detail
