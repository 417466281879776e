// The committed lines of the independent oracle: tests/golden/, built into the suite.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "golden_lines.hpp"
#include "sections.hpp"
#include "stored_data.hpp"

namespace isofold::conformance {
namespace {

struct GoldenLine {
  char definition[16];
  char fold[32];
  char type[8];
  char recipe[32];
  std::uint64_t seed;
  std::int64_t n;
  char result_type[16];
  char bits[96];  // of each component, in the struct's order: 0x3f800000,0x0000000000000005
};

// Lines that do not read as such are kept for the judge.
struct GoldenLines {
  std::map<std::string, std::vector<GoldenLine>> of_case;  // by case_name(), of narrow types too
  std::vector<std::string> unreadable;
};

const GoldenLines& parsed_lines() {
  static const GoldenLines parsed = [] {
    GoldenLines result;
    for (std::size_t i = 0; i < golden_lines_count; ++i) {
      const char* text = golden_lines[i];
      GoldenLine line;
      Recipe recipe;
      const bool readable =
          std::sscanf(text, "%15s %31s %7s %31s %" SCNu64 " %" SCNd64 " %15s %95s", line.definition,
                      line.fold, line.type, line.recipe, &line.seed, &line.n, line.result_type,
                      line.bits) == 8;
      const bool exact = std::string(line.definition) == "exact_v1";
      if (readable && (exact || std::string(line.definition) == "tree_v1") &&
          test_data::find_recipe(line.recipe, recipe)) {
        const std::string name = std::string(line.fold) + " of " + line.type;
        result.of_case[(exact ? "exact " : "") + name].push_back(line);
      } else {
        result.unreadable.push_back(text);
      }
    }
    return result;
  }();
  return parsed;
}

// This is the name that golden lines have for the result of a case.
std::string result_type_of(const Question& question) {
  const std::string type = isofold_type_name(question.type);
  const std::string word = expectation_of(question.fold).result_word();
  if (!word.empty()) {
    return word.back() == '_' ? word + type : word;
  }
  // Several components without a word are an element.
  const std::int32_t result = isofold_result_type(question.fold, question.type);
  return result == ISOFOLD_TYPE_none ? type : isofold_type_name(result);
}

// The line's bits as the result lies in memory, zero where no component is; empty where they are
// not as many, or not as wide, as the result's components.
std::vector<unsigned char> bytes_of_line(const Question& question, const GoldenLine& line) {
  isofold_component components[4];
  const std::int32_t count = isofold_result_components(question.fold, question.type, components, 4);
  std::vector<unsigned char> bytes(
      static_cast<std::size_t>(isofold_result_bytes(question.fold, question.type)));
  const char* text = line.bits;
  for (std::int32_t i = 0; i < count; ++i) {
    const auto size = static_cast<std::size_t>(isofold_type_bytes(components[i].type));
    char* end = nullptr;
    const std::uint64_t bits = std::strtoull(text, &end, 16);
    const bool is_last = i + 1 == count;
    if (static_cast<std::size_t>(end - text) != 2 + 2 * size || *end != (is_last ? '\0' : ',')) {
      return {};
    }
    std::memcpy(bytes.data() + components[i].offset, &bits, size);
    text = end + 1;
  }
  return bytes;
}

std::string text_of(const GoldenLine& line) {
  return std::string("golden line `") + line.definition + " " + line.fold + " " + line.type + " " +
         line.recipe + " " + std::to_string(line.seed) + " " + std::to_string(line.n) + " " +
         line.result_type + " " + line.bits + "`";
}

void compare_line(const Question& question, const GoldenLine& line, const void* found,
                  Judge& judge) {
  const std::vector<unsigned char> expected = bytes_of_line(question, line);
  if (!expected.empty()) {
    judge.same_bytes(expected.data(), found, expected.size(), [&] { return text_of(line); });
  } else {
    judge.fail(text_of(line) + ": its bits are not those of the result's components");
  }
}

template <class T, class R>
void compare_lines(Target& target, const Question& question, Recipe recipe, std::uint64_t seed,
                   const std::vector<GoldenLine>& lines, Judge& judge) {
  judge.count_case();
  std::vector<T> host;
  std::vector<T> second;
  std::vector<Span> spans;
  for (const GoldenLine& line : lines) {
    spans.push_back({static_cast<std::int64_t>(host.size()), line.n});
    append_set(host, recipe, seed, line.n);
    append_set(second, recipe, seed + 1, takes_two(question) ? line.n : 0);
  }
  append_second(question, host, second, spans);
  const Placed<T> placed(target, host);
  const std::vector<R> found = results_of<R>(target, question, placed.data(), spans, judge);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const GoldenLine& line = lines[i];
    compare_line(question, line, &found[i], judge);
  }
}

void check_result_type(const Question& question, const GoldenLine& line, Judge& judge) {
  const std::string result_type = result_type_of(question);
  judge.holds(line.result_type == result_type,
              [&] { return text_of(line) + ": the library's results are " + result_type; });
}

}  // namespace

std::string golden_hash() { return golden_file_hash; }
std::int64_t golden_line_count() { return static_cast<std::int64_t>(golden_lines_count); }

namespace {

// Compares the lines of a case by its definition; returns whether there are any.
bool compare_case(Target& target, const Question& question, Judge& judge) {
  const auto lines_of_case = parsed_lines().of_case.find(case_name(question));
  if (lines_of_case == parsed_lines().of_case.end()) {
    return false;
  }
  std::map<std::pair<std::string, std::uint64_t>, std::vector<GoldenLine>> sets;
  for (const GoldenLine& line : lines_of_case->second) {
    check_result_type(question, line, judge);
    sets[{line.recipe, line.seed}].push_back(line);
  }
  visit_numbers(question, [&](auto numbers) {
    using T = typename decltype(numbers)::T;
    using R = typename decltype(numbers)::R;
    for (const auto& [key, lines] : sets) {
      Recipe recipe{};
      test_data::find_recipe(key.first, recipe);
      compare_lines<T, R>(target, question, recipe, key.second, lines, judge);
    }
  });
  return true;
}

}  // namespace

void golden_section(Target& target, const Question& question, Judge& judge) {
  if (!target.promises_same_bits()) {
    judge.skip("golden bits are those of tree v1, which this backend does not promise");
    return;
  }
  for (const std::string& text : parsed_lines().unreadable) {
    judge.fail("this golden line has no meaning here: " + text);
  }
  judge.holds(compare_case(target, question, judge),
              [&] { return case_name(question) + " has no golden line"; });
  Question exact = question;
  exact.definition = ISOFOLD_DEFINITION_exact_v1;
  // Sums of 64-bit integers do not always fit, and have no lines.
  const bool is_wide = question.type == ISOFOLD_TYPE_i64 || question.type == ISOFOLD_TYPE_u64;
  if (!is_wide && isofold_exact_words(question.fold, question.type) != 0 && !lacks(target, exact)) {
    judge.holds(compare_case(target, exact, judge),
                [&] { return case_name(exact) + " has no golden line"; });
  }
}

void golden_conversions(Target& target, const Question& question, const StoredType& stored,
                        Judge& judge) {
  const auto lines = parsed_lines().of_case.find(std::string(isofold_fold_name(question.fold)) +
                                                 " of " + name_of(stored));
  if (lines == parsed_lines().of_case.end() || !target.promises_same_bits()) {
    return;
  }
  for (const GoldenLine& line : lines->second) {
    judge.count_case();
    check_result_type(question, line, judge);
    Recipe recipe{};
    test_data::find_recipe(line.recipe, recipe);
    const StoredCase which =
        stored_case(question, stored, stored_set(stored, recipe, line.seed, line.n),
                    stored_set(stored, recipe, line.seed + 1, line.n));
    const PlacedCase placed(target, which);
    const Placed<double> slot(target, std::vector<double>(8));  // room for any result
    if (target.reduce(placed.request({0, 1, line.n, line.n}, slot.data())) != ISOFOLD_ok ||
        target.synchronize() != ISOFOLD_ok) {
      judge.fail(text_of(line) + ": the call failed: " + target.last_error());
      continue;
    }
    compare_line(question, line, slot.to_host().data(), judge);
  }
}

}  // namespace isofold::conformance
