// Random choices and random instances of the shapes with a layout, for the section `shapes` and the
// fuzzer. They are a function of a seed and a number alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "test_data.hpp"

namespace isofold::conformance {

// Numbers of the suite's seed: a stream of its own for each instance.
class Choices {
 public:
  Choices(std::uint64_t seed, std::uint64_t instance) : seed_(seed + (instance << 20)) {}
  // Between low and high, both included.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    const auto range = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<std::int64_t>(test_data::random_word(seed_, next_++) % range);
  }
  bool one_in(std::int64_t n) { return between(1, n) == 1; }
  // Small counts mostly, and the borders of chunks and blocks.
  std::int64_t length(std::int64_t most) {
    static constexpr std::int64_t borders[] = {0,    1,    2,    63,   64,   65,    1023, 1024,
                                               1025, 4095, 4096, 4097, 9001, 17409, 33000};
    const std::int64_t chosen =
        one_in(3) ? borders[between(0, 14)] : between(0, std::int64_t{1} << between(1, 13));
    return std::min(chosen, most);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

// A request's layout and lists, and what a row's elements are: indices into the data. Lists that a
// shape does not have are empty.
struct Instance {
  std::int32_t shape = 0;
  std::int64_t length = 0;  // of the request
  std::int64_t stride = 0;
  std::int64_t first = 0;  // element that `data` points to
  isofold_layout layout{};
  std::vector<std::vector<std::int64_t>> rows;
  // The index in the array of each element of a row, if it is another than its number in the row.
  std::vector<std::vector<std::int64_t>> indices_in_array;
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> ends;
  std::vector<std::int64_t> indices;
  bool has_arrays = false;           // `data` points to pointers
  std::vector<std::int64_t> arrays;  // the elements that they point to
  std::vector<std::uint8_t> mask;
  std::string text;
};

// Elements of the data that instances choose from.
inline constexpr std::int64_t field = 40000;

// The number also chooses the shape.
Instance random_instance(std::uint64_t seed, std::uint64_t number);

}  // namespace isofold::conformance
