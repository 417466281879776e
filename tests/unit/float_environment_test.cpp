// Flush-to-zero, denormals-are-zero, another rounding mode, unmasked traps: whatever the caller's
// environment is, the bits are the same, and control word and flags come back as they were.
#include <gtest/gtest.h>

#if defined(__x86_64__)

#include <string>
#include <vector>
#include <xmmintrin.h>

#include <test_support.hpp>

namespace {

using test_support::bits_of;
using test_support::Recipe;

constexpr unsigned standard = 0x1f80;
constexpr unsigned flush_to_zero = 0x8000;
constexpr unsigned denormals_are_zero = 0x0040;
constexpr unsigned upward = 0x4000;
constexpr unsigned downward = 0x2000;
constexpr unsigned toward_zero = 0x6000;
constexpr unsigned all_flags = 0x003f;
constexpr unsigned overflow_trap_open = standard & ~0x0400U;
constexpr unsigned every_trap_open = standard & ~0x1f80U;

struct Environment {
  const char* name;
  unsigned word;
};
const Environment environments[] = {
    {"standard", standard},
    {"flush_to_zero", standard | flush_to_zero},
    {"denormals_are_zero", standard | denormals_are_zero},
    {"both", standard | flush_to_zero | denormals_are_zero},
    {"upward", standard | upward},
    {"downward", standard | downward},
    {"toward_zero", standard | toward_zero},
    {"flags_set", standard | all_flags},
    {"upward_with_flags", standard | upward | flush_to_zero | 0x21},
    {"overflow_trap_open", overflow_trap_open},
    {"every_trap_open", every_trap_open},
};

// Holds the caller's word during a call and tells what it was afterwards.
template <class Function>
unsigned word_after(unsigned word, Function&& function) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(word);
  function();
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  return after;
}

class FloatEnvironment : public testing::TestWithParam<std::string> {};

// The data whose results these settings change when they leak in.
struct Trap {
  isofold::Fold fold;
  Recipe recipe;
};
const Trap traps[] = {
    {isofold::Fold::sum, Recipe::subnormals},          {isofold::Fold::sum, Recipe::uniform},
    {isofold::Fold::sum, Recipe::cancelling},          {isofold::Fold::sum, Recipe::overflow},
    {isofold::Fold::sum, Recipe::opposite_infinities}, {isofold::Fold::product, Recipe::near_one},
    {isofold::Fold::product, Recipe::subnormals},      {isofold::Fold::product, Recipe::uniform},
    {isofold::Fold::minimum, Recipe::subnormals},      {isofold::Fold::maximum, Recipe::one_nan}};

template <class T>
void same_bits_under_every_environment(const std::string& backend) {
  isofold::Reducer reducer(backend.c_str());
  isofold::Reducer judge(isofold::Backend::reference);
  for (const Trap& trap : traps) {
    for (std::int64_t n : {2, 64, 100, 1024, 5000, 300000}) {
      const std::vector<T> data = test_support::data_set<T>(trap.recipe, n);
      T expected{};
      ASSERT_EQ(isofold_reduce(judge.handle(),
                               [&] {
                                 static isofold_request request;
                                 request = test_support::array_request(trap.fold, data.data(), n,
                                                                       &expected);
                                 return &request;
                               }()),
                ISOFOLD_ok);
      for (std::int32_t threads : {0, 3}) {
        isofold_schedule schedule{};
        schedule.threads = threads;
        for (const Environment& environment : environments) {
          T found{};
          isofold_request request = test_support::array_request(trap.fold, data.data(), n, &found);
          request.schedule = backend == "reference" || threads == 0 ? nullptr : &schedule;
          std::int32_t code = -1;
          const unsigned after = word_after(
              environment.word, [&] { code = isofold_reduce(reducer.handle(), &request); });
          ASSERT_EQ(code, ISOFOLD_ok) << isofold_last_error();
          EXPECT_EQ(bits_of(found), bits_of(expected))
              << environment.name << ", n = " << n << ", threads " << threads << ", recipe "
              << isofold::test_data::name_of(trap.recipe);
          EXPECT_EQ(after, environment.word)
              << environment.name << ": the caller's word was changed";
        }
      }
    }
  }
}

TEST_P(FloatEnvironment, SameBitsAndTheCallersWordF32) {
  same_bits_under_every_environment<float>(GetParam());
}
TEST_P(FloatEnvironment, SameBitsAndTheCallersWordF64) {
  same_bits_under_every_environment<double>(GetParam());
}

// Threads inherit the word of the thread that starts them: a team started under flush-to-zero.
TEST_P(FloatEnvironment, TeamsStartedUnderFlushToZero) {
  const std::vector<float> data = test_support::data_set<float>(Recipe::subnormals, 400000);
  const float expected = test_support::reference<isofold::Fold::sum>(data.data(), 400000);
  for (std::int32_t threads : {2, 5, 9}) {
    isofold_schedule schedule{};
    schedule.threads = threads;
    float found = 0;
    isofold_request request =
        test_support::array_request(isofold::Fold::sum, data.data(), 400000, &found);
    request.schedule = GetParam() == "reference" ? nullptr : &schedule;
    std::int32_t code = -1;
    word_after(standard | flush_to_zero | denormals_are_zero | upward, [&] {
      isofold::Reducer reducer(GetParam().c_str());
      code = isofold_reduce(reducer.handle(), &request);
    });
    ASSERT_EQ(code, ISOFOLD_ok) << isofold_last_error();
    EXPECT_EQ(bits_of(found), bits_of(expected));
  }
}

TEST_P(FloatEnvironment, Rows) {
  const std::vector<double> data = test_support::data_set<double>(Recipe::subnormals, 50 * 1100);
  isofold::Reducer reducer(GetParam().c_str());
  for (const Environment& environment : environments) {
    std::vector<double> found(50);
    const unsigned after = word_after(
        environment.word, [&] { reducer.sum(isofold::rows(data.data(), 50, 1100), found.data()); });
    EXPECT_EQ(after, environment.word) << environment.name;
    for (std::size_t row = 0; row < 50; ++row) {
      EXPECT_EQ(bits_of(found[row]), bits_of(test_support::reference<isofold::Fold::sum>(
                                         data.data() + 1100 * row, 1100)))
          << environment.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Host, FloatEnvironment, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

// Forests compute too: when pieces are added, merged, read and finished.
TEST(FloatEnvironmentOfForests, SameBitsAndTheCallersWord) {
  using Forest = isofold::Forest<isofold::Fold::sum, float>;
  const std::int64_t n = 5000;
  const std::vector<float> data = test_support::data_set<float>(Recipe::subnormals, n);
  const float expected = test_support::reference<isofold::Fold::sum>(data.data(), n);
  for (const Environment& environment : environments) {
    float found = 0;
    const unsigned after = word_after(environment.word, [&] {
      Forest left(n);
      Forest right(n);
      left.add(data.data(), 0, 1500);
      right.add(data.data() + 1500, 1500, n - 1500);
      const std::vector<unsigned char> bytes = right.to_bytes();
      left.merge(Forest::from_bytes(bytes.data(), bytes.size()));
      found = left.finish();
    });
    EXPECT_EQ(bits_of(found), bits_of(expected)) << environment.name;
    EXPECT_EQ(after, environment.word) << environment.name;
  }
}

// The control: these settings do change a plain sum, so a leak would show above.
TEST(FloatEnvironmentControl, TheSettingsChangeAPlainSum) {
  const std::vector<float> subnormal = test_support::data_set<float>(Recipe::subnormals, 1000);
  const std::vector<float> uniform = test_support::data_set<float>(Recipe::uniform, 1000);
  const auto plain_sum = [](const std::vector<float>& data) {
    volatile float sum = 0;
    for (float x : data) {
      sum = sum + x;
    }
    return sum;
  };
  float flushed = 0;
  float up = 0;
  word_after(standard | flush_to_zero | denormals_are_zero,
             [&] { flushed = plain_sum(subnormal); });
  word_after(standard | upward, [&] { up = plain_sum(uniform); });
  EXPECT_NE(bits_of(flushed), bits_of(plain_sum(subnormal)));
  EXPECT_NE(bits_of(up), bits_of(plain_sum(uniform)));
}

}  // namespace

#else

TEST(FloatEnvironment, OnThisProcessor) {
  GTEST_SKIP() << "these tests set the control word of x86-64";
}

#endif
