// The kernels under AddressSanitizer: device and shared memory are heap blocks of their exact
// sizes, so that a read beside them is reported. The kernels are clean as they are; planted reads
// must be reported.
#include <algorithm>
#include <climits>

#include <layout/packed_rows.hpp>

#include "sanitized_runs.hpp"
#include <simulator/platform.hpp>

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
using isofold::simt::large_placements;
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
    for (const Placement& placement : large_placements()) {
      EXPECT_EQ("", runner.run(which, placement)) << placement.text;
    }
  }
}
// Elements that a mask selects are loaded in aligned pieces of 16 bytes, the first of which would
// begin before a row that is aligned to 8.
TEST_P(Bounds, NothingBeforeTheData) {
  Runner runner(GetParam());
  runner.bytes_before = 8;
  for (const Placement& placement : placements()) {
    if (placement.mask_type != 0) {
      EXPECT_EQ("", runner.run(runner.cases().front(), placement)) << placement.text;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(WaveWidth, Bounds, testing::ValuesIn(kinds),
                         testing::PrintToStringParamName());

// Pieces of the elements that a mask selects, as CPU backends ask for them: nothing is written
// behind the piece, wherever in the mask's words and blocks it ends. AddressSanitizer does not see
// masked stores of vectors, so there is memory behind it, which is compared.
TEST(Rooms, HoldWhatAMaskTakes) {
  constexpr std::int64_t entries = 9001;
  std::vector<std::uint32_t> x(2 * entries);
  std::vector<std::uint8_t> mask(entries);
  for (const std::int64_t stride : {1, 2}) {
    std::vector<std::uint32_t> taken;
    for (std::int64_t i = 0; i < entries; ++i) {
      const auto at = static_cast<std::size_t>(i * stride);
      x[at] = static_cast<std::uint32_t>(i);
      mask[static_cast<std::size_t>(i)] = i % 7 == 0 || (i > 5000 && i < 5100) ? 0 : 1;
      if (mask[static_cast<std::size_t>(i)] != 0) {
        taken.push_back(x[at]);
      }
    }
    isofold_layout layout{};
    layout.size = sizeof layout;
    layout.dimensions = 1;
    layout.extents[0] = entries;
    layout.strides[0] = stride;
    layout.mask = mask.data();
    layout.mask_type = ISOFOLD_MASK_bytes;
    isofold_request request{};
    request.shape = ISOFOLD_SHAPE_box;
    request.data = x.data();
    request.rows = 1;
    request.length = entries;
    request.layout = &layout;
    const isofold::RowsOfRequest rows(request, sizeof x[0], alignof(std::uint32_t));
    const auto length = static_cast<std::int64_t>(taken.size());
    ASSERT_EQ(length, rows->length(0));
    for (std::int64_t first = 0; first < length; first += 331) {
      for (const std::int64_t most : {1, 63, 1000, 5000}) {
        const std::int64_t count = std::min(most, length - first);
        const auto behind = static_cast<std::size_t>(count);
        std::vector<std::uint32_t> room(behind + entries, UINT32_MAX);
        rows->elements(0, 0, first, count, room.data());
        std::vector<std::uint32_t> wanted(taken.begin() + first, taken.begin() + first + count);
        wanted.resize(room.size(), UINT32_MAX);
        ASSERT_EQ(wanted, room) << count << " elements from " << first;
      }
    }
  }
}

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
