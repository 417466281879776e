// Rows of 16-bit floats, by teams of lanes, by warps and by blocks: locations of the extremum as
// the reference finds them, exact sums as words add them. NaNs of both signs, infinities, zeros of
// both signs, subnormal numbers, equal extrema, rows of other scales, rows that begin anywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <backends/gpu/kernel/exact_halves.hpp>
#include <backends/gpu/plan/listed_halves.hpp>
#include <conformance/judge.hpp>
#include <isofold/detail/core/folds/location.hpp>

#include "on_device.hpp"

namespace {

using isofold::simt::launch;
using isofold::simt::OnDevice;
using isofold::simt::Random;
namespace conformance = isofold::conformance;  // core has a bits_of, too
namespace core = isofold::core;
namespace gpu = isofold::gpu;

enum class Data {
  any_bits,
  finite,
  few_values,
  zeros,
  minus_zeros,
  one_nan,
  narrow,
  scaled_rows,
  count
};

std::uint16_t half_of(Data data, bool is_bf16, std::int64_t i, std::int64_t row,
                      std::int64_t nan_at, Random& random) {
  const int fraction_bits = is_bf16 ? 7 : 10;
  const auto bits = static_cast<std::uint16_t>(random.below(1 << 16));
  const int nan = 0x7fff >> fraction_bits << fraction_bits | 1;
  switch (data) {
    case Data::any_bits: return bits;
    case Data::few_values: return static_cast<std::uint16_t>((bits & 0x8000) | bits % 3 << 9);
    case Data::zeros: return bits & 0x8000;
    case Data::minus_zeros: return 0x8000;
    default: break;
  }
  // Exponents of eight binades.
  const int scale = data == Data::narrow ? 10 : static_cast<int>(row * 37 % (is_bf16 ? 240 : 20));
  const int near = (scale << fraction_bits) + (bits & 0x7fff & ((8 << fraction_bits) - 1));
  if (data == Data::narrow || data == Data::scaled_rows) {
    return static_cast<std::uint16_t>((bits & 0x8000) | near);
  }
  if (data == Data::one_nan && i == nan_at) {
    return static_cast<std::uint16_t>((bits & 0x8000) | nan);
  }
  return bits & static_cast<std::uint16_t>(~(1 << fraction_bits));  // no exponent of ones
}

struct RowsOfHalves {
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;
  std::int64_t offset;
  bool is_bf16;
  std::vector<std::uint16_t> halves;

  RowsOfHalves(std::int64_t of, std::int64_t elements, Data data, int turn, Random& random)
      : rows(of),
        length(elements),
        stride(elements + turn % 4),
        offset(turn % 9),
        is_bf16((turn + turn / static_cast<int>(Data::count)) % 2 == 0),
        halves(static_cast<std::size_t>(offset + rows * stride)) {
    const auto nan_at = static_cast<std::int64_t>(random.below(halves.size()));
    for (std::size_t i = 0; i < halves.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      halves[i] =
          half_of(data, is_bf16, at, at < offset ? 0 : (at - offset) / stride, nan_at, random);
    }
  }
  std::vector<float> row(std::int64_t number) const {
    std::vector<float> x;
    for (std::int64_t i = 0; i < length; ++i) {
      const std::uint16_t half = halves[static_cast<std::size_t>(offset + number * stride + i)];
      x.push_back(is_bf16 ? core::computed(isofold_bf16{half}) : core::computed(isofold_f16{half}));
    }
    return x;
  }
  std::string name(std::int64_t number) const {
    return "row " + std::to_string(number) + " of " + std::to_string(rows) + " x " +
           std::to_string(length) + (is_bf16 ? " bf16" : " f16") + ", from element " +
           std::to_string(offset);
  }
};

// use(rows, a number that changes from one to the next)
template <class Use>
void for_some_rows(Random& random, Use&& use) {
  int turn = 0;
  for (const auto& [rows, length] : {std::array<std::int64_t, 2>{1, 1},
                                     {5, 3},
                                     {9, 14},
                                     {70, 64},
                                     {17, 257},
                                     {6, 1500},
                                     {3, 5003}}) {
    for (int data = 0; data < static_cast<int>(Data::count); ++data, ++turn) {
      SCOPED_TRACE("data " + std::to_string(data));
      use(RowsOfHalves(rows, length, static_cast<Data>(data), turn, random), turn);
      if (testing::Test::HasFatalFailure()) {
        return;
      }
    }
  }
}

template <int width, class Fold>
void check_locations(const Fold& asked, bool by_teams, Random& random) {
  const auto fold = gpu::kernel_fold<isofold::simt::Platform<width>>(asked);
  using Kernel = gpu::LocateHalves<std::decay_t<decltype(fold)>>;
  using Result = typename Fold::result_type;
  for_some_rows(random, [&](const RowsOfHalves& x, int turn) {
    const OnDevice<width, std::uint16_t> memory(x.halves);
    const OnDevice<width, Result> results(std::vector<Result>(static_cast<std::size_t>(x.rows)));
    const Kernel kernel{{fold,
                         {reinterpret_cast<const float*>(memory.data() + x.offset), nullptr},
                         x.rows,
                         x.length,
                         x.stride,
                         0,
                         results.data(),
                         false},
                        x.is_bf16,
                        by_teams};
    const int warps = 1 + turn % 3;
    launch<width>(kernel, 1 + turn % 2, warps, Kernel::shared_bytes(warps));
    const std::vector<Result> found = results.content();
    for (std::int64_t row = 0; row < x.rows; ++row) {
      const std::vector<float> elements = x.row(row);
      const Result wanted = isofold::simt::folded(asked, elements, elements);
      const Result& result = found[static_cast<std::size_t>(row)];
      ASSERT_EQ(conformance::bits_of(wanted), conformance::bits_of(result))
          << x.name(row) << ": " << result.value << " at " << result.index << ", not "
          << wanted.value << " at " << wanted.index;
    }
  });
}

enum class By { teams, warps, blocks, pieces };

template <int width, class Kernel, class Fold>
void check_sums_by(By by, Random& random) {
  namespace exact = core::exact;
  for_some_rows(random, [&](const RowsOfHalves& x, int turn) {
    const OnDevice<width, std::uint16_t> memory(x.halves);
    const OnDevice<width, float> results(std::vector<float>(static_cast<std::size_t>(x.rows)));
    const OnDevice<width, std::int64_t> words(
        std::vector<std::int64_t>(static_cast<std::size_t>(x.rows * Kernel::words)));
    const OnDevice<width, std::uint32_t> counts(
        std::vector<std::uint32_t>(static_cast<std::size_t>(x.rows)));
    Kernel kernel{};
    kernel.source.data[0] = memory.data() + x.offset;
    kernel.source.length = x.length;
    kernel.source.stride[0] = x.stride;
    kernel.source.converted = true;
    kernel.source.stored = {x.is_bf16 ? ISOFOLD_TYPE_bf16 : ISOFOLD_TYPE_f16, 2};
    kernel.rows = x.rows;
    kernel.pieces = by == By::pieces ? 2 + turn % 2 : 1;
    kernel.by_pieces = gpu::Divisor(kernel.pieces);
    kernel.by_blocks = by == By::blocks || by == By::pieces;
    kernel.results = 1;
    kernel.result[0] = {results.data(), 0};
    kernel.row_words = words.data();
    kernel.row_count = counts.data();
    const int warps = 1 + turn % 3;
    launch<width>(kernel, 1 + turn % 2, warps, Kernel::shared_bytes(warps, kernel.by_blocks));
    const std::vector<float> found = results.content();
    for (std::int64_t row = 0; row < x.rows; ++row) {
      typename Fold::state_type state{};
      for (const float each : x.row(row)) {
        exact::add_element<Fold>(state, each, 0);
      }
      state.carry();
      const float wanted = Fold::finish(state);
      const float result = found[static_cast<std::size_t>(row)];
      ASSERT_EQ(conformance::bits_of(wanted), conformance::bits_of(result))
          << x.name(row) << ", by " << static_cast<int>(by) << ": " << result << ", not " << wanted;
    }
  });
}
template <int width, class Fold>
void check_sums() {
  Random random{18};
  check_sums_by<width, gpu::SumHalfRowsExactly<Fold>, Fold>(By::teams, random);
  for (const By by : {By::warps, By::blocks, By::pieces}) {
    check_sums_by<width, gpu::SumHalvesExactly<Fold>, Fold>(by, random);
  }
}

template <int width>
void check_locations() {
  Random random{17};
  for (const bool by_teams : {true, false}) {
    check_locations<width>(core::ArgMin<float>{}, by_teams, random);
    check_locations<width>(core::ArgMax<float>{}, by_teams, random);
    check_locations<width>(core::ArgMinLast<float>{}, by_teams, random);
    check_locations<width>(core::ArgMaxLast<float>{}, by_teams, random);
  }
}

// The list gives many rows to the kernel, and no few ones; its launches are right for them.
template <int width>
void check_plans() {
  using Platform = isofold::simt::Platform<width>;
  const auto fold = gpu::kernel_fold<Platform>(core::ArgMax<float>{});
  using Fold = std::decay_t<decltype(fold)>;
  using Listed = gpu::LocatedHalves<Platform, Fold>;
  static_assert(Listed::exists);
  gpu::TunedDevice device;
  device.wave_width = width;
  device.multiprocessors = 6;
  isofold_schedule wish{};
  isofold_request request{};
  request.type = ISOFOLD_TYPE_f16;
  request.shape = ISOFOLD_SHAPE_rows;
  std::vector<std::uint16_t> halves(512 * 400 + 1);
  for (std::size_t i = 0; i < halves.size(); ++i) {
    halves[i] = static_cast<std::uint16_t>(0x3c00 + i * 7919 % 2048);
  }
  const OnDevice<width, std::uint16_t> memory(halves);
  request.data = memory.data();
  const gpu::FoldFacts facts{1, false, sizeof(float), sizeof(typename Fold::state_type), true};
  const auto plan_of = [&](std::int64_t rows, std::int64_t length) {
    request.rows = rows;
    request.length = length;
    request.stride = length;
    const gpu::Problem problem(request, device, facts, nullptr);
    EXPECT_TRUE(Listed::is_for(problem));
    return Listed::plan(problem);
  };
  EXPECT_FALSE(plan_of(11, 5000).has_value()) << "Few rows are not for it.";
  request.schedule = &wish;
  EXPECT_FALSE(plan_of(400, 512).has_value()) << "It has no schedules.";
  request.schedule = nullptr;
  request.data = reinterpret_cast<const char*>(memory.data()) + 1;
  EXPECT_FALSE(plan_of(400, 511).has_value()) << "Its loads are aligned.";
  request.data = memory.data() + 1;
  for (const auto& [rows, length, by_teams] : {std::array<std::int64_t, 3>{400, 512, 1},
                                               {383, 512, 0},
                                               {12, 17000, 0},
                                               {384, 100, 1},
                                               {12, 100, 0}}) {
    const auto plan = plan_of(rows, length);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(by_teams != 0, plan->by_teams) << rows << " x " << length;
    using Result = typename core::ArgMax<float>::result_type;
    const OnDevice<width, Result> results(std::vector<Result>(static_cast<std::size_t>(rows)));
    const gpu::Problem problem(request, device, facts, nullptr);
    const gpu::Call<Platform, Fold> call{problem,
                                         {fold,
                                          {static_cast<const float*>(request.data), nullptr},
                                          rows,
                                          length,
                                          length,
                                          0,
                                          results.data(),
                                          false},
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         false};
    ASSERT_TRUE(Listed::launch(*plan, call).ok());
    ASSERT_TRUE(Platform::synchronize(nullptr).ok());
    const std::vector<Result> found = results.content();
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto begin = halves.begin() + 1 + row * length;
      const auto most = std::max_element(begin, begin + length);
      ASSERT_EQ(most - begin, found[static_cast<std::size_t>(row)].index)
          << "row " << row << " of " << rows << " x " << length;
    }
  }
}

TEST(Halves, Plans) {
  check_plans<32>();
  check_plans<64>();
}
TEST(Halves, LocationsInRows32) { check_locations<32>(); }
TEST(Halves, LocationsInRows64) { check_locations<64>(); }
TEST(Halves, ExactSums32) {
  check_sums<32, core::exact::Sum<float>>();
  check_sums<32, core::exact::Norm1<float>>();
}
TEST(Halves, ExactSums64) { check_sums<64, core::exact::Sum<float>>(); }

}  // namespace
