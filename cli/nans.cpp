// Reads elements of any type for their NaNs alone.
#include "nans.hpp"

#include <cstring>

#include <request/nan_format.hpp>

namespace cli {
namespace {

template <class Bits>
std::int64_t count_nans(const isofold::NanFormat& format, const void* data, std::int64_t all) {
  constexpr Bits all_but_sign = static_cast<Bits>(~Bits{0}) >> 1;
  const auto* bytes = static_cast<const char*>(data);
  std::int64_t nans = 0;
  for (std::int64_t i = 0; i < all; ++i) {
    bool is_nan = false;
    for (int part = 0; part < format.parts; ++part, bytes += sizeof(Bits)) {
      Bits bits = 0;
      std::memcpy(&bits, bytes, sizeof bits);
      is_nan |= (bits & all_but_sign) > format.infinity;
    }
    nans += is_nan ? 1 : 0;
  }
  return nans;
}

}  // namespace

std::int64_t count_nans(isofold::Type type, const void* data, std::int64_t all) {
  const isofold::NanFormat format = isofold::nan_format(static_cast<std::int32_t>(type));
  if (format.parts == 0) {
    return 0;
  }
  switch (format.bytes) {
    case 2: return count_nans<std::uint16_t>(format, data, all);
    case 4: return count_nans<std::uint32_t>(format, data, all);
    default: return count_nans<std::uint64_t>(format, data, all);
  }
}

}  // namespace cli
