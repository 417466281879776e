#include <simulator/amd/allocations.hpp>

namespace isofold::amd {

void Allocations::add(const void* memory, std::size_t bytes, Rights rights) {
  const u64 begin = reinterpret_cast<u64>(memory);
  ranges_[begin] = {begin, begin + bytes, rights};
}

void Allocations::remove(const void* memory) { ranges_.erase(reinterpret_cast<u64>(memory)); }

Allocations::Range Allocations::find(u64 address) const {
  auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) {
    return {};
  }
  const Range& range = std::prev(after)->second;
  return address < range.end ? range : Range{};
}

std::string Allocations::near(u64 address) const {
  auto after = ranges_.upper_bound(address);
  std::string text = "it lies in no allocation";
  if (after != ranges_.begin()) {
    const Range& range = std::prev(after)->second;
    text += "; " + std::to_string(address - range.end) + " bytes behind the end of one of " +
            std::to_string(range.end - range.begin) + " bytes";
  }
  if (after != ranges_.end()) {
    const Range& range = after->second;
    text += "; " + std::to_string(range.begin - address) + " bytes before one of " +
            std::to_string(range.end - range.begin) + " bytes";
  }
  return text;
}

}  // namespace isofold::amd
