// Folds as kernels have them, where they compute otherwise than core/folds: the same states.
#include <cmath>
#include <cstring>
#include <limits>

#include <backends/gpu/input/contiguous.hpp>
#include <backends/gpu/op/canonical.hpp>

#include <gtest/gtest.h>

#include "on_device.hpp"
#include <simulator/random.hpp>

namespace {

using isofold::simt::Random;
namespace core = isofold::core;
namespace gpu = isofold::gpu;

// Magnitudes of all exponents, or of a few about one of them, with zeros between; sometimes
// infinities, and NaNs of any sign and payload.
std::vector<double> magnitudes(std::size_t count, Random& random) {
  const int lowest = static_cast<int>(random.below(2098)) - 1074;
  const std::uint64_t exponents = 1 + random.below(random.coin() ? 4 : 2098);
  const bool infinities = random.below(4) == 0;
  const bool nans = random.below(4) == 0;
  const std::uint64_t zeros = random.below(3);  // none, half, all of them
  std::vector<double> x(count);
  for (double& each : x) {
    const int exponent = lowest + static_cast<int>(random.below(exponents));
    each = std::ldexp(1 + static_cast<double>(random.below(1U << 20)) * 0x1p-20,
                      exponent > 1023 ? 1023 : exponent);
    each = zeros == 2 || (zeros == 1 && random.coin()) ? 0 : each;
    each = infinities && random.below(500) == 0 ? std::numeric_limits<double>::infinity() : each;
    if (nans && random.below(500) == 0) {
      // Payloads lie in the lower half alone, too.
      each = core::bit_cast<double>(0x7ff0000000000000U | (1 + random.below(1000)));
    }
    each = random.coin() ? -each : each;
  }
  return x;
}

TEST(KernelFolds, NormsByUpperHalves) {
  Random random(7);
  for (int round = 0; round < 3000; ++round) {
    const std::vector<double> x = magnitudes(1 + random.below(1500), random);
    const auto expected = isofold::simt::root_of(core::Norm2<double>{}, x, x);
    const auto found = isofold::simt::root_of(gpu::KernelFold<core::Norm2<double>>::of({}), x, x);
    ASSERT_EQ(expected.exponent, found.exponent) << "round " << round;
    if (std::isnan(expected.squares)) {
      ASSERT_TRUE(std::isnan(found.squares)) << "round " << round;
    } else {
      ASSERT_EQ(core::bit_cast<std::uint64_t>(expected.squares),
                core::bit_cast<std::uint64_t>(found.squares))
          << "round " << round;
    }
  }
}

// Integers that are small, of either sign, at either end of their type, or any.
template <class T>
std::vector<T> integers(std::size_t count, Random& random) {
  const std::uint64_t kinds = 1 + random.below(4);
  std::vector<T> x(count);
  for (T& each : x) {
    const auto some = static_cast<T>(random.below(5));
    switch (random.below(kinds)) {
      case 0: each = some; break;
      case 1: each = static_cast<T>(T{0} - some); break;
      case 2: each = static_cast<T>(std::numeric_limits<T>::max() - some); break;
      default: each = static_cast<T>(random.next()); break;
    }
  }
  return x;
}

template <class Value>
void expect_same_bits(const Value& expected, const void* found) {
  EXPECT_EQ(std::memcmp(&expected, found, sizeof(Value)), 0);
}

// Compares states, results, the identity and the result of no elements.
template <class Fold>
void expect_same_as_kernels(const Fold& fold, Random& random) {
  using T = typename Fold::element_type;
  using Result = typename Fold::result_type;
  const auto ours = gpu::KernelFold<Fold>::of(fold);
  using Ours = std::remove_const_t<decltype(ours)>;
  static_assert(sizeof(typename Ours::state_type) == sizeof(typename Fold::state_type));
  static_assert(Ours::empty_is_error == Fold::empty_is_error);
  const auto expect_result = [&](const Result& expected, auto&& of) {
    Result found;
    gpu::write_result(ours, &found, 0, of);
    expect_same_bits(expected, &found);
  };
  for (int round = 0; round < 50; ++round) {
    const std::vector<T> x = integers<T>(1 + random.below(2500), random);
    const std::vector<typename Ours::element_type> same(x.begin(), x.end());
    const auto expected = isofold::simt::root_of(fold, x, x);
    const auto found = isofold::simt::root_of(ours, same, same);
    expect_same_bits(expected, &found);
    const auto count = static_cast<std::int64_t>(x.size());
    expect_result(fold.finish(expected, count),
                  [&](const auto& member) { return member.finish(found, count); });
  }
  const auto padding = ours.identity();
  expect_same_bits(fold.identity(), &padding);
  expect_result(fold.empty(), [](const auto& member) { return member.empty(); });
}

template <class T>
void expect_same_of_integers() {
  Random random(11);
  for (std::int32_t number = 0; number < 64; ++number) {
    SCOPED_TRACE(number);
    isofold::visit_real<T>(number, [&](auto fold) { expect_same_as_kernels(fold, random); });
  }
  const std::vector<T> ends = {0, 3, static_cast<T>(-3), std::numeric_limits<T>::min(),
                               std::numeric_limits<T>::max()};
  for (const T low : ends) {
    for (const T high : ends) {
      core::CountInRange<T> range;
      range.low = low;
      range.high = high;
      expect_same_as_kernels(range, random);
    }
  }
}

TEST(KernelFolds, IntegersOfEitherSign) {
  expect_same_of_integers<std::int32_t>();
  expect_same_of_integers<std::uint32_t>();
  expect_same_of_integers<std::int64_t>();
  expect_same_of_integers<std::uint64_t>();
}

}  // namespace
