// Keys: elements and results as 64-bit integers in their order, of which the largest is the
// extremum of docs/folds.md: -0 before +0, and any NaN before every number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <isofold/detail/core/host_device.hpp>
#include <isofold/isofold.h>

namespace isofold::core::partial {

enum class Toward { lowest, highest };

// The key of a NaN, and of no element: a location of that key is none.
inline constexpr std::int64_t most_key = 0x7fffffffffffffff;
inline constexpr std::int64_t least_key = -most_key - 1;

// How numbers of a type lie in memory.
struct NumberFormat {
  int bytes = 0;
  bool is_floating = false;
  bool is_signed = false;
  int fraction_bits = 0;  // of floating point
};

[[nodiscard]] ISOFOLD_HOST_DEVICE inline NumberFormat format_of(std::int32_t type) {
  switch (type) {
    case ISOFOLD_TYPE_f64: return {8, true, true, 52};
    case ISOFOLD_TYPE_f32: return {4, true, true, 23};
    case ISOFOLD_TYPE_f16: return {2, true, true, 10};
    case ISOFOLD_TYPE_bf16: return {2, true, true, 7};
    case ISOFOLD_TYPE_i64: return {8, false, true, 0};
    case ISOFOLD_TYPE_i32: return {4, false, true, 0};
    case ISOFOLD_TYPE_i16: return {2, false, true, 0};
    case ISOFOLD_TYPE_i8: return {1, false, true, 0};
    case ISOFOLD_TYPE_u64: return {8, false, false, 0};
    case ISOFOLD_TYPE_u32: return {4, false, false, 0};
    case ISOFOLD_TYPE_u16: return {2, false, false, 0};
    case ISOFOLD_TYPE_u8: return {1, false, false, 0};
    default: return {};
  }
}

// The bits of a number, in the lowest ones of 64. This header is for little-endian machines, as the
// bytes of a Forest are.
[[nodiscard]] ISOFOLD_HOST_DEVICE inline std::uint64_t read_bits(const void* memory, int bytes) {
  std::uint64_t bits = 0;
  memcpy(&bits, memory, static_cast<std::size_t>(bytes));
  return bits;
}

ISOFOLD_HOST_DEVICE inline void write_bits(void* memory, std::uint64_t bits, int bytes) {
  memcpy(memory, &bits, static_cast<std::size_t>(bytes));
}

[[nodiscard]] ISOFOLD_HOST_DEVICE inline std::int64_t as_signed(std::uint64_t bits) {
  std::int64_t value = 0;
  memcpy(&value, &bits, sizeof value);
  return value;
}
[[nodiscard]] ISOFOLD_HOST_DEVICE inline std::uint64_t as_unsigned(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

// An integer in the order of the numbers: NaNs apart, whose order is that of their bits.
[[nodiscard]] ISOFOLD_HOST_DEVICE inline std::int64_t ordered(std::uint64_t bits,
                                                              const NumberFormat& format) {
  const int unused = 64 - 8 * format.bytes;
  if (!format.is_signed) {
    return format.bytes == 8 ? as_signed(bits ^ (std::uint64_t{1} << 63)) : as_signed(bits);
  }
  const std::int64_t extended = as_signed(bits << unused) / (std::int64_t{1} << unused);
  return format.is_floating && extended < 0
             ? extended ^ as_signed((~std::uint64_t{0} >> 1) >> unused)
             : extended;
}
[[nodiscard]] ISOFOLD_HOST_DEVICE inline std::uint64_t unordered(std::int64_t order,
                                                                 const NumberFormat& format) {
  const int unused = 64 - 8 * format.bytes;
  const std::uint64_t all = ~std::uint64_t{0} >> unused;
  if (!format.is_signed) {
    return format.bytes == 8 ? as_unsigned(order) ^ (std::uint64_t{1} << 63) : as_unsigned(order);
  }
  return as_unsigned(format.is_floating && order < 0 ? order ^ as_signed(all >> 1) : order) & all;
}
[[nodiscard]] ISOFOLD_HOST_DEVICE inline bool is_nan(std::uint64_t bits,
                                                     const NumberFormat& format) {
  if (!format.is_floating) {
    return false;
  }
  const std::uint64_t magnitude = bits & ((~std::uint64_t{0} >> (64 - 8 * format.bytes)) >> 1);
  const std::uint64_t infinity = (magnitude >> format.fraction_bits) << format.fraction_bits;
  const bool has_highest_exponent =
      infinity >> format.fraction_bits ==
      ((std::uint64_t{1} << (8 * format.bytes - 1 - format.fraction_bits)) - 1);
  return has_highest_exponent && magnitude != infinity;
}

// The key: the larger one wins, whichever way the fold looks.
[[nodiscard]] ISOFOLD_HOST_DEVICE inline std::int64_t key_of(std::uint64_t bits,
                                                             const NumberFormat& format,
                                                             Toward toward) {
  if (is_nan(bits, format)) {
    return most_key;
  }
  const std::int64_t order = ordered(bits, format);
  return toward == Toward::highest ? order : ~order;
}
// The number of a key, a NaN being the canonical one.
[[nodiscard]] ISOFOLD_HOST_DEVICE inline std::uint64_t bits_of_key(std::int64_t key,
                                                                   const NumberFormat& format,
                                                                   Toward toward) {
  if (format.is_floating && key == most_key) {
    const int sign = 8 * format.bytes - 1;
    const std::uint64_t below_sign = (std::uint64_t{1} << sign) - 1;
    return below_sign ^ ((std::uint64_t{1} << (format.fraction_bits - 1)) - 1);
  }
  return unordered(toward == Toward::highest ? key : ~key, format);
}
// The number that loses against all: what an extremum of nothing is.
[[nodiscard]] ISOFOLD_HOST_DEVICE inline std::uint64_t bits_of_nothing(const NumberFormat& format,
                                                                       Toward toward) {
  const int sign = 8 * format.bytes - 1;
  const std::uint64_t below_sign = (std::uint64_t{1} << sign) - 1;
  if (format.is_floating) {
    const std::uint64_t infinity = below_sign ^ ((std::uint64_t{1} << format.fraction_bits) - 1);
    return toward == Toward::lowest ? infinity : infinity | (std::uint64_t{1} << sign);
  }
  if (format.is_signed) {
    return toward == Toward::lowest ? below_sign : std::uint64_t{1} << sign;
  }
  return toward == Toward::lowest ? below_sign | (std::uint64_t{1} << sign) : 0;
}

}  // namespace isofold::core::partial
