// The device door's kernel on emulated GPUs of both wave widths: the bits of the host's door, in
// stream order and in captures, and what it refuses.
#include <algorithm>
#include <memory>
#include <string>

#include <in_child.hpp>
#include <mapped_folds.hpp>

#include <isofold/detail/gpu/transform_reducer.hpp>
#include <isofold/fold_of.hpp>

#include <simulator/platform.hpp>

namespace {

using isofold::simt::machine;
using isofold::simt::Platform;

struct TransformTest {};

template <class Vendor>
class Door {
 public:
  explicit Door(void* stream = nullptr) : reducer_(stream) {}
  template <class Map, class Fold>
  auto transform_reduce(std::int64_t n, const Map& map, const Fold& fold) {
    return reducer_.reduce(n, map, fold, TransformTest{});
  }
  template <class Map, class Fold>
  void transform_reduce(std::int64_t n, const Map& map, const Fold& fold,
                        isofold::core::ResultOf<Fold>* result) {
    reducer_.reduce(n, map, fold, result, TransformTest{});
  }
  void synchronize() { reducer_.synchronize(); }

 private:
  isofold::gpu::TransformReducer<Vendor> reducer_;
};

template <class Vendor>
class Transform : public testing::Test {};
using Vendors = testing::Types<Platform<32>, Platform<64>>;
TYPED_TEST_SUITE(Transform, Vendors, );

TYPED_TEST(Transform, FoldsOfTheLibrary) {
  Door<TypeParam> door;
  test_support::expect_the_librarys_folds(door);
}

TYPED_TEST(Transform, ExactFolds) {
  Door<TypeParam> door;
  test_support::expect_exact_folds(door);
}

TYPED_TEST(Transform, FoldsOfOnesOwn) {
  Door<TypeParam> door;
  test_support::expect_folds_of_ones_own(door);
}

// A second launch folds the nodes where fences are slow.
TYPED_TEST(Transform, SlowFences) {
  auto& gpus = machine(TypeParam::wave_width);
  const bool slow_by_default = gpus.slow_fences();
  gpus.slow_fences() = true;
  Door<TypeParam> door;
  gpus.slow_fences() = slow_by_default;
  test_support::expect_folds_of_ones_own(door);
  const std::int64_t before = gpus.launches();
  door.transform_reduce(70001, test_support::Scattered<double>{}, isofold::core::Sum<double>{});
  const bool has_slow_fences = TypeParam::wave_width == 64;  // as AMD's may
  EXPECT_EQ(before + (has_slow_fences ? 2 : 1), gpus.launches());
}

// The map is asked for indices below n, each of them, and no others.
struct Asked {
  std::int64_t n;
  int* times;    // of each index
  bool* beside;  // for another index
  double operator()(std::int64_t i) const {
    if (i < 0 || i >= n) {
      *beside = true;
      return 0;
    }
    ++times[i];
    return 1;
  }
};
TYPED_TEST(Transform, AsksForItsIndicesAlone) {
  for (const std::int64_t n : test_support::mapped_sizes) {
    std::vector<int> times(static_cast<std::size_t>(n));
    bool beside = false;
    Door<TypeParam> door;
    const Asked map{n, times.data(), &beside};
    EXPECT_EQ(static_cast<double>(n), door.transform_reduce(n, map, isofold::core::Sum<double>{}));
    EXPECT_EQ(static_cast<double>(n), door.transform_reduce(n, map, test_support::Total{}));
    EXPECT_FALSE(beside) << n;
    EXPECT_EQ(0, std::count(times.begin(), times.end(), 0)) << n;
  }
}

// Results in stream order, and in a graph that is launched again over other values.
TYPED_TEST(Transform, StreamsAndCaptures) {
  auto& gpus = machine(TypeParam::wave_width);
  void* const stream = gpus.create_stream();
  const std::int64_t n = 50000;
  void* memory = nullptr;
  ASSERT_TRUE(TypeParam::allocate(&memory, 64).ok());
  auto* const out = static_cast<double*>(memory);
  const isofold::core::Sum<double> sum;
  const test_support::Scattered<double> map;
  {
    Door<TypeParam> door(stream);
    gpus.begin_capture(stream);
    EXPECT_EQ(isofold::Code::capture,
              test_support::code_of_call([&] { door.transform_reduce(n, map, sum, out); }));
    EXPECT_NE(nullptr, gpus.end_capture(stream)) << "a refusal breaks no capture";
    door.transform_reduce(n, map, sum, out);
    door.synchronize();
    gpus.begin_capture(stream);
    door.transform_reduce(n, map, sum, out);
    EXPECT_EQ(isofold::Code::capture,
              test_support::code_of_call([&] { door.transform_reduce(n, map, sum); }));
    EXPECT_EQ(isofold::Code::capture,
              test_support::code_of_call([&] { door.transform_reduce(n << 20, map, sum, out); }));
    EXPECT_EQ(isofold::Code::capture, test_support::code_of_call([&] { door.synchronize(); }));
    const auto graph = gpus.end_capture(stream);
    ASSERT_NE(nullptr, graph);
    for (int repeat = 0; repeat < 3; ++repeat) {
      double found = 1;
      ASSERT_TRUE(TypeParam::copy(out, &found, sizeof found).ok());
      gpus.launch_graph(graph, stream);
      ASSERT_TRUE(TypeParam::synchronize(stream).ok());
      ASSERT_TRUE(TypeParam::copy(&found, out, sizeof found).ok());
      EXPECT_EQ(test_support::bytes_of(isofold::transform_reduce(n, map, sum)),
                test_support::bytes_of(found));
    }
  }
  ASSERT_TRUE(TypeParam::release(memory).ok());
  gpus.destroy_stream(stream);
}

// A fold of functions, whose state is named because the host does not ask device code.
TYPED_TEST(Transform, FoldsOfFunctions) {
  Door<TypeParam> door;
  const auto fold =
      isofold::fold_of<double>([](double x) { return x; }, [](double a, double b) { return a + b; },
                               [](double s, std::int64_t n) { return s / double(n); });
  for (const std::int64_t n : test_support::mapped_sizes) {
    const test_support::Scattered<double> map;
    EXPECT_EQ(test_support::bytes_of(isofold::transform_reduce(n, map, fold)),
              test_support::bytes_of(door.transform_reduce(n, map, fold)));
  }
}

// A child by fork() refuses in a sentence, with the door of its parent and one of its own.
TYPED_TEST(Transform, ChildrenOfAProcessThatHasUsedDevices) {
  const auto sum_of = [](auto& door) {
    return door.transform_reduce(5000, test_support::Scattered<double>{},
                                 isofold::core::Sum<double>{});
  };
  auto door = std::make_unique<Door<TypeParam>>();
  sum_of(*door);
  EXPECT_EQ(0, test_support::answer_of_child([&] {
              bool right = test_support::is_refused_in_child([&] { sum_of(*door); });
              right = right && test_support::is_refused_in_child([] { Door<TypeParam> own; });
              right = right && test_support::is_refused_in_child([&] { door->synchronize(); });
              door.reset();
              return right ? 0 : 1;
            }));
  sum_of(*door);
}

TYPED_TEST(Transform, Refusals) {
  Door<TypeParam> door;
  test_support::expect_refusals(door);
}

}  // namespace
