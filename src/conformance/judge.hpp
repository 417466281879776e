// Judge: counts what was compared, keeps the first failure as a sentence, and never stops early.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "conformance.hpp"

namespace isofold::conformance {

// A value's bits, in the low bytes.
template <class T>
std::uint64_t bits_of(T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "Results are numbers of 4 or 8 bytes.");
  if constexpr (sizeof(T) == 4) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  } else {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
}

std::string hexadecimal(std::uint64_t bits, std::size_t bytes);

class Judge {
 public:
  explicit Judge(CellResult& cell) : cell_(cell) {}

  void count_case() { ++cell_.cases; }
  void count_refused() { ++cell_.refused; }

  // The two results have the same bits. `describe` makes the sentence's beginning, on failure only.
  template <class R, class Describe>
  void same_bits(R expected, R found, Describe&& describe) {
    ++cell_.comparisons;
    if (bits_of(expected) != bits_of(found)) {
      fail(describe() + ": expected " + hexadecimal(bits_of(expected), sizeof(R)) + ", found " +
           hexadecimal(bits_of(found), sizeof(R)));
    }
  }
  // The same, but zeros may differ in their sign: what `within_bound` promises of an exact sum.
  template <class R, class Describe>
  void same_value(R expected, R found, Describe&& describe) {
    if constexpr (std::is_floating_point_v<R>) {
      if (expected == 0 && found == 0) {
        ++cell_.comparisons;
        return;
      }
    }
    same_bits(expected, found, describe);
  }
  template <class Describe>
  void holds(bool condition, Describe&& describe) {
    ++cell_.comparisons;
    if (!condition) {
      fail(describe());
    }
  }
  void error_over_bound(double ratio) {
    if (ratio > cell_.worst_error_over_bound) {
      cell_.worst_error_over_bound = ratio;
    }
  }
  void fail(const std::string& sentence) {
    if (++cell_.failures == 1) {
      cell_.first_failure = sentence;
    }
  }
  void skip(const std::string& why) { cell_.skipped = why; }

 private:
  CellResult& cell_;
};

}  // namespace isofold::conformance
