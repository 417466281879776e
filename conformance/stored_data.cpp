// Stored data, their conversion by plain arithmetic, and the reference's results over the converted
// data.
#include "stored_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isofold::conformance {
namespace {

// Narrow floating point: the bits taken apart.
float value_of_bits(int bits, int width, int significant) {
  const int stored = significant - 1;
  const int most = (1 << (width - significant)) - 1;
  const float sign = (bits >> (width - 1)) != 0 ? -1.0F : 1.0F;
  const int exponent = bits >> stored & most;
  const int fraction = bits & ((1 << stored) - 1);
  if (exponent == most) {
    return fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                         : sign * std::numeric_limits<float>::infinity();
  }
  const int whole = exponent == 0 ? fraction : fraction + (1 << stored);
  return sign * std::ldexp(static_cast<float>(whole), std::max(exponent, 1) - most / 2 - stored);
}
#define ISOFOLD_VALUE(c_type, bits_type, significant) \
  float value_of(c_type x) { return value_of_bits(x.bits, 8 * sizeof(x), significant); }
ISOFOLD_NARROW_FLOATS(ISOFOLD_VALUE)
#undef ISOFOLD_VALUE
double value_of(Widened<float> x) { return x.value; }
template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
computed_t<T> value_of(T x) {
  return x;
}

// The type whose recipes fill elements of T.
template <class T>
struct Filled {
  using type = T;
};
template <class T>
struct Filled<Widened<T>> {
  using type = T;
};

// Calls visit(T{}) for the element type, which is not one that folds compute in.
template <class Visit>
void visit_converted(const StoredType& stored, Visit&& visit) {
  visit_stored(stored.type, stored.accumulator, [&](auto element) {
    if constexpr (!std::is_same_v<decltype(element), computed_t<decltype(element)>>) {
      visit(element);
    }
  });
}

template <class T>
Bytes bytes_of_all(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  return bytes;
}

template <class T>
std::vector<T> elements_of(const Bytes& bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(static_cast<void*>(elements.data()), bytes.data(), bytes.size());
  return elements;
}

// Low and high, in this order, from two random elements.
StoredData range_of(const StoredType& stored) {
  StoredData pair = stored_set(stored, Recipe::uniform, 77, 2);
  visit_converted(stored, [&](auto element) {
    using T = decltype(element);
    std::vector<T> values = elements_of<T>(pair.stored);
    if (value_of(values[1]) < value_of(values[0])) {
      std::swap(values[0], values[1]);
    }
    pair = converted(stored, bytes_of_all(values));
  });
  return pair;
}

isofold_request request_of(const Question& question, const Layout& layout, void* results) {
  isofold_request request{};
  request.size = sizeof request;
  request.definition = question.definition;
  request.fold = question.fold;
  request.type = question.type;
  request.shape = ISOFOLD_SHAPE_rows;
  request.rows = layout.rows;
  request.length = layout.length;
  request.stride = layout.stride;
  request.result = results;
  return request;
}

// The arrays from `offset` on; the second one's rows follow each other without gaps, so that two
// strides are asked.
void point_to(isofold_request& request, const Question& question, std::int64_t offset_bytes,
              const unsigned char* data, const unsigned char* second, const StoredData& range,
              bool stored) {
  request.data = data + offset_bytes;
  if (takes_two(question)) {
    request.second = second + offset_bytes;
    request.second_stride = request.length;
  }
  if (isofold_fold_parameters(question.fold) != 0) {
    request.parameters = stored ? range.stored.data() : range.computed.data();
  }
}

}  // namespace

std::vector<StoredType> stored_types_of(std::int32_t computed) {
  std::vector<StoredType> found;
  for (std::int32_t type = 1; type < ISOFOLD_TYPE_boolean; ++type) {
    for (std::int32_t accumulator : {0, computed}) {
      if (type != computed && computed_type(type, accumulator) == computed) {
        found.push_back({type, accumulator});
      }
    }
  }
  return found;
}

std::string name_of(const StoredType& stored) {
  const std::string name = isofold_type_name(stored.type);
  return stored.accumulator == 0 ? name
                                 : name + " widened to " + isofold_type_name(stored.accumulator);
}

StoredData converted(const StoredType& stored, Bytes elements) {
  StoredData data;
  data.stored = std::move(elements);
  visit_converted(stored, [&](auto element) {
    using T = decltype(element);
    std::vector<computed_t<T>> values;
    for (T x : elements_of<T>(data.stored)) {
      values.push_back(value_of(x));
    }
    data.computed = bytes_of_all(values);
  });
  return data;
}

bool has_stored_recipe(const StoredType& stored, Recipe recipe) {
  bool has = false;
  visit_converted(stored, [&](auto element) {
    has = test_data::has_recipe<typename Filled<decltype(element)>::type>(recipe);
  });
  return has;
}

StoredData stored_set(const StoredType& stored, Recipe recipe, std::uint64_t seed, std::int64_t n) {
  Bytes elements;
  visit_converted(stored, [&](auto element) {
    elements = bytes_of_all(data_set<typename Filled<decltype(element)>::type>(recipe, seed, n));
  });
  return converted(stored, std::move(elements));
}

StoredData every_pattern(const StoredType& stored) {
  Bytes elements;
  visit_converted(stored, [&](auto element) {
    constexpr std::size_t size = sizeof element;
    const std::uint64_t patterns = size == 1 ? 256 : 65536;
    for (std::uint64_t i = 0; i < patterns; ++i) {
      const std::uint64_t bits = size <= 2 ? i : test_data::random_word(5, i) >> 16;
      for (std::size_t byte = 0; byte < size; ++byte) {
        elements.push_back(static_cast<unsigned char>(bits >> (8 * byte)));
      }
    }
  });
  return converted(stored, std::move(elements));
}

StoredCase stored_case(const Question& question, const StoredType& stored, StoredData data,
                       StoredData second) {
  return {question, stored, std::move(data), std::move(second), range_of(stored)};
}

Bytes expected_of(const StoredCase& which, const Layout& layout) {
  const Question& question = which.question;
  Bytes results(
      static_cast<std::size_t>(layout.rows * isofold_result_bytes(question.fold, question.type)));
  isofold_request request = request_of(question, layout, results.data());
  point_to(request, question, layout.offset * isofold_type_bytes(question.type),
           which.data.computed.data(), which.second.computed.data(), which.range, false);
  Reducer reference("reference");
  check(isofold_reduce(reference.handle(), &request));
  return results;
}

isofold_request PlacedCase::request(const Layout& layout, void* results) const {
  isofold_request request = request_of(which_.question, layout, results);
  request.type = which_.stored.type;
  request.accumulator = which_.stored.accumulator;
  point_to(request, which_.question, layout.offset * isofold_type_bytes(request.type), data_.data(),
           second_.data(), which_.range, true);
  return request;
}

std::string refusal_of(Target& target, const StoredCase& which) {
  const PlacedCase placed(target, which);
  const Placed<double> slot(target, std::vector<double>(8));  // room for any result
  const bool refused =
      target.reduce(placed.request({0, 1, 1, 1}, slot.data())) == ISOFOLD_unsupported;
  target.synchronize();
  return refused ? target.last_error() : "";
}

}  // namespace isofold::conformance
