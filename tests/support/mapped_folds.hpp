// The questions that every device door is asked: maps and folds that host and device compile, and
// the bits of transform_reduce on the host for them.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <isofold/detail/core/exact/folds.hpp>
#include <isofold/detail/core/folds/counting.hpp>
#include <isofold/detail/core/folds/location.hpp>
#include <isofold/detail/core/folds/log_sum_exp.hpp>
#include <isofold/detail/core/folds/moments.hpp>
#include <isofold/detail/core/folds/norm2.hpp>
#include <isofold/detail/core/folds/products.hpp>
#include <isofold/error.hpp>
#include <isofold/transform_reduce.hpp>

namespace test_support {

// No result here has padding.
template <class T>
std::vector<unsigned char> bytes_of(const T& value) {
  std::vector<unsigned char> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

// Sizes around lanes, chunks, tiles and blocks; many tiles at the end.
inline constexpr std::int64_t mapped_sizes[] = {1,    2,    33,   63,    64,    65,     1000,  1023,
                                                1024, 1025, 4096, 20000, 70001, 131072, 262145};

// Anything but uniform, both signs, from the index alone.
template <class T>
struct Scattered {
  ISOFOLD_HOST_DEVICE T operator()(std::int64_t i) const {
    const auto hash = static_cast<std::uint32_t>(i * 2654435761U + 12345U);
    return static_cast<T>(static_cast<std::int32_t>(hash)) * static_cast<T>(0x1p-28);
  }
};

// Two arrays in memory; every element is used, none beyond them is read.
struct Weighted {
  const double* x;
  const float* w;
  ISOFOLD_HOST_DEVICE double operator()(std::int64_t i) const {
    return x[i] * static_cast<double>(w[i]);
  }
};

struct Complex {  // a value that is no number of C++
  double re;
  double im;
};
struct Turning {
  ISOFOLD_HOST_DEVICE Complex operator()(std::int64_t i) const {
    return {1 + 1e-6 * static_cast<double>(i % 7), 1e-3};
  }
};
struct ComplexProduct {
  using state_type = Complex;
  ISOFOLD_HOST_DEVICE Complex lift(Complex z) const { return z; }
  ISOFOLD_HOST_DEVICE Complex combine(Complex a, Complex b) const {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

// The simplest fold of a caller's own.
struct Total {
  using state_type = double;
  ISOFOLD_HOST_DEVICE double lift(double x) const { return x; }
  ISOFOLD_HOST_DEVICE double combine(double a, double b) const { return a + b; }
};

// The largest few, in an array that the state counts: nothing may be made of a state that is none.
struct Largest {
  static constexpr int most = 7;
  struct State {
    int count;
    float value[most];
  };
  using state_type = State;
  ISOFOLD_HOST_DEVICE State lift(float x) const {
    State s{};
    s.count = 1;
    s.value[0] = x;
    return s;
  }
  ISOFOLD_HOST_DEVICE State combine(const State& a, const State& b) const {
    State s{};
    int i = 0;
    int j = 0;
    while (s.count < most && (i < a.count || j < b.count)) {
      const bool left = j >= b.count || (i < a.count && a.value[i] >= b.value[j]);
      s.value[s.count] = left ? a.value[i] : b.value[j];
      ++s.count;
      left ? ++i : ++j;
    }
    return s;
  }
};

// 64 bytes, an operator that tells left from right in its last bits, and everything optional.
struct PowerSums {
  struct State {
    double sum[7];
    std::int64_t count;
  };
  struct Result {
    double mean[7];
    std::int64_t count;
    std::int64_t n;
  };
  using state_type = State;
  ISOFOLD_HOST_DEVICE State lift(float x) const {
    State s{};
    double power = 1;
    for (double& sum : s.sum) {
      power *= static_cast<double>(x);
      sum = power;
    }
    s.count = 1;
    return s;
  }
  ISOFOLD_HOST_DEVICE State accumulate(State s, float x) const {
    double power = 1;
    for (double& sum : s.sum) {
      power *= static_cast<double>(x);
      sum = sum + power * 0.75 + power * 0.25;
    }
    ++s.count;
    return s;
  }
  ISOFOLD_HOST_DEVICE State combine(State a, const State& b) const {
    for (int i = 0; i < 7; ++i) {
      a.sum[i] = a.sum[i] * 0.75 + (b.sum[i] + a.sum[i] * 0.25);
    }
    a.count += b.count;
    return a;
  }
  ISOFOLD_HOST_DEVICE Result finish(const State& s, std::int64_t n) const {
    Result r{};
    for (int i = 0; i < 7; ++i) {
      r.mean[i] = s.sum[i] / static_cast<double>(n);
    }
    r.count = s.count;
    r.n = n;
    return r;
  }
  ISOFOLD_HOST_DEVICE Result empty() const { return {}; }
};

// The door's result of (n, map, fold) has the bits of the host's; `host_map` reads on the host what
// `map` reads on the device.
template <class Door, class Map, class HostMap, class Fold>
void expect_the_hosts_bits(Door& door, const Map& map, const HostMap& host_map, const Fold& fold,
                           const char* text) {
  for (const std::int64_t n : mapped_sizes) {
    const auto expected = isofold::transform_reduce(n, host_map, fold);
    const auto found = door.transform_reduce(n, map, fold);
    EXPECT_EQ(bytes_of(expected), bytes_of(found)) << text << ", " << n << " values";
  }
}
template <class Door, class Map, class Fold>
void expect_same(Door& door, const Map& map, const Fold& fold, const char* text) {
  expect_the_hosts_bits(door, map, map, fold, text);
}

template <class Door>
void expect_the_librarys_folds(Door& door) {
  namespace core = isofold::core;
  expect_same(door, Scattered<double>{}, core::Sum<double>{}, "sum");
  expect_same(door, Scattered<float>{}, core::Sum<float>{}, "sum");
  expect_same(door, Scattered<float>{}, core::Sum<double>{}, "sum of f32 in f64");
  expect_same(door, Scattered<float>{}, core::AllMoments<float>{}, "moments");
  expect_same(door, Scattered<double>{}, core::Norm2<double>{}, "norm2");
  expect_same(door, Scattered<double>{}, core::ArgMax<double>{}, "argmax");
  expect_same(door, Scattered<float>{}, core::LogSumExp<float>{}, "log_sum_exp");
  expect_same(door, Scattered<float>{}, core::CountNonzero<float>{}, "count_nonzero");
}

// Values whose exponents span so many binades, and odd ones among them.
template <class T, int binades>
struct Spread {
  std::int64_t infinite = -1;  // the index of an infinity
  ISOFOLD_HOST_DEVICE T operator()(std::int64_t i) const {
    const auto hash = static_cast<std::uint32_t>(i * 2654435761U + 12345U);
    const auto fraction = static_cast<double>(static_cast<std::int32_t>(hash * 2246822519U));
    const int exponent = static_cast<int>(hash >> 8) % binades - binades / 2;
    const double x = fraction * isofold::core::power_of_two(exponent);
    return i == infinite ? isofold::core::highest<T>() : static_cast<T>(x);
  }
};
template <class T>
struct Pairs {
  struct Pair {
    T first;
    T second;
  };
  ISOFOLD_HOST_DEVICE Pair operator()(std::int64_t i) const {
    return {Scattered<T>{}(i), Spread<T, 20>{}(i)};
  }
};
struct Constant {
  double value;
  ISOFOLD_HOST_DEVICE double operator()(std::int64_t) const { return value; }
};
struct LargeIntegers {
  ISOFOLD_HOST_DEVICE std::int64_t operator()(std::int64_t i) const {
    return i % 3 == 0 ? INT64_MIN : INT64_MAX - i;
  }
};

// Sums of exact_v1, which have no order.
template <class Door>
void expect_exact_folds(Door& door) {
  namespace exact = isofold::core::exact;
  expect_same(door, Scattered<double>{}, exact::Sum<double>{}, "exact sum");
  expect_same(door, Scattered<float>{}, exact::Sum<float>{}, "exact sum");
  expect_same(door, Scattered<float>{}, exact::Mean<float>{}, "exact mean");
  expect_same(door, Scattered<double>{}, exact::Norm2<double>{}, "exact norm2");
  expect_same(door, Scattered<float>{}, exact::Variance<float>{}, "exact variance");
  expect_same(door, Scattered<double>{}, exact::AllMoments<double>{}, "exact moments");
  expect_same(door, Spread<double, 60>{}, exact::Sum<double>{}, "exact sum over 60 binades");
  expect_same(door, Spread<double, 1900>{}, exact::Sum<double>{}, "exact sum over 1900 binades");
  expect_same(door, Spread<double, 1900>{}, exact::Norm2<double>{}, "exact norm2, 1900 binades");
  expect_same(door, Spread<float, 240>{}, exact::Sum<float>{}, "exact sum over 240 binades");
  expect_same(door, Spread<double, 40>{1000}, exact::Sum<double>{}, "exact sum with infinity");
  expect_same(door, Spread<double, 40>{63}, exact::Mean<double>{}, "exact mean with infinity");
  expect_same(door, Spread<double, 40>{63}, exact::Variance<double>{}, "no variance");
  expect_same(door, Pairs<double>{}, exact::Dot<double>{}, "exact dot");
  expect_same(door, Pairs<float>{}, exact::Dot<float>{}, "exact dot");
  expect_same(door, Pairs<double>{}, exact::SquaredDistance<double>{}, "exact distance");
  expect_same(door, Constant{-0.0}, exact::Sum<double>{}, "exact sum of -0");
  expect_same(door, Constant{0x1.fffffffffffffp0}, exact::Sum<double>{}, "one sign");
  expect_same(door, Constant{0x1p-1074}, exact::Sum<double>{}, "subnormal numbers");
  expect_same(door, Constant{0x1p-1074}, exact::Norm2<double>{}, "squares below any double");
  expect_same(door, Constant{0x1.fffffffffffffp1023}, exact::Mean<double>{}, "sums that overflow");
  expect_same(door, LargeIntegers{}, exact::Mean<std::int64_t>{}, "exact mean of integers");
  EXPECT_EQ(bytes_of(0.0), bytes_of(door.transform_reduce(0, Constant{1}, exact::Sum<double>{})));
}

template <class Door>
void expect_folds_of_ones_own(Door& door) {
  expect_same(door, Turning{}, ComplexProduct{}, "a product of complex numbers");
  expect_same(door, Scattered<float>{}, PowerSums{}, "64 bytes of state");
  expect_same(door, Scattered<float>{}, Largest{}, "a counted array");
  EXPECT_EQ(bytes_of(PowerSums::Result{}),
            bytes_of(door.transform_reduce(0, Scattered<float>{}, PowerSums{})));
}

template <class Call>
isofold::Code code_of_call(Call&& call) {
  try {
    call();
  } catch (const isofold::Error& error) {
    return error.code();
  }
  return isofold::Code::ok;
}

template <class Door>
void expect_refusals(Door& door) {
  const auto sum = [&](std::int64_t n) {
    return door.transform_reduce(n, Scattered<double>{}, isofold::core::Sum<double>{});
  };
  EXPECT_EQ(isofold::Code::invalid_argument, code_of_call([&] { sum(-1); }));
  EXPECT_EQ(isofold::Code::empty_input,
            code_of_call([&] { return door.transform_reduce(0, Turning{}, ComplexProduct{}); }));
  EXPECT_EQ(isofold::Code::empty_input, code_of_call([&] {
              return door.transform_reduce(0, Scattered<double>{}, isofold::core::ArgMax<double>{});
            }));
  double* const nowhere = nullptr;
  EXPECT_EQ(isofold::Code::invalid_argument, code_of_call([&] {
              door.transform_reduce(10, Scattered<double>{}, isofold::core::Sum<double>{}, nowhere);
            }));
  EXPECT_EQ(isofold::Code::ok, code_of_call([&] { sum(10); }));
}

}  // namespace test_support
