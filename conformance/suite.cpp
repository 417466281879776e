// The suite: every section of every backend that can compute here, in order, with a table's
// figures.
#include <chrono>
#include <exception>

#include "seconds_since.hpp"
#include "sections.hpp"
#include <isofold/isofold.hpp>

namespace isofold::conformance {
namespace {

void ask(Section section, Target& target, const Question& question, Judge& judge) {
  switch (section) {
    case Section::golden: return golden_section(target, question, judge);
    case Section::sizes: return sizes_section(target, question, judge);
    case Section::values: return values_section(target, question, judge);
    case Section::alignment: return alignment_section(target, question, judge);
    case Section::schedules: return schedules_section(target, question, judge);
    case Section::rows: return rows_section(target, question, judge);
    case Section::shapes: return shapes_section(target, question, judge);
    case Section::fused: return fused_section(target, question, judge);
    case Section::repeats: return repeats_section(target, question, judge);
    case Section::conversions: return conversions_section(target, question, judge);
    case Section::exact_v1: return exact_v1_section(target, question, judge);
    case Section::exact: return exact_section(target, question, judge);
    case Section::bound: return bound_section(target, question, judge);
    case Section::refusals: return refusals_section(target, question, judge);
    case Section::huge: return huge_section(target, question, judge);
  }
}

bool has_case(std::int32_t fold, std::int32_t type) {
  return isofold_result_bytes(fold, type) != 0;
}

// At the standard level the short lists are enough for the arithmetic of the folds that walk as the
// leading ones do.
Question question_for(Section section, Question question) {
  const bool is_listed = section == Section::sizes || section == Section::values ||
                         section == Section::alignment || section == Section::schedules ||
                         section == Section::rows || section == Section::repeats ||
                         section == Section::fused;
  if (is_listed && question.level == Level::standard && !expectation_of(question.fold).leads()) {
    question.level = Level::quick;
  }
  return question;
}

// Adds the figures of one fold and type to those of the section.
void add(CellResult& total, const CellResult& part) {
  total.cases += part.cases;
  total.comparisons += part.comparisons;
  total.refused += part.refused;
  total.seconds += part.seconds;
  if (total.failures == 0 && part.failures > 0) {
    total.first_failure = part.first_failure;
    total.fold = part.fold;
    total.type = part.type;
  }
  total.failures += part.failures;
  if (part.worst_error_over_bound > total.worst_error_over_bound) {
    total.worst_error_over_bound = part.worst_error_over_bound;
  }
  if (total.comparisons == 0 && total.skipped.empty()) {
    total.skipped = part.skipped;
  } else if (total.comparisons != 0) {
    total.skipped.clear();
  }
}

}  // namespace

const char* name_of(Level level) {
  switch (level) {
    case Level::quick: return "quick";
    case Level::standard: return "standard";
    case Level::exhaustive: return "exhaustive";
  }
  return "";
}

const char* name_of(Section section) {
  switch (section) {
    case Section::golden: return "golden";
    case Section::sizes: return "sizes";
    case Section::values: return "values";
    case Section::alignment: return "alignment";
    case Section::schedules: return "schedules";
    case Section::rows: return "rows";
    case Section::shapes: return "shapes";
    case Section::fused: return "fused";
    case Section::repeats: return "repeats";
    case Section::conversions: return "conversions";
    case Section::exact_v1: return "exact_v1";
    case Section::exact: return "exact";
    case Section::bound: return "bound";
    case Section::refusals: return "refusals";
    case Section::huge: return "huge";
  }
  return "";
}

const char* describe(Section section) {
  switch (section) {
    case Section::golden: return "committed bits of the independent oracle";
    case Section::sizes: return "small sizes, powers of two and their neighbours, random sizes";
    case Section::values: return "NaN payloads, infinities, signed zeros, subnormals, overflow";
    case Section::alignment: return "the same elements at 16 offsets from an aligned address";
    case Section::schedules: return "forced ways to walk the tree, each of which must be what ran";
    case Section::rows: return "each row has the bits of the row reduced alone";
    case Section::shapes:
      return "boxes, axes, masks, segments, gathers, batches: the bits of packing them first";
    case Section::fused: return "several folds in one call: the bits that each has alone";
    case Section::repeats: return "one call again and again, blocking and not, has one answer";
    case Section::conversions:
      return "narrow and widened elements: the bits of the array converted first";
    case Section::exact_v1: return "sums of exact_v1: the bits of the definition, in any shape";
    case Section::exact: return "integer-valued data: the exact result, whatever the order";
    case Section::bound: return "random data: the error lies within its bound";
    case Section::refusals: return "what cannot be promised is refused, and the next call works";
    case Section::huge: return "more than 2^32 elements, where memory allows";
  }
  return "";
}

std::vector<std::string> choose_backends(const SuiteOptions& options,
                                         std::vector<SkippedBackend>& skipped) {
  const std::vector<std::string> known = backend_names();
  std::vector<std::string> chosen;
  for (const std::string& name : options.backends.empty() ? known : options.backends) {
    bool is_known = false;
    for (const std::string& candidate : known) {
      is_known = is_known || candidate == name;
    }
    if (!is_known) {
      throw Error(Code::backend_unavailable,
                  "There is no backend '" + name + "': " + isofold::describe(name) + ".");
    }
    if (is_available(name)) {
      chosen.push_back(name);
    } else {
      skipped.push_back({name, isofold::describe(name)});
    }
  }
  return chosen;
}

bool SuiteReport::passed() const { return failures() == 0 && comparisons() > 0; }

std::int64_t SuiteReport::comparisons() const {
  std::int64_t sum = 0;
  for (const CellResult& cell : cells) {
    sum += cell.comparisons;
  }
  return sum;
}

std::int64_t SuiteReport::failures() const {
  std::int64_t sum = 0;
  for (const CellResult& cell : cells) {
    sum += cell.failures;
  }
  return sum;
}

CellResult run_section(Target& target, Section section, const Question& question) {
  CellResult cell;
  cell.backend = target.name();
  cell.section = section;
  cell.fold = isofold_fold_name(question.fold);
  cell.type = isofold_type_name(question.type);
  Judge judge(cell, question.fold, question.type);
  const auto start = std::chrono::steady_clock::now();
  try {
    if (section != Section::refusals && is_refused(target, question)) {
      judge.skip(target.last_error());
    } else {
      ask(section, target, question_for(section, question), judge);
    }
  } catch (const std::exception& error) {
    judge.fail(case_name(question) + ": " + error.what());
  }
  cell.seconds = seconds_since(start);
  // Nothing compared and no reason given: a test that cannot fail.
  if (cell.comparisons == 0 && cell.failures == 0 && cell.skipped.empty()) {
    judge.fail(case_name(question) + ": the section " + name_of(section) + " compared nothing");
  }
  return cell;
}

CellResult run_cell(const std::string& backend, Section section, std::int32_t fold,
                    std::int32_t type, Level level, std::uint64_t seed) {
  return run_section(*library_target(backend), section, {fold, type, level, seed});
}

SuiteReport run_suite(const SuiteOptions& options, const SuiteWatch& watch) {
  const auto start = std::chrono::steady_clock::now();
  SuiteReport report;
  report.level = options.level;
  report.seed = options.seed;
  report.golden_hash = golden_hash();
  report.golden_lines = golden_line_count();
  const std::vector<std::string> backends = choose_backends(options, report.skipped);
  const std::vector<std::int32_t> chosen =
      options.folds.empty() ? std::vector<std::int32_t>(std::begin(folds), std::end(folds))
                            : options.folds;
  const double steps = static_cast<double>(backends.size() * std::size(sections) * chosen.size() *
                                           std::size(computed_types));
  double done = 0;
  const auto step = [&](CellResult& total, std::int32_t fold, std::int32_t type) {
    report.stopped = report.stopped || (watch.stop && watch.stop());
    if (report.stopped) {
      return;
    }
    if (watch.progress) {
      watch.progress(done / steps, total.backend + " " + name_of(total.section) + ": " +
                                       isofold_fold_name(fold) + " of " + isofold_type_name(type));
    }
    if (has_case(fold, type)) {
      add(total, run_cell(total.backend, total.section, fold, type, options.level, options.seed));
    }
    done += 1;
  };
  for (const std::string& backend : backends) {
    for (Section section : sections) {
      CellResult total;
      total.backend = backend;
      total.section = section;
      for (std::int32_t fold : chosen) {
        for (std::int32_t type : computed_types) {
          step(total, fold, type);
        }
      }
      if (report.stopped && total.cases == 0) {
        break;
      }
      report.cells.push_back(total);
      if (watch.finished) {
        watch.finished(total);
      }
    }
  }
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace isofold::conformance
