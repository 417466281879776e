// The kernel that marks elements of a box, those that its mask takes, and that are no NaN if these
// are left out (ISOFOLD_SKIP_NAN): a mask of bits, under which the box is then reduced. An
// element's number in the box is its bit's.
#pragma once

#include <backends/gpu/input/strided.hpp>
#include <request/nan_format.hpp>

namespace isofold::gpu {

struct MarkElements {
  static constexpr int max_threads = 256;

  const void* arrays[2];      // the second may be none
  NanFormat format;           // without parts: NaNs are taken
  const unsigned char* mask;  // null: all are taken
  bool of_bits;
  std::int64_t entries;
  Axes places;  // all dimensions
  void* bits;   // in words of a wave's width

  static std::size_t bytes(std::int64_t entries) {
    return static_cast<std::size_t>((entries + 63) / 64) * sizeof(std::uint64_t);
  }

  // A warp makes a word at a time.
  template <class Group>
  ISOFOLD_DEVICE void operator()(const Group& group) const {
    constexpr int width = Group::wave_width;
    const std::int64_t all = group.blocks() * group.threads();
    const std::int64_t own = group.block() * group.threads() + group.thread();
    const int lane = group.thread() % width;
    for (std::int64_t first = own - lane; first < entries; first += all) {
      const std::int64_t entry = first + lane;
      const auto word = group.ballot(entry < entries && is_taken(group, entry));
      if (lane == 0) {
        static_cast<Ballot<width>*>(bits)[first / width] = word;
      }
    }
  }

 private:
  template <class Group>
  ISOFOLD_DEVICE bool is_taken(const Group& group, std::int64_t entry) const {
    if (mask != nullptr) {
      const std::int64_t at = of_bits ? entry / 8 : places.offset(mask_array, entry);
      const unsigned char byte = group.template load<unsigned char, 1>(mask + at).value[0];
      if ((of_bits ? byte >> entry % 8 & 1 : byte) == 0) {
        return false;
      }
    }
    return is_number(group, 0, entry) && (arrays[1] == nullptr || is_number(group, 1, entry));
  }
  template <class Group>
  ISOFOLD_DEVICE bool is_number(const Group& group, int array, std::int64_t entry) const {
    switch (format.bytes) {
      case 2: return is_number<std::uint16_t>(group, array, entry);
      case 4: return is_number<std::uint32_t>(group, array, entry);
      default: return is_number<std::uint64_t>(group, array, entry);
    }
  }
  template <class Word, class Group>
  ISOFOLD_DEVICE bool is_number(const Group& group, int array, std::int64_t entry) const {
    const Word* const x =
        static_cast<const Word*>(arrays[array]) + places.offset(array, entry) * format.parts;
    const auto without_sign = static_cast<Word>(static_cast<Word>(-1) >> 1);
    bool is_number = true;
    for (int part = 0; part < format.parts; ++part) {
      const Word word = group.template load<Word, 1>(x + part).value[0];
      is_number = is_number && static_cast<std::uint64_t>(word & without_sign) <= format.infinity;
    }
    return is_number;
  }
};

}  // namespace isofold::gpu
