// The differential fuzzer: random fold, elements, data, shape and schedule, answered by a target
// and by the reference, whose bits must agree. Case `number` of `seed` asks every target the same
// question, so that a difference is found again from these two numbers alone.
#pragma once

#include <functional>
#include <limits>
#include <memory>

#include "batch.hpp"
#include "judge.hpp"
#include "target.hpp"

namespace isofold::conformance {

struct FuzzOptions {
  std::vector<std::string> backends;  // empty: all that isofold knows
  std::uint64_t seed = 1;
  std::uint64_t first = 0;  // number of the first case
  std::uint64_t cases = std::numeric_limits<std::uint64_t>::max();
  double seconds = 10;         // the case that is under way is finished
  std::function<bool()> stop;  // asked behind each case; after a true there is no other
};

struct FuzzCell {
  CellResult result;  // `refused` counts questions that the backend need not answer
  std::uint64_t first_failing = 0;
};

struct FuzzReport {
  std::uint64_t seed = 0;
  std::uint64_t first = 0;
  std::uint64_t next = 0;  // the number to go on with
  std::vector<FuzzCell> cells;
  std::vector<SkippedBackend> skipped;
  double seconds = 0;
  bool stopped = false;  // before the end

  bool passed() const;  // no failure, and at least one result was compared
  std::int64_t comparisons() const;
};

// The fold and type of case `number`.
Question fuzzed_question(std::uint64_t seed, std::uint64_t number);

// One case; an exception is a failure. Returns what was asked.
std::string fuzz_case(Target& target, std::uint64_t seed, std::uint64_t number, Judge& judge);

// All cases on targets of any kind.
FuzzReport fuzz_targets(const FuzzOptions& options,
                        const std::vector<std::unique_ptr<Target>>& targets,
                        const Progress& progress = {});

// All cases on the library's backends; throws as run_suite does.
FuzzReport run_fuzz(const FuzzOptions& options, const Progress& progress = {});

}  // namespace isofold::conformance
