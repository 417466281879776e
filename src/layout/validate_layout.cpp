// The input contract of shapes with a layout, line by line.
#include <layout/validate_layout.hpp>

#include <algorithm>
#include <cinttypes>
#include <mutex>

#include <layout/packed_rows.hpp>
#include <request/validate_counts.hpp>

namespace isofold {
namespace {

using contract::Report;

struct Extent {
  std::int64_t rows = 1;
  std::int64_t length = 1;
};

// The stretch of memory that is used: the offsets, in elements, of its first and its last one.
struct Reach {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  std::int64_t elements = 1;
};

std::int32_t validate_reach(const char* what, const void* data, const Reach& reach,
                            const isofold_request& request, const CaseFacts& facts,
                            Report& report) {
  if (data == nullptr || reach.elements == 0) {
    return validate_input(what, nullptr, reach.elements, request, facts, report);
  }
  // As numbers: what a pointer beyond the address space means is nowhere defined.
  auto first = reinterpret_cast<std::uintptr_t>(data);
  std::uintptr_t end = 0;
  if (__builtin_add_overflow(first, reach.lowest * facts.element_bytes, &first) ||
      __builtin_add_overflow(first, reach.elements * facts.element_bytes, &end)) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The %s pointer %p, with %" PRId64 " elements before it and %" PRId64
                       " in all, reaches beyond the addresses that there are; check the strides.",
                       what, data, -reach.lowest, reach.elements);
  }
  return validate_input(what, reinterpret_cast<const void*>(first), reach.elements, request, facts,
                        report);
}

// An array of the layout, of which the result may be no part either.
std::int32_t validate_list(const char* what, const void* list, std::int64_t entries,
                           std::int64_t entry_bytes, const isofold_request& request,
                           const CaseFacts& facts, Report& report) {
  if (list == nullptr) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The layout's %s are null, yet %" PRId64 " entries are to be read.", what,
                       entries);
  }
  CaseFacts of_list = facts;
  of_list.element_bytes = entry_bytes;
  of_list.element_alignment = entry_bytes;
  return validate_input(what, list, entries, request, of_list, report);
}

// Results and entries, so that no product of them overflows from here on.
std::int32_t validate_bytes(const isofold_request& request, const CaseFacts& facts,
                            Report& report) {
  const std::int64_t most = INT64_MAX / std::max(facts.result_bytes, std::int64_t{8}) - 1;
  const bool counts_entries = request.shape != ISOFOLD_SHAPE_box;
  return request.rows > most || (counts_entries && request.length > most)
             ? report.fail(ISOFOLD_invalid_argument,
                           "%" PRId64 " rows and length %" PRId64
                           ": the results or the index arrays overflow 2^63 - 1 bytes.",
                           request.rows, request.length)
             : std::int32_t{ISOFOLD_ok};
}

std::int32_t validate_dimensions(const isofold_layout& layout, Extent* extent, Report& report) {
  if (layout.dimensions < 1 || layout.dimensions > ISOFOLD_MOST_DIMENSIONS) {
    return report.fail(ISOFOLD_invalid_argument,
                       "A box of %d dimensions: there can be 1 to %d; make one of several that lie "
                       "behind each other in memory.",
                       layout.dimensions, ISOFOLD_MOST_DIMENSIONS);
  }
  if (layout.kept >> layout.dimensions != 0) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The kept dimensions 0x%x name one that a box of %d dimensions does not "
                       "have: they are numbered from 0.",
                       layout.kept, layout.dimensions);
  }
  bool overflows = false;
  bool rows_overflow = false;
  bool is_empty = false;
  for (int d = 0; d < layout.dimensions; ++d) {
    if (layout.extents[d] < 0) {
      return report.fail(ISOFOLD_invalid_argument,
                         "The extent of dimension %d is %" PRId64 "; it cannot be negative.", d,
                         layout.extents[d]);
    }
    is_empty = is_empty || layout.extents[d] == 0;
    const bool is_kept = (layout.kept >> d & 1U) != 0;
    std::int64_t* const product = is_kept ? &extent->rows : &extent->length;
    const bool beyond = __builtin_mul_overflow(*product, layout.extents[d], product);
    overflows = overflows || beyond;
    rows_overflow = rows_overflow || (is_kept && beyond);
  }
  if (rows_overflow && extent->rows != 0) {
    return report.fail(
        ISOFOLD_invalid_argument,
        "The extents of the kept dimensions multiply to more than 2^63 - 1 results.");
  }
  std::int64_t all = 0;
  overflows = __builtin_mul_overflow(extent->rows, extent->length, &all) || overflows;
  if (overflows && !is_empty) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The extents of the %d dimensions multiply to more than 2^63 - 1 elements.",
                       layout.dimensions);
  }
  return ISOFOLD_ok;
}

std::int32_t find_reach(const isofold_layout& layout, const std::int64_t* strides,
                        std::int64_t element_bytes, Reach* reach, Report& report) {
  for (int d = 0; d < layout.dimensions; ++d) {
    std::int64_t span = 0;
    std::int64_t* const end = strides[d] < 0 ? &reach->lowest : &reach->highest;
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(layout.extents[d] - 1, strides[d], &span) ||
        __builtin_add_overflow(*end, span, end) ||
        __builtin_sub_overflow(reach->highest, reach->lowest, &reach->elements) ||
        __builtin_add_overflow(reach->elements, 1, &reach->elements) ||
        __builtin_mul_overflow(reach->elements, element_bytes, &bytes)) {
      return report.fail(ISOFOLD_invalid_argument,
                         "Dimension %d, of %" PRId64 " at a stride of %" PRId64
                         ", takes the box beyond 2^63 - 1 bytes.",
                         d, layout.extents[d], strides[d]);
    }
  }
  return ISOFOLD_ok;
}

std::int32_t validate_box_array(const char* what, const void* data, const std::int64_t* strides,
                                const isofold_request& request, const CaseFacts& facts,
                                bool with_pointers, Report& report) {
  if (request.rows == 0 || request.length == 0) {
    return ISOFOLD_ok;
  }
  Reach reach;
  const std::int32_t code =
      find_reach(*request.layout, strides, facts.element_bytes, &reach, report);
  return code != ISOFOLD_ok || !with_pointers
             ? code
             : validate_reach(what, data, reach, request, facts, report);
}

std::int32_t validate_mask(const isofold_request& request, const CaseFacts& facts,
                           bool with_pointers, Report& report) {
  const isofold_layout& layout = *request.layout;
  const bool known =
      layout.mask_type == ISOFOLD_MASK_bytes || layout.mask_type == ISOFOLD_MASK_bits;
  if (layout.mask != nullptr ? !known : layout.mask_type != 0) {
    return report.fail(ISOFOLD_invalid_argument,
                       "A mask at %p of type %d: there are 1 (bytes) and 2 (bits), and 0 where the "
                       "pointer is null.",
                       layout.mask, layout.mask_type);
  }
  if (layout.mask == nullptr || !with_pointers || request.rows == 0 || request.length == 0) {
    return ISOFOLD_ok;
  }
  const std::int64_t entries = request.rows * request.length;
  const std::int64_t bytes =
      layout.mask_type == ISOFOLD_MASK_bytes ? entries : entries / 8 + (entries % 8 != 0);
  return validate_list("mask", layout.mask, bytes, 1, request, facts, report);
}

std::int32_t validate_box(const isofold_request& request, const CaseFacts& facts,
                          bool with_pointers, Report& report) {
  const isofold_layout& layout = *request.layout;
  Extent extent;
  std::int32_t code = validate_dimensions(layout, &extent, report);
  if (code != ISOFOLD_ok) {
    return code;
  }
  if (request.rows != extent.rows || request.length != extent.length) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The request has %" PRId64 " rows of %" PRId64
                       " elements, the extents of its box make %" PRId64 " of %" PRId64 ".",
                       request.rows, request.length, extent.rows, extent.length);
  }
  code = validate_mask(request, facts, with_pointers, report);
  if (code != ISOFOLD_ok) {
    return code;
  }
  code = validate_box_array("data", request.data, layout.strides, request, facts, with_pointers,
                            report);
  return code != ISOFOLD_ok || facts.arrays == 1
             ? code
             : validate_box_array("second array's", request.second, layout.second_strides, request,
                                  facts, with_pointers, report);
}

// Segments of which the counts alone are given.
bool has_counts(const isofold_request& request) {
  return request.shape == ISOFOLD_SHAPE_segments && request.layout->begins == nullptr &&
         request.layout->ends != nullptr;
}

// Rows of at most `length` elements, `stride` apart, whose bytes can be counted.
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

// Lists of arrays: the rows of a batch, or, joined, the parts of its one row.
bool has_arrays(const isofold_request& request) {
  return request.shape == ISOFOLD_SHAPE_batch || request.shape == ISOFOLD_SHAPE_joined;
}
std::int64_t arrays_of(const isofold_request& request) {
  return request.shape == ISOFOLD_SHAPE_joined ? request.length : request.rows;
}

// One result, whose elements or arrays length counts.
bool has_one_row(const isofold_request& request) {
  return request.shape == ISOFOLD_SHAPE_gather || request.shape == ISOFOLD_SHAPE_joined;
}

// The index arrays of segments, gathers and batches.
std::int32_t validate_lists_of(const isofold_request& request, const CaseFacts& facts,
                               Report& report) {
  const isofold_layout& layout = *request.layout;
  const std::int64_t bytes = layout.index_type == ISOFOLD_TYPE_i32 ? 4 : 8;
  const auto check = [&](const char* what, const void* list, std::int64_t entries) {
    return validate_list(what, list, entries, bytes, request, facts, report);
  };
  if (request.shape == ISOFOLD_SHAPE_gather) {
    return check("indices", layout.indices, request.length);
  }
  if (has_arrays(request)) {
    return check("ends", layout.ends, arrays_of(request));
  }
  if (has_counts(request)) {
    return check("ends", layout.ends, request.rows);
  }
  const bool offsets = layout.ends == nullptr;
  const std::int32_t code = check("begins", layout.begins, request.rows + (offsets ? 1 : 0));
  return code != ISOFOLD_ok || offsets ? code : check("ends", layout.ends, request.rows);
}

// The data, as far as it is known without reading an index.
std::int32_t validate_known(const char* what, const void* data, const isofold_request& request,
                            const CaseFacts& facts, Report& report) {
  const std::int64_t elements = request.layout->elements;
  if (has_arrays(request)) {
    CaseFacts of_pointers = facts;
    of_pointers.element_bytes = sizeof(void*);
    of_pointers.element_alignment = alignof(void*);
    return validate_input(what, data, arrays_of(request), request, of_pointers, report);
  }
  // Segments may all be empty.
  const bool may_be_null = request.shape == ISOFOLD_SHAPE_segments && elements == 0;
  return may_be_null && data == nullptr
             ? std::int32_t{ISOFOLD_ok}
             : validate_input(what, data, elements > 0 ? elements : 1, request, facts, report);
}

// Segments, gathers, batches.
std::int32_t validate_lists(const isofold_request& request, const CaseFacts& facts,
                            bool with_pointers, Report& report) {
  const isofold_layout& layout = *request.layout;
  const bool is_one_row = has_one_row(request);
  if (layout.index_type != ISOFOLD_TYPE_i32 && layout.index_type != ISOFOLD_TYPE_i64) {
    return report.fail(ISOFOLD_invalid_argument,
                       "Indices of type %d: they are i32 (%d) or i64 (%d).", layout.index_type,
                       ISOFOLD_TYPE_i32, ISOFOLD_TYPE_i64);
  }
  if (request.rows < 0 || request.length < 0 ||
      (is_one_row ? request.rows != 1 : request.length != 0 && !has_counts(request))) {
    return report.fail(ISOFOLD_invalid_argument,
                       "%" PRId64 " rows and length %" PRId64
                       ": a gather and a joined batch have 1 row, and length counts the indices or "
                       "arrays; segments and batches have length 0.",
                       request.rows, request.length);
  }
  if (layout.elements < 0 || layout.elements > INT64_MAX / facts.element_bytes) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The layout says that %" PRId64
                       " elements lie at data, or in arrays: there are 0, for a number that is not "
                       "known, to 2^63 - 1 bytes of them.",
                       layout.elements);
  }
  if (has_counts(request)) {
    if (const auto code = validate_counted_rows(request, facts, report); code != ISOFOLD_ok) {
      return code;
    }
  }
  const std::int64_t entries = is_one_row ? request.length : request.rows;
  if (!with_pointers || entries == 0) {
    return ISOFOLD_ok;
  }
  std::int32_t code = validate_lists_of(request, facts, report);
  code = code == ISOFOLD_ok ? validate_known("data", request.data, request, facts, report) : code;
  return code != ISOFOLD_ok || facts.arrays == 1
             ? code
             : validate_known("second array's", request.second, request, facts, report);
}

// The lowest and the highest of some entries. Without a branch an entry and with the vectors that
// the machine has, for a plain loop gathers them in little more time than reading them takes (2^24
// indices of 32 bits by a machine with AVX2: 5 ms by vectors of 16 bytes, 2 by those of 32).
template <class Index>
struct Bounds {
  Index lowest;
  Index highest;
};
template <class Index>
inline __attribute__((always_inline)) Bounds<Index> find_bounds(const Index* indices,
                                                                std::int64_t count) {
  Bounds<Index> bounds{indices[0], indices[0]};
  for (std::int64_t i = 1; i < count; ++i) {
    bounds.lowest = std::min(bounds.lowest, indices[i]);
    bounds.highest = std::max(bounds.highest, indices[i]);
  }
  return bounds;
}
#if defined(__x86_64__)
template <class Index>
__attribute__((target("avx2"))) Bounds<Index> bounds_by_avx2(const Index* indices,
                                                             std::int64_t count) {
  return find_bounds(indices, count);
}
#endif
template <class Index>
Bounds<Index> bounds_of(const Index* indices, std::int64_t count) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") != 0) {
    return bounds_by_avx2(indices, count);
  }
#endif
  return find_bounds(indices, count);
}

// The bounds of all parts.
template <class Index>
Bounds<Index> bounds_of(const Index* indices, std::int64_t count, const InParts& in_parts) {
  Bounds<Index> all{indices[0], indices[0]};
  std::mutex mutex;
  in_parts(count, [&](std::int64_t first, std::int64_t last) {
    if (first < last) {
      const Bounds<Index> here = bounds_of(indices + first, last - first);
      const std::lock_guard lock(mutex);
      all = {std::min(all.lowest, here.lowest), std::max(all.highest, here.highest)};
    }
  });
  return all;
}

// Each entry lies between 0 and `high`; from the lowest to the highest, that is `reach`.
template <class Index>
std::int32_t validate_range(const char* what, const Index* indices, std::int64_t count,
                            std::int64_t high, const InParts& in_parts, Reach* reach,
                            Report& report) {
  if (count == 0) {
    *reach = {high, 0, 0};
    return ISOFOLD_ok;
  }
  const auto [lowest, highest] = bounds_of(indices, count, in_parts);
  if (lowest < 0 || highest > high) {
    const Index* const wrong = std::find_if(indices, indices + count,
                                            [=](Index index) { return index < 0 || index > high; });
    return report.fail(
        ISOFOLD_invalid_argument,
        "Entry %" PRId64 " of the %s is %" PRId64 ", which is not between 0 and %" PRId64 ".",
        static_cast<std::int64_t>(wrong - indices), what, static_cast<std::int64_t>(*wrong), high);
  }
  *reach = {lowest, highest, static_cast<std::int64_t>(highest) - lowest + 1};
  return ISOFOLD_ok;
}

// What rows name: the first of them that is wrong, or none; and from where to where.
struct Named {
  std::int64_t wrong = INT64_MAX;
  std::int64_t lowest = INT64_MAX;
  std::int64_t highest = -1;

  void add(std::int64_t begin, std::int64_t end) {
    if (end > begin) {
      lowest = std::min(lowest, begin);
      highest = std::max(highest, end - 1);
    }
  }
  void add(const Named& other) {
    wrong = std::min(wrong, other.wrong);
    lowest = std::min(lowest, other.lowest);
    highest = std::max(highest, other.highest);
  }
  Reach reach() const { return {lowest, highest, highest < lowest ? 0 : highest - lowest + 1}; }
};

// name(row, &here) says what a row names, and whether it may.
template <class Name>
Named named_by(std::int64_t rows, const InParts& in_parts, Name&& name) {
  Named all;
  std::mutex mutex;
  in_parts(rows, [&](std::int64_t first, std::int64_t last) {
    Named here;
    for (std::int64_t r = first; r < last; ++r) {
      if (!name(r, &here)) {
        here.wrong = r;
        break;
      }
    }
    const std::lock_guard lock(mutex);
    all.add(here);
  });
  return all;
}

template <class Index>
std::int32_t validate_segments(const Index* begins, const Index* ends, std::int64_t rows,
                               std::int64_t high, const InParts& in_parts, Reach* reach,
                               Report& report) {
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
                       "Segment %" PRId64 " is [%" PRId64 ", %" PRId64
                       "): it must not end before it begins, and lie between 0 and %" PRId64 ".",
                       named.wrong, begin_of(named.wrong), end_of(named.wrong), high);
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
                       "Row %" PRId64 " has a count of %" PRId64
                       ": it must lie between 0 and %" PRId64 ", and the row within the data.",
                       named.wrong, static_cast<std::int64_t>(counts[named.wrong]), most);
  }
  *reach = named.reach();
  return ISOFOLD_ok;
}

// Of a joined batch, whose lengths are not negative: they add up to no more than there may be.
template <class Index>
std::int32_t validate_total(const Index* lengths, const isofold_request& request,
                            const CaseFacts& facts, Report& report) {
  const std::int64_t known = request.layout->elements;
  const std::int64_t most = known > 0 ? known : INT64_MAX / facts.element_bytes;
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < request.length; ++i) {
    const auto length = static_cast<std::int64_t>(lengths[i]);
    if (length > most - total) {
      return report.fail(
          ISOFOLD_invalid_argument,
          "Entry %" PRId64 " of the lengths, %" PRId64 ", takes the joined arrays beyond %" PRId64
          " elements, %s.",
          i, length, most,
          known > 0 ? "the most that the layout says there are" : "which are 2^63 - 1 bytes");
    }
    total += length;
  }
  return ISOFOLD_ok;
}

// Of a batch, joined or not: each is judged as an array.
template <class Index>
std::int32_t validate_arrays(const char* what, const void* list, const Index* lengths,
                             const isofold_request& request, const CaseFacts& facts,
                             Report& report) {
  const auto* const arrays = static_cast<const void* const*>(list);
  for (std::int64_t r = 0; r < arrays_of(request); ++r) {
    const auto length = static_cast<std::int64_t>(lengths[r]);
    if (validate_input(what, arrays[r], length, request, facts, report) != ISOFOLD_ok) {
      char name[64];
      std::snprintf(name, sizeof name, "%s %" PRId64, what, r);
      return validate_input(name, arrays[r], length, request, facts, report);
    }
  }
  return ISOFOLD_ok;
}

template <class Judge>
std::int32_t for_each_array(const isofold_request& request, const CaseFacts& facts, Judge&& judge) {
  const std::int32_t code = judge(false, request.data);
  return code != ISOFOLD_ok || facts.arrays == 1 ? code : judge(true, request.second);
}

template <class Index>
std::int32_t validate_entries(const isofold_request& request, const CaseFacts& facts,
                              const InParts& in_parts, Report& report) {
  const isofold_layout& layout = *request.layout;
  const auto* begins = static_cast<const Index*>(layout.begins);
  const auto* ends = static_cast<const Index*>(layout.ends);
  const std::int64_t high = layout.elements > 0 ? layout.elements : INT64_MAX / facts.element_bytes;
  Reach reach;
  if (has_arrays(request)) {
    std::int32_t code = validate_range("lengths", ends, arrays_of(request),
                                       INT64_MAX / facts.element_bytes, in_parts, &reach, report);
    if (code == ISOFOLD_ok && request.shape == ISOFOLD_SHAPE_joined) {
      code = validate_total(ends, request, facts, report);
    }
    return code != ISOFOLD_ok ? code
                              : for_each_array(request, facts, [&](bool second, const void* list) {
                                  return validate_arrays(second ? "second arrays'" : "arrays'",
                                                         list, ends, request, facts, report);
                                });
  }
  const std::int32_t code =
      has_counts(request) ? validate_row_counts(ends, request, high, in_parts, &reach, report)
      : request.shape == ISOFOLD_SHAPE_segments
          ? validate_segments(begins, ends, request.rows, high, in_parts, &reach, report)
          : validate_range("indices", static_cast<const Index*>(layout.indices), request.length,
                           high - 1, in_parts, &reach, report);
  return code != ISOFOLD_ok ? code
                            : for_each_array(request, facts, [&](bool second, const void* data) {
                                return validate_reach(second ? "second array's" : "data", data,
                                                      reach, request, facts, report);
                              });
}

}  // namespace

std::int32_t validate_layout(const isofold_request& request, const CaseFacts& facts,
                             bool with_pointers, Report& report) noexcept {
  if (request.layout->size != sizeof(isofold_layout)) {
    return report.fail(ISOFOLD_invalid_argument,
                       "isofold_layout.size is %" PRIu64 ", this library expects %zu; set it to "
                       "sizeof(isofold_layout) and build against this library's headers.",
                       request.layout->size, sizeof(isofold_layout));
  }
  if ((request.flags & ISOFOLD_STATE) != 0) {
    return report.fail(
        ISOFOLD_unsupported,
        "States, the material of a Forest, are of arrays and rows: pack the elements "
        "first.");
  }
  std::int32_t code = validate_bytes(request, facts, report);
  if (code == ISOFOLD_ok) {
    code = request.shape == ISOFOLD_SHAPE_box
               ? validate_box(request, facts, with_pointers, report)
               : validate_lists(request, facts, with_pointers, report);
  }
  if (code != ISOFOLD_ok) {
    return code;
  }
  const bool is_one_row = has_one_row(request);
  if ((request.flags & ISOFOLD_BLOCKING) != 0 &&
      (request.shape == ISOFOLD_SHAPE_box ? request.layout->kept != 0 : !is_one_row)) {
    return report.fail(ISOFOLD_invalid_argument,
                       "A blocking call returns one value: reduce %" PRId64
                       " rows into memory instead.",
                       request.rows);
  }
  if (with_pointers && request.rows != 0) {
    code = validate_result_and_arguments(request, facts, report);
    if (code == ISOFOLD_ok && (request.shape == ISOFOLD_SHAPE_box || is_one_row)) {
      code = validate_empty(request, facts.empty_is_error, report);
    }
  }
  return code;
}

std::int32_t validate_indices(const isofold_request& request, const CaseFacts& facts,
                              const InParts& in_parts, Report& report) noexcept {
  if (!has_layout(request) || request.shape == ISOFOLD_SHAPE_box) {
    return ISOFOLD_ok;
  }
  return request.layout->index_type == ISOFOLD_TYPE_i32
             ? validate_entries<std::int32_t>(request, facts, in_parts, report)
             : validate_entries<std::int64_t>(request, facts, in_parts, report);
}

std::int64_t bytes_of_indices(const isofold_request& request) noexcept {
  const std::int64_t entries = request.shape == ISOFOLD_SHAPE_gather ? request.length
                               : has_arrays(request)                 ? arrays_of(request)
                                                                     : request.rows;
  return entries * (request.layout->index_type == ISOFOLD_TYPE_i32 ? 4 : 8);
}

bool is_plain_box(const isofold_request& request, isofold_request* plain) noexcept {
  if (request.shape != ISOFOLD_SHAPE_box || request.layout->mask != nullptr) {
    return false;
  }
  const isofold_layout& layout = *request.layout;
  std::int64_t stride = 0;
  std::int64_t second_stride = 0;
  const bool two = isofold_fold_arrays(request.fold) == 2;
  const auto is_rows = [&](const std::int64_t* strides, std::int64_t* row_stride) {
    return Dimensions(layout, ~layout.kept, strides).is_contiguous() &&
           Dimensions(layout, layout.kept, strides).has_one_stride(row_stride) &&
           (request.rows <= 1 || *row_stride >= request.length);
  };
  if (!is_rows(layout.strides, &stride) ||
      (two && !is_rows(layout.second_strides, &second_stride))) {
    return false;
  }
  *plain = request;
  plain->shape = layout.kept == 0 ? ISOFOLD_SHAPE_array : ISOFOLD_SHAPE_rows;
  plain->layout = nullptr;
  // Strides of rows without elements may be anything, and are no rows' strides then.
  const bool steps = request.rows > 1 && request.length > 0;
  plain->stride = steps ? stride : request.length;
  plain->second_stride = steps ? second_stride : request.length;
  return true;
}

}  // namespace isofold
