// Marks the elements that are no NaN, block by block, so that a block's marks stay in cache while
// both arrays and the mask are read.
#include <layout/number_mask.hpp>

#include <algorithm>

#include <layout/dimensions.hpp>
#include <layout/masked_rows.hpp>
#include <request/nan_format.hpp>

namespace isofold {
namespace {

constexpr std::int64_t block = 4096;  // elements

// Clears the marks of elements `stride` parts apart that are a NaN.
template <class Word>
void clear_nans(const Word* x, std::int64_t stride, std::int64_t count, Word infinity,
                unsigned char* marks) {
  constexpr Word without_sign = static_cast<Word>(~Word{0}) >> 1;
  const auto mark = [&](std::int64_t i, Word bits) {
    marks[i] &= static_cast<unsigned char>((bits & without_sign) <= infinity ? 1 : 0);
  };
  if (stride == 1) {
    for (std::int64_t i = 0; i < count; ++i) {
      mark(i, x[i]);
    }
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      mark(i, x[i * stride]);
    }
  }
}

template <class Word>
void clear_nans(const NanFormat& format, const void* data, const Dimensions& places,
                std::int64_t first, std::int64_t count, unsigned char* marks) {
  places.for_runs(first, count, [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
    for (int part = 0; part < format.parts; ++part) {
      clear_nans(static_cast<const Word*>(data) + offset * format.parts + part,
                 stride * format.parts, run, static_cast<Word>(format.infinity), marks);
    }
    marks += run;
  });
}

void clear_nans(const NanFormat& format, const void* data, const Dimensions& places,
                std::int64_t first, std::int64_t count, unsigned char* marks) {
  switch (format.bytes) {
    case 2: return clear_nans<std::uint16_t>(format, data, places, first, count, marks);
    case 4: return clear_nans<std::uint32_t>(format, data, places, first, count, marks);
    case 8: return clear_nans<std::uint64_t>(format, data, places, first, count, marks);
    default: return;  // there are none
  }
}

}  // namespace

bool is_box(const isofold_request& request) {
  return request.shape == ISOFOLD_SHAPE_array || request.shape == ISOFOLD_SHAPE_rows ||
         request.shape == ISOFOLD_SHAPE_box;
}

std::int32_t refuse_no_box(const isofold_request& request, backend_interface::Report& report) {
  return report.fail(ISOFOLD_unsupported,
                     "ISOFOLD_SKIP_NAN leaves the NaNs out of arrays, rows and boxes, and this is "
                     "shape %d: copy its elements to an array.",
                     request.shape);
}

void make_box(const isofold_request& request, isofold_request* box, isofold_layout* layout) {
  *box = request;
  box->shape = ISOFOLD_SHAPE_box;
  box->layout = layout;
  if (request.shape == ISOFOLD_SHAPE_box) {
    *layout = *request.layout;
    return;
  }
  *layout = {};
  layout->size = sizeof *layout;
  const bool has_rows = request.shape == ISOFOLD_SHAPE_rows;
  const int inner = has_rows ? 1 : 0;
  layout->dimensions = inner + 1;
  layout->kept = has_rows ? 1 : 0;
  layout->extents[0] = request.rows;
  layout->strides[0] = request.stride;
  layout->second_strides[0] = request.second_stride;
  layout->extents[inner] = request.length;
  layout->strides[inner] = 1;
  layout->second_strides[inner] = 1;
}

void set_mask(isofold_layout* layout, const void* mask, std::int32_t type) {
  layout->mask = mask;
  layout->mask_type = type;
  std::fill_n(layout->mask_strides, ISOFOLD_MOST_DIMENSIONS, 0);
}

void mark_numbers(const isofold_request& box, const InParts& in_parts, unsigned char* marks) {
  const isofold_layout& layout = *box.layout;
  const NanFormat format = nan_format(box.type);
  const std::int64_t entries = box.rows * box.length;
  const Dimensions places(layout, ~0U, layout.strides);
  const Dimensions second_places(layout, ~0U, layout.second_strides);
  in_parts((entries - 1) / block + 1, [&](std::int64_t number, std::int64_t last) {
    for (; number < last; ++number) {
      const std::int64_t first = number * block;
      const std::int64_t count = std::min(block, entries - first);
      unsigned char* const here = marks + first;
      if (layout.mask != nullptr) {
        isofold_packed::read_entries(layout, first, count, here);
      } else {
        std::fill_n(here, count, static_cast<unsigned char>(1));
      }
      clear_nans(format, box.data, places, first, count, here);
      if (box.second != nullptr) {
        clear_nans(format, box.second, second_places, first, count, here);
      }
    }
  });
}

}  // namespace isofold
