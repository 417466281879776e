// Inputs that each kernel of the GPU backends' list takes (backends/gpu/plan/select.hpp), small
// enough for GPUs that are emulated or interpreted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <isofold/isofold.h>

namespace isofold::test {

struct Dimension {
  std::int64_t extent;
  std::int64_t stride;
  bool kept = false;
};

// The input of a reduction: a request without pointers, and the data that these point to.
struct Input {
  std::string name;
  isofold_request request{};
  isofold_layout layout{};
  bool halves = false;  // elements of 16 bits
  bool masked = false;
  std::vector<std::int64_t> begins, ends, indices;
};

inline Input rows(const char* name, std::int64_t count, std::int64_t length, bool halves = false) {
  Input input{name, {}, {}, halves, false, {}, {}, {}};
  input.request.shape = ISOFOLD_SHAPE_rows;
  input.request.rows = count;
  input.request.length = length;
  input.request.stride = length;
  return input;
}
inline Input shaped(const char* name, std::int32_t shape, std::int64_t count, std::int64_t length) {
  Input input = rows(name, count, length);
  input.request.shape = shape;
  input.request.stride = 0;
  input.layout.index_type = ISOFOLD_TYPE_i64;
  return input;
}
inline Input box(const char* name, const std::vector<Dimension>& dimensions, bool masked = false) {
  Input input = shaped(name, ISOFOLD_SHAPE_box, 1, 1);
  input.layout.index_type = 0;
  input.masked = masked;
  for (const Dimension& each : dimensions) {
    const int d = input.layout.dimensions++;
    input.layout.extents[d] = each.extent;
    input.layout.strides[d] = each.stride;
    input.layout.kept |= each.kept ? 1U << d : 0;
    (each.kept ? input.request.rows : input.request.length) *= each.extent;
  }
  return input;
}
inline Input segments(const char* name, std::int64_t count, std::int64_t mean) {
  Input input = shaped(name, ISOFOLD_SHAPE_segments, count, 0);
  input.begins = {3};
  for (std::int64_t row = 0; row < count; ++row) {
    input.begins.push_back(input.begins.back() + (row % 2 == 0 ? mean / 2 : 2 * mean - mean / 2));
  }
  input.layout.elements = input.begins.back();
  return input;
}

// Each kernel's own kind of input, for a device of three multiprocessors.
inline std::vector<Input> inputs(int width) {
  std::vector<Input> all{
      rows("no elements", 3, 0),
      rows("short rows", 700, 5),
      rows("rows of two chunks", 60, 1500),
      rows("an array", 1, 100003),
      rows("converted rows", 30, 1500, true),
      box("columns of few elements", {{8, 1000}, {1000, 1, true}}),
      box("few columns", {{3000, 3}, {3, 1, true}}),
      box("columns", {{500, 128}, {128, 1, true}}),
      box("short slabs", {{500, 1}, {200, 500}}),
      box("long slabs", {{40, 1}, {2500, 40}}),
      box("long slabs, few side by side", {{7, 1}, {3000, 7}}),
      box("runs", {{200, 120}, {100, 1}}),
      box("rows with gaps", {{30, 500, true}, {100, 3}}),
      box("many short columns under a mask", {{20, 2000}, {2000, 1, true}}, true),
      box("short columns under a mask", {{50, 100}, {100, 1, true}}, true),
      box("short lines under a mask", {{200, 60, true}, {60, 1}}, true),
      box("an array under a mask", {{50000, 1}}, true),
      segments("long segments", 300, 400),
      segments("short segments", 200 * width, 8),
      segments("some segments", 50, 100),
  };
  all.push_back(shaped("a gather", ISOFOLD_SHAPE_gather, 1, 5000));
  for (std::int64_t i = 0; i < 5000; ++i) {
    all.back().indices.push_back(i * 7919 % 100000);
  }
  all.back().layout.elements = 100000;
  all.push_back(shaped("joined arrays", ISOFOLD_SHAPE_joined, 1, 40));
  for (std::int64_t i = 0; i < 40; ++i) {
    all.back().ends.push_back(i * 37);
  }
  return all;
}

}  // namespace isofold::test
