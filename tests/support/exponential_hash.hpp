// The comparison of exp and log between machines: the inputs, and a hash of all results that
// depends on no order. It is host and device code, so that a CPU and a GPU compute the same number.
#pragma once

#include <isofold/detail/core/exponential.hpp>

namespace exponential_hash {

using isofold::core::bit_cast;
using isofold::core::bits_t;

enum class Function { exp, log };

// The mixing function of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable
// pseudorandom number generators, OOPSLA 2014).
ISOFOLD_HOST_DEVICE inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

// The share of one result in the hash, modulo 2^64. NaNs count as the canonical one.
template <class T>
ISOFOLD_HOST_DEVICE inline std::uint64_t share(bits_t<T> input, T result) {
  const auto bits = bit_cast<bits_t<T>>(isofold::core::canonical(result));
  if constexpr (sizeof(T) == 4) {
    return mix(std::uint64_t{input} | std::uint64_t{bits} << 32);
  } else {
    return mix(mix(input) + bits);
  }
}

// The number of inputs: every float, and doubles of four kinds, random and hard ones, a quarter
// each.
inline constexpr std::uint64_t inputs_f32 = std::uint64_t{1} << 32;
inline constexpr std::uint64_t inputs_f64 = std::uint64_t{1} << 30;

ISOFOLD_HOST_DEVICE inline std::uint64_t exp_input_bits(std::uint64_t i) {
  const std::uint64_t random = mix(i);
  const std::uint64_t other = mix(random);
  const double unit = static_cast<double>(random >> 11) * 0x1p-53;
  switch (i % 4) {
    case 0:  // any double
      return random;
    case 1:  // every result
      return bit_cast<std::uint64_t>(-746.0 + 1456.0 * unit);
    case 2: {  // next to a multiple of ln(2)/2: the ends and the middle of the reduced range
      const double multiple = static_cast<double>(random % 4250) - 2200.0;
      const double near = multiple * 0.34657359027997265;
      return bit_cast<std::uint64_t>(near) + other % 65 - 32;
    }
    default:  // exponents -60 to 9
      return (random & 0x800fffffffffffffU) | (1023 - 60 + other % 70) << 52;
  }
}

ISOFOLD_HOST_DEVICE inline std::uint64_t log_input_bits(std::uint64_t i) {
  const std::uint64_t random = mix(i);
  const std::uint64_t other = mix(random);
  switch (i % 4) {
    case 0:  // any double, few of them negative
      return other % 16 == 0 ? random : random & 0x7fffffffffffffffU;
    case 1: {  // 1 - 2^-e to 1 + 2^-e
      const double unit = static_cast<double>(random >> 11) * 0x1p-53;
      const double scale = bit_cast<double>((1023 - other % 53) << 52);
      return bit_cast<std::uint64_t>(random % 2 == 0 ? 1.0 + unit * scale : 1.0 - unit * scale);
    }
    case 2:  // next to a power of two times sqrt(2): the ends of the reduced range
      return 0x3fe6a09e667f3bcdU - (std::uint64_t{1000} << 52) + (random % 2000 << 52) +
             other % 65 - 32;
    default:  // subnormal, of every length
      return (random >> 12) >> (other % 52);
  }
}

// The i-th input: of f32 the i-th pattern of bits.
template <class T>
ISOFOLD_HOST_DEVICE inline T input(Function function, std::uint64_t i) {
  if constexpr (sizeof(T) == 4) {
    return bit_cast<T>(static_cast<std::uint32_t>(i));
  } else {
    return bit_cast<T>(function == Function::exp ? exp_input_bits(i) : log_input_bits(i));
  }
}

// The hashes of all inputs, as computed on x86-64 CPUs: what every machine must find.
template <class T>
constexpr std::uint64_t expected(Function function) {
  if (sizeof(T) == 4) {
    return function == Function::exp ? 0xce32a6a1ea426fc5U : 0x1c95bc2cc379f040U;
  }
  return function == Function::exp ? 0x4fe46b882df20e33U : 0x85a5bf04dc1f7494U;
}

}  // namespace exponential_hash
