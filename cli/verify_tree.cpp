// Prints what the probes found, in a line for each backend, type and shape.
#include "verify_tree.hpp"

#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "format.hpp"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;
using isofold::conformance::TreeCell;
using isofold::conformance::TreeComparison;
using isofold::conformance::TreeControl;
using isofold::conformance::TreeReport;

// The known tree that all pairs agree with; "" for none.
std::string tree_of(const TreeComparison& found) {
  if (found.pairs == 0) {
    return "";
  }
  return found.differing == 0                     ? "tree v1"
         : found.differing_from_running_sum == 0  ? "running sum"
         : found.differing_from_pairwise_sum == 0 ? "pairwise sum"
                                                  : "";
}

std::string verdict(const TreeCell& cell) {
  if (!cell.failure.empty()) {
    return "FAILED: " + cell.failure;
  }
  if (cell.is_tree_v1()) {
    return "tree v1";
  }
  const std::string known = tree_of(cell.found);
  const std::string what = known.empty() ? "" : ": a " + known;
  return cell.promises_tree_v1 ? "DIFFERENT" + what
                               : "not the tree v1 (guarantee within_bound)" + what;
}

// "9 to 300": how many sizes, and the largest.
std::string sizes_text(const std::vector<std::int64_t>& sizes) {
  return sizes.empty() ? "none" : format("%zu to %" PRId64, sizes.size(), sizes.back());
}

std::string controls_text(const TreeReport& report) {
  std::string text =
      format("%-14s %9s %10s %10s  %s\n", "control", "pairs", "differing", "own tree", "result");
  for (const TreeControl& control : report.controls) {
    text += format("%-14s %9" PRId64 " %10" PRId64 " %10" PRId64 "  %s\n", control.name.c_str(),
                   control.found.pairs, control.found.differing, control.differing_from_its_own,
                   control.told_apart() ? "told apart from tree v1"
                                        : "NOT TOLD APART: the probe proves nothing here");
  }
  return text;
}

std::string conclusion(const TreeReport& report) {
  return report.failures() == 0 && report.stopped
             ? "stopped before the end; no difference until then.\n"
         : report.passed()      ? "every backend that promises tree v1 has it.\n"
         : report.cells.empty() ? "no backend could be asked.\n"
                                : "please report this.\n";
}

Json comparison_json(const TreeComparison& found) {
  Json object{{"all_pairs_of", found.probed.all_pairs_of},
              {"recovered_for", found.probed.recovered_for},
              {"sampled_for", found.probed.sampled_for},
              {"pairs", found.pairs},
              {"differing", found.differing},
              {"tree", tree_of(found)}};
  if (!found.first_difference.empty()) {
    object["first_difference"] = found.first_difference;
  }
  return object;
}

Json cell_json(const TreeCell& cell) {
  Json object{{"backend", cell.backend},
              {"type", cell.type},
              {"shape", cell.shape},
              {"guarantee", cell.promises_tree_v1 ? "same_bits" : "within_bound"},
              {"passed", cell.passed()}};
  object.update(comparison_json(cell.found));
  if (!cell.failure.empty()) {
    object["failure"] = cell.failure;
  }
  object["seconds"] = cell.seconds;
  return object;
}

}  // namespace

std::string tree_text(const TreeReport& report) {
  std::string text = format(
      "isofold %s, definition %s, level %s, seed %" PRIu64 ": the trees of sums, probed\n\n",
      isofold_version(), definition, isofold::conformance::name_of(report.level), report.seed);
  text += controls_text(report);
  text += format("\n%-10s %-4s %-5s %-12s %-12s %-12s %8s %10s %8s  %s\n", "backend", "type",
                 "shape", "all pairs, n", "recovered, n", "sampled, n", "pairs", "differing",
                 "seconds", "result");
  for (const TreeCell& cell : report.cells) {
    text += format("%-10s %-4s %-5s %-12s %-12s %-12s %8" PRId64 " %10" PRId64 " %8.1f  ",
                   cell.backend.c_str(), cell.type.c_str(), cell.shape.c_str(),
                   sizes_text(cell.found.probed.all_pairs_of).c_str(),
                   sizes_text(cell.found.probed.recovered_for).c_str(),
                   sizes_text(cell.found.probed.sampled_for).c_str(), cell.found.pairs,
                   cell.found.differing, cell.seconds) +
            verdict(cell) + "\n";
  }
  for (const auto& skipped : report.skipped) {
    text += format("%-10s not available: ", skipped.name.c_str()) + skipped.reason + "\n";
  }
  for (const TreeCell& cell : report.cells) {
    if (!cell.passed() && cell.failure.empty()) {
      text += "\n" + cell.backend + ", " + cell.type + ", " + cell.shape +
              ". The first: " + cell.found.first_difference + "\n";
    }
  }
  return text +
         format("\n%" PRId64 " pairs, %" PRId64 " different where tree v1 is promised, %.1f s: ",
                report.pairs(), report.differing(), report.seconds) +
         conclusion(report);
}

std::string tree_json(const TreeReport& report) {
  Json controls = Json::array();
  for (const TreeControl& control : report.controls) {
    Json object{{"name", control.name}, {"told_apart", control.told_apart()}};
    object.update(comparison_json(control.found));
    object["differing_from_its_own"] = control.differing_from_its_own;
    controls.push_back(object);
  }
  Json cells = Json::array();
  for (const TreeCell& cell : report.cells) {
    cells.push_back(cell_json(cell));
  }
  Json skipped = Json::array();
  for (const auto& backend : report.skipped) {
    skipped.push_back({{"backend", backend.name}, {"reason", backend.reason}});
  }
  const Json all{{"version", isofold_version()},
                 {"definition", definition},
                 {"level", isofold::conformance::name_of(report.level)},
                 {"seed", report.seed},
                 {"passed", report.passed() && !report.stopped},
                 {"interrupted", report.stopped},
                 {"pairs", report.pairs()},
                 {"differing", report.differing()},
                 {"seconds", report.seconds},
                 {"controls", controls},
                 {"cells", cells},
                 {"skipped", skipped}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cli
