// Segments: rows of one array between offsets, from begins to ends, or of counts at a stride.
#include <layout/checks.hpp>
#include <layout/kinds.hpp>
#include <request/validate_counts.hpp>

#include <algorithm>

namespace isofold {
namespace {

using backend_interface::Report;

// This tells whether the counts alone are given.
bool has_counts(const isofold_request& request) {
  return request.layout->begins == nullptr && request.layout->ends != nullptr;
}

// Validates rows of at most `length` elements, `stride` apart, whose bytes can be counted.
std::int32_t validate_counted_rows(const isofold_request& request, const CaseFacts& facts,
                                   Report& report) {
  const std::int64_t most = INT64_MAX / facts.element_bytes;
  const auto fits = [&](std::int64_t stride) {
    return stride >= request.length && stride >= 0 &&
           (request.rows <= 1 || stride <= most / request.rows);
  };
  if (request.length <= most && fits(request.stride) &&
      (facts.arrays == 1 || request.second_stride == request.stride)) {
    return ISOFOLD_ok;
  }
  return report.fail(ISOFOLD_invalid_argument,
                     "%" PRId64 " counted rows of at most %" PRId64
                     " elements at a stride of %" PRId64 " (of the second array: %" PRId64
                     "): rows may not overlap, both arrays have one stride, and all of it must be "
                     "less than 2^63 bytes.",
                     request.rows, request.length, request.stride, request.second_stride);
}

template <class Index>
std::int32_t validate_segments(const Index* begins, const isofold_request& request,
                               std::int64_t high, const InParts& in_parts, Reach* reach,
                               Report& report) {
  const isofold_layout& layout = *request.layout;
  const auto* const ends = static_cast<const Index*>(layout.ends);
  const std::int64_t rows = request.rows;
  const auto begin_of = [=](std::int64_t r) { return static_cast<std::int64_t>(begins[r]); };
  const auto end_of = [=](std::int64_t r) {
    return static_cast<std::int64_t>(ends != nullptr ? ends[r] : begins[r + 1]);
  };
  const Named named = named_by(rows, in_parts, [=](std::int64_t r, Named* here) {
    const std::int64_t begin = begin_of(r);
    const std::int64_t end = end_of(r);
    here->add(begin, end);
    return begin >= 0 && end >= begin && end <= high;
  });
  if (named.wrong < rows) {
    return report.fail(ISOFOLD_invalid_argument,
                       "Segment %" PRId64
                       " is [%s, %s): it must not end before it begins, and lie between 0 and "
                       "%" PRId64 ".",
                       named.wrong, IndexText(layout, begin_of(named.wrong)).digits,
                       IndexText(layout, end_of(named.wrong)).digits, high);
  }
  *reach = named.reach();
  return ISOFOLD_ok;
}

template <class Index>
std::int32_t validate_row_counts(const Index* counts, const isofold_request& request,
                                 std::int64_t high, const InParts& in_parts, Reach* reach,
                                 Report& report) {
  const std::int64_t most = request.length > 0 ? request.length
                            : request.rows > 1 ? request.stride
                                               : high;
  const Named named = named_by(request.rows, in_parts, [&](std::int64_t r, Named* here) {
    const auto count = static_cast<std::int64_t>(counts[r]);
    const std::int64_t begin = r * request.stride;
    const bool is_right = count >= 0 && count <= most && count <= high - begin;
    here->add(begin, is_right ? begin + count : begin);
    return is_right;
  });
  if (named.wrong < request.rows) {
    return report.fail(ISOFOLD_invalid_argument,
                       "Row %" PRId64 " has a count of %s: it must lie between 0 and %" PRId64
                       ", and the row within the data.",
                       named.wrong, IndexText(*request.layout, counts[named.wrong]).digits, most);
  }
  *reach = named.reach();
  return ISOFOLD_ok;
}

class SegmentRows final : public PackedRows {
 public:
  using PackedRows::PackedRows;

  std::int64_t length(std::int64_t row) const override {
    return (layout_.ends != nullptr ? index_at(layout_, layout_.ends, row) : begin_of(row + 1)) -
           (layout_.begins != nullptr ? begin_of(row) : 0);
  }
  std::int64_t elements() const override {
    return layout_.ends == nullptr && request_.rows > 0 ? begin_of(request_.rows) - begin_of(0)
                                                        : sum_of_lengths();
  }
  const void* elements(int which, std::int64_t row, std::int64_t first, std::int64_t,
                       void*) const override {
    const std::int64_t begin = layout_.begins == nullptr ? row * request_.stride : begin_of(row);
    return static_cast<const char*>(array(which)) + (begin + first) * element_bytes_;
  }
  // Counted rows are rows: an index is one in its row.
  std::int64_t index_in_array(std::int64_t row, std::int64_t index) const override {
    return layout_.begins == nullptr ? index : begin_of(row) + index;
  }
  bool lie_in_line() const override { return true; }

 private:
  std::int64_t begin_of(std::int64_t row) const { return index_at(layout_, layout_.begins, row); }
};

class SegmentsLayout final : public Layout {
 public:
  std::int32_t validate(const isofold_request& request, const CaseFacts& facts, bool with_pointers,
                        Report& report) const override {
    const bool counts = has_counts(request);
    std::int32_t code = validate_list_counts(request, facts, request.length == 0 || counts, report);
    if (code == ISOFOLD_ok && counts) {
      code = validate_counted_rows(request, facts, report);
    }
    if (code != ISOFOLD_ok || !with_pointers || request.rows == 0) {
      return code;
    }
    code = validate_lists(request, facts, report);
    const std::int64_t elements = request.layout->elements;
    return code != ISOFOLD_ok
               ? code
               : for_each_array(
                     request, facts, array_names, [&](const char* what, const void* data) {
                       // Segments may all be empty.
                       return elements == 0 && data == nullptr
                                  ? std::int32_t{ISOFOLD_ok}
                                  : validate_input(what, data, std::max<std::int64_t>(elements, 1),
                                                   request, facts, report);
                     });
  }
  std::int32_t validate_indices(const isofold_request& request, const CaseFacts& facts,
                                const InParts& in_parts, Report& report) const override {
    const isofold_layout& layout = *request.layout;
    const std::int64_t high = end_of_elements(request, facts);
    Reach reach;
    const std::int32_t code =
        has_counts(request)
            ? with_indices(layout, layout.ends,
                           [&](const auto* counts) {
                             return validate_row_counts(counts, request, high, in_parts, &reach,
                                                        report);
                           })
            : with_indices(layout, layout.begins, [&](const auto* begins) {
                return validate_segments(begins, request, high, in_parts, &reach, report);
              });
    return code != ISOFOLD_ok
               ? code
               : for_each_array(request, facts, array_names,
                                [&](const char* what, const void* data) {
                                  return validate_reach(what, data, reach, request, facts, report);
                                });
  }
  std::int64_t entries(const isofold_request& request) const override { return request.rows; }
  bool has_one_result(const isofold_request&) const override { return false; }
  bool is_ragged() const override { return true; }
  const PackedRows* rows(void* room, const RowsOf& of) const override {
    return of.make<SegmentRows>(room);
  }
  const void* address(const isofold_request& request, std::int64_t element_bytes, std::int64_t row,
                      std::int64_t index) const override {
    const isofold_layout& layout = *request.layout;
    const bool is_packed = has_packed_index(request) || layout.begins == nullptr;
    const std::int64_t in_row = is_packed ? index : index - index_at(layout, layout.begins, row);
    return in_row >= 0 ? Layout::address(request, element_bytes, row, in_row) : nullptr;
  }

 private:
  static std::int32_t validate_lists(const isofold_request& request, const CaseFacts& facts,
                                     Report& report) {
    const isofold_layout& layout = *request.layout;
    std::int32_t code = ISOFOLD_ok;
    if (!has_counts(request)) {
      const std::int64_t entries = request.rows + (layout.ends == nullptr ? 1 : 0);
      code = validate_index_list("begins", layout.begins, entries, request, facts, report);
    }
    return code != ISOFOLD_ok || layout.ends == nullptr
               ? code
               : validate_index_list("ends", layout.ends, request.rows, request, facts, report);
  }
};

}  // namespace

const Layout& segments_layout() noexcept {
  static const SegmentsLayout layout;
  return layout;
}

}  // namespace isofold
