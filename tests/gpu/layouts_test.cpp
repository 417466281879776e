// Shapes with a layout that only a GPU can get wrong: several launches in one graph, the list of
// rows that blocks share, lists of indices that are checked on the device.
#include <cstring>
#include <numeric>

#include "gpu_support.hpp"

using namespace gpu_test;

namespace {

// Device memory with a copy of a list.
template <class T>
class List : public Memory {
 public:
  explicit List(const std::vector<T>& list) : Memory(list.size() * sizeof(T)) { set(list); }
  void set(const std::vector<T>& list) {
    cudaMemcpy(floats(), list.data(), list.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  const T* data() const { return reinterpret_cast<const T*>(floats()); }
};

std::vector<std::uint32_t> results(const Memory& out, std::size_t count) {
  std::vector<std::uint32_t> words(count);
  cudaMemcpy(words.data(), out.floats(), count * sizeof(std::uint32_t), cudaMemcpyDeviceToHost);
  return words;
}

// Captures what `enqueue` does with a Reducer, and replays it `times` times.
template <class Enqueue>
void replay(const Stream& stream, int times, Enqueue&& enqueue) {
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  enqueue();
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t ready = nullptr;
  CUDA_OK(cudaGraphInstantiate(&ready, graph, 0));
  for (int i = 0; i < times; ++i) {
    CUDA_OK(cudaGraphLaunch(ready, stream));
  }
  CUDA_OK(cudaStreamSynchronize(stream));
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}

std::vector<std::uint32_t> as_bits(const std::vector<float>& list) {
  std::vector<std::uint32_t> words;
  for (const float each : list) {
    words.push_back(bits(each));
  }
  return words;
}

// Sums and log-sum-exps of segments, in a graph, with and without the number of elements: by other
// kernels, with other numbers of sharers and of tiles.
void expect_segments_in_a_graph(const std::vector<std::int64_t>& offsets) {
  const std::int64_t n = offsets.back();
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
  const auto x = uniform(n);
  const Memory data(x);
  const List<std::int64_t> list(offsets);
  std::vector<float> sums(static_cast<std::size_t>(rows));
  std::vector<float> exponentials(sums.size());
  isofold::Reducer reference("reference");
  reference.sum(isofold::segments(x.data(), offsets.data(), rows, n), sums.data());
  reference.log_sum_exp(isofold::segments(x.data(), offsets.data(), rows, n), exponentials.data());
  const Stream stream;
  for (const std::int64_t elements : {std::int64_t{0}, n}) {
    const Memory out(sums.size() * sizeof(float));
    isofold::Reducer reduce(gpu_test::backend(), isofold::Options{}.stream(stream));
    const auto segments = isofold::segments(data.floats(), list.data(), rows, elements);
    reduce.reserve(isofold::sum, segments);
    reduce.reserve(isofold::log_sum_exp, segments);
    replay(stream, 3, [&] { reduce.sum(segments, out.floats()); });
    reduce.synchronize();
    EXPECT_EQ(as_bits(sums), results(out, sums.size())) << elements << " elements";
    replay(stream, 3, [&] { reduce.log_sum_exp(segments, out.floats()); });
    reduce.synchronize();
    EXPECT_EQ(as_bits(exponentials), results(out, sums.size())) << elements << " elements";
  }
}

TEST(Layouts, SegmentsOfAllLengthsInAGraph) {
  SKIP_WITHOUT_DEVICE();
  std::vector<std::int64_t> offsets{0};
  for (const std::int64_t length :
       {0LL, 1LL, 7LL, 100LL, 513LL, 3000LL, 20000LL, 3000001LL, 5LL, 300000LL, 17000LL}) {
    offsets.push_back(offsets.back() + length);
  }
  for (int i = 0; i < 5000; ++i) {
    offsets.push_back(offsets.back() + i % 23);
  }
  expect_segments_in_a_graph(offsets);
}

// Enough of them to have a kernel of their own, and a few that it leaves to others.
TEST(Layouts, ManyShortSegmentsInAGraph) {
  SKIP_WITHOUT_DEVICE();
  std::vector<std::int64_t> offsets{0};
  for (int i = 0; i < 400000; ++i) {
    const std::int64_t length = i == 123456      ? 12000001
                                : i % 50021 == 7 ? 20000
                                : i % 9973 == 3  ? 2000
                                                 : i % 41;
    offsets.push_back(offsets.back() + length);
  }
  expect_segments_in_a_graph(offsets);
}

// Wrong bounds among many segments are reported, and their segments are empty; the others are as
// they should be.
TEST(Layouts, WrongBoundsAmongManySegments) {
  SKIP_WITHOUT_DEVICE();
  constexpr std::int64_t rows = 400000;
  std::vector<std::int64_t> offsets{0};
  for (std::int64_t i = 0; i < rows; ++i) {
    offsets.push_back(offsets.back() + (i % 50021 == 7 ? 20000 : i % 41));
  }
  const std::int64_t n = offsets.back();
  const std::vector<std::int64_t> sound = offsets;
  std::vector<std::int64_t> ends(offsets.begin() + 1, offsets.end());
  constexpr std::size_t wrong[] = {41 * 1000 + 5, 41 * 9000 + 30, rows - 1};
  for (const std::size_t w : wrong) {
    offsets[w + 1] = w == rows - 1 ? n + 1 : offsets[w] - 3;
    ends[w] = offsets[w];
  }
  const auto x = uniform(n);
  std::vector<float> sums(rows);
  isofold::Reducer("reference")
      .sum(isofold::segments(x.data(), offsets.data(), ends.data(), rows, n), sums.data());
  const Memory data(x);
  const List<std::int64_t> list(offsets);
  const Memory out(sums.size() * sizeof(float));
  isofold::Reducer reduce(gpu_test::backend());
  reduce.sum(isofold::segments(data.floats(), list.data(), rows, n), out.floats());
  EXPECT_CODE(invalid_argument, reduce.synchronize());
  EXPECT_EQ(as_bits(sums), results(out, sums.size()));

  const List<std::int64_t> right(sound);
  isofold::Reducer("reference")
      .sum(isofold::segments(x.data(), sound.data(), rows, n), sums.data());
  reduce.sum(isofold::segments(data.floats(), right.data(), rows, n), out.floats());
  reduce.synchronize();
  EXPECT_EQ(as_bits(sums), results(out, sums.size()));
}

// One fold of short segments, of a list on the device and of the same one on the host.
template <class T, class Index, class Tag>
void expect_segments(Tag fold, const std::vector<T>& x, const std::vector<Index>& offsets) {
  const auto n = static_cast<std::int64_t>(x.size());
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
  const List<T> data(x);
  const List<Index> list(offsets);
  std::vector<T> expected(static_cast<std::size_t>(rows));
  std::vector<T> found(expected.size());
  const Memory out(found.size() * sizeof(T));
  isofold::Reducer host("openmp");
  host.reduce(fold, isofold::segments(x.data(), offsets.data(), rows, n), expected.data());
  isofold::Reducer reduce(gpu_test::backend());
  reduce.reduce(fold, isofold::segments(data.data(), list.data(), rows, n),
                reinterpret_cast<T*>(out.floats()));
  reduce.synchronize();
  cudaMemcpy(found.data(), out.floats(), found.size() * sizeof(T), cudaMemcpyDeviceToHost);
  EXPECT_EQ(0, std::memcmp(expected.data(), found.data(), found.size() * sizeof(T)));
}

// Lengths from 0 to twice the mean, for every way to cut tiles, and now and then a long one.
template <class T, class Index>
void expect_segments_of_mean(Index mean) {
  const Index rows = 300000 / std::max<Index>(1, mean / 32);
  std::vector<Index> offsets{3};
  std::uint64_t state = static_cast<std::uint64_t>(mean);
  for (Index r = 0; r < rows; ++r) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const auto length =
        static_cast<Index>((state >> 33) % static_cast<std::uint64_t>(2 * mean + 1));
    offsets.push_back(offsets.back() + (r % 30011 == 7 ? 2000 + length : length));
  }
  const std::vector<float> numbers = uniform(offsets.back() + 1);
  const std::vector<T> x(numbers.begin(), numbers.end());
  SCOPED_TRACE("mean length " + std::to_string(mean));
  expect_segments(isofold::sum, x, offsets);
  expect_segments(isofold::maximum, x, offsets);
  expect_segments(isofold::norm2, x, offsets);
}
TEST(Layouts, ShortSegmentsOfManyMeans) {
  SKIP_WITHOUT_DEVICE();
  for (const int mean : {2, 8, 16, 24, 32, 50, 64, 130, 256, 300, 500}) {
    expect_segments_of_mean<float>(mean);
    expect_segments_of_mean<double>(mean);
    expect_segments_of_mean<float>(std::int64_t{mean});
    expect_segments_of_mean<double>(std::int64_t{mean});
  }
}

// Segments that are long on average, so that they come in bulk: shorter and longer than a chunk, a
// few that many warps share, and one that is a third of all.
TEST(Layouts, LongSegmentsInAGraph) {
  SKIP_WITHOUT_DEVICE();
  std::vector<std::int64_t> offsets{5};
  for (std::int64_t i = 0; i < 6000; ++i) {
    const std::int64_t length = i == 1234 ? 5000003 : i % 401 == 7 ? 40000 + i : i * 7919 % 3001;
    offsets.push_back(offsets.back() + length);
  }
  expect_segments_in_a_graph(offsets);
}

// Enough elements to go through shared memory: one row, and rows that end inside a chunk.
TEST(Layouts, ManyElementsOfBf16) {
  SKIP_WITHOUT_DEVICE();
  constexpr std::int64_t rows = 20;
  constexpr std::int64_t stride = 300008;
  std::vector<isofold_bf16> x;
  for (const float each : uniform(rows * stride)) {
    x.push_back({static_cast<std::uint16_t>(bits(each) >> 16)});
  }
  const List<isofold_bf16> data(x);
  const Memory out(rows * sizeof(float));
  isofold::Reducer reference("reference");
  isofold::Reducer reduce(gpu_test::backend());
  EXPECT_EQ(bits(reference.sum(isofold::array(x.data(), rows * stride))),
            bits(reduce.sum(isofold::array(data.data(), rows * stride))));
  std::vector<float> norms(rows);
  reference.norm2(isofold::rows(x.data(), rows, stride - 1, stride), norms.data());
  reduce.norm2(isofold::rows(data.data(), rows, stride - 1, stride), out.floats());
  reduce.synchronize();
  EXPECT_EQ(as_bits(norms), results(out, norms.size()));
}

TEST(Layouts, AMaskInAGraph) {
  SKIP_WITHOUT_DEVICE();
  constexpr std::int64_t sides[] = {300, 40, 50};
  constexpr std::int64_t n = sides[0] * sides[1] * sides[2];
  const auto x = uniform(n);
  std::vector<unsigned char> mask(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < mask.size(); ++i) {
    mask[i] = i / 7000 % 3 == 0 || i * 2654435761U >> 5 & 1;
  }
  const auto box_of = [&](const float* data) {
    return isofold::box(data, {sides[0], sides[1], sides[2]});
  };
  isofold::Reducer reference("reference");
  const float expected = reference.sum(isofold::masked(box_of(x.data()), mask.data()));
  const Memory data(x);
  const List<unsigned char> entries(mask);
  const Memory out(sizeof(float));
  const Stream stream;
  isofold::Reducer reduce(gpu_test::backend(), isofold::Options{}.stream(stream));
  const auto masked = isofold::masked(box_of(data.floats()), entries.data());
  reduce.reserve(isofold::sum, masked);
  replay(stream, 3, [&] { reduce.sum(masked, out.floats()); });
  EXPECT_EQ(bits(expected), bits(out.first()));
  EXPECT_EQ(bits(expected), bits(reduce.sum(masked)));
}

isofold::Box<float> box_of(const isofold::Box<float>& box) { return box; }
template <bool whole>
isofold::Box<float> box_of(const isofold::Axes<float, whole>& axes) {
  return axes.box;
}

// Boxes large enough for paths that only large boxes take: runs, columns of few elements and of
// many. Folds of one pass and of two, of one array and of two.
TEST(Layouts, LargeBoxes) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(4600000);
  const Memory data(x);
  isofold::Reducer reference("reference");
  isofold::Reducer reduce(gpu_test::backend());
  const auto compare = [&](auto&& make, std::size_t rows) {
    std::vector<float> sums(rows);
    std::vector<float> exponentials(rows);
    std::vector<float> dots(rows);
    reference.sum(make(x.data()), sums.data());
    reference.log_sum_exp(make(x.data()), exponentials.data());
    reference.dot(make(x.data()), box_of(make(x.data() + 3)), dots.data());
    const Memory out(rows * sizeof(float));
    reduce.sum(make(data.floats()), out.floats());
    reduce.synchronize();
    EXPECT_EQ(as_bits(sums), results(out, rows)) << rows << " rows";
    reduce.log_sum_exp(make(data.floats()), out.floats());
    reduce.synchronize();
    EXPECT_EQ(as_bits(exponentials), results(out, rows)) << rows << " rows";
    reduce.dot(make(data.floats()), box_of(make(data.floats() + 3)), out.floats());
    reduce.synchronize();
    EXPECT_EQ(as_bits(dots), results(out, rows)) << rows << " rows";
  };
  const auto field = [](const float* from) { return isofold::box(from, {64, 66, 530}); };
  compare([&](const float* from) { return isofold::interior(field(from), 1); }, 1);
  compare(
      [&](const float* from) {
        return isofold::over(isofold::interior(field(from), 2), {1, 2});
      },
      60);
  compare([&](const float* from) { return isofold::over(field(from), {0, 2}); }, 66);
  for (const std::int64_t side : {66, 67, 102, 131, 1026, 1027}) {
    compare(
        [&](const float* from) {
          return isofold::interior(isofold::box(from, {2200000 / side, side}), 1);
        },
        1);
  }
  // Rows that 31 to 131 tiles share: whole warps of nodes, and last groups of every few.
  for (const std::int64_t tiles : {31, 32, 33, 34, 35, 64, 65, 66, 68, 96, 97, 127, 129, 131}) {
    const auto length = tiles * 8192;
    compare([&](const float* from) { return isofold::box(from, {length}, {2}); }, 1);
    compare(
        [&](const float* from) {
          return isofold::interior(isofold::box(from, {length / 512 + 2, 514}), 1);
        },
        1);
    compare(
        [&](const float* from) {
          return isofold::over(isofold::box(from, {tiles * 1024, 16}), {0});
        },
        16);
  }
  compare(
      [&](const float* from) {
        return isofold::over(isofold::box(from, {33792, 64}), {0});
      },
      64);
  compare([&](const float* from) { return isofold::over(field(from), {0, 1}); }, 530);
  // Few columns, by sets, and boxes of another order than memory.
  for (const std::int64_t side : {2, 3, 8, 19, 63}) {
    compare(
        [&](const float* from) {
          return isofold::over(isofold::box(from, {2200000 / side, side}), {0});
        },
        side);
    compare(
        [&](const float* from) {
          return isofold::over(isofold::box(from, {7, 300000 / side, side}), {1});
        },
        7 * side);
    compare(
        [&](const float* from) {
          return isofold::box(from, {side, 2200000 / side}, {1, side});
        },
        1);
  }
  // Long slabs: full and partial lines of them, of a row and of several, with gaps and backwards;
  // and short ones.
  const std::int64_t slabs[][2] = {{32, 140001}, {33, 136000}, {70, 65537},
                                   {131, 34567}, {2000, 2240}, {2187, 2047},
                                   {9000, 500},  {70000, 64},  {500001, 9}};
  for (const auto& sides : slabs) {
    compare(
        [&](const float* from) {
          return isofold::box(from, {sides[0], sides[1]}, {1, sides[0]});
        },
        1);
  }
  compare(
      [&](const float* from) {
        return isofold::over(isofold::box(from, {2, 45, 3, 16600}, {45 * 49800, 1, 45, 135}),
                             {1, 3});
      },
      6);
  compare(
      [&](const float* from) {
        return isofold::box(from + 44, {2, 45, 49000}, {45 * 49000, -1, 45});
      },
      1);
  for (const std::int64_t inner : {20, 300, 3000}) {
    const std::int64_t lines = 4500000 / 40 / inner;
    compare(
        [&](const float* from) {
          return isofold::over(isofold::box(from, {40, lines, inner}, {1, 40, 40 * lines}), {0, 2});
        },
        static_cast<std::size_t>(lines));
  }
  // Rows that lie in memory in another order than they are numbered: columns, rows and others.
  const auto turned = [](const float* from) {
    return isofold::box(from, {40, 70, 1600}, {1, 41, 2870});
  };
  compare([&](const float* from) { return isofold::over(turned(from), {2}); }, 2800);
  compare([&](const float* from) { return isofold::over(turned(from), {1}); }, 64000);
  compare([&](const float* from) { return isofold::over(turned(from), {0}); }, 112000);
  const std::int64_t columns[][2] = {{129, 17000}, {255, 2001}, {600, 3000}, {1025, 1000},
                                     {1500, 64},   {3000, 700}, {20000, 70}, {34000, 65}};
  for (const auto& sides : columns) {
    compare(
        [&](const float* from) {
          return isofold::over(isofold::box(from, {sides[0], sides[1]}), {0});
        },
        static_cast<std::size_t>(sides[1]));
  }
  for (const std::int64_t length : {1, 3, 4, 5, 8, 16, 33, 64}) {
    compare(
        [&](const float* from) {
          return isofold::over(isofold::box(from, {length, 34000}), {0});
        },
        34000);
  }
}

// Lines with ghost cells between them, whose mask becomes bits for places in memory; rows of a
// chunk at most.
TEST(Layouts, MasksOfBoxes) {
  SKIP_WITHOUT_DEVICE();
  const auto x = uniform(3300000);
  const Memory data(x);
  std::vector<unsigned char> mask(3300000 + 3);
  for (std::size_t i = 0; i < mask.size(); ++i) {
    mask[i] = i / 7000 % 3 == 0 || i * 2654435761U >> 5 & 1;
  }
  const List<unsigned char> entries(mask);
  isofold::Reducer reference("reference");
  isofold::Reducer reduce(gpu_test::backend());
  // make(beginning of the elements, beginning of the mask's entries)
  const auto compare = [&](auto&& make, std::size_t rows) {
    const Memory out(rows * sizeof(float));
    for (const int shift : {0, 3}) {
      std::vector<float> sums(rows);
      std::vector<float> dots(rows);
      const auto wanted = make(x.data() + shift, mask.data() + shift);
      const auto asked = make(data.floats() + shift, entries.data() + shift);
      reference.sum(wanted, sums.data());
      reference.dot(wanted, make(x.data(), nullptr).box, dots.data());
      reduce.sum(asked, out.floats());
      reduce.synchronize();
      EXPECT_EQ(as_bits(sums), results(out, rows)) << rows << " rows, " << shift;
      reduce.dot(asked, make(data.floats(), nullptr).box, out.floats());
      reduce.synchronize();
      EXPECT_EQ(as_bits(dots), results(out, rows)) << rows << " rows, " << shift;
    }
  };
  const std::int64_t boxes[][3] = {{150, 140, 150}, {12, 300, 900}, {3, 1000, 1000},
                                   {170, 190, 100}, {300, 300, 34}, {700, 70, 66}};
  for (const auto& sides : boxes) {
    const auto field = [&](const float* from) {
      return isofold::interior(isofold::box(from, {sides[0], sides[1], sides[2]}), 1);
    };
    compare([&](const float* from,
                const unsigned char* taken) { return isofold::masked(field(from), taken); },
            1);
    compare([&](const float* from,
                const unsigned char* taken) { return isofold::masked_by_bits(field(from), taken); },
            1);
    compare(
        [&](const float* from, const unsigned char* taken) {
          return isofold::masked_by_bits(isofold::over(field(from), {1, 2}), taken);
        },
        static_cast<std::size_t>(sides[0] - 2));
  }
  // Short rows: columns, and lines.
  for (const std::int64_t length : {2, 30, 255, 1000, 1024}) {
    const std::int64_t rows = 3200000 / length;
    compare(
        [&](const float* from, const unsigned char* taken) {
          return isofold::masked(isofold::over(isofold::box(from, {length, rows}), {0}), taken);
        },
        static_cast<std::size_t>(rows));
    compare(
        [&](const float* from, const unsigned char* taken) {
          return isofold::masked_by_bits(isofold::over(isofold::box(from, {rows, length}), {1}),
                                         taken);
        },
        static_cast<std::size_t>(rows));
  }
}

TEST(Layouts, WrongListsAreReportedAndTheNextCallWorks) {
  SKIP_WITHOUT_DEVICE();
  constexpr std::int64_t n = 100000;
  const auto x = uniform(n);
  const Memory data(x);
  const Memory out(3 * sizeof(float));
  isofold::Reducer reduce(gpu_test::backend());
  List<std::int64_t> list({0, 10, 2000, n});
  const auto sums = [&](const std::vector<std::int64_t>& offsets) {
    list.set(offsets);
    reduce.sum(isofold::segments(data.floats(), list.data(), 3, n), out.floats());
    reduce.synchronize();
  };
  sums({0, 10, 2000, n});
  const auto right = results(out, 3);
  EXPECT_CODE(invalid_argument, sums({0, 2001, 2000, n}));
  EXPECT_CODE(invalid_argument, sums({0, 10, 2000, n + 1}));
  EXPECT_CODE(invalid_argument, sums({-1, 10, 2000, n}));
  sums({0, 10, 2000, n});
  EXPECT_EQ(right, results(out, 3));
  list.set({0, n, 7, 0});
  EXPECT_CODE(invalid_argument,
              static_cast<void>(reduce.sum(isofold::gather(data.floats(), list.data(), 3, n))));
  list.set({0, n - 1, 7, 0});
  static_cast<void>(reduce.sum(isofold::gather(data.floats(), list.data(), 3, n)));
}

// Three arrays, one of them empty; of known and unknown size.
TEST(Layouts, JoinedArraysInAGraph) {
  SKIP_WITHOUT_DEVICE();
  constexpr std::int64_t n = 3000000;
  const auto x = uniform(n);
  const Memory data(x);
  const float* const first = data.floats();
  const List<const float*> arrays({first + 7, nullptr, first});
  const List<std::int32_t> lengths({n - 7, 0, 7});
  std::vector<float> all(x.begin() + 7, x.end());
  all.insert(all.end(), x.begin(), x.begin() + 7);
  isofold::Reducer reference("reference");
  const float expected = reference.sum(isofold::array(all.data(), n));
  const Stream stream;
  for (const std::int64_t elements : {std::int64_t{0}, n}) {
    const Memory out(sizeof(float));
    isofold::Reducer reduce(gpu_test::backend(), isofold::Options{}.stream(stream));
    const auto whole = joined(isofold::batch(arrays.data(), lengths.data(), 3), elements);
    reduce.reserve(isofold::sum, whole);
    replay(stream, 3, [&] { reduce.sum(whole, out.floats()); });
    EXPECT_EQ(bits(expected), bits(out.first()));
    EXPECT_EQ(bits(expected), bits(reduce.sum(whole)));
  }
}

TEST(Layouts, JoinedArraysWithoutElements) {
  SKIP_WITHOUT_DEVICE();
  const List<const float*> arrays({nullptr, nullptr});
  const List<std::int64_t> lengths({0, 0});
  isofold::Reducer reduce(gpu_test::backend());
  const auto none = joined(isofold::batch(arrays.data(), lengths.data(), 2));
  EXPECT_EQ(bits(0.0F), bits(reduce.sum(none)));
  EXPECT_CODE(empty_input, static_cast<void>(reduce.minimum(none)));
  EXPECT_EQ(bits(0.0F), bits(reduce.sum(none)));
}

TEST(Layouts, AMaskThatTakesNothing) {
  SKIP_WITHOUT_DEVICE();
  const Memory data(uniform(5000));
  const List<unsigned char> mask(std::vector<unsigned char>(5000));
  isofold::Reducer reduce(gpu_test::backend());
  const auto masked = isofold::masked(isofold::box(data.floats(), {5000}), mask.data());
  EXPECT_EQ(bits(0.0F), bits(reduce.sum(masked)));
  EXPECT_CODE(empty_input, static_cast<void>(reduce.minimum(masked)));
  EXPECT_EQ(bits(0.0F), bits(reduce.sum(masked)));
}

}  // namespace
