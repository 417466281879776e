// An input for each kernel of the HIP module of tests, large enough for it on the small device that
// the look-alike runtime has, with the bits of the reference: the quick sections of the suite leave
// many kernels untouched. A build for hip.executed; without the interpreter there is no such
// device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include <conformance/batch.hpp>
#include <conformance/fuzz.hpp>
#include <isofold/isofold.hpp>

#include "../../support/kernel_inputs.hpp"

namespace {

using isofold::test::Input;
using Bytes = std::vector<unsigned char>;

constexpr const char* backend = "hip";
constexpr std::size_t most_elements = 1 << 19;

// The cases that the module has (tests/support/each_fold).
struct Case {
  std::int32_t fold;
  std::int32_t type;
  std::int32_t definition = ISOFOLD_DEFINITION_tree_v1;

  bool is_exact() const { return definition == ISOFOLD_DEFINITION_exact_v1; }
};
constexpr Case cases[] = {{ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32},
                          {ISOFOLD_FOLD_argmax_last, ISOFOLD_TYPE_f32},
                          {ISOFOLD_FOLD_moments, ISOFOLD_TYPE_f64},
                          {ISOFOLD_FOLD_norm2, ISOFOLD_TYPE_c128},
                          {ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f64, ISOFOLD_DEFINITION_exact_v1},
                          {ISOFOLD_FOLD_variance, ISOFOLD_TYPE_f32, ISOFOLD_DEFINITION_exact_v1}};

template <class T>
Bytes bytes_of(const std::vector<T>& x) {
  Bytes bytes(x.size() * sizeof(T));
  std::memcpy(bytes.data(), static_cast<const void*>(x.data()), bytes.size());
  return bytes;
}

// Bytes of the host, and a copy in the device's memory.
class OnBoth {
 public:
  explicit OnBoth(const Bytes& host) : host_(host), device_(backend, host.size() + 1) {
    device_.copy_from(host_.data(), host_.size());
  }
  const void* at(bool on_device) const {
    return host_.empty() ? nullptr : on_device ? device_.data() : host_.data();
  }
  void* device() const { return device_.data(); }
  Bytes content() const {
    Bytes content(host_.size());
    device_.copy_to(content.data(), content.size());
    return content;
  }

 private:
  Bytes host_;
  isofold::Buffer device_;
};

// Numbers, now and then none, of any magnitude that keeps sums finite.
template <class T>
Bytes numbers(std::size_t count, bool with_nan) {
  std::vector<T> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t word = (i + 1) * 0x9e3779b97f4a7c15U;
    const auto digits = static_cast<T>(static_cast<std::int64_t>(word >> 40) - (1 << 23));
    x[i] = with_nan && word % 11 == 0 ? std::numeric_limits<T>::quiet_NaN()
                                      : std::ldexp(digits, static_cast<int>(word % 29) - 37);
  }
  return bytes_of(x);
}

class Elements {
 public:
  Elements() {
    for (const bool with_nan : {false, true}) {
      elements_.emplace_back(numbers<float>(most_elements, with_nan));
      elements_.emplace_back(numbers<double>(2 * most_elements, with_nan));
    }
    std::vector<std::uint16_t> halves(most_elements);  // 1 to 4
    std::vector<unsigned char> mask(most_elements);
    for (std::size_t i = 0; i < most_elements; ++i) {
      halves[i] = static_cast<std::uint16_t>(0x3c00 + i * 7919 % 2048);
      mask[i] = i * 7919 % 5 < 3 ? 1 : 0;
    }
    elements_.emplace_back(bytes_of(halves));
    elements_.emplace_back(mask);
  }
  const OnBoth& of(std::int32_t type, bool with_nan) const {
    return type == ISOFOLD_TYPE_f16
               ? elements_[4]
               : elements_[(with_nan ? 2U : 0U) + (type == ISOFOLD_TYPE_f32 ? 0U : 1U)];
  }
  const OnBoth& mask() const { return elements_[5]; }

 private:
  std::deque<OnBoth> elements_;
};

class Kernels : public testing::TestWithParam<Case> {
 protected:
  static void SetUpTestSuite() {
    if (isofold::is_available(backend)) {
      elements = new Elements;
    }
  }
  static void TearDownTestSuite() {
    delete elements;
    elements = nullptr;
  }
  void SetUp() override {
    if (elements == nullptr) {
      GTEST_SKIP() << backend << " cannot compute here: " << isofold::describe(backend);
    }
  }
  void TearDown() override { RecordProperty("comparisons", comparisons_); }

  // The request for the input, with a prepared layout; use(request) may ask it.
  template <class Use>
  void with_request(const Input& input, bool on_device, void* result, Use&& use) const {
    const OnBoth begins(bytes_of(input.begins));
    const OnBoth ends(bytes_of(input.ends));
    const OnBoth indices(bytes_of(input.indices));
    isofold_request request = input.request;
    isofold_layout layout = input.layout;
    request.size = sizeof request;
    request.definition = GetParam().definition;
    request.fold = GetParam().fold;
    request.type = input.halves ? ISOFOLD_TYPE_f16 : GetParam().type;
    request.result = result;
    const bool skips_nan = (request.flags & ISOFOLD_SKIP_NAN) != 0;
    const auto* const data =
        static_cast<const unsigned char*>(elements->of(request.type, skips_nan).at(on_device));
    std::vector<const void*> joined;
    for (std::size_t i = 0; i < input.ends.size(); ++i) {
      joined.push_back(data + static_cast<std::int64_t>(i * 997 % 5000) *
                                  isofold_type_bytes(request.type));
    }
    const OnBoth arrays(bytes_of(joined));
    request.data =
        joined.empty() ? data + first_ * isofold_type_bytes(request.type) : arrays.at(on_device);
    layout.size = sizeof layout;
    layout.begins = begins.at(on_device);
    layout.ends = ends.at(on_device);
    layout.indices = indices.at(on_device);
    layout.mask = input.masked ? elements->mask().at(on_device) : nullptr;
    layout.mask_type = input.masked ? ISOFOLD_MASK_bytes : 0;
    request.layout = layout.dimensions > 0 || layout.index_type != 0 ? &layout : nullptr;
    use(request);
  }

  // This is the number of a row's words, 0 for folds that keep none.
  static std::int64_t words() {
    return GetParam().is_exact() ? isofold_exact_words(GetParam().fold, GetParam().type) : 0;
  }
  static std::size_t result_bytes(const Input& input) {
    const bool of_words = (input.request.flags & ISOFOLD_STATE) != 0;
    return static_cast<std::size_t>(
        input.request.rows * (of_words ? words() * std::int64_t{sizeof(std::int64_t)}
                                       : isofold_result_bytes(GetParam().fold, GetParam().type)));
  }

  // The device's results have the bits of the reference.
  void compare(const Input& input) {
    Bytes expected(result_bytes(input), 0xa5);
    const OnBoth found(expected);
    with_request(input, false, expected.data(), [](const isofold_request& request) {
      isofold::Reducer reference("reference");
      ASSERT_EQ(ISOFOLD_ok, isofold_reduce(reference.handle(), &request)) << isofold_last_error();
    });
    with_request(input, true, found.device(), [&](const isofold_request& request) {
      EXPECT_EQ(ISOFOLD_ok, isofold_reserve(device_.handle(), &request)) << isofold_last_error();
      ASSERT_EQ(ISOFOLD_ok, isofold_reduce(device_.handle(), &request)) << isofold_last_error();
      ASSERT_EQ(ISOFOLD_ok, isofold_synchronize(device_.handle())) << isofold_last_error();
    });
    EXPECT_EQ(expected, found.content()) << input.name;
    comparisons_ += static_cast<int>(input.request.rows);
  }

  // The device finishes the words of a partial result as the reference does.
  void finish(const isofold_partial& partial, const Input& input,
              const std::vector<std::int64_t>& sums) {
    isofold::Reducer reference("reference");
    Bytes expected(result_bytes(input));
    const OnBoth found(expected);
    const OnBoth placed(bytes_of(sums));
    ASSERT_EQ(ISOFOLD_ok,
              isofold_partial_finish(reference.handle(), &partial, sums.data(), expected.data()));
    ASSERT_EQ(ISOFOLD_ok, isofold_partial_finish(device_.handle(), &partial,
                                                 static_cast<const std::int64_t*>(placed.device()),
                                                 found.device()))
        << isofold_last_error();
    ASSERT_EQ(ISOFOLD_ok, isofold_synchronize(device_.handle()));
    EXPECT_EQ(expected, found.content());
    comparisons_ += static_cast<int>(input.request.rows);
  }

  static Elements* elements;
  isofold::Reducer device_{isofold::is_available(backend) ? backend : "reference"};
  std::int64_t first_ = 0;  // element, in the data
  int comparisons_ = 0;
};
Elements* Kernels::elements = nullptr;

TEST_P(Kernels, OfTheList) {
  // exact_v1 has the same kernel for few rows and for many, and a row takes it long to round.
  const std::int64_t most_rows = GetParam().is_exact() ? 300 : std::numeric_limits<int>::max();
  for (const Input& input : isofold::test::inputs(64)) {
    if (input.request.rows <= most_rows && (!input.halves || GetParam().type == ISOFOLD_TYPE_f32)) {
      compare(input);
    }
  }
}

// Inputs whose launches over lists and results come beside those of the kernels on the list.
TEST_P(Kernels, OfListsAndResults) {
  Input joined = isofold::test::shaped("many joined arrays", ISOFOLD_SHAPE_joined, 1, 5000);
  for (std::int64_t i = 0; i < joined.request.length; ++i) {
    joined.ends.push_back(i * 37 % 11);
  }
  compare(joined);
  compare(isofold::test::box("a box with gaps under a mask", {{200, 120}, {100, 1}}, true));
  compare(isofold::test::box("rows in another order than in memory",
                             {{5, 1, true}, {300, 5 * 7}, {7, 5, true}, {40, 5 * 7 * 300}}));
  Input without_nan = isofold::test::box("numbers among what may be none", {{7000, 1}});
  without_nan.request.flags = ISOFOLD_SKIP_NAN;
  compare(without_nan);
}

// Two results of one fold, which are a list; the fold's kernels for lists take any rows.
TEST_P(Kernels, OfSeveralFolds) {
  for (const std::int64_t first : {0, 1}) {  // wide loads, and narrow ones
    for (const Input& input : {isofold::test::rows("an array", 1, 100003),
                               isofold::test::rows("rows of a list", 3, 5000)}) {
      first_ = first;
      const std::size_t bytes = result_bytes(input);
      Bytes expected(2 * bytes, 0xa5);
      const OnBoth found(expected);
      with_request(input, false, expected.data(), [&](const isofold_request& request) {
        isofold::Reducer reference("reference");
        ASSERT_EQ(ISOFOLD_ok, isofold_reduce(reference.handle(), &request));
        std::copy_n(expected.begin(), bytes, expected.begin() + static_cast<std::ptrdiff_t>(bytes));
      });
      with_request(input, true, found.device(), [&](const isofold_request& request) {
        isofold_request both[] = {request, request};
        both[1].result = static_cast<unsigned char*>(found.device()) + bytes;
        ASSERT_EQ(ISOFOLD_ok, isofold_reduce_fused(device_.handle(), both, 2))
            << isofold_last_error();
        ASSERT_EQ(ISOFOLD_ok, isofold_synchronize(device_.handle())) << isofold_last_error();
      });
      EXPECT_EQ(expected, found.content()) << input.name << " from element " << first << " on";
      comparisons_ += static_cast<int>(2 * input.request.rows);
    }
  }
}

// Different folds in one call; those of f32 are on the menu of the kernels for lists.
TEST_P(Kernels, OfListsOfFolds) {
  const std::vector<std::int32_t> folds =
      GetParam().type == ISOFOLD_TYPE_f32
          ? std::vector<std::int32_t>{ISOFOLD_FOLD_sum, ISOFOLD_FOLD_argmin, ISOFOLD_FOLD_argmax,
                                      ISOFOLD_FOLD_argmin_last, ISOFOLD_FOLD_argmax_last}
      : GetParam().type == ISOFOLD_TYPE_f64
          ? std::vector<std::int32_t>{ISOFOLD_FOLD_moments, ISOFOLD_FOLD_mean,
                                      ISOFOLD_FOLD_variance, ISOFOLD_FOLD_standard_deviation}
          : std::vector<std::int32_t>{};
  if (folds.empty() || folds[0] != GetParam().fold) {
    GTEST_SKIP() << "the lists of this type have no other folds, or are those of another case";
  }
  constexpr std::size_t slot = 64;  // bytes, room for any result
  std::uint64_t word = 1;
  const auto choose = [&](std::size_t count) {
    word = word * 0x5851f42d4c957f2dU + 0x14057b7ef767814fU;
    return static_cast<std::size_t>(word >> 33) % count;
  };
  for (const Input& input :
       {isofold::test::rows("an array", 1, 100003), isofold::test::rows("a short array", 1, 700),
        isofold::test::rows("long rows", 3, 5000), isofold::test::rows("rows", 40, 65)}) {
    for (const std::int64_t first : {0, 1}) {  // wide loads, and narrow ones
      first_ = first;
      std::vector<std::int32_t> list(folds.begin(), folds.begin() + 2);
      while (list.size() < 7) {
        list.push_back(folds[choose(folds.size())]);
      }
      std::swap(list[choose(list.size())], list[0]);
      const std::size_t each = slot * static_cast<std::size_t>(input.request.rows);
      Bytes expected(each * list.size(), 0xa5);
      const OnBoth found(expected);
      const auto all = [&](const isofold_request& request, unsigned char* results) {
        std::vector<isofold_request> requests(list.size(), request);
        for (std::size_t i = 0; i < list.size(); ++i) {
          requests[i].fold = list[i];
          requests[i].result = results + each * i;
        }
        return requests;
      };
      with_request(input, false, nullptr, [&](const isofold_request& request) {
        isofold::Reducer reference("reference");
        for (const isofold_request& one : all(request, expected.data())) {
          ASSERT_EQ(ISOFOLD_ok, isofold_reduce(reference.handle(), &one)) << isofold_last_error();
        }
      });
      with_request(input, true, nullptr, [&](const isofold_request& request) {
        const std::vector<isofold_request> requests =
            all(request, static_cast<unsigned char*>(found.device()));
        ASSERT_EQ(ISOFOLD_ok, isofold_reduce_fused(device_.handle(), requests.data(),
                                                   static_cast<std::int32_t>(requests.size())))
            << isofold_last_error();
        ASSERT_EQ(ISOFOLD_ok, isofold_synchronize(device_.handle())) << isofold_last_error();
      });
      EXPECT_EQ(expected, found.content()) << input.name << " from element " << first << " on";
      comparisons_ += static_cast<int>(list.size()) * static_cast<int>(input.request.rows);
    }
  }
}

// Many short rows of exact_v1 are shared by threads, not by warps, where they are aligned.
TEST_P(Kernels, OfShortRowsInLine) {
  for (const std::int64_t length : {8, 64}) {
    compare(isofold::test::rows("short rows in line", 400, length));
  }
}

// Words of exact_v1: written by the device as by the host, added, and rounded by both.
TEST_P(Kernels, OfWords) {
  if (words() == 0) {
    GTEST_SKIP() << "no words of exact_v1";
  }
  Input input = isofold::test::rows("parts of rows", 70, 300);
  input.request.flags = ISOFOLD_STATE;
  std::vector<std::int64_t> sums(result_bytes(input) / sizeof(std::int64_t));
  for (first_ = 0; first_ < 50000; first_ += 23456) {
    compare(input);
    std::vector<std::int64_t> part(sums.size());
    with_request(input, false, part.data(), [](const isofold_request& request) {
      isofold::Reducer reference("reference");
      ASSERT_EQ(ISOFOLD_ok, isofold_reduce(reference.handle(), &request));
    });
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += part[i];
    }
  }
  isofold_partial partial{};
  partial.size = sizeof partial;
  partial.definition = ISOFOLD_DEFINITION_exact_v1;
  partial.fold = GetParam().fold;
  partial.type = GetParam().type;
  partial.rows = input.request.rows;
  partial.parts = 1;
  input.request.flags = 0;
  finish(partial, input, sums);
}

// Words of partial results, which only folds that are free of order have: written by the device and
// by the host, added, and finished by both.
TEST_P(Kernels, OfPartialResults) {
  if (GetParam().is_exact()) {
    GTEST_SKIP() << "OfWords has those of exact_v1";
  }
  constexpr std::int64_t rows = 300;
  isofold_partial partial{};
  partial.size = sizeof partial;
  partial.definition = ISOFOLD_DEFINITION_tree_v1;
  partial.fold = GetParam().fold;
  partial.type = GetParam().type;
  partial.dimensions = 1;
  partial.rows = rows;
  partial.parts = 3;
  partial.extents[0] = 50;
  partial.whole[0] = 150;
  const std::int64_t words = isofold_partial_words(&partial);
  if (words == 0) {
    GTEST_SKIP() << isofold_last_error();
  }
  const Input input = isofold::test::rows("a part", rows, 50);
  isofold::Reducer reference("reference");
  std::vector<std::int64_t> sums(static_cast<std::size_t>(words));
  for (partial.part = 0; partial.part < partial.parts; ++partial.part) {
    partial.offsets[0] = 50 * partial.part;
    first_ = 7919 * partial.part;
    Bytes results(result_bytes(input));
    with_request(input, false, results.data(), [&](const isofold_request& request) {
      ASSERT_EQ(ISOFOLD_ok, isofold_reduce(reference.handle(), &request));
    });
    const OnBoth placed(results);
    std::vector<std::int64_t> expected(sums.size());
    const OnBoth found(bytes_of(expected));
    ASSERT_EQ(ISOFOLD_ok,
              isofold_partial_write(reference.handle(), &partial, results.data(), expected.data()));
    ASSERT_EQ(ISOFOLD_ok, isofold_partial_write(device_.handle(), &partial, placed.device(),
                                                static_cast<std::int64_t*>(found.device())))
        << isofold_last_error();
    ASSERT_EQ(ISOFOLD_ok, isofold_synchronize(device_.handle()));
    EXPECT_EQ(bytes_of(expected), found.content()) << "part " << partial.part;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += expected[i];
    }
  }
  partial.part = 0;
  partial.offsets[0] = 0;
  finish(partial, input, sums);
}

// Cases of the fuzzer, of those folds that the module has: ISOFOLD_AMD_RANDOM_CASES of them, of
// ISOFOLD_AMD_RANDOM_SEED.
TEST(Random, Cases) {
  if (!isofold::is_available(backend)) {
    GTEST_SKIP() << backend << " cannot compute here: " << isofold::describe(backend);
  }
  const auto setting = [](const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
  };
  const std::uint64_t seed = setting("ISOFOLD_AMD_RANDOM_SEED", 1);
  const std::uint64_t cases = setting("ISOFOLD_AMD_RANDOM_CASES", 40);
  const auto target = isofold::conformance::library_target(backend);
  const auto has = [&](const isofold::conformance::Question& question) {
    return !isofold::conformance::lacks(*target, question);
  };
  isofold::conformance::CellResult figures;
  isofold::conformance::Judge judge(figures);
  std::uint64_t asked = 0;
  for (std::uint64_t number = 0; asked < cases; ++number) {
    if (has(isofold::conformance::fuzzed_question(seed, number))) {
      const std::string what = isofold::conformance::fuzz_case(*target, seed, number, judge);
      EXPECT_EQ(figures.failures, 0) << "case " << number << " of seed " << seed << ", " << what
                                     << ": " << figures.first_failure;
      ++asked;
    }
  }
  RecordProperty("comparisons", static_cast<int>(figures.comparisons));
}

INSTANTIATE_TEST_SUITE_P(Interpreted, Kernels, testing::ValuesIn(cases), [](const auto& info) {
  return std::string(info.param.is_exact() ? "exact_" : "") + isofold_fold_name(info.param.fold) +
         "_" + isofold_type_name(info.param.type);
});

}  // namespace
