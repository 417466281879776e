// Masks as words of 64 entries, and the places of the entries that are set, by which elements are
// selected. Entries are taken eight at a time and without a branch, for a random mask would
// mispredict every other one.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace isofold_packed {

// Eight numbers of 16 bits: GNU vectors, for one addition and one store.
using EightPlaces __attribute__((vector_size(16))) = std::uint16_t;

// The number of bits that are set in each byte, and which they are.
struct BitPlaces {
  alignas(16) std::uint16_t place[256][8];
  unsigned char count[256];
};
constexpr BitPlaces make_bit_places() {
  BitPlaces all{};
  for (int byte = 0; byte < 256; ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1) != 0) {
        all.place[byte][all.count[byte]++] = static_cast<std::uint16_t>(bit);
      }
    }
  }
  return all;
}
inline constexpr BitPlaces bit_places = make_bit_places();

// Bit k: whether bytes[k] is not 0.
inline std::uint64_t nonzero_of_eight(const unsigned char* bytes) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "The first byte is the lowest.");
  constexpr std::uint64_t low_bits = 0x7f7f7f7f7f7f7f7f;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  const std::uint64_t high_bits = (((word & low_bits) + low_bits) | word) & ~low_bits;
  // Byte k, 0 or 1, times 2^(56 - 7k) is bit 56 + k; no two products share a bit.
  return (high_bits >> 7) * 0x0102040810204080U >> 56;
}

// Bit k: whether bytes[k] is not 0, for 64 bytes.
inline std::uint64_t nonzero_of_64(const unsigned char* bytes) {
  std::uint64_t word = 0;
#if defined(__SSE2__)
  for (int k = 0; k < 64; k += 16) {
    const __m128i sixteen = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + k));
    const int zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(sixteen, _mm_setzero_si128()));
    word |= std::uint64_t{static_cast<unsigned>(zeros) ^ 0xffffU} << k;
  }
#else
  for (int k = 0; k < 64; k += 8) {
    word |= nonzero_of_eight(bytes + k) << k;
  }
#endif
  return word;
}

// Makes such words of `words` times 64 bytes, by vectors of 32 bytes on a machine with AVX2.
inline void nonzero_of_bytes(const unsigned char* bytes, std::int64_t words, std::uint64_t* to) {
  for (std::int64_t w = 0; w < words; ++w) {
    to[w] = nonzero_of_64(bytes + 64 * w);
  }
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) inline void nonzero_by_avx2(const unsigned char* bytes,
                                                            std::int64_t words, std::uint64_t* to) {
  const __m256i zero = _mm256_setzero_si256();
  for (std::int64_t w = 0; w < words; ++w) {
    const auto* const half = reinterpret_cast<const __m256i*>(bytes + 64 * w);
    const __m256i low = _mm256_cmpeq_epi8(_mm256_loadu_si256(half), zero);
    const __m256i high = _mm256_cmpeq_epi8(_mm256_loadu_si256(half + 1), zero);
    const auto zeros_low = static_cast<std::uint32_t>(_mm256_movemask_epi8(low));
    const auto zeros_high = static_cast<std::uint32_t>(_mm256_movemask_epi8(high));
    to[w] = ~(std::uint64_t{zeros_high} << 32 | zeros_low);
  }
}
#endif

// The number of bits that are set, counted in steps of pairs, fours, bytes and all.
inline int ones_in(std::uint64_t word) {
  word -= word >> 1 & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + (word >> 2 & 0x3333333333333333U);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<int>(word * 0x0101010101010101U >> 56);
}

// The places of the entries of a word that are set, in order; returns how many there are.
using Places = std::uint16_t[64 + 8];
inline int places_of(std::uint64_t word, Places& place) {
  int count = 0;
  for (unsigned byte = 0; byte < 64 && word >> byte != 0; byte += 8) {
    const std::size_t eight = word >> byte & 0xffU;
    EightPlaces eight_places;
    std::memcpy(&eight_places, bit_places.place[eight], sizeof eight_places);
    eight_places += static_cast<std::uint16_t>(byte);
    // All eight are written: those behind the count are overwritten.
    std::memcpy(place + count, &eight_places, sizeof eight_places);
    count += bit_places.count[eight];
  }
  return count;
}

// A word without the first `count` of the bits that are set in it; `count` is lowered by their
// number.
inline std::uint64_t without_first(std::uint64_t word, std::int64_t* count) {
  const int ones = ones_in(word);
  if (*count >= ones) {
    *count -= ones;
    return 0;
  }
  for (; *count > 0; --*count) {
    word &= word - 1;
  }
  return word;
}

// A mask's words of up to `most` entries.
template <int most>
class MaskWords {
 public:
  // Appends entries that are bytes, the first at `entries`, `stride` apart.
  void append_bytes(const unsigned char* entries, std::int64_t stride, std::int64_t count) {
    if (stride == 0) {
      const std::uint64_t all = *entries != 0 ? ~std::uint64_t{0} : 0;
      return append_each(1, count, [&](std::int64_t, int eights) {
        return all >> (64 - (eights > 0 ? 8 * eights : 1));
      });
    }
    if (stride == 1 && size_ % 64 == 0) {
      const std::int64_t words = count / 64;
      append_words(entries, words);
      entries += 64 * words;
      count -= 64 * words;
    }
    append_each(stride, count, [&](std::int64_t i, int eights) {
      // Whole words have gone before.
      return eights == 1 ? nonzero_of_eight(entries + i) : std::uint64_t{entries[i * stride] != 0};
    });
  }
  // Appends entries that are bits; `first` is the number of the first one.
  void append_bits(const unsigned char* bits, std::int64_t first, std::int64_t stride,
                   std::int64_t count) {
    append_each(stride, count, [&](std::int64_t i, int eights) {
      const std::int64_t bit = first + i * stride;
      const unsigned char* const byte = bits + bit / 8;
      const int shift = static_cast<int>(bit % 8);
      // The byte after them is read only if it is needed: else it may not be there.
      std::uint64_t word = 0;
      std::memcpy(&word, byte, static_cast<std::size_t>(eights > 0 ? eights : 1));
      word >>= shift;
      if (shift != 0 && eights > 0) {
        word |= std::uint64_t{byte[eights]} << (8 * eights - shift);
      }
      return eights == 8 ? word : word & (eights == 1 ? 0xffU : 1U);
    });
  }

  // The number of entries that are set.
  std::int64_t count() const {
    std::int64_t count = 0;
    for (int w = 0; w * 64 < size_; ++w) {
      count += ones_in(words_[w]);
    }
    return count;
  }
  // The number that are set of the 64 entries from `first` on, a multiple of 64.
  int ones(int first) const { return ones_in(words_[first / 64]); }
  // Forgets the first `skip` of the entries that are set, and those behind the next `left`.
  void keep(std::int64_t skip, std::int64_t left) {
    for (int w = 0; w * 64 < size_; ++w) {
      const std::uint64_t from = without_first(words_[w], &skip);
      words_[w] = from ^ without_first(from, &left);
    }
  }
  // The entries from `first` on, 64 of them or the last `count`; none behind those.
  std::uint64_t entries(int first, std::int64_t count) const {
    const int bit = first % 64;
    const std::uint64_t behind = words_[first / 64 + 1] << 1;
    const std::uint64_t word = words_[first / 64] >> bit | behind << (63 - bit);
    return count < 64 ? word & ((std::uint64_t{1} << count) - 1) : word;
  }

 private:
  void append_words(const unsigned char* entries, std::int64_t words) {
    std::uint64_t* const to = words_ + size_ / 64;
    size_ += static_cast<int>(64 * words);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") != 0) {
      return nonzero_by_avx2(entries, words, to);
    }
#endif
    nonzero_of_bytes(entries, words, to);
  }
  // Appends entries by word_at(i, eights): 8 * eights of them from entry i on, or that one. Whole
  // words are stored where they fit, so that no addition to a word in memory holds them up.
  template <class WordAt>
  void append_each(std::int64_t stride, std::int64_t count, WordAt&& word_at) {
    std::int64_t i = 0;
    for (; stride == 1 && size_ % 64 == 0 && i + 64 <= count; i += 64, size_ += 64) {
      words_[size_ / 64] = word_at(i, 8);
    }
    for (; stride == 1 && i + 8 <= count; i += 8) {
      append(word_at(i, 1), 8);
    }
    for (; i < count; ++i) {
      append(word_at(i, 0), 1);
    }
  }
  void append(std::uint64_t entries, int count) {
    const int bit = size_ % 64;
    words_[size_ / 64] |= entries << bit;
    words_[size_ / 64 + 1] |= entries >> 1 >> (63 - bit);
    size_ += count;
  }

  std::uint64_t words_[most / 64 + 2]{};  // one more than full ones, which append() touches
  int size_ = 0;
};

}  // namespace isofold_packed
