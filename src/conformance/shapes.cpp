// Kind 1 for shapes with a layout: random boxes, axes, masks, segments, gathers and batches have
// the bits of their elements packed one after the other, which the suite does in its own, plain
// way.
#include <algorithm>
#include <numeric>

#include "sections.hpp"

namespace isofold::conformance {
namespace {

// Numbers of the suite's seed: a stream of its own for each instance.
class Choices {
 public:
  Choices(std::uint64_t seed, std::uint64_t instance) : seed_(seed + (instance << 20)) {}
  // Between low and high, both included.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    const auto range = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<std::int64_t>(test_data::random_word(seed_, next_++) % range);
  }
  bool one_in(std::int64_t n) { return between(1, n) == 1; }
  // Small counts mostly, and the borders of chunks and blocks.
  std::int64_t length(std::int64_t most) {
    static constexpr std::int64_t borders[] = {0,    1,    2,    63,   64,   65,    1023, 1024,
                                               1025, 4095, 4096, 4097, 9001, 17409, 33000};
    const std::int64_t chosen =
        one_in(3) ? borders[between(0, 14)] : between(0, std::int64_t{1} << between(1, 13));
    return std::min(chosen, most);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

// A request's layout and lists, and what a row's elements are: indices into the data.
struct Instance {
  std::int32_t shape = 0;
  std::int64_t length = 0;  // of the request
  std::int64_t first = 0;   // element that `data` points to
  isofold_layout layout{};
  std::vector<std::vector<std::int64_t>> rows;
  std::vector<std::int64_t> begins;  // or lengths, or indices
  std::vector<std::int64_t> ends;
  std::vector<std::uint8_t> mask;
  std::string text;
};

// Elements of the data that instances choose from.
constexpr std::int64_t field = 40000;

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

Instance random_box(Choices& choices) {
  Instance made;
  do {
    made = Instance{};
    lay_out(made, choices);
  } while (!fits(made));
  isofold_layout& layout = made.layout;
  made.shape = ISOFOLD_SHAPE_box;
  layout.kept = static_cast<std::uint32_t>(
      choices.one_in(3) ? 0 : choices.between(0, (std::int64_t{1} << layout.dimensions) - 1));
  std::int64_t rows = 1;
  made.length = 1;
  made.text = "a box of";
  for (int d = 0; d < layout.dimensions; ++d) {
    const bool kept = (layout.kept >> d & 1U) != 0;
    (kept ? rows : made.length) *= layout.extents[d];
    made.text += " " + std::to_string(layout.extents[d]) + (kept ? " (kept)" : "") + " by " +
                 std::to_string(layout.strides[d]);
  }
  if (choices.one_in(3)) {
    add_mask(made, choices, rows * made.length);
    made.text +=
        made.layout.mask_type == ISOFOLD_MASK_bits ? ", masked by bits" : ", masked by bytes";
  }
  made.rows.resize(static_cast<std::size_t>(rows));
  for (std::int64_t i = 0; i < rows * made.length; ++i) {  // row-major over all dimensions
    std::int64_t rest = i;
    std::int64_t row = 0;
    std::int64_t step = 1;
    std::int64_t element = made.first;
    for (int d = layout.dimensions - 1; d >= 0; --d) {
      const std::int64_t index = rest % layout.extents[d];
      rest /= layout.extents[d];
      element += index * layout.strides[d];
      if ((layout.kept >> d & 1U) != 0) {
        row += index * step;
        step *= layout.extents[d];
      }
    }
    if (is_taken(made, i)) {
      made.rows[static_cast<std::size_t>(row)].push_back(element);
    }
  }
  return made;
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
  if (!with_ends) {
    made.begins.push_back(at);
    made.ends.clear();
  }
  made.text = std::to_string(count) + " segments" + (with_ends ? " of begins and ends" : "");
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
  made.begins = made.rows[0];
  made.text = "a gather of " + std::to_string(made.length);
  return made;
}

Instance random_batch(Choices& choices) {
  Instance made;
  made.shape = ISOFOLD_SHAPE_batch;
  const std::int64_t count = choices.between(1, 40);
  for (std::int64_t r = 0; r < count; ++r) {
    const std::int64_t begin = choices.between(0, field);
    const std::int64_t end = begin + choices.length(field - begin);
    made.begins.push_back(begin);
    made.ends.push_back(end - begin);
    made.rows.push_back(stretch(begin, end));
  }
  made.text = "a batch of " + std::to_string(count) + " arrays";
  return made;
}

Instance random_instance(std::uint64_t seed, std::uint64_t number, std::int32_t* index_type) {
  Choices choices(seed, number);
  *index_type = choices.one_in(2) ? ISOFOLD_TYPE_i32 : ISOFOLD_TYPE_i64;
  switch (number % 8) {
    case 0: return random_segments(choices);
    case 1: return random_gather(choices);
    case 2: return random_batch(choices);
    default: return random_box(choices);
  }
}

// Lists of indices in memory of the target, of either type.
class PlacedList {
 public:
  PlacedList(Target& target, const std::vector<std::int64_t>& list, std::int32_t type)
      : wide_(target, type == ISOFOLD_TYPE_i64 ? list : std::vector<std::int64_t>()),
        narrow_(target, type == ISOFOLD_TYPE_i32
                            ? std::vector<std::int32_t>(list.begin(), list.end())
                            : std::vector<std::int32_t>()),
        data_(list.empty()               ? nullptr
              : type == ISOFOLD_TYPE_i64 ? static_cast<const void*>(wide_.data())
                                         : static_cast<const void*>(narrow_.data())) {}
  const void* data() const { return data_; }

 private:
  Placed<std::int64_t> wide_;
  Placed<std::int32_t> narrow_;
  const void* data_;
};

// The rows' elements one after the other, reduced by the reference.
template <class R, class T>
std::vector<R> packed_results(const Question& question, const Instance& instance,
                              const std::vector<T>& x, const std::vector<T>& y) {
  std::vector<T> packed;
  std::vector<Span> spans;
  for (const std::vector<std::int64_t>& row : instance.rows) {
    const auto at = static_cast<std::int64_t>(packed.size());
    const auto n = static_cast<std::int64_t>(row.size());
    spans.push_back({at, n, at + n});
    for (const std::vector<T>* from : {&x, &y}) {
      for (const std::int64_t i : row) {
        packed.push_back((*from)[static_cast<std::size_t>(i)]);
      }
    }
  }
  packed.push_back(T{});  // so that no row is a null pointer
  return reference_of<R>(question, packed.data(), spans);
}

template <class T, class R>
void compare_instance(Target& target, const Question& question, std::uint64_t number,
                      const std::vector<T>& x, const std::vector<T>& y, Judge& judge) {
  judge.count_case();
  std::int32_t index_type = 0;
  Instance instance = random_instance(question.seed, number, &index_type);
  const Placed<T> first(target, x);
  const Placed<T> second(target, y);
  std::vector<const T*> arrays;
  std::vector<const T*> second_arrays;
  const bool batch = instance.shape == ISOFOLD_SHAPE_batch;
  for (std::size_t r = 0; batch && r < instance.rows.size(); ++r) {
    arrays.push_back(first.data() + instance.begins[r]);
    second_arrays.push_back(second.data() + instance.begins[r]);
  }
  const Placed<const T*> placed_arrays(target, arrays);
  const Placed<const T*> placed_second_arrays(target, second_arrays);
  const PlacedList begins(target, instance.begins, index_type);
  const PlacedList ends(target, instance.ends, index_type);
  const Placed<std::uint8_t> mask(target, instance.mask);
  const std::size_t count = instance.rows.size();
  constexpr std::size_t guards = 4;
  const Placed<R> slots(target, poisoned<R>(count + guards));

  isofold_request request =
      array_request(question, first.data(), {instance.first, instance.length}, slots.data(), 0);
  isofold_layout& layout = instance.layout;
  layout.size = sizeof layout;
  request.shape = instance.shape;
  request.layout = &layout;
  request.rows = static_cast<std::int64_t>(count);
  request.stride = 0;
  if (takes_two(question)) {
    request.second = second.data() + instance.first;
    request.second_stride = 0;
    std::copy_n(layout.strides, ISOFOLD_MOST_DIMENSIONS, layout.second_strides);
  }
  layout.mask = instance.mask.empty() ? nullptr : mask.data();
  layout.mask_type = instance.mask.empty() ? 0 : layout.mask_type;
  if (instance.shape != ISOFOLD_SHAPE_box) {
    layout.index_type = index_type;
    layout.begins = instance.shape == ISOFOLD_SHAPE_segments ? begins.data() : nullptr;
    layout.indices = instance.shape == ISOFOLD_SHAPE_gather ? begins.data() : nullptr;
    layout.ends = ends.data();
  }
  if (batch) {
    request.data = placed_arrays.data();
    request.second = takes_two(question) ? placed_second_arrays.data() : nullptr;
  }
  const std::int32_t code = target.reduce(request);
  if (code != ISOFOLD_ok || target.synchronize() != ISOFOLD_ok) {
    judge.fail(case_name(question) + ", " + instance.text +
               ": the call failed: " + target.last_error());
    return;
  }
  const std::vector<R> expected = packed_results<R>(question, instance, x, y);
  const std::vector<R> found = slots.to_host();
  for (std::size_t row = 0; row < count + guards; ++row) {
    judge.same_bits(row < count ? expected[row] : poisoned<R>(1)[0], found[row], [&] {
      return case_name(question) + ", " + instance.text + ", result " + std::to_string(row) +
             " of " + std::to_string(count);
    });
  }
}

// Only the backends that need not have the shapes may refuse them: those within a bound.
bool has_shapes(Target& target, const Question& question, Judge& judge) {
  const Placed<double> data(target, std::vector<double>(8));
  const Placed<double> slot(target, std::vector<double>(8));
  isofold_layout layout{};
  layout.size = sizeof layout;
  layout.dimensions = 1;
  layout.extents[0] = 2;
  layout.strides[0] = 2;
  layout.second_strides[0] = 2;
  isofold_request request = array_request(question, data.data(), {0, 2, 0}, slot.data(), 0);
  request.shape = ISOFOLD_SHAPE_box;
  request.layout = &layout;
  const bool refused = target.reduce(request) == ISOFOLD_unsupported;
  if (!refused) {
    return true;
  }
  judge.holds(!target.promises_same_bits(),
              [&] { return case_name(question) + ": shapes are refused: " + target.last_error(); });
  judge.skip(target.last_error());
  return false;
}

}  // namespace

void shapes_section(Target& target, const Question& question, Judge& judge) {
  const std::uint64_t instances = question.level == Level::quick      ? 16
                                  : question.level == Level::standard ? 64
                                                                      : 1000;
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    if (!can_compare<T>(target, question, judge)) {
      return;
    }
    const std::vector<T> x = data_set<T>(random_recipe(question), question.seed, field);
    const std::vector<T> y = data_set<T>(random_recipe(question), question.seed + 1, field);
    if (!has_shapes(target, question, judge)) {
      return;
    }
    for (std::uint64_t number = 0; number < instances; ++number) {
      compare_instance<T, R>(target, question, number, x, y, judge);
    }
  });
}

}  // namespace isofold::conformance
