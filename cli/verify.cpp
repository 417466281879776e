// isofold verify: the conformance suite on the user's own machine, as a table or as JSON; with
// --tree, the trees of its sums instead.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <nlohmann/json.hpp>

#include <conformance/conformance.hpp>
#include <conformance/tree_shape.hpp>
#include <isofold/backend.hpp>

#include "commands.hpp"
#include "file.hpp"
#include "format.hpp"
#include "interrupt.hpp"
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

struct VerifyArguments {
  std::vector<std::string> backends;
  std::vector<std::string> folds;
  std::uint64_t seed = SuiteOptions{}.seed;
  bool quick = false;
  bool exhaustive = false;
  bool tree = false;
  bool mpi = false;
  bool json = false;
};

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

// Returns what is known before the first comparison, and the head of the table.
std::string head_text(const SuiteOptions& options, const std::vector<std::string>& folds) {
  std::string text =
      format("isofold %s, definition %s, level %s, seed %" PRIu64 "\n", isofold_version(),
             definition, isofold::conformance::name_of(options.level), options.seed);
  if (!folds.empty()) {
    text += "only of " + listed(folds) + "\n";
  }
  text +=
      format("golden results: %" PRId64 " lines, %s\n\n", isofold::conformance::golden_line_count(),
             isofold::conformance::golden_hash().c_str());
  return text + format("%-10s %-11s %9s %12s %9s  %s\n", "backend", "section", "cases",
                       "comparisons", "seconds", "result");
}

std::string row_text(const CellResult& cell) {
  return format("%-10s %-11s %9" PRId64 " %12" PRId64 " %9.1f  ", cell.backend.c_str(),
                isofold::conformance::name_of(cell.section), cell.cases, cell.comparisons,
                cell.seconds) +
         last_column(cell) + "\n";
}

// The command that asks again what `cell` failed at.
std::string command_for(const CellResult& cell, const SuiteReport& report) {
  std::string command = "isofold verify --backend " + cell.backend;
  if (!cell.fold.empty()) {
    command += " --fold " + cell.fold;
  }
  if (report.level != Level::standard) {
    command += std::string(" --") + isofold::conformance::name_of(report.level);
  }
  return command + format(" --seed %" PRIu64, report.seed);
}

constexpr const char* after_a_difference =
    "\nCheck first:\n"
    "- Run the command behind \"Again:\" twice. A difference that comes and goes is one of the\n"
    "  machine: memory, clock rates, a driver.\n"
    "- isofold info: are version and devices those that you expect? LD_LIBRARY_PATH and\n"
    "  ISOFOLD_BACKEND_PATH may lead to a library or a module of another build.\n"
    "- If you built isofold: with flags such as -ffast-math, or a compiler that the tests do not\n"
    "  run with? isofold verify --tree shows whether the order of the operations is the right "
    "one.\n"
    "If the difference stays, please report it where you got isofold from, with all of this text\n"
    "and that of isofold info.\n";

// Returns what follows the table.
std::string tail_text(const SuiteReport& report) {
  std::string text;
  for (const auto& skipped : report.skipped) {
    text += format("%-10s not available: ", skipped.name.c_str()) + skipped.reason + "\n";
  }
  for (const CellResult& cell : report.cells) {
    if (!cell.passed()) {
      text += format("\n%s, %s: %" PRId64 " of %" PRId64 " results differ. The first: ",
                     cell.backend.c_str(), isofold::conformance::name_of(cell.section),
                     cell.failures, cell.comparisons) +
              cell.first_failure + "\nAgain: " + command_for(cell, report) + "\n";
    }
  }
  if (report.failures() > 0) {
    text += after_a_difference;
  }
  text += format("\n%" PRId64 " comparisons, %" PRId64 " different, %.1f s: ", report.comparisons(),
                 report.failures(), report.seconds);
  return text + (report.failures() > 0 ? "this isofold breaks its promises here.\n"
                 : report.stopped      ? "stopped before the end; no difference until then.\n"
                 : report.passed()     ? "this isofold keeps its promises here.\n"
                                       : "no backend could be asked.\n");
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
      object["again"] = command_for(cell, report);
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
                 {"passed", report.passed() && !report.stopped},
                 {"interrupted", report.stopped},
                 {"comparisons", report.comparisons()},
                 {"failures", report.failures()},
                 {"seconds", report.seconds},
                 {"cells", cells},
                 {"skipped", skipped}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

SuiteOptions options_of(const VerifyArguments& arguments) {
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

// A difference that was found counts, however the run ended.
template <class Report>
Exit exit_of_report(const Report& report) {
  if (report.stopped && report.failures() == 0) {
    return Exit::interrupted;
  }
  if (report.cells.empty()) {
    return Exit::unavailable;
  }
  return report.passed() ? Exit::fine : Exit::difference;
}

// Runs the suite and prints each row of its table as soon as it is complete.
Exit run_suite(const VerifyArguments& arguments, const isofold::conformance::Progress& tell,
               const std::function<void()>& clear) {
  const SuiteOptions options = options_of(arguments);
  Output out("-");
  const auto print = [&](const std::string& text) {
    clear();
    out.write(text);
    out.flush();
  };
  isofold::conformance::SuiteWatch watch;
  watch.progress = tell;
  watch.stop = is_interrupted;
  if (!arguments.json) {
    print(head_text(options, arguments.folds));
    watch.finished = [&](const CellResult& cell) { print(row_text(cell)); };
  }
  const SuiteReport report = isofold::conformance::run_suite(options, watch);
  print(arguments.json ? as_json(report, arguments.folds) : tail_text(report));
  out.finish();
  return exit_of_report(report);
}

// Becomes the program that verifies an MPI, which is built with that MPI, for this one links none.
// It lies beside this program or on the PATH. Under mpirun each rank does so.
[[noreturn]] void become_mpi_verify(const VerifyArguments& arguments) {
  const char* const name = "isofold_mpi_verify";
  std::error_code ignored;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::string beside = (self.parent_path() / name).string();
  const char* const cases = arguments.quick ? "10" : arguments.exhaustive ? "10000" : "100";
  const std::string seed = std::to_string(arguments.seed);
  ::execl(beside.c_str(), name, cases, seed.c_str(), nullptr);
  ::execlp(name, name, cases, seed.c_str(), nullptr);
  throw Failure(Exit::unavailable,
                "The program isofold_mpi_verify was found neither beside isofold nor on the PATH: "
                "build it with your MPI, cmake -S examples/mpi -B build/mpi "
                "-DCMAKE_PREFIX_PATH=<where isofold is>, and install it there.");
}

Exit verify(const VerifyArguments& arguments) {
  check_environment();
  if (arguments.mpi) {
    become_mpi_verify(arguments);
  }
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
  catch_interrupt();
  if (arguments.tree) {
    const auto report =
        isofold::conformance::probe_trees(options_of(arguments), {tell, {}, is_interrupted});
    clear();
    write_out(arguments.json ? tree_json(report) : tree_text(report));
    return exit_of_report(report);
  }
  return run_suite(arguments, tell, clear);
}

}  // namespace

Command add_verify(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "verify", "Check on this machine that every backend gives the bits that isofold promises");
  const auto arguments = std::make_shared<VerifyArguments>();
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
  CLI::Option* json = parser->add_flag("--json", arguments->json, "Print JSON");
  parser
      ->add_flag("--mpi", arguments->mpi,
                 "Under mpirun: compare random decompositions over the ranks, by the program "
                 "isofold_mpi_verify, which is built with your MPI (docs/scale_out.md)")
      ->excludes(folds)
      ->excludes(json);
  return {parser, [arguments] { return verify(*arguments); }};
}

}  // namespace cli
