// Operands for tests of instructions, and how results are written down.
#pragma once

#include <limits>
#include <vector>

#include <simulator/amd/float_rules.hpp>

namespace isofold::amd::tests {

// Operands that find mistakes: ends of ranges, signs, counts of shifts, and as f32 and f64 zeros,
// subnormals, huge and tiny numbers, infinities and NaNs.
inline std::vector<u64> hostile() {
  std::vector<u64> made;
  for (const u64 x : {u64{0},
                      u64{1},
                      u64{2},
                      u64{31},
                      u64{32},
                      u64{33},
                      u64{63},
                      u64{64},
                      u64{0x7fffffff},
                      u64{0x80000000},
                      u64{0xffffffff},
                      u64{0x100000000},
                      u64{0x7fffffffffffffff},
                      u64{0x8000000000000000},
                      ~u64{0},
                      u64{0xffff},
                      u64{0x8000},
                      u64{0x7fff},
                      u64{0x12345678},
                      u64{0xfedcba9876543210}}) {
    made.push_back(x);
  }
  for (const f32 x : {1.0f, -1.0f, 0.5f, 3.0f, 1e-45f, -1e-39f, 1.17549435e-38f, 3.4028235e38f,
                      -3e38f, 1e-30f, 7e30f, std::numeric_limits<f32>::infinity(), -0.0f}) {
    made.push_back(bits_as<u32>(x) | u64{0x3ff00000} << 32);
  }
  made.push_back(0x7fc00001);
  made.push_back(0x7f800001);
  made.push_back(0xffc12345);
  for (const f64 x : {1.0, -1.0, 3.0, 1.0 / 3, 5e-324, -1e-310, 2.2250738585072014e-308,
                      1.7976931348623157e308, -1e300, 1e-300, 1e-290, 7e290,
                      std::numeric_limits<f64>::infinity(), -0.0, 1e16, 4503599627370497.5}) {
    made.push_back(bits_as<u64>(x));
  }
  made.push_back(0x7ff8000000000001);
  made.push_back(0xfff0000000000001);
  return made;
}

inline u32 low(u64 x) { return static_cast<u32>(x); }
inline u64 wide(u32 value, u32 high = 0) { return value | u64{high} << 32; }
inline f32 as_f32(u64 x) { return bits_as<f32>(low(x)); }
inline f64 as_f64(u64 x) { return bits_as<f64>(x); }
// NaNs are compared as NaNs: another test is about their bits.
inline u64 number(f32 x) { return x != x ? 0x7fc00000u : bits_as<u32>(x); }
inline u64 number(f64 x) { return x != x ? 0x7ff8000000000000u : bits_as<u64>(x); }

}  // namespace isofold::amd::tests
