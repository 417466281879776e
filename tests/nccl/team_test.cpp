// isofold/nccl.hpp over emulated GPUs and a pretend NCCL: any number of GPUs and any cut have the
// bits of one Reducer of the whole; errors are the same on all ranks, and the next call works.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <isofold/nccl.hpp>

#include <simulator/machine.hpp>

namespace {

namespace f = isofold;
using f::array;
using f::exact;
using f::fuse;
using f::Reducer;
using f::nccl::Member;
using f::nccl::part;
using f::nccl::request;
using f::nccl::Team;

constexpr const char* backend = "simt32";

std::string bits(double value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  return {bytes, sizeof value};
}

// Elements on an emulated GPU.
template <class T>
struct OnGpu {
  f::Buffer memory;
  std::int64_t count;
  OnGpu(const std::vector<T>& all, std::int64_t begin, std::int64_t end, int device)
      : memory(backend,
               static_cast<std::size_t>(std::max<std::int64_t>(end - begin, 1)) * sizeof(T),
               device),
        count(end - begin) {
    if (count > 0) {
      memory.copy_from(all.data() + begin, static_cast<std::size_t>(count) * sizeof(T));
    }
  }
  [[nodiscard]] auto view() const { return array(static_cast<const T*>(memory.data()), count); }
};

struct Gpus {
  std::vector<pretend::Comm> comms;
  std::vector<std::unique_ptr<Reducer>> reducers;
  std::vector<Member> members;
  explicit Gpus(int count) : comms(pretend::communicators(count)) {
    for (int g = 0; g < count; ++g) {
      auto& comm = comms[static_cast<std::size_t>(g)];
      reducers.push_back(std::make_unique<Reducer>(backend, f::Options{}.device(comm.device)));
      int before = 0;
      f::simt::machine(32).current_device(&before);
      f::simt::machine(32).use_device(comm.device);
      members.push_back({&comm, reducers.back().get(), f::simt::machine(32).create_stream()});
      f::simt::machine(32).use_device(before);
    }
  }
  ~Gpus() {
    reducers.clear();
    for (const Member& member : members) {
      f::simt::machine(32).destroy_stream(member.stream);
    }
  }
  Gpus(const Gpus&) = delete;
  Gpus& operator=(const Gpus&) = delete;
};

std::vector<double> field(std::mt19937_64& random, std::int64_t count, int family) {
  std::vector<double> made(static_cast<std::size_t>(count));
  for (double& x : made) {
    const double fraction = static_cast<double>(random() >> 11) / 9007199254740992.0 - 0.5;
    x = std::ldexp(fraction, family == 1 ? static_cast<int>(random() % 400) - 200 : 0);
    x = family == 2 ? -std::abs(x) : x;
  }
  return made;
}
// Cuts, of which some parts are empty.
std::vector<std::int64_t> cuts(std::mt19937_64& random, std::int64_t total, int parts) {
  std::vector<std::int64_t> at{0, total};
  for (int i = 1; i < parts; ++i) {
    at.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(total + 1)));
  }
  std::sort(at.begin(), at.end());
  return at;
}

class OnGpus : public testing::TestWithParam<int> {};

TEST_P(OnGpus, AnyCutHasTheBitsOfTheWhole) {
  const int count = GetParam();
  std::mt19937_64 random(17);
  Reducer whole("reference");
  Gpus gpus(count);
  Team team(gpus.members);
  ASSERT_EQ(count, team.size());
  for (int family = 0; family < 3; ++family) {
    const std::int64_t total = 1 + static_cast<std::int64_t>(random() % 3000);
    auto x = field(random, total, family);
    x[static_cast<std::size_t>(total / 2)] = family == 1 ? std::nan("") : x.front();
    const auto y = field(random, total, 0);
    std::vector<std::int64_t> whole_numbers(x.size());
    for (std::int64_t& number : whole_numbers) {
      number = static_cast<std::int64_t>(random());
    }
    std::vector<float> singles(y.begin(), y.end());
    const auto at = cuts(random, total, count);
    std::vector<std::unique_ptr<OnGpu<double>>> xs;
    std::vector<std::unique_ptr<OnGpu<double>>> ys;
    std::vector<std::unique_ptr<OnGpu<std::int64_t>>> ns;
    std::vector<std::unique_ptr<OnGpu<float>>> ss;
    for (std::size_t g = 0; g < static_cast<std::size_t>(count); ++g) {
      const int device = gpus.comms[g].device;
      xs.push_back(std::make_unique<OnGpu<double>>(x, at[g], at[g + 1], device));
      ys.push_back(std::make_unique<OnGpu<double>>(y, at[g], at[g + 1], device));
      ns.push_back(std::make_unique<OnGpu<std::int64_t>>(whole_numbers, at[g], at[g + 1], device));
      ss.push_back(std::make_unique<OnGpu<float>>(singles, at[g], at[g + 1], device));
    }
    auto call = team.prepare_each([&](int member) {
      const auto g = static_cast<std::size_t>(member);
      return std::tuple(
          request(fuse(exact(f::sum), f::minimum, f::count_nan, f::any, exact(f::mean)),
                  xs[g]->view()),
          request(f::dot, exact(xs[g]->view()), exact(ys[g]->view())),
          request(f::argmax, part(xs[g]->view(), at[g], total)),
          request(fuse(f::sum, f::bit_xor), ns[g]->view()), request(f::sum, exact(ss[g]->view())));
    });
    for (int again = 0; again < 2; ++again) {
      const auto [folds, dot, place, integers, single] = call.results();
      EXPECT_EQ(bits(whole.sum(exact(x))), bits(std::get<0>(folds)));
      EXPECT_EQ(bits(whole.minimum(x)), bits(std::get<1>(folds)));
      EXPECT_EQ(whole.count_nan(x), std::get<2>(folds));
      EXPECT_EQ(whole.any(x), std::get<3>(folds));
      EXPECT_EQ(bits(whole.mean(exact(x))), bits(std::get<4>(folds)));
      EXPECT_EQ(bits(whole.dot(exact(x), exact(y))), bits(dot));
      EXPECT_EQ(whole.argmax(x).index, place.index);
      EXPECT_EQ(bits(whole.argmax(x).value), bits(place.value));
      EXPECT_EQ(whole.sum(whole_numbers), std::get<0>(integers));
      EXPECT_EQ(whole.bit_xor(whole_numbers), std::get<1>(integers));
      EXPECT_EQ(whole.sum(exact(singles)), single);
      // The elements change; the prepared call reads them as they are then.
      x.front() = 3.5;
      for (std::size_t g = 0; g < xs.size(); ++g) {
        if (at[g] == 0 && at[g + 1] > 0) {
          xs[g]->memory.copy_from(x.data(),
                                  static_cast<std::size_t>(xs[g]->count) * sizeof(double));
        }
      }
      call.enqueue();
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Gpus, OnGpus, testing::Values(1, 2, 4, 8));

// A rank each in a thread of its own, as processes are: what every one throws.
template <class Call>
std::vector<std::string> sentences(int count, Call&& call) {
  Gpus gpus(count);
  std::vector<std::string> said(static_cast<std::size_t>(count));
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < count; ++rank) {
    ranks.emplace_back([&, rank] {
      Team team(gpus.members[static_cast<std::size_t>(rank)]);
      try {
        call(team, rank);
      } catch (const f::Error& error) {
        said[static_cast<std::size_t>(rank)] = error.what();
      }
      const OnGpu<double> ones({1, 1}, 0, 2, gpus.comms[static_cast<std::size_t>(rank)].device);
      EXPECT_EQ(2.0 * count, team.prepare(f::sum, exact(ones.view())).results())
          << "the call behind a fault";
    });
  }
  for (std::thread& rank : ranks) {
    rank.join();
  }
  for (const std::string& sentence : said) {
    EXPECT_EQ(said.front(), sentence);
  }
  return said;
}

void expect_part(const std::vector<std::string>& said, const char* wanted) {
  EXPECT_NE(std::string::npos, said.front().find(wanted)) << said.front();
}

TEST(Faults, OneSentenceOnAllRanks) {
  const std::vector<double> x{1, 2, 3, 4};
  expect_part(sentences(3,
                        [&](Team& team, int rank) {
                          const OnGpu<double> mine(x, 0, 4, rank % 2);
                          rank == 1 ? (void)team.prepare(f::minimum, mine.view())
                                    : (void)team.prepare(f::sum, exact(mine.view()));
                        }),
              "and rank 1 for minimum over f64");
  expect_part(sentences(3,
                        [&](Team& team, int rank) {
                          const OnGpu<double> mine(x, 0, 4, rank % 2);
                          const OnGpu<float> other({1, 2}, 0, 2, rank % 2);
                          rank == 2 ? (void)team.prepare(f::sum, exact(other.view()))
                                    : (void)team.prepare(f::sum, exact(mine.view()));
                        }),
              "and rank 2 for sum by exact_v1 over f32");
  // A rank whose memory is the host's.
  expect_part(sentences(2,
                        [&](Team& team, int rank) {
                          const OnGpu<double> mine(x, 0, 4, rank % 2);
                          (void)team.prepare(f::sum,
                                             exact(rank == 1 ? array(x.data(), 4) : mine.view()));
                        }),
              "Rank 1 of 2: ");
  expect_part(sentences(2,
                        [&](Team& team, int rank) {
                          const OnGpu<double> mine(x, 0, 4, rank % 2);
                          (void)team.prepare(f::argmax, part(mine.view(), 4 * rank, 9));
                        }),
              "there is a gap, or two ranks have the same element");
  expect_part(sentences(2,
                        [&](Team& team, int rank) {
                          const OnGpu<double> mine(x, 0, 4, rank % 2);
                          (void)team.prepare(f::sum, mine.view());
                        }),
              "depends on the order of the elements");
  // Found by a kernel: a sum of integers that does not fit.
  const std::vector<std::int64_t> large(2, std::numeric_limits<std::int64_t>::max());
  expect_part(sentences(2,
                        [&](Team& team, int rank) {
                          const OnGpu<std::int64_t> mine(large, 0, 2, rank % 2);
                          (void)team.prepare(f::sum, exact(mine.view()));
                        }),
              "does not fit in 64 bits");
}

TEST(Faults, AnEmptyGpuAndANanAreNone) {
  const std::vector<double> x{1, std::nan(""), -3};
  const auto said = sentences(2, [&](Team& team, int rank) {
    const OnGpu<double> mine(x, 0, rank == 0 ? 3 : 0, rank % 2);
    auto call = team.prepare(fuse(exact(f::sum), f::minimum, f::count_nan), mine.view());
    const auto [sum, least, nans] = call.results();
    EXPECT_TRUE(std::isnan(sum) && std::isnan(least));
    EXPECT_EQ(1, nans);
    auto place = team.prepare(f::argmax, part(mine.view(), rank == 0 ? 0 : 3, 3));
    EXPECT_EQ(1, place.results().index);
    const OnGpu<double> nothing(x, 0, 0, rank % 2);
    EXPECT_EQ(0, team.prepare(f::sum, exact(nothing.view())).results());
  });
  EXPECT_EQ("", said.front());
}

TEST(Teams, NeedMembersWithABackend) {
  EXPECT_THROW(Team(std::vector<Member>{}), f::Error);
  Gpus gpus(1);
  Reducer any;
  EXPECT_THROW(Team({gpus.members[0].comm, &any, nullptr}), f::Error);
}

}  // namespace
