// The one source of chance: a seeded generator, so that a failure can be repeated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace isofold::simt {

// xorshift64* (Marsaglia 2003, Vigna 2016), because every switch draws a number.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 1) {
    if (state_ == 0) {
      state_ = 1;
    }
    for (int i = 0; i < 8; ++i) {
      next();
    }
  }
  std::uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1dU;
  }
  // 0 <= result < limit <= 2^32
  std::uint64_t below(std::uint64_t limit) { return (next() >> 32) * limit >> 32; }
  bool coin() { return next() >> 63 != 0; }

 private:
  std::uint64_t state_;
};

// Fills memory that nobody has written yet with one of several patterns, so that each is harmful
// sometimes: zeros (a counter's wish), ones (a NaN, the largest unsigned integer), large and small
// numbers.
inline void poison(unsigned char* memory, std::size_t bytes, Random& random) {
  constexpr unsigned char patterns[] = {0x00, 0xff, 0x7f, 0x80, 0xa5, 0x3f};
  std::memset(memory, patterns[random.below(sizeof patterns)], bytes);
}

}  // namespace isofold::simt
