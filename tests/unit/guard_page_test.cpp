// Nothing is read outside the array: its first or last byte touches an unmapped page, so that one
// byte too far ends the process. All sizes to 1000 and those around chunks, every host backend,
// every forced schedule that it has.
#include <csignal>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include <test_support.hpp>

namespace {

using test_support::bits_of;
using test_support::Recipe;

// Readable pages with an unmapped one on either side.
class GuardedPages {
 public:
  explicit GuardedPages(std::size_t bytes)
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        inner_((bytes + page_ - 1) / page_ * page_) {
    void* memory = mmap(nullptr, inner_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    base_ = static_cast<char*>(memory);
    if (memory == MAP_FAILED || mprotect(begin(), inner_, PROT_READ | PROT_WRITE) != 0) {
      std::abort();
    }
  }
  ~GuardedPages() { munmap(base_, inner_ + 2 * page_); }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;

  char* begin() const { return base_ + page_; }
  char* end() const { return begin() + inner_; }

 private:
  std::size_t page_;
  std::size_t inner_;
  char* base_;
};

std::vector<isofold_schedule> schedules_of(const std::string& backend) {
  std::vector<isofold_schedule> schedules{isofold_schedule{}};
  if (backend == "openmp") {
    for (int threads : {1, 3}) {
      for (int bits : {128, 256, 512}) {
        for (int streams : {1, 2}) {
          isofold_schedule schedule{};
          schedule.threads = threads;
          schedule.vector_bits = bits;
          schedule.streams = streams;
          schedules.push_back(schedule);
        }
      }
    }
  }
  return schedules;
}

class GuardPages : public testing::TestWithParam<std::string> {};

template <isofold::Fold fold, class T>
void read_between_guards(const std::string& backend) {
  using R = isofold::result_t<fold, T>;
  const std::vector<T> data = test_support::data_set<T>(Recipe::near_one, 200000);
  const GuardedPages pages(data.size() * sizeof(T));
  isofold::Reducer reducer(backend.c_str());
  for (const isofold_schedule& schedule : schedules_of(backend)) {
    const std::int64_t every = schedule.threads > 1 ? 70 : 1000;
    std::vector<std::int64_t> sizes;
    for (std::int64_t n = 0; n <= every; ++n) {
      sizes.push_back(n);
    }
    for (std::int64_t n :
         {1023, 1024, 1025, 1100, 2047, 2048, 2049, 3073, 7 * 1024 + 5, 40000, 199999}) {
      sizes.push_back(n);
    }
    for (std::int64_t n : sizes) {
      const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
      for (char* place : {pages.begin(), pages.end() - bytes}) {
        if (bytes != 0) {
          std::memcpy(place, data.data(), bytes);
        }
        R found{};
        isofold_request request =
            test_support::array_request(fold, reinterpret_cast<const T*>(place), n, &found, 0);
        request.schedule = schedule.threads == 0 ? nullptr : &schedule;
        const std::int32_t code = isofold_reduce(reducer.handle(), &request);
        if (code == ISOFOLD_unsupported) {
          break;  // this processor lacks the instruction set
        }
        ASSERT_EQ(code, ISOFOLD_ok) << isofold_last_error();
        const R expected = test_support::reference<fold>(data.data(), n);
        ASSERT_EQ(bits_of(found), bits_of(expected)) << "n = " << n;
      }
    }
  }
}

TEST_P(GuardPages, SumF32) { read_between_guards<isofold::Fold::sum, float>(GetParam()); }
TEST_P(GuardPages, SumF64) { read_between_guards<isofold::Fold::sum, double>(GetParam()); }
TEST_P(GuardPages, SumI32) { read_between_guards<isofold::Fold::sum, std::int32_t>(GetParam()); }
TEST_P(GuardPages, ProductU64) {
  read_between_guards<isofold::Fold::product, std::uint64_t>(GetParam());
}
TEST_P(GuardPages, MinimumF32) { read_between_guards<isofold::Fold::minimum, float>(GetParam()); }
TEST_P(GuardPages, MaximumU32) {
  read_between_guards<isofold::Fold::maximum, std::uint32_t>(GetParam());
}

TEST_P(GuardPages, SumF16) {
  read_between_guards<isofold::Fold::sum, isofold::float16>(GetParam());
}
TEST_P(GuardPages, MinimumBf16) {
  read_between_guards<isofold::Fold::minimum, isofold::bfloat16>(GetParam());
}
TEST_P(GuardPages, SumI8) { read_between_guards<isofold::Fold::sum, std::int8_t>(GetParam()); }

// Rows end at the guard too, and neither the gap nor what follows the last row may be read.
TEST_P(GuardPages, Rows) {
  const std::vector<float> data = test_support::data_set<float>(Recipe::uniform, 4000);
  isofold::Reducer reducer(GetParam().c_str());
  for (std::int64_t length : {1, 5, 63, 64, 65, 100, 1000, 1025, 1900}) {
    const std::int64_t stride = length + 7;
    const auto count = static_cast<std::size_t>(stride + length);
    const GuardedPages pages(count * sizeof(float));
    auto* x = reinterpret_cast<float*>(pages.end()) - count;
    std::copy_n(data.data(), count, x);
    float found[2] = {};
    reducer.sum(isofold::rows(x, 2, length, stride), found);
    EXPECT_EQ(bits_of(found[0]),
              bits_of(test_support::reference<isofold::Fold::sum>(data.data(), length)));
    EXPECT_EQ(bits_of(found[1]),
              bits_of(test_support::reference<isofold::Fold::sum>(data.data() + stride, length)));
  }
}

INSTANTIATE_TEST_SUITE_P(Host, GuardPages, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

// The control: one element too far does end the process.
TEST(GuardPagesDeathTest, OneElementTooFarIsCaught) {
  const GuardedPages pages(100 * sizeof(float));
  isofold::Reducer reducer(isofold::Backend::reference);
  const auto* last = reinterpret_cast<const float*>(pages.end()) - 99;
  const auto* before = reinterpret_cast<const float*>(pages.begin()) - 1;
  EXPECT_EXIT(reducer.sum(isofold::array(last, 100)), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(reducer.sum(isofold::array(before, 100)), testing::KilledBySignal(SIGSEGV), "");
}

}  // namespace
