// The bits by which a NaN is known, for code that marks elements of any type that are numbers.
#pragma once

#include <cstdint>

#include <isofold/isofold.h>

namespace isofold {

// An element has `parts` numbers of `bytes` each. One is a NaN if its bits, without the sign, are
// more than `infinity`. Elements of types that have no NaN have no parts.
struct NanFormat {
  int parts;
  int bytes;
  std::uint64_t infinity;
};
inline NanFormat nan_format(std::int32_t type) {
  constexpr std::uint64_t infinity_f32 = 0x7f800000;
  constexpr std::uint64_t infinity_f64 = 0x7ff0000000000000;
  switch (type) {
    case ISOFOLD_TYPE_f16: return {1, 2, 0x7c00};
    case ISOFOLD_TYPE_bf16: return {1, 2, 0x7f80};
    case ISOFOLD_TYPE_f32: return {1, 4, infinity_f32};
    case ISOFOLD_TYPE_f64: return {1, 8, infinity_f64};
    case ISOFOLD_TYPE_c64: return {2, 4, infinity_f32};
    case ISOFOLD_TYPE_c128: return {2, 8, infinity_f64};
    default: return {0, 0, 0};
  }
}

}  // namespace isofold
