// Makes a layout of the library from the options, and checks what the library cannot say of a file.
#include "layout.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "failure.hpp"
#include "npy.hpp"
#include "pieces.hpp"

namespace cli {
namespace {

[[noreturn]] void refuse_axis(const std::string& text, const std::string& why) {
  throw Failure(Exit::bad_input, "--axis '" + text + "' " + why);
}

// The bits of the dimensions that `text` names, out of `dimensions`.
std::uint32_t axes_of(const std::string& text, std::size_t dimensions) {
  const auto count = static_cast<std::int64_t>(dimensions);
  std::uint32_t axes = 0;
  for (const std::string& part : split(text, ',')) {
    const std::optional<std::int64_t> axis = integer_of(part);
    if (!axis.has_value()) {
      refuse_axis(text,
                  "holds '" + part +
                      "', which is no integer of 64 bits; write the numbers of the dimensions to "
                      "reduce, such as 0,2.");
    }
    if (*axis < -count || *axis >= count) {
      refuse_axis(text, "names dimension " + part + " of " + std::to_string(count) +
                            "; they count from 0, and backwards from -1.");
    }
    const std::uint32_t bit = 1U << (*axis < 0 ? *axis + count : *axis);
    if ((axes & bit) != 0) {
      refuse_axis(text, "names dimension " + part + " twice; name it once.");
    }
    axes |= bit;
  }
  return axes;
}

// Entry i of an index array.
std::int64_t index_at(const void* indices, isofold::Type type, std::int64_t i) {
  return type == isofold::Type::i32 ? static_cast<const std::int32_t*>(indices)[i]
                                    : static_cast<const std::int64_t*>(indices)[i];
}

// The whole content of an option's file.
const void* read_all(Source& source, std::int64_t& entries) {
  const void* data = source.all(entries);
  source.expect_end();
  return data;
}

}  // namespace

Layout::Layout(const Selection& selection, const std::vector<std::int64_t>& extents) {
  layout_.size = sizeof layout_;
  if (selection.segments.has_value()) {
    take_segments(*selection.segments, extents.front());
    return;
  }
  const Box box = box_of(selection.box.value_or(":"), extents);
  const std::size_t dimensions = box.extents.size();
  take_box(box, selection.axis.has_value() ? axes_of(*selection.axis, dimensions) : ~0U);
  if (selection.mask.has_value()) {
    take_mask(*selection.mask, box);
  }
}

void Layout::take_box(const Box& box, std::uint32_t reduced) {
  first_ = box.first;
  shape_ = {ISOFOLD_SHAPE_box, 1, 1, &layout_};
  // A box of the library has at least one dimension: a single element is one of extent 1.
  layout_.dimensions = 1;
  layout_.extents[0] = 1;
  layout_.strides[0] = 1;
  for (std::size_t d = 0; d < box.extents.size(); ++d) {
    layout_.dimensions = static_cast<std::int32_t>(d) + 1;
    layout_.extents[d] = box.extents[d];
    layout_.strides[d] = box.strides[d];
    layout_.second_strides[d] = box.strides[d];
    if ((reduced >> d & 1U) != 0) {
      shape_.length *= box.extents[d];
    } else {
      layout_.kept |= 1U << d;
      kept_.push_back(box.extents[d]);
      shape_.rows *= box.extents[d];
    }
  }
  count_ = shape_.rows * shape_.length;
}

void Layout::take_mask(const std::string& path, const Box& box) {
  mask_.emplace(path, RawFormat(), Use::mask);
  if (mask_->extents() != box.extents) {
    throw Failure(Exit::bad_input, "The mask '" + mask_->name() + "' has the shape " +
                                       npy::shape_text(mask_->extents()) +
                                       ", and the data that it masks have " +
                                       npy::shape_text(box.extents) +
                                       "; a mask has an entry for each element that --box takes.");
  }
  std::int64_t entries = 0;
  layout_.mask = read_all(*mask_, entries);
  layout_.mask_type = ISOFOLD_MASK_bytes;
  const auto* bytes = static_cast<const unsigned char*>(layout_.mask);
  count_ = entries - std::count(bytes, bytes + entries, 0);
}

void Layout::take_segments(const std::string& path, std::int64_t elements) {
  offsets_.emplace(path, RawFormat(), Use::offsets);
  std::int64_t entries = 0;
  const void* offsets = read_all(*offsets_, entries);
  // Unsigned offsets of 64 bits that are no signed ones come out negative, and are refused so.
  const bool is_narrow = offsets_->type() == isofold::Type::i32;
  const isofold::Type type = is_narrow ? isofold::Type::i32 : isofold::Type::i64;
  if (offsets_->type() == isofold::Type::u32) {
    const auto* narrow = static_cast<const std::uint32_t*>(offsets);
    wide_offsets_.assign(narrow, narrow + entries);
    offsets = wide_offsets_.data();
  }
  if (entries == 0) {
    throw Failure(Exit::bad_input, "'" + offsets_->name() +
                                       "' holds no offset; n segments lie between n + 1 of them.");
  }
  const std::int64_t begin = index_at(offsets, type, 0);
  const std::int64_t end = index_at(offsets, type, entries - 1);
  // The library checks the offsets between these two, but not the ends if there are no elements.
  if (begin < 0 || end < begin || end > elements) {
    throw Failure(Exit::bad_input, "The offsets of '" + offsets_->name() + "' lead from " +
                                       std::to_string(begin) + " to " + std::to_string(end) +
                                       ", and there are " + std::to_string(elements) +
                                       " elements; they never decrease, and end within the data.");
  }
  layout_.index_type = static_cast<std::int32_t>(type);
  layout_.begins = offsets;
  layout_.elements = elements;
  shape_ = {ISOFOLD_SHAPE_segments, entries - 1, 0, &layout_};
  kept_ = {entries - 1};
  count_ = end - begin;
}

}  // namespace cli
