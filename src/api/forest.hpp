// The inside of a Forest: a set of complete nodes and raw elements of one array of known count. A
// node joins its sibling as soon as both are there; a chunk becomes a node once it is whole.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <backend/interface.hpp>
#include <isofold/detail/core/tree.hpp>

// The object behind the C ABI: the case and the count, and the operations of the typed Forest
// below.
struct isofold_forest {
  isofold_forest(std::int32_t fold, std::int32_t type, std::int64_t count)
      : fold(fold), type(type), count(count) {}
  virtual ~isofold_forest() = default;

  virtual isofold_forest* copy() const = 0;
  // add() and merge() change nothing unless they succeed.
  virtual std::int32_t add(isofold_reducer& reducer, const void* data, std::int64_t first,
                           std::int64_t length, isofold::backend_interface::Report& report) = 0;
  virtual std::int32_t merge(const isofold_forest& other,
                             isofold::backend_interface::Report& report) = 0;
  virtual std::int32_t finish(void* result, isofold::backend_interface::Report& report) const = 0;
  virtual bool complete() const = 0;
  virtual std::vector<unsigned char> to_bytes() const = 0;
  virtual std::int32_t read(const unsigned char* bytes, std::size_t size,
                            isofold::backend_interface::Report& report) = 0;

  const std::int32_t fold;
  const std::int32_t type;
  const std::int64_t count;
};

namespace isofold {

// The serialised header; docs/tree.md, "Bytes of a Forest". All numbers little-endian.
struct ForestHeader {
  char magic[8];             // "isofold" and a zero
  std::uint32_t format = 1;  // of these bytes
  std::uint32_t definition = ISOFOLD_DEFINITION_tree_v1;
  std::uint32_t fold = 0;
  std::uint32_t type = 0;
  std::int64_t count = 0;  // elements of the whole array
  std::uint32_t state_bytes = 0;
  std::uint32_t element_bytes = 0;
  std::uint64_t nodes = 0;
  std::uint64_t ranges = 0;  // raw ranges
};
static_assert(sizeof(ForestHeader) == 56, "The header is written as it lies in memory.");

// The most nodes and raw ranges that one contiguous range of an array leaves: docs/tree.md.
inline constexpr std::size_t contiguous_nodes = 2 * core::max_root_level + 1;
inline constexpr std::size_t contiguous_ranges = 2;

}  // namespace isofold
