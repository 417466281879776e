// The conformance suite without a test framework: `isofold verify` runs it on users' machines, and
// GoogleTest runs it here. Every section asks one question of one backend, for one fold and type; a
// table shows how many results were compared and the first one that was wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <isofold/isofold.h>

namespace isofold::conformance {

enum class Level { quick, standard, exhaustive };
const char* name_of(Level level);

// The questions. `same_bits` backends answer all of them, `within_bound` backends those that any
// order of combination must get right: exact data, the error bound, integers and extrema.
enum class Section {
  golden,       // committed bits of the independent oracle
  sizes,        // every small size, powers of two and their neighbours, random sizes
  values,       // NaN payloads, infinities, signed zeros, subnormals, overflow
  alignment,    // the same elements at every offset from a cache line
  schedules,    // every forced schedule, and that it was the one that ran
  rows,         // each row has the bits of the row reduced alone
  shapes,       // boxes, axes, masks, segments, gathers, batches: the bits of packing them first
  fused,        // several folds in one call: the bits that each has alone
  repeats,      // one call again and again has one answer
  conversions,  // elements of narrower types, and widened ones: the bits of the array converted
                // first
  exact_v1,     // the definition without an order: the reference's bits
  exact,        // integer-valued data: the exact result, whatever the order
  bound,        // random data: the error against exact arithmetic is within its bound
  // a request that no backend can promise is refused in a sentence, and the next call works
  refusals,
  huge  // more than 2^31 elements and 8 GiB (exhaustive level, where memory allows)
};
inline constexpr Section sections[] = {
    Section::golden,   Section::sizes,  Section::values, Section::alignment, Section::schedules,
    Section::rows,     Section::shapes, Section::fused,  Section::repeats,   Section::conversions,
    Section::exact_v1, Section::exact,  Section::bound,  Section::refusals,  Section::huge};
const char* name_of(Section section);
const char* describe(Section section);  // one line for a table's legend

// Types that folds compute in; others are asked about in the section `conversions` of these.
inline constexpr std::int32_t computed_types[] = {
#define ISOFOLD_NUMBER(name, number, c_type) number,
    ISOFOLD_COMPUTED_TYPES(ISOFOLD_NUMBER)
#undef ISOFOLD_NUMBER
};

inline constexpr std::int32_t folds[] = {
#define ISOFOLD_NUMBER(name, number) number,
    ISOFOLD_FOLDS(ISOFOLD_NUMBER)
#undef ISOFOLD_NUMBER
};

// Calls visit(fold, type) for each that the library has: docs/folds.md. Builds for tests may lack
// folds between others.
template <class Visit>
void for_every_case(Visit&& visit) {
  for (std::int32_t fold : folds) {
    for (std::int32_t type : computed_types) {
      if (isofold_result_bytes(fold, type) != 0) {
        visit(fold, type);
      }
    }
  }
}

struct CellResult {
  std::string backend;
  Section section = Section::golden;
  std::string fold;  // where results of several were added up, those of the first failure, or ""
  std::string type;
  std::int64_t cases = 0;        // data sets, shapes and schedules
  std::int64_t comparisons = 0;  // results that were judged
  std::int64_t failures = 0;
  std::int64_t refused = 0;   // bounds too wide to prove anything, schedules not offered here
  std::string first_failure;  // a sentence: case, expected and found bits; "" when there is none
  std::string skipped;        // why nothing was asked here; "" when it was
  double worst_error_over_bound = -1;  // section bound: the largest |error| / bound; else -1
  double seconds = 0;

  bool passed() const { return failures == 0; }
};

struct SkippedBackend {
  std::string name;
  std::string reason;
};

struct SuiteOptions {
  Level level = Level::standard;
  std::vector<std::string> backends;  // empty: all that isofold knows
  std::vector<std::int32_t> folds;    // empty: all; probe_trees() asks for sums alone
  std::uint64_t seed = 1;             // of the random sizes; printed with the result
};

struct SuiteReport {
  Level level = Level::standard;
  std::uint64_t seed = 0;
  std::string golden_hash;  // of tests/golden/ as it was built in: "sha256:..."
  std::int64_t golden_lines = 0;
  std::vector<CellResult> cells;  // one for each backend and section, in that order
  std::vector<SkippedBackend> skipped;
  double seconds = 0;
  bool stopped = false;  // before its end, by the caller

  bool passed() const;  // no failure, and at least one backend was asked
  std::int64_t comparisons() const;
  std::int64_t failures() const;
};

// Called after each step of the suite: how far it is (0 to 1) and what it does next.
using Progress = std::function<void(double fraction, const std::string& step)>;

// The caller of a suite hears of its progress by these functions, and may stop it; each may be
// empty.
struct SuiteWatch {
  Progress progress;
  std::function<void(const CellResult&)> finished;  // a cell of the report is complete
  // Asked before each step. After a true the suite ends, and its last cell has what was compared.
  std::function<bool()> stop;
};

// Throws Error (backend_unavailable) when `options.backends` names one that isofold does not know;
// a known one that cannot run here is listed as skipped, with the reason.
SuiteReport run_suite(const SuiteOptions& options, const SuiteWatch& watch = {});

// One section of one available backend for one fold and type: the unit of the test executable.
CellResult run_cell(const std::string& backend, Section section, std::int32_t fold,
                    std::int32_t type, Level level, std::uint64_t seed = 1);

// tests/golden/ as it was when the program was built; `LC_ALL=C; cat tests/golden/*.txt |
// sha256sum` prints the same digits.
std::string golden_hash();
std::int64_t golden_line_count();

}  // namespace isofold::conformance
