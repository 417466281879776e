// isofold fuzz: random reductions on every backend against the reference, until time is up; as a
// table or as JSON, with the command that repeats the first difference.
#include <cinttypes>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <nlohmann/json.hpp>

#include <conformance/fuzz.hpp>
#include <isofold/backend.hpp>

#include "commands.hpp"
#include "file.hpp"
#include "format.hpp"
#include "interrupt.hpp"
#include "names.hpp"
#include "numbers.hpp"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;
using isofold::conformance::FuzzCell;
using isofold::conformance::FuzzOptions;
using isofold::conformance::FuzzReport;

struct FuzzArguments {
  FuzzOptions options;
  std::uint32_t seconds = 10;
  bool json = false;
};

// Cases a second, those set aside included: what a second of the machine is worth.
double cases_per_second(const FuzzCell& cell) {
  const auto cases = static_cast<double>(cell.result.cases + cell.result.refused);
  return cell.result.seconds > 0 ? cases / cell.result.seconds : 0;
}

std::string repeating_command(const FuzzReport& report, const FuzzCell& cell) {
  return format("isofold fuzz --backend %s --seed %" PRIu64 " --first %" PRIu64 " --cases 1",
                cell.result.backend.c_str(), report.seed, cell.first_failing);
}

std::string going_on(const FuzzReport& report) {
  return format("isofold fuzz --seed %" PRIu64 " --first %" PRIu64, report.seed, report.next);
}

std::string last_column(const FuzzCell& cell) {
  const std::string aside =
      cell.result.refused == 0 ? "" : format(", %" PRId64 " set aside", cell.result.refused);
  return (cell.result.passed() ? "ok" : "DIFFERENT") + aside;
}

std::string as_text(const FuzzReport& report) {
  std::string text = format("isofold %s, definition %s, fuzzed: seed %" PRIu64 ", cases %" PRIu64
                            " to %" PRIu64 "\n\n",
                            isofold_version(), definition, report.seed, report.first, report.next);
  text +=
      format("%-10s %9s %12s %9s  %s\n", "backend", "cases", "comparisons", "cases/s", "result");
  for (const FuzzCell& cell : report.cells) {
    text += format("%-10s %9" PRId64 " %12" PRId64 " %9.0f  ", cell.result.backend.c_str(),
                   cell.result.cases, cell.result.comparisons, cases_per_second(cell)) +
            last_column(cell) + "\n";
  }
  for (const auto& skipped : report.skipped) {
    text += format("%-10s not available: ", skipped.name.c_str()) + skipped.reason + "\n";
  }
  for (const FuzzCell& cell : report.cells) {
    if (!cell.result.passed()) {
      text +=
          "\n" + cell.result.backend +
          format(": %" PRId64 " of %" PRId64 " results differ. The first: ", cell.result.failures,
                 cell.result.comparisons) +
          cell.result.first_failure + "\nAgain: " + repeating_command(report, cell) + "\n";
    }
  }
  text += format("\n%" PRId64 " comparisons, %.1f s: ", report.comparisons(), report.seconds);
  return text + (report.passed()             ? "no difference. To go on: " + going_on(report) + "\n"
                 : report.cells.empty()      ? "no backend could be asked.\n"
                 : report.comparisons() == 0 ? "nothing could be compared; ask for more cases.\n"
                                             : "please report this.\n");
}

std::string as_json(const FuzzReport& report) {
  Json cells = Json::array();
  for (const FuzzCell& cell : report.cells) {
    Json object{{"backend", cell.result.backend},
                {"cases", cell.result.cases},
                {"comparisons", cell.result.comparisons},
                {"failures", cell.result.failures},
                {"refused", cell.result.refused},
                {"seconds", cell.result.seconds},
                {"cases_per_second", cases_per_second(cell)}};
    if (!cell.result.passed()) {
      object["first_failure"] = cell.result.first_failure;
      object["first_failing_case"] = cell.first_failing;
      object["again"] = repeating_command(report, cell);
    }
    cells.push_back(object);
  }
  Json skipped = Json::array();
  for (const auto& backend : report.skipped) {
    skipped.push_back({{"backend", backend.name}, {"reason", backend.reason}});
  }
  const Json all{{"version", isofold_version()},
                 {"definition", definition},
                 {"seed", report.seed},
                 {"first", report.first},
                 {"next", report.next},
                 {"passed", report.passed() && !report.stopped},
                 {"interrupted", report.stopped},
                 {"seconds", report.seconds},
                 {"comparisons", report.comparisons()},
                 {"cells", cells},
                 {"skipped", skipped}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Exit exit_of_report(const FuzzReport& report) {
  for (const FuzzCell& cell : report.cells) {
    if (!cell.result.passed()) {
      return Exit::difference;
    }
  }
  return report.cells.empty() ? Exit::unavailable : report.stopped ? Exit::interrupted : Exit::fine;
}

Exit fuzz(const FuzzArguments& arguments, bool timed) {
  check_environment();
  FuzzOptions options = arguments.options;
  options.seconds = timed ? arguments.seconds : std::numeric_limits<double>::infinity();
  for (const std::string& name : options.backends) {
    if (!isofold::is_available(name)) {  // a skip would not serve a user who names a backend
      throw Failure(Exit::unavailable, "The backend '" + name +
                                           "' is not available: " + isofold::describe(name) + ".");
    }
  }
  options.stop = is_interrupted;
  catch_interrupt();
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const FuzzReport report =
      isofold::conformance::run_fuzz(options, [&](double /*fraction*/, const std::string& step) {
        if (terminal) {
          std::fprintf(stderr, "\r\033[K%.76s", step.c_str());
        }
      });
  if (terminal) {
    std::fprintf(stderr, "\r\033[K");
  }
  Output out("-");
  out.write(arguments.json ? as_json(report) : as_text(report));
  out.finish();
  return exit_of_report(report);
}

}  // namespace

Command add_fuzz(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "fuzz", "Compare random reductions on every backend with the reference, bit for bit");
  const auto arguments = std::make_shared<FuzzArguments>();
  FuzzOptions& options = arguments->options;
  parser
      ->add_option("--backend", options.backends,
                   "Only this backend (may be given several times); without it, all")
      ->check(one_of("backend", isofold::backend_names()));
  CLI::Option* seconds =
      parser->add_option("--seconds", arguments->seconds, "How long; with --cases, no limit")
          ->check(whole_number<std::uint32_t>(1))
          ->capture_default_str();
  CLI::Option* cases = parser->add_option("--cases", options.cases, "At most so many cases")
                           ->check(whole_number<std::uint64_t>(1));
  parser->add_option("--seed", options.seed, "Of all random choices")
      ->check(whole_number<std::uint64_t>())
      ->capture_default_str();
  parser->add_option("--first", options.first, "Number of the first case, to go on or to repeat")
      ->check(whole_number<std::uint64_t>())
      ->capture_default_str();
  parser->add_flag("--json", arguments->json, "Print JSON");
  return {parser, [arguments, seconds, cases] {
            return fuzz(*arguments, seconds->count() > 0 || cases->count() == 0);
          }};
}

}  // namespace cli
