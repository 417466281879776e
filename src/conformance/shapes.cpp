// Kind 1 for shapes with a layout: random boxes, axes, masks, segments, gathers and batches, joined
// or not, have the bits of their elements packed one after the other, which the suite does in its
// own, plain way.
#include <algorithm>

#include "random_instances.hpp"
#include "sections.hpp"

namespace isofold::conformance {
namespace {

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
  const bool joined = instance.shape == ISOFOLD_SHAPE_joined;
  const bool batch = joined || instance.shape == ISOFOLD_SHAPE_batch;
  for (std::size_t i = 0; batch && i < instance.begins.size(); ++i) {
    arrays.push_back(first.data() + instance.begins[i]);
    second_arrays.push_back(second.data() + instance.begins[i]);
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
  request.stride = instance.stride;
  if (takes_two(question)) {
    request.second = second.data() + instance.first;
    request.second_stride = instance.stride;
    std::copy_n(layout.strides, ISOFOLD_MOST_DIMENSIONS, layout.second_strides);
  }
  layout.mask = instance.mask.empty() ? nullptr : mask.data();
  layout.mask_type = instance.mask.empty() ? 0 : layout.mask_type;
  if (instance.shape != ISOFOLD_SHAPE_box) {
    layout.index_type = index_type;
    const bool has_begins = instance.shape == ISOFOLD_SHAPE_segments && !instance.begins.empty();
    layout.begins = has_begins ? begins.data() : nullptr;
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
  const std::uint64_t instances = question.level == Level::quick      ? 20
                                  : question.level == Level::standard ? 80
                                                                      : 1250;
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    if (!can_compare<T>(target, question, judge)) {
      return;
    }
    const std::vector<T> x = random_set<T>(question, question.seed, field);
    const std::vector<T> y = random_set<T>(question, question.seed + 1, field);
    if (!has_shapes(target, question, judge)) {
      return;
    }
    for (std::uint64_t number = 0; number < instances; ++number) {
      compare_instance<T, R>(target, question, number, x, y, judge);
    }
  });
}

void compare_random_shape(Target& target, const Question& question, std::uint64_t number,
                          Recipe recipe, Judge& judge) {
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    if (can_compare<T>(target, question, judge) && has_shapes(target, question, judge)) {
      compare_instance<T, R>(target, question, number, data_set<T>(recipe, question.seed, field),
                             data_set<T>(recipe, question.seed + 1, field), judge);
    }
  });
}

}  // namespace isofold::conformance
