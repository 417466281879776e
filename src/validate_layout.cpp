#include <validate_layout.hpp>

#include <cinttypes>

#include <packed_rows.hpp>
#include <validate_counts.hpp>

namespace isofold {
namespace {

using contract::Report;

struct Extent {
  std::int64_t rows = 1;
  std::int64_t length = 1;
};

// Offsets, in elements, of the first and the last element in memory.
struct Reach {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};

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
  bool is_empty = false;
  for (int d = 0; d < layout.dimensions; ++d) {
    if (layout.extents[d] < 0) {
      return report.fail(ISOFOLD_invalid_argument,
                         "The extent of dimension %d is %" PRId64 "; it cannot be negative.", d,
                         layout.extents[d]);
    }
    is_empty = is_empty || layout.extents[d] == 0;
    std::int64_t* const product = (layout.kept >> d & 1U) != 0 ? &extent->rows : &extent->length;
    overflows = __builtin_mul_overflow(*product, layout.extents[d], product) || overflows;
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
        __builtin_mul_overflow(reach->highest, element_bytes, &bytes) ||
        __builtin_sub_overflow(bytes, reach->lowest * element_bytes, &bytes)) {
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
  if (code != ISOFOLD_ok || !with_pointers) {
    return code;
  }
  const auto* const first =
      data == nullptr ? nullptr
                      : static_cast<const char*>(data) + reach.lowest * facts.element_bytes;
  return validate_input(what, first, reach.highest - reach.lowest + 1, request, facts, report);
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
  const bool known_mask =
      layout.mask_type == ISOFOLD_MASK_bytes || layout.mask_type == ISOFOLD_MASK_bits;
  if (layout.mask != nullptr ? !known_mask : layout.mask_type != 0) {
    return report.fail(ISOFOLD_invalid_argument,
                       "A mask at %p of type %d: there are 1 (bytes) and 2 (bits), and 0 where the "
                       "pointer is null.",
                       layout.mask, layout.mask_type);
  }
  code = validate_box_array("data", request.data, layout.strides, request, facts, with_pointers,
                            report);
  return code != ISOFOLD_ok || facts.arrays == 1
             ? code
             : validate_box_array("second array's", request.second, layout.second_strides, request,
                                  facts, with_pointers, report);
}

std::int32_t refuse_null(const char* what, std::int64_t entries, Report& report) {
  return report.fail(ISOFOLD_invalid_argument,
                     "The layout's %s are null, yet %" PRId64 " entries are to be read.", what,
                     entries);
}

// Segments, gathers, batches.
std::int32_t validate_lists(const isofold_request& request, const CaseFacts& facts,
                            bool with_pointers, Report& report) {
  const isofold_layout& layout = *request.layout;
  const bool gathers = request.shape == ISOFOLD_SHAPE_gather;
  if (layout.index_type != ISOFOLD_TYPE_i32 && layout.index_type != ISOFOLD_TYPE_i64) {
    return report.fail(ISOFOLD_invalid_argument,
                       "Indices of type %d: they are i32 (%d) or i64 (%d).", layout.index_type,
                       ISOFOLD_TYPE_i32, ISOFOLD_TYPE_i64);
  }
  if (request.rows < 0 || request.length < 0 ||
      (gathers ? request.rows != 1 : request.length != 0)) {
    return report.fail(ISOFOLD_invalid_argument,
                       "%" PRId64 " rows and length %" PRId64
                       ": a gather has 1 row, and length counts its indices; segments and batches "
                       "have length 0.",
                       request.rows, request.length);
  }
  if (layout.elements < 0) {
    return report.fail(ISOFOLD_invalid_argument,
                       "The layout says that %" PRId64 " elements lie at data; 0 is for a number "
                       "that is not known.",
                       layout.elements);
  }
  const std::int64_t entries = gathers ? request.length : request.rows;
  if (!with_pointers || entries == 0) {
    return ISOFOLD_ok;
  }
  if (request.shape == ISOFOLD_SHAPE_segments && layout.begins == nullptr) {
    return refuse_null("begins", entries, report);
  }
  if (request.shape == ISOFOLD_SHAPE_batch && layout.ends == nullptr) {
    return refuse_null("ends", entries, report);
  }
  if (gathers && layout.indices == nullptr) {
    return refuse_null("indices", entries, report);
  }
  // How many elements lie at data is known only where the caller says so.
  const bool batch = request.shape == ISOFOLD_SHAPE_batch;
  const std::int64_t known = batch ? 0 : layout.elements;
  CaseFacts of_data = facts;
  of_data.element_bytes = batch ? static_cast<std::int64_t>(sizeof(void*)) : facts.element_bytes;
  std::int32_t code =
      validate_input("data", request.data, known > 0 ? known : 1, request, of_data, report);
  if (code == ISOFOLD_ok && facts.arrays == 2) {
    code = validate_input("second array's", request.second, known > 0 ? known : 1, request, of_data,
                          report);
  }
  return code;
}

// Of one index array: each entry between low and high, and none before the one that it follows.
template <class Index>
std::int32_t validate_range(const char* what, const Index* indices, std::int64_t count,
                            std::int64_t high, Report& report) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (indices[i] < 0 || indices[i] > high) {
      return report.fail(ISOFOLD_invalid_argument,
                         "Entry %" PRId64 " of the %s is %" PRId64
                         ", which is not between 0 and %" PRId64 ".",
                         i, what, static_cast<std::int64_t>(indices[i]), high);
    }
  }
  return ISOFOLD_ok;
}

template <class Index>
std::int32_t validate_segments(const Index* begins, const Index* ends, std::int64_t rows,
                               std::int64_t high, Report& report) {
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto begin = static_cast<std::int64_t>(begins[r]);
    const auto end = static_cast<std::int64_t>(ends[r]);
    if (begin < 0 || end < begin || end > high) {
      return report.fail(ISOFOLD_invalid_argument,
                         "Segment %" PRId64 " is [%" PRId64 ", %" PRId64
                         "): it must not end before it begins, and lie between 0 and %" PRId64 ".",
                         r, begin, end, high);
    }
  }
  return ISOFOLD_ok;
}

template <class Index>
std::int32_t validate_entries(const isofold_request& request, Report& report) {
  const isofold_layout& layout = *request.layout;
  const auto* begins = static_cast<const Index*>(layout.begins);
  const auto* ends = static_cast<const Index*>(layout.ends);
  const std::int64_t high = layout.elements > 0 ? layout.elements : INT64_MAX;
  switch (request.shape) {
    case ISOFOLD_SHAPE_segments:
      return validate_segments(begins, ends != nullptr ? ends : begins + 1, request.rows, high,
                               report);
    case ISOFOLD_SHAPE_batch:
      return validate_range("lengths", ends, request.rows, INT64_MAX, report);
    default:
      return validate_range("indices", static_cast<const Index*>(layout.indices), request.length,
                            layout.elements > 0 ? high - 1 : INT64_MAX, report);
  }
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
  std::int32_t code = request.shape == ISOFOLD_SHAPE_box
                          ? validate_box(request, facts, with_pointers, report)
                          : validate_lists(request, facts, with_pointers, report);
  if (code != ISOFOLD_ok) {
    return code;
  }
  if ((request.flags & ISOFOLD_BLOCKING) != 0 &&
      (request.shape == ISOFOLD_SHAPE_box ? request.layout->kept != 0
                                          : request.shape != ISOFOLD_SHAPE_gather)) {
    return report.fail(ISOFOLD_invalid_argument,
                       "A blocking call returns one value: reduce %" PRId64
                       " rows into memory instead.",
                       request.rows);
  }
  if (with_pointers && request.rows != 0) {
    code = validate_result_and_arguments(request, facts, report);
    const bool counted =
        request.shape == ISOFOLD_SHAPE_box || request.shape == ISOFOLD_SHAPE_gather;
    if (code == ISOFOLD_ok && counted) {
      code = validate_empty(request, facts.empty_is_error, report);
    }
  }
  return code;
}

std::int32_t validate_indices(const isofold_request& request, Report& report) noexcept {
  if (!has_layout(request) || request.shape == ISOFOLD_SHAPE_box) {
    return ISOFOLD_ok;
  }
  return request.layout->index_type == ISOFOLD_TYPE_i32
             ? validate_entries<std::int32_t>(request, report)
             : validate_entries<std::int64_t>(request, report);
}

bool is_plain_box(const isofold_request& request, isofold_request* plain) noexcept {
  if (request.shape != ISOFOLD_SHAPE_box || request.layout->mask != nullptr) {
    return false;
  }
  const isofold_layout& layout = *request.layout;
  std::int64_t stride = 0;
  std::int64_t second_stride = 0;
  const bool two = request.second != nullptr;
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
  plain->stride = request.rows > 1 ? stride : request.length;
  plain->second_stride = request.rows > 1 ? second_stride : request.length;
  return true;
}

}  // namespace isofold
