// No hidden allocation: after reserve(), or after the first call of a size class, a call on the CPU
// allocates nothing. This program counts malloc and its kin, operator new among them.
#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include <sanitized.hpp>
#include <test_support.hpp>

namespace {
std::atomic<long> allocations{0};
}

#if defined(__GLIBC__) && !ISOFOLD_TEST_SANITIZED
#define ISOFOLD_COUNTS_ALLOCATIONS 1
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  ++allocations;
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  ++allocations;
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  ++allocations;
  *memory = __libc_memalign(alignment, bytes);
  return *memory != nullptr ? 0 : 12;
}
}
#endif

namespace {

class Allocations : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
#if !defined(ISOFOLD_COUNTS_ALLOCATIONS)
    GTEST_SKIP() << "allocations cannot be counted in this build";
#endif
  }
};

template <class Call>
long allocations_in(Call&& call) {
  const long before = allocations;
  call();
  return allocations - before;
}

constexpr std::int64_t sizes[] = {0, 1, 16, 1000, 1025, 100003, 3000001};

TEST_P(Allocations, TheSecondCallAllocatesNothing) {
  const std::vector<float> data =
      test_support::data_set<float>(test_support::Recipe::uniform, 3000001);
  isofold::Reducer reducer(GetParam().c_str());
  std::vector<float> slots(1000);
  const auto call_all = [&] {
    for (std::int64_t n : sizes) {
      slots[0] = reducer.sum(isofold::array(data.data(), n));
      reducer.maximum(isofold::array(data.data(), n), slots.data());
    }
    reducer.sum(isofold::rows(data.data(), 1000, 3000), slots.data());
  };
  call_all();
  EXPECT_EQ(allocations_in(call_all), 0);
}

TEST_P(Allocations, AfterReserveTheFirstCallAllocatesNothing) {
  const std::vector<double> data =
      test_support::data_set<double>(test_support::Recipe::uniform, 3000001);
  {
    isofold::Reducer other(GetParam().c_str());  // starts the runtime's threads, which are not ours
    static_cast<void>(other.sum(isofold::array(data.data(), 3000001)));
  }
  isofold::Reducer reducer(GetParam().c_str());
  reducer.reserve(isofold::sum, isofold::array(data.data(), 3000001));
  double sum = 0;
  EXPECT_EQ(allocations_in([&] { sum = reducer.sum(isofold::array(data.data(), 3000001)); }), 0);
  EXPECT_EQ(sum, test_support::reference<isofold::Fold::sum>(data.data(), 3000001));
}

// Shapes are gathered in rooms on the stack; only a mask is counted first, in memory of the call.
TEST_P(Allocations, AfterReserveShapesAllocateNothing) {
  const std::vector<double> data =
      test_support::data_set<double>(test_support::Recipe::uniform, 1000000);
  const std::int64_t offsets[] = {0, 7, 700000, 1000000};
  const std::vector<std::int64_t> indices(300000, 5);
  const auto inner = interior(isofold::box(data.data(), {100, 100, 100}), 1);
  const auto segments = isofold::segments(data.data(), offsets, 3, 1000000);
  const auto gather = isofold::gather(data.data(), indices.data(), 300000);
  const auto turned = isofold::box(data.data(), {100, 100, 100}, {1, 100, 10000});
  std::vector<double> out(10000);
  {
    isofold::Reducer other(GetParam().c_str());
    static_cast<void>(other.sum(inner));
  }
  const auto expect_none = [&](auto shape) {
    isofold::Reducer reducer(GetParam().c_str());
    reducer.reserve(isofold::sum, shape);
    EXPECT_EQ(allocations_in([&] { reducer.sum(shape, out.data()); }), 0);
  };
  expect_none(inner);
  expect_none(over(inner, {0, 2}));
  expect_none(over(turned, {2}));        // whose results take workspace
  expect_none(over(turned, {0, 1, 2}));  // and whose chunks' states
  expect_none(segments);
  expect_none(gather);
}

// Refusals allocate nothing either: they may come from memory that ran out.
TEST_P(Allocations, ARefusalAllocatesNothing) {
  float result = 0;
  isofold::Reducer reducer(GetParam().c_str());
  isofold_request request = test_support::array_request(
      isofold::Fold::sum, static_cast<const float*>(nullptr), 5, &result);
  isofold_reduce(reducer.handle(), &request);
  EXPECT_EQ(allocations_in([&] { isofold_reduce(reducer.handle(), &request); }), 0);
}

INSTANTIATE_TEST_SUITE_P(Host, Allocations, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

// The control: an allocation is counted, in this program and inside the library.
TEST(AllocationsControl, AllocationsAreCounted) {
#if defined(ISOFOLD_COUNTS_ALLOCATIONS)
  EXPECT_GE(allocations_in([] {
              std::vector<int> some(100);
              EXPECT_EQ(some[7], 0);
            }),
            1);
  EXPECT_GE(allocations_in([] { isofold::Reducer reducer(isofold::Backend::reference); }), 1);
#endif
}

}  // namespace
