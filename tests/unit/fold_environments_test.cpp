// Every fold of every type under every floating-point environment, in the calling thread and in
// OpenMP's threads: the bits of the standard one, subnormals included, and each thread's word as it
// was, after errors too.
#include <gtest/gtest.h>

#include <control_word.hpp>

#if defined(ISOFOLD_TEST_CONTROL_WORD)

#include <string>
#include <vector>

#include <conformance/batch.hpp>
#include <isofold/detail/core/chunk.hpp>
#include <test_support.hpp>

namespace {

using isofold::conformance::array_request;
using isofold::conformance::case_name;
using isofold::conformance::Level;
using isofold::conformance::Question;
using isofold::conformance::Span;
using test_support::control_word;
using test_support::Environment;
using test_support::leaks;
using test_support::Recipe;
using test_support::set_control_word;
using test_support::standard_word;

#ifdef ISOFOLD_TEST_SOME_CASES
constexpr int least_cases = 2;
constexpr int least_changed = 1;
#else
constexpr int least_cases = 100;
constexpr int least_changed = 10;
#endif

constexpr int team = 3;

// Each thread of a team takes the word; they are the threads that the library's teams are made of.
void set_words_of_team([[maybe_unused]] unsigned word) {
#if defined(_OPENMP)
#pragma omp parallel num_threads(team)
  set_control_word(word);
#else
  set_control_word(word);
#endif
}

int threads_with_word(unsigned word) {
  int count = 0;
#if defined(_OPENMP)
#pragma omp parallel num_threads(team) reduction(+ : count)
#endif
  count += control_word() == word ? 1 : 0;
  return count;
}

int threads_of_team() {
  int count = 0;
#if defined(_OPENMP)
#pragma omp parallel num_threads(team) reduction(+ : count)
#endif
  count += 1;
  return count;
}

// The word is the caller's, or all threads', for as long as this lives.
class Leaked {
 public:
  Leaked(const Environment& environment, bool everywhere) : everywhere_(everywhere) {
    if (everywhere_) {
      set_words_of_team(environment.word);
    }
    set_control_word(environment.word);
  }
  ~Leaked() {
    if (everywhere_) {
      set_words_of_team(standard_word);
    }
    set_control_word(standard_word);
  }
  Leaked(const Leaked&) = delete;
  Leaked& operator=(const Leaked&) = delete;

 private:
  bool everywhere_;
};

// Calls visit(question) for each fold and type that the library has.
template <class Visit>
void for_every_case(Visit&& visit) {
  int cases = 0;
  isofold::conformance::for_every_case([&](std::int32_t fold, std::int32_t type) {
    visit(Question{fold, type, Level::quick, 1});
    ++cases;
  });
  EXPECT_GT(cases, least_cases) << "most cases were left out";
}

// Subnormals show flushing; the others, each other rounding mode.
template <class T>
std::vector<Recipe> recipes_of() {
  if constexpr (std::is_floating_point_v<isofold::core::part_t<T>>) {
    return {Recipe::subnormals, Recipe::uniform, Recipe::near_one};
  } else {
    return {Recipe::uniform};
  }
}

// Arrays, rows and strided boxes have loops of their own.
enum class Form { array, rows, box };

// The data of one case, and the bits that it has in the standard environment.
template <class T, class R>
class Case {
 public:
  Case(const Question& asked, Recipe recipe, std::int64_t n, Form form)
      : question(asked), data_(test_support::data_set<T>(recipe, n)), spans_{{0, n}}, form_(form) {
    isofold::conformance::append_second(
        question, data_, isofold::conformance::second_set<T>(question, recipe, 2, n), spans_);
    layout_.size = sizeof layout_;
    layout_.dimensions = 2;
    layout_.kept = 1;
    layout_.extents[0] = rows();
    layout_.extents[1] = n / rows() / 2;
    layout_.strides[0] = layout_.second_strides[0] = n / rows();
    layout_.strides[1] = layout_.second_strides[1] = 2;
    isofold::Reducer reference("reference");
    expected = isofold::conformance::poisoned<R>(static_cast<std::size_t>(rows()));
    const isofold_request right = request(expected.data());
    isofold::check(isofold_reduce(reference.handle(), &right));
  }
  isofold_request request(R* results) const {
    isofold_request made = array_request(question, data_.data(), spans_[0], results, 0);
    if (form_ == Form::array) {
      return made;
    }
    made.shape = form_ == Form::rows ? ISOFOLD_SHAPE_rows : ISOFOLD_SHAPE_box;
    made.rows = rows();
    made.length = form_ == Form::rows ? spans_[0].count / rows() : layout_.extents[1];
    made.stride = form_ == Form::rows ? made.length : 0;
    made.second_stride = isofold::conformance::takes_two(question) ? made.stride : 0;
    made.layout = form_ == Form::rows ? nullptr : &layout_;
    return made;
  }
  std::string name() const {
    static constexpr const char* names[] = {"an array", "rows", "a box"};
    return case_name(question) + ", " + names[static_cast<int>(form_)] + " of " +
           std::to_string(spans_[0].count);
  }

  Question question;
  std::vector<R> expected;

 private:
  std::int64_t rows() const { return form_ == Form::array ? 1 : 7; }

  std::vector<T> data_;
  std::vector<Span> spans_;
  Form form_;
  isofold_layout layout_{};
};

template <class T, class R>
void expect_same_bits(isofold::Reducer& reducer, const Case<T, R>& one, bool everywhere) {
  isofold_schedule schedule{};
  schedule.threads = team;
  for (const Environment& environment : leaks) {
    std::vector<R> found = isofold::conformance::poisoned<R>(one.expected.size());
    isofold_request request = one.request(found.data());
    request.schedule = std::string(reducer.backend()) == "reference" ? nullptr : &schedule;
    std::int32_t code = -1;
    unsigned after = 0;
    int unchanged = 0;
    {
      const Leaked leaked(environment, everywhere);
      code = isofold_reduce(reducer.handle(), &request);
      after = control_word();
      unchanged = everywhere ? threads_with_word(environment.word) : 0;
    }
    ASSERT_EQ(code, ISOFOLD_ok) << isofold_last_error();
    for (std::size_t row = 0; row < found.size(); ++row) {
      EXPECT_EQ(test_support::bits_of(found[row]), test_support::bits_of(one.expected[row]))
          << one.name() << ", " << environment.name << ", row " << row;
    }
    EXPECT_EQ(after, environment.word) << one.name() << ", " << environment.name;
    EXPECT_EQ(unchanged, everywhere ? threads_of_team() : 0)
        << one.name() << ", " << environment.name << ": the words of OpenMP's threads";
  }
}

class FoldEnvironments : public testing::TestWithParam<std::string> {
 protected:
  void expect_same_bits_of_all(bool everywhere) {
    isofold::Reducer reducer(GetParam().c_str());
    for_every_case([&](const Question& question) {
      isofold::conformance::visit_numbers(question, [&](auto numbers) {
        using T = typename decltype(numbers)::T;
        using R = typename decltype(numbers)::R;
        for (const Recipe recipe : recipes_of<T>()) {
          for (const std::int64_t n : {33, 9001}) {
            for (const Form form : {Form::array, Form::rows, Form::box}) {
              expect_same_bits(reducer, Case<T, R>(question, recipe, n, form), everywhere);
            }
          }
        }
      });
    });
  }
};

TEST_P(FoldEnvironments, OfTheCaller) { expect_same_bits_of_all(false); }
TEST_P(FoldEnvironments, OfOpenMPsThreads) { expect_same_bits_of_all(true); }

// Elements that are converted as they are read, where nothing is forced.
TEST_P(FoldEnvironments, ConvertedElements) {
  isofold::Reducer reducer(GetParam().c_str());
  const auto halves = test_support::data_set<isofold_f16>(Recipe::subnormals, 90001);
  const auto singles = test_support::data_set<float>(Recipe::subnormals, 90001);
  const auto narrow = isofold::array(halves.data(), 90001);
  const auto wide = isofold::widened(isofold::array(singles.data(), 90001));
  const float sum_of_narrow = reducer.sum(narrow);
  const double norm_of_wide = reducer.norm2(wide);
  EXPECT_NE(norm_of_wide, 0) << "converted to zeros";
  for (const Environment& environment : leaks) {
    float sum = 0;
    double norm = 0;
    unsigned after = 0;
    {
      const Leaked leaked(environment, true);
      sum = reducer.sum(narrow);
      norm = reducer.norm2(wide);
      after = control_word();
    }
    EXPECT_EQ(test_support::bits_of(sum), test_support::bits_of(sum_of_narrow)) << environment.name;
    EXPECT_EQ(test_support::bits_of(norm), test_support::bits_of(norm_of_wide)) << environment.name;
    EXPECT_EQ(after, environment.word) << environment.name;
  }
}

// The error is found before anything is computed, or by the loop that reads the mask and finds it
// empty.
TEST_P(FoldEnvironments, AfterErrors) {
  isofold::Reducer reducer(GetParam().c_str());
  const auto data = test_support::data_set<float>(Recipe::uniform, 9001);
  const std::vector<std::uint8_t> nothing(9001, 0);
  float result = 0;
  isofold_request misaligned =
      test_support::array_request(isofold::Fold::maximum, data.data(), 9000, &result);
  misaligned.data = test_support::shifted<float>(data.data(), 1);
  isofold_layout layout{};
  layout.size = sizeof layout;
  layout.dimensions = 1;
  layout.extents[0] = 9001;
  layout.strides[0] = 1;
  layout.mask = nothing.data();
  layout.mask_type = ISOFOLD_MASK_bytes;
  isofold_request empty =
      test_support::array_request(isofold::Fold::maximum, data.data(), 9001, &result);
  empty.shape = ISOFOLD_SHAPE_box;
  empty.stride = 0;
  empty.layout = &layout;
  for (const Environment& environment : leaks) {
    for (const auto& [request, expected] :
         {std::pair{&misaligned, ISOFOLD_misaligned}, std::pair{&empty, ISOFOLD_empty_input}}) {
      const Leaked leaked(environment, true);
      const std::int32_t code = isofold_reduce(reducer.handle(), request);
      const unsigned after = control_word();
      const int unchanged = threads_with_word(environment.word);
      set_control_word(standard_word);
      EXPECT_EQ(code, expected) << isofold_last_error();
      EXPECT_EQ(after, environment.word) << environment.name;
      EXPECT_EQ(unchanged, threads_of_team()) << environment.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Host, FoldEnvironments, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

// Forests of every fold, cut in two: added, merged, finished.
TEST(FoldEnvironmentsOfForests, SameBitsAndTheCallersWord) {
  constexpr std::int64_t n = 3000;
  constexpr std::int64_t cut = 1500;
  for_every_case([&](const Question& question) {
    if (isofold::conformance::takes_two(question) || isofold_fold_parameters(question.fold) != 0) {
      return;  // Forests are of one array
    }
    isofold::conformance::visit_numbers(question, [&](auto numbers) {
      using T = typename decltype(numbers)::T;
      using R = typename decltype(numbers)::R;
      const Case<T, R> one(question, recipes_of<T>()[0], n, Form::array);
      const std::vector<T> data = test_support::data_set<T>(recipes_of<T>()[0], n);
      isofold::Reducer reference("reference");
      for (const Environment& environment : leaks) {
        isofold_forest* forest = nullptr;
        isofold_forest* other = nullptr;
        R found{};
        const Leaked leaked(environment, false);
        const bool fine =
            isofold_forest_create(question.fold, question.type, n, &forest) == ISOFOLD_ok &&
            isofold_forest_create(question.fold, question.type, n, &other) == ISOFOLD_ok &&
            isofold_forest_add(forest, reference.handle(), data.data(), 0, cut) == ISOFOLD_ok &&
            isofold_forest_add(other, reference.handle(), data.data() + cut, cut, n - cut) ==
                ISOFOLD_ok &&
            isofold_forest_merge(forest, other) == ISOFOLD_ok &&
            isofold_forest_finish(forest, &found) == ISOFOLD_ok;
        const unsigned after = control_word();
        set_control_word(standard_word);
        isofold_forest_destroy(forest);
        isofold_forest_destroy(other);
        EXPECT_TRUE(fine) << case_name(question) << ": " << isofold_last_error();
        EXPECT_EQ(test_support::bits_of(found), test_support::bits_of(one.expected[0]))
            << case_name(question) << ", " << environment.name;
        EXPECT_EQ(after, environment.word) << case_name(question) << ", " << environment.name;
      }
    });
  });
}

// The control: the same structs without the library's guard do give other bits, so that a leak
// would show above. Cases of floating point whose bits an environment changes, of one chunk of each
// recipe.
template <class Fold, class T>
bool is_changed_by(const Environment& environment, const std::vector<T>& x,
                   const std::vector<T>& y) {
  const auto bits = [&] {
    const auto n = static_cast<std::int64_t>(x.size());
    const Fold fold{};
    return test_support::bits_of(fold.finish(
        isofold::core::fold_chunk(fold, {x.data(), y.data()}, 0, static_cast<int>(n)), n));
  };
  const auto right = bits();
  const Leaked leaked(environment, false);
  return bits() != right;
}

TEST(FoldEnvironmentsControl, EachEnvironmentChangesFoldsWithoutAGuard) {
  for (const Environment& environment : leaks) {
    int changed = 0;
    for_every_case([&](const Question& question) {
      isofold::visit_case(question.fold, question.type, [&](auto fold) {
        using Fold = decltype(fold);
        using T = typename Fold::element_type;
        if constexpr (std::is_floating_point_v<isofold::core::part_t<T>> &&
                      std::is_default_constructible_v<Fold>) {
          if (isofold_fold_parameters(question.fold) == 0) {
            bool differs = false;
            for (const Recipe recipe : recipes_of<T>()) {
              differs = is_changed_by<Fold, T>(environment, test_support::data_set<T>(recipe, 1000),
                                               test_support::data_set<T>(recipe, 1000, 2)) ||
                        differs;
            }
            changed += differs ? 1 : 0;
          }
        }
      });
    });
    EXPECT_GE(changed, least_changed) << environment.name;
    std::printf("%-18s changes %d cases\n", environment.name, changed);
  }
}

}  // namespace

#else

TEST(FoldEnvironments, OnThisProcessor) {
  GTEST_SKIP() << "these tests set the control word of x86-64 and of 64-bit ARM";
}

#endif
