// Nothing is read outside the array: its first or last byte touches an unmapped page, so that one
// byte too far ends the process. All sizes to 1000 and those around chunks, every host backend,
// every forced schedule that it has. Boxes, masks, segments, gathers and batches likewise.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include <sanitized.hpp>
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
        for (int streams : {1, 2, 3}) {
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
TEST_P(GuardPages, ProductC64) {
  read_between_guards<isofold::Fold::product, isofold_c64>(GetParam());
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

// A copy of `x` that ends at the guard behind `pages`, or begins at the one before them.
template <class T>
T* place_at_end(const GuardedPages& pages, const std::vector<T>& x) {
  return std::copy(x.begin(), x.end(), reinterpret_cast<T*>(pages.end()) - x.size()) - x.size();
}
template <class T>
T* place_at_begin(const GuardedPages& pages, const std::vector<T>& x) {
  return std::copy(x.begin(), x.end(), reinterpret_cast<T*>(pages.begin())) - x.size();
}

// With one thread and with several, against the same shape without guards.
template <class Shape>
void expect_same_sums(const std::string& backend, Shape guarded, Shape open, std::size_t rows) {
  for (int threads : {1, 3}) {
    isofold::Reducer reducer(backend.c_str(), isofold::Options{}.threads(threads));
    std::vector<float> found(rows);
    std::vector<float> expected(rows);
    reducer.sum(guarded, found.data());
    reducer.sum(open, expected.data());
    for (std::size_t r = 0; r < rows; ++r) {
      EXPECT_EQ(bits_of(found[r]), bits_of(expected[r])) << "row " << r;
    }
  }
}

// The first and the last element of each box touch a guard: strides reach no further.
TEST_P(GuardPages, Boxes) {
  const std::vector<float> all = test_support::data_set<float>(Recipe::uniform, 200000);
  for (std::int64_t n : {1, 5, 64, 1000, 1025}) {
    const auto count = static_cast<std::size_t>(16 * 3 * n + 7 * 3 + 2 * (n - 1) + 1);
    const std::vector<float> x(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
    const GuardedPages pages(count * sizeof(float));
    for (bool at_end : {true, false}) {
      SCOPED_TRACE(n);
      const float* data = at_end ? place_at_end(pages, x) : place_at_begin(pages, x);
      const auto forwards = [&](const float* first) {
        return isofold::box(first, {17, 8, n}, {3 * n, 3, 2});
      };
      const auto backwards = [&](const float* first) {
        return isofold::box(first + count - 1, {17, 8, n}, {-3 * n, -3, -2});
      };
      expect_same_sums(GetParam(), forwards(data), forwards(x.data()), 1);
      expect_same_sums(GetParam(), backwards(data), backwards(x.data()), 1);
      expect_same_sums(GetParam(), over(forwards(data), {0, 2}), over(forwards(x.data()), {0, 2}),
                       8);
      // Lines in turns, which end where the data do.
      const auto lines = [&](const float* first) {
        return over(isofold::box(first + count - 16 * n, {4, 4, n}, {4 * n, n, 1}), {0, 2});
      };
      expect_same_sums(GetParam(), lines(data), lines(x.data()), 4);
    }
  }
}

// A mask whose last byte, or last bit's byte, is the last that can be read.
TEST_P(GuardPages, Masks) {
  for (std::int64_t n : {1, 7, 8, 9, 64, 4095, 4096, 4097, 30001}) {
    SCOPED_TRACE(n);
    const std::vector<float> x = test_support::data_set<float>(Recipe::uniform, n);
    const std::vector<std::uint8_t> bytes(static_cast<std::size_t>(n), 1);
    const std::vector<std::uint8_t> bits(static_cast<std::size_t>((n + 7) / 8), 0xff);
    const GuardedPages data_pages(x.size() * sizeof(float));
    const GuardedPages byte_pages(bytes.size());
    const GuardedPages bit_pages(bits.size());
    const auto data = isofold::array<float>(place_at_end(data_pages, x), n);
    const auto open = isofold::array(x.data(), n);
    expect_same_sums(GetParam(), masked(data, place_at_end(byte_pages, bytes)),
                     masked(open, bytes.data()), 1);
    expect_same_sums(GetParam(), masked_by_bits(data, place_at_end(bit_pages, bits)),
                     masked_by_bits(open, bits.data()), 1);

    // Strided masks: backwards from the last byte, and that byte for all elements.
    const std::uint8_t* const entries = place_at_end(byte_pages, bytes);
    const auto line = isofold::box(data.data, {n});
    const auto open_line = isofold::box(x.data(), {n});
    for (const std::int64_t stride : {-1, 0}) {
      expect_same_sums(GetParam(), masked(line, isofold::box(entries + n - 1, {n}, {stride})),
                       masked(open_line, isofold::box(bytes.data() + n - 1, {n}, {stride})), 1);
    }
  }
}

// Data and indices end at a guard each; the last segment is the last of the data, and the first
// one, empty, begins there too.
TEST_P(GuardPages, SegmentsAndGathers) {
  for (std::int64_t n : {1, 63, 1024, 1025, 30001}) {
    SCOPED_TRACE(n);
    const std::vector<float> x = test_support::data_set<float>(Recipe::uniform, n);
    const std::vector<std::int32_t> offsets{0, 0, static_cast<std::int32_t>(n / 3),
                                            static_cast<std::int32_t>(n)};
    const std::vector<std::int64_t> begins{n, 0, n - 1};
    const std::vector<std::int64_t> ends{n, n, n};
    std::vector<std::int64_t> indices;
    for (std::int64_t i = 0; i < n; ++i) {
      indices.push_back(n - 1 - i);
    }
    const GuardedPages data_pages(x.size() * sizeof(float));
    const GuardedPages offset_pages(offsets.size() * sizeof(std::int32_t));
    const GuardedPages begin_pages(begins.size() * sizeof(std::int64_t));
    const GuardedPages end_pages(ends.size() * sizeof(std::int64_t));
    const GuardedPages index_pages(indices.size() * sizeof(std::int64_t));
    const float* data = place_at_end(data_pages, x);
    const std::int32_t* guarded_offsets = place_at_end(offset_pages, offsets);
    const std::int64_t* guarded_begins = place_at_end(begin_pages, begins);
    const std::int64_t* guarded_ends = place_at_end(end_pages, ends);
    const std::int64_t* guarded_indices = place_at_end(index_pages, indices);
    expect_same_sums(GetParam(), isofold::segments(data, guarded_offsets, 3),
                     isofold::segments(x.data(), offsets.data(), 3), 3);
    expect_same_sums(GetParam(), isofold::segments(data, guarded_begins, guarded_ends, 3),
                     isofold::segments(x.data(), begins.data(), ends.data(), 3), 3);
    expect_same_sums(GetParam(), isofold::gather(data, guarded_indices, n),
                     isofold::gather(x.data(), indices.data(), n), 1);
    const std::vector<const float*> arrays{data + n - 1, data};
    const std::vector<const float*> open_arrays{x.data() + n - 1, x.data()};
    const std::vector<std::int64_t> lengths{1, n};
    const GuardedPages array_pages(arrays.size() * sizeof(const float*));
    const GuardedPages length_pages(lengths.size() * sizeof(std::int64_t));
    const float* const* guarded_arrays = place_at_end(array_pages, arrays);
    const std::int64_t* guarded_lengths = place_at_end(length_pages, lengths);
    expect_same_sums(GetParam(), isofold::batch(guarded_arrays, guarded_lengths, 2),
                     isofold::batch(open_arrays.data(), lengths.data(), 2), 2);
    expect_same_sums(GetParam(), joined(isofold::batch(guarded_arrays, guarded_lengths, 2)),
                     joined(isofold::batch(open_arrays.data(), lengths.data(), 2)), 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Host, GuardPages, testing::ValuesIn(test_support::host_backends()),
                         test_support::name_of_parameter);

// By the signal; or by a sanitizer that catches it, says so and exits.
bool ended_by_a_read(int status) {
  return testing::KilledBySignal(SIGSEGV)(status) ||
         (ISOFOLD_TEST_SANITIZED && !testing::ExitedWithCode(0)(status));
}
const char* const report_of_a_read = ISOFOLD_TEST_SANITIZED ? "SEGV on unknown address" : "";

// The control: one element too far does end the process.
TEST(GuardPagesDeathTest, OneElementTooFarIsCaught) {
  const GuardedPages pages(100 * sizeof(float));
  isofold::Reducer reducer(isofold::Backend::reference);
  const auto* last = reinterpret_cast<const float*>(pages.end()) - 99;
  const auto* before = reinterpret_cast<const float*>(pages.begin()) - 1;
  EXPECT_EXIT(static_cast<void>(reducer.sum(isofold::array(last, 100))), ended_by_a_read,
              report_of_a_read);
  EXPECT_EXIT(static_cast<void>(reducer.sum(isofold::array(before, 100))), ended_by_a_read,
              report_of_a_read);
}

}  // namespace
