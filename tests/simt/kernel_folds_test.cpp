// Folds as kernels have them, where they compute otherwise than core/folds: the same states.
#include <cmath>
#include <limits>

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
      // Of a payload in the lower half alone, too.
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

}  // namespace
