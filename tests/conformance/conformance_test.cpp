// The conformance suite under GoogleTest: one body for all backends, with backend, section, fold
// and type in the test's name, so that a failure names itself. A backend that cannot compute here
// is skipped with its reason. ISOFOLD_TEST_LEVEL chooses quick, standard (the default) or
// exhaustive.
#include <cstdlib>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <conformance/conformance.hpp>
#include <isofold/isofold.hpp>

namespace {

using isofold::conformance::CellResult;
using isofold::conformance::Level;
using isofold::conformance::Section;

Level level_of_environment() {
  const char* text = std::getenv("ISOFOLD_TEST_LEVEL");
  const std::string name = text != nullptr ? text : "standard";
  for (Level level : {Level::quick, Level::standard, Level::exhaustive}) {
    if (name == isofold::conformance::name_of(level)) {
      return level;
    }
  }
  std::fprintf(stderr, "ISOFOLD_TEST_LEVEL=%s is none of quick, standard, exhaustive\n",
               name.c_str());
  std::exit(2);
}

struct Case {
  std::int32_t fold;
  std::int32_t type;
};
using Cell = std::tuple<std::string, Section, Case>;

std::string name_of_cell(const testing::TestParamInfo<Cell>& info) {
  const auto& [backend, section, question] = info.param;
  return backend + "_" + isofold::conformance::name_of(section) + "_" +
         isofold_fold_name(question.fold) + "_" + isofold_type_name(question.type);
}

// True for cases that a build of a backend for tests lacks (ISOFOLD_TEST_SOME_CASES).
bool lacks_case([[maybe_unused]] const std::string& backend,
                [[maybe_unused]] const Case& question) {
#ifdef ISOFOLD_TEST_SOME_CASES
  isofold::Reducer reduce(backend.c_str());
  isofold_request request{};
  request.size = sizeof request;
  request.definition = ISOFOLD_DEFINITION_tree_v1;
  request.fold = question.fold;
  request.type = question.type;
  request.shape = ISOFOLD_SHAPE_array;
  request.rows = 1;
  request.length = 1;
  return isofold_supports(reduce.handle(), &request) == ISOFOLD_unsupported;
#else
  return false;
#endif
}

class Conformance : public testing::TestWithParam<Cell> {};

TEST_P(Conformance, Cell) {
  const auto& [backend, section, question] = GetParam();
  if (!isofold::is_available(backend)) {
    GTEST_SKIP() << backend << " cannot compute here: " << isofold::describe(backend);
  }
  if (lacks_case(backend, question)) {
    GTEST_SKIP() << "not in this build for tests";
  }
  const CellResult cell = isofold::conformance::run_cell(backend, section, question.fold,
                                                         question.type, level_of_environment());
  EXPECT_EQ(cell.failures, 0) << cell.first_failure;
  RecordProperty("comparisons", static_cast<int>(cell.comparisons));
  if (cell.failures == 0 && cell.comparisons == 0) {
    GTEST_SKIP() << cell.skipped;
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  isofold::conformance::for_every_case([&](std::int32_t fold, std::int32_t type) {
    all.push_back({fold, type});
  });
  return all;
}

// Sections that are asked at this level: `huge` at the exhaustive one only.
std::vector<Section> sections_of_level() {
  std::vector<Section> chosen;
  for (Section section : isofold::conformance::sections) {
    if (section != Section::huge || level_of_environment() == Level::exhaustive) {
      chosen.push_back(section);
    }
  }
  return chosen;
}

INSTANTIATE_TEST_SUITE_P(All, Conformance,
                         testing::Combine(testing::ValuesIn(isofold::backend_names()),
                                          testing::ValuesIn(sections_of_level()),
                                          testing::ValuesIn(cases())),
                         name_of_cell);

}  // namespace

// A run that skipped everything is a skipped test for ctest (77), not a passed one.
int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  const int failed = RUN_ALL_TESTS();
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  return failed == 0 && tests.skipped_test_count() == tests.test_to_run_count() ? 77 : failed;
}
