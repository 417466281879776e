// Rows of a box that lie in memory in another order than they are numbered, as those of a field in
// Fortran's order over its last index. Neighbours are read together, so a backend that can put the
// results elsewhere afterwards takes the rows in the order of memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <isofold/isofold.h>
#include <ops/supported_cases.hpp>
#include <request/converted_elements.hpp>

namespace isofold {

class RowsInMemory {
 public:
  // Fewer elements stay in caches, whatever comes first.
  static constexpr std::int64_t least_elements = 1 << 16;
  // Results take workspace: no more than a part of what the elements do.
  static constexpr std::int64_t least_of_results = 4;

  // This tells whether the order of a valid request's rows is another one, and worth it. Masks are
  // numbered as rows are.
  static bool differ(const isofold_request& request) {
    if (request.shape != ISOFOLD_SHAPE_box || request.layout == nullptr ||
        request.layout->mask != nullptr || request.rows < 2 ||
        request.length < (least_elements + request.rows - 1) / request.rows) {
      return false;
    }
    Kept kept[ISOFOLD_MOST_DIMENSIONS];
    const int count = find_kept(*request.layout, kept);
    const bool is_linearised =
        std::all_of(kept, kept + count, [](const Kept& each) { return each.stride != 0; });
    if (!is_linearised || std::is_sorted(kept, kept + count, is_farther)) {
      return false;
    }
    const auto most = static_cast<std::int64_t>(facts_of(request).result_bytes) * least_of_results;
    return request.length >= (most + stored_bytes_of(request) - 1) / stored_bytes_of(request);
  }

  explicit RowsInMemory(const isofold_request& asked)
      : request_(asked), layout_(*asked.layout), facts_(facts_of(asked)) {
    Kept kept[ISOFOLD_MOST_DIMENSIONS];
    const int count = find_kept(layout_, kept);
    std::int64_t stride = 1;
    for (int k = count - 1; k >= 0; --k) {
      kept[k].of_results = stride;
      stride *= kept[k].extent;
    }
    int at[ISOFOLD_MOST_DIMENSIONS];
    for (int k = 0; k < count; ++k) {
      at[k] = kept[k].dimension;
    }
    std::sort(kept, kept + count, is_farther);
    results_.size = sizeof results_;
    results_.dimensions = count;
    for (int k = 0; k < count; ++k) {
      layout_.extents[at[k]] = kept[k].extent;
      layout_.strides[at[k]] = kept[k].stride;
      layout_.second_strides[at[k]] = kept[k].second_stride;
      results_.extents[k] = kept[k].extent;
      results_.strides[k] = kept[k].of_results;
    }
    request_.layout = &layout_;
    make_rows();
  }
  RowsInMemory(const RowsInMemory&) = delete;
  RowsInMemory& operator=(const RowsInMemory&) = delete;

  // A request for the rows in the order of memory. Its result is still the one asked for, which
  // must not be written through it.
  const isofold_request& request() const { return request_; }
  std::size_t result_bytes() const { return facts_.result_bytes; }
  // A box over the results that were asked for: its element number r belongs to row r of request().
  const isofold_layout& results() const { return results_; }

  // Puts the results of rows [first, last) where they belong; `from` is where that of row 0 lies,
  // and they lie one after the other.
  void scatter(const char* from, std::int64_t first, std::int64_t last) const {
    std::int64_t index[ISOFOLD_MOST_DIMENSIONS];
    std::int64_t left = first;
    std::int64_t place = 0;
    const std::size_t bytes = facts_.result_bytes;
    for (int d = results_.dimensions - 1; d >= 0; --d) {
      index[d] = left % results_.extents[d];
      left /= results_.extents[d];
      place += index[d] * results_.strides[d];
    }
    for (std::int64_t row = first; row < last; ++row) {
      std::memcpy(static_cast<char*>(request_.result) + static_cast<std::size_t>(place) * bytes,
                  from + static_cast<std::size_t>(row) * bytes, bytes);
      for (int d = results_.dimensions - 1; d >= 0; --d) {
        place += results_.strides[d];
        if (++index[d] < results_.extents[d]) {
          break;
        }
        place -= index[d] * results_.strides[d];
        index[d] = 0;
      }
    }
  }

 private:
  struct Facts {
    std::size_t result_bytes = 0;
    int arrays = 1;
  };
  static Facts facts_of(const isofold_request& request) {
    Facts facts;
    visit_case(request.fold, computed_type(request), [&](auto fold) {
      facts = {sizeof(typename decltype(fold)::result_type), decltype(fold)::arrays};
    });
    return facts;
  }
  static std::int64_t stored_bytes_of(const isofold_request& request) {
    return static_cast<std::int64_t>(stored_bytes(request));
  }
  struct Kept {
    int dimension;
    std::int64_t extent;
    std::int64_t stride;
    std::int64_t second_stride;
    std::int64_t of_results;
  };
  static bool is_farther(const Kept& a, const Kept& b) {
    const std::int64_t steps[] = {std::abs(a.stride), std::abs(b.stride)};
    return steps[0] != steps[1] ? steps[0] > steps[1] : a.dimension < b.dimension;
  }
  // Kept dimensions of more than one index, of which there are not more than rows; how many.
  static int find_kept(const isofold_layout& layout, Kept* kept) {
    int count = 0;
    for (int d = 0; d < layout.dimensions; ++d) {
      if ((layout.kept >> d & 1U) != 0 && layout.extents[d] > 1) {
        kept[count++] = {d, layout.extents[d], layout.strides[d], layout.second_strides[d], 0};
      }
    }
    return count;
  }

  // Makes it a request for rows if it is one now: elements side by side, rows at one distance. Only
  // folds of one array do: the strides of a second one need not be known yet when workspace is
  // reserved.
  void make_rows() {
    std::int64_t stride = 0;
    if (facts_.arrays == 1 && are_rows(&stride)) {
      request_.shape = ISOFOLD_SHAPE_rows;
      request_.layout = nullptr;
      request_.stride = stride;
    }
  }
  bool are_rows(std::int64_t* stride) const {
    const std::int64_t* const strides = layout_.strides;
    std::int64_t elements = 1;
    std::int64_t rows = 1;
    bool are = true;
    for (int d = layout_.dimensions - 1; d >= 0; --d) {
      if (layout_.extents[d] == 1) {
        continue;
      }
      if ((layout_.kept >> d & 1U) == 0) {
        are = are && strides[d] == elements;
        elements *= layout_.extents[d];
      } else {
        *stride = rows == 1 ? strides[d] : *stride;
        are = are && strides[d] == rows * *stride;
        rows *= layout_.extents[d];
      }
    }
    return are && *stride >= request_.length;
  }

  isofold_request request_;
  isofold_layout layout_;
  isofold_layout results_{};
  Facts facts_;
};

}  // namespace isofold
