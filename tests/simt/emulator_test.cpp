// The emulator on trial: kernels with one planted error each, which must be reported in a sentence,
// and after which the next launch works; and that chance reaches every order it should.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include <simulator/platform.hpp>

namespace {

using isofold::gpu::Launch;
using isofold::gpu::Status;
using isofold::simt::machine;
using isofold::simt::Platform;

Launch size_of(std::int64_t blocks, int threads, std::size_t shared_bytes = 0) {
  Launch size;
  size.blocks = blocks;
  size.threads = threads;
  size.shared_bytes = shared_bytes;
  return size;
}

template <int width>
class Words {
 public:
  explicit Words(std::size_t count) : count_(count) {
    Platform<width>::allocate(&memory_, count * sizeof(std::uint32_t));
    Platform<width>::zero(memory_, count * sizeof(std::uint32_t), nullptr);
  }
  ~Words() { Platform<width>::release(memory_); }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  std::uint32_t* data() const { return static_cast<std::uint32_t*>(memory_); }
  std::vector<std::uint32_t> read() const {
    std::vector<std::uint32_t> host(count_);
    Platform<width>::copy(host.data(), memory_, count_ * sizeof(std::uint32_t));
    return host;
  }

 private:
  std::size_t count_;
  void* memory_ = nullptr;
};

// Every primitive once, used as the contract wants it: thread t of each block leaves, in word t,
// its partner's number plus what a neighbour left in shared memory.
struct Sound {
  static constexpr int max_threads = 256;
  std::uint32_t* words;

  template <class Group>
  void operator()(const Group& group) const {
    auto* shared = static_cast<std::uint32_t*>(group.shared());
    const auto mine = static_cast<std::uint32_t>(group.thread());
    shared[group.threads() - 1 - group.thread()] = mine;
    group.barrier();
    const std::uint32_t left = shared[group.thread()];
    group.warp_barrier();
    std::uint32_t both[2] = {mine, ~mine};
    group.exchange_words(both, 5);
    const std::uint32_t partner = both[0] == ~both[1] ? group.exchange(mine, 5) : 0;
    words[group.block() * group.threads() + group.thread()] = partner + left;
  }
};

template <int width>
void expect_sound() {
  constexpr int blocks = 3;
  constexpr int threads = 128;
  const Words<width> words(blocks * threads);
  ASSERT_TRUE(Platform<width>::launch(Sound{words.data()},
                                      size_of(blocks, threads, threads * sizeof(std::uint32_t)),
                                      nullptr)
                  .ok());
  const Status status = Platform<width>::synchronize(nullptr);
  EXPECT_TRUE(status.ok()) << status.text;
  const std::vector<std::uint32_t> found = words.read();
  for (std::uint32_t i = 0; i < found.size(); ++i) {
    const std::uint32_t thread = i % threads;
    EXPECT_EQ((thread ^ 5U) + (threads - 1 - thread), found[i]) << i;
  }
}

TEST(Emulator, SoundKernels) {
  expect_sound<32>();
  expect_sound<64>();
}

// Launches a kernel with a planted error, which must be reported with `words` in the sentence.
template <int width, class Kernel>
void expect_reported(const Kernel& kernel, const Launch& size, const std::string& words) {
  Status status = Platform<width>::launch(kernel, size, nullptr);
  status = status.ok() ? Platform<width>::synchronize(nullptr) : status;
  EXPECT_FALSE(status.ok()) << "expected: " << words;
  EXPECT_NE(std::string::npos, std::string(status.text).find(words)) << status.text;
  expect_sound<width>();
}

enum class Error {
  exchange_after_others_left,
  exchange_beside_a_barrier,
  exchange_beside_a_warp_barrier,
  exchange_with_other_mask,
  exchange_of_other_words,
  loads_issued_by_some,
  exchange_out_of_the_warp,
  barrier_of_one_warp,
  barrier_of_some_lanes,
  warp_barrier_of_some_lanes,
  write_past_shared,
  write_past_global,
  load_past_global,
  load_misaligned,
  load_from_host,
  copy_past_shared,
  copy_misaligned,
  copy_from_host,
  bulk_not_expected,
  bulk_expected_twice,
  bulk_of_a_part_of_a_line,
  bulk_past_global,
  bulk_without_arrivals,
};

struct Planted {
  static constexpr int max_threads = 256;
  Error error;
  std::uint32_t* words;
  std::int64_t count;
  const std::uint32_t* host;

  template <class Group>
  void operator()(const Group& group) const {
    const int lane = group.thread() % Group::wave_width;
    auto* shared = static_cast<std::uint32_t*>(group.shared());
    const bool first = group.thread() == 0;
    switch (error) {
      case Error::exchange_after_others_left:
        if (lane < Group::wave_width / 2) {
          group.exchange(1, Group::wave_width / 2);
        }
        break;
      case Error::exchange_beside_a_barrier:
        if (lane == 3) {
          group.barrier();
        } else {
          group.exchange(1, 1);
        }
        break;
      case Error::exchange_beside_a_warp_barrier:
        if (lane == 3) {
          group.warp_barrier();
        } else {
          group.exchange(1, 1);
        }
        break;
      case Error::exchange_with_other_mask: group.exchange(1, lane < 8 ? 1 : 2); break;
      case Error::exchange_of_other_words:
        if (lane < 8) {
          group.exchange(1, 1);
        } else {
          std::uint32_t two[2] = {1, 2};
          group.exchange_words(two, 1);
        }
        break;
      case Error::loads_issued_by_some:
        if (lane < 8) {
          group.loads_issued();
        }
        group.warp_barrier();
        break;
      case Error::exchange_out_of_the_warp: group.exchange(1, Group::wave_width); break;
      case Error::barrier_of_one_warp:
        if (group.thread() < Group::wave_width) {
          group.barrier();
        }
        break;
      case Error::barrier_of_some_lanes:
        if (lane != 7) {
          group.barrier();
        }
        break;
      case Error::warp_barrier_of_some_lanes:
        if (lane != 7) {
          group.warp_barrier();
        }
        break;
      case Error::write_past_shared: shared[group.threads()] = first ? 1 : 2; break;
      case Error::write_past_global: words[count] = 1; break;
      case Error::load_past_global:
        words[0] = group.template load<std::uint32_t, 4>(words + count - count % 4).value[0];
        break;
      case Error::load_misaligned:
        words[0] = group.template load<std::uint32_t, 4>(words + 1).value[0];
        break;
      case Error::load_from_host:
        words[0] = group.template load<std::uint32_t, 1>(host).value[0];
        break;
      case Error::copy_past_shared:
        group.template copy_to_shared<4>(shared + group.threads(), words);
        break;
      case Error::copy_misaligned: group.template copy_to_shared<8>(shared + 1, words); break;
      case Error::copy_from_host: group.template copy_to_shared<4>(shared, host); break;
      case Error::bulk_not_expected:
      case Error::bulk_expected_twice:
      case Error::bulk_of_a_part_of_a_line:
      case Error::bulk_past_global:
      case Error::bulk_without_arrivals:
        if (first) {
          copy_in_bulk(group, shared);
        }
        break;
    }
  }

 private:
  template <class Group>
  void copy_in_bulk(const Group& group, std::uint32_t* shared) const {
    auto* const arrival = reinterpret_cast<std::uint64_t*>(shared + group.threads() - 2);
    if (error != Error::bulk_without_arrivals) {
      group.begin_arrivals(arrival);
    }
    if (error != Error::bulk_not_expected) {
      group.expect(arrival, error == Error::bulk_past_global ? 48 : 16);
    }
    if (error == Error::bulk_expected_twice) {
      group.expect(arrival, 16);
    }
    const int bytes = error == Error::bulk_of_a_part_of_a_line ? 12
                      : error == Error::bulk_past_global       ? 48
                                                               : 16;
    group.copy_bulk(shared, words, bytes, arrival);
  }
};

template <int width>
void expect_planted(Error error, const std::string& words) {
  SCOPED_TRACE(words);
  constexpr std::int64_t count = 11;
  const Words<width> memory(count);
  const std::uint32_t host = 0;
  constexpr int threads = 128;
  expect_reported<width>(Planted{error, memory.data(), count, &host},
                         size_of(2, threads, threads * sizeof(std::uint32_t)), words);
}

template <int width>
void expect_all_planted() {
  expect_planted<width>(Error::exchange_after_others_left, "has left the kernel");
  expect_planted<width>(Error::exchange_beside_a_barrier,
                        "exchanges with lane 3, but lane 3 waits at a barrier of the block");
  expect_planted<width>(Error::exchange_beside_a_warp_barrier,
                        "exchanges with lane 3, but lane 3 waits at a barrier of the warp");
  expect_planted<width>(Error::exchange_with_other_mask, "these are different calls");
  expect_planted<width>(Error::exchange_of_other_words, "lane 0 1 words with mask 1");
  expect_planted<width>(Error::loads_issued_by_some,
                        "has issued its loads, but lane 8 waits at a barrier of the warp");
  expect_planted<width>(Error::exchange_out_of_the_warp, "exchanges with mask");
  expect_planted<width>(Error::barrier_of_one_warp, "all threads of a block must call");
  expect_planted<width>(Error::barrier_of_some_lanes, "all threads of a block must call");
  expect_planted<width>(Error::warp_barrier_of_some_lanes,
                        "but lane 7 has left the kernel: all threads of a warp must call");
  expect_planted<width>(Error::write_past_shared, "past its 512 bytes of shared memory");
  expect_planted<width>(Error::write_past_global,
                        "a kernel wrote byte 1 past an allocation of 44 bytes");
  expect_planted<width>(Error::load_past_global, "past the end of an allocation of 44 bytes");
  expect_planted<width>(Error::load_misaligned, "no multiple");
  expect_planted<width>(Error::load_from_host, "no memory");
  expect_planted<width>(Error::copy_past_shared, "to byte 512 of its 512 bytes of shared memory");
  expect_planted<width>(Error::copy_misaligned, "to byte 4 of its 512 bytes of shared memory");
  expect_planted<width>(Error::copy_from_host, "no memory");
  expect_planted<width>(Error::bulk_not_expected, "where 0 are expected");
  expect_planted<width>(Error::bulk_expected_twice, "before those of the last time");
  expect_planted<width>(Error::bulk_of_a_part_of_a_line, "copies 12 bytes in bulk");
  expect_planted<width>(Error::bulk_past_global, "past the end of an allocation of 44 bytes");
  expect_planted<width>(Error::bulk_without_arrivals, "that nobody has begun");
}
TEST(Emulator, PlantedErrorsAreReported32) { expect_all_planted<32>(); }
TEST(Emulator, PlantedErrorsAreReported64) { expect_all_planted<64>(); }

TEST(Emulator, ImpossibleLaunchesAreRefused) {
  const Words<64> memory(512);
  const Sound kernel{memory.data()};
  expect_reported<64>(kernel, size_of(1, 96), "whole warps of 64");
  expect_reported<64>(kernel, size_of(1, 512), "at most the 256 threads of its kernel");
  expect_reported<64>(kernel, size_of(0, 64), "a grid of 0 blocks");
  expect_reported<64>(kernel, size_of(1, 64, 1 << 20), "bytes of shared memory");
}

TEST(Emulator, MemoryOfAnotherDeviceIsOutOfReach) {
  using P = Platform<32>;
  const Words<32> memory(16);
  P::use_device(1);
  P::launch(Planted{Error::load_past_global, memory.data(), 4, nullptr}, size_of(1, 32), nullptr);
  const Status status = P::synchronize(nullptr);
  P::use_device(0);
  EXPECT_NE(std::string::npos, std::string(status.text).find("no memory")) << status.text;
}

// Each thread copies a word to shared memory, and looks for it before and after it has waited.
struct Copies {
  static constexpr int max_threads = 64;
  std::uint32_t* words;
  template <class Group>
  void operator()(const Group& group) const {
    auto* const mine = static_cast<std::uint32_t*>(group.shared()) + group.thread();
    *mine = 1;
    group.template copy_to_shared<4>(mine, words);
    words[1 + 2 * group.thread()] = *mine;
    group.wait_for_copies();
    words[2 + 2 * group.thread()] = *mine;
  }
};
TEST(Emulator, CopiesArriveAtOnceOrWhenTheyAreWaitedFor) {
  constexpr int threads = 32;
  const Words<32> words(1 + 2 * threads);
  Platform<32>::launch(Copies{words.data()}, size_of(1, threads, threads * 4), nullptr);
  const std::vector<std::uint32_t> found = words.read();
  for (std::size_t t = 0; t < threads; ++t) {
    EXPECT_EQ(t % 2, found[1 + 2 * t]) << t;
    EXPECT_EQ(0U, found[2 + 2 * t]) << t;
  }
}

// Shared memory that nobody has written, as the first thread finds it.
struct ReadsUnwritten {
  static constexpr int max_threads = 64;
  std::uint32_t* words;
  template <class Group>
  void operator()(const Group& group) const {
    if (group.thread() == 0) {
      words[0] = static_cast<const std::uint32_t*>(group.shared())[0];
    }
  }
};
TEST(Emulator, MemoryStartsPoisoned) {
  std::set<std::uint32_t> shared;
  std::set<std::uint32_t> global;
  for (int i = 0; i < 50; ++i) {
    const Words<32> words(1);
    Platform<32>::launch(ReadsUnwritten{words.data()}, size_of(1, 32, 4), nullptr);
    shared.insert(words.read()[0]);
    void* memory = nullptr;
    std::uint32_t found = 0;
    Platform<32>::allocate(&memory, 4);
    Platform<32>::copy(&found, memory, 4);
    Platform<32>::release(memory);
    global.insert(found);
  }
  EXPECT_LT(3U, shared.size());
  EXPECT_LT(3U, global.size());
}

// Each block's number in the order of arrival, and that of each lane of the first block.
struct Arrives {
  static constexpr int max_threads = 64;
  std::uint32_t* counter;
  std::uint32_t* order;
  std::uint32_t* lane_counter;
  std::uint32_t* first_lane;
  template <class Group>
  void operator()(const Group& group) const {
    group.barrier();
    if (group.thread() == 0) {
      order[group.arrive(counter)] = static_cast<std::uint32_t>(group.block());
    }
    if (group.block() == 0 && group.arrive(lane_counter) == 0) {
      *first_lane = static_cast<std::uint32_t>(group.thread());
    }
  }
};

std::array<std::uint32_t, 5> arrival() {
  const Words<32> counters(2);
  const Words<32> order(5);
  Platform<32>::launch(
      Arrives{counters.data(), order.data(), counters.data() + 1, order.data() + 4}, size_of(4, 32),
      nullptr);
  const std::vector<std::uint32_t> found = order.read();
  std::array<std::uint32_t, 5> answer{};
  std::copy(found.begin(), found.end(), answer.begin());
  return answer;
}

TEST(Emulator, EveryOrderOfArrivalComes) {
  std::set<std::array<std::uint32_t, 4>> orders;
  std::set<std::uint32_t> first_lanes;
  for (int i = 0; i < 1000; ++i) {
    const auto found = arrival();
    orders.insert({found[0], found[1], found[2], found[3]});
    first_lanes.insert(found[4]);
  }
  EXPECT_EQ(24U, orders.size());
  EXPECT_LE(31U, first_lanes.size());  // lane 0 comes late: it has arrived elsewhere before
}

TEST(Emulator, ASeedRepeatsItself) {
  std::vector<std::array<std::uint32_t, 5>> found[3];
  for (int run = 0; run < 3; ++run) {
    machine(32).reseed(run == 2 ? 8 : 7);
    for (int i = 0; i < 20; ++i) {
      found[run].push_back(arrival());
    }
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_NE(found[0], found[2]);
}

}  // namespace
