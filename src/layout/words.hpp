// Elements as words of their size, and stretches of them copied one after the other.
#pragma once

#include <cstdint>
#include <cstring>

#include <isofold/detail/core/complex.hpp>

namespace isofold {

// Calls visit(static_cast<Word*>(nullptr)) with a type of so many bytes, of that alignment: complex
// elements are aligned as their parts are.
template <class Visit>
void with_word(std::int64_t bytes, std::int64_t alignment, Visit&& visit) {
  switch (bytes) {
    case 1: return visit(static_cast<std::uint8_t*>(nullptr));
    case 2: return visit(static_cast<std::uint16_t*>(nullptr));
    case 4: return visit(static_cast<std::uint32_t*>(nullptr));
    case 16: return visit(static_cast<core::Complex<std::uint64_t>*>(nullptr));
    default:
      return alignment == 4 ? visit(static_cast<core::Complex<std::uint32_t>*>(nullptr))
                            : visit(static_cast<std::uint64_t*>(nullptr));
  }
}

template <class Word>
Word* copy_run(const Word* from, std::int64_t stride, std::int64_t count, Word* to) {
  if (stride == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(Word));
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      to[i] = from[i * stride];
    }
  }
  return to + count;
}

}  // namespace isofold
