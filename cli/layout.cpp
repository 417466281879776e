// Makes a layout of the library from the options, and checks what the library cannot say of a file.
#include "layout.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "failure.hpp"
#include "npy.hpp"
#include "pieces.hpp"
#include "types.hpp"

namespace cli {
namespace {

[[noreturn]] void refuse_axis(const std::string& text, const std::string& why) {
  throw Failure(Exit::bad_input, "--axis '" + text + "' " + why);
}

// True for the dimensions that `text` names, out of `dimensions`.
std::vector<bool> axes_of(const std::string& text, std::size_t dimensions) {
  const auto count = static_cast<std::int64_t>(dimensions);
  std::vector<bool> axes(dimensions);
  for (const std::string& part : split(within_brackets(text), ',')) {
    const std::optional<std::int64_t> axis = integer_of(part);
    if (!axis.has_value()) {
      refuse_axis(text,
                  "holds '" + part +
                      "', which is no integer of 64 bits; write the numbers of the dimensions to "
                      "reduce, such as 0,2.");
    }
    if (count == 0) {
      refuse_axis(text,
                  "names a dimension, and the data have none; leave it out to reduce the element.");
    }
    if (*axis < -count || *axis >= count) {
      refuse_axis(text, "names dimension " + part + " of " + std::to_string(count) +
                            "; they count from 0, and backwards from -1.");
    }
    const auto d = static_cast<std::size_t>(*axis < 0 ? *axis + count : *axis);
    if (axes[d]) {
      refuse_axis(text, "names dimension " + part + " twice; name it once.");
    }
    axes[d] = true;
  }
  return axes;
}

// A dimension, or several neighbours that are walked through as one.
struct Dimension {
  std::int64_t extent;
  std::int64_t stride;
  bool is_reduced;
};

// The dimensions of a box in the fewest that have the same elements in the same order: extents of 1
// go away, and neighbours of a kind merge where the outer one's stride is the inner one's length.
std::vector<Dimension> collapsed(const Box& box, const std::vector<bool>& reduced) {
  const bool is_empty = std::count(box.extents.begin(), box.extents.end(), 0) > 0;
  std::vector<Dimension> all;
  for (std::size_t d = 0; d < box.extents.size(); ++d) {
    const Dimension inner{box.extents[d], box.strides[d], reduced[d]};
    if (inner.extent == 1) {
      continue;
    }
    if (!all.empty() && all.back().is_reduced == inner.is_reduced &&
        (is_empty || all.back().stride == inner.stride * inner.extent)) {
      all.back() = {all.back().extent * inner.extent, inner.stride, inner.is_reduced};
    } else {
      all.push_back(inner);
    }
  }
  return all;
}

// Entry i of an index array. Unsigned ones from 2^63 on are negative, and refused as that.
std::int64_t index_at(const void* indices, isofold::Type type, std::int64_t i) {
  return type == isofold::Type::i32 ? static_cast<const std::int32_t*>(indices)[i]
                                    : static_cast<const std::int64_t*>(indices)[i];
}
// An index as the file has it.
std::string index_text(std::int64_t index, isofold::Type type) {
  return type == isofold::Type::u64 ? std::to_string(static_cast<std::uint64_t>(index))
                                    : std::to_string(index);
}

// Integers of any type as those of 64 bits.
std::vector<std::int64_t> widened(const void* integers, isofold::Type type, std::int64_t count) {
  std::vector<std::int64_t> wide;
  visit_type(type, [&](auto typed) {
    using T = decltype(typed);
    if constexpr (std::is_integral_v<T>) {
      const auto* narrow = static_cast<const T*>(integers);
      wide.assign(narrow, narrow + count);
    }
  });
  return wide;
}

// The mask of a box, made of one that repeats as numpy broadcasts: along the dimensions that it
// does not have, in front, and along those of extent 1.
std::vector<unsigned char> repeated(const unsigned char* mask,
                                    const std::vector<std::int64_t>& extents,
                                    const std::vector<std::int64_t>& box) {
  // A length of 0 in every dimension along which it repeats.
  std::vector<std::int64_t> strides(box.size());
  std::int64_t length = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    strides[box.size() - extents.size() + d] = extents[d] == 1 ? 0 : length;
    length *= extents[d];
  }
  std::int64_t count = 1;
  for (const std::int64_t extent : box) {
    count *= extent;
  }
  std::vector<unsigned char> wide(static_cast<std::size_t>(count));
  std::vector<std::int64_t> position(box.size());
  std::int64_t from = 0;
  for (unsigned char& entry : wide) {
    entry = mask[from];
    for (std::size_t d = box.size(); d-- > 0;) {
      from += strides[d];
      if (++position[d] < box[d]) {
        break;
      }
      from -= strides[d] * box[d];
      position[d] = 0;
    }
  }
  return wide;
}

// This tells whether numpy broadcasts an array of these extents to a box.
bool repeats_to(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& box) {
  return extents.size() <= box.size() &&
         std::equal(extents.rbegin(), extents.rend(), box.rbegin(),
                    [](std::int64_t one, std::int64_t all) { return one == 1 || one == all; });
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
  const Box box = box_of(selection.box.value_or("..."), extents);
  const std::size_t dimensions = box.extents.size();
  take_box(box, selection.axis.has_value() ? axes_of(*selection.axis, dimensions)
                                           : std::vector<bool>(dimensions, true));
  if (selection.mask.has_value()) {
    take_mask(*selection.mask, box);
  }
}

void Layout::take_box(const Box& box, const std::vector<bool>& reduced) {
  first_ = box.first;
  extents_ = box.extents;
  shape_ = {ISOFOLD_SHAPE_box, 1, 1, &layout_};
  for (std::size_t d = 0; d < box.extents.size(); ++d) {
    if (reduced[d]) {
      shape_.length *= box.extents[d];
    } else {
      kept_.push_back(box.extents[d]);
      shape_.rows *= box.extents[d];
    }
  }
  count_ = shape_.rows * shape_.length;
  const std::vector<Dimension> all = collapsed(box, reduced);
  if (all.size() > ISOFOLD_MOST_DIMENSIONS) {
    throw Failure(Exit::bad_input,
                  "The data have " + std::to_string(box.extents.size()) +
                      " dimensions, which --axis and --box leave as " + std::to_string(all.size()) +
                      " when neighbours that lie side by side are merged; isofold "
                      "reduces up to " +
                      std::to_string(ISOFOLD_MOST_DIMENSIONS) +
                      ": store the array with the dimensions to reduce behind the others, such as "
                      "with numpy's "
                      "np.save('y.npy', np.moveaxis(x, AXES, range(-len(AXES), 0))).");
  }
  // A box of the library has at least one dimension: a single element is one of extent 1.
  layout_.dimensions = 1;
  layout_.extents[0] = 1;
  layout_.strides[0] = 1;
  for (std::size_t d = 0; d < all.size(); ++d) {
    layout_.dimensions = static_cast<std::int32_t>(d) + 1;
    layout_.extents[d] = all[d].extent;
    layout_.strides[d] = all[d].stride;
    layout_.second_strides[d] = all[d].stride;
    if (!all[d].is_reduced) {
      layout_.kept |= 1U << d;
    }
  }
}

void Layout::take_mask(const std::string& path, const Box& box) {
  mask_.emplace(path, RawFormat(), Use::mask);
  if (!repeats_to(mask_->extents(), box.extents)) {
    throw Failure(
        Exit::bad_input,
        "The mask '" + mask_->name() + "' has the shape " + npy::shape_text(mask_->extents()) +
            ", and the data that it masks have " + npy::shape_text(box.extents) +
            "; a mask has an entry for each element that --box takes, or repeats as numpy "
            "broadcasts.");
  }
  std::int64_t entries = 0;
  const auto* bytes = static_cast<const unsigned char*>(read_all(*mask_, entries));
  if (mask_->extents() != box.extents) {
    wide_mask_ = repeated(bytes, mask_->extents(), box.extents);
    bytes = wide_mask_.data();
  }
  layout_.mask = bytes;
  layout_.mask_type = bytes != nullptr ? ISOFOLD_MASK_bytes : 0;  // none of no elements
  count_ -= std::count(bytes, bytes + count_, 0);
}

void Layout::take_segments(const std::string& path, std::int64_t elements) {
  offsets_.emplace(path, RawFormat(), Use::offsets);
  std::int64_t entries = 0;
  const void* offsets = read_all(*offsets_, entries);
  // Devices take signed ones of 32 bits, and any of 64.
  isofold::Type type = offsets_->type();
  if (type != isofold::Type::i32 && type != isofold::Type::i64 && type != isofold::Type::u64) {
    wide_offsets_ = widened(offsets, type, entries);
    offsets = wide_offsets_.data();
    type = isofold::Type::i64;
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
                                       index_text(begin, type) + " to " + index_text(end, type) +
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
