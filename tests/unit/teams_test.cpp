// Teams where OpenMP's runtime would wait for ever or end the process: in children of fork(), and
// where threads cannot be started. The bits are the same ones. CPU quotas of containers.
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <in_child.hpp>
#include <isofold/detail/core/folds/sum.hpp>
#include <isofold/detail/cpu/quota.hpp>
#include <isofold/detail/cpu/stacks.hpp>
#include <isofold/reducer.hpp>
#include <isofold/transform_reduce.hpp>
#include <sanitized.hpp>
#include <test_support.hpp>

#if defined(_OPENMP) && !ISOFOLD_TEST_SANITIZED
namespace {

using test_support::bits_of;

// ---- threads that cannot be started: this program's pthread_create has a limit ------------------

std::atomic<int> alive{0};
std::atomic<int> most_alive{std::numeric_limits<int>::max()};
struct Started {
  void* (*run)(void*);
  void* argument;
};
void* counted(void* given) {
  const Started started = *static_cast<Started*>(given);
  delete static_cast<Started*>(given);
  void* const result = started.run(started.argument);
  --alive;
  return result;
}

}  // namespace

// The libraries call it, too.
extern "C" [[gnu::visibility("default")]] int pthread_create(pthread_t* thread,
                                                             const pthread_attr_t* attributes,
                                                             void* (*run)(void*),
                                                             void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (++alive > most_alive) {
    --alive;
    return EAGAIN;
  }
  auto* const started = new (std::nothrow) Started{run, argument};
  return started != nullptr ? create(thread, attributes, counted, started) : EAGAIN;
}

namespace {

constexpr std::int64_t n = std::int64_t{1} << 22;
const std::vector<double>& data() {
  static const std::vector<double> made =
      test_support::data_set<double>(test_support::Recipe::uniform, n);
  return made;
}
double wanted() {
  static const double sum = test_support::reference<isofold::Fold::sum>(data().data(), n);
  return sum;
}
bool right(double found) { return bits_of(found) == bits_of(wanted()); }

struct Ran {
  double sum = 0;
  int threads = 0;
};
Ran by_library(int threads) {
  isofold::Reducer reducer("openmp");
  Ran ran;
  isofold_schedule wish{};
  isofold_schedule was{};
  wish.threads = threads;
  isofold_request request =
      test_support::array_request(isofold::Fold::sum, data().data(), n, &ran.sum);
  request.schedule = &wish;
  request.ran = &was;
  EXPECT_EQ(ISOFOLD_ok, isofold_reduce(reducer.handle(), &request)) << isofold_last_error();
  ran.threads = was.threads;
  return ran;
}
double by_door(int threads) {
  omp_set_num_threads(threads);
  return isofold::transform_reduce(
      n, [](std::int64_t i) { return data()[static_cast<std::size_t>(i)]; },
      isofold::core::Sum<double>{});
}
bool right_everywhere() { return right(by_library(2).sum) && right(by_door(2)); }

// This tells whether question() is true in a child of this process.
template <class Question>
bool in_child(Question&& question) {
  return test_support::answer_of_child([&] { return question() ? 0 : 1; }) == 0;
}

TEST(Forks, ChildrenOfAProcessThatHasComputed) {
  ASSERT_TRUE(right_everywhere());
  for (int child = 0; child < 2; ++child) {
    EXPECT_TRUE(in_child(right_everywhere));
    EXPECT_TRUE(right_everywhere()) << "the parent goes on";
  }
  EXPECT_TRUE(in_child([] { return right_everywhere() && in_child(right_everywhere); }));
  EXPECT_TRUE(in_child([] { return in_child(right_everywhere); }));
}

// A team that somebody else made is one that nobody has told the library of.
TEST(Forks, ChildrenOfAProcessWithItsOwnRegions) {
  std::thread([] {
    wanted();
    int threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
    threads += 1;
    EXPECT_EQ(3, threads);
    EXPECT_TRUE(in_child(right_everywhere));
  }).join();
}

// Shapes whose indices and masks are looked at by threads, too; Reducers of the parent.
TEST(Forks, AParentsReducer) {
  isofold::Reducer reducer("openmp");
  const std::vector<unsigned char> mask(static_cast<std::size_t>(n), 1);
  const auto sum = [&] {
    return right(reducer.sum(isofold::array(data().data(), n))) &&
           right(reducer.sum(isofold::masked(isofold::box(data().data(), {n}), mask.data())));
  };
  ASSERT_TRUE(sum());
  EXPECT_TRUE(in_child(sum));
}

TEST(Limits, FewerThreadsThanAskedFor) {
  wanted();
  for (const int more : {0, 1, 2, 3, 5, 40}) {
    std::thread([more] {  // each has a team of its own
      most_alive = alive + more;
      const Ran ran = by_library(4);
      const double door = by_door(4);
      most_alive = std::numeric_limits<int>::max();
      EXPECT_TRUE(right(ran.sum)) << more;
      EXPECT_TRUE(right(door)) << more;
      EXPECT_LE(ran.threads, 1 + more);
      EXPECT_GE(ran.threads, more >= 6 ? 4 : 1) << "nothing kept it from having 4";
    })
        .join();
  }
}

// unit.teams.large_stacks runs it where two stacks of OMP_STACKSIZE have no room: OpenMP's runtime
// would end the process.
TEST(Limits, StacksOfOpenMp) {
  EXPECT_TRUE(right(by_library(4).sum));
  EXPECT_TRUE(right(by_door(4)));
}

TEST(Limits, AChildThatMayStartNone) {
  ASSERT_TRUE(right_everywhere());
  EXPECT_TRUE(in_child([] {
    most_alive = 0;
    return right_everywhere();
  }));
}

}  // namespace
#endif

namespace {

TEST(Stacks, AsOpenMpReadsThem) {
  using isofold::detail::stack_bytes;
  EXPECT_EQ(std::size_t{1} << 30, stack_bytes("1G"));
  EXPECT_EQ(std::size_t{512} << 20, stack_bytes(" 512 m "));
  EXPECT_EQ(std::size_t{2000} << 10, stack_bytes("2000"));
  EXPECT_EQ(std::size_t{64} << 10, stack_bytes("64k"));
  EXPECT_EQ(std::size_t{65536}, stack_bytes("65536B"));
  for (const char* none : {"", " ", "G", "-1", "1GB", "1T", "1.5G", "0x10", "99999999999999999999",
                           "18446744073709551615K"}) {
    EXPECT_EQ(std::size_t{0}, stack_bytes(none)) << none;
  }
  EXPECT_EQ(std::size_t{0}, stack_bytes(nullptr));
}

class Quota : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::path(testing::TempDir()) / ("quota" + std::to_string(getpid()));
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = root_ / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << '\n';
  }
  int quota() const { return isofold::detail::cpu_quota(root_.string()); }
  static constexpr int no_limit = std::numeric_limits<int>::max();

 private:
  std::filesystem::path root_;
};

TEST_F(Quota, NoGroups) { EXPECT_EQ(no_limit, quota()); }

TEST_F(Quota, Version2) {
  write("proc/self/cgroup", "0::/pods/one");
  EXPECT_EQ(no_limit, quota());
  write("sys/fs/cgroup/pods/one/cpu.max", "max 100000");
  EXPECT_EQ(no_limit, quota());
  write("sys/fs/cgroup/pods/one/cpu.max", "250000 100000");
  EXPECT_EQ(3, quota()) << "rounded up";
  write("sys/fs/cgroup/pods/cpu.max", "200000 100000");
  EXPECT_EQ(2, quota()) << "of a group above it";
  write("sys/fs/cgroup/cpu.max", "1000 100000");
  EXPECT_EQ(1, quota()) << "of the container, which is the root here";
}

TEST_F(Quota, Version1) {
  write("proc/self/cgroup", "5:cpuset:/\n4:cpu,cpuacct:/docker/0123\n0::/");
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(no_limit, quota());
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000");
  EXPECT_EQ(4, quota()) << "of the container, where the path is the host's";
  write("sys/fs/cgroup/cpu/docker/0123/cpu.cfs_quota_us", "150000");
  write("sys/fs/cgroup/cpu/docker/0123/cpu.cfs_period_us", "50000");
  EXPECT_EQ(3, quota());
}

TEST_F(Quota, Nonsense) {
  for (const char* text : {"", "::", "0:", "0::", "x", "0::relative", "0::/\n0::/\n"}) {
    write("proc/self/cgroup", text);
    for (const char* limit :
         {"", "x", "0 0", "5", "-7 100000", "100000 0", "99999999999999999999 1"}) {
      write("sys/fs/cgroup/cpu.max", limit);
      EXPECT_EQ(no_limit, quota()) << text << " " << limit;
    }
  }
}

}  // namespace
