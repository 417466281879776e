#include <algorithm>

#include <simulator/amd/wave.hpp>

namespace isofold::amd {

void Cache::load(u64 address, u32 bytes, const Allocations::Range& range, u8* to) {
  for (u32 done = 0; done < bytes;) {
    const u64 line = (address + done) / line_bytes * line_bytes;
    const auto [place, is_new] = lines_.try_emplace(line);
    if (is_new) {
      const u64 begin = std::max(line, range.begin);
      const u64 end = std::min(line + line_bytes, range.end);
      std::memcpy(place->second.data() + (begin - line), reinterpret_cast<const u8*>(begin),
                  end - begin);
    }
    const u64 from = address + done - line;
    const u32 piece = std::min<u32>(bytes - done, static_cast<u32>(line_bytes - from));
    std::memcpy(to + done, place->second.data() + from, piece);
    done += piece;
  }
}

void Cache::store(u64 address, u32 bytes) {
  if (lines_.empty()) {
    return;
  }
  for (u64 at = address; at < address + bytes; ++at) {
    const auto found = lines_.find(at / line_bytes * line_bytes);
    if (found != lines_.end()) {
      found->second[at % line_bytes] = *reinterpret_cast<const u8*>(at);
    }
  }
}

void Cache::drop(u64 address) { lines_.erase(address / line_bytes * line_bytes); }

}  // namespace isofold::amd
