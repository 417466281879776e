// An exact accumulator: the sum of any f64 values as one long fixed-point number, without rounding.
// The bounds of kind 3 are judged against it.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace isofold::conformance {

class ExactSum {
 public:
  // x is finite. Its 53-bit integer lands on two or three digits of 32 bits.
  void add(double x) {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);  // exact: x = fraction · 2^exponent
    const auto integer = static_cast<std::int64_t>(std::ldexp(fraction, 53));
    const int position = exponent - 53 + bias;
    const int shift = position % 32;
    auto digit = static_cast<std::size_t>(position / 32);
    const std::uint64_t low = static_cast<std::uint64_t>(integer < 0 ? -integer : integer);
    const std::uint64_t parts[3] = {(low << shift) & mask, ((low >> (32 - shift)) & mask),
                                    shift == 0 ? 0 : low >> (64 - shift)};
    for (std::uint64_t part : parts) {
      digits_[digit++] +=
          integer < 0 ? -static_cast<std::int64_t>(part) : static_cast<std::int64_t>(part);
    }
    if (++pending_ == (1 << 30)) {
      carry();
    }
  }

  // The sum, rounded a few times on the way: good to 2^-60 of itself.
  long double value() {
    carry();
    // A negative total has a negative top digit and non-negative ones below: make all of one sign.
    const bool negative = digits_.back() < 0;
    if (negative) {
      for (std::int64_t& digit : digits_) {
        digit = -digit;
      }
      carry();
    }
    long double total = 0;
    int used = 0;
    for (std::size_t i = digits_.size(); i-- > 0 && used < 5;) {
      if (digits_[i] != 0 || used > 0) {
        total += std::ldexp(static_cast<long double>(digits_[i]), 32 * static_cast<int>(i) - bias);
        ++used;
      }
    }
    if (negative) {
      for (std::int64_t& digit : digits_) {
        digit = -digit;
      }
      carry();
    }
    return negative ? -total : total;
  }

 private:
  static constexpr std::uint64_t mask = 0xffffffffU;
  static constexpr int bias = 1152;  // the least subnormal's 53-bit integer has a digit above 0

  void carry() {
    std::int64_t over = 0;
    for (std::size_t i = 0; i + 1 < digits_.size(); ++i) {
      const std::int64_t digit = digits_[i] + over;
      over = digit >> 32;  // towards minus infinity, so that what stays is 0 .. 2^32 - 1
      digits_[i] = digit - over * (std::int64_t{1} << 32);
    }
    digits_.back() += over;
    pending_ = 0;
  }

  std::array<std::int64_t, 72> digits_{};
  int pending_ = 0;
};

}  // namespace isofold::conformance
