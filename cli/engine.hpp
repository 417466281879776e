// One reducer at work on host data: for a backend that reads its own memory only, the data go
// through a buffer there. What a Reducer refuses to do by design (move data) the program does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <isofold/backend.hpp>
#include <isofold/fold.hpp>
#include <isofold/reducer.hpp>

namespace cli {

struct EngineOptions {
  std::string backend;  // "" leaves the choice to isofold
  std::int32_t device = 0;
  std::int32_t threads = 0;
  std::optional<isofold::Guarantee> guarantee;  // empty: the strongest that the backend has
};

class Engine {
 public:
  // Throws Error where the backend is not available or has no such case.
  Engine(isofold::Fold fold, isofold::Type type, std::int32_t shape, const EngineOptions& options);

  isofold::Guarantee guarantee() const noexcept { return guarantee_; }
  // The backend that answered.
  std::string backend() const { return reducer_.backend(); }
  isofold_reducer* handle() const noexcept { return reducer_.handle(); }
  // Whether the backend reads its own memory only.
  bool moves_data() const noexcept { return moves_data_; }

  // Where the reducer reads `elements` at `host`: there, or in its buffer after a copy.
  const void* reach(const void* host, std::int64_t elements);
  // The result of `count` elements that the reducer can read; with ISOFOLD_STATE, the fold's state.
  void reduce(const void* data, std::int64_t count, void* result, std::int32_t flags = 0);
  // One result a row, to host memory.
  void reduce_rows(const void* data, std::int64_t rows, std::int64_t length, void* results);

 private:
  isofold_request request(std::int32_t shape, std::int32_t flags, const void* data,
                          std::int64_t rows, std::int64_t length, void* result) const;
  isofold::Reducer open(isofold::Guarantee guarantee) const;
  bool supports(const isofold::Reducer& reducer, std::int32_t shape) const;
  bool reads_host_memory();
  // A buffer of the backend of at least so many bytes.
  void* room(std::optional<isofold::Buffer>& buffer, std::size_t bytes);

  isofold::Fold fold_;
  isofold::Type type_;
  EngineOptions options_;
  isofold::Guarantee guarantee_ = isofold::Guarantee::same_bits;
  isofold::Reducer reducer_;
  bool moves_data_ = false;
  std::optional<isofold::Buffer> elements_;
  std::optional<isofold::Buffer> results_;
};

}  // namespace cli
