// Packs the elements that a mask selects, which lie a stride apart, one after the other: by the
// table of the places of eight entries, or, for neighbours, by one instruction of AVX-512 for a
// vector of them.
#pragma once

#include <layout/mask_words.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace isofold_packed {

// This tells whether prefetching pays for elements that are copied later: it does on Intel's
// processors, and costs on AMD's (docs/decisions/039).
inline bool asking_pays() {
#if defined(__x86_64__)
  return __builtin_cpu_is("intel") != 0;
#else
  return false;
#endif
}

#if defined(__x86_64__)
// This tells whether this machine has the instructions of the two functions below.
inline bool packs_vectors() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("popcnt") != 0;
}

// Only selected elements are written, and if not all elements of a vector are there, only they are
// read. (If they are all there, the load has no mask, because a Zen 5 prefetches nothing for masked
// loads: docs/decisions/039.) No branch asks whether any element is selected: in runs of 64 it
// would mispredict every other time.
template <bool all_there>
__attribute__((target("avx512f,popcnt"))) inline std::uint32_t* pack_vector(
    std::uint64_t taken, const std::uint32_t* from, std::uint32_t* to) {
  const auto mask = static_cast<__mmask16>(taken);
  const int count = __builtin_popcount(mask);
  const __m512i vector =
      all_there ? _mm512_loadu_si512(from) : _mm512_maskz_loadu_epi32(mask, from);
  _mm512_mask_storeu_epi32(to, static_cast<__mmask16>((1U << count) - 1U),
                           _mm512_maskz_compress_epi32(mask, vector));
  return to + count;
}
template <bool all_there>
__attribute__((target("avx512f,popcnt"))) inline std::uint64_t* pack_vector(
    std::uint64_t taken, const std::uint64_t* from, std::uint64_t* to) {
  const auto mask = static_cast<__mmask8>(taken);
  const int count = __builtin_popcount(mask);
  const __m512i vector =
      all_there ? _mm512_loadu_si512(from) : _mm512_maskz_loadu_epi64(mask, from);
  _mm512_mask_storeu_epi64(to, static_cast<__mmask8>((1U << count) - 1U),
                           _mm512_maskz_compress_epi64(mask, vector));
  return to + count;
}
template <bool asks, class Word, int most>
__attribute__((target("avx512f,popcnt"))) Word* pack_vectors(const MaskWords<most>& mask, int first,
                                                             std::int64_t count, const Word* from,
                                                             Word* to) {
  constexpr int width = 64 / static_cast<int>(sizeof(Word));
  constexpr int ahead = 4096 / static_cast<int>(sizeof(Word));
  std::int64_t i = 0;
  for (; i + 64 <= count; i += 64) {
    const std::uint64_t taken = mask.entries(first + static_cast<int>(i), 64);
    for (int v = 0; v < 64; v += width) {
      if constexpr (asks) {
        __builtin_prefetch(from + i + v + ahead);
      }
      to = pack_vector<true>(taken >> v, from + i + v, to);
    }
  }
  if (i < count) {
    const std::uint64_t taken = mask.entries(first + static_cast<int>(i), count - i);
    for (int v = 0; v < 64; v += width) {
      to = pack_vector<false>(taken >> v, from + i + v, to);
    }
  }
  return to;
}
#endif

// The entries [first, first + count) of the mask are those of the elements at from, from + stride,
// ….
template <class Word, int most>
Word* pack_taken(const MaskWords<most>& mask, int first, std::int64_t count, const Word* from,
                 std::int64_t stride, Word* to) {
#if defined(__x86_64__)
  if constexpr (std::is_integral_v<Word> && sizeof(Word) >= 4) {
    if (stride == 1 && packs_vectors()) {
      return asking_pays() ? pack_vectors<true>(mask, first, count, from, to)
                           : pack_vectors<false>(mask, first, count, from, to);
    }
  }
#endif
  for (std::int64_t i = 0; i < count; i += 64) {
    Places place;
    const int taken = places_of(mask.entries(first + static_cast<int>(i), count - i), place);
    for (int t = 0; t < taken; ++t) {
      *to++ = from[(i + place[t]) * stride];
    }
  }
  return to;
}

}  // namespace isofold_packed
