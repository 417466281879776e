// The cases of the fuzzer, and the loop over them. Shapes with a layout are those of the section
// `shapes`; arrays and rows are made here. Elements are of every type, converted ones too.
#include "fuzz.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "forced_target.hpp"
#include "random_instances.hpp"
#include "seconds_since.hpp"
#include "sections.hpp"
#include "stored_data.hpp"
#include <isofold/isofold.hpp>

namespace isofold::conformance {
namespace {

// Fold and type: every pair that the library has is equally likely.
std::vector<Question> every_case(std::uint64_t seed) {
  std::vector<Question> all;
  for_every_case([&](std::int32_t fold, std::int32_t type) {
    all.push_back({fold, type, Level::standard, seed});
  });
  return all;
}

template <class T>
Recipe recipe_for(Choices& choices) {
  const auto last = static_cast<std::int64_t>(std::size(test_data::recipes)) - 1;
  for (;;) {
    const Recipe recipe = test_data::recipes[choices.between(0, last)];
    if (test_data::has_recipe<T>(recipe)) {
      return recipe;
    }
  }
}

Recipe stored_recipe_for(const StoredType& stored, Choices& choices) {
  const auto last = static_cast<std::int64_t>(std::size(test_data::recipes)) - 1;
  for (;;) {
    const Recipe recipe = test_data::recipes[choices.between(0, last)];
    if (has_stored_recipe(stored, recipe)) {
      return recipe;
    }
  }
}

// Small arrays mostly; one in ten is long enough for many threads, of any magnitude up to 2^19.
std::int64_t array_length(Choices& choices) {
  if (!choices.one_in(10)) {
    return choices.length(33000);
  }
  const std::int64_t power = std::int64_t{1} << choices.between(13, 18);
  return choices.between(power, 2 * power);
}

Layout random_layout(Choices& choices) {
  Layout layout{};
  layout.offset = choices.one_in(2) ? 0 : choices.between(0, 17);
  if (choices.one_in(2)) {
    layout.rows = 1;
    layout.length = array_length(choices);
    layout.stride = layout.length;
    return layout;
  }
  constexpr std::int64_t most = 100000;  // elements in all
  layout.length = choices.length(20000);
  layout.stride = layout.length + (choices.one_in(2) ? 0 : choices.between(0, 70));
  layout.rows = choices.between(
      1, std::min<std::int64_t>(400, most / std::max<std::int64_t>(layout.stride, 1)));
  return layout;
}

std::int64_t elements_of(const Layout& layout) {
  return layout.offset + layout.rows * layout.stride + 1;
}

std::string layout_text(const Layout& layout) {
  const std::string from = " from element " + std::to_string(layout.offset) + " on";
  return layout.rows == 1
             ? "an array of " + std::to_string(layout.length) + from
             : std::to_string(layout.rows) + " rows of " + std::to_string(layout.length) +
                   " at a stride of " + std::to_string(layout.stride) + from;
}

std::int32_t one_of(Choices& choices, const std::vector<std::int32_t>& list) {
  return list[static_cast<std::size_t>(
      choices.between(0, static_cast<std::int64_t>(list.size()) - 1))];
}

isofold_schedule random_schedule(const Target& target, bool rows, Choices& choices) {
  isofold_schedule schedule{};
  if (!is_gpu(target)) {
    schedule.threads = one_of(choices, {0, 1, 2, 3, 5, 8});
    schedule.vector_bits = one_of(choices, {0, 128, 256, 512});
    schedule.streams = one_of(choices, {0, 1, 2, 3});
  } else if (rows) {
    schedule.unit = one_of(choices, {0, 16, 32, 64, 128, 256, -1, -2, -4, -7});
    schedule.blocks = one_of(choices, {0, 1, 3});
  } else {
    schedule.warps = one_of(choices, {1, 2, 4, 8, 16});
    schedule.chunks = one_of(choices, {1, 2, 4, 8, 16, 32});
    schedule.blocks = one_of(choices, {0, 1, 2, 5, 1000});
  }
  return schedule;
}

// This tells whether the target has schedules to force; those of GPUs are for arrays and rows
// alone.
bool has_schedules(const Target& target, bool with_layout) {
  return target.promises_same_bits() && target.schedule_family() != "reference" &&
         !(is_gpu(target) && with_layout);
}

// Row by row against the reference, and nothing written behind the last result.
void compare_results(Target& target, const isofold_request& request, const Bytes& expected,
                     const Placed<unsigned char>& slots, const std::string& what, Judge& judge) {
  judge.count_case();
  if (target.reduce(request) != ISOFOLD_ok || target.synchronize() != ISOFOLD_ok) {
    judge.fail(what + ": the call failed: " + target.last_error());
    return;
  }
  const std::vector<unsigned char> found = slots.to_host();
  const std::size_t bytes = expected.size() / static_cast<std::size_t>(request.rows);
  for (std::size_t at = 0; at < expected.size(); at += bytes) {
    judge.same_bytes(expected.data() + at, found.data() + at, bytes,
                     [&] { return what + ", row " + std::to_string(at / bytes); });
  }
  const Bytes guard(found.size() - expected.size(), 0xa5);
  judge.same_bytes(guard.data(), found.data() + expected.size(), guard.size(),
                   [&] { return what + ", past the last result"; });
}

constexpr std::size_t guard_bytes = 64;

Bytes poison_for(const Bytes& expected) { return Bytes(expected.size() + guard_bytes, 0xa5); }

// Elements of the type that is computed in.
template <class T, class R>
std::string fuzz_rows(Target& target, const Question& question, Choices& choices, Judge& judge) {
  const Layout layout = random_layout(choices);
  const Recipe recipe = recipe_for<T>(choices);
  std::string what =
      case_name(question) + ", " + layout_text(layout) + ", recipe " + test_data::name_of(recipe);
  const std::int64_t gap = choices.between(0, 5);  // the second array's rows lie further apart
  const std::vector<T> x = data_set<T>(recipe, question.seed, elements_of(layout));
  const std::vector<T> y =
      second_set<T>(question, recipe, question.seed + 1, elements_of(layout) + layout.rows * gap);
  std::vector<T> both = x;
  both.insert(both.end(), y.begin(), y.end());
  const auto second = static_cast<std::int64_t>(x.size());
  std::vector<Span> spans;
  for (std::int64_t row = 0; row < layout.rows; ++row) {
    spans.push_back(
        {layout.offset + row * layout.stride, layout.length, second + row * (layout.stride + gap)});
  }
  const std::vector<R> results = reference_of<R>(question, both.data(), spans);
  Bytes expected(results.size() * sizeof(R));
  std::memcpy(expected.data(), results.data(), expected.size());
  const Placed<T> placed(target, both);
  const Placed<unsigned char> slots(target, poison_for(expected));
  isofold_request request = array_request(question, placed.data(), spans[0], slots.data(), 0);
  request.shape = layout.rows == 1 ? ISOFOLD_SHAPE_array : ISOFOLD_SHAPE_rows;
  request.rows = layout.rows;
  request.stride = layout.stride;
  request.second_stride = takes_two(question) ? layout.stride + gap : 0;
  compare_results(target, request, expected, slots, what, judge);
  return what;
}

// Elements that are converted as they are read.
std::string fuzz_stored(Target& target, const Question& question, const StoredType& stored,
                        std::uint64_t number, bool with_layout, Choices& choices, Judge& judge) {
  const Layout layout = random_layout(choices);
  const Recipe recipe = stored_recipe_for(stored, choices);
  std::string what = std::string(isofold_fold_name(question.fold)) + " of " + name_of(stored) +
                     ", " + (with_layout ? "a shape with a layout" : layout_text(layout)) +
                     ", recipe " + test_data::name_of(recipe);
  const std::int64_t elements = with_layout ? field : elements_of(layout);
  const StoredCase which =
      stored_case(question, stored, stored_set(stored, recipe, question.seed, elements),
                  stored_set(stored, recipe, question.seed + 1, elements));
  if (!target.promises_same_bits() && !refusal_of(target, which).empty()) {
    judge.count_refused();  // these need not convert
    return what;
  }
  if (with_layout) {
    compare_stored_shape(target, which, number, judge);
    return what;
  }
  const Bytes expected = expected_of(which, layout);
  const PlacedCase placed(target, which);
  const Placed<unsigned char> slots(target, poison_for(expected));
  compare_results(target, placed.request(layout, slots.data()), expected, slots, what, judge);
  return what;
}

std::string fuzz_question(Target& target, Question question, std::uint64_t number, bool with_layout,
                          Choices& choices, Judge& judge) {
  if (choices.one_in(4)) {
    Question exact = question;
    exact.definition = ISOFOLD_DEFINITION_exact_v1;
    question = has_exact(target, exact) ? exact : question;
  }
  const std::vector<StoredType> stored = stored_types_of(question.type);
  std::string what = case_name(question);
  if (is_refused(target, question)) {
    judge.count_refused();
  } else if (!stored.empty() && choices.one_in(4)) {
    const auto last = static_cast<std::int64_t>(stored.size()) - 1;
    const StoredType& chosen = stored[static_cast<std::size_t>(choices.between(0, last))];
    visit_numbers(question, [&](auto numbers) {
      using T = typename decltype(numbers)::T;
      if (can_compare<T>(target, question, judge)) {
        what = fuzz_stored(target, question, chosen, number, with_layout, choices, judge);
      }
    });
  } else {
    visit_numbers(question, [&](auto numbers) {
      using T = typename decltype(numbers)::T;
      using R = typename decltype(numbers)::R;
      if (!can_compare<T>(target, question, judge)) {
        return;
      }
      if (with_layout) {
        const Recipe recipe = recipe_for<T>(choices);
        what += ", a shape with a layout, recipe " + std::string(test_data::name_of(recipe));
        compare_random_shape(target, question, number, recipe, judge);
      } else {
        what = fuzz_rows<T, R>(target, question, choices, judge);
      }
    });
  }
  return what;
}

// Numbers of its own: random_instance draws from the stream of (seed, number).
Choices choices_of(std::uint64_t seed, std::uint64_t number) {
  return Choices(test_data::random_word(seed, 0), number);
}

// The first choice of a case.
Question choose_question(Choices& choices) {
  static const std::vector<Question> all = every_case(0);
  return all[static_cast<std::size_t>(
      choices.between(0, static_cast<std::int64_t>(all.size()) - 1))];
}

// The case on this target: its figures, and, where it is the first that fails, its number.
std::string run_case(Target& target, const FuzzOptions& options, std::uint64_t number,
                     FuzzCell& cell) {
  const auto start = std::chrono::steady_clock::now();
  const std::int64_t before = cell.result.failures;
  Judge judge(cell.result);
  std::string what = fuzz_case(target, options.seed, number, judge);
  if (before == 0 && cell.result.failures != 0) {
    cell.first_failing = number;
  }
  cell.result.seconds += seconds_since(start);
  return what;
}

}  // namespace

Question fuzzed_question(std::uint64_t seed, std::uint64_t number) {
  Choices choices = choices_of(seed, number);
  return choose_question(choices);
}

std::string fuzz_case(Target& target, std::uint64_t seed, std::uint64_t number, Judge& judge) {
  Choices choices = choices_of(seed, number);
  Question question = choose_question(choices);
  question.seed = seed + number;
  const bool with_layout = choices.one_in(2);
  const bool forced = choices.one_in(2);
  // Drawn for every target alike, so that the choices after it are the same ones.
  Choices schedules(test_data::random_word(seed, 1), number);
  const isofold_schedule schedule =
      random_schedule(target, with_layout || schedules.one_in(2), schedules);
  const std::string how = forced && has_schedules(target, with_layout)
                              ? ", forced to the schedule " + text_of(schedule)
                              : "";
  std::string what = case_name(question);
  try {
    ForcedTarget walked(target, schedule);
    Target& asked = how.empty() ? target : walked;
    CellResult cell;
    Judge own(cell, question.fold, question.type);
    what = fuzz_question(asked, question, number, with_layout, choices, own) + how;
    judge.take(cell, how);
  } catch (const std::exception& error) {
    judge.fail(what + how + ": " + error.what());
  }
  return what;
}

bool FuzzReport::passed() const {
  for (const FuzzCell& cell : cells) {
    if (!cell.result.passed()) {
      return false;
    }
  }
  return comparisons() > 0;
}

std::int64_t FuzzReport::comparisons() const {
  std::int64_t sum = 0;
  for (const FuzzCell& cell : cells) {
    sum += cell.result.comparisons;
  }
  return sum;
}

FuzzReport fuzz_targets(const FuzzOptions& options,
                        const std::vector<std::unique_ptr<Target>>& targets,
                        const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  FuzzReport report;
  report.seed = options.seed;
  report.first = options.first;
  report.cells.resize(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    report.cells[i].result.backend = targets[i]->name();
  }
  std::uint64_t done = 0;
  while (done < options.cases && (done == 0 || report.seconds < options.seconds) &&
         !report.stopped) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const std::string what =
          run_case(*targets[i], options, options.first + done, report.cells[i]);
      if (progress && done % 64 == 0) {
        progress(report.seconds / options.seconds,
                 std::to_string(options.first + done) + ": " + what);
      }
    }
    ++done;
    report.stopped = options.stop && options.stop();
    report.seconds = seconds_since(start);
  }
  report.next = options.first + done;
  return report;
}

FuzzReport run_fuzz(const FuzzOptions& options, const Progress& progress) {
  SuiteOptions suite;
  suite.backends = options.backends;
  std::vector<SkippedBackend> skipped;
  std::vector<std::unique_ptr<Target>> targets;
  for (const std::string& backend : choose_backends(suite, skipped)) {
    targets.push_back(library_target(backend));
  }
  FuzzReport report = fuzz_targets(options, targets, progress);
  report.skipped = std::move(skipped);
  return report;
}

}  // namespace isofold::conformance
