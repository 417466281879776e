// Comparing two fields: blocks that are equal cost one comparison of memory; the others are looked
// at chunk by chunk.
#include "difference.hpp"

#include <algorithm>
#include <cstring>

#include <isofold/detail/core/tree.hpp>

#include "progress.hpp"
#include "types.hpp"

namespace cli {
namespace {

using isofold::IndexRange;
using isofold::core::chunk_count;
using isofold::core::chunk_elements;

// Collects the elements that differ, front to back.
class ElementComparer {
 public:
  ElementComparer(isofold::Type type, std::size_t most_ranges)
      : element_bytes_(static_cast<std::size_t>(bytes_of(type))), most_ranges_(most_ranges) {}

  // The elements [first, first + count) of both; `first` begins a chunk.
  void compare(const void* one, const void* other, std::int64_t first, std::int64_t count) {
    const auto* mine = static_cast<const unsigned char*>(one);
    const auto* theirs = static_cast<const unsigned char*>(other);
    if (are_equal(mine, theirs, count)) {
      return;
    }
    for (std::int64_t begin = 0; begin < count; begin += chunk_elements) {
      const std::int64_t some = std::min<std::int64_t>(chunk_elements, count - begin);
      const std::size_t offset = static_cast<std::size_t>(begin) * element_bytes_;
      if (!are_equal(mine + offset, theirs + offset, some)) {
        ++found_.chunks;
        compare_chunk(mine + offset, theirs + offset, first + begin, some);
      }
    }
  }

  const Difference& found() const noexcept { return found_; }

 private:
  bool are_equal(const unsigned char* one, const unsigned char* other, std::int64_t count) const {
    return std::memcmp(one, other, static_cast<std::size_t>(count) * element_bytes_) == 0;
  }

  void compare_chunk(const unsigned char* one, const unsigned char* other, std::int64_t first,
                     std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (!are_equal(one, other, 1)) {
        note(first + i, one, other);
      }
      one += element_bytes_;
      other += element_bytes_;
    }
  }

  void note(std::int64_t index, const unsigned char* one, const unsigned char* other) {
    ++found_.elements;
    if (!found_.first.has_value()) {
      found_.first.emplace(Difference::First{index, {}});
      std::memcpy(found_.first->elements[0].data(), one, element_bytes_);
      std::memcpy(found_.first->elements[1].data(), other, element_bytes_);
    }
    const bool continues = index == end_of_last_;
    end_of_last_ = index + 1;
    found_.ranges += continues ? 0 : 1;
    if (found_.ranges > static_cast<std::int64_t>(most_ranges_)) {
      return;
    }
    if (continues) {
      ++found_.listed.back().count;
    } else {
      found_.listed.push_back({index, 1});
    }
  }

  std::size_t element_bytes_;
  std::size_t most_ranges_;
  std::int64_t end_of_last_ = -1;  // the last range that was found ends here
  Difference found_;
};

Difference difference_of_data(Source& one, Source& other, std::size_t most_ranges) {
  const std::int64_t count = *one.count();
  const std::int64_t element_bytes = bytes_of(one.type());
  ElementComparer comparer(one.type(), most_ranges);
  Progress progress(static_cast<std::uint64_t>(2 * count * element_bytes));
  for (std::int64_t first = 0; first < count; first += field_block) {
    const std::int64_t some = std::min(field_block, count - first);
    const void* mine = one.next(some);
    comparer.compare(mine, other.next(some), first, some);
    progress.advance(static_cast<std::uint64_t>(2 * some * element_bytes));
  }
  one.expect_end();
  other.expect_end();
  return comparer.found();
}

Difference difference_of_fingerprints(const isofold::Fingerprint& one,
                                      const isofold::Fingerprint& other, std::size_t most_ranges) {
  Difference found;
  found.listed = one.differs_from(other);
  for (const IndexRange& range : found.listed) {
    found.chunks += chunk_count(range.count);
  }
  found.ranges = static_cast<std::int64_t>(found.listed.size());
  found.listed.resize(std::min(found.listed.size(), most_ranges));
  found.digests = {digest_text(one), digest_text(other)};
  return found;
}

static_assert(field_block % chunk_elements == 0, "A block begins where a chunk does.");

}  // namespace

Difference difference_of(Field& one, Field& other, std::size_t most_ranges) {
  if (one.has_data() && other.has_data()) {
    return difference_of_data(one.data(), other.data(), most_ranges);
  }
  const isofold::Fingerprint mine = one.fingerprint();
  return difference_of_fingerprints(mine, other.fingerprint(), most_ranges);
}

}  // namespace cli
