// Opening a reducer under the strongest guarantee that it has, and carrying data to it.
#include "engine.hpp"

#include "types.hpp"

namespace cli {

using isofold::Guarantee;

Engine::Engine(isofold::Fold fold, isofold::Type type, std::int32_t shape,
               const EngineOptions& options)
    : fold_(fold),
      type_(type),
      options_(options),
      guarantee_(options.guarantee.value_or(Guarantee::same_bits)),
      reducer_(open(guarantee_)) {
  if (!supports(reducer_, shape)) {
    const isofold::Error refusal(isofold::Code::unsupported, isofold_last_error());
    if (options.guarantee.has_value()) {
      throw refusal;
    }
    guarantee_ = Guarantee::within_bound;
    reducer_ = open(guarantee_);
    if (!supports(reducer_, shape)) {
      throw refusal;
    }
  }
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

bool Engine::supports(const isofold::Reducer& reducer, std::int32_t shape) const {
  const isofold_request asked = request(shape, 0, nullptr, 1, 0, nullptr);
  return isofold_supports(reducer.handle(), &asked) == ISOFOLD_ok;
}

// Asks the backend itself, with one element: no list of device backends to keep up to date.
bool Engine::reads_host_memory() {
  const std::uint64_t element = 0;
  std::vector<std::uint64_t> result(static_cast<std::size_t>(result_bytes(fold_, type_) / 8 + 1));
  const isofold_request one =
      request(ISOFOLD_SHAPE_array, ISOFOLD_BLOCKING, &element, 1, 1, result.data());
  const std::int32_t code = isofold_reduce(reducer_.handle(), &one);
  if (code != ISOFOLD_wrong_memory) {
    isofold::check(code);
  }
  return code == ISOFOLD_ok;
}

const void* Engine::reach(const void* host, std::int64_t elements) {
  if (!moves_data_ || elements == 0) {
    return host;
  }
  const auto bytes = static_cast<std::size_t>(elements * bytes_of(type_));
  void* data = room(elements_, bytes);
  elements_->copy_from(host, bytes);
  return data;
}

void Engine::reduce(const void* data, std::int64_t count, void* result, std::int32_t flags) {
  const isofold_request whole =
      request(ISOFOLD_SHAPE_array, ISOFOLD_BLOCKING | flags, data, 1, count, result);
  isofold::check(isofold_reduce(reducer_.handle(), &whole));
}

void Engine::reduce_rows(const void* data, std::int64_t rows, std::int64_t length, void* results) {
  const auto bytes = static_cast<std::size_t>(rows * result_bytes(fold_, type_));
  void* out = moves_data_ ? room(results_, bytes) : results;
  const isofold_request each = request(ISOFOLD_SHAPE_rows, 0, data, rows, length, out);
  isofold::check(isofold_reduce(reducer_.handle(), &each));
  reducer_.synchronize();
  if (moves_data_) {
    results_->copy_to(results, bytes);
  }
}

isofold_request Engine::request(std::int32_t shape, std::int32_t flags, const void* data,
                                std::int64_t rows, std::int64_t length, void* result) const {
  isofold_request plain{};
  plain.size = sizeof plain;
  plain.definition = ISOFOLD_DEFINITION_tree_v1;
  plain.fold = static_cast<std::int32_t>(fold_);
  plain.type = static_cast<std::int32_t>(type_);
  plain.shape = shape;
  plain.flags = flags;
  plain.data = data;
  plain.rows = rows;
  plain.length = length;
  plain.stride = length;
  plain.result = result;
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
