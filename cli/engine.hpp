// One reducer at work on host data, for the commands: if a backend reads its own memory only, the
// data go through a buffer there. A Reducer never moves data, by design; the program does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <isofold/backend.hpp>
#include <isofold/fold.hpp>
#include <isofold/reducer.hpp>

#include "memory.hpp"
#include "range.hpp"
#include "types.hpp"

namespace cli {

struct EngineOptions {
  std::string backend;      // "" leaves the choice to isofold
  std::int32_t device = 0;  // of `backend`
  std::int32_t threads = 0;
  std::optional<isofold::Guarantee> guarantee;  // empty: the strongest that the backend has
  std::optional<isofold::Type> accumulator;     // a wider type to compute in
  bool skip_nan = false;                        // NaNs are left out
  bool packed_index = false;                    // indices count the elements that are taken
  bool exact = false;                           // sums are those of exact_v1
};

// The type whose folds and results elements of `type` have: the accumulator's, if there is one.
// Throws Failure(bad_input) for elements that are not computed with in the accumulator.
isofold::Type accumulated_type(isofold::Type type, const EngineOptions& options);

// A fold, with its parameters if it takes any.
struct Question {
  isofold::Fold fold;
  const void* parameters = nullptr;
};

// Elements in memory: those of one array, or of two side by side.
struct Elements {
  const void* data = nullptr;
  const void* second = nullptr;

  // The elements that many bytes further on.
  Elements from(std::int64_t bytes) const {
    return {static_cast<const char*>(data) + bytes,
            second != nullptr ? static_cast<const char*>(second) + bytes : nullptr};
  }
};

// The elements that a fold runs over, in the terms of a request.
struct Shape {
  std::int32_t kind = ISOFOLD_SHAPE_array;
  std::int64_t rows = 1;
  std::int64_t length = 0;
  const isofold_layout* layout = nullptr;

  // True for a single result; a list may also have a single one in it.
  bool has_one_result() const noexcept {
    return kind == ISOFOLD_SHAPE_array || (kind == ISOFOLD_SHAPE_box && layout->kept == 0);
  }
};

class Engine {
 public:
  // For one or several folds of equally many arrays. Throws Error if the backend is not available
  // or lacks one of the cases, and Failure if isofold lacks it.
  Engine(std::vector<Question> questions, isofold::Type type, const Shape& shape,
         const EngineOptions& options);

  // The type of elements in memory that the reducer reads.
  isofold::Type type() const noexcept { return type_; }
  // The type that results are those of.
  isofold::Type accumulated() const noexcept { return accumulated_; }
  // The strongest guarantee that the backend has for all of the folds.
  isofold::Guarantee guarantee() const noexcept { return guarantee_; }
  // This tells whether sums are those of exact_v1.
  bool exact() const noexcept { return options_.exact; }
  // The backend that answered.
  std::string backend() const { return reducer_.backend(); }
  isofold_reducer* handle() const noexcept { return reducer_.handle(); }
  // This tells whether the backend reads its own memory only.
  bool moves_data() const noexcept { return moves_data_; }

  // `count` elements of the input in memory that the reducer reads: their own, or buffers after a
  // conversion or a copy; valid until the next call.
  Elements reach(Elements host, std::int64_t count);
  // The shape with a mask and offsets that the reducer reads; valid until the next call.
  Shape reach(const Shape& host);
  // Writes the results of elements that the reducer can read to host memory; with ISOFOLD_STATE,
  // the fold's state of an array.
  void reduce(const Question& question, const Shape& shape, Elements x, void* results,
              std::int32_t flags = 0);

 private:
  void reduce_rows(const Question& question, const Shape& shape, Elements x, void* results);
  isofold_request request(const Question& question, const Shape& shape, std::int32_t flags,
                          Elements x, void* result) const;
  isofold::Reducer open(isofold::Guarantee guarantee) const;
  void check_cases() const;
  // This tells whether the reducer reads elements of another type than the input's.
  bool is_converted() const noexcept { return type_ != input_type_; }
  // Elements of the input as those that the reducer reads, in `room`.
  const void* converted(const void* elements, std::int64_t count, void* room) const;
  void convert_parameters();
  // ok, or the first refusal, whose sentence is the last error.
  std::int32_t support_of_all(const isofold::Reducer& reducer, const Shape& shape) const;
  bool reads_host_memory();
  std::int64_t bytes_of_result(isofold::Fold fold) const {
    return result_bytes(fold, results_as(fold, accumulated_));
  }
  const void* copy(const void* host, std::size_t bytes, std::optional<isofold::Buffer>& buffer);
  // A buffer of the backend of at least `bytes` bytes.
  void* room(std::optional<isofold::Buffer>& buffer, std::size_t bytes);

  std::vector<Question> questions_;
  isofold::Type input_type_;
  isofold::Type accumulated_;
  isofold::Type type_;
  EngineOptions options_;
  isofold::Guarantee guarantee_ = isofold::Guarantee::same_bits;
  isofold::Reducer reducer_;
  bool moves_data_ = false;
  Range parameters_{};  // for the one fold that takes them, if the elements are converted
  HostMemory converted_first_;
  HostMemory converted_second_;
  std::optional<isofold::Buffer> first_;
  std::optional<isofold::Buffer> second_;
  std::optional<isofold::Buffer> results_;
  isofold_layout layout_{};
  std::optional<isofold::Buffer> mask_;
  std::optional<isofold::Buffer> offsets_;
};

}  // namespace cli
