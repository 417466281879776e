// Reads elements of any type for their NaNs alone.
#include "taken.hpp"

#include <cstring>

#include <request/nan_format.hpp>

namespace cli {
namespace {

// Visits the elements that are taken, until visit(index) returns false.
template <class Bits, class Visit>
void visit_taken(const isofold::NanFormat& format, const void* data, std::int64_t all,
                 Visit&& visit) {
  constexpr Bits all_but_sign = static_cast<Bits>(~Bits{0}) >> 1;
  const auto* bytes = static_cast<const char*>(data);
  for (std::int64_t i = 0; i < all; ++i) {
    bool is_nan = false;
    for (int part = 0; part < format.parts; ++part, bytes += sizeof(Bits)) {
      Bits bits = 0;
      std::memcpy(&bits, bytes, sizeof bits);
      is_nan |= (bits & all_but_sign) > format.infinity;
    }
    if (!is_nan && !visit(i)) {
      return;
    }
  }
}

template <class Visit>
void visit_taken(isofold::Type type, const void* data, std::int64_t all, Visit&& visit) {
  const isofold::NanFormat format = isofold::nan_format(static_cast<std::int32_t>(type));
  switch (format.bytes) {
    case 2: visit_taken<std::uint16_t>(format, data, all, visit); break;
    case 4: visit_taken<std::uint32_t>(format, data, all, visit); break;
    default: visit_taken<std::uint64_t>(format, data, all, visit);
  }
}

bool has_nans(isofold::Type type) {
  return isofold::nan_format(static_cast<std::int32_t>(type)).parts > 0;
}

}  // namespace

Taken::Taken(isofold::Type type, const void* data, std::int64_t all)
    : type_(type), data_(data), all_(all), count_(has_nans(type) ? 0 : all) {
  if (has_nans(type)) {
    visit_taken(type, data, all, [this](std::int64_t) { return ++count_ > 0; });
  }
}

std::int64_t Taken::place_of(std::int64_t number) const {
  std::int64_t place = number;
  if (nans() > 0) {
    visit_taken(type_, data_, all_, [&](std::int64_t index) {
      place = index;
      return number-- > 0;
    });
  }
  return place;
}

}  // namespace cli
