// Kind 1 for shapes with a layout: random boxes, axes, masks, segments, gathers and batches, joined
// or not, have the bits of their elements packed one after the other, which the suite does in its
// own, plain way.
#include <algorithm>

#include "random_instances.hpp"
#include "sections.hpp"
#include "stored_data.hpp"

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

template <class T>
Bytes bytes_of(const T* values, std::size_t count) {
  Bytes bytes(count * sizeof(T));
  if (count != 0) {
    std::memcpy(bytes.data(), static_cast<const void*>(values), bytes.size());
  }
  return bytes;
}

// Elements that are stored as they are computed with.
template <class T>
StoredCase case_of(const Question& question, const std::vector<T>& x, const std::vector<T>& y) {
  const auto twice = [](const T* values, std::size_t count) {
    return StoredData{bytes_of(values, count), bytes_of(values, count)};
  };
  return {question,
          {question.type, 0},
          twice(x.data(), x.size()),
          twice(y.data(), y.size()),
          twice(range_of_tests<T>(), 2)};
}

// The rows' elements one after the other, as they are computed with, reduced by the reference.
Bytes packed_results(const StoredCase& which, const Instance& instance) {
  const Question& question = which.question;
  const auto bytes = static_cast<std::size_t>(isofold_type_bytes(question.type));
  const auto result_bytes =
      static_cast<std::size_t>(isofold_result_bytes(question.fold, question.type));
  Bytes results(instance.rows.size() * result_bytes);
  Reducer reference("reference");
  for (std::size_t row = 0; row < instance.rows.size(); ++row) {
    Bytes packed;
    for (const StoredData* from : {&which.data, &which.second}) {
      for (const std::int64_t i : instance.rows[row]) {
        const unsigned char* const at = from->computed.data() + static_cast<std::size_t>(i) * bytes;
        packed.insert(packed.end(), at, at + bytes);
      }
    }
    const auto n = static_cast<std::int64_t>(instance.rows[row].size());
    packed.resize(packed.size() + bytes);  // so that no row is a null pointer
    isofold_request request =
        array_request(question, packed.data(), {0, n, n * static_cast<std::int64_t>(bytes)},
                      results.data() + row * result_bytes, 0);
    if (request.parameters != nullptr) {
      request.parameters = which.range.computed.data();
    }
    check(isofold_reduce(reference.handle(), &request));
  }
  return results;
}

// Makes the indices of locations, which number a row's elements as if they were packed, those of
// the array.
void number_in_array(const StoredCase& which, const Instance& instance, Bytes* results) {
  const Question& question = which.question;
  isofold_component components[4];
  const std::int32_t count = isofold_result_components(question.fold, question.type, components, 4);
  const auto result_bytes =
      static_cast<std::size_t>(isofold_result_bytes(question.fold, question.type));
  for (std::size_t row = 0; row < instance.indices_in_array.size(); ++row) {
    for (const isofold_component* at = components; at != components + count; ++at) {
      const std::string name = at->name;
      unsigned char* const place = results->data() + row * result_bytes + at->offset;
      if (name == "index" || name == "minimum_index" || name == "maximum_index") {
        std::int64_t index = 0;
        std::memcpy(&index, place, sizeof index);
        if (index >= 0) {
          index = instance.indices_in_array[row][static_cast<std::size_t>(index)];
          std::memcpy(place, &index, sizeof index);
        }
      }
    }
  }
}

void compare_instance(Target& target, const StoredCase& which, std::uint64_t number, Judge& judge) {
  const Question& question = which.question;
  judge.count_case();
  Instance instance = random_instance(question.seed, number);
  const std::int64_t element_bytes = isofold_type_bytes(which.stored.type);
  const Placed<unsigned char> first(target, which.data.stored);
  const Placed<unsigned char> second(target, which.second.stored);
  std::vector<const unsigned char*> arrays;
  std::vector<const unsigned char*> second_arrays;
  for (const std::int64_t begin : instance.arrays) {
    arrays.push_back(first.data() + begin * element_bytes);
    second_arrays.push_back(second.data() + begin * element_bytes);
  }
  const Placed<const unsigned char*> placed_arrays(target, arrays);
  const Placed<const unsigned char*> placed_second_arrays(target, second_arrays);
  isofold_layout& layout = instance.layout;
  const PlacedList begins(target, instance.begins, layout.index_type);
  const PlacedList ends(target, instance.ends, layout.index_type);
  const PlacedList indices(target, instance.indices, layout.index_type);
  const Placed<std::uint8_t> mask(target, instance.mask);
  const std::size_t count = instance.rows.size();
  constexpr std::size_t guards = 4;
  const auto result_bytes =
      static_cast<std::size_t>(isofold_result_bytes(question.fold, question.type));
  const Placed<unsigned char> slots(target, Bytes((count + guards) * result_bytes, 0xa5));

  isofold_request request = array_request(question, first.data() + instance.first * element_bytes,
                                          {0, instance.length}, slots.data(), 0);
  // Locations by their index in the array, or among a row's elements, by turns.
  const bool is_packed = number / 20 % 2 == 1;
  request.flags = is_packed ? ISOFOLD_PACKED_INDEX : 0;
  request.type = which.stored.type;
  request.accumulator = which.stored.accumulator;
  layout.size = sizeof layout;
  request.shape = instance.shape;
  request.layout = &layout;
  request.rows = static_cast<std::int64_t>(count);
  request.stride = instance.stride;
  if (request.parameters != nullptr) {
    request.parameters = which.range.stored.data();
  }
  if (takes_two(question)) {
    request.second = second.data() + instance.first * element_bytes;
    request.second_stride = instance.stride;
    std::copy_n(layout.strides, ISOFOLD_MOST_DIMENSIONS, layout.second_strides);
  }
  layout.mask = instance.mask.empty() ? nullptr : mask.data();
  layout.mask_type = instance.mask.empty() ? 0 : layout.mask_type;
  layout.begins = begins.data();
  layout.ends = ends.data();
  layout.indices = indices.data();
  if (instance.has_arrays) {
    request.data = placed_arrays.data();
    request.second = takes_two(question) ? placed_second_arrays.data() : nullptr;
  }
  const std::string name = isofold_fold_name(question.fold) + (" of " + name_of(which.stored));
  const std::int32_t code = target.reduce(request);
  if (code != ISOFOLD_ok || target.synchronize() != ISOFOLD_ok) {
    judge.fail(name + ", " + instance.text + ": the call failed: " + target.last_error());
    return;
  }
  Bytes expected = packed_results(which, instance);
  if (!is_packed) {
    number_in_array(which, instance, &expected);
  }
  expected.resize(expected.size() + guards * result_bytes, 0xa5);
  const Bytes found = slots.to_host();
  for (std::size_t row = 0; row < count + guards; ++row) {
    judge.same_bytes(expected.data() + row * result_bytes, found.data() + row * result_bytes,
                     result_bytes, [&] {
                       return name + ", " + instance.text + ", result " + std::to_string(row) +
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
    if (!can_compare<T>(target, question, judge)) {
      return;
    }
    if (!has_shapes(target, question, judge)) {
      return;
    }
    const StoredCase which = case_of(question, random_set<T>(question, question.seed, field),
                                     random_set<T>(question, question.seed + 1, field));
    for (std::uint64_t number = 0; number < instances; ++number) {
      compare_instance(target, which, number, judge);
    }
  });
}

void stored_shapes(Target& target, const Question& question, const StoredType& stored,
                   Judge& judge) {
  const std::uint64_t instances = question.level == Level::quick ? 20 : 80;
  const StoredCase which = stored_case(
      question, stored, stored_set(stored, random_recipe(question), question.seed, field),
      stored_set(stored, random_recipe(question), question.seed + 1, field));
  for (std::uint64_t number = 0; number < instances; ++number) {
    compare_instance(target, which, number, judge);
  }
}

void compare_stored_shape(Target& target, const StoredCase& which, std::uint64_t number,
                          Judge& judge) {
  if (has_shapes(target, which.question, judge)) {
    compare_instance(target, which, number, judge);
  }
}

void compare_random_shape(Target& target, const Question& question, std::uint64_t number,
                          Recipe recipe, Judge& judge) {
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    if (can_compare<T>(target, question, judge) && has_shapes(target, question, judge)) {
      compare_instance(target,
                       case_of(question, data_set<T>(recipe, question.seed, field),
                               data_set<T>(recipe, question.seed + 1, field)),
                       number, judge);
    }
  });
}

}  // namespace isofold::conformance
