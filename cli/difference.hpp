// Where the bits of two arrays differ: element by element as their data come by, or by the chunks
// of their fingerprints.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "field.hpp"

namespace cli {

struct Difference {
  // The bits of the first elements that differ.
  struct First {
    std::int64_t index;
    std::array<std::array<unsigned char, 16>, 2> elements;
  };

  std::int64_t chunks = 0;                  // that differ
  std::int64_t elements = 0;                // that differ; of data only
  std::int64_t ranges = 0;                  // in all
  std::vector<isofold::IndexRange> listed;  // the first of them
  std::optional<First> first;               // of data only
  std::array<std::string, 2> digests;       // of fingerprints only

  bool is_none() const noexcept { return chunks == 0; }
};

// Two fields of one type and shape; at most `most_ranges` are listed. Data are read to their end.
Difference difference_of(Field& one, Field& other, std::size_t most_ranges);

}  // namespace cli
