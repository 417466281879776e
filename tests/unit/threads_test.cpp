// Distinct Reducers in distinct threads are always safe, inside a parallel region too; Reducers
// move; limits on threads change no bit.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <test_support.hpp>

namespace {

using test_support::bits_of;
using test_support::Recipe;

constexpr std::int64_t sizes[] = {1, 1000, 5000, 100003, 600001};

struct Expected {
  std::vector<float> data = test_support::data_set<float>(Recipe::uniform, 600001);
  std::vector<float> sums;
  Expected() {
    for (std::int64_t n : sizes) {
      sums.push_back(test_support::reference<isofold::Fold::sum>(data.data(), n));
    }
  }
};
const Expected& expected() {
  static const Expected value;
  return value;
}

class Threads : public testing::TestWithParam<std::string> {};

// Reduces all sizes some times with a Reducer of its own; counts what is wrong.
int wrong_results(const std::string& backend, int times) {
  isofold::Reducer reducer(backend.c_str());
  int wrong = 0;
  for (int i = 0; i < times; ++i) {
    for (std::size_t s = 0; s < std::size(sizes); ++s) {
      const float found = reducer.sum(isofold::array(expected().data.data(), sizes[s]));
      wrong += bits_of(found) != bits_of(expected().sums[s]);
    }
  }
  return wrong;
}

TEST_P(Threads, DistinctReducersInDistinctThreads) {
  std::atomic<int> wrong{0};
  expected();
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&] { wrong += wrong_results(GetParam(), 20); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(Threads, AReducerMayChangeItsThread) {
  isofold::Reducer reducer(GetParam().c_str());
  for (int t = 0; t < 5; ++t) {
    std::thread([&] {
      EXPECT_EQ(bits_of(reducer.sum(isofold::array(expected().data.data(), sizes[4]))),
                bits_of(expected().sums[4]));
    }).join();
  }
}

TEST_P(Threads, MovedReducersWork) {
  isofold::Reducer first(GetParam().c_str());
  EXPECT_EQ(bits_of(first.sum(isofold::array(expected().data.data(), sizes[2]))),
            bits_of(expected().sums[2]));
  isofold::Reducer second(std::move(first));
  EXPECT_EQ(bits_of(second.sum(isofold::array(expected().data.data(), sizes[3]))),
            bits_of(expected().sums[3]));
  isofold::Reducer third(isofold::Backend::reference);
  third = std::move(second);
  EXPECT_EQ(bits_of(third.sum(isofold::array(expected().data.data(), sizes[1]))),
            bits_of(expected().sums[1]));
  EXPECT_EQ(third.backend(), GetParam());
  std::vector<isofold::Reducer> many;
  for (int i = 0; i < 10; ++i) {
    many.emplace_back(GetParam().c_str());
  }
  for (isofold::Reducer& reducer : many) {
    EXPECT_EQ(bits_of(reducer.sum(isofold::array(expected().data.data(), sizes[4]))),
              bits_of(expected().sums[4]));
  }
}

TEST_P(Threads, ALimitOnThreadsChangesNoBit) {
  for (std::int32_t most : {1, 2, 3, 7, 64}) {
    isofold::Reducer reducer(GetParam().c_str(), isofold::Options{}.threads(most));
    for (std::size_t s = 0; s < std::size(sizes); ++s) {
      float found = 0;
      isofold_schedule ran{};
      isofold_request request =
          test_support::array_request(isofold::Fold::sum, expected().data.data(), sizes[s], &found);
      request.ran = &ran;
      ASSERT_EQ(isofold_reduce(reducer.handle(), &request), ISOFOLD_ok);
      EXPECT_EQ(bits_of(found), bits_of(expected().sums[s]));
      EXPECT_LE(ran.threads, most);
      EXPECT_GE(ran.threads, 1) << "what ran is not reported";
    }
  }
}

#if defined(_OPENMP)
// A caller that is parallel already gets its answer from one thread, and each its own.
TEST_P(Threads, InsideAParallelRegion) {
  std::atomic<int> wrong{0};
  std::atomic<int> most_threads{0};
  expected();
#pragma omp parallel num_threads(4)
  {
    isofold::Reducer reducer(GetParam().c_str());
    for (int i = 0; i < 10; ++i) {
      for (std::size_t s = 0; s < std::size(sizes); ++s) {
        float found = 0;
        isofold_schedule ran{};
        isofold_request request = test_support::array_request(
            isofold::Fold::sum, expected().data.data(), sizes[s], &found);
        request.ran = &ran;
        wrong += isofold_reduce(reducer.handle(), &request) != ISOFOLD_ok;
        wrong += bits_of(found) != bits_of(expected().sums[s]);
        if (ran.threads > most_threads) {
          most_threads = ran.threads;
        }
      }
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(most_threads, 1) << "inside a parallel region one thread reduces";
}
#endif

INSTANTIATE_TEST_SUITE_P(Host, Threads, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

}  // namespace
