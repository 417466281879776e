// NaNs that are left out: each reduction is that of the other elements, copied one behind the
// other.
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <isofold/isofold.hpp>

#include <test_support.hpp>

namespace {

using isofold::array;
using isofold::Code;
using isofold::Reducer;
using isofold::skip_nan;
using test_support::bits_of;
using test_support::code_of;

class SkipNan : public testing::TestWithParam<std::string> {
 protected:
  Reducer reduce_{GetParam().c_str()};
};

template <class T>
constexpr T nan = std::numeric_limits<T>::quiet_NaN();

bool is_nan(double x) { return std::isnan(x); }
bool is_nan(std::complex<float> x) { return std::isnan(x.real()) || std::isnan(x.imag()); }

// Numbers, every third or so a NaN of either sign.
template <class T>
std::vector<T> some_with_nans(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<T> values(-1, 1);
  std::vector<T> x(n);
  for (T& element : x) {
    element = random() % 3 == 0 ? std::copysign(nan<T>, values(random)) : values(random);
  }
  return x;
}
template <class T>
std::vector<T> without_nans(const std::vector<T>& x) {
  std::vector<T> rest;
  for (const T& element : x) {
    if (!is_nan(element)) {
      rest.push_back(element);
    }
  }
  return rest;
}

template <class T>
void compare_arrays(Reducer& reduce) {
  for (const std::size_t n : {1U, 2U, 63U, 65U, 1025U, 5000U, 300'000U}) {
    const std::vector<T> x = some_with_nans<T>(n, static_cast<unsigned>(n));
    const std::vector<T> rest = without_nans(x);
    EXPECT_EQ(bits_of(reduce.sum(skip_nan(x))), bits_of(reduce.sum(rest))) << n;
    EXPECT_EQ(bits_of(reduce.norm2(skip_nan(x))), bits_of(reduce.norm2(rest))) << n;
    EXPECT_EQ(reduce.count_nan(skip_nan(x)), 0) << n;
    if (!rest.empty()) {
      EXPECT_EQ(bits_of(reduce.mean(skip_nan(x))), bits_of(reduce.mean(rest))) << n;
      EXPECT_EQ(bits_of(reduce.minimum(skip_nan(x))), bits_of(reduce.minimum(rest))) << n;
      EXPECT_EQ(reduce.moments(skip_nan(x)).count, static_cast<std::int64_t>(rest.size())) << n;
      const auto found = reduce.argmax(skip_nan(x));
      EXPECT_EQ(x[static_cast<std::size_t>(found.index)], found.value) << n;
      EXPECT_EQ(isofold::address_of(skip_nan(x), found.index), x.data() + found.index) << n;
      const auto packed = isofold::packed_index(skip_nan(x));
      const auto number = reduce.argmax(packed).index;
      EXPECT_EQ(number, reduce.argmax(rest).index) << n;
      EXPECT_EQ(isofold::address_of(packed, number), x.data() + found.index) << n;
    }
  }
}
TEST_P(SkipNan, Arrays) {
  compare_arrays<float>(reduce_);
  compare_arrays<double>(reduce_);
}

TEST_P(SkipNan, InfinitiesStay) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> x{nan<double>, infinity, 3, -nan<double>, -0.0};
  EXPECT_EQ(reduce_.maximum(skip_nan(x)), infinity);
  EXPECT_EQ(reduce_.sum(skip_nan(x)), infinity);
  EXPECT_EQ(bits_of(reduce_.minimum(skip_nan(x))), bits_of(-0.0));
}

TEST_P(SkipNan, OfNothingElse) {
  const std::vector<float> x(3000, nan<float>);
  EXPECT_EQ(bits_of(reduce_.sum(skip_nan(x))), bits_of(0.0F));
  EXPECT_EQ(Code::empty_input, code_of([&] { return reduce_.mean(skip_nan(x)); }));
  EXPECT_EQ(Code::empty_input, code_of([&] { return reduce_.minimum(skip_nan(x)); }));
  EXPECT_EQ(reduce_.sum(skip_nan(array(x.data(), 0))), 0);
  float lowest[2];
  reduce_.minimum(skip_nan(isofold::rows(x.data(), 2, 1500)), lowest);
  EXPECT_EQ(lowest[1], std::numeric_limits<float>::infinity());
}

TEST_P(SkipNan, RowsAndBoxes) {
  constexpr std::int64_t rows = 7;
  constexpr std::int64_t length = 1500;
  constexpr std::int64_t stride = 1600;
  const std::vector<double> x = some_with_nans<double>(rows * stride, 5);
  std::vector<double> found(rows);
  reduce_.sum(skip_nan(isofold::rows(x.data(), rows, length, stride)), found.data());
  EXPECT_EQ(found, reduce_.sum(skip_nan(isofold::rows(x.data(), rows, length, stride))));
  std::vector<double> columns(length);
  const auto field = isofold::box(x.data(), {rows, length}, {stride, 1});
  reduce_.sum(skip_nan(over(field, {0})), columns.data());
  std::vector<double> all;
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::vector<double> one(&x[static_cast<std::size_t>(row * stride)],
                                  &x[static_cast<std::size_t>(row * stride)] + length);
    const std::vector<double> rest = without_nans(one);
    EXPECT_EQ(bits_of(found[static_cast<std::size_t>(row)]), bits_of(reduce_.sum(rest))) << row;
    all.insert(all.end(), rest.begin(), rest.end());
  }
  EXPECT_EQ(bits_of(reduce_.sum(skip_nan(field))), bits_of(reduce_.sum(all)));
  for (std::int64_t column = 0; column < length; ++column) {
    std::vector<double> one;
    for (std::int64_t row = 0; row < rows; ++row) {
      one.push_back(x[static_cast<std::size_t>(row * stride + column)]);
    }
    EXPECT_EQ(bits_of(columns[static_cast<std::size_t>(column)]),
              bits_of(reduce_.sum(without_nans(one))))
        << column;
  }
}

// The caller's mask and the NaNs both leave out; masks of bytes, of bits, and of a plane for all.
TEST_P(SkipNan, UnderMasks) {
  constexpr std::int64_t planes = 5;
  constexpr std::int64_t plane = 997;
  const std::vector<float> x = some_with_nans<float>(planes * plane, 6);
  std::vector<std::uint8_t> bytes(x.size());
  std::vector<std::uint8_t> bits(x.size() / 8 + 1);
  std::vector<float> taken;
  std::vector<float> taken_by_plane;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool takes = i % 5 != 2;
    bytes[i] = takes ? 0x80 : 0;
    bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | (takes ? 1U << i % 8 : 0));
    if (takes && !is_nan(x[i])) {
      taken.push_back(x[i]);
    }
    if (bytes[i % plane] != 0 && !is_nan(x[i])) {
      taken_by_plane.push_back(x[i]);
    }
  }
  const auto field = isofold::box(x.data(), {planes, plane});
  const float expected = reduce_.sum(taken);
  EXPECT_EQ(bits_of(reduce_.sum(skip_nan(masked(field, bytes.data())))), bits_of(expected));
  EXPECT_EQ(bits_of(reduce_.sum(skip_nan(masked_by_bits(field, bits.data())))), bits_of(expected));
  const auto by_plane = masked(field, isofold::box(bytes.data(), {plane}));
  EXPECT_EQ(bits_of(reduce_.sum(skip_nan(by_plane))), bits_of(reduce_.sum(taken_by_plane)));
  const auto found = reduce_.argmin(skip_nan(by_plane));
  EXPECT_EQ(*isofold::address_of(skip_nan(by_plane), found.index), found.value);
}

TEST_P(SkipNan, PairsWithANaN) {
  const std::vector<double> x = some_with_nans<double>(5000, 7);
  const std::vector<double> y = some_with_nans<double>(5000, 8);
  std::vector<double> rest[2];
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!is_nan(x[i]) && !is_nan(y[i])) {
      rest[0].push_back(x[i]);
      rest[1].push_back(y[i]);
    }
  }
  const double expected = reduce_.dot(rest[0], rest[1]);
  EXPECT_EQ(bits_of(reduce_.dot(skip_nan(x), skip_nan(y))), bits_of(expected));
  EXPECT_EQ(bits_of(reduce_.dot(skip_nan(x), y)), bits_of(expected));
  // Each fold of a list leaves out what it would leave out by itself.
  const auto [dot, norm] =
      reduce_.reduce(fuse(isofold::dot, isofold::norm2), skip_nan(x), skip_nan(y));
  EXPECT_EQ(bits_of(dot), bits_of(expected));
  EXPECT_EQ(bits_of(norm), bits_of(reduce_.norm2(without_nans(x))));
}

TEST_P(SkipNan, OtherElements) {
  std::vector<std::complex<float>> z(3000);
  const std::vector<float> parts = some_with_nans<float>(6000, 9);
  for (std::size_t i = 0; i < z.size(); ++i) {
    z[i] = {parts[2 * i], parts[2 * i + 1]};
  }
  EXPECT_EQ(reduce_.sum(skip_nan(z)), reduce_.sum(without_nans(z)));
  // 0x7c00 is f16's infinity, 0x7f80 that of bf16.
  const std::vector<isofold_f16> halves{{0x3c00}, {0x7c01}, {0xfe00}, {0x7c00}, {0xbc00}};
  EXPECT_EQ(reduce_.count_nonzero(skip_nan(array(halves.data(), 5))), 3);
  const std::vector<isofold_bf16> brains{{0x3f80}, {0x7f81}, {0xffc0}, {0xff80}};
  EXPECT_EQ(reduce_.count_nonzero(skip_nan(array(brains.data(), 4))), 2);
  const std::vector<float> x = some_with_nans<float>(2000, 10);
  EXPECT_EQ(bits_of(reduce_.sum(skip_nan(widened(array(x.data(), 2000))))),
            bits_of(reduce_.sum(widened(array(
                without_nans(x).data(), static_cast<std::int64_t>(without_nans(x).size()))))));
  const std::vector<std::int32_t> integers{1, -1, std::numeric_limits<std::int32_t>::max()};
  EXPECT_EQ(reduce_.sum(skip_nan(integers)), reduce_.sum(integers));
}

// Requests that are wrong without the flag are wrong with it.
TEST_P(SkipNan, WrongRequestsAreRefused) {
  const std::vector<float> x(100, 1.0F);
  float result = 0;
  isofold_request request = test_support::array_request(isofold::Fold::sum, x.data(), 100, &result);
  request.flags |= ISOFOLD_SKIP_NAN;
  const auto code = [&] { return isofold_reduce(reduce_.handle(), &request); };
  EXPECT_EQ(code(), ISOFOLD_ok);
  EXPECT_EQ(result, 100);
  const isofold_request good = request;
  const auto expect_refused = [&](std::int32_t expected) {
    const void* address = nullptr;
    EXPECT_EQ(code(), expected);
    EXPECT_EQ(isofold_reduce_fused(reduce_.handle(), &request, 1), expected);
    EXPECT_EQ(isofold_address_of(&request, 0, 3, &address), expected);
    request = good;
  };
  request.shape = ISOFOLD_SHAPE_box;  // without a layout
  EXPECT_EQ(isofold_supports(reduce_.handle(), &request), ISOFOLD_invalid_argument);
  EXPECT_EQ(isofold_reserve(reduce_.handle(), &request), ISOFOLD_invalid_argument);
  expect_refused(ISOFOLD_invalid_argument);
  request.second = x.data();  // of a fold of one array
  expect_refused(ISOFOLD_invalid_argument);
  request.flags |= 64;
  expect_refused(ISOFOLD_invalid_argument);
  request.shape = ISOFOLD_SHAPE_rows;
  request.flags = ISOFOLD_SKIP_NAN;
  request.rows = 2;
  request.length = 50;
  request.stride = 49;
  expect_refused(ISOFOLD_invalid_argument);
  EXPECT_EQ(code(), ISOFOLD_ok);
}

TEST_P(SkipNan, WhatIsRefused) {
  const std::vector<float> x(100, 1.0F);
  const std::vector<std::int64_t> offsets{0, 50, 100};
  float out[2];
  EXPECT_EQ(Code::unsupported, code_of([&] {
              reduce_.sum(skip_nan(isofold::segments(x.data(), offsets.data(), 2)), out);
            }));
  // The next call works, and room for a mask can be taken before.
  reduce_.reserve(isofold::sum, skip_nan(x));
  EXPECT_TRUE(reduce_.supports(isofold::sum, skip_nan(x)));
  EXPECT_EQ(reduce_.sum(skip_nan(x)), 100);
}

INSTANTIATE_TEST_SUITE_P(Host, SkipNan, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

}  // namespace
