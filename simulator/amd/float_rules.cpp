#include <simulator/amd/float_rules.hpp>

namespace isofold::amd {

u64 estimate_seed = 1;

f32 widened(f16 half) {
  const u32 sign = u32{half.bits & 0x8000u} << 16;
  const u32 exponent = half.bits >> 10 & 0x1fu;
  const u32 fraction = half.bits & 0x3ffu;
  if (exponent == 0x1f) {
    return bits_as<f32>(sign | 0x7f800000u | fraction << 13 | (fraction != 0 ? 0x400000u : 0));
  }
  if (exponent == 0) {
    const f32 size = std::ldexp(static_cast<f32>(fraction), -24);
    return bits_as<f32>(sign | bits_as<u32>(size));
  }
  return bits_as<f32>(sign | (exponent + 112) << 23 | fraction << 13);
}

f16 narrowed(f32 x) {
  const u32 bits = bits_as<u32>(x);
  const u16 sign = static_cast<u16>(bits >> 16 & 0x8000u);
  const f32 size = absolute(x);
  if (x != x) {
    return {static_cast<u16>(sign | 0x7e00u | (bits >> 13 & 0x3ffu))};
  }
  if (size >= 65520.0f) {
    return {static_cast<u16>(sign | 0x7c00u)};
  }
  if (size < std::ldexp(1.0f, -14)) {
    return {static_cast<u16>(sign | static_cast<u16>(std::nearbyint(std::ldexp(size, 24))))};
  }
  const u32 positive = bits & 0x7fffffffu;
  const u32 odd = positive >> 13 & 1;
  return {static_cast<u16>(sign | (((positive + 0xfffu + odd) >> 13) - (112u << 10)))};
}

}  // namespace isofold::amd
