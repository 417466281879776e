// Every line of the input contract (error.hpp, shape.hpp, isofold.h), asked of every backend: each
// bad request has its code and a sentence, writes nothing, and the next call works.
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <test_support.hpp>

namespace {

using test_support::array_request;
using test_support::shifted;

constexpr std::int64_t elements = 64;
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

struct BadRequest {
  const char* name;
  std::int32_t code;
  std::function<void(isofold_request&)> spoil;
  const char* names = "";  // what the sentence must mention
};

void to_rows(isofold_request& request, std::int64_t rows, std::int64_t length,
             std::int64_t stride) {
  request.shape = ISOFOLD_SHAPE_rows;
  request.flags = 0;
  request.rows = rows;
  request.length = length;
  request.stride = stride;
}

const std::vector<BadRequest>& bad_requests() {
  static const std::vector<BadRequest> list{
      {"size_zero", ISOFOLD_invalid_argument, [](auto& r) { r.size = 0; }, "size"},
      {"size_beyond_all", ISOFOLD_invalid_argument, [](auto& r) { r.size = 4097; }, "4097"},
      {"definition_zero", ISOFOLD_unsupported, [](auto& r) { r.definition = 0; }, "0"},
      {"definition_three", ISOFOLD_unsupported, [](auto& r) { r.definition = 3; }, "3"},
      {"fold_zero", ISOFOLD_unsupported, [](auto& r) { r.fold = 0; }, "0"},
      {"fold_unknown", ISOFOLD_unsupported, [](auto& r) { r.fold = 4321; }, "Fold 4321 is unknown"},
      {"fold_negative", ISOFOLD_unsupported, [](auto& r) { r.fold = -1; }, "-1"},
      {"type_zero", ISOFOLD_unsupported, [](auto& r) { r.type = 0; }, "0"},
      {"type_unknown", ISOFOLD_unsupported, [](auto& r) { r.type = 4321; }, "Type 4321 is unknown"},
      {"shape_zero", ISOFOLD_unsupported, [](auto& r) { r.shape = 0; }, "0"},
      {"shape_unknown", ISOFOLD_unsupported, [](auto& r) { r.shape = 4321; }, "4321"},
      {"flags_unknown", ISOFOLD_invalid_argument, [](auto& r) { r.flags |= 0x40; }, "0x41"},
      {"null_data", ISOFOLD_invalid_argument, [](auto& r) { r.data = nullptr; }, "null"},
      {"null_result", ISOFOLD_invalid_argument, [](auto& r) { r.result = nullptr; }, "null"},
      {"null_data_of_rows", ISOFOLD_invalid_argument,
       [](auto& r) {
         to_rows(r, 2, 3, 3);
         r.data = nullptr;
       },
       "null"},
      {"count_minus_one", ISOFOLD_invalid_argument, [](auto& r) { r.length = -1; }, "-1"},
      {"count_lowest", ISOFOLD_invalid_argument,
       [](auto& r) { r.length = std::numeric_limits<std::int64_t>::min(); },
       "-9223372036854775808"},
      {"rows_negative", ISOFOLD_invalid_argument, [](auto& r) { to_rows(r, -3, 5, 5); }, "-3"},
      {"array_of_two_rows", ISOFOLD_invalid_argument, [](auto& r) { r.rows = 2; }, "2"},
      {"array_of_no_rows", ISOFOLD_invalid_argument, [](auto& r) { r.rows = 0; }, "0"},
      {"stride_below_length", ISOFOLD_invalid_argument, [](auto& r) { to_rows(r, 2, 5, 4); }, "4"},
      {"stride_zero", ISOFOLD_invalid_argument, [](auto& r) { to_rows(r, 2, 5, 0); }, "0"},
      {"stride_negative", ISOFOLD_invalid_argument, [](auto& r) { to_rows(r, 2, 5, -5); }, "-5"},
      {"stride_negative_of_empty_rows", ISOFOLD_invalid_argument,
       [](auto& r) { to_rows(r, 2, 0, -1); }, "-1"},
      {"stride_negative_of_one_row", ISOFOLD_invalid_argument,
       [](auto& r) { to_rows(r, 1, 5, -1); }, "-1"},
      {"accumulator_unknown", ISOFOLD_invalid_argument, [](auto& r) { r.accumulator = 7; }, "7"},
      {"bytes_overflow", ISOFOLD_invalid_argument, [](auto& r) { r.length = largest; },
       "9223372036854775807"},
      {"bytes_overflow_by_type", ISOFOLD_invalid_argument,
       [](auto& r) { r.length = largest / 4 + 1; }, "2305843009213693952"},
      {"rows_times_stride_overflow", ISOFOLD_invalid_argument,
       [](auto& r) { to_rows(r, std::int64_t{1} << 33, 3, std::int64_t{1} << 33); }, "8589934592"},
      {"last_row_overflows", ISOFOLD_invalid_argument,
       [](auto& r) { to_rows(r, 2, largest / 8, largest - 5); }, "9223372036854775802"},
      {"results_overflow", ISOFOLD_invalid_argument,
       [](auto& r) { to_rows(r, largest / 4 + 1, 0, 0); }, "2305843009213693952"},
      {"data_between_elements", ISOFOLD_misaligned,
       [](auto& r) {
         r.data = shifted<void>(r.data, 1);
         r.length = 5;
       },
       "multiple"},
      {"data_at_half_an_element", ISOFOLD_misaligned,
       [](auto& r) {
         r.data = shifted<void>(r.data, 2);
         r.length = 5;
       },
       "multiple"},
      {"result_between_elements", ISOFOLD_misaligned,
       [](auto& r) { r.result = shifted<void>(r.result, 2); }, "result"},
      {"empty_blocking_minimum", ISOFOLD_empty_input,
       [](auto& r) {
         r.fold = ISOFOLD_FOLD_minimum;
         r.length = 0;
       },
       "minimum"},
      {"empty_blocking_maximum_of_null", ISOFOLD_empty_input,
       [](auto& r) {
         r.fold = ISOFOLD_FOLD_maximum;
         r.length = 0;
         r.data = nullptr;
       },
       "maximum"},
      {"state_of_nothing", ISOFOLD_empty_input,
       [](auto& r) {
         r.flags = ISOFOLD_BLOCKING | ISOFOLD_STATE;
         r.length = 0;
       }},
  };
  return list;
}

class InputContract : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!isofold::is_available(GetParam())) {
      GTEST_SKIP() << GetParam() << " cannot compute here: " << isofold::describe(GetParam());
    }
    target_ = isofold::conformance::library_target(GetParam());
    data_ = test_support::data_set<float>(test_support::Recipe::small, elements);
    expected_ = test_support::reference<isofold::Fold::sum>(data_.data(), elements);
    placed_ = std::make_unique<isofold::conformance::Placed<float>>(*target_, data_);
  }

  isofold_request good(float* result) const {
    return array_request(isofold::Fold::sum, placed_->data(), elements, result);
  }
  void expect_that_the_next_call_works() {
    float result = -77;
    ASSERT_EQ(target_->reduce(good(&result)), ISOFOLD_ok) << target_->last_error();
    EXPECT_EQ(result, expected_);
    EXPECT_EQ(target_->answered_by(), GetParam());
  }

  std::unique_ptr<isofold::conformance::Target> target_;
  std::vector<float> data_;
  float expected_ = 0;
  std::unique_ptr<isofold::conformance::Placed<float>> placed_;
};

TEST_P(InputContract, BadRequestsAreRefusedInASentence) {
  for (const BadRequest& bad : bad_requests()) {
    SCOPED_TRACE(bad.name);
    std::uint64_t poison = 0x5a5a5a5a5a5a5a5aU;
    isofold_request request = good(reinterpret_cast<float*>(&poison));
    bad.spoil(request);
    const std::int32_t code = target_->reduce(request);
    EXPECT_STREQ(isofold_code_name(code), isofold_code_name(bad.code));
    const std::string sentence = target_->last_error();
    EXPECT_GE(sentence.size(), 20U) << sentence;
    EXPECT_NE(sentence.find(bad.names), std::string::npos)
        << "the sentence does not name '" << bad.names << "': " << sentence;
    EXPECT_EQ(poison, 0x5a5a5a5a5a5a5a5aU) << "a refused call wrote something";
    expect_that_the_next_call_works();
  }
}

// supports() and reserve() know the same rules, without pointers.
TEST_P(InputContract, QuestionsFollowTheSameRules) {
  isofold::Reducer reducer(GetParam().c_str(), test_support::options_for(GetParam()));
  float result = 0;
  isofold_request request = good(&result);
  EXPECT_EQ(isofold_supports(reducer.handle(), &request), ISOFOLD_ok) << isofold_last_error();
  EXPECT_EQ(isofold_reserve(reducer.handle(), &request), ISOFOLD_ok) << isofold_last_error();
  request.data = nullptr;
  request.result = nullptr;
  EXPECT_EQ(isofold_supports(reducer.handle(), &request), ISOFOLD_ok) << isofold_last_error();
  EXPECT_EQ(isofold_reserve(reducer.handle(), &request), ISOFOLD_ok) << isofold_last_error();
  for (const char* name : {"size_zero", "definition_three", "fold_unknown", "type_unknown",
                           "shape_unknown", "count_minus_one", "bytes_overflow", "stride_zero"}) {
    for (const BadRequest& bad : bad_requests()) {
      if (std::string(bad.name) == name) {
        isofold_request spoilt = good(&result);
        bad.spoil(spoilt);
        EXPECT_EQ(isofold_supports(reducer.handle(), &spoilt), bad.code) << name;
        EXPECT_EQ(isofold_reserve(reducer.handle(), &spoilt), bad.code) << name;
      }
    }
  }
  expect_that_the_next_call_works();
}

TEST_P(InputContract, AlignmentToTheElementIsEnough) {
  for (std::int64_t first = 0; first < 17; ++first) {
    float result = -77;
    isofold_request request = good(&result);
    request.data = placed_->data() + first;
    request.length = elements - first;
    ASSERT_EQ(target_->reduce(request), ISOFOLD_ok) << target_->last_error();
    EXPECT_EQ(result,
              test_support::reference<isofold::Fold::sum>(data_.data() + first, elements - first));
  }
}

// The result of an asynchronous call must not lie inside the input, by a single byte.
TEST_P(InputContract, OverlapIsRefusedAndNeighboursAreNot) {
  std::vector<float> host(elements + 4);
  const isofold::conformance::Placed<float> memory(*target_, host);
  float* data = memory.data() + 2;
  for (std::int64_t at : {-2, -1, 0, 1, 31, 63, 64, 65}) {
    SCOPED_TRACE(at);
    const isofold_request request = array_request(isofold::Fold::sum, data, elements, data + at, 0);
    const bool inside = at >= 0 && at < elements;
    EXPECT_EQ(target_->reduce(request), inside ? ISOFOLD_overlap : ISOFOLD_ok)
        << target_->last_error();
    EXPECT_EQ(target_->synchronize(), ISOFOLD_ok);
  }
  // Rows: results from the element before the data on reach into it when there are two of them.
  isofold_request rows = array_request(isofold::Fold::sum, data, 8, data - 1, 0);
  to_rows(rows, 2, 8, 16);
  EXPECT_EQ(target_->reduce(rows), ISOFOLD_overlap);
  rows.result = data - 2;
  EXPECT_EQ(target_->reduce(rows), ISOFOLD_ok) << target_->last_error();
  EXPECT_EQ(target_->synchronize(), ISOFOLD_ok);
  // A result of 8 bytes whose second half is the first element of 4 bytes.
  const std::vector<std::int32_t> integers(16, 1);
  const isofold::conformance::Placed<std::int32_t> placed(*target_, integers);
  isofold_request wide =
      array_request(isofold::Fold::sum, placed.data() + 3, 8, placed.data() + 2, 0);
  EXPECT_EQ(target_->reduce(wide), ISOFOLD_overlap) << target_->last_error();
  wide.result = placed.data();
  EXPECT_EQ(target_->reduce(wide), ISOFOLD_ok) << target_->last_error();
  EXPECT_EQ(target_->synchronize(), ISOFOLD_ok);
  expect_that_the_next_call_works();
}

TEST_P(InputContract, NoElementsHaveTheirEmptyValue) {
  const float infinity = std::numeric_limits<float>::infinity();
  struct Empty {
    isofold::Fold fold;
    float value;
  };
  for (const Empty& empty :
       {Empty{isofold::Fold::sum, 0.0F}, Empty{isofold::Fold::product, 1.0F},
        Empty{isofold::Fold::minimum, infinity}, Empty{isofold::Fold::maximum, -infinity}}) {
    const isofold::conformance::Placed<float> slots(*target_, std::vector<float>(5, -77));
    isofold_request rows =
        array_request(empty.fold, static_cast<const float*>(nullptr), 0, slots.data(), 0);
    to_rows(rows, 4, 0, 0);
    ASSERT_EQ(target_->reduce(rows), ISOFOLD_ok) << target_->last_error();
    ASSERT_EQ(target_->synchronize(), ISOFOLD_ok);
    const std::vector<float> found = slots.to_host();
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(test_support::bits_of(found[static_cast<std::size_t>(i)]),
                test_support::bits_of(empty.value));
    }
    EXPECT_EQ(found[4], -77);
  }
}

TEST_P(InputContract, NoRowsAreNoError) {
  const isofold::conformance::Placed<float> slot(*target_, std::vector<float>(1, -77));
  for (const void* data :
       {static_cast<const void*>(nullptr), static_cast<const void*>(placed_->data())}) {
    isofold_request rows =
        array_request(isofold::Fold::minimum, placed_->data(), 5, slot.data(), 0);
    to_rows(rows, 0, 5, 5);
    rows.data = data;
    EXPECT_EQ(target_->reduce(rows), ISOFOLD_ok) << target_->last_error();
    EXPECT_EQ(target_->synchronize(), ISOFOLD_ok);
    EXPECT_EQ(slot.to_host()[0], -77);
  }
}

// A last row ends the memory: its stride reaches past the end, which must not matter.
TEST_P(InputContract, TheLastRowNeedsNoStride) {
  const std::int64_t stride = 40;
  const isofold::conformance::Placed<float> slots(*target_, std::vector<float>(2));
  isofold_request rows = array_request(isofold::Fold::sum, placed_->data(), 24, slots.data(), 0);
  to_rows(rows, 2, 24, stride);
  ASSERT_EQ(target_->reduce(rows), ISOFOLD_ok) << target_->last_error();
  ASSERT_EQ(target_->synchronize(), ISOFOLD_ok);
  EXPECT_EQ(slots.to_host()[1],
            test_support::reference<isofold::Fold::sum>(data_.data() + stride, 24));
}

TEST_P(InputContract, ValidationOffComputesTheSame) {
  isofold::Options options = test_support::options_for(GetParam());
  isofold::Reducer reducer(GetParam().c_str(), options.validate(false));
  EXPECT_EQ(reducer.sum(isofold::array(placed_->data(), elements)), expected_);
}

// ---- folds of two arrays, and of parameters --------------------------------------------------

TEST_P(InputContract, TheSecondArrayIsJudgedAsTheFirst) {
  const std::vector<float> other =
      test_support::data_set<float>(test_support::Recipe::small, elements, 2);
  const isofold::conformance::Placed<float> second(*target_, other);
  float exact = 0;  // of small integers
  for (std::size_t i = 0; i < other.size(); ++i) {
    exact += data_[i] * other[i];
  }
  float result = -77;
  const auto dot = [&] {
    isofold_request request = good(&result);
    request.fold = ISOFOLD_FOLD_dot;
    request.second = second.data();
    request.second_stride = elements;
    return request;
  };
  struct Bad {
    const char* name;
    std::int32_t code;
    void (*spoil)(isofold_request&);
  };
  const Bad bad_ones[] = {
      {"missing", ISOFOLD_invalid_argument, [](auto& r) { r.second = nullptr; }},
      {"misaligned", ISOFOLD_misaligned,
       [](auto& r) {
         r.second = shifted<void>(r.second, 2);
         r.length = 5;
       }},
      {"stride below the length", ISOFOLD_invalid_argument,
       [](auto& r) {
         r.flags = 0;
         to_rows(r, 2, 5, 5);
         r.second_stride = 4;
       }},
      {"negative stride", ISOFOLD_invalid_argument, [](auto& r) { r.second_stride = -1; }},
      {"overflow", ISOFOLD_invalid_argument,
       [](auto& r) {
         r.flags = 0;
         to_rows(r, 3, 5, 5);
         r.second_stride = largest / 4;
       }},
      {"second of a fold of one", ISOFOLD_invalid_argument,
       [](auto& r) { r.fold = ISOFOLD_FOLD_sum; }},
      {"parameters of a fold of none", ISOFOLD_invalid_argument,
       [](auto& r) { r.parameters = r.data; }},
      {"no parameters", ISOFOLD_invalid_argument,
       [](auto& r) {
         r.second = nullptr;
         r.fold = ISOFOLD_FOLD_count_in_range;
       }},
      {"no such case", ISOFOLD_unsupported, [](auto& r) { r.type = ISOFOLD_TYPE_i32; }}};
  for (const Bad& bad : bad_ones) {
    SCOPED_TRACE(bad.name);
    alignas(8) float room[4] = {-77, -77, -77, -77};
    isofold_request request = dot();
    request.result = room;
    bad.spoil(request);
    EXPECT_STREQ(isofold_code_name(target_->reduce(request)), isofold_code_name(bad.code));
    EXPECT_GE(std::string(target_->last_error()).size(), 20U) << target_->last_error();
    EXPECT_EQ(room[0], -77) << "a refused call wrote something";
    isofold_request next = dot();
    ASSERT_EQ(target_->reduce(next), ISOFOLD_ok) << target_->last_error();
    EXPECT_EQ(result, exact);
    expect_that_the_next_call_works();
  }
}

TEST_P(InputContract, TheResultMayNotLieInTheSecondArray) {
  const isofold::conformance::Placed<float> memory(*target_, std::vector<float>(elements + 4));
  float* second = memory.data() + 2;
  for (std::int64_t at : {-1, 0, 1, 31, 63, 64}) {
    SCOPED_TRACE(at);
    isofold_request request =
        array_request(isofold::Fold::dot, placed_->data(), elements, second + at, 0);
    request.second = second;
    request.second_stride = elements;
    const bool inside = at >= 0 && at < elements;
    EXPECT_EQ(target_->reduce(request), inside ? ISOFOLD_overlap : ISOFOLD_ok)
        << target_->last_error();
    EXPECT_EQ(target_->synchronize(), ISOFOLD_ok);
  }
  expect_that_the_next_call_works();
}

// Each array has its stride; the two may be one and the same.
TEST_P(InputContract, StridesOfTwoArraysDiffer) {
  const isofold::conformance::Placed<float> slots(*target_, std::vector<float>(3));
  isofold_request rows = array_request(isofold::Fold::dot, placed_->data(), 5, slots.data(), 0);
  to_rows(rows, 3, 5, 7);
  rows.second = placed_->data() + 1;
  rows.second_stride = 11;
  ASSERT_EQ(target_->reduce(rows), ISOFOLD_ok) << target_->last_error();
  ASSERT_EQ(target_->synchronize(), ISOFOLD_ok);
  const std::vector<float> found = slots.to_host();
  for (std::size_t row = 0; row < 3; ++row) {
    float exact = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      exact += data_[row * 7 + i] * data_[1 + row * 11 + i];
    }
    EXPECT_EQ(found[row], exact) << "row " << row;
  }
}

TEST_P(InputContract, ArraysOfDifferentShapesAreRefused) {
  isofold::Reducer reducer(GetParam().c_str(), test_support::options_for(GetParam()));
  const float* x = placed_->data();
  std::string sentence;
  EXPECT_EQ(
      test_support::code_of(
          [&] { return reducer.dot(isofold::array(x, 10), isofold::array(x, 11)); }, &sentence),
      isofold::Code::invalid_argument);
  EXPECT_NE(sentence.find("11"), std::string::npos) << sentence;
  float exact = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    exact += data_[i] * data_[i];
  }
  EXPECT_EQ(reducer.dot(isofold::array(x, 10), isofold::array(x, 10)), exact);
}

TEST_P(InputContract, RangesBelongToTheirCall) {
  isofold::Reducer reducer(GetParam().c_str(), test_support::options_for(GetParam()));
  const auto x = isofold::array(static_cast<const float*>(placed_->data()), elements);
  for (float low : {-8.0F, -3.0F, 0.0F, 9.0F}) {
    for (float high : {-4.0F, 2.0F, 8.0F}) {
      std::int64_t exact = 0;
      for (float element : data_) {
        exact += low <= element && element <= high ? 1 : 0;
      }
      EXPECT_EQ(reducer.count_in_range(x, low, high), exact) << low << " to " << high;
    }
  }
  EXPECT_EQ(reducer.count_in_range(x, std::numeric_limits<float>::quiet_NaN(), 1.0F), 0);
}

INSTANTIATE_TEST_SUITE_P(All, InputContract, testing::ValuesIn(test_support::every_backend()),
                         test_support::name_of_parameter);

// Host code that names a device backend, or the other way round: wrong_memory, and nothing is
// moved.
TEST(WrongMemory, NamedBackendsNeverMoveData) {
  int asked = 0;
  for (const std::string& device : isofold::backend_names()) {
    if (!test_support::has_device_memory(device) || !isofold::is_available(device)) {
      continue;
    }
    ++asked;
    const std::vector<float> host =
        test_support::data_set<float>(test_support::Recipe::small, elements);
    const float expected = test_support::reference<isofold::Fold::sum>(host.data(), elements);
    isofold::Buffer data(device, elements * sizeof(float));
    isofold::Buffer slot(device, sizeof(float));
    data.copy_from(host.data(), elements * sizeof(float));
    isofold::Reducer on_device(device.c_str());
    float result = -77;
    std::string sentence;
    const isofold::Code code = test_support::code_of(
        [&] { EXPECT_EQ(on_device.sum(isofold::array(host.data(), elements)), expected); },
        &sentence);
    if (code != isofold::Code::ok) {  // a device that reaches ordinary host memory takes it
      EXPECT_EQ(code, isofold::Code::wrong_memory);
      EXPECT_NE(sentence.find(device), std::string::npos) << sentence;
      EXPECT_EQ(test_support::code_of([&] {
                  on_device.sum(isofold::array(data.as<const float>(), elements), &result);
                }),
                isofold::Code::wrong_memory);
      EXPECT_EQ(result, -77);
    }
    EXPECT_EQ(on_device.sum(isofold::array(data.as<const float>(), elements)), expected);
    for (const std::string& name : test_support::host_backends()) {
      isofold::Reducer on_host(name.c_str());
      EXPECT_EQ(test_support::code_of(
                    [&] { return on_host.sum(isofold::array(data.as<const float>(), elements)); }),
                isofold::Code::wrong_memory);
      EXPECT_EQ(test_support::code_of(
                    [&] { on_host.sum(isofold::array(host.data(), elements), slot.as<float>()); }),
                isofold::Code::wrong_memory);
      EXPECT_EQ(on_host.sum(isofold::array(host.data(), elements)), expected);
    }
    // The default Reducer goes where the data is.
    isofold::Reducer anywhere;
    EXPECT_EQ(anywhere.sum(isofold::array(data.as<const float>(), elements)), expected);
    EXPECT_EQ(anywhere.backend(), device);
    EXPECT_EQ(anywhere.sum(isofold::array(host.data(), elements)), expected);
    EXPECT_NE(anywhere.backend(), device);
  }
  if (asked == 0) {
    GTEST_SKIP() << "no backend with device memory can compute here";
  }
}

}  // namespace
