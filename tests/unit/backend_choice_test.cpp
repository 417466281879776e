// Which backend answers: by name, by ISOFOLD_BACKEND, by default; and what is said when it cannot.
#include <cstdlib>
#include <string>
#include <vector>

#include <test_support.hpp>

namespace {

using isofold::Code;
using test_support::code_of;

// Sets an environment variable for a test's duration.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    const char* before = std::getenv(name);
    had_ = before != nullptr;
    before_ = had_ ? before : "";
    if (value != nullptr) {
      setenv(name, value, 1);
    } else {
      unsetenv(name);
    }
  }
  ~Environment() {
    if (had_) {
      setenv(name_, before_.c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

 private:
  const char* name_;
  bool had_ = false;
  std::string before_;
};

const std::vector<float> data = test_support::data_set<float>(test_support::Recipe::small, 1000);

std::string who_answers(isofold::Reducer& reducer) {
  EXPECT_EQ(reducer.sum(isofold::array(data.data(), 1000)),
            test_support::reference<isofold::Fold::sum>(data.data(), 1000));
  return reducer.backend();
}

TEST(BackendChoice, DefaultIsOpenmpThenReference) {
  const Environment unset("ISOFOLD_BACKEND", nullptr);
  isofold::Reducer reducer;
  EXPECT_STREQ(reducer.backend(), "") << "nothing was asked yet";
  EXPECT_EQ(who_answers(reducer), isofold::is_available("openmp") ? "openmp" : "reference");
}

TEST(BackendChoice, OptionsNeedNoBackend) {
  const Environment unset("ISOFOLD_BACKEND", nullptr);
  isofold::Reducer reducer(isofold::Options().threads(1).definition(isofold::Definition::exact_v1));
  EXPECT_EQ(who_answers(reducer), isofold::is_available("openmp") ? "openmp" : "reference");
  EXPECT_EQ(reducer.definition(), isofold::Definition::exact_v1);
  const double x[] = {1e300, 1, -1e300};
  EXPECT_EQ(reducer.sum(x), 1) << "by tree v1 it is 0";
}

TEST(BackendChoice, ANamedBackendAnswersItself) {
  for (const std::string& name : test_support::host_backends()) {
    isofold::Reducer reducer(name.c_str());
    EXPECT_EQ(who_answers(reducer), name);
  }
}

TEST(BackendChoice, TheVariableReplacesTheDefaultOnly) {
  const Environment set("ISOFOLD_BACKEND", "reference");
  isofold::Reducer by_default;
  EXPECT_EQ(who_answers(by_default), "reference");
  if (isofold::is_available("openmp")) {
    isofold::Reducer named(isofold::Backend::openmp);
    EXPECT_EQ(who_answers(named), "openmp");
  }
}

TEST(BackendChoice, AnEmptyVariableIsNone) {
  const Environment set("ISOFOLD_BACKEND", "");
  isofold::Reducer reducer;
  EXPECT_EQ(who_answers(reducer), isofold::is_available("openmp") ? "openmp" : "reference");
}

TEST(BackendChoice, UnknownNamesAreErrorsThatListTheKnownOnes) {
  std::string sentence;
  EXPECT_EQ(code_of([] { isofold::Reducer reducer("opnemp"); }, &sentence),
            Code::backend_unavailable);
  EXPECT_NE(sentence.find("opnemp"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("reference"), std::string::npos) << sentence;
  const Environment set("ISOFOLD_BACKEND", "opnemp");
  EXPECT_EQ(code_of([] { isofold::Reducer reducer; }, &sentence), Code::backend_unavailable);
  EXPECT_NE(sentence.find("ISOFOLD_BACKEND"), std::string::npos) << sentence;
  isofold::Reducer named(isofold::Backend::reference);
  EXPECT_EQ(who_answers(named), "reference") << "a wrong default must not stop a named backend";
}

TEST(BackendChoice, ANumberThatIsNoBackendIsRefused) {
  for (const std::int32_t number : {-1, isofold_backend_count() + 1, 99}) {
    const auto backend = static_cast<isofold::Backend>(number);
    EXPECT_EQ(test_support::code_of([&] { isofold::Reducer reducer(backend); }),
              isofold::Code::invalid_argument);
  }
}

TEST(BackendChoice, UnavailableOnesAreErrorsThatSayWhy) {
  int asked = 0;
  for (const std::string& name : isofold::backend_names()) {
    const std::string reason = isofold::describe(name);
    EXPECT_FALSE(reason.empty()) << name;
    if (isofold::is_available(name)) {
      continue;
    }
    ++asked;
    std::string sentence;
    EXPECT_EQ(code_of([&] { isofold::Reducer reducer(name.c_str()); }, &sentence),
              Code::backend_unavailable);
    EXPECT_NE(sentence.find(reason), std::string::npos) << sentence << " lacks: " << reason;
    const Environment set("ISOFOLD_BACKEND", name.c_str());
    EXPECT_EQ(code_of([] { isofold::Reducer reducer; }, &sentence), Code::backend_unavailable);
    EXPECT_NE(sentence.find("ISOFOLD_BACKEND"), std::string::npos) << sentence;
  }
  if (asked == 0) {
    GTEST_SKIP() << "every backend can compute here";
  }
}

TEST(BackendChoice, BadOptionsAreRefused) {
  isofold_options good = isofold::Options{}.plain();
  good.backend = "reference";
  isofold_reducer* reducer = nullptr;
  const auto create = [&](auto spoil) {
    isofold_options options = good;
    spoil(options);
    const std::int32_t code = isofold_create(&options, &reducer);
    isofold_destroy(code == ISOFOLD_ok ? reducer : nullptr);
    return code;
  };
  EXPECT_EQ(create([](auto&) {}), ISOFOLD_ok);
  EXPECT_EQ(create([](auto& o) { o.size = 0; }), ISOFOLD_invalid_argument);
  EXPECT_EQ(create([](auto& o) { o.size = 4097; }), ISOFOLD_invalid_argument);
  EXPECT_EQ(create([](auto& o) { o.guarantee = 3; }), ISOFOLD_invalid_argument);
  EXPECT_EQ(create([](auto& o) { o.guarantee = 0; }), ISOFOLD_ok) << "0 is same_bits";
  EXPECT_EQ(create([](auto& o) { o.threads = -1; }), ISOFOLD_invalid_argument);
  EXPECT_EQ(create([](auto& o) { o.device = -2; }), ISOFOLD_invalid_argument);
  EXPECT_EQ(create([](auto& o) { o.device = 99; }), ISOFOLD_invalid_argument);
  EXPECT_NE(std::string(isofold_last_error()).find("99"), std::string::npos)
      << isofold_last_error();
  EXPECT_EQ(isofold_create(nullptr, &reducer), ISOFOLD_invalid_argument);
  EXPECT_EQ(isofold_create(&good, nullptr), ISOFOLD_invalid_argument);
}

// The guarantee is a property of backend and request; a weaker one is never given in silence.
TEST(BackendChoice, SameBitsIsNeverWeakened) {
  int asked = 0;
  for (const std::string& name : isofold::backend_names()) {
    if (!isofold::is_available(name) || !isofold::conformance::is_within_bound(name)) {
      continue;
    }
    ++asked;
    isofold::Reducer strict(name.c_str(),
                            isofold::Options{}.guarantee(isofold::Guarantee::same_bits));
    EXPECT_FALSE(strict.supports(isofold::sum, isofold::array(data.data(), 1000)));
    EXPECT_EQ(code_of([&] { return strict.sum(isofold::array(data.data(), 1000)); }),
              Code::unsupported);
    isofold::Reducer by_default(name.c_str());
    EXPECT_EQ(code_of([&] { return by_default.sum(isofold::array(data.data(), 1000)); }),
              Code::unsupported)
        << "same_bits is the default";
    isofold::Reducer bounded(name.c_str(),
                             isofold::Options{}.guarantee(isofold::Guarantee::within_bound));
    EXPECT_TRUE(bounded.supports(isofold::sum, isofold::array(data.data(), 1000)));
    EXPECT_EQ(who_answers(bounded), name);
  }
  if (asked == 0) {
    GTEST_SKIP() << "no backend with the guarantee within_bound can compute here";
  }
}

// A backend that promises more serves who asks for less.
TEST(BackendChoice, WithinBoundIsServedBySameBits) {
  for (const std::string& name : test_support::host_backends()) {
    isofold::Reducer reducer(name.c_str(),
                             isofold::Options{}.guarantee(isofold::Guarantee::within_bound));
    EXPECT_EQ(who_answers(reducer), name);
  }
}

}  // namespace
