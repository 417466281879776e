// The kernels under AddressSanitizer: device and shared memory are heap blocks of their exact
// sizes, so that a read beside them is reported. Clean as they are; planted reads must be reported.
#include <climits>

#include "platform.hpp"
#include "sanitized_runs.hpp"

// NOLINTBEGIN(readability-identifier-naming): AddressSanitizer's own name.
// Leaks are looked for elsewhere: the search needs rights that a container may not give.
extern "C" [[gnu::visibility("default")]] const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
// NOLINTEND(readability-identifier-naming)

namespace {

using isofold::gpu::Launch;
using isofold::simt::Case;
using isofold::simt::Kind;
using isofold::simt::kinds;
using isofold::simt::Placement;
using isofold::simt::placements;
using isofold::simt::Platform;
using isofold::simt::Runner;
using isofold::simt::Shape;
using isofold::simt::shapes;
using isofold::simt::text_of;

class Bounds : public testing::TestWithParam<Kind> {};

TEST_P(Bounds, KeptByTheKernels) {
  Runner runner(GetParam());
  const std::vector<Case> cases = runner.cases();
  ASSERT_FALSE(cases.empty());
  for (const Case& which : cases) {
    for (const Shape& shape : shapes()) {
      EXPECT_EQ("", runner.run(which, shape)) << text_of(shape);
    }
    for (const Placement& placement : placements()) {
      EXPECT_EQ("", runner.run(which, placement)) << placement.text;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(WaveWidth, Bounds, testing::ValuesIn(kinds),
                         testing::PrintToStringParamName());

// The last thread reads word `global` of `memory`, or word `shared` of shared memory.
struct ReadsBeside {
  static constexpr int max_threads = 64;
  const int* memory;
  int* result;
  int global;
  int shared;

  template <class Group>
  void operator()(const Group& group) const {
    if (group.thread() == group.threads() - 1) {
      *result =
          memory != nullptr ? memory[global] : static_cast<const int*>(group.shared())[shared];
    }
  }
};

// Words of memory that the kernel may read; shared memory is as long.
constexpr int words = 10;

void read_word(bool from_shared, int number) {
  using P = Platform<32>;
  void* memory = nullptr;
  void* result = nullptr;
  P::allocate(&memory, words * sizeof(int));
  P::allocate(&result, sizeof(int));
  Launch size;
  size.threads = 64;
  size.shared_bytes = words * sizeof(int);
  P::launch(ReadsBeside{from_shared ? nullptr : static_cast<const int*>(memory),
                        static_cast<int*>(result), number, number},
            size, nullptr);
  const isofold::gpu::Status status = P::synchronize(nullptr);
  EXPECT_TRUE(status.ok()) << status.text;
  P::release(memory);
  P::release(result);
}

TEST(BoundsControl, ReadsInsideAreFine) {
  for (const bool from_shared : {false, true}) {
    read_word(from_shared, 0);
    read_word(from_shared, words - 1);
  }
}
TEST(BoundsControl, ReadsBesideAreReported) {
  for (const bool from_shared : {false, true}) {
    EXPECT_DEATH(read_word(from_shared, words), "heap-buffer-overflow");
    EXPECT_DEATH(read_word(from_shared, -1), "heap-buffer-overflow");
  }
}
TEST(BoundsControl, ReadsAfterReleaseAreReported) {
  EXPECT_DEATH(
      {
        void* memory = nullptr;
        void* result = nullptr;
        Platform<64>::allocate(&memory, 64);
        Platform<64>::allocate(&result, 64);
        Platform<64>::release(memory);
        Launch size;
        size.threads = 64;
        Platform<64>::launch(
            ReadsBeside{static_cast<const int*>(memory), static_cast<int*>(result), 0, 0}, size,
            nullptr);
        Platform<64>::synchronize(nullptr);
      },
      "heap-use-after-free");
}

// Adds to the largest int.
struct Overflows {
  static constexpr int max_threads = 64;
  int* sum;

  template <class Group>
  void operator()(const Group& group) const {
    if (group.thread() == group.threads() - 1) {
      *sum = INT_MAX;
      *sum += group.thread();
    }
  }
};
TEST(BoundsControl, OverflowIsReported) {
  EXPECT_DEATH(
      {
        void* sum = nullptr;
        Platform<32>::allocate(&sum, sizeof(int));
        Launch size;
        size.threads = 32;
        Platform<32>::launch(Overflows{static_cast<int*>(sum)}, size, nullptr);
        Platform<32>::synchronize(nullptr);
      },
      "signed integer overflow");
}

}  // namespace
