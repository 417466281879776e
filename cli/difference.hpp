// The places at which the bits of two arrays differ, for isofold diff: element by element as their
// data come by, or by the chunks of their fingerprints.
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

  std::int64_t chunks = 0;                  // chunks that differ
  std::int64_t elements = 0;                // elements that differ; only for data
  std::int64_t ranges = 0;                  // ranges in all
  std::vector<isofold::IndexRange> listed;  // the first of the ranges
  std::optional<First> first;               // only for data
  std::array<std::string, 2> digests;       // only for fingerprints

  bool is_none() const noexcept { return chunks == 0; }
};

// Two fields of one type and shape; at most `most_ranges` are listed. Data are read to their end.
Difference difference_of(Field& one, Field& other, std::size_t most_ranges);

}  // namespace cli
