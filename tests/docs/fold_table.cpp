// README's table of folds, element types and backends, written from the one table of the library
// (src/ops/supported_cases.hpp) and from what the folds' structs say of themselves.
//   fold_table README.md          fails if another table stands there
//   fold_table README.md --write  writes it
// Either fails if the table is untrue of a backend that is here.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <backends/kokkos/offered.hpp>
#include <conformance/test_data.hpp>
#include <isofold/detail/core/chunk.hpp>
#include <isofold/isofold.hpp>
#include <ops/result_components.hpp>
#include <request/parameters.hpp>

namespace {

constexpr const char* begin_mark =
    "<!-- `fold_table README.md --write` (tests/docs) writes this table; a test compares it. -->\n";
constexpr const char* end_mark = "<!-- The end of the table. -->\n";

// ---- what is asked of the structs -------------------------------------------------------------

// A result as its bits, of which -0 and +0 are not the same. Padding is zero.
template <class Result>
auto bytes_of_result(const Result& result) {
  std::array<unsigned char, sizeof result> bits{};
  std::memcpy(bits.data(), &result, sizeof result);
  return bits;
}

// This tells whether another order of combination gives other bits: tried on random states of
// single elements.
template <class Fold>
bool depends_on_order(const Fold& fold) {
  using T = typename Fold::element_type;
  constexpr int count = 301;  // a hundred times three, and one more to be the last one's second
  std::array<T, count> data{};
  isofold::test_data::fill(isofold::test_data::Recipe::uniform, 0, count, data.data(), 0, count);
  for (int i = 0; i + 3 < count; i += 3) {
    const auto state = [&](int k) {
      const T* x = data.data() + i + k;
      return isofold::core::fold_chunk(fold, isofold::core::Elements<Fold>{x, x + 1}, i + k, 1);
    };
    const auto left = fold.finish(fold.combine(fold.combine(state(0), state(1)), state(2)), 3);
    const auto right = fold.finish(fold.combine(state(0), fold.combine(state(1), state(2))), 3);
    if (bytes_of_result(left) != bytes_of_result(right)) {
      return true;
    }
  }
  return false;
}

template <class Fold>
std::string on_kokkos(const Fold& fold) {
  if constexpr (isofold::kokkos_backend::is_offered<Fold>) {
    return depends_on_order(fold) ? "within the error bound" : "same bits";
  } else {
    return "no";
  }
}

template <class Fold>
std::string taken() {
  std::string text = Fold::arrays == 2 ? "two arrays" : "an array";
  if constexpr (isofold::TakesParameters<Fold>::value) {
    text += " and " + std::to_string(Fold::parameters) + " elements";
  }
  return text;
}

// The kinds of elements: the types of one kind have one line in common.
enum class Kind { floating, integral, complex };
constexpr Kind kinds[] = {Kind::floating, Kind::integral, Kind::complex};

template <class T>
constexpr Kind kind_of() {
  return isofold::core::is_complex<T>    ? Kind::complex
         : isofold::core::is_floating<T> ? Kind::floating
                                         : Kind::integral;
}

// A fold over one element type.
struct Case {
  std::int32_t type;
  std::int32_t part;  // the type of a complex number's parts; of others, their own
  isofold::ComponentList components;
  std::string taken;
  std::string kokkos;
  bool is_offered_by_kokkos;
};

std::vector<Case> cases_of(std::int32_t fold, Kind kind) {
  std::vector<Case> cases;
  const auto note = [&](auto typed) {
    using Fold = decltype(typed);
    using T = typename Fold::element_type;
    if (kind_of<T>() == kind) {
      cases.push_back({isofold::type_number<T>(), isofold::type_number<isofold::core::part_t<T>>(),
                       isofold::components_of<Fold>(), taken<Fold>(), on_kokkos(typed),
                       isofold::kokkos_backend::is_offered<Fold>});
    }
  };
#define ISOFOLD_NOTE(name, number, c_type) isofold::visit_case(fold, number, note);
  ISOFOLD_TYPES(ISOFOLD_NOTE)
#undef ISOFOLD_NOTE
  return cases;
}

// ---- cells ------------------------------------------------------------------------------------

// The type of a component over all the element types: T, the one that it always has, or its width.
std::string type_text(const std::vector<Case>& cases, int index) {
  const auto type_of = [&](const Case& c) { return c.components.component[index].type; };
  const auto all = [&](auto&& condition) {
    return std::all_of(cases.begin(), cases.end(), condition);
  };
  if (all([&](const Case& c) { return type_of(c) == c.type; })) {
    return "T";
  }
  if (all([&](const Case& c) { return type_of(c) == c.part; })) {
    return "the type of T's parts";
  }
  if (all([&](const Case& c) { return type_of(c) == type_of(cases.front()); })) {
    return isofold_type_name(type_of(cases.front()));
  }
  if (all([&](const Case& c) { return isofold_type_bytes(type_of(c)) == 8; })) {
    return "64 bits";
  }
  throw std::logic_error("A result has a type that this table has no word for; add one.");
}

std::string result_text(const std::vector<Case>& cases) {
  std::string text;
  const isofold::ComponentList& components = cases.front().components;
  if (components.count == 2 && components.component[0].name == std::string("real")) {
    return "T";  // a complex number, in its two parts
  }
  for (int i = 0; i < components.count; ++i) {
    const std::string name = components.component[i].name;
    text += (i == 0 ? "" : ", ") + type_text(cases, i) + (name.empty() ? "" : " " + name);
  }
  return text;
}

std::string kokkos_text(const std::vector<Case>& cases) {
  const bool alike = std::all_of(cases.begin(), cases.end(),
                                 [&](const Case& c) { return c.kokkos == cases.front().kokkos; });
  if (!alike) {
    throw std::logic_error("Types of one kind differ on kokkos; the table has no word for that.");
  }
  return cases.front().kokkos;
}

std::string type_list(const std::vector<Case>& cases) {
  std::string text;
  for (const Case& c : cases) {
    text += (text.empty() ? "" : ", ") + std::string(isofold_type_name(c.type));
  }
  return text;
}

const char* name_of(Kind kind) { return kind == Kind::integral ? "integers" : "complex"; }

// The text of the kinds that a fold has: that of the first of them, and where others differ.
template <class Text>
std::string of_kinds(std::int32_t fold, Text&& text_of) {
  std::string first;
  std::string others;
  for (const Kind kind : kinds) {
    const std::vector<Case> cases = cases_of(fold, kind);
    const std::string text = cases.empty() ? "" : text_of(cases);
    if (first.empty()) {
      first = text;
    } else if (!text.empty() && text != first) {
      others += std::string("; ") + name_of(kind) + ": " + text;
    }
  }
  return first + others;
}

std::string types_text(std::int32_t fold) {
  const auto has = [fold](Kind kind) { return !cases_of(fold, kind).empty(); };
  if (has(Kind::floating) && has(Kind::integral)) {
    return has(Kind::complex) ? "all" : "all but complex";
  }
  std::string text;
  for (const Kind kind : kinds) {
    text += (text.empty() || !has(kind) ? "" : ", ") + type_list(cases_of(fold, kind));
  }
  return text;
}

// A line without the name of its fold: folds that agree in it share it.
using Cells = std::array<std::string, 6>;

Cells cells_of(std::int32_t fold) {
  return {of_kinds(fold, [](const std::vector<Case>& cases) { return cases.front().taken; }),
          types_text(fold), of_kinds(fold, result_text),
          // These dispatch through the same table and have every case; check_backends() asks them.
          "same bits", "same bits", of_kinds(fold, kokkos_text)};
}

struct Line {
  std::string folds;
  Cells cells;
};

std::vector<Line> lines_of_all() {
  std::vector<Line> lines;
  const auto add = [&](const char* name, std::int32_t fold) {
    const Cells cells = cells_of(fold);
    const auto like = std::find_if(lines.begin(), lines.end(),
                                   [&](const Line& line) { return line.cells == cells; });
    if (like != lines.end()) {
      like->folds += std::string(", ") + name;
    } else {
      lines.push_back({name, cells});
    }
  };
#define ISOFOLD_ADD(name, number) add(#name, number);
  ISOFOLD_FOLDS(ISOFOLD_ADD)
#undef ISOFOLD_ADD
  return lines;
}

std::string table() {
  std::string text =
      "| folds | of | element types T | result | reference, openmp | cuda, hip | kokkos |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const Line& line : lines_of_all()) {
    text += "| " + line.folds + " |";
    for (const std::string& cell : line.cells) {
      text += " " + cell + " |";
    }
    text += '\n';
  }
  return text;
}

// ---- whether it is true here ------------------------------------------------------------------

bool supports(const std::string& backend, isofold::Guarantee guarantee, std::int32_t fold,
              std::int32_t type) {
  const isofold::Reducer reducer(backend.c_str(), isofold::Options{}.guarantee(guarantee));
  const std::uint64_t range[2] = {};
  isofold_request request{};
  request.size = sizeof request;
  request.definition = ISOFOLD_DEFINITION_tree_v1;
  request.fold = fold;
  request.type = type;
  request.shape = ISOFOLD_SHAPE_array;
  request.rows = 1;
  request.parameters = isofold_fold_parameters(fold) > 0 ? range : nullptr;
  return isofold_supports(reducer.handle(), &request) == ISOFOLD_ok;
}

void check_case(const std::string& backend, std::int32_t fold, const Case& c) {
  const bool in_any_order = backend == "kokkos";
  const isofold::Guarantee guarantee =
      in_any_order ? isofold::Guarantee::within_bound : isofold::Guarantee::same_bits;
  const bool expected = !in_any_order || c.is_offered_by_kokkos;
  if (supports(backend, guarantee, fold, c.type) != expected) {
    throw std::runtime_error("The table says that " + backend + (expected ? " has " : " lacks ") +
                             isofold_fold_name(fold) + " over " + isofold_type_name(c.type) +
                             ", and that backend says the contrary: correct cells_of() in "
                             "tests/docs/fold_table.cpp, or the backend.");
  }
}

// Asks every backend that is here for every case.
void check_backends() {
  for (const std::string& backend : isofold::backend_names()) {
    if (!isofold::is_available(backend)) {
      continue;
    }
#define ISOFOLD_CHECK(name, number)                \
  for (const Kind kind : kinds) {                  \
    for (const Case& c : cases_of(number, kind)) { \
      check_case(backend, number, c);              \
    }                                              \
  }
    ISOFOLD_FOLDS(ISOFOLD_CHECK)
#undef ISOFOLD_CHECK
  }
}

// ---- the file ---------------------------------------------------------------------------------

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.good() && text.empty()) {
    throw std::runtime_error("'" + path + "' could not be read; name the repository's README.md.");
  }
  return text;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    throw std::runtime_error("'" + path + "' could not be written.");
  }
}

// The text with the table between its two marks.
std::string with_table(const std::string& text, const std::string& path) {
  const std::size_t mark = text.find(begin_mark);
  const std::size_t end = text.find(end_mark);
  if (mark == std::string::npos || end == std::string::npos || end < mark) {
    throw std::runtime_error("'" + path +
                             "' has no place for the table: put it between the lines\n" +
                             begin_mark + end_mark);
  }
  const std::size_t begin = mark + std::strlen(begin_mark);
  return text.substr(0, begin) + table() + text.substr(end);
}

void run(const std::string& path, bool writes) {
  check_backends();
  const std::string is = read(path);
  const std::string should_be = with_table(is, path);
  if (is == should_be) {
    return;
  }
  if (!writes) {
    throw std::runtime_error("The table of folds in '" + path +
                             "' is not what src/ops/supported_cases.hpp and the folds say. Run "
                             "`fold_table " +
                             path + " --write`, and look at the difference.");
  }
  write(path, should_be);
}

}  // namespace

int main(int argc, char** argv) {
  const bool writes = argc == 3 && std::strcmp(argv[2], "--write") == 0;
  if (argc != 2 && !writes) {
    std::fprintf(stderr, "Usage: fold_table README.md [--write]\n");
    return 2;
  }
  try {
    run(argv[1], writes);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
