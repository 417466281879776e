// Masks as words of 64 entries, and the places of the entries that are set: what elements are
// picked by. Entries are taken eight at a time and without a branch, for a random mask would
// mispredict every other one (20 times as slow as a plain loop).
#pragma once

#include <cstdint>
#include <cstring>

namespace isofold_packed {

// Of each byte, how many bits are set, and which.
struct BitPlaces {
  unsigned char count[256];
  unsigned char place[256][8];
};
constexpr BitPlaces make_bit_places() {
  BitPlaces all{};
  for (int byte = 0; byte < 256; ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1) != 0) {
        all.place[byte][all.count[byte]++] = static_cast<unsigned char>(bit);
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

// Up to `most` entries.
template <int most>
class MaskWords {
 public:
  // Entries that are bytes, the first at `entries`, `stride` apart.
  void append_bytes(const unsigned char* entries, std::int64_t stride, std::int64_t count) {
    std::int64_t i = 0;
    for (; stride == 1 && i + 8 <= count; i += 8) {
      append(nonzero_of_eight(entries + i), 8);
    }
    for (; i < count; ++i) {
      append(entries[i * stride] != 0 ? 1 : 0, 1);
    }
  }
  // Entries that are bits, of which `first` is the number of the first.
  void append_bits(const unsigned char* bits, std::int64_t first, std::int64_t stride,
                   std::int64_t count) {
    std::int64_t i = 0;
    for (; stride == 1 && i + 8 <= count; i += 8) {
      const std::int64_t bit = first + i;
      std::uint64_t two = bits[bit / 8];
      if (bit % 8 != 0) {  // else the next byte may not be there
        two |= static_cast<std::uint64_t>(bits[bit / 8 + 1]) << 8;
      }
      append(two >> (bit % 8) & 0xffU, 8);
    }
    for (; i < count; ++i) {
      const std::int64_t bit = first + i * stride;
      append(bits[bit / 8] >> (bit % 8) & 1U, 1);
    }
  }

  // How many are set.
  std::int64_t count() const {
    std::int64_t count = 0;
    for (const std::uint64_t word : words_) {
      for (int byte = 0; byte < 64 && word >> byte != 0; byte += 8) {
        count += bit_places.count[word >> byte & 0xffU];
      }
    }
    return count;
  }
  // Their numbers, in order; returns how many there are.
  using Places = std::uint16_t[most + 8];
  int places(Places& place) const {
    static_assert(most <= 1 << 16, "Places have 16 bits.");
    int count = 0;
    for (int w = 0; w * 64 < size_; ++w) {
      for (int byte = 0; byte < 64 && words_[w] >> byte != 0; byte += 8) {
        const std::size_t eight = words_[w] >> byte & 0xffU;
        for (int k = 0; k < 8; ++k) {  // all eight: those behind the count are overwritten
          place[count + k] = static_cast<std::uint16_t>(64 * w + byte + bit_places.place[eight][k]);
        }
        count += bit_places.count[eight];
      }
    }
    return count;
  }

 private:
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
