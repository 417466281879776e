// The committed lines of the independent oracle: tests/golden.txt, built into the suite.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iterator>
#include <map>

#include "sections.hpp"
#include <golden_lines.hpp>

namespace isofold::conformance {
namespace {

struct GoldenLine {
  char definition[16];
  char fold[24];
  char type[8];
  char recipe[32];
  std::uint64_t seed;
  std::int64_t n;
  char result_type[8];
  std::uint64_t bits;
};

// Lines that do not read as such are kept for the judge.
struct GoldenLines {
  std::vector<GoldenLine> lines;
  std::vector<std::string> unreadable;
};

const GoldenLines& parsed_lines() {
  static const GoldenLines parsed = [] {
    GoldenLines result;
    for (const char* text : golden_lines) {
      GoldenLine line;
      Recipe recipe;
      const bool readable =
          std::sscanf(text, "%15s %23s %7s %31s %" SCNu64 " %" SCNd64 " %7s 0x%" SCNx64,
                      line.definition, line.fold, line.type, line.recipe, &line.seed, &line.n,
                      line.result_type, &line.bits) == 8;
      if (readable && std::string(line.definition) == "tree_v1" &&
          test_data::find_recipe(line.recipe, recipe)) {
        result.lines.push_back(line);
      } else {
        result.unreadable.push_back(text);
      }
    }
    return result;
  }();
  return parsed;
}

template <class T, class R>
void compare_lines(Target& target, const Question& question, Recipe recipe, std::uint64_t seed,
                   const std::vector<GoldenLine>& lines, Judge& judge) {
  judge.count_case();
  std::vector<T> host;
  std::vector<Span> spans;
  for (const GoldenLine& line : lines) {
    const std::vector<T> data = data_set<T>(recipe, seed, line.n);
    spans.push_back({static_cast<std::int64_t>(host.size()), line.n});
    host.insert(host.end(), data.begin(), data.end());
  }
  const Placed<T> placed(target, host);
  const std::vector<R> found = results_of<R>(target, question, placed.data(), spans, judge);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const GoldenLine& line = lines[i];
    judge.holds(bits_of(found[i]) == line.bits, [&] {
      return std::string("golden line `") + line.definition + " " + line.fold + " " + line.type +
             " " + line.recipe + " " + std::to_string(seed) + " " + std::to_string(line.n) + " " +
             line.result_type + " " + hexadecimal(line.bits, sizeof(R)) + "`: found " +
             hexadecimal(bits_of(found[i]), sizeof(R));
    });
  }
}

}  // namespace

std::string golden_hash() { return golden_file_hash; }
std::int64_t golden_line_count() { return static_cast<std::int64_t>(std::size(golden_lines)); }

void golden_section(Target& target, const Question& question, Judge& judge) {
  if (!target.promises_same_bits()) {
    judge.skip("golden bits are those of tree v1, which this backend does not promise");
    return;
  }
  const std::string result_type =
      isofold_type_name(isofold_result_type(question.fold, question.type));
  std::map<std::pair<std::string, std::uint64_t>, std::vector<GoldenLine>> sets;
  for (const std::string& text : parsed_lines().unreadable) {
    judge.fail("this line of golden.txt has no meaning here: " + text);
  }
  for (const GoldenLine& line : parsed_lines().lines) {
    if (line.fold == std::string(isofold_fold_name(question.fold)) &&
        line.type == std::string(isofold_type_name(question.type))) {
      judge.holds(line.result_type == result_type, [&] {
        return case_name(question) + ": golden results are " + line.result_type +
               ", the library's are " + result_type;
      });
      sets[{line.recipe, line.seed}].push_back(line);
    }
  }
  judge.holds(!sets.empty(), [&] { return case_name(question) + " has no golden line"; });
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    for (const auto& [key, lines] : sets) {
      Recipe recipe{};
      test_data::find_recipe(key.first, recipe);
      compare_lines<T, R>(target, question, recipe, key.second, lines, judge);
    }
  });
}

}  // namespace isofold::conformance
