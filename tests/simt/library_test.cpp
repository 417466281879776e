// The library on emulated GPUs where the conformance suite does not go: streams and devices, and
// that a barrier left out of the kernels shows in the bits.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <isofold/isofold.hpp>

#include <in_child.hpp>
#include <simulator/machine.hpp>

namespace {

using isofold::array;
using isofold::Options;
using isofold::Reducer;
using isofold::skip_nan;
using isofold::simt::Machine;
using isofold::simt::machine;
using isofold::simt::Omission;

struct EmulatedGpu {
  const char* name;
  int wave_width;
};
void PrintTo(const EmulatedGpu& gpu, std::ostream* out) { *out << gpu.name; }

class Library : public testing::TestWithParam<EmulatedGpu> {
 protected:
  const char* name() const { return GetParam().name; }
  Machine& gpus() const { return machine(GetParam().wave_width); }
};

std::vector<float> numbers(std::int64_t n, float scale = 1) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = scale * static_cast<float>(i * 2654435761U % 1000 + 1) / 7;
  }
  return x;
}

std::uint32_t bits(float value) {
  std::uint32_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  return word;
}
std::uint32_t wanted(const std::vector<float>& x) {
  Reducer reference("reference");
  return bits(reference.sum(array(x.data(), static_cast<std::int64_t>(x.size()))));
}

// Device memory with a copy of host data.
class Strided : public isofold::Buffer {
 public:
  Strided(const char* backend, const std::vector<float>& x, std::int32_t device = 0)
      : Buffer(backend, x.size() * sizeof(float), device) {
    copy_from(x.data(), x.size() * sizeof(float));
  }
  float first() const {
    float value = 0;
    copy_to(&value, sizeof value);
    return value;
  }
};

constexpr std::int64_t n = 50000;

// The data arrive on the same stream, after the call was made.
TEST_P(Library, StreamsRunInOrder) {
  const std::vector<float> x = numbers(n);
  const std::vector<float> zeros(x.size());
  const Strided source(name(), x);
  const Strided data(name(), zeros);
  const Strided out(name(), {0});
  for (int i = 0; i < 20; ++i) {
    void* stream = gpus().create_stream();
    {
      Reducer reduce(name(), Options{}.stream(stream));
      gpus().copy_later(data.data(), source.data(), x.size() * sizeof(float), stream);
      reduce.sum(array(data.as<float>(), n), out.as<float>());
      gpus().copy_later(data.data(), out.data(), sizeof(float), stream);
      reduce.synchronize();
      EXPECT_EQ(wanted(x), bits(data.first()));
    }
    gpus().destroy_stream(stream);
  }
}

// Two streams share one Reducer's workspace and a value in between: set_stream() orders them.
TEST_P(Library, ChangingTheStreamOrders) {
  const std::vector<float> x = numbers(n);
  const Strided data(name(), x);
  for (int i = 0; i < 40; ++i) {
    const Strided parts(name(), {0, 0});
    const Strided out(name(), {0});
    void* first = gpus().create_stream();
    void* second = gpus().create_stream();
    {
      Reducer reduce(name(), Options{}.stream(first));
      reduce.sum(isofold::rows(data.as<float>(), 2, n / 2), parts.as<float>());
      reduce.set_stream(second);
      reduce.sum(array(parts.as<float>(), 2), out.as<float>());
      reduce.synchronize();
    }
    const std::vector<float> halves[] = {{x.begin(), x.begin() + n / 2},
                                         {x.begin() + n / 2, x.end()}};
    Reducer reference("reference");
    const std::vector<float> sums{reference.sum(array(halves[0].data(), n / 2)),
                                  reference.sum(array(halves[1].data(), n / 2))};
    EXPECT_EQ(wanted(sums), bits(out.first())) << i;
    gpus().destroy_stream(first);
    gpus().destroy_stream(second);
  }
}

// New counters are cleared in the order of the stream that reserve() found; a call on another one
// comes after that.
TEST_P(Library, ChangingTheStreamOrdersReservations) {
  const std::vector<float> x = numbers(n);
  const Strided data(name(), x);
  for (int i = 0; i < 40; ++i) {
    void* first = gpus().create_stream();
    void* second = gpus().create_stream();
    {
      Reducer reduce(name(), Options{}.stream(first));
      reduce.reserve(isofold::sum, array(data.as<float>(), n));
      reduce.set_stream(second);
      EXPECT_EQ(wanted(x), bits(reduce.sum(array(data.as<float>(), n)))) << i;
    }
    gpus().destroy_stream(first);
    gpus().destroy_stream(second);
  }
}

// The control of the tests above: without an order between streams, wrong values come.
TEST_P(Library, StreamsWithoutOrderDiffer) {
  const std::vector<float> x = numbers(n);
  const std::vector<float> zeros(x.size());
  const Strided source(name(), x);
  int wrong = 0;
  for (int i = 0; i < 40; ++i) {
    const Strided data(name(), zeros);
    const Strided out(name(), {0});
    void* first = gpus().create_stream();
    void* second = gpus().create_stream();
    {
      Reducer reduce(name(), Options{}.stream(second));
      gpus().copy_later(data.data(), source.data(), x.size() * sizeof(float), first);
      reduce.sum(array(data.as<float>(), n), out.as<float>());
      reduce.synchronize();
      wrong += bits(out.first()) != wanted(x);
    }
    gpus().destroy_stream(first);
    gpus().destroy_stream(second);
  }
  EXPECT_LT(0, wrong);
}

TEST_P(Library, ReducersOfDistinctThreads) {
  const std::vector<float> x = numbers(n);
  const Strided data(name(), x);
  const std::uint32_t right = wanted(x);
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (int& mine : wrong) {
    threads.emplace_back([&] {
      void* stream = gpus().create_stream();
      {
        Reducer reduce(name(), Options{}.stream(stream));
        for (int i = 0; i < 20; ++i) {
          mine += bits(reduce.sum(array(data.as<float>(), n))) != right;
        }
      }
      gpus().destroy_stream(stream);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(std::vector<int>(4), wrong);
}

// A Reducer works on its own device, whichever is current, and leaves the caller's.
TEST_P(Library, DevicesAreKept) {
  const std::vector<float> x = numbers(n);
  for (const int current : {0, 1}) {
    gpus().use_device(current);
    for (const int device : {0, 1}) {
      const Strided data(name(), x, device);
      Reducer reduce(name(), Options{}.device(device));
      EXPECT_EQ(wanted(x), bits(reduce.sum(array(data.as<float>(), n))));
      Reducer chooses;
      EXPECT_EQ(wanted(x), bits(chooses.sum(array(data.as<float>(), n))));
      EXPECT_STREQ(name(), chooses.backend());
      int now = -1;
      gpus().current_device(&now);
      EXPECT_EQ(current, now);
    }
  }
  gpus().use_device(0);
}

// Expects the error `capture`.
template <class Call>
void expect_capture_error(Call&& call) {
  try {
    call();
    ADD_FAILURE() << "no error";
  } catch (const isofold::Error& error) {
    EXPECT_EQ(isofold::Code::capture, error.code()) << error.what();
  }
}

// A graph computes with the data of its time; a larger call in between does not take its workspace.
TEST_P(Library, CapturedCallsAreReplayed) {
  const std::vector<float> x = numbers(n);
  Strided data(name(), x);
  const Strided out(name(), {0});
  void* stream = gpus().create_stream();
  {
    Reducer reduce(name(), Options{}.stream(stream));
    reduce.reserve(isofold::sum, array(data.as<float>(), n));
    gpus().begin_capture(stream);
    reduce.sum(array(data.as<float>(), n), out.as<float>());
    const auto graph = gpus().end_capture(stream);
    ASSERT_NE(nullptr, graph);
    for (const float scale : {2.0F, 3.0F, 4.0F}) {
      const std::vector<float> scaled = numbers(n, scale);
      data.copy_from(scaled.data(), scaled.size() * sizeof(float));
      gpus().launch_graph(graph, stream);
      gpus().synchronize(stream);
      EXPECT_EQ(wanted(scaled), bits(out.first()));
      // Rows that blocks share, so that nodes and counters need more room each time.
      const auto rows = static_cast<std::int64_t>(scale) * 4000;
      constexpr std::int64_t length = 300 * 1024;
      reduce.reserve(isofold::sum, isofold::rows(data.as<float>(), rows, length, length));
    }
  }
  gpus().destroy_stream(stream);
}

// Results of rows of the device's data come to host memory, in order after the stream's work.
TEST_P(Library, RowsReturnToTheHost) {
  const std::vector<float> x = numbers(n);
  const Strided source(name(), x);
  const Strided data(name(), std::vector<float>(x.size()));
  Reducer reference("reference");
  void* stream = gpus().create_stream();
  const auto check = [&](Reducer reduce) {
    gpus().copy_later(data.data(), source.data(), x.size() * sizeof(float), stream);
    EXPECT_EQ(reference.sum(isofold::rows(x.data(), 50, n / 50)),
              reduce.sum(isofold::rows(data.as<float>(), 50, n / 50)));
    const auto planes = [](const float* from) {
      return isofold::over(isofold::box(from, {10, 50, 100}), {0, 2});
    };
    EXPECT_EQ(reference.sum(planes(x.data())), reduce.sum(planes(data.as<float>())));
    const auto [sums, also] =
        reduce.reduce(fuse(isofold::sum, isofold::sum), isofold::rows(data.as<float>(), 2, n / 2));
    EXPECT_EQ(reference.sum(isofold::rows(x.data(), 2, n / 2)), sums);
    EXPECT_EQ(sums, also);
    EXPECT_TRUE(reduce.sum(isofold::rows(data.as<float>(), 0, 5)).empty());
    const auto named = reduce.fold("sum", isofold::rows(data.as<float>(), 2, n / 2));
    EXPECT_EQ(sums[1], named[1].as<float>());
    EXPECT_STREQ(name(), reduce.backend());
  };
  check(Reducer(name(), Options{}.stream(stream)));
  check(Reducer(isofold::Backend::automatic, Options{}.stream(stream)));
  gpus().destroy_stream(stream);
}

// A call that a capture cannot hold is an error, and breaks nothing.
TEST_P(Library, CapturesAreNotBroken) {
  const std::vector<float> x = numbers(n);
  const Strided data(name(), x);
  const Strided out(name(), {0});
  void* stream = gpus().create_stream();
  void* other = gpus().create_stream();
  {
    Reducer fresh(name(), Options{}.stream(stream));
    Reducer ready(name(), Options{}.stream(stream));
    Reducer legacy(name());
    ready.reserve(isofold::sum, array(data.as<float>(), n));
    legacy.reserve(isofold::sum, array(data.as<float>(), n));
    ready.sum(array(data.as<float>(), n), out.as<float>());
    gpus().begin_capture(stream);
    expect_capture_error([&] { fresh.sum(array(data.as<float>(), n), out.as<float>()); });
    expect_capture_error([&] { return ready.sum(array(data.as<float>(), n)); });
    const auto halves = isofold::rows(data.as<float>(), 2, n / 2);
    expect_capture_error([&] { return ready.sum(halves); });
    expect_capture_error([&] { return legacy.sum(halves); });
    expect_capture_error([&] { return ready.reduce(fuse(isofold::sum, isofold::sum), halves); });
    expect_capture_error([&] { ready.synchronize(); });
    expect_capture_error([&] { ready.set_stream(other); });
    expect_capture_error([&] { legacy.sum(array(data.as<float>(), n), out.as<float>()); });
    ready.sum(array(data.as<float>(), n), out.as<float>());
    const auto graph = gpus().end_capture(stream);
    ASSERT_NE(nullptr, graph);
    gpus().launch_graph(graph, stream);
    ready.synchronize();
    EXPECT_EQ(wanted(x), bits(out.first()));
    EXPECT_EQ(wanted(x), bits(fresh.sum(array(data.as<float>(), n))));
    EXPECT_EQ(wanted(x), bits(legacy.sum(array(data.as<float>(), n))));
  }
  gpus().destroy_stream(stream);
  gpus().destroy_stream(other);
}

// GPUs convert elements of every shape; a mask that selects none is found on the device.
TEST_P(Library, ElementsOfOtherTypes) {
  Reducer reduce(name());
  const isofold::bfloat16* const x = nullptr;
  const float* const floats = nullptr;
  EXPECT_TRUE(reduce.supports(isofold::sum, array(x, 5000)));
  if (!reduce.supports(isofold::moments, array(floats, 5000))) {
    GTEST_SKIP() << "the kernels of one fold alone";
  }
  EXPECT_TRUE(reduce.supports(isofold::moments, isofold::rows(x, 7, 5000, 5001)));
  EXPECT_TRUE(reduce.supports(isofold::moments, isofold::widened(array(floats, 5000))));
  EXPECT_TRUE(reduce.supports(isofold::sum, isofold::interior(isofold::box(x, {20, 20, 20}), 1)));
}

TEST_P(Library, NothingSelectedOfOtherTypes) {
  Reducer reduce(name());
  const Strided data(name(), std::vector<float>(512, 1.0F));  // 1024 of bf16
  const Strided none(name(), std::vector<float>(256));        // as many bytes
  const auto taken =
      masked(isofold::box(data.as<isofold::bfloat16>(), {32, 32}), none.as<std::uint8_t>());
  try {
    static_cast<void>(reduce.maximum(taken));
    FAIL() << "The maximum of nothing has a value.";
  } catch (const isofold::Error& error) {
    if (error.code() == isofold::Code::unsupported) {
      GTEST_SKIP() << error.what();  // the kernels of one fold alone
    }
    EXPECT_EQ(isofold::Code::empty_input, error.code()) << error.what();
  }
}

// Masks of any strides are put into the order of the box's elements on the device.
TEST_P(Library, StridedMasks) {
  Reducer reduce(name());
  Reducer host("reference");
  const std::vector<float> x = numbers(512);
  const Strided data(name(), x);
  std::vector<std::uint8_t> bytes(512);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = i * 7 % 5 < 2 ? 0 : 3;
  }
  isofold::Buffer entries(name(), bytes.size(), 0);
  entries.copy_from(bytes.data(), bytes.size());
  const auto views = [](const float* elements, const std::uint8_t* mask) {
    const auto field = isofold::box(elements, {16, 32});
    const auto whole = masked(field, isofold::box(mask, {16, 32}));
    return std::vector<isofold::MaskedBox<float, true>>{
        whole,
        slice(whole, 0, 2, 10),
        interior(whole, 1),
        slice(whole, 1, 2, 7),
        masked(field, isofold::box(mask, {32})),
        masked(field, isofold::box(mask + 1, {1, 1})),
        masked(field, isofold::box(mask + 511, {16, 32}, {-32, -1})),
        masked(field, isofold::box(mask, {16, 32}, {1, 16}))};
  };
  const auto on_device = views(data.as<float>(), entries.as<std::uint8_t>());
  const auto on_host = views(x.data(), bytes.data());
  for (std::size_t i = 0; i < on_host.size(); ++i) {
    EXPECT_TRUE(reduce.supports(isofold::sum, on_device[i])) << i;
    EXPECT_EQ(bits(host.sum(on_host[i])), bits(reduce.sum(on_device[i]))) << i;
    const auto [sum, also] = reduce.reduce(fuse(isofold::sum, isofold::sum), on_device[i]);
    EXPECT_EQ(bits(host.sum(on_host[i])), bits(sum)) << i;
    EXPECT_EQ(bits(sum), bits(also)) << i;
    EXPECT_EQ(bits(host.sum(skip_nan(on_host[i]))), bits(reduce.sum(skip_nan(on_device[i])))) << i;
  }
  const auto field = isofold::box(data.as<float>(), {16, 32});
  const auto whole = masked(field, isofold::box(entries.as<std::uint8_t>(), {16, 32}));
  const std::vector<std::uint8_t> ones(512, 1);
  // The host reads no element to tell an address, and the mask for packed indices alone.
  EXPECT_EQ(data.as<float>() + 77, address_of(whole, 77));
  EXPECT_EQ(data.as<float>() + 77, address_of(packed_index(masked(field, ones.data())), 77));
  try {
    static_cast<void>(address_of(packed_index(whole), 77));
    FAIL() << "The host has read device memory.";
  } catch (const isofold::Error& error) {
    EXPECT_EQ(isofold::Code::wrong_memory, error.code());
    EXPECT_NE(nullptr, std::strstr(error.what(), "a copy of it in host memory")) << error.what();
  }
}

std::vector<float> with_nans(std::int64_t count) {
  std::vector<float> x = numbers(count);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = i * 40503U % 7 < 3 ? std::copysign(std::nanf(""), i % 2 == 0 ? 1.0F : -1.0F) : x[i];
  }
  return x;
}
std::vector<float> without_nans(const std::vector<float>& x) {
  std::vector<float> rest;
  std::copy_if(x.begin(), x.end(), std::back_inserter(rest), [](float a) { return a == a; });
  return rest;
}

// NaNs are marked on the device, and the rest is folded as under a mask: arrays, a strided box, its
// columns, a mask of the caller's in bytes and bits, pairs, and other types.
TEST_P(Library, NansAreSkipped) {
  Reducer reduce(name());
  Reducer host("reference");
  for (const std::int64_t count : {1, 33, 65, 5000, 20001}) {
    const std::vector<float> x = with_nans(count);
    const Strided data(name(), x);
    EXPECT_EQ(wanted(without_nans(x)), bits(reduce.sum(skip_nan(array(data.as<float>(), count)))))
        << count;
  }
  const std::vector<float> infinite{std::nanf(""), HUGE_VALF, 1, -std::nanf("")};
  EXPECT_EQ(HUGE_VALF, host.sum(skip_nan(infinite)));
  EXPECT_EQ(HUGE_VALF, reduce.sum(skip_nan(array(Strided(name(), infinite).as<float>(), 4))));
  const std::vector<float> x = with_nans(60 * 70);
  const Strided data(name(), x);
  const auto field = [](const float* elements) {
    return isofold::box(elements, {50, 65}, {70, 1});
  };
  EXPECT_EQ(bits(host.sum(skip_nan(field(x.data())))),
            bits(reduce.sum(skip_nan(field(data.as<float>())))));
  std::vector<float> expected(65);
  host.sum(skip_nan(over(field(x.data()), {0})), expected.data());
  const Strided out(name(), std::vector<float>(65));
  reduce.sum(skip_nan(over(field(data.as<float>()), {0})), out.as<float>());
  reduce.synchronize();
  std::vector<float> found(65);
  out.copy_to(found.data(), found.size() * sizeof(float));
  EXPECT_EQ(expected, found);

  std::vector<std::uint8_t> bytes(50 * 65);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = i % 3 == 0 ? 0 : static_cast<std::uint8_t>(i | 1);
  }
  isofold::Buffer mask(name(), bytes.size(), 0);
  mask.copy_from(bytes.data(), bytes.size());
  EXPECT_EQ(bits(host.sum(skip_nan(masked(field(x.data()), bytes.data())))),
            bits(reduce.sum(skip_nan(masked(field(data.as<float>()), mask.as<std::uint8_t>())))));
  EXPECT_EQ(
      bits(host.sum(skip_nan(masked_by_bits(field(x.data()), bytes.data())))),
      bits(reduce.sum(skip_nan(masked_by_bits(field(data.as<float>()), mask.as<std::uint8_t>())))));

  const auto pair = [](auto& of, const float* first) {
    return of.dot(skip_nan(array(first, 2000)), array(first + 2001, 2000));
  };
  EXPECT_EQ(bits(pair(host, x.data())), bits(pair(reduce, data.as<float>())));
  // Ones, infinities' neighbours, and NaNs of f16.
  std::vector<std::uint16_t> words;
  const std::uint16_t some[] = {0x3c00, 0x7c01, 0xffff, 0x7bff};
  for (std::size_t i = 0; i < 4000; ++i) {
    words.push_back(some[i * 7 % 4]);
  }
  isofold::Buffer halves(name(), words.size() * 2, 0);
  halves.copy_from(words.data(), words.size() * 2);
  EXPECT_EQ(1000 * 65505.0F, reduce.sum(skip_nan(array(halves.as<isofold_f16>(), 4000))));
}

// A capture finds room for the marks where reserve() has made some, and an error else; each replay
// marks anew.
TEST_P(Library, MarkingNansIsCaptured) {
  const std::vector<float> x = with_nans(n);
  Strided data(name(), numbers(n));
  const Strided out(name(), {0});
  void* stream = gpus().create_stream();
  {
    const auto numbers_of_data = skip_nan(array(data.as<float>(), n));
    Reducer fresh(name(), Options{}.stream(stream));
    Reducer ready(name(), Options{}.stream(stream));
    ready.reserve(isofold::sum, numbers_of_data);
    gpus().begin_capture(stream);
    expect_capture_error([&] { fresh.sum(numbers_of_data, out.as<float>()); });
    ready.sum(numbers_of_data, out.as<float>());
    const auto graph = gpus().end_capture(stream);
    ASSERT_NE(nullptr, graph);
    for (const std::vector<float>& content : {numbers(n), x}) {
      data.copy_from(content.data(), content.size() * sizeof(float));
      gpus().launch_graph(graph, stream);
      gpus().synchronize(stream);
      EXPECT_EQ(wanted(without_nans(content)), bits(out.first()));
    }
  }
  gpus().destroy_stream(stream);
}

// Masks that must be put into order, with gaps between the lines that they take or a line for all.
TEST_P(Library, StridedMasksAreCaptured) {
  constexpr std::int64_t lines = 256;
  constexpr std::int64_t length = 512;
  const std::vector<float> x = numbers(lines * length);
  const std::vector<std::uint8_t> bytes(x.size(), 7);
  const Strided data(name(), x);
  isofold::Buffer entries(name(), bytes.size(), 0);
  entries.copy_from(bytes.data(), bytes.size());
  const auto views = [&](const float* elements, const std::uint8_t* mask) {
    const auto field = isofold::box(elements, {lines, length});
    return std::vector<isofold::MaskedBox<float, true>>{
        slice(masked(field, isofold::box(mask, {lines, length})), 1, 0, length / 2),
        masked(field, isofold::box(mask, {length}))};
  };
  const auto on_host = views(x.data(), bytes.data());
  const auto on_device = views(data.as<float>(), entries.as<std::uint8_t>());
  Reducer host("reference");
  void* stream = gpus().create_stream();
  for (std::size_t i = 0; i < on_host.size(); ++i) {
    const Strided out(name(), {0});
    Reducer reduce(name(), Options{}.stream(stream));
    reduce.reserve(isofold::sum, on_device[i]);
    gpus().begin_capture(stream);
    reduce.sum(on_device[i], out.as<float>());
    const auto graph = gpus().end_capture(stream);
    ASSERT_NE(nullptr, graph) << i;
    gpus().launch_graph(graph, stream);
    gpus().synchronize(stream);
    EXPECT_EQ(bits(host.sum(on_host[i])), bits(out.first())) << i;
  }
  gpus().destroy_stream(stream);
}

// No rows have no results, and break nothing.
TEST_P(Library, NoRows) {
  Reducer reduce(name());
  const float* const floats = nullptr;
  const isofold::float16* const halves = nullptr;
  reduce.reserve(isofold::sum, isofold::rows(floats, 0, 100, 100));
  reduce.reserve(isofold::sum, isofold::rows(halves, 0, 100, 100));
  float* const out = nullptr;
  reduce.sum(isofold::rows(floats, 0, 100, 100), out);
  reduce.sum(isofold::rows(halves, 0, 100, 100), out);
}

// The control: an allocation while a stream is captured does break the capture.
TEST_P(Library, AllocationsBreakCaptures) {
  void* stream = gpus().create_stream();
  gpus().begin_capture(stream);
  void* memory = nullptr;
  EXPECT_EQ(ISOFOLD_capture, gpus().allocate(&memory, 64, ISOFOLD_MEMORY_device).code);
  EXPECT_EQ(nullptr, gpus().end_capture(stream));
  gpus().destroy_stream(stream);
}

// Memory too short for the count that the caller gives: a load past it is reported, not answered.
template <class Call>
std::string error_of(Call&& call) {
  try {
    call();
  } catch (const isofold::Error& error) {
    return error.what();
  }
  return "";
}

// Index lists need a place for errors, which nobody has reserved: an error, and the capture goes
// on.
TEST_P(Library, ListsThatNobodyReservedLeaveTheCapture) {
  void* stream = gpus().create_stream();
  {
    const Strided data(name(), numbers(n));
    const Strided out(name(), {0, 0, 0});
    const std::vector<std::int64_t> list{0, 10, 2000, n};
    isofold::Buffer offsets(name(), list.size() * sizeof(std::int64_t), 0);
    offsets.copy_from(list.data(), list.size() * sizeof(std::int64_t));
    Reducer fresh(name(), Options{}.stream(stream));
    Reducer ready(name(), Options{}.stream(stream));
    ready.reserve(isofold::sum, array(data.as<float>(), n));
    gpus().begin_capture(stream);
    EXPECT_NE("", error_of([&] {
                fresh.sum(isofold::segments(data.as<float>(), offsets.as<std::int64_t>(), 3, n),
                          out.as<float>());
              }));
    ready.sum(array(data.as<float>(), n), out.as<float>());
    EXPECT_NE(nullptr, gpus().end_capture(stream));
  }
  gpus().destroy_stream(stream);
}

// Index lists in device memory are checked as they are read: nothing outside the data is touched,
// the error comes where the stream is waited for, and the next call works.
TEST_P(Library, WrongIndexListsAreReported) {
  const std::vector<float> x = numbers(n);
  const Strided data(name(), x);
  const std::vector<std::int64_t> good{0, 10, 2000, n};
  isofold::Buffer offsets(name(), good.size() * sizeof(std::int64_t), 0);
  const Strided out(name(), {0, 0, 0});
  Reducer reduce(name());
  const auto reduced = [&](const std::vector<std::int64_t>& list) {
    offsets.copy_from(list.data(), list.size() * sizeof(std::int64_t));
    return error_of([&] {
      reduce.sum(isofold::segments(data.as<float>(), offsets.as<std::int64_t>(), 3, n),
                 out.as<float>());
      reduce.synchronize();
    });
  };
  EXPECT_EQ("", reduced(good));
  EXPECT_EQ(wanted(std::vector<float>(x.begin(), x.begin() + 10)), bits(out.first()));
  EXPECT_NE(std::string::npos, reduced({0, 10, 5, n}).find("Segment 1 has a bound of 10"));
  EXPECT_NE(std::string::npos, reduced({0, 10, 2000, n + 1}).find("Segment 2"));
  EXPECT_NE(std::string::npos, reduced({-1, 10, 2000, n}).find("Segment 0 has a bound of -1"));
  EXPECT_EQ("", reduced(good));
  const auto gathered = [&](const std::vector<std::int64_t>& list) {
    offsets.copy_from(list.data(), list.size() * sizeof(std::int64_t));
    return error_of([&] {
      return reduce.sum(isofold::gather(data.as<float>(), offsets.as<std::int64_t>(), 3, n));
    });
  };
  EXPECT_EQ("", gathered({n - 1, 0, 7}));
  EXPECT_NE(std::string::npos, gathered({0, n, 7}).find("Entry 1 of the indices is 50000"));
  EXPECT_NE(std::string::npos, gathered({0, 1, -7}).find("Entry 2 of the indices is -7"));
  EXPECT_EQ("", gathered({n - 1, 0, 7}));
}

// So many short segments that they have a kernel of their own (contiguous.hpp), a long one and a
// wrong one between them.
TEST_P(Library, ManyShortSegments) {
  constexpr std::int64_t rows = 13000;
  std::vector<std::int64_t> offsets{3};
  for (std::int64_t r = 0; r < rows; ++r) {
    offsets.push_back(offsets.back() + (r == 5000 ? 20000 : r * r % 17));
  }
  const std::int64_t elements = offsets.back();
  const std::vector<float> x = numbers(elements);
  const Strided data(name(), x);
  const Strided out(name(), std::vector<float>(rows));
  isofold::Buffer list(name(), offsets.size() * sizeof(std::int64_t), 0);
  Reducer reduce(name());
  Reducer reference("reference");
  std::vector<float> found(rows);
  for (const bool wrong : {false, true, false}) {
    std::vector<std::int64_t> given = offsets;
    given[7000] += wrong ? elements : 0;
    list.copy_from(given.data(), given.size() * sizeof(std::int64_t));
    const std::string error = error_of([&] {
      reduce.sum(isofold::segments(data.as<float>(), list.as<std::int64_t>(), rows, elements),
                 out.as<float>());
      reduce.synchronize();
    });
    EXPECT_EQ(wrong, error.find("Segment ") != std::string::npos) << error;
    EXPECT_EQ(wrong, error.find("(2) were taken") != std::string::npos) << error;
    out.copy_to(found.data(), found.size() * sizeof(float));
    for (std::size_t r = 0; r < found.size(); ++r) {
      const bool is_wrong = wrong && (r == 6999 || r == 7000);
      const std::int64_t length = is_wrong ? 0 : offsets[r + 1] - offsets[r];
      const float sum = length == 0 ? 0 : reference.sum(array(x.data() + offsets[r], length));
      ASSERT_EQ(bits(sum), bits(found[r])) << "segment " << r;
    }
  }
}

// Lengths around means for which the launch table has other tiles, windows and launches, with
// longer ones between them: of more than a chunk, and such as blocks share.
TEST_P(Library, SegmentsOfAnyMeanLength) {
  for (const std::int64_t mean : {12, 18, 100, 300, 1000}) {
    const std::int64_t rows = 300 + 90000 / mean;
    std::vector<std::int64_t> offsets{3};
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::int64_t usual = r * r * 7919 % (2 * mean + 1);
      const std::int64_t length = r % 97 == 5 ? 1100 : r == 200 ? 20000 : usual;
      offsets.push_back(offsets.back() + length);
    }
    const std::int64_t elements = offsets.back();
    const std::vector<float> x = numbers(elements);
    const Strided data(name(), x);
    const Strided out(name(), std::vector<float>(static_cast<std::size_t>(rows)));
    isofold::Buffer list(name(), offsets.size() * sizeof(std::int64_t), 0);
    list.copy_from(offsets.data(), offsets.size() * sizeof(std::int64_t));
    Reducer reduce(name());
    Reducer reference("reference");
    for (const std::int64_t known : {elements, std::int64_t{0}}) {
      reduce.sum(isofold::segments(data.as<float>(), list.as<std::int64_t>(), rows, known),
                 out.as<float>());
      reduce.synchronize();
      std::vector<float> found(static_cast<std::size_t>(rows));
      out.copy_to(found.data(), found.size() * sizeof(float));
      for (std::size_t r = 0; r < found.size(); ++r) {
        const std::int64_t length = offsets[r + 1] - offsets[r];
        const float sum = length == 0 ? 0 : reference.sum(array(x.data() + offsets[r], length));
        ASSERT_EQ(bits(sum), bits(found[r])) << "mean " << mean << ", segment " << r;
      }
    }
  }
}

// Segments so few that they have no kernel of their own, also of the lengths up to which several
// share a warp, powers of two (contiguous.hpp).
TEST_P(Library, SegmentsAroundPowersOfTwo) {
  std::vector<std::int64_t> offsets{1};
  for (std::int64_t length = 0; length <= 1030; ++length) {
    if (length < 70 || (length + 5) % 64 < 10) {
      offsets.push_back(offsets.back() + length);
    }
  }
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
  const std::vector<float> x = numbers(offsets.back());
  const Strided data(name(), x);
  const Strided out(name(), std::vector<float>(static_cast<std::size_t>(rows)));
  isofold::Buffer list(name(), offsets.size() * sizeof(std::int64_t), 0);
  list.copy_from(offsets.data(), offsets.size() * sizeof(std::int64_t));
  Reducer reduce(name());
  Reducer reference("reference");
  reduce.sum(isofold::segments(data.as<float>(), list.as<std::int64_t>(), rows, offsets.back()),
             out.as<float>());
  reduce.synchronize();
  std::vector<float> found(static_cast<std::size_t>(rows));
  out.copy_to(found.data(), found.size() * sizeof(float));
  for (std::size_t r = 0; r < found.size(); ++r) {
    const std::int64_t length = offsets[r + 1] - offsets[r];
    const float sum = length == 0 ? 0 : reference.sum(array(x.data() + offsets[r], length));
    ASSERT_EQ(bits(sum), bits(found[r])) << "segment of " << length;
  }
}

// Columns that blocks take tiles of, and columns that they leave to warps: lengths around chunks
// and tiles of them, numbers around widths of tiles, lines apart. Folds give bits and places, by
// two passes and of two arrays.
TEST_P(Library, ColumnsOfManyElements) {
  Reducer reduce(name());
  const float* const floats = nullptr;
  const bool has_norms = reduce.supports(isofold::norm2, array(floats, 5000));  // of many folds
  const auto check = [&](std::int64_t length, std::int64_t columns, std::int64_t pitch) {
    const std::vector<float> x = numbers(length * pitch);
    const Strided data(name(), x);
    const auto size = static_cast<std::size_t>(columns);
    const Strided sums(name(), std::vector<float>(size));
    const Strided norms(name(), std::vector<float>(size));
    const auto field = isofold::box(data.as<float>(), {length, columns}, {pitch, 1});
    reduce.sum(isofold::over(field, {0}), sums.as<float>());
    if (has_norms) {
      reduce.norm2(isofold::over(field, {0}), norms.as<float>());
    }
    reduce.synchronize();
    std::vector<float> found(size);
    std::vector<float> found_norms(size);
    sums.copy_to(found.data(), size * sizeof(float));
    norms.copy_to(found_norms.data(), size * sizeof(float));
    Reducer reference("reference");
    for (std::size_t c = 0; c < size; ++c) {
      std::vector<float> column;
      for (std::int64_t i = 0; i < length; ++i) {
        column.push_back(x[static_cast<std::size_t>(i * pitch) + c]);
      }
      ASSERT_EQ(wanted(column), bits(found[c])) << length << " x " << columns << ": " << c;
      if (has_norms) {
        const float norm = reference.norm2(isofold::array(column.data(), length));
        ASSERT_EQ(bits(norm), bits(found_norms[c])) << length << " x " << columns << ": " << c;
      }
    }
  };
  for (const std::int64_t length : {255, 256, 1000, 1024, 1025, 5000, 20000}) {
    for (const std::int64_t columns : {3, 16, 63, 64, 65, 130}) {
      check(length, columns, columns + length % 3);
    }
  }
  check(70000, 64, 64);
}

// Masks over two arrays that are aligned in different ways, or lie at other strides, and over
// complex elements that are aligned as their parts are: elements that are loaded in wide pieces,
// and others.
TEST_P(Library, MasksOfArraysThatLieDifferently) {
  constexpr std::int64_t entries = 5000;
  const std::vector<float> x = numbers(4 * n);
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(entries));
  for (std::size_t i = 0; i < mask.size(); ++i) {
    mask[i] = i * i % 7 < 3 ? 1 : 0;
  }
  const Strided data(name(), x);
  isofold::Buffer taken(name(), mask.size(), 0);
  taken.copy_from(mask.data(), mask.size());
  struct Question {
    std::int32_t fold;
    std::int32_t type;
    std::int64_t first;  // in floats
    std::int64_t second;
    std::int64_t stride;  // in elements
    std::int64_t second_stride;
  };
  int asked = 0;
  constexpr std::int32_t dot = ISOFOLD_FOLD_dot;
  constexpr std::int32_t sum = ISOFOLD_FOLD_sum;
  for (const Question& question :
       {Question{dot, ISOFOLD_TYPE_f32, 0, n, 1, 1},
        Question{dot, ISOFOLD_TYPE_f32, 0, n + 1, 1, 1},
        Question{dot, ISOFOLD_TYPE_f32, 3, n + 2, 1, 1},
        Question{dot, ISOFOLD_TYPE_f32, 0, n, 1, 2}, Question{dot, ISOFOLD_TYPE_f32, 0, n, 2, 1},
        Question{sum, ISOFOLD_TYPE_f32, 1, 0, 1, 0}, Question{sum, ISOFOLD_TYPE_c64, 0, 0, 1, 0},
        Question{sum, ISOFOLD_TYPE_c64, 1, 0, 1, 0}, Question{sum, ISOFOLD_TYPE_c64, 2, 0, 1, 0},
        Question{sum, ISOFOLD_TYPE_c64, 3, 0, 1, 0}}) {
    const auto ask = [&](const char* backend, const float* elements, const void* bytes,
                         float(&found)[2]) {
      isofold_layout layout{};
      layout.size = sizeof layout;
      layout.dimensions = 1;
      layout.extents[0] = entries;
      layout.strides[0] = question.stride;
      layout.second_strides[0] = question.second_stride;
      layout.mask = bytes;
      layout.mask_type = ISOFOLD_MASK_bytes;
      isofold_request request{};
      request.size = sizeof request;
      request.definition = ISOFOLD_DEFINITION_tree_v1;
      request.fold = question.fold;
      request.type = question.type;
      request.shape = ISOFOLD_SHAPE_box;
      request.rows = 1;
      request.length = entries;
      request.layout = &layout;
      request.data = elements + question.first;
      request.second = question.fold == dot ? elements + question.second : nullptr;
      request.result = found;
      request.flags = ISOFOLD_BLOCKING;
      Reducer reduce(backend);
      if (isofold_supports(reduce.handle(), &request) != ISOFOLD_ok) {
        return false;  // not in this build for tests
      }
      isofold::check(isofold_reduce(reduce.handle(), &request));
      return true;
    };
    float right[2] = {};
    float found[2] = {};
    if (!ask(name(), data.as<float>(), taken.as<void>(), found)) {
      continue;
    }
    ++asked;
    ask("reference", x.data(), mask.data(), right);
    EXPECT_TRUE(bits(right[0]) == bits(found[0]) && bits(right[1]) == bits(found[1]))
        << "fold " << question.fold << " of type " << question.type << " from float "
        << question.first << ", the second from " << question.second << ", strides "
        << question.stride << " and " << question.second_stride;
  }
  EXPECT_LT(0, asked);
}

// Transposed boxes, whose first index is the nearest, of one array and of another one that lies
// otherwise: long slabs, short ones, and rows of them.
TEST_P(Library, BoxesOfAnotherOrderThanMemory) {
  Reducer reduce(name());
  Reducer reference("reference");
  const std::vector<float> x = numbers(120000);
  const std::vector<float> y(x.rbegin(), x.rend());
  const Strided device_x(name(), x);
  const Strided device_y(name(), y);
  bool has_dots = true;
  try {
    static_cast<void>(reduce.dot(array(device_x.as<float>(), 9), array(device_y.as<float>(), 9)));
  } catch (const isofold::Error&) {
    has_dots = false;  // not in this build for tests
  }
  const auto check = [&](auto&& field, auto&& second, std::size_t rows) {
    std::vector<float> wanted(rows);
    std::vector<float> found(rows);
    const Strided out(name(), found);
    reference.sum(field(x.data()), wanted.data());
    reduce.sum(field(device_x.as<float>()), out.as<float>());
    reduce.synchronize();
    out.copy_to(found.data(), rows * sizeof(float));
    EXPECT_EQ(wanted, found) << rows << " rows";
    if (!has_dots) {
      return;
    }
    reference.dot(field(x.data()), second(y.data()), wanted.data());
    reduce.dot(field(device_x.as<float>()), second(device_y.as<float>()), out.as<float>());
    reduce.synchronize();
    out.copy_to(found.data(), rows * sizeof(float));
    EXPECT_EQ(wanted, found) << "dot of " << rows << " rows";
  };
  using isofold::box;
  using isofold::over;
  check(
      [](const float* from) {
        return over(box(from, {32, 3700}, {1, 32}), {0, 1});
      },
      [](const float* from) {
        return box(from, {32, 3700});
      },
      1);
  check(
      [](const float* from) {
        return over(box(from, {2, 29, 2001}, {58029, 1, 29}), {0, 1, 2});
      },
      [](const float* from) {
        return box(from, {2, 29, 2001});
      },
      1);
  check(
      [](const float* from) {
        return over(box(from, {300, 390}, {1, 300}), {0, 1});
      },
      [](const float* from) {
        return box(from, {300, 390});
      },
      1);
  check(
      [](const float* from) {
        return over(box(from, {40, 7, 400}, {1, 40, 280}), {0, 1, 2});
      },
      [](const float* from) {
        return box(from, {40, 7, 400});
      },
      1);
  check(
      [](const float* from) {
        return over(box(from, {40, 7, 400}, {1, 40, 280}), {0, 2});
      },
      [](const float* from) {
        return box(from, {40, 7, 400});
      },
      7);
  check(
      [](const float* from) {
        return over(box(from, {12, 3, 3333}, {1, 12, 36}), {0, 2});
      },
      [](const float* from) {
        return box(from, {12, 3, 3333});
      },
      3);
  // Rows in another order than memory: columns, rows and others, of both arrays and of one.
  const auto whole = [](const float* from) { return box(from, {30, 40, 90}); };
  const auto turned = [](const float* from) { return box(from, {30, 40, 90}, {1, 31, 1250}); };
  const auto compacted = [](const float* from) { return box(from, {30, 40, 90}, {1, 30, 1200}); };
  reduce = Reducer(name());  // whose workspace is as small as these need
  check([&](const float* from) { return over(turned(from), {2}); }, whole, 1200);
  check([&](const float* from) { return over(turned(from), {1}); }, turned, 2700);
  check([&](const float* from) { return over(compacted(from), {0}); }, compacted, 3600);
  check(
      [](const float* from) {
        return isofold::Axes<float>{box(from, {9, 1300}), 1, {}};
      },
      [](const float* from) {
        return box(from, {9, 1300});
      },
      9);  // as it is, after those
}

// Results of rows in another order are in workspace first, which a capture finds reserved, also
// with other sizes.
TEST_P(Library, RowsInAnotherOrderAreCaptured) {
  Reducer reference("reference");
  const std::vector<float> x = numbers(120000);
  const Strided data(name(), x);
  const auto rows = [](const float* from) {
    return isofold::over(isofold::box(from, {100, 60, 20}, {1, 100, 6000}), {2});
  };
  std::vector<float> wanted(6000);
  reference.sum(rows(x.data()), wanted.data());
  const Strided out(name(), std::vector<float>(6000));
  void* stream = gpus().create_stream();
  {
    Reducer reduce(name(), Options{}.stream(stream));
    reduce.reserve(isofold::sum, rows(data.as<float>()));
    gpus().begin_capture(stream);
    reduce.sum(rows(data.as<float>()), out.as<float>());
    const auto graph = gpus().end_capture(stream);
    ASSERT_NE(nullptr, graph);
    // The Reducer takes more room than that, elsewhere, before the graph runs.
    reduce.reserve(isofold::sum, isofold::rows(data.as<float>(), 4000, 300 * 1024, 300 * 1024));
    gpus().launch_graph(graph, stream);
    gpus().synchronize(stream);
    std::vector<float> found(6000);
    out.copy_to(found.data(), found.size() * sizeof(float));
    EXPECT_EQ(wanted, found);
  }
  gpus().destroy_stream(stream);
}

TEST_P(Library, WrongJoinedArraysAreReported) {
  const std::vector<float> x = numbers(n);
  const Strided data(name(), x);
  const float* const first = data.as<float>();
  const Strided out(name(), {0});
  isofold::Buffer lengths(name(), 3 * sizeof(std::int64_t), 0);
  isofold::Buffer arrays(name(), 3 * sizeof(const float*), 0);
  Reducer reduce(name());
  const auto reduced = [&](const std::vector<std::int64_t>& of, const float* last,
                           std::int64_t elements) {
    const float* const list[] = {first + 2000, first, last};
    lengths.copy_from(of.data(), of.size() * sizeof(std::int64_t));
    arrays.copy_from(list, sizeof list);
    return error_of([&] {
      reduce.sum(joined(isofold::batch(arrays.as<const float*>(), lengths.as<std::int64_t>(), 3),
                        elements),
                 out.as<float>());
      reduce.synchronize();
    });
  };
  std::vector<float> all(x.begin() + 2000, x.end());
  all.insert(all.end(), x.begin(), x.begin() + 2000);
  const std::vector<std::int64_t> good{n - 2000, 2000, 0};
  const auto tells = [](const std::string& sentence, const char* part) {
    return sentence.find(part) != std::string::npos;
  };
  for (const std::int64_t elements : {std::int64_t{0}, n, 2 * n}) {
    EXPECT_EQ("", reduced(good, nullptr, elements));
    EXPECT_EQ(wanted(all), bits(out.first()));
  }
  EXPECT_TRUE(tells(reduced({3, -5, 2}, first, 0), "Array 1 of the joined batch, of length -5"));
  EXPECT_TRUE(tells(reduced({3, 5, 2}, nullptr, 0), "Array 2 of the joined batch, of length 2"));
  EXPECT_TRUE(tells(reduced({3, 5, 2}, first, 9), "Entry 2 of the lengths, 2, takes the joined"));
  EXPECT_TRUE(tells(reduced({3, 5, INT64_MAX}, first, 0), "Entry 2 of the lengths"));
  EXPECT_EQ("", reduced(good, nullptr, n));
  EXPECT_EQ(wanted(all), bits(out.first()));
}

TEST_P(Library, LoadsPastTheDataAreReported) {
  const std::vector<float> x = numbers(n);
  const Strided data(name(), x);
  Reducer reduce(name());
  try {
    static_cast<void>(reduce.sum(array(data.as<float>(), n + 5000)));
    ADD_FAILURE() << "no error";
  } catch (const isofold::Error& error) {
    EXPECT_NE(std::string::npos, std::string(error.what()).find("ISOFOLD_SIMT_SEED="))
        << error.what();
  }
  EXPECT_EQ(wanted(x), bits(reduce.sum(array(data.as<float>(), n))));
}

// Arrays long enough for tiles of many rounds, whose chunks come through a stage where there is
// one.
TEST_P(Library, ListsOfLongArrays) {
  const std::int64_t chunks = std::int64_t{130} * gpus().multiprocessors();
  for (const std::int64_t length : {chunks * 1024, chunks * 1024 + 2077}) {
    const std::vector<float> x = numbers(length);
    const Strided data(name(), x);
    Reducer reduce(name());
    const auto a = array(data.as<float>(), length);
    const auto [one, same] = reduce.reduce(fuse(isofold::sum, isofold::sum), a);
    EXPECT_EQ(wanted(x), bits(one)) << length << " elements";
    EXPECT_EQ(wanted(x), bits(same)) << length << " elements";
    if (reduce.supports(isofold::argmin, a)) {
      const auto [sum, lowest] = reduce.reduce(fuse(isofold::sum, isofold::argmin), a);
      EXPECT_EQ(wanted(x), bits(sum)) << length << " elements";
      const auto expected = std::min_element(x.begin(), x.end());
      EXPECT_EQ(expected - x.begin(), lowest.index) << length << " elements";
      EXPECT_EQ(bits(*expected), bits(lowest.value)) << length << " elements";
    }
  }
}

// Devices that reach ordinary host memory take it in every place of a request, and others refuse
// it. Who goes where the data are stays on the host; memory of another device is refused still.
TEST_P(Library, HostMemoryIsTakenWhereTheDeviceReachesIt) {
  const std::vector<float> x = numbers(n);
  const auto on_host = array(x.data(), n);
  std::vector<unsigned char> mask(x.size());
  for (std::size_t i = 0; i < mask.size(); i += 3) {
    mask[i] = 1;
  }
  const auto masked_on_host = isofold::masked(on_host, mask.data());
  const auto code_of = [&](Reducer& reduce) {
    try {
      static_cast<void>(reduce.sum(on_host));
      return isofold::Code::ok;
    } catch (const isofold::Error& error) {
      return error.code();
    }
  };
  Reducer without(name());
  EXPECT_EQ(isofold::Code::wrong_memory, code_of(without));

  gpus().reaches_host_memory() = true;
  {
    const std::int64_t launches = gpus().launches();
    Reducer reduce(name());
    Reducer reference("reference");
    Reducer anywhere;
    EXPECT_EQ(wanted(x), bits(reduce.sum(on_host)));
    EXPECT_LT(launches, gpus().launches()) << "the control: the device computed";
    EXPECT_EQ(bits(reference.dot(on_host, on_host)), bits(reduce.dot(on_host, on_host)));
    EXPECT_EQ(bits(reference.sum(masked_on_host)), bits(reduce.sum(masked_on_host)));
    float result = 0;
    reduce.sum(on_host, &result);
    reduce.synchronize();
    EXPECT_EQ(wanted(x), bits(result));
    EXPECT_EQ(wanted(x), bits(anywhere.sum(on_host)));
    EXPECT_STREQ("reference", anywhere.backend());
    const Strided elsewhere(name(), x, 1);
    EXPECT_THROW(static_cast<void>(reduce.sum(array(elsewhere.as<float>(), n))), isofold::Error);
    EXPECT_EQ(isofold::Code::wrong_memory, code_of(without)) << "opened before";
  }
  gpus().reaches_host_memory() = false;
}

// A child by fork() refuses devices in a sentence, with a Reducer of its parent and one of its own,
// and reduces host memory. Device memory is not readable there.
TEST_P(Library, ChildrenOfAProcessThatHasUsedDevices) {
  const std::vector<float> x = numbers(n);
  const auto on_host = array(x.data(), n);
  auto data = std::make_unique<Strided>(name(), x);
  auto reduce = std::make_unique<Reducer>(name());
  Reducer anywhere;
  ASSERT_EQ(wanted(x), bits(reduce->sum(array(data->as<float>(), n))));
  ASSERT_EQ(wanted(x), bits(anywhere.sum(on_host)));
  void* const device = mmap(nullptr, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const int wrong = test_support::answer_of_child([&] {
    int first_wrong = 0;  // the first question that is answered wrongly, from 1 on
    auto expect = [&first_wrong, question = 0](bool right) mutable {
      ++question;
      first_wrong = first_wrong == 0 && !right ? question : first_wrong;
    };
    expect(test_support::is_refused_in_child(
        [&] { return reduce->sum(array(data->as<float>(), n)); }));
    expect(test_support::is_refused_in_child([&] { reduce->synchronize(); }));
    expect(test_support::is_refused_in_child([&] { Reducer own(name()); }));
    expect(test_support::is_refused_in_child([&] { Strided own(name(), x); }));
    expect(test_support::is_refused_in_child(
        [&] { return anywhere.sum(array(static_cast<const float*>(device), n)); }));
    expect(bits(anywhere.sum(on_host)) == wanted(x));
    expect(bits(Reducer().sum(on_host)) == wanted(x));
    reduce.reset();
    data.reset();
    return first_wrong;
  });
  EXPECT_EQ(0, wrong);
  munmap(device, 1 << 20);
  EXPECT_EQ(wanted(x), bits(reduce->sum(array(data->as<float>(), n))));
}

// A barrier left out of the kernels: in some order of the threads the bits are wrong, or threads
// wait for ever. The orders that chance draws thus reach the kernels' weak points.
TEST_P(Library, AMissingBarrierShows) {
  const std::vector<float> x = numbers(n);
  const Strided data(name(), x);
  int wrong = 0;
  for (int i = 0; i < 40; ++i) {
    Reducer reduce(name());
    gpus().omission().barrier = 0;
    try {
      wrong += bits(reduce.sum(array(data.as<float>(), n))) != wanted(x);
    } catch (const isofold::Error&) {
      ++wrong;
    }
    gpus().omission() = Omission{};
  }
  EXPECT_LT(0, wrong);
}

INSTANTIATE_TEST_SUITE_P(Gpus, Library,
                         testing::Values(EmulatedGpu{"simt32", 32}, EmulatedGpu{"simt64", 64}),
                         testing::PrintToStringParamName());

}  // namespace
