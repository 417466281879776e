// Distinct Reducers in distinct threads are always safe, inside parallel regions too, nested ones
// included; Reducers move; limits on threads change no bit, and neither do runtimes that grant
// fewer.
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#if defined(_OPENMP)
#include <omp.h>
#endif

#include <host_entries.hpp>
#include <test_support.hpp>

namespace {

using test_support::bits_of;
using test_support::Recipe;

constexpr std::int64_t lengths[] = {1, 1000, 5000, 100003, 600001};

struct Expected {
  std::vector<float> data = test_support::data_set<float>(Recipe::uniform, 600001);
  std::vector<float> sums;
  Expected() {
    for (std::int64_t n : lengths) {
      sums.push_back(test_support::reference<isofold::Fold::sum>(data.data(), n));
    }
  }
};
const Expected& expected() {
  static const Expected value;
  return value;
}

class Threads : public testing::TestWithParam<std::string> {};

// Reduces all lengths some times with a Reducer of its own; counts what is wrong.
int wrong_results(const std::string& backend, int times) {
  isofold::Reducer reducer(backend.c_str());
  int wrong = 0;
  for (int i = 0; i < times; ++i) {
    for (std::size_t s = 0; s < std::size(lengths); ++s) {
      const float found = reducer.sum(isofold::array(expected().data.data(), lengths[s]));
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
      EXPECT_EQ(bits_of(reducer.sum(isofold::array(expected().data.data(), lengths[4]))),
                bits_of(expected().sums[4]));
    }).join();
  }
}

TEST_P(Threads, MovedReducersWork) {
  isofold::Reducer first(GetParam().c_str());
  EXPECT_EQ(bits_of(first.sum(isofold::array(expected().data.data(), lengths[2]))),
            bits_of(expected().sums[2]));
  isofold::Reducer second(std::move(first));
  EXPECT_EQ(bits_of(second.sum(isofold::array(expected().data.data(), lengths[3]))),
            bits_of(expected().sums[3]));
  isofold::Reducer third(isofold::Backend::reference);
  third = std::move(second);
  EXPECT_EQ(bits_of(third.sum(isofold::array(expected().data.data(), lengths[1]))),
            bits_of(expected().sums[1]));
  EXPECT_EQ(third.backend(), GetParam());
  std::vector<isofold::Reducer> many;
  for (int i = 0; i < 10; ++i) {
    many.emplace_back(GetParam().c_str());
  }
  for (isofold::Reducer& reducer : many) {
    EXPECT_EQ(bits_of(reducer.sum(isofold::array(expected().data.data(), lengths[4]))),
              bits_of(expected().sums[4]));
  }
}

TEST_P(Threads, ALimitOnThreadsChangesNoBit) {
  for (std::int32_t most : {1, 2, 3, 7, 64}) {
    isofold::Reducer reducer(GetParam().c_str(), isofold::Options{}.threads(most));
    for (std::size_t s = 0; s < std::size(lengths); ++s) {
      float found = 0;
      isofold_schedule ran{};
      isofold_request request = test_support::array_request(
          isofold::Fold::sum, expected().data.data(), lengths[s], &found);
      request.ran = &ran;
      ASSERT_EQ(isofold_reduce(reducer.handle(), &request), ISOFOLD_ok);
      EXPECT_EQ(bits_of(found), bits_of(expected().sums[s]));
      EXPECT_LE(ran.threads, most);
      EXPECT_GE(ran.threads, 1) << "what ran is not reported";
    }
  }
}

// Short rows go to a thread each, long ones to all: the last of them, too.
TEST_P(Threads, LongRowsAmongShortOnes) {
  const float* const x = expected().data.data();
  const std::int64_t offsets[] = {0, 1000, 300000, 300005, 600001};
  isofold::Reducer reducer(GetParam().c_str(), isofold::Options{}.threads(3));
  float found[4] = {};
  reducer.sum(isofold::segments(x, offsets, 4), found);
  for (int row = 0; row < 4; ++row) {
    const std::int64_t n = offsets[row + 1] - offsets[row];
    EXPECT_EQ(bits_of(found[row]),
              bits_of(test_support::reference<isofold::Fold::sum>(x + offsets[row], n)))
        << "row " << row;
  }
}

// ---- every entry point, from many threads at once -----------------------------------------------

using fault_sweep::Entry;
using fault_sweep::Scene;

class EntryPoints {
 public:
  explicit EntryPoints(std::string backend) : backend_(std::move(backend)), data_(backend_) {
    host_entries::large();
    fault_sweep::Data reference_data("reference");
    for (const Entry& entry : host_entries::every_entry()) {
      Scene scene("reference", reference_data, nullptr);
      EXPECT_EQ(0, run(entry, scene));
      wanted_[entry.name] = scene.results();
    }
  }
  // Runs all of them, each on a Reducer of its own, from the `first` on; counts what is wrong.
  int wrong(std::size_t first) {
    const auto entries = host_entries::every_entry();  // a thread's own: they have a state
    int wrong = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Entry& entry = entries[(first + i) % entries.size()];
      Scene scene(backend_, data_, nullptr);
      wrong += run(entry, scene);
      wrong += scene.results() != wanted_.at(entry.name) ? 1 : 0;
    }
    return wrong;
  }
  std::size_t count() const { return wanted_.size(); }

 private:
  static int run(const Entry& entry, Scene& scene) {
    int errors = 0;
    for (const auto& step : {entry.prepare, entry.call, entry.finish}) {
      errors += fault_sweep::run(step, scene).code != isofold::Code::ok ? 1 : 0;
    }
    return errors;
  }

  std::string backend_;
  fault_sweep::Data data_;
  std::map<std::string, std::vector<unsigned char>> wanted_;
};

TEST_P(Threads, EveryEntryPointFromManyThreadsAtOnce) {
  EntryPoints points(GetParam());
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 20; ++t) {
    threads.emplace_back([&, t] { wrong += points.wrong(5 * t); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(0, wrong) << "of " << points.count() << " entry points, each from 20 threads";
}

// A shared handle needs one thing: one thread at a time.
TEST_P(Threads, AReducerTakenInTurns) {
  isofold::Reducer reducer(GetParam().c_str());
  std::mutex mutex;
  std::atomic<int> wrong{0};
  expected();
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&] {
      for (std::size_t s = 0; s < std::size(lengths); ++s) {
        const std::lock_guard lock(mutex);
        const float found = reducer.sum(isofold::array(expected().data.data(), lengths[s]));
        wrong += bits_of(found) != bits_of(expected().sums[s]);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(0, wrong);
}

// Pieces that come without a Reducer: each thread has one of its own.
TEST_P(Threads, ForestsOfManyThreads) {
  using Forest = isofold::Forest<isofold::Fold::sum, float>;
  constexpr std::int64_t n = lengths[4];
  constexpr std::int64_t pieces = 16;
  std::vector<Forest> forests(pieces, Forest(n));
  expected();
  std::vector<std::thread> threads;
  for (std::int64_t t = 0; t < pieces; ++t) {
    threads.emplace_back([&, t] {
      const std::int64_t first = t * n / pieces;
      forests[static_cast<std::size_t>(t)].add(expected().data.data() + first, first,
                                               (t + 1) * n / pieces - first);
    });
  }
  Forest all(n);
  for (std::size_t t = 0; t < pieces; ++t) {
    threads[t].join();
    all.merge(forests[t]);
  }
  EXPECT_EQ(bits_of(expected().sums[4]), bits_of(all.finish()));
}

// A schedule may ask for more threads than the runtime grants: nobody waits for the others' share.
TEST_P(Threads, MoreThreadsThanAreGranted) {
  isofold::Reducer reducer(GetParam().c_str());
  for (std::int32_t asked : {2, 5, 16, 100}) {
    for (std::size_t s = 0; s < std::size(lengths); ++s) {
      float found = 0;
      isofold_schedule wish{};
      isofold_schedule ran{};
      wish.threads = asked;
      isofold_request request = test_support::array_request(
          isofold::Fold::sum, expected().data.data(), lengths[s], &found);
      request.schedule = &wish;
      request.ran = &ran;
      ASSERT_EQ(isofold_reduce(reducer.handle(), &request), ISOFOLD_ok) << isofold_last_error();
      EXPECT_EQ(bits_of(found), bits_of(expected().sums[s])) << asked << " threads";
      EXPECT_LE(ran.threads, asked);
#if defined(_OPENMP)
      EXPECT_LE(ran.threads, omp_get_thread_limit());
#endif
      EXPECT_GE(ran.threads, 1);
    }
  }
}

#if defined(_OPENMP)
// Regions in regions, of which the runtime runs one level or two with more than one thread.
TEST_P(Threads, EveryEntryPointInsideNestedRegions) {
  const int levels_before = omp_get_max_active_levels();
  for (const int levels : {1, 2}) {
    omp_set_max_active_levels(levels);
    EntryPoints points(GetParam());
    std::atomic<int> wrong{0};
    std::atomic<int> callers{0};
#pragma omp parallel num_threads(3)
#pragma omp parallel num_threads(2)
    { wrong += points.wrong(static_cast<std::size_t>(++callers)); }
    EXPECT_EQ(0, wrong) << levels << " active levels, " << callers << " callers";
    EXPECT_GE(callers, 1);
  }
  omp_set_max_active_levels(levels_before);
}

// A region of one thread is none to the runtime: there may be a team inside.
TEST_P(Threads, InsideARegionOfOneThread) {
  EntryPoints points(GetParam());
  int wrong = -1;
#pragma omp parallel num_threads(1)
  wrong = points.wrong(0);
  EXPECT_EQ(0, wrong);
}

// A caller that is parallel already gets its answer from one thread, and each its own.
TEST_P(Threads, InsideAParallelRegion) {
  std::atomic<int> wrong{0};
  std::atomic<int> most_threads{0};
  expected();
#pragma omp parallel num_threads(4)
  {
    isofold::Reducer reducer(GetParam().c_str());
    for (int i = 0; i < 10; ++i) {
      for (std::size_t s = 0; s < std::size(lengths); ++s) {
        float found = 0;
        isofold_schedule ran{};
        isofold_request request = test_support::array_request(
            isofold::Fold::sum, expected().data.data(), lengths[s], &found);
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
