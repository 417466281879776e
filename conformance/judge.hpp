// Judge: counts what was compared, keeps the first failure as a sentence, and never stops early.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "conformance.hpp"
#include <isofold/detail/core/complex.hpp>

namespace isofold::conformance {

// A value's bits: of numbers in the low bytes, of structs byte by byte. Padding counts, for
// docs/folds.md says that it is zero.
template <class T>
auto bits_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>, "Results travel as bytes.");
  if constexpr (std::is_arithmetic_v<T>) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  } else {
    std::array<unsigned char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  }
}

// A value whose zeros, or whose parts' zeros, are +0.
template <class R>
R without_signs_of_zeros(R value) {
  if constexpr (core::is_complex<R>) {
    return {without_signs_of_zeros(value.re), without_signs_of_zeros(value.im)};
  } else if constexpr (std::is_floating_point_v<R>) {
    return value == 0 ? R{0} : value;
  } else {
    return value;
  }
}

std::string hexadecimal(std::uint64_t bits, std::size_t bytes);

// A result's bits, component by component: "value 0x3f800000, index 0x0000000000000005". All its
// bytes where the library has no such case.
std::string text_of_result(std::int32_t fold, std::int32_t type, const void* result,
                           std::size_t bytes);

class Judge {
 public:
  // Fold and type name the components of what is compared.
  explicit Judge(CellResult& cell, std::int32_t fold = 0, std::int32_t type = 0)
      : cell_(cell), fold_(fold), type_(type) {}

  void count_case() { ++cell_.cases; }
  void count_refused() { ++cell_.refused; }

  // The two results have the same bits. `describe` makes the sentence's beginning, on failure only.
  template <class R, class Describe>
  void same_bits(R expected, R found, Describe&& describe) {
    ++cell_.comparisons;
    if (conformance::bits_of(expected) != conformance::bits_of(found)) {  // core has one, too
      fail_with(&expected, &found, sizeof(R), describe());
    }
  }
  // Compares results that are known as bytes only.
  template <class Describe>
  void same_bytes(const void* expected, const void* found, std::size_t bytes, Describe&& describe) {
    ++cell_.comparisons;
    if (std::memcmp(expected, found, bytes) != 0) {
      fail_with(expected, found, bytes, describe());
    }
  }
  // Compares values, but zeros may differ in their sign: that is what `within_bound` promises for
  // an exact sum.
  template <class R, class Describe>
  void same_value(R expected, R found, Describe&& describe) {
    same_bits(without_signs_of_zeros(expected), without_signs_of_zeros(found), describe);
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
  // Adds what another judge counted; `how` ends the sentence of a failure.
  void take(const CellResult& other, const std::string& how) {
    cell_.cases += other.cases;
    cell_.comparisons += other.comparisons;
    cell_.refused += other.refused + (other.skipped.empty() ? 0 : 1);
    if (cell_.failures == 0 && other.failures != 0) {
      cell_.first_failure = other.first_failure + how;
    }
    cell_.failures += other.failures;
  }

 private:
  void fail_with(const void* expected, const void* found, std::size_t bytes,
                 const std::string& what) {
    fail(what + ": expected " + text_of_result(fold_, type_, expected, bytes) + ", found " +
         text_of_result(fold_, type_, found, bytes));
  }

  CellResult& cell_;
  std::int32_t fold_;
  std::int32_t type_;
};

}  // namespace isofold::conformance
