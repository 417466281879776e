// NumPy's rules of slices, applied to one dimension after the other.
#include "slices.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>

#include "failure.hpp"
#include "pieces.hpp"

namespace cli {
namespace {

// The part of one dimension that is left.
struct Cut {
  std::int64_t first;
  std::int64_t extent;
  std::int64_t step;
  bool picks;  // one index: the dimension disappears
};

// One dimension, and the text of its slice.
struct Slice {
  std::string text;
  std::size_t dimension;
  std::int64_t extent;

  [[noreturn]] void refuse(const std::string& why) const {
    throw Failure(Exit::bad_input, "--box: '" + text + "' for dimension " +
                                       std::to_string(dimension) + ", of extent " +
                                       std::to_string(extent) + ", " + why);
  }
  std::int64_t integer(const std::string& part) const {
    const std::optional<std::int64_t> value = integer_of(part);
    if (!value.has_value()) {
      refuse("holds '" + part +
             "', which is no integer of 64 bits; write start:stop:step as in 1:-1, : for the whole "
             "dimension, "
             "or one index.");
    }
    return *value;
  }
  std::int64_t integer_or(const std::string& part, std::int64_t otherwise) const {
    return part.empty() ? otherwise : integer(part);
  }
};

Cut pick(const Slice& slice) {
  const std::int64_t index = slice.integer(slice.text);
  if (index < -slice.extent || index >= slice.extent) {
    slice.refuse("is no index of it; write one of 0 and more, or from -1 backwards.");
  }
  return {index < 0 ? index + slice.extent : index, 1, 1, true};
}

Cut cut_of(const Slice& slice) {
  std::vector<std::string> parts = split(slice.text, ':');
  if (parts.size() == 1) {
    return pick(slice);
  }
  if (parts.size() > 3) {
    slice.refuse("has " + std::to_string(parts.size()) + " parts; there are start:stop:step.");
  }
  parts.resize(3);
  // The least number of 64 bits has no opposite, and its neighbour reaches as far.
  const std::int64_t step =
      std::max(slice.integer_or(parts[2], 1), -std::numeric_limits<std::int64_t>::max());
  if (step == 0) {
    slice.refuse("has a step of 0, which arrives nowhere; write another one.");
  }
  const bool forward = step > 0;
  const std::int64_t lowest = forward ? 0 : -1;  // beside the first element that there may be
  const std::int64_t highest = forward ? slice.extent : slice.extent - 1;
  const auto end = [&](const std::string& part, std::int64_t otherwise) {
    if (part.empty()) {
      return otherwise;
    }
    const std::int64_t written = slice.integer(part);
    return std::clamp(written < 0 ? written + slice.extent : written, lowest, highest);
  };
  const std::int64_t start = end(parts[0], forward ? lowest : highest);
  const std::int64_t stop = end(parts[1], forward ? highest : lowest);
  const std::int64_t distance = forward ? stop - start : start - stop;
  const std::int64_t magnitude = forward ? step : -step;
  return {start, distance > 0 ? (distance - 1) / magnitude + 1 : 0, step, false};
}

// The text for each dimension. An ellipsis stands for the dimensions that the slices beside it
// leave, of which there may be none; without one they are the last.
std::vector<std::string> slice_of_each(const std::string& slices, std::size_t dimensions) {
  constexpr const char* ellipsis = "...";
  std::vector<std::string> texts = split(within_brackets(slices), ',');
  const auto ellipses = std::count(texts.begin(), texts.end(), ellipsis);
  if (ellipses > 1) {
    throw Failure(Exit::bad_input,
                  "--box '" + slices + "' has " + std::to_string(ellipses) +
                      " ellipses (...); write one at most, which stands for all "
                      "dimensions that the slices leave, and : for one dimension.");
  }
  const std::size_t written = texts.size() - static_cast<std::size_t>(ellipses);
  if (written > dimensions) {
    throw Failure(Exit::bad_input,
                  "--box '" + slices + "' has " + std::to_string(written) +
                      (written == 1 ? " slice" : " slices") + ", and the data have " +
                      std::to_string(dimensions) +
                      (dimensions == 1 ? " dimension; " : " dimensions; ") +
                      (dimensions == 0 ? "leave it out, or write ..., for the element."
                                       : "write one for each, or fewer."));
  }
  auto place = std::find(texts.begin(), texts.end(), ellipsis);
  if (place != texts.end()) {
    place = texts.erase(place);
  }
  texts.insert(place, dimensions - written, ":");
  return texts;
}

}  // namespace

Box box_of(const std::string& slices, const std::vector<std::int64_t>& extents) {
  const std::vector<std::string> texts = slice_of_each(slices, extents.size());
  Box box;
  std::int64_t stride = 1;
  bool is_empty = false;
  for (std::size_t d = extents.size(); d-- > 0;) {
    const Cut cut = cut_of({texts[d], d, extents[d]});
    is_empty = is_empty || cut.extent == 0;
    // A slice without elements may begin beside the array, at a place whose sum could overflow.
    box.first += cut.extent == 0 ? 0 : cut.first * stride;
    if (!cut.picks) {
      box.extents.insert(box.extents.begin(), cut.extent);
      // The product of a step beyond the only element may overflow.
      box.strides.insert(box.strides.begin(), cut.extent > 1 ? cut.step * stride : stride);
    }
    stride *= extents[d];
  }
  if (is_empty) {
    box.first = 0;  // there are no elements
  }
  return box;
}

}  // namespace cli
