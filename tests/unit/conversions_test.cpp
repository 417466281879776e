// Narrow and widened elements through the C++ interface: which backends take them, what they
// refuse, Forests of them, and the caller's environment. The conformance suite compares every bit.
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include <isofold/detail/core/conversion.hpp>
#include <test_support.hpp>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

using isofold::array;
using isofold::bfloat16;
using isofold::float16;
using isofold::Reducer;
using isofold::widened;
using test_support::bits_of;
using test_support::components_of;
using test_support::data_set;
using test_support::Recipe;

static_assert(
    std::is_same_v<isofold::result_t<isofold::Fold::sum, float16>, float> &&
        std::is_same_v<isofold::result_t<isofold::Fold::sum, std::int8_t>, std::int64_t> &&
        std::is_same_v<isofold::result_t<isofold::Fold::minimum, std::uint16_t>, std::uint32_t> &&
        std::is_same_v<isofold::result_t<isofold::Fold::argmax, bfloat16>,
                       isofold::Location<float>> &&
        std::is_same_v<isofold::result_t<isofold::Fold::norm2, isofold::Widened<float>>, double>,
    "Results are those of the type that is computed in.");

template <class T>
std::vector<isofold::computed_t<T>> computed_all(const std::vector<T>& x) {
  std::vector<isofold::computed_t<T>> values;
  for (T element : x) {
    values.push_back(isofold::core::computed(element));
  }
  return values;
}

class Conversions : public testing::TestWithParam<std::string> {};

template <class T>
void same_as_converted(const std::string& backend) {
  const std::vector<T> x = data_set<T>(Recipe::uniform, 5000);
  const std::vector<T> y = data_set<T>(Recipe::uniform, 5000, 2);
  const auto wide_x = computed_all(x);
  const auto wide_y = computed_all(y);
  Reducer reduce(backend.c_str());
  const auto narrow = array(x.data(), 5000);
  const auto wide = array(wide_x.data(), 5000);
  EXPECT_TRUE(reduce.supports(isofold::sum, narrow));
  EXPECT_EQ(bits_of(reduce.sum(narrow)), bits_of(reduce.sum(wide)));
  EXPECT_EQ(components_of(reduce.argmin_last(narrow)), components_of(reduce.argmin_last(wide)));
  EXPECT_EQ(reduce.any(narrow), reduce.any(wide));
  EXPECT_EQ(reduce.count_in_range(narrow, x[1], x[1]),
            reduce.count_in_range(wide, wide_x[1], wide_x[1]));
  if constexpr (std::is_floating_point_v<isofold::computed_t<T>>) {
    EXPECT_EQ(bits_of(reduce.moments(narrow)), bits_of(reduce.moments(wide)));
    EXPECT_EQ(bits_of(reduce.dot(narrow, array(y.data(), 5000))),
              bits_of(reduce.dot(wide, array(wide_y.data(), 5000))));
  } else {
    EXPECT_EQ(reduce.bit_xor(narrow), reduce.bit_xor(wide));
  }
}

TEST_P(Conversions, HostBackendsTakeEveryNarrowType) {
  same_as_converted<std::int8_t>(GetParam());
  same_as_converted<std::uint8_t>(GetParam());
  same_as_converted<std::int16_t>(GetParam());
  same_as_converted<std::uint16_t>(GetParam());
  same_as_converted<float16>(GetParam());
  same_as_converted<bfloat16>(GetParam());
}

TEST_P(Conversions, FloatsAreWidenedOnRequest) {
  const std::vector<float> x = data_set<float>(Recipe::cancelling, 70001);
  const std::vector<double> wide(x.begin(), x.end());
  Reducer reduce(GetParam().c_str());
  const auto view = array(x.data(), 70001);
  const auto doubles = array(wide.data(), 70001);
  EXPECT_EQ(bits_of(reduce.sum(widened(view))), bits_of(reduce.sum(doubles)));
  EXPECT_NE(reduce.sum(widened(view)), double{reduce.sum(view)});  // one kind after the other
  EXPECT_EQ(bits_of(reduce.norm2(widened(view))), bits_of(reduce.norm2(doubles)));
  EXPECT_EQ(bits_of(reduce.dot(widened(view), widened(view))),
            bits_of(reduce.dot(doubles, doubles)));
  EXPECT_EQ(reduce.count_in_range(widened(view), {-0.25F}, {0.5F}),
            reduce.count_in_range(doubles, -0.25, 0.5));
  double sums[7];
  double expected[7];
  reduce.sum(widened(isofold::rows(x.data(), 7, 10000)), sums);
  reduce.sum(isofold::rows(wide.data(), 7, 10000), expected);
  for (int row = 0; row < 7; ++row) {
    EXPECT_EQ(bits_of(sums[row]), bits_of(expected[row]));
  }
}

TEST_P(Conversions, UnknownAccumulatorsAreRefused) {
  Reducer reduce(GetParam().c_str());
  const std::vector<float> x(10, 1.0F);
  double result = 0;
  isofold_request request = test_support::array_request(isofold::Fold::sum, x.data(), 10, &result);
  for (std::int32_t accumulator : {ISOFOLD_TYPE_f32, ISOFOLD_TYPE_i64, ISOFOLD_TYPE_bf16}) {
    request.accumulator = accumulator;
    EXPECT_EQ(isofold_reduce(reduce.handle(), &request), ISOFOLD_invalid_argument);
    EXPECT_NE(std::string(isofold_last_error()).find(isofold_type_name(accumulator)),
              std::string::npos)
        << isofold_last_error();
  }
  request.accumulator = ISOFOLD_TYPE_f64;
  for (std::int32_t type :
       {ISOFOLD_TYPE_f64, ISOFOLD_TYPE_f16, ISOFOLD_TYPE_i32, ISOFOLD_TYPE_c64}) {
    request.type = type;
    EXPECT_EQ(isofold_reduce(reduce.handle(), &request), ISOFOLD_invalid_argument);
  }
  request.type = ISOFOLD_TYPE_c64;  // complex elements are what they are: not widened, either
  request.accumulator = ISOFOLD_TYPE_c128;
  EXPECT_EQ(isofold_reduce(reduce.handle(), &request), ISOFOLD_invalid_argument);
}

// A Forest of narrow elements keeps them as they are, and its states are those of the wide fold.
TEST_P(Conversions, ForestsOfPieces) {
  const std::vector<float16> x = data_set<float16>(Recipe::uniform, 10000);
  Reducer reduce(GetParam().c_str());
  isofold::Forest<isofold::Fold::sum, float16> left(10000);
  isofold::Forest<isofold::Fold::sum, float16> right(10000);
  left.add(reduce, x.data(), 0, 3333);
  right.add(reduce, x.data() + 3333, 3333, 6667);
  const std::vector<unsigned char> bytes = right.to_bytes();
  left.merge(decltype(right)::from_bytes(bytes.data(), bytes.size()));
  EXPECT_EQ(bits_of(left.finish()), bits_of(reduce.sum(array(x.data(), 10000))));
  EXPECT_LE(bytes.size(), decltype(right)::max_bytes());
}

#if defined(__x86_64__)
TEST_P(Conversions, TheCallersEnvironmentChangesNoBit) {
  const std::vector<float16> x = data_set<float16>(Recipe::subnormals, 3000);
  Reducer reduce(GetParam().c_str());
  const float expected = reduce.sum(array(x.data(), 3000));
  EXPECT_NE(expected, 0.0F);
  const unsigned before = _mm_getcsr();
  for (unsigned word : {0x9fc0U, 0x3f80U, 0x5f80U, 0x7f80U}) {  // FTZ and DAZ, down, up, to zero
    _mm_setcsr(word);
    const float found = reduce.sum(array(x.data(), 3000));
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    EXPECT_EQ(bits_of(found), bits_of(expected)) << std::hex << word;
    EXPECT_EQ(after, word);
  }
}
#endif

INSTANTIATE_TEST_SUITE_P(Host, Conversions, testing::ValuesIn(test_support::host_backends()));

// Every pattern of f16, against arithmetic; bf16 is the upper half of a float.
TEST(ConvertedElements, EveryPatternOfHalf) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const auto fraction = static_cast<float>(bits & 1023);
    float expected =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024.0F + fraction, exponent - 25);
    if (exponent == 31) {
      expected = fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                               : std::numeric_limits<float>::infinity();
    }
    const float found = isofold::core::computed(float16{static_cast<std::uint16_t>(bits)});
    if (expected != expected) {
      EXPECT_NE(found, found);
    } else {
      EXPECT_EQ(bits_of(found), bits_of((bits & 0x8000) != 0 ? -expected : expected)) << bits;
    }
  }
}

// A backend without conversions says so, and names the type.
TEST(ConvertedElements, OthersRefuse) {
  const std::vector<float16> x(10);
  for (const std::string& backend : test_support::every_backend()) {
    if (!isofold::is_available(backend) || backend != "kokkos") {
      continue;
    }
    Reducer reduce(backend.c_str(), test_support::options_for(backend));
    EXPECT_FALSE(reduce.supports(isofold::sum, array(x.data(), 10))) << backend;
    const std::string sentence = isofold_last_error();
    EXPECT_NE(sentence.find("f16"), std::string::npos) << sentence;
    const std::vector<float> floats(10);
    EXPECT_FALSE(reduce.supports(isofold::sum, widened(array(floats.data(), 10)))) << backend;
  }
}

}  // namespace
