// isofold verify: the conformance suite on the user's own machine, as a table or as JSON; with
// --tree, the trees of its sums instead.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <nlohmann/json.hpp>

#include <conformance/conformance.hpp>
#include <conformance/tree_shape.hpp>
#include <isofold/backend.hpp>

#include "commands.hpp"
#include "file.hpp"
#include "names.hpp"
#include "numbers.hpp"
#include "types.hpp"
#include "verify_tree.hpp"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;
using isofold::conformance::CellResult;
using isofold::conformance::Level;
using isofold::conformance::SuiteOptions;
using isofold::conformance::SuiteReport;

struct Arguments {
  std::vector<std::string> backends;
  std::vector<std::string> folds;
  std::uint64_t seed = SuiteOptions{}.seed;
  bool quick = false;
  bool exhaustive = false;
  bool tree = false;
  bool json = false;
};

template <class... Values>
std::string format(const char* pattern, Values... values) {
  char text[1024];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

const char* verdict(const CellResult& cell) {
  return !cell.passed() ? "DIFFERENT" : cell.comparisons == 0 ? "skipped" : "ok";
}

std::string last_column(const CellResult& cell) {
  std::string text = verdict(cell);
  if (cell.worst_error_over_bound >= 0) {
    text += format(", largest error %.2g of its bound", cell.worst_error_over_bound);
  }
  if (cell.refused > 0) {
    text += format(", %" PRId64 " set aside", cell.refused);
  }
  if (!cell.skipped.empty()) {
    text += ": " + cell.skipped;
  }
  return text;
}

std::string as_text(const SuiteReport& report, const std::vector<std::string>& folds) {
  std::string text =
      format("isofold %s, definition %s, level %s, seed %" PRIu64 "\n", isofold_version(),
             definition, isofold::conformance::name_of(report.level), report.seed);
  if (!folds.empty()) {
    text += "only of " + listed(folds) + "\n";
  }
  text += format("golden results: %" PRId64 " lines, %s\n\n", report.golden_lines,
                 report.golden_hash.c_str());
  text += format("%-10s %-10s %9s %12s %9s  %s\n", "backend", "section", "cases", "comparisons",
                 "seconds", "result");
  for (const CellResult& cell : report.cells) {
    text += format("%-10s %-10s %9" PRId64 " %12" PRId64 " %9.1f  ", cell.backend.c_str(),
                   isofold::conformance::name_of(cell.section), cell.cases, cell.comparisons,
                   cell.seconds) +
            last_column(cell) + "\n";
  }
  for (const auto& skipped : report.skipped) {
    text += format("%-10s not available: ", skipped.name.c_str()) + skipped.reason + "\n";
  }
  for (const CellResult& cell : report.cells) {
    if (!cell.passed()) {
      text += format("\n%s, %s: %" PRId64 " of %" PRId64 " results differ. The first: ",
                     cell.backend.c_str(), isofold::conformance::name_of(cell.section),
                     cell.failures, cell.comparisons) +
              cell.first_failure + "\n";
    }
  }
  text += format("\n%" PRId64 " comparisons, %" PRId64 " different, %.1f s: ", report.comparisons(),
                 report.failures(), report.seconds);
  return text + (report.passed()        ? "this isofold keeps its promises here.\n"
                 : report.cells.empty() ? "no backend could be asked.\n"
                                        : "please report this.\n");
}

std::string as_json(const SuiteReport& report, const std::vector<std::string>& folds) {
  Json cells = Json::array();
  for (const CellResult& cell : report.cells) {
    Json object{
        {"backend", cell.backend},   {"section", isofold::conformance::name_of(cell.section)},
        {"cases", cell.cases},       {"comparisons", cell.comparisons},
        {"failures", cell.failures}, {"refused", cell.refused},
        {"seconds", cell.seconds}};
    if (cell.worst_error_over_bound >= 0) {
      object["worst_error_over_bound"] = cell.worst_error_over_bound;
    }
    if (!cell.first_failure.empty()) {
      object["first_failure"] = cell.first_failure;
    }
    if (!cell.skipped.empty()) {
      object["skipped"] = cell.skipped;
    }
    cells.push_back(object);
  }
  Json skipped = Json::array();
  for (const auto& backend : report.skipped) {
    skipped.push_back({{"backend", backend.name}, {"reason", backend.reason}});
  }
  const Json all{{"version", isofold_version()},
                 {"definition", definition},
                 {"level", isofold::conformance::name_of(report.level)},
                 {"seed", report.seed},
                 {"folds", folds.empty() ? Json("all") : Json(folds)},
                 {"golden_hash", report.golden_hash},
                 {"golden_lines", report.golden_lines},
                 {"passed", report.passed()},
                 {"comparisons", report.comparisons()},
                 {"failures", report.failures()},
                 {"seconds", report.seconds},
                 {"cells", cells},
                 {"skipped", skipped}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

SuiteOptions options_of(const Arguments& arguments) {
  SuiteOptions options;
  options.level = arguments.quick        ? Level::quick
                  : arguments.exhaustive ? Level::exhaustive
                                         : Level::standard;
  options.backends = arguments.backends;
  options.seed = arguments.seed;
  for (const NamedFold& named : named_folds) {
    if (std::count(arguments.folds.begin(), arguments.folds.end(), named.name) > 0) {
      options.folds.push_back(static_cast<std::int32_t>(named.fold));
    }
  }
  return options;
}

void write_out(const std::string& text) {
  Output out("-");
  out.write(text);
  out.finish();
}

template <class Report>
Exit exit_of_report(const Report& report) {
  if (report.cells.empty()) {
    return Exit::unavailable;
  }
  return report.passed() ? Exit::fine : Exit::difference;
}

Exit verify(const Arguments& arguments) {
  for (const std::string& name : arguments.backends) {
    if (!isofold::is_available(name)) {  // a skip would not serve a user who names a backend
      throw Failure(Exit::unavailable, "The backend '" + name +
                                           "' is not available: " + isofold::describe(name) + ".");
    }
  }
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const auto tell = [&](double fraction, const std::string& step) {
    if (terminal) {
      std::fprintf(stderr, "\r\033[K%3.0f %% %.60s", 100 * fraction, step.c_str());
    }
  };
  const auto clear = [&] {
    if (terminal) {
      std::fprintf(stderr, "\r\033[K");
    }
  };
  if (arguments.tree) {
    const auto report = isofold::conformance::probe_trees(options_of(arguments), tell);
    clear();
    write_out(arguments.json ? tree_json(report) : tree_text(report));
    return exit_of_report(report);
  }
  const SuiteReport report = isofold::conformance::run_suite(options_of(arguments), tell);
  clear();
  write_out(arguments.json ? as_json(report, arguments.folds) : as_text(report, arguments.folds));
  return exit_of_report(report);
}

}  // namespace

Command add_verify(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "verify", "Check on this machine that every backend gives the bits that isofold promises");
  const auto arguments = std::make_shared<Arguments>();
  parser
      ->add_option("--backend", arguments->backends,
                   "Only this backend (may be given several times); without it, all")
      ->check(one_of("backend", isofold::backend_names()));
  CLI::Option* folds =
      parser
          ->add_option("--fold", arguments->folds,
                       "Only these folds, separated by commas; without it, all")
          ->delimiter(',')
          ->check(one_of("fold", names_of_folds([](isofold::Fold) { return true; })))
          ->type_name("FOLDS");
  CLI::Option* quick = parser->add_flag("--quick", arguments->quick, "Seconds instead of minutes");
  parser->add_flag("--exhaustive", arguments->exhaustive, "The whole matrix, which takes long")
      ->excludes(quick);
  parser->add_option("--seed", arguments->seed, "Of the random sizes")
      ->check(whole_number<std::uint64_t>())
      ->capture_default_str();
  parser
      ->add_flag("--tree", arguments->tree,
                 "Instead of the suite: recover the tree of every backend's sums from their "
                 "results alone, and compare it with tree v1")
      ->excludes(folds);
  parser->add_flag("--json", arguments->json, "Print JSON");
  return {parser, [arguments] { return verify(*arguments); }};
}

}  // namespace cli
