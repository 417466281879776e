// --box: a part of an array of several dimensions, written as NumPy's x[1:-1,::2,3].
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cli {

struct Box {
  std::int64_t first = 0;  // the element at index 0 of each dimension
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;  // in elements, of any sign
};

// x[slices] of an array of these extents in C order, with NumPy's meaning: start:stop:step, each of
// which may be left out, negative numbers from the end, ends beyond an array cut down to it; an
// integer alone picks an index and takes the dimension away; dimensions without a slice are whole,
// the last ones or those in place of an ellipsis. Throws Failure(bad_input).
Box box_of(const std::string& slices, const std::vector<std::int64_t>& extents);

}  // namespace cli
