// The workspace of a Reducer: that there is as much of it as was asked for, at sizes around its
// classes. Launches seldom need more than the least.
#include <gtest/gtest.h>

#include <isofold/detail/gpu/workspace.hpp>

#include <simulator/platform.hpp>

namespace {

using Gpu = isofold::simt::Platform<32>;
using Workspace = isofold::gpu::Workspace<Gpu>;

// All of it can be written, which the emulated GPU refuses past an allocation.
void expect_room(const Workspace& workspace, std::size_t bytes, std::int64_t counters) {
  const auto counter_bytes = static_cast<std::size_t>(counters) * sizeof(std::uint32_t);
  EXPECT_TRUE(workspace.holds(bytes, counters));
  EXPECT_TRUE(Gpu::zero(workspace.nodes(), bytes, nullptr).ok());
  EXPECT_TRUE(Gpu::zero(workspace.counters(), counter_bytes, nullptr).ok());
  const isofold::gpu::Status zeroed = Gpu::synchronize(nullptr);
  EXPECT_TRUE(zeroed.ok()) << zeroed.text;
}

TEST(Workspace, HasWhatWasAskedFor) {
  for (std::size_t bytes = 64; bytes <= std::size_t{1} << 20; bytes *= 2) {
    for (const std::size_t asked : {bytes - 4, bytes, bytes + 4, bytes + bytes / 2}) {
      SCOPED_TRACE(asked);
      const auto counters = static_cast<std::int64_t>(asked / sizeof(std::uint32_t));
      Workspace workspace;
      ASSERT_TRUE(workspace.take(asked, counters, nullptr).ok());
      expect_room(workspace, asked, counters);
      workspace.release();
    }
  }
}

// It grows, keeps what it has where less is asked for, and then allocates nothing.
TEST(Workspace, Grows) {
  Workspace workspace;
  std::size_t most = 0;
  for (const std::size_t asked : {100U, 20000U, 3000U, 40000U, 33000U, 300000U}) {
    const bool fits = workspace.holds(asked, 1);
    const void* const before = workspace.nodes();
    ASSERT_TRUE(workspace.take(asked, 1, nullptr).ok());
    EXPECT_TRUE(!fits || before == workspace.nodes()) << asked;
    most = asked > most ? asked : most;
    expect_room(workspace, most, 1);
  }
  workspace.release();
}

// The room that a caller asks for lies before the nodes, in the same memory, until it is given
// back.
TEST(Workspace, HasAFront) {
  Workspace workspace;
  ASSERT_TRUE(workspace.take(16000, 1, nullptr).ok());
  EXPECT_FALSE(workspace.has_front());
  workspace.set_front(1000);
  EXPECT_TRUE(workspace.has_front());
  EXPECT_FALSE(workspace.holds(16000, 1));
  EXPECT_TRUE(workspace.holds(15000, 1));
  ASSERT_TRUE(workspace.take(16000, 1, nullptr).ok());
  EXPECT_TRUE(workspace.holds(16000, 1));
  EXPECT_EQ(workspace.nodes(), static_cast<char*>(workspace.front()) + 1024);
  expect_room(workspace, 16000, 1);
  workspace.set_front(0);
  EXPECT_FALSE(workspace.has_front());
  EXPECT_EQ(workspace.nodes(), workspace.front());
  expect_room(workspace, 17024, 1);
  workspace.release();
}

// The control: one byte past the room is refused.
TEST(Workspace, PastItsEndIsRefused) {
  Workspace workspace;
  ASSERT_TRUE(workspace.take(std::size_t{1} << 16, 1, nullptr).ok());
  EXPECT_FALSE(Gpu::zero(workspace.nodes(), (std::size_t{1} << 16) + 1, nullptr).ok() &&
               Gpu::synchronize(nullptr).ok());
  workspace.release();
}

}  // namespace
