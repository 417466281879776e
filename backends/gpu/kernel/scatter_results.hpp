// The kernel that moves the results of rows that were folded in the order of memory
// (rows_in_memory.hpp) to their places.
#pragma once

#include <backends/gpu/input/strided.hpp>

namespace isofold::gpu {

struct ScatterResults {
  static constexpr int max_threads = 256;

  const void* from;  // one after the other
  void* to;
  int bytes;  // of a result
  std::int64_t rows;
  Axes places;  // of each row's result in `to`

  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    const std::int64_t all = group.blocks() * group.threads();
    for (std::int64_t row = group.block() * group.threads() + group.thread(); row < rows;
         row += all) {
      const std::int64_t place = places.offset(0, row);
      if (bytes % 4 == 0) {
        copy<std::uint32_t>(group, row, place, bytes / 4);
      } else {
        copy<unsigned char>(group, row, place, bytes);
      }
    }
  }

 private:
  template <class Word, class Group>
  ISOFOLD_DEVICE void copy(const Group& group, std::int64_t row, std::int64_t place,
                           int words) const {
    const Word* const source = static_cast<const Word*>(from) + row * words;
    Word* const target = static_cast<Word*>(to) + place * words;
    for (int i = 0; i < words; ++i) {
      target[i] = group.template load<Word, 1>(source + i).value[0];
    }
  }
};

}  // namespace isofold::gpu
