// The k-th allocation fails, for every k: each call then either works or reports out_of_memory,
// everything stays as it was, nothing leaks, and the next call works. This program's malloc fails
// in the thread that asks it to, at the point that it asks for; and it counts what other threads
// allocate.
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <host_entries.hpp>
#include <sanitized.hpp>
#include <test_support.hpp>

namespace {
thread_local long until_failure = -1;  // allocations that still succeed; -1: all of them
thread_local long live = 0;            // allocations of this thread, less what it freed
thread_local bool is_caller = false;
std::atomic<bool> watching{false};
std::atomic<long> elsewhere{0};  // allocations of other threads while someone is watching
}  // namespace

#if defined(__GLIBC__) && !ISOFOLD_TEST_SANITIZED
#define ISOFOLD_FAILS_ALLOCATIONS 1
namespace {
bool fails_now() {
  elsewhere += watching && !is_caller ? 1 : 0;
  if (until_failure < 0) {
    return false;
  }
  return until_failure-- == 0;
}
void* counted(void* memory) {
  live += memory != nullptr ? 1 : 0;
  return memory;
}
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
void* malloc(std::size_t bytes) { return fails_now() ? nullptr : counted(__libc_malloc(bytes)); }
void* calloc(std::size_t count, std::size_t bytes) {
  return fails_now() ? nullptr : counted(__libc_calloc(count, bytes));
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return fails_now() ? nullptr : counted(__libc_memalign(alignment, bytes));
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  *memory = fails_now() ? nullptr : counted(__libc_memalign(alignment, bytes));
  return *memory != nullptr ? 0 : ENOMEM;
}
void free(void* memory) {
  live -= memory != nullptr ? 1 : 0;
  __libc_free(memory);
}
}
#endif

namespace {

using test_support::bits_of;

// Runs `call` with the k-th allocation failing, k = 0, 1, ... until it needs no more than k;
// returns how many k failed. `call` returns a code; `check` is run after each.
template <class Call, class Check>
int fail_each_allocation(Call&& call, Check&& check) {
  for (int k = 0; k < 2000; ++k) {
    until_failure = k;
    const std::int32_t code = call();
    const bool used_up = until_failure < 0;
    until_failure = -1;
    check(code, k);
    if (testing::Test::HasFatalFailure() || (!used_up && code == ISOFOLD_ok)) {
      return k;
    }
    EXPECT_TRUE(code == ISOFOLD_out_of_memory || code == ISOFOLD_ok)
        << "allocation " << k << ": " << isofold_code_name(code) << ", " << isofold_last_error();
  }
  ADD_FAILURE() << "there is no end to the allocations";
  return -1;
}

class OutOfMemory : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
#if !defined(ISOFOLD_FAILS_ALLOCATIONS)
    GTEST_SKIP() << "allocations cannot be made to fail in this build";
#endif
    isofold::Reducer first(GetParam().c_str());  // starts the runtime's threads, which are not ours
    static_cast<void>(first.sum(isofold::array(data_.data(), n)));
  }
  static constexpr std::int64_t n = 3000001;
  const std::vector<float> data_ = test_support::data_set<float>(test_support::Recipe::uniform, n);
  const float expected_ = test_support::reference<isofold::Fold::sum>(data_.data(), n);
};

TEST_P(OutOfMemory, MakingAReducer) {
  isofold_options options = isofold::Options{}.plain();
  options.backend = GetParam().c_str();
  isofold_reducer* reducer = nullptr;
  const int failed = fail_each_allocation(
      [&] {
        reducer = nullptr;
        return isofold_create(&options, &reducer);
      },
      [&](std::int32_t code, int k) {
        EXPECT_EQ(reducer == nullptr, code != ISOFOLD_ok) << "allocation " << k;
        isofold_destroy(reducer);
      });
  EXPECT_GE(failed, 1) << "the control: a Reducer needs memory";
}

TEST_P(OutOfMemory, Reducing) {
  for (std::int64_t count : {std::int64_t{100}, std::int64_t{100003}, n}) {
    for (int k = 0; k < 20; ++k) {
      isofold::Reducer reducer(GetParam().c_str());
      float result = -77;
      const isofold_request request =
          test_support::array_request(isofold::Fold::sum, data_.data(), count, &result);
      until_failure = k;
      const std::int32_t code = isofold_reduce(reducer.handle(), &request);
      until_failure = -1;
      if (code != ISOFOLD_ok) {
        EXPECT_EQ(code, ISOFOLD_out_of_memory) << isofold_last_error();
        EXPECT_EQ(result, -77);
        ASSERT_EQ(isofold_reduce(reducer.handle(), &request), ISOFOLD_ok) << isofold_last_error();
      }
      EXPECT_EQ(bits_of(result),
                bits_of(test_support::reference<isofold::Fold::sum>(data_.data(), count)));
    }
  }
}

TEST_P(OutOfMemory, CountingAMask) {
  const std::vector<std::uint8_t> mask(data_.size(), 1);
  isofold::Reducer reducer(GetParam().c_str());
  float result = -77;
  const int failed = fail_each_allocation(
      [&] {
        result = -77;
        const isofold::Code code = test_support::code_of(
            [&] { reducer.sum(masked(isofold::array(data_.data(), n), mask.data()), &result); });
        return static_cast<std::int32_t>(code);
      },
      [&](std::int32_t code, int k) {
        EXPECT_EQ(bits_of(result), bits_of(code == ISOFOLD_ok ? expected_ : -77)) << k;
      });
  EXPECT_GE(failed, 1) << "the control: a mask needs memory";
}

// Rows in the order of memory, whose results are elsewhere first.
TEST_P(OutOfMemory, RowsInAnotherOrderThanMemory) {
  const auto rows = over(isofold::box(data_.data(), {100, 10, 100}, {1, 100, 1000}), {2});
  std::vector<float> expected(1000);
  isofold::Reducer("reference").sum(rows, expected.data());
  int failed = 0;
  for (int k = 0; k < 10; ++k) {
    isofold::Reducer reducer(GetParam().c_str());
    std::vector<float> found(1000, -77);
    until_failure = k;
    const isofold::Code code = test_support::code_of([&] { reducer.sum(rows, found.data()); });
    until_failure = -1;
    if (code != isofold::Code::ok) {
      EXPECT_EQ(code, isofold::Code::out_of_memory) << isofold_last_error();
      EXPECT_EQ(found, std::vector<float>(1000, -77));
      reducer.sum(rows, found.data());
      ++failed;
    }
    EXPECT_EQ(found, expected) << k;
  }
  EXPECT_GE(failed, GetParam() == "openmp" ? 1 : 0) << "the control: these results take memory";
}

INSTANTIATE_TEST_SUITE_P(Host, OutOfMemory, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

// ---- every entry point --------------------------------------------------------------------------

using fault_sweep::Entry;
using fault_sweep::Scene;

class EveryEntryPoint : public OutOfMemory {
 protected:
  void SetUp() override {
    OutOfMemory::SetUp();
    is_caller = true;
    isofold_backend_reason(GetParam().c_str());  // a thread's text, kept for its next question
  }
  void TearDown() override { is_caller = false; }

  // The results of the reference, with all the memory that it wants.
  std::vector<unsigned char> wanted_of(const Entry& entry) {
    Scene scene("reference", data_of_reference_, nullptr);
    for (const auto& step : {entry.prepare, entry.call, entry.finish}) {
      EXPECT_EQ(isofold::Code::ok, fault_sweep::run(step, scene).code) << entry.name;
    }
    return scene.results();
  }
  // Each allocation of the call fails in turn; returns how many there are.
  int fail_each(const Entry& entry) {
    const auto wanted = wanted_of(entry);
    for (int k = 0; k < 200; ++k) {
      const long before = live;
      const bool failed = fail_one(entry, k, wanted);
      EXPECT_EQ(before, live) << entry.name << ", allocation " << k << " left memory behind";
      if (!failed) {
        return k;
      }
    }
    ADD_FAILURE() << entry.name << ": there is no end to the allocations";
    return 0;
  }

 private:
  bool fail_one(const Entry& entry, int k, const std::vector<unsigned char>& wanted) {
    Scene scene(GetParam(), data_, nullptr);
    EXPECT_EQ(isofold::Code::ok, fault_sweep::run(entry.prepare, scene).code) << entry.name;
    until_failure = k;
    const fault_sweep::Answer answer = fault_sweep::run(entry.call, scene);
    const bool failed = until_failure < 0;
    until_failure = -1;
    const std::string where =
        std::string(entry.name) + ", allocation " + std::to_string(k) + ": " + answer.sentence;
    const bool right_code =
        answer.code == isofold::Code::ok || (failed && answer.code == isofold::Code::out_of_memory);
    EXPECT_TRUE(right_code) << where;
    if (answer.code != isofold::Code::ok) {
      EXPECT_NE(std::string::npos, answer.sentence.find("memory")) << where;
    }
    EXPECT_EQ(isofold::Code::ok, fault_sweep::run(entry.finish, scene).code) << where;
    if (scene.reducer != nullptr) {
      const bool all = answer.code == isofold::Code::ok && entry.name != std::string("supports");
      fault_sweep::expect_nothing_wrong(scene.results(), wanted, where, all);
    }
    for (const auto& step : {entry.prepare, entry.call, entry.finish}) {
      EXPECT_EQ(isofold::Code::ok, fault_sweep::run(step, scene).code) << where << "; again";
    }
    if (scene.reducer != nullptr) {
      fault_sweep::expect_nothing_wrong(scene.results(), wanted, where + "; again", true);
    }
    return failed;
  }

  fault_sweep::Data data_{GetParam()};
  fault_sweep::Data data_of_reference_{"reference"};
};

TEST_P(EveryEntryPoint, EachAllocationFails) {
  long allocations = 0;
  const auto entries = host_entries::every_entry();
  for (const Entry& entry : entries) {
    allocations += fail_each(entry);
  }
  std::printf("%s: %zu entry points, %ld allocations\n", GetParam().c_str(), entries.size(),
              allocations);
  EXPECT_LT(10, allocations) << "the control: entry points do need memory";
}

// So none can fail there.
TEST_P(EveryEntryPoint, OtherThreadsOfTheTeamAllocateNothing) {
  fault_sweep::Data data(GetParam());
  for (const Entry& entry : host_entries::every_entry()) {
    Scene scene(GetParam(), data, nullptr);
    fault_sweep::run(entry.prepare, scene);
    elsewhere = 0;
    watching = true;
    const fault_sweep::Answer answer = fault_sweep::run(entry.call, scene);
    watching = false;
    EXPECT_EQ(isofold::Code::ok, answer.code) << entry.name << ": " << answer.sentence;
    EXPECT_EQ(0, elsewhere) << entry.name;
    if (scene.reducer == nullptr) {
      scene.open();
    }
  }
  watching = true;  // the control
  std::thread([] { std::free(std::malloc(100)); }).join();
  watching = false;
  EXPECT_LT(0, elsewhere);
}

// The Reducer that pieces without one get is made when a thread first needs it. Allocation 0 is the
// C++ runtime's, for the end of a thread_local object, and without it that ends the process.
TEST_P(EveryEntryPoint, AThreadsFirstPieceOfAForest) {
  int failed = 0;
  for (int k = 1; k < 50; ++k) {
    bool used = false;
    std::thread([&] {
      isofold_forest* forest = nullptr;
      ASSERT_EQ(ISOFOLD_ok,
                isofold_forest_create(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32, 5000, &forest));
      until_failure = k;
      const std::int32_t code =
          isofold_forest_add(forest, nullptr, host_entries::large().x.data(), 0, 5000);
      used = until_failure < 0;
      until_failure = -1;
      EXPECT_TRUE(code == (used ? ISOFOLD_out_of_memory : ISOFOLD_ok) || code == ISOFOLD_ok)
          << "allocation " << k << ": " << isofold_code_name(code) << ", " << isofold_last_error();
      if (code != ISOFOLD_ok) {
        EXPECT_EQ(ISOFOLD_ok,
                  isofold_forest_add(forest, nullptr, host_entries::large().x.data(), 0, 5000));
      }
      float sum = 0;
      EXPECT_EQ(ISOFOLD_ok, isofold_forest_finish(forest, &sum));
      EXPECT_EQ(bits_of(test_support::reference<isofold::Fold::sum>(host_entries::large().x.data(),
                                                                    5000)),
                bits_of(sum));
      isofold_forest_destroy(forest);
    }).join();
    failed += used ? 1 : 0;
  }
  EXPECT_LT(2, failed) << "the control: the first piece needs memory";
}

INSTANTIATE_TEST_SUITE_P(Host, EveryEntryPoint, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

class ForestsOutOfMemory : public testing::Test {
 protected:
  using F = isofold::Forest<isofold::Fold::sum, float>;
  static constexpr std::int64_t n = 40000;

  void SetUp() override {
#if !defined(ISOFOLD_FAILS_ALLOCATIONS)
    GTEST_SKIP() << "allocations cannot be made to fail in this build";
#endif
  }
  static std::vector<unsigned char> bytes_of(const isofold_forest* forest) {
    std::size_t bytes = 0;
    isofold_forest_to_bytes(forest, nullptr, &bytes);
    std::vector<unsigned char> memory(bytes);
    EXPECT_EQ(isofold_forest_to_bytes(forest, memory.data(), &bytes), ISOFOLD_ok);
    return memory;
  }
  isofold_forest* forest_of(std::initializer_list<std::pair<int, int>> pieces) {
    isofold_forest* forest = nullptr;
    EXPECT_EQ(isofold_forest_create(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32, n, &forest), ISOFOLD_ok);
    for (const auto& [first, last] : pieces) {
      EXPECT_EQ(
          isofold_forest_add(forest, reducer_.handle(), data_.data() + first, first, last - first),
          ISOFOLD_ok);
    }
    return forest;
  }
  // Applies `change` to a Forest while each allocation fails in turn; a failure changes nothing.
  template <class Change>
  void fails_without_a_trace(Change&& change) {
    isofold_forest* target = forest_of({{100, 5000}, {9000, 9100}, {20000, 20010}});
    const std::vector<unsigned char> before = bytes_of(target);
    const int failed = fail_each_allocation([&] { return change(target); },
                                            [&](std::int32_t code, int k) {
                                              if (code != ISOFOLD_ok) {
                                                EXPECT_EQ(bytes_of(target), before)
                                                    << "allocation " << k
                                                    << " failed and changed the Forest";
                                              }
                                            });
    EXPECT_GE(failed, 1) << "the control: this needs memory";
    isofold_forest_destroy(target);
  }

  const std::vector<float> data_ = test_support::data_set<float>(test_support::Recipe::uniform, n);
  isofold::Reducer reducer_{isofold::Backend::reference};
};

TEST_F(ForestsOutOfMemory, Adding) {
  fails_without_a_trace([&](isofold_forest* forest) {
    return isofold_forest_add(forest, reducer_.handle(), data_.data() + 9100, 9100, 10900);
  });
}

TEST_F(ForestsOutOfMemory, Merging) {
  isofold_forest* other = forest_of({{0, 100}, {5000, 9000}, {9100, 20000}, {30000, 30001}});
  fails_without_a_trace(
      [&](isofold_forest* forest) { return isofold_forest_merge(forest, other); });
  isofold_forest_destroy(other);
}

TEST_F(ForestsOutOfMemory, MakingCopyingAndReading) {
  isofold_forest* forest = forest_of({{100, 5000}, {9000, 20000}});
  const std::vector<unsigned char> bytes = bytes_of(forest);
  isofold_forest* made = nullptr;
  const auto destroy = [&](std::int32_t code, int) {
    EXPECT_EQ(made == nullptr, code != ISOFOLD_ok);
    isofold_forest_destroy(made);
    made = nullptr;
  };
  EXPECT_GE(fail_each_allocation(
                [&] { return isofold_forest_create(ISOFOLD_FOLD_sum, ISOFOLD_TYPE_f32, n, &made); },
                destroy),
            1);
  EXPECT_GE(fail_each_allocation([&] { return isofold_forest_copy(forest, &made); }, destroy), 1);
  EXPECT_GE(
      fail_each_allocation(
          [&] { return isofold_forest_from_bytes(bytes.data(), bytes.size(), &made); }, destroy),
      1);
  isofold_forest_destroy(forest);
}

TEST_F(ForestsOutOfMemory, Writing) {
  isofold_forest* forest = forest_of({{100, 5000}, {9000, 20000}});
  const std::vector<unsigned char> wanted = bytes_of(forest);
  std::vector<unsigned char> written(wanted.size());
  const int failed = fail_each_allocation(
      [&] {
        std::size_t bytes = written.size();
        return isofold_forest_to_bytes(forest, written.data(), &bytes);
      },
      [&](std::int32_t code, int k) {
        EXPECT_TRUE(code != ISOFOLD_ok || written == wanted) << "allocation " << k;
        std::fill(written.begin(), written.end(), std::uint8_t{0});
      });
  EXPECT_GE(failed, 1);
  isofold_forest_destroy(forest);
}

// The sentence names what is missing, which takes memory; the result stays as it was.
TEST_F(ForestsOutOfMemory, FinishingTooEarly) {
  isofold_forest* forest = forest_of({{100, 5000}, {9000, 20000}});
  float result = -77;
  int failed = 0;
  for (int k = 0; k < 50; ++k) {
    until_failure = k;
    const std::int32_t code = isofold_forest_finish(forest, &result);
    failed += until_failure < 0 ? 1 : 0;
    EXPECT_EQ(until_failure < 0 ? ISOFOLD_out_of_memory : ISOFOLD_incomplete, code) << k;
    until_failure = -1;
  }
  EXPECT_GE(failed, 1);
  EXPECT_EQ(-77, result);
  isofold_forest_destroy(forest);
}

}  // namespace
