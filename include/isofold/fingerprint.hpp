// Fingerprint: 64 bits for each 1024 elements of an array, and a binary tree of them above, so that
// two arrays can be compared without being in one place, and "the bits differ" becomes a range of
// indices. It is made of the elements' bits alone: -0 and +0 differ, and so do NaNs of other
// payloads.
//
//   key(p)     mix((p + 1) · 0x9E3779B97F4A7C15), p = 0 ... 1023 the position in the chunk
//   chunk      the sum over its elements of mix(bits ^ key(p)), modulo 2^64; bits zero-extended;
//   for
//              elements of 16 bytes, mix(mix(first 8 ^ key(p)) + last 8)
//   node       mix(mix(left) + right); a node without a right sibling passes on, as in tree v1
//   digest     the root, then the type's number and the extents, joined to it as right siblings
//   mix        the finishing steps of splitmix64 (docs/tree.md, Test vectors)
//
// It is a sum, so pieces may be added in any order and cut between any two elements. It finds
// errors and resists no forger: each chunk that differs goes unnoticed with a chance of about
// 2^-64. add() reads each element once, on the calling thread; memory is 8 bytes for each 1024
// elements.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <isofold/detail/core/tree.hpp>
#include <isofold/element.hpp>
#include <isofold/error.hpp>

namespace isofold {

// The indices first ... first + count - 1, in the order of the elements in memory.
struct IndexRange {
  std::int64_t first;
  std::int64_t count;
};

namespace fingerprint_hash {

inline constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15U;

constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27) * 0x94D049BB133111EBU;
  return x ^ x >> 31;
}

constexpr std::uint64_t join(std::uint64_t left, std::uint64_t right) {
  return mix(mix(left) + right);
}

constexpr std::array<std::uint64_t, core::chunk_elements> make_keys() {
  std::array<std::uint64_t, core::chunk_elements> keys{};
  for (std::size_t position = 0; position < keys.size(); ++position) {
    keys[position] = mix((position + 1) * golden_ratio);
  }
  return keys;
}
inline constexpr std::array<std::uint64_t, core::chunk_elements> keys = make_keys();

struct TwoWords {
  std::uint64_t first;
  std::uint64_t last;
};
constexpr std::uint64_t mix_with(std::uint64_t key, std::uint64_t bits) { return mix(bits ^ key); }
constexpr std::uint64_t mix_with(std::uint64_t key, TwoWords bits) {
  return mix(mix(bits.first ^ key) + bits.last);
}

// The sum over `count` elements as wide as Bits, the first of which stands at `position` of its
// chunk.
template <class Bits>
std::uint64_t sum_of(const unsigned char* data, std::size_t position, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, data + i * sizeof bits, sizeof bits);
    sum += mix_with(keys[position + i], bits);
  }
  return sum;
}

inline std::uint64_t sum_of(std::size_t element_bytes, const unsigned char* data,
                            std::size_t position, std::size_t count) {
  switch (element_bytes) {
    case 1: return sum_of<std::uint8_t>(data, position, count);
    case 2: return sum_of<std::uint16_t>(data, position, count);
    case 4: return sum_of<std::uint32_t>(data, position, count);
    case 16: return sum_of<TwoWords>(data, position, count);
    default: return sum_of<std::uint64_t>(data, position, count);
  }
}

}  // namespace fingerprint_hash

class Fingerprint {
 public:
  // The fingerprint of an array of this type and shape before any element was added. Throws
  // `invalid_argument` for an extent or a product of extents that cannot be.
  Fingerprint(Type type, std::vector<std::int64_t> shape)
      : type_(type), shape_(std::move(shape)), count_(count_of(shape_)) {
    if (isofold_type_bytes(static_cast<std::int32_t>(type)) == 0) {
      throw Error(Code::invalid_argument,
                  std::to_string(static_cast<std::int32_t>(type)) +
                      " is the number of no type; take one of isofold::Type.");
    }
    chunks_.resize(static_cast<std::size_t>(core::chunk_count(count_)));
  }
  Fingerprint(Type type, std::int64_t count)
      : Fingerprint(type, std::vector<std::int64_t>{count}) {}

  [[nodiscard]] Type type() const noexcept { return type_; }
  [[nodiscard]] const std::vector<std::int64_t>& shape() const noexcept { return shape_; }
  [[nodiscard]] std::int64_t count() const noexcept { return count_; }

  // Adds the elements [first, first + count); data points at element `first`, host memory of any
  // alignment. Throws `overlap` for elements that were added before, and changes nothing then.
  void add(const void* data, std::int64_t first, std::int64_t count) {
    if (first < 0 || count < 0 || first > count_ - count || (data == nullptr && count > 0)) {
      throw Error(Code::invalid_argument, std::to_string(count) + " elements from " +
                                              std::to_string(first) + " on are no piece of " +
                                              std::to_string(count_) +
                                              "; give data, and indices within the array.");
    }
    if (count == 0) {
      return;
    }
    claim(first, count);
    const auto element_bytes =
        static_cast<std::size_t>(isofold_type_bytes(static_cast<std::int32_t>(type_)));
    const auto* bytes = static_cast<const unsigned char*>(data);
    while (count > 0) {
      const std::int64_t position = first % core::chunk_elements;
      const std::int64_t some = std::min<std::int64_t>(count, core::chunk_elements - position);
      const auto size = static_cast<std::size_t>(some);
      chunks_[static_cast<std::size_t>(first / core::chunk_elements)] +=
          fingerprint_hash::sum_of(element_bytes, bytes, static_cast<std::size_t>(position), size);
      bytes += size * element_bytes;
      first += some;
      count -= some;
    }
  }
  // This tells whether every element was added.
  [[nodiscard]] bool complete() const noexcept {
    return count_ == 0 ||
           (added_.size() == 1 && added_.begin()->second - added_.begin()->first == count_);
  }

  // The hashes of the nodes of a level; level 0 are the chunks, the last level is one node. Throws
  // `incomplete` until all elements are there, as every function below does.
  [[nodiscard]] std::vector<std::uint64_t> nodes(int level = 0) const {
    check_complete();
    std::vector<std::uint64_t> row = chunks_;
    for (int above = 0; above < level; ++above) {
      row = level_above(row);
    }
    return row;
  }
  // One number for bits, type and shape together.
  [[nodiscard]] std::uint64_t digest() const {
    const std::vector<std::uint64_t> root =
        nodes(core::root_level(std::max<std::int64_t>(1, core::chunk_count(count_))));
    std::uint64_t hash = root.empty() ? 0 : root.front();
    hash = fingerprint_hash::join(hash, static_cast<std::uint64_t>(type_));
    for (const std::int64_t extent : shape_) {
      hash = fingerprint_hash::join(hash, static_cast<std::uint64_t>(extent));
    }
    return hash;
  }

  // The chunks whose bits differ, as ranges of indices; chunks side by side are one range. Throws
  // `mismatch` for another type or shape.
  [[nodiscard]] std::vector<IndexRange> differs_from(const Fingerprint& other) const {
    if (type_ != other.type_ || shape_ != other.shape_) {
      throw Error(Code::mismatch, "These are the fingerprints of " + description() + " and of " +
                                      other.description() +
                                      "; compare arrays of one type and shape.");
    }
    check_complete();
    other.check_complete();
    std::vector<IndexRange> ranges;
    for (std::size_t k = 0; k < chunks_.size(); ++k) {
      if (chunks_[k] != other.chunks_[k]) {
        const auto first = static_cast<std::int64_t>(k) * core::chunk_elements;
        append(ranges, {first, std::min<std::int64_t>(core::chunk_elements, count_ - first)});
      }
    }
    return ranges;
  }

  // The text "f32, shape (3, 4)".
  [[nodiscard]] std::string description() const {
    std::string extents;
    for (const std::int64_t extent : shape_) {
      extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
    }
    return std::string(isofold_type_name(static_cast<std::int32_t>(type_))) + ", shape (" +
           extents + (shape_.size() == 1 ? ",)" : ")");
  }

  // Little-endian, for files and messages: `magic`; format, definition, type and dimensions, 4
  // bytes each; extents and hashes of chunks, 8 bytes each; FNV-1a (64 bits) of everything before
  // it.
  static constexpr std::string_view magic{"isoprint", 8};
  [[nodiscard]] std::vector<unsigned char> to_bytes() const {
    check_complete();
    std::vector<unsigned char> bytes(magic.begin(), magic.end());
    put(bytes, format, 4);
    put(bytes, ISOFOLD_DEFINITION_tree_v1, 4);
    put(bytes, static_cast<std::uint64_t>(type_), 4);
    put(bytes, shape_.size(), 4);
    for (const std::int64_t extent : shape_) {
      put(bytes, static_cast<std::uint64_t>(extent), 8);
    }
    for (const std::uint64_t chunk : chunks_) {
      put(bytes, chunk, 8);
    }
    put(bytes, checksum(bytes.data(), bytes.size()), 8);
    return bytes;
  }
  // Throws `mismatch` for bytes that are no fingerprint, or that were cut or changed.
  [[nodiscard]] static Fingerprint from_bytes(const void* memory, std::size_t bytes) {
    const auto* data = static_cast<const unsigned char*>(memory);
    check_frame(data, bytes);
    const std::size_t dimensions = get(data + 20, 4);
    const std::size_t numbers = (bytes - header_bytes - checksum_bytes) / 8;
    if (dimensions > numbers) {
      throw cut();
    }
    std::vector<std::int64_t> shape;
    for (std::size_t i = 0; i < dimensions; ++i) {
      shape.push_back(static_cast<std::int64_t>(get(data + header_bytes + 8 * i, 8)));
    }
    const std::size_t chunks = numbers - dimensions;
    if (static_cast<std::uint64_t>(core::chunk_count(count_of(shape))) != chunks) {
      throw cut();  // before memory is asked for
    }
    Fingerprint print(static_cast<Type>(get(data + 16, 4)), shape);
    for (std::size_t k = 0; k < chunks; ++k) {
      print.chunks_[k] = get(data + header_bytes + 8 * (dimensions + k), 8);
    }
    if (print.count_ > 0) {
      print.added_[0] = print.count_;
    }
    return print;
  }

 private:
  static constexpr std::uint64_t format = 1;
  static constexpr std::size_t header_bytes = 24;
  static constexpr std::size_t checksum_bytes = 8;

  static std::int64_t count_of(const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) {
      if (extent < 0 || (extent > 0 && count > INT64_MAX / extent)) {
        throw Error(Code::invalid_argument, "An extent of " + std::to_string(extent) +
                                                " makes no array whose elements a 64-bit number "
                                                "can count; give extents from 0 on.");
      }
      count *= extent;
    }
    return count;
  }

  static std::vector<std::uint64_t> level_above(const std::vector<std::uint64_t>& row) {
    std::vector<std::uint64_t> above;
    above.reserve((row.size() + 1) / 2);
    for (std::size_t i = 0; i < row.size(); i += 2) {
      above.push_back(i + 1 < row.size() ? fingerprint_hash::join(row[i], row[i + 1]) : row[i]);
    }
    return above;
  }

  static void append(std::vector<IndexRange>& ranges, IndexRange next) {
    if (!ranges.empty() && ranges.back().first + ranges.back().count == next.first) {
      ranges.back().count += next.count;
    } else {
      ranges.push_back(next);
    }
  }

  // Notes that [first, first + count) was added. Adjacent pieces become one.
  void claim(std::int64_t first, std::int64_t count) {
    std::int64_t end = first + count;
    auto after = added_.lower_bound(first);
    const bool has_before = after != added_.begin();
    if ((after != added_.end() && after->first < end) ||
        (has_before && std::prev(after)->second > first)) {
      throw Error(Code::overlap, "Elements in [" + std::to_string(first) + ", " +
                                     std::to_string(end) +
                                     ") were added before; add each element once.");
    }
    if (after != added_.end() && after->first == end) {
      end = after->second;
      after = added_.erase(after);
    }
    if (has_before && std::prev(after)->second == first) {
      std::prev(after)->second = end;
    } else {
      added_.emplace(first, end);
    }
  }

  void check_complete() const {
    if (complete()) {
      return;
    }
    const bool at_start = !added_.empty() && added_.begin()->first == 0;
    throw Error(Code::incomplete,
                "Element " + std::to_string(at_start ? added_.begin()->second : 0) + " of " +
                    std::to_string(count_) + " is missing; add every element before comparing.");
  }

  static void put(std::vector<unsigned char>& bytes, std::uint64_t number, int size) {
    for (int i = 0; i < size; ++i) {
      bytes.push_back(static_cast<unsigned char>(number >> 8 * i));
    }
  }
  static std::uint64_t get(const unsigned char* bytes, int size) {
    std::uint64_t number = 0;
    for (int i = size; i-- > 0;) {
      number = number << 8 | bytes[i];
    }
    return number;
  }
  static std::uint64_t checksum(const unsigned char* bytes, std::size_t size) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (std::size_t i = 0; i < size; ++i) {
      hash = (hash ^ bytes[i]) * 0x100000001b3U;
    }
    return hash;
  }

  static Error cut() {
    return {Code::mismatch,
            "These bytes are a fingerprint that was cut or changed; make it once more."};
  }
  static void check_frame(const unsigned char* data, std::size_t bytes) {
    if (bytes < magic.size() || std::memcmp(data, magic.data(), magic.size()) != 0) {
      throw Error(Code::mismatch,
                  "These bytes are no fingerprint: they do not begin with 'isoprint'.");
    }
    if (bytes < header_bytes + checksum_bytes || bytes % 8 != 0) {
      throw cut();
    }
    const std::uint64_t version = get(data + 8, 4);
    if (version != format || get(data + 12, 4) != ISOFOLD_DEFINITION_tree_v1) {
      throw Error(Code::mismatch, "These bytes are a fingerprint of format " +
                                      std::to_string(version) +
                                      "; this isofold reads format 1 of tree_v1.");
    }
    if (get(data + bytes - checksum_bytes, 8) != checksum(data, bytes - checksum_bytes)) {
      throw cut();
    }
  }

  Type type_;
  std::vector<std::int64_t> shape_;
  std::int64_t count_;
  std::vector<std::uint64_t> chunks_;  // a hash for each chunk, over the elements added so far
  // first -> end of the added pieces, which do not touch
  std::map<std::int64_t, std::int64_t> added_;
};

}  // namespace isofold
