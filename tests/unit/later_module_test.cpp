// A module that this build did not make, and that lies where the library looks: later_module.cpp,
// for the backend ISOFOLD_TEST_BACKEND. Each test is a process of its own (CMakeLists.txt), because
// a backend is looked for once.
#include <string>
#include <vector>

#include <isofold/backend_folder.h>
#include <test_support.hpp>

namespace {

using test_support::Recipe;

const std::string backend = ISOFOLD_TEST_BACKEND;
const std::vector<double> data = test_support::data_set<double>(Recipe::uniform, 3000);

double sum_here() { return isofold::Reducer("reference").sum(isofold::array(data.data(), 3000)); }

TEST(LaterModule, IsFoundAndUsed) {
  ASSERT_TRUE(isofold::is_available(backend)) << isofold::describe(backend);
  EXPECT_EQ(isofold::describe(backend), "a module that came later");
  isofold::Buffer memory(backend, data.size() * sizeof(double));
  memory.copy_from(data.data(), memory.bytes());
  isofold::Reducer by_name(backend.c_str());
  EXPECT_EQ(by_name.sum(isofold::array(memory.as<double>(), 3000)), sum_here());
}

// Its memory is known, so that a Reducer goes there, and the host is kept away from it.
TEST(LaterModule, IsAskedWherePointersPoint) {
  isofold::Buffer memory(backend, data.size() * sizeof(double));
  memory.copy_from(data.data(), memory.bytes());
  const auto there = isofold::array(memory.as<double>(), 3000);
  isofold::Reducer by_data;
  EXPECT_EQ(by_data.sum(there), sum_here());
  EXPECT_EQ(by_data.backend(), backend);
  EXPECT_EQ(by_data.sum(isofold::array(data.data(), 3000)), sum_here());
  EXPECT_NE(by_data.backend(), backend);
  EXPECT_EQ(test_support::code_of([&] { return isofold::Reducer("reference").sum(there); }),
            isofold::Code::wrong_memory);
}

void expect_refused(const std::string& sentence) {
  EXPECT_FALSE(isofold::is_available(backend));
  EXPECT_NE(isofold::describe(backend).find(sentence), std::string::npos)
      << isofold::describe(backend);
  isofold::Reducer reducer;
  EXPECT_EQ(reducer.sum(isofold::array(data.data(), 3000)), sum_here());
}

// Its interface is that of this library, and nobody but itself says of which version it is.
TEST(LaterModule, OfAnotherVersionIsRefusedInASentence) {
  expect_refused("isofold-" + backend + ".so is of isofold 0.9.1, and this library is isofold " +
                 isofold_version() + ": install both in one version");
}

TEST(LaterModule, OfOtherSourcesIsRefusedInASentence) {
  expect_refused("was built from other sources of isofold " + std::string(isofold_version()));
}

TEST(LaterModule, IsFoundInAFolderThatWasAdded) {
  EXPECT_EQ(isofold_add_backend_folder(nullptr, nullptr), ISOFOLD_invalid_argument);
  EXPECT_EQ(isofold_add_backend_folder("", "1.0.0"), ISOFOLD_invalid_argument);
  ASSERT_EQ(isofold_add_backend_folder("no such folder", nullptr), ISOFOLD_ok);
  ASSERT_EQ(isofold_add_backend_folder(ISOFOLD_TEST_FOLDER, "0.9.1"), ISOFOLD_ok);
  ASSERT_EQ(isofold_add_backend_folder(ISOFOLD_TEST_FOLDER, isofold_version()), ISOFOLD_ok);
  EXPECT_EQ(isofold::describe(backend), "a module that came later");
}

TEST(LaterModule, InAFolderOfAnotherVersionIsRefusedInASentence) {
  ASSERT_EQ(isofold_add_backend_folder(ISOFOLD_TEST_FOLDER, "0.9.2"), ISOFOLD_ok);
  expect_refused("isofold-" + backend + ".so is of isofold 0.9.2, and this library is isofold " +
                 isofold_version() + ": install both in one version");
}

TEST(LaterModule, WithoutOneTheReasonIsThatOfTheBuild) {
  EXPECT_FALSE(isofold::is_available(backend));
  EXPECT_EQ(isofold::describe(backend).rfind("not built: ", 0), 0U) << isofold::describe(backend);
}

}  // namespace
