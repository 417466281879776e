#include <simulator/amd/random.hpp>

#include <algorithm>
#include <vector>

namespace isofold::amd {

namespace {

// A table of garbage, of which registers and memory get a stretch that the seed chooses.
const std::vector<u32>& garbage() {
  static const std::vector<u32> words = [] {
    std::vector<u32> made(1 << 17);
    Random random(0x6a7ba6e);
    for (u32& word : made) {
      word = static_cast<u32>(random.next());
    }
    return made;
  }();
  return words;
}

}  // namespace

void Random::fill(void* memory, std::size_t bytes) {
  const std::vector<u32>& words = garbage();
  const std::size_t half = words.size() / 2;
  u8* to = static_cast<u8*>(memory);
  while (bytes > 0) {
    const std::size_t piece = std::min(bytes, half * sizeof(u32));
    std::memcpy(to, &words[below(half)], piece);
    to += piece;
    bytes -= piece;
  }
}

}  // namespace isofold::amd
