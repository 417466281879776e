// Boxes: dimensions of any strides, some of them kept as rows, perhaps under a mask.
#include <cinttypes>

#include <layout/box_rows.hpp>
#include <layout/checks.hpp>
#include <layout/kinds.hpp>
#include <layout/masked_rows.hpp>
#include <request/validate_counts.hpp>

namespace isofold {
namespace {

using backend_interface::Report;

struct Extent {
  std::int64_t rows = 1;
  std::int64_t length = 1;
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

std::int32_t find_reach(const char* what, const isofold_layout& layout, const std::int64_t* strides,
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
                         ", takes the %s beyond 2^63 - 1 bytes.",
                         d, layout.extents[d], strides[d], what);
    }
  }
  return ISOFOLD_ok;
}

bool has_elements(const isofold_request& request) {
  return request.rows != 0 && request.length != 0;
}

std::int32_t validate_box_array(const char* what, const void* data, const std::int64_t* strides,
                                const isofold_request& request, const CaseFacts& facts,
                                bool with_pointers, Report& report) {
  if (!has_elements(request)) {
    return ISOFOLD_ok;
  }
  Reach reach;
  const std::int32_t code =
      find_reach("box", *request.layout, strides, facts.element_bytes, &reach, report);
  return code != ISOFOLD_ok || !with_pointers
             ? code
             : validate_reach(what, data, reach, request, facts, report);
}

std::int32_t validate_mask_kind(const isofold_layout& layout, bool may_be_null, Report& report) {
  const bool known = layout.mask_type >= ISOFOLD_MASK_bytes &&  //
                     layout.mask_type <= ISOFOLD_MASK_strided_bytes;
  if (layout.mask != nullptr ? !known : layout.mask_type != 0 && !(known && may_be_null)) {
    return report.fail(ISOFOLD_invalid_argument,
                       "A mask at %p of type %d: there are 1 (bytes), 2 (bits) and 3 (strided "
                       "bytes), and 0 where the pointer is null.",
                       layout.mask, layout.mask_type);
  }
  for (int d = 0; layout.mask_type != ISOFOLD_MASK_strided_bytes && d < ISOFOLD_MOST_DIMENSIONS;
       ++d) {
    if (layout.mask_strides[d] != 0) {
      return report.fail(ISOFOLD_invalid_argument,
                         "A mask of type %d with a stride of %" PRId64
                         " in dimension %d: those of type 3 (strided bytes) have strides, of "
                         "others all are 0.",
                         layout.mask_type, layout.mask_strides[d], d);
    }
  }
  return ISOFOLD_ok;
}

std::int32_t validate_mask(const isofold_request& request, const CaseFacts& facts,
                           bool with_pointers, Report& report) {
  const isofold_layout& layout = *request.layout;
  std::int32_t code = validate_mask_kind(layout, !has_elements(request), report);
  if (code != ISOFOLD_ok || layout.mask == nullptr || !has_elements(request)) {
    return code;
  }
  CaseFacts of_mask = facts;
  of_mask.element_bytes = 1;
  of_mask.element_alignment = 1;
  Reach reach;
  if (layout.mask_type == ISOFOLD_MASK_strided_bytes) {
    code = find_reach("mask", layout, layout.mask_strides, 1, &reach, report);
  } else {
    const std::int64_t entries = request.rows * request.length;
    const bool of_bits = layout.mask_type == ISOFOLD_MASK_bits;
    reach.elements = of_bits ? entries / 8 + (entries % 8 != 0) : entries;
  }
  return code != ISOFOLD_ok || !with_pointers
             ? code
             : validate_reach("mask", layout.mask, reach, request, of_mask, report);
}

std::int32_t validate_box(const isofold_request& request, const CaseFacts& facts,
                          bool with_pointers, Report& report) {
  const isofold_layout& layout = *request.layout;
  Extent extent;
  std::int32_t code = validate_bytes(request, facts, false, report);
  code = code == ISOFOLD_ok ? validate_dimensions(layout, &extent, report) : code;
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

class BoxLayout final : public Layout {
 public:
  std::int32_t validate(const isofold_request& request, const CaseFacts& facts, bool with_pointers,
                        Report& report) const override {
    return validate_box(request, facts, with_pointers, report);
  }
  std::int64_t entries(const isofold_request& request) const override { return request.length; }
  bool has_one_result(const isofold_request& request) const override {
    return request.layout->kept == 0;
  }
  bool has_strided_mask(const isofold_request& request) const override {
    const isofold_layout& layout = *request.layout;
    return layout.mask_type == ISOFOLD_MASK_strided_bytes && has_elements(request) &&
           !Dimensions(layout, ~0U, layout.mask_strides).is_contiguous();
  }
  // A box is plain without a mask if each row is one stretch of memory.
  bool is_plain(const isofold_request& request, isofold_request* plain) const override {
    if (request.layout->mask != nullptr) {
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
  const void* address(const isofold_request& request, std::int64_t element_bytes, std::int64_t row,
                      std::int64_t index) const override {
    const isofold_layout& layout = *request.layout;
    const std::int64_t in_row = layout.mask != nullptr && has_packed_index(request)
                                    ? isofold_packed::number_of_taken(request, row, index)
                                    : index;
    if (in_row >= request.length) {
      return nullptr;
    }
    return static_cast<const char*>(request.data) +
           (Dimensions(layout, layout.kept, layout.strides).offset(row) +
            Dimensions(layout, ~layout.kept, layout.strides).offset(in_row)) *
               element_bytes;
  }
  const PackedRows* rows(void* room, const RowsOf& of) const override {
    return of.request.layout->mask != nullptr ? of.make<isofold_packed::MaskedRows>(room)
                                              : of.make<isofold_packed::BoxRows>(room);
  }
  const char* why_empty() const override {
    return "the mask takes none, or skip_nan leaves all of them out";
  }
  const char* what_is_counted() const override { return "mask's entries"; }
};

}  // namespace

const Layout& box_layout() noexcept {
  static const BoxLayout layout;
  return layout;
}

}  // namespace isofold
