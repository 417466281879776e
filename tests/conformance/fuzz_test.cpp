// The fuzzer on trial: backends with one planted bug each, which it must find, and find again from
// the number of the case alone. The library's own backends must pass.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <conformance/fuzz.hpp>
#include <isofold/isofold.hpp>

namespace {

using isofold::conformance::CellResult;
using isofold::conformance::FuzzOptions;
using isofold::conformance::FuzzReport;
using isofold::conformance::Target;

// The reference with a plant: `spoil` changes the request on its way, or flips a result's bit by
// returning true.
using Spoil = std::function<bool(isofold_request& request, isofold_layout& layout)>;

class PlantedTarget final : public Target {
 public:
  explicit PlantedTarget(Spoil spoil)
      : reference_(isofold::conformance::library_target("reference")), spoil_(std::move(spoil)) {}

  std::string name() const override { return "planted"; }
  bool promises_same_bits() const override { return true; }
  std::string schedule_family() const override { return "openmp"; }
  std::int32_t synchronize() override { return reference_->synchronize(); }
  std::string last_error() const override { return reference_->last_error(); }
  std::string answered_by() const override { return "planted"; }
  void* allocate(std::size_t bytes) override { return reference_->allocate(bytes); }
  void release(void* memory) override { reference_->release(memory); }
  void copy(void* destination, const void* source, std::size_t bytes) override {
    reference_->copy(destination, source, bytes);
  }
  std::int32_t reduce(const isofold_request& request) override {
    isofold_request asked = request;
    isofold_layout layout{};
    if (request.layout != nullptr) {
      layout = *request.layout;
      asked.layout = &layout;
    }
    const bool flips = spoil_(asked, layout);
    asked.schedule = nullptr;  // the reference has none to force
    const std::int32_t code = reference_->reduce(asked);
    if (code == ISOFOLD_ok && flips && request.rows > 0) {
      const auto bytes = isofold_result_bytes(request.fold, request.type);
      static_cast<unsigned char*>(request.result)[(request.rows - 1) * bytes] ^= 1;
    }
    return code;
  }

 private:
  std::unique_ptr<Target> reference_;
  Spoil spoil_;
};

FuzzReport fuzz_planted(const Spoil& spoil, const FuzzOptions& options) {
  std::vector<std::unique_ptr<Target>> targets;
  targets.push_back(std::make_unique<PlantedTarget>(spoil));
  return isofold::conformance::fuzz_targets(options, targets);
}

FuzzOptions some_cases(std::uint64_t cases, std::uint64_t first = 0) {
  FuzzOptions options;
  options.cases = cases;
  options.first = first;
  options.seconds = 60;
  return options;
}

constexpr std::uint64_t enough = 1000;

struct Plant {
  const char* name;
  Spoil spoil;
};

const Plant plants[] = {
    {"one_fold_of_one_type",
     [](auto& request, auto&) {
       return request.fold == ISOFOLD_FOLD_norm2 && request.type == ISOFOLD_TYPE_f64;
     }},
    {"long_arrays",
     [](auto& request, auto&) {
       return request.shape == ISOFOLD_SHAPE_array && request.length > 100000;
     }},
    {"two_streams",
     [](auto& request, auto&) {
       return request.schedule != nullptr && request.schedule->streams == 2 &&
              request.schedule->vector_bits == 256;
     }},
    {"mask_ignored",
     [](auto&, auto& layout) {
       layout.mask = nullptr;
       layout.mask_type = 0;
       return false;
     }},
    {"backward_strides",
     [](auto&, auto& layout) {
       bool backward = false;
       for (int d = 0; d < layout.dimensions; ++d) {
         backward = backward || (layout.strides[d] < 0 && layout.extents[d] > 1);
       }
       return backward;
     }},
    {"segments_by_narrow_lists",
     [](auto& request, auto& layout) {
       return request.shape == ISOFOLD_SHAPE_segments && layout.index_type == ISOFOLD_TYPE_i32;
     }},
    {"gathers", [](auto& request, auto&) { return request.shape == ISOFOLD_SHAPE_gather; }},
    {"batches", [](auto& request, auto&) { return request.shape == ISOFOLD_SHAPE_batch; }},
    {"joined_batches", [](auto& request, auto&) { return request.shape == ISOFOLD_SHAPE_joined; }},
    {"other_half",
     [](auto& request, auto&) {
       request.type = request.type == ISOFOLD_TYPE_bf16 ? ISOFOLD_TYPE_f16 : request.type;
       return false;
     }},
    {"second_rows_too_near",
     [](auto& request, auto&) {
       if (request.shape == ISOFOLD_SHAPE_rows && request.second != nullptr) {
         request.second_stride = request.stride;
       }
       return false;
     }},
    {"misaligned_data",
     [](auto& request, auto&) {
       return reinterpret_cast<std::uintptr_t>(request.data) % 16 != 0 && request.length > 1000;
     }},
};

class Planted : public testing::TestWithParam<Plant> {};

TEST_P(Planted, IsFoundAndFoundAgain) {
  const FuzzReport report = fuzz_planted(GetParam().spoil, some_cases(enough));
  const CellResult& found = report.cells[0].result;
  ASSERT_GT(found.failures, 0) << "not found in " << enough << " cases";
  EXPECT_FALSE(report.passed());
  EXPECT_FALSE(found.first_failure.empty());

  const std::uint64_t number = report.cells[0].first_failing;
  const FuzzReport again = fuzz_planted(GetParam().spoil, some_cases(1, number));
  EXPECT_EQ(again.cells[0].result.first_failure, found.first_failure);
  EXPECT_EQ(again.cells[0].first_failing, number);
  EXPECT_EQ(again.next, number + 1);
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Planted, testing::ValuesIn(plants),
                         [](const auto& info) { return std::string(info.param.name); });

// The control: the same target without a plant.
TEST(Fuzz, WithoutAPlantNothingIsFound) {
  const FuzzReport report = fuzz_planted([](auto&, auto&) { return false; }, some_cases(enough));
  EXPECT_TRUE(report.passed()) << report.cells[0].result.first_failure;
  EXPECT_EQ(report.cells[0].result.cases, enough) << "every case must be asked";
  EXPECT_EQ(report.cells[0].result.refused, 0);
}

// A run that goes on where another one ended has asked what one long run asks.
TEST(Fuzz, GoesOnWhereItEnded) {
  const Spoil none = [](auto&, auto&) { return false; };
  const FuzzReport whole = fuzz_planted(none, some_cases(200));
  const FuzzReport first = fuzz_planted(none, some_cases(80));
  const FuzzReport rest = fuzz_planted(none, some_cases(120, first.next));
  EXPECT_EQ(rest.next, whole.next);
  EXPECT_EQ(first.comparisons() + rest.comparisons(), whole.comparisons());
}

TEST(Fuzz, TheLibrarysBackends) {
  FuzzOptions options;
  options.seconds = 3;
  for (const std::string& name : isofold::backend_names()) {
    if (isofold::is_available(name)) {
      options.backends.push_back(name);
    }
  }
  const FuzzReport report = isofold::conformance::run_fuzz(options);
  for (const auto& cell : report.cells) {
    EXPECT_EQ(cell.result.failures, 0)
        << cell.result.first_failure << "\nisofold fuzz --backend " << cell.result.backend
        << " --seed 1 --first " << cell.first_failing << " --cases 1";
    EXPECT_GT(cell.result.comparisons, 0) << cell.result.backend;
  }
}

}  // namespace
