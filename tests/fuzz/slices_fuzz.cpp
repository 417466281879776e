// --box: any text against any shape. A box that is accepted lies inside the array, however it is
// written. The first byte is the number of dimensions, then one for each extent, then the text.
#include <cstdint>
#include <string>
#include <vector>

#include "../../cli/failure.hpp"
#include "../../cli/slices.hpp"
#include "bytes.hpp"

namespace {

__extension__ using Wide = __int128;  // no sum of offsets overflows it

// Small extents, and powers of two up to 2^62 with their neighbours.
std::int64_t extent_of(std::uint8_t byte) {
  constexpr std::uint8_t small = 68;
  if (byte < small) {
    return byte;
  }
  const int power = (byte - small) / 3;  // 0 to 62
  return (std::int64_t{1} << power) + (byte - small) % 3 - 1;
}

void require_inside(const cli::Box& box, std::int64_t count) {
  fuzz::require(box.extents.size() == box.strides.size(), "An extent has no stride.");
  Wide lowest = box.first;
  Wide highest = box.first;
  for (std::size_t d = 0; d < box.extents.size(); ++d) {
    fuzz::require(box.extents[d] >= 0, "An extent is negative.");
    if (box.extents[d] == 0) {
      fuzz::require(box.first == 0, "A box of nothing begins somewhere.");
      return;
    }
    const Wide span = static_cast<Wide>(box.extents[d] - 1) * box.strides[d];
    (span < 0 ? lowest : highest) += span;
  }
  fuzz::require(lowest >= 0 && highest < count, "The box reaches beyond its array.");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  std::vector<std::int64_t> extents(1 + bytes.take<std::uint8_t>() % 8);
  // A header's shape: its product, zeros left out, has 64 bits.
  std::int64_t count = 1;
  bool is_empty = false;
  for (std::int64_t& extent : extents) {
    extent = extent_of(bytes.take<std::uint8_t>());
    is_empty = is_empty || extent == 0;
    if (extent != 0 && __builtin_mul_overflow(count, extent, &count)) {
      return 0;
    }
  }
  try {
    const cli::Box box = cli::box_of(bytes.rest(), extents);
    fuzz::require(box.extents.size() <= extents.size(), "The box has more dimensions.");
    require_inside(box, is_empty ? 0 : count);
  } catch (const cli::Failure& failure) {
    fuzz::require(!std::string(failure.what()).empty(), "A refusal says nothing.");
  }
  return 0;
}
