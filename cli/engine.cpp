// Opens a reducer under the strongest guarantee that it has, and carries data to it.
#include "engine.hpp"

#include <algorithm>
#include <utility>

#include <request/converted_elements.hpp>

#include "failure.hpp"
#include "types.hpp"

namespace cli {

using isofold::Guarantee;
using isofold::Type;

namespace {

// The type that the library computes with in elements of `type`; empty if it has no such
// accumulator.
std::optional<Type> computed_in(Type type, std::optional<Type> accumulator = std::nullopt) {
  const std::int32_t number =
      accumulator.has_value() ? static_cast<std::int32_t>(*accumulator) : ISOFOLD_TYPE_none;
  const std::int32_t computed = isofold::computed_type(static_cast<std::int32_t>(type), number);
  return computed != ISOFOLD_TYPE_none ? std::optional<Type>(static_cast<Type>(computed))
                                       : std::nullopt;
}

// The type of the elements that the library gets: another one if it widens only that.
Type type_for(Type type, const EngineOptions& options) {
  const bool is_wide = !options.accumulator.has_value() || *options.accumulator == type;
  return is_wide || computed_in(type, options.accumulator).has_value() ? type : *computed_in(type);
}

// Advice where elements of doubles have the fold, and those of `type` do not.
std::string way_out_for(isofold::Fold fold, Type type) {
  const bool is_integer = part_type(type) == type && type != Type::f32 && type != Type::f64;
  return is_integer && result_bytes(fold, Type::f64) != 0
             ? ". Store them as doubles for it, with numpy's x.astype('<f8')"
             : "";
}

}  // namespace

Type accumulated_type(Type type, const EngineOptions& options) {
  const Type given = type_for(type, options);
  if (!options.accumulator.has_value() || *options.accumulator == given) {
    return given;
  }
  if (!computed_in(given, options.accumulator).has_value()) {
    throw Failure(Exit::bad_input,
                  "--accumulator " + type_name(*options.accumulator) +
                      " is for elements of f16, bf16 and f32 (and f64, which have it anyway), and "
                      "the input holds " +
                      type_name(type) + "; leave it out.");
  }
  return *options.accumulator;
}

Engine::Engine(std::vector<Question> questions, Type type, const Shape& shape,
               const EngineOptions& options)
    : questions_(std::move(questions)),
      input_type_(type),
      accumulated_(accumulated_type(type, options)),
      type_(type_for(type, options)),
      options_(options),
      guarantee_(options.guarantee.value_or(Guarantee::same_bits)),
      reducer_(open(guarantee_)) {
  check_cases();
  convert_parameters();
  std::int32_t support = support_of_all(reducer_, shape);
  if (support != ISOFOLD_ok && !options.guarantee.has_value()) {
    guarantee_ = Guarantee::within_bound;
    reducer_ = open(guarantee_);
    support = support_of_all(reducer_, shape);
  }
  isofold::check(support);
  moves_data_ = !options_.backend.empty() && !reads_host_memory();
}

isofold::Reducer Engine::open(Guarantee guarantee) const {
  isofold::Options options;
  options.threads(options_.threads).guarantee(guarantee);
  if (options_.backend.empty()) {
    return isofold::Reducer(nullptr, options);
  }
  return isofold::Reducer(options_.backend.c_str(), options.device(options_.device));
}

// The library's sentence points to a table; this one lists the table's column.
void Engine::check_cases() const {
  for (const Question& question : questions_) {
    if (!options_.exact &&
        isofold_exact_words(static_cast<std::int32_t>(question.fold),
                            static_cast<std::int32_t>(accumulated_)) > 0 &&
        result_bytes(question.fold, accumulated_) == 0) {
      throw Failure(Exit::unavailable, "The " + fold_name(question.fold) + " of elements of " +
                                           type_name(accumulated_) +
                                           " is exact_v1's alone; add --exact.");
    }
    if (result_bytes(question.fold, results_as(question.fold, accumulated_)) == 0) {
      throw Failure(Exit::unavailable, "There is no fold " + fold_name(question.fold) +
                                           " of elements of " + type_name(accumulated_) +
                                           "; they have " + listed(folds_over(accumulated_)) +
                                           way_out_for(question.fold, accumulated_) + ".");
    }
  }
}

void Engine::convert_parameters() {
  for (const Question& question : questions_) {
    if (question.parameters != nullptr && is_converted()) {
      converted(question.parameters, 2, parameters_.data());
    }
  }
}

std::int32_t Engine::support_of_all(const isofold::Reducer& reducer, const Shape& shape) const {
  for (const Question& question : questions_) {
    const isofold_request asked = request(question, shape, 0, {}, nullptr);
    const std::int32_t support = isofold_supports(reducer.handle(), &asked);
    if (support != ISOFOLD_ok) {
      return support;
    }
  }
  return ISOFOLD_ok;
}

// Asks the backend itself, with one element, so that there is no list of device backends to keep up
// to date.
bool Engine::reads_host_memory() {
  const std::uint64_t element[2] = {};  // room for any
  const Question& question = questions_.front();
  std::vector<std::uint64_t> result(
      static_cast<std::size_t>(bytes_of_result(question.fold) / 8 + 1));
  const isofold_request one = request(question, {ISOFOLD_SHAPE_array, 1, 1}, ISOFOLD_BLOCKING,
                                      {element, element}, result.data());
  const std::int32_t code = isofold_reduce(reducer_.handle(), &one);
  if (code != ISOFOLD_wrong_memory) {
    isofold::check(code);
  }
  return code == ISOFOLD_ok;
}

const void* Engine::converted(const void* elements, std::int64_t count, void* room) const {
  isofold_request stored{};
  stored.type = static_cast<std::int32_t>(input_type_);
  return isofold::as_any_computed(stored, elements, count, room);
}

Elements Engine::reach(Elements host, std::int64_t count) {
  if (is_converted()) {
    const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(count, 1) * bytes_of(type_));
    host.data = converted(host.data, count, converted_first_.at_least(bytes));
    if (host.second != nullptr) {
      host.second = converted(host.second, count, converted_second_.at_least(bytes));
    }
  }
  if (!moves_data_ || count == 0) {
    return host;
  }
  const auto bytes = static_cast<std::size_t>(count * bytes_of(type_));
  return {copy(host.data, bytes, first_),
          host.second != nullptr ? copy(host.second, bytes, second_) : nullptr};
}

Shape Engine::reach(const Shape& host) {
  if (!moves_data_ || host.layout == nullptr) {
    return host;
  }
  layout_ = *host.layout;
  if (layout_.mask != nullptr) {
    layout_.mask = copy(layout_.mask, static_cast<std::size_t>(host.rows * host.length), mask_);
  }
  if (layout_.begins != nullptr) {
    const std::int64_t bytes = isofold_type_bytes(layout_.index_type);
    layout_.begins =
        copy(layout_.begins, static_cast<std::size_t>((host.rows + 1) * bytes), offsets_);
  }
  Shape reached = host;
  reached.layout = &layout_;
  return reached;
}

const void* Engine::copy(const void* host, std::size_t bytes,
                         std::optional<isofold::Buffer>& buffer) {
  void* data = room(buffer, bytes);
  buffer->copy_from(host, bytes);
  return data;
}

void Engine::reduce(const Question& question, const Shape& shape, Elements x, void* results,
                    std::int32_t flags) {
  if (!shape.has_one_result()) {
    reduce_rows(question, shape, x, results);
    return;
  }
  const isofold_request whole = request(question, shape, ISOFOLD_BLOCKING | flags, x, results);
  isofold::check(isofold_reduce(reducer_.handle(), &whole));
}

void Engine::reduce_rows(const Question& question, const Shape& shape, Elements x, void* results) {
  const auto bytes = static_cast<std::size_t>(shape.rows * bytes_of_result(question.fold));
  void* out = moves_data_ ? room(results_, bytes) : results;
  const isofold_request each = request(question, shape, 0, x, out);
  isofold::check(isofold_reduce(reducer_.handle(), &each));
  reducer_.synchronize();
  if (moves_data_) {
    results_->copy_to(results, bytes);
  }
}

isofold_request Engine::request(const Question& question, const Shape& shape, std::int32_t flags,
                                Elements x, void* result) const {
  isofold_request plain{};
  plain.size = sizeof plain;
  plain.definition = options_.exact ? ISOFOLD_DEFINITION_exact_v1 : ISOFOLD_DEFINITION_tree_v1;
  plain.fold = static_cast<std::int32_t>(question.fold);
  plain.type = static_cast<std::int32_t>(type_);
  plain.accumulator = accumulated_ != type_ ? static_cast<std::int32_t>(accumulated_) : 0;
  plain.shape = shape.kind;
  plain.flags = flags | (options_.skip_nan ? ISOFOLD_SKIP_NAN : 0) |
                (options_.packed_index ? ISOFOLD_PACKED_INDEX : 0);
  plain.data = x.data;
  plain.second = arrays_of(question.fold) == 2 ? x.second : nullptr;
  plain.rows = shape.rows;
  plain.length = shape.length;
  plain.stride = shape.length;
  plain.second_stride = plain.second != nullptr ? shape.length : 0;
  const bool has_own = question.parameters != nullptr && is_converted();
  plain.parameters = has_own ? parameters_.data() : question.parameters;
  plain.result = result;
  plain.layout = shape.layout;
  return plain;
}

void* Engine::room(std::optional<isofold::Buffer>& buffer, std::size_t bytes) {
  if (!buffer.has_value() || buffer->bytes() < bytes) {
    buffer.reset();
    buffer.emplace(options_.backend, bytes, options_.device);
  }
  return buffer->data();
}

}  // namespace cli
