// Vector instructions of integers and bits. AMD's public guides to the instruction sets of "Vega",
// MI200, MI300, RDNA 2 and RDNA 3 define them.
#include <algorithm>

#include <simulator/amd/lanes.hpp>

namespace isofold::amd {

namespace {

// A 64-bit product's upper half.
u32 high_half(u64 product) { return static_cast<u32>(product >> 32); }

u32 low_24(u32 x) { return x & 0xffffffu; }
i32 signed_24(i32 x) { return static_cast<i32>(static_cast<u32>(x) << 8) >> 8; }

u32 low_bits(u32 count) { return (1u << (count & 31)) - 1; }

Flagged<u32> sum(u32 a, u32 b, u32 carry) {
  const u64 wide = u64{a} + b + carry;
  return {static_cast<u32>(wide), static_cast<u8>(wide >> 32)};
}
Flagged<u32> difference(u32 a, u32 b, u32 borrow) {
  const u64 wide = u64{a} - b - borrow;
  return {static_cast<u32>(wide), static_cast<u8>(wide >> 63)};
}
Flagged<u64> sum(u64 a, u64 b) { return {a + b, static_cast<u8>(a + b < a)}; }
Flagged<u64> signed_sum(i64 product, i64 addend) {
  i64 result = 0;
  const bool overflow = __builtin_add_overflow(product, addend, &result);
  return {static_cast<u64>(result), static_cast<u8>(overflow)};
}

u32 reversed(u32 x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}

u32 field(u32 x, u32 offset, u32 width) { return x >> (offset & 31) & low_bits(width); }
i32 signed_field(i32 x, u32 offset, u32 width) {
  width &= 31;
  if (width == 0) {
    return 0;
  }
  offset &= 31;
  if (offset + width >= 32) {
    return x >> offset;
  }
  return static_cast<i32>(static_cast<u32>(x) << (32 - offset - width)) >>
         static_cast<i32>(32 - width);
}

// A byte of eight, by selectors 0 to 7 (of b, then a), 8 to 11 (signs of halves), 12 (zero), beyond
// (ones).
u32 permuted(u32 a, u32 b, u32 selectors) {
  const u64 bytes = u64{a} << 32 | b;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 selector = selectors >> i * 8 & 0xff;
    const u32 sign = static_cast<u32>(bytes >> (((selector & 3) * 2 + 1) * 8 + 7) & 1);
    const u32 byte = selector < 8     ? static_cast<u32>(bytes >> (selector & 7) * 8 & 0xff)
                     : selector < 12  ? sign * 0xff
                     : selector == 12 ? 0
                                      : 0xff;
    result |= byte << i * 8;
  }
  return result;
}

u32 leading_zeros(u32 x) { return x == 0 ? ~0u : static_cast<u32>(__builtin_clz(x)); }
u32 leading_signs(u32 x) {
  const u32 turned = static_cast<i32>(x) < 0 ? ~x : x;
  return turned == 0 ? ~0u : static_cast<u32>(__builtin_clz(turned));
}
u32 trailing_zeros(u32 x) { return x == 0 ? ~0u : static_cast<u32>(__builtin_ctz(x)); }
u32 saturated_sum(u32 a, u32 b) { return a + b < a ? ~0u : a + b; }
u32 saturated_difference(u32 a, u32 b) { return a < b ? 0 : a - b; }

template <class T>
T middle(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

i32 minus_signed(i32 a, i32 b) {
  return static_cast<i32>(static_cast<u32>(a) - static_cast<u32>(b));
}

}  // namespace

#define VECTOR(name, result, sources, ...)           \
  namespace {                                        \
  struct name {                                      \
    static result of sources { return __VA_ARGS__; } \
  };                                                 \
  }
#include <simulator/amd/vector_integer.inc>
#undef VECTOR

std::initializer_list<Entry> vector_integer_entries() {
#define VECTOR(name, ...) vector_entry<name>(#name, Form::plain, &name::of),
  static const std::initializer_list<Entry> entries = {
#include <simulator/amd/vector_integer.inc>
  };
#undef VECTOR
  return entries;
}

}  // namespace isofold::amd
