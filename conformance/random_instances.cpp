// Boxes of any layout, some of their axes, masks, segments, gathers and batches, joined or not, at
// random.
#include "random_instances.hpp"

#include <iterator>
#include <numeric>

namespace isofold::conformance {
namespace {

void add_mask(Instance& made, Choices& choices, std::int64_t entries) {
  const bool bits = choices.one_in(2);
  made.layout.mask_type = bits ? ISOFOLD_MASK_bits : ISOFOLD_MASK_bytes;
  made.mask.assign(static_cast<std::size_t>(bits ? (entries + 7) / 8 : entries), 0);
  // Long stretches of one kind, too: whole blocks of the mask without an element.
  const std::int64_t stretch = choices.one_in(2) ? 1 : choices.between(1, 9000);
  bool taken = false;
  for (std::int64_t i = 0; i < entries; ++i) {
    taken = i % stretch == 0 ? choices.one_in(2) : taken;
    if (bits && taken) {
      made.mask[static_cast<std::size_t>(i / 8)] |= static_cast<std::uint8_t>(1U << (i % 8));
    } else if (!bits) {
      made.mask[static_cast<std::size_t>(i)] =
          taken ? static_cast<std::uint8_t>(choices.between(1, 255)) : std::uint8_t{0};
    }
  }
}

bool is_taken(const Instance& made, std::int64_t i) {
  if (made.mask.empty()) {
    return true;
  }
  return made.layout.mask_type == ISOFOLD_MASK_bytes
             ? made.mask[static_cast<std::size_t>(i)] != 0
             : (made.mask[static_cast<std::size_t>(i / 8)] >> (i % 8) & 1U) != 0;
}

// Dimensions in a random order of memory, with gaps between them, some of them backwards.
void lay_out(Instance& made, Choices& choices) {
  isofold_layout& layout = made.layout;
  layout.dimensions = static_cast<std::int32_t>(choices.between(1, 5));
  std::vector<int> order(static_cast<std::size_t>(layout.dimensions));
  std::iota(order.begin(), order.end(), 0);
  if (choices.one_in(2)) {
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(
          order[i - 1],
          order[static_cast<std::size_t>(choices.between(0, static_cast<std::int64_t>(i) - 1))]);
    }
  }
  std::int64_t stride = choices.one_in(3) ? choices.between(1, 3) : 1;
  for (std::size_t i = order.size(); i > 0; --i) {
    const int d = order[i - 1];
    const std::int64_t room = field / 2 / stride;
    const std::int64_t extent =
        choices.one_in(40) ? 0 : std::min(choices.length(room), std::max<std::int64_t>(room, 1));
    layout.extents[d] = i == 1 ? extent : std::min<std::int64_t>(extent, choices.between(1, 40));
    layout.strides[d] = stride;
    if (choices.one_in(6)) {
      layout.strides[d] = -stride;
      made.first += (std::max<std::int64_t>(layout.extents[d], 1) - 1) * stride;
    }
    stride *= std::max<std::int64_t>(layout.extents[d], 1) +
              (choices.one_in(2) ? choices.between(0, 3) : 0);
    stride = std::min(stride, field);
  }
}

// Long lines with gaps between them or turned, or rows side by side, many short ones or few long
// ones: GPUs have kernels of their own for those.
void lay_out_many(Instance& made, Choices& choices, bool columns) {
  isofold_layout& layout = made.layout;
  layout.dimensions = 3;
  if (columns && choices.one_in(2)) {
    layout.extents[0] = choices.between(1, 3);
    layout.extents[2] = choices.between(2, 63);
    const std::int64_t most = 39000 / (layout.extents[0] * (layout.extents[2] + 3));
    layout.extents[1] = choices.between(std::min<std::int64_t>(most, 130), most);
    layout.kept = choices.one_in(2) ? 4 : 5;
  } else if (columns) {
    const std::int64_t length = choices.between(1, 40);
    const std::int64_t inner = choices.one_in(2) ? 1 : std::min(choices.between(1, 3), 40 / length);
    layout.extents[0] = length;
    layout.extents[1] = inner;
    layout.extents[2] = choices.between(800, 39000 / (length * inner));
    layout.kept = 4;
  } else if (choices.one_in(3)) {  // of another order than memory
    layout.dimensions = 2;
    layout.extents[0] = choices.between(4, 12);
    layout.extents[1] = choices.between(2000, 39000 / (layout.extents[0] + 3));
    layout.strides[0] = 1;
    layout.strides[1] = layout.extents[0] + choices.between(0, 3);
    return;
  } else {
    const std::int64_t run = choices.between(100, 1100);
    layout.extents[0] = choices.between(1, 3);
    layout.extents[1] = 39000 / (layout.extents[0] * (run + 3));
    layout.extents[2] = run;
    layout.kept = choices.one_in(2) ? 1 : 0;
  }
  std::int64_t stride = 1;
  for (int d = 2; d >= 0; --d) {
    layout.strides[d] = stride;
    stride = stride * layout.extents[d] + (d > 0 ? choices.between(0, 3) : 0);
  }
}

// Strides are bounded so that every element lies in the field.
bool fits(const Instance& made) {
  std::int64_t low = made.first;
  std::int64_t high = made.first;
  for (int d = 0; d < made.layout.dimensions; ++d) {
    const std::int64_t span =
        (std::max<std::int64_t>(made.layout.extents[d], 1) - 1) * made.layout.strides[d];
    (span < 0 ? low : high) += span;
  }
  return low >= 0 && high < field;
}

// The box that has been laid out.
Instance finished_box(Instance made, Choices& choices, std::int64_t one_in_is_masked) {
  isofold_layout& layout = made.layout;
  made.shape = ISOFOLD_SHAPE_box;
  std::int64_t rows = 1;
  made.length = 1;
  made.text = "a box of";
  for (int d = 0; d < layout.dimensions; ++d) {
    const bool kept = (layout.kept >> d & 1U) != 0;
    (kept ? rows : made.length) *= layout.extents[d];
    made.text += " " + std::to_string(layout.extents[d]) + (kept ? " (kept)" : "") + " by " +
                 std::to_string(layout.strides[d]);
  }
  if (choices.one_in(one_in_is_masked)) {
    add_mask(made, choices, rows * made.length);
    made.text +=
        made.layout.mask_type == ISOFOLD_MASK_bits ? ", masked by bits" : ", masked by bytes";
  }
  made.rows.resize(static_cast<std::size_t>(rows));
  made.indices_in_array.resize(made.mask.empty() ? 0 : made.rows.size());
  for (std::int64_t i = 0; i < rows * made.length; ++i) {  // row-major over all dimensions
    std::int64_t rest = i;
    std::int64_t row = 0;
    std::int64_t step = 1;
    std::int64_t in_row = 0;
    std::int64_t step_in_row = 1;
    std::int64_t element = made.first;
    for (int d = layout.dimensions - 1; d >= 0; --d) {
      const std::int64_t index = rest % layout.extents[d];
      rest /= layout.extents[d];
      element += index * layout.strides[d];
      if ((layout.kept >> d & 1U) != 0) {
        row += index * step;
        step *= layout.extents[d];
      } else {
        in_row += index * step_in_row;
        step_in_row *= layout.extents[d];
      }
    }
    if (is_taken(made, i)) {
      made.rows[static_cast<std::size_t>(row)].push_back(element);
      if (!made.mask.empty()) {
        made.indices_in_array[static_cast<std::size_t>(row)].push_back(in_row);
      }
    }
  }
  return made;
}

Instance random_box(Choices& choices) {
  Instance made;
  do {
    made = Instance{};
    lay_out(made, choices);
  } while (!fits(made));
  made.layout.kept = static_cast<std::uint32_t>(
      choices.one_in(3) ? 0 : choices.between(0, (std::int64_t{1} << made.layout.dimensions) - 1));
  return finished_box(made, choices, 3);
}

Instance box_of_many(Choices& choices, bool columns) {
  Instance made;
  do {
    made = Instance{};
    lay_out_many(made, choices, columns);
  } while (!fits(made));
  return finished_box(made, choices, 6);
}

std::vector<std::int64_t> stretch(std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> elements(static_cast<std::size_t>(end - begin));
  std::iota(elements.begin(), elements.end(), begin);
  return elements;
}

Instance random_segments(Choices& choices) {
  Instance made;
  made.shape = ISOFOLD_SHAPE_segments;
  const bool with_ends = choices.one_in(2);
  made.layout.elements = choices.one_in(2) ? field : 0;
  const std::int64_t count = choices.between(1, 60);
  std::int64_t at = choices.between(0, 3);
  for (std::int64_t r = 0; r < count; ++r) {
    const std::int64_t begin = with_ends ? choices.between(0, field) : at;
    const std::int64_t end = begin + choices.length(field - begin);
    made.begins.push_back(begin);
    made.ends.push_back(end);
    made.rows.push_back(stretch(begin, end));
    at = end;
  }
  made.indices_in_array = made.rows;
  if (!with_ends) {
    made.begins.push_back(at);
    made.ends.clear();
  }
  made.text = std::to_string(count) + " segments" + (with_ends ? " of begins and ends" : "");
  return made;
}

// Rows of a capacity, each filled up to a count of its own.
Instance random_counted(Choices& choices) {
  Instance made;
  made.shape = ISOFOLD_SHAPE_segments;
  const std::int64_t capacity = 1 + choices.length(field - 1);
  made.length = choices.one_in(3) ? 0 : capacity;
  made.stride = std::min(field, capacity + (choices.one_in(2) ? 0 : choices.between(0, 5)));
  made.layout.elements = choices.one_in(2) ? field : 0;
  const std::int64_t rows = choices.between(1, std::min<std::int64_t>(60, field / made.stride));
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t count = choices.one_in(3) ? capacity : choices.between(0, capacity);
    made.ends.push_back(count);
    made.rows.push_back(stretch(r * made.stride, r * made.stride + count));
  }
  made.text = std::to_string(rows) + " rows counted up to " + std::to_string(capacity) +
              " at a stride of " + std::to_string(made.stride);
  return made;
}

Instance random_gather(Choices& choices) {
  Instance made;
  made.shape = ISOFOLD_SHAPE_gather;
  made.layout.elements = choices.one_in(2) ? field : 0;
  made.length = choices.length(20000);
  made.rows.emplace_back();
  for (std::int64_t i = 0; i < made.length; ++i) {
    made.rows[0].push_back(choices.between(0, field - 1));
  }
  made.indices = made.rows[0];
  made.indices_in_array = made.rows;
  made.text = "a gather of " + std::to_string(made.length);
  return made;
}

Instance random_batch(Choices& choices) {
  Instance made;
  made.shape = ISOFOLD_SHAPE_batch;
  made.has_arrays = true;
  const std::int64_t count = choices.between(1, 40);
  for (std::int64_t r = 0; r < count; ++r) {
    const std::int64_t begin = choices.between(0, field);
    const std::int64_t end = begin + choices.length(field - begin);
    made.arrays.push_back(begin);
    made.ends.push_back(end - begin);
    made.rows.push_back(stretch(begin, end));
  }
  made.text = "a batch of " + std::to_string(count) + " arrays";
  return made;
}

// One row of many arrays, of any alignment; a third of them are empty, few are long.
Instance random_joined(Choices& choices) {
  Instance made;
  made.shape = ISOFOLD_SHAPE_joined;
  made.has_arrays = true;
  made.length = choices.one_in(10) ? choices.between(0, 2) : choices.between(3, 60);
  made.rows.emplace_back();
  std::vector<std::int64_t>& row = made.rows[0];
  for (std::int64_t i = 0; i < made.length; ++i) {
    const std::int64_t begin = choices.between(0, field);
    const std::int64_t most = choices.one_in(20) ? field : 3000;
    const std::int64_t n = choices.one_in(3) ? 0 : std::min(field - begin, choices.length(most));
    const std::vector<std::int64_t> elements = stretch(begin, begin + n);
    made.arrays.push_back(begin);
    made.ends.push_back(n);
    row.insert(row.end(), elements.begin(), elements.end());
  }
  const auto all = static_cast<std::int64_t>(row.size());
  made.layout.elements = choices.one_in(2) ? 0 : choices.between(all, all + 2);
  made.text = "a batch of " + std::to_string(made.length) + " arrays joined to " +
              std::to_string(all) + " elements";
  return made;
}

Instance random_columns(Choices& choices) { return box_of_many(choices, true); }
Instance random_lines(Choices& choices) { return box_of_many(choices, false); }

// Taken in turns.
constexpr Instance (*const makers[])(Choices&) = {
    random_segments, random_gather,  random_batch,   random_counted,  random_box,
    random_box,      random_box,     random_columns, random_segments, random_gather,
    random_batch,    random_counted, random_box,     random_box,      random_box,
    random_lines,    random_joined,  random_joined,  random_joined,   random_joined};

}  // namespace

Instance random_instance(std::uint64_t seed, std::uint64_t number) {
  Choices choices(seed, number);
  const std::int32_t index_type = choices.one_in(2) ? ISOFOLD_TYPE_i32 : ISOFOLD_TYPE_i64;
  Instance made = makers[number % std::size(makers)](choices);
  made.layout.index_type = made.shape == ISOFOLD_SHAPE_box ? 0 : index_type;
  return made;
}

}  // namespace isofold::conformance
