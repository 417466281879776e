// Segments that follow one another: as ReduceShortSegments folds them, with ReduceStrided for those
// that it leaves, or for all of them, or with ReduceLongSegments, and as loops do. Lengths around
// every limit, tiles that do not fit into their windows, misaligned begins, offsets of 32 and of 64
// bits, and wrong ones.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <backends/gpu/kernel/segments_long.hpp>
#include <backends/gpu/kernel/segments_short.hpp>
#include <conformance/judge.hpp>
#include <isofold/detail/core/folds/bounded.hpp>
#include <isofold/detail/core/folds/complex.hpp>
#include <isofold/detail/core/folds/extremum.hpp>
#include <isofold/detail/core/folds/location.hpp>
#include <isofold/detail/core/folds/log_sum_exp.hpp>
#include <isofold/detail/core/folds/moments.hpp>
#include <isofold/detail/core/folds/product.hpp>
#include <isofold/detail/core/folds/products.hpp>
#include <isofold/detail/gpu/tile_plan.hpp>

#include "on_device.hpp"

namespace {

namespace conformance = isofold::conformance;
using isofold::simt::launch;
using isofold::simt::OnDevice;
using isofold::simt::packed_and_folded;
using isofold::simt::Random;
namespace core = isofold::core;
namespace gpu = isofold::gpu;

std::int64_t below(Random& random, std::int64_t limit) {
  return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(limit)));
}

// Offsets at which some segments begin, and the end of the last one.
std::vector<std::int64_t> some_offsets(Random& random) {
  const std::int64_t mosts[] = {0, 1, 4, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130, 300};
  const std::int64_t most = mosts[random.below(14)];
  const bool alike = random.below(4) == 0;
  const bool some_are_long = random.below(3) == 0;
  const std::int64_t rows = 1 + below(random, 400);
  std::vector<std::int64_t> offsets{below(random, 20)};
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t length = alike ? most : below(random, most + 1);
    if (some_are_long && random.below(50) == 0) {
      const std::int64_t longs[] = {129, 511, 1023, 1024, 1025, 2048, 3000, 4097, 7000, 20000};
      length = longs[random.below(10)];
    }
    offsets.push_back(offsets.back() + length);
  }
  return offsets;
}

// Makes some of them wrong: smaller than the one before, negative, or beyond `elements`; offsets of
// 64 bits also so that their lower 32 are right.
void spoil(std::vector<std::int64_t>& offsets, std::int64_t elements, bool wide, Random& random) {
  for (std::int64_t i = 1 + below(random, 4); i > 0; --i) {
    std::int64_t& offset = offsets[random.below(offsets.size())];
    const std::int64_t wrong[] = {-1,
                                  INT32_MIN,
                                  elements + 1,
                                  INT32_MAX,
                                  0,
                                  elements,
                                  below(random, elements + 1),
                                  offset + (std::int64_t{1} << 32)};
    offset = wrong[random.below(wide ? 8 : 7)];
  }
}

// Zeros of both signs, or numbers of which some are infinite or none.
enum class Data { numbers, zeros, special };

template <class Element>
std::vector<Element> special_elements(std::size_t count, Data data, Random& random) {
  using Limits = std::numeric_limits<Element>;
  const Element specials[] = {Limits::quiet_NaN(), -Limits::quiet_NaN(), Limits::infinity(),
                              -Limits::infinity(), Limits::denorm_min(), Limits::max()};
  std::vector<Element> x(count);
  for (Element& each : x) {
    const auto number = static_cast<Element>(static_cast<int>(random.below(2000)) - 900) / 7;
    const Element zero = random.below(8) == 0 ? Element{0} : -Element{0};
    const bool is_special = data == Data::special && random.below(50) == 0;
    each = data == Data::zeros ? zero : is_special ? specials[random.below(6)] : number;
  }
  return x;
}

template <class Element>
std::vector<Element> some_elements(std::size_t count, Random& random, Data data = Data::numbers) {
  if constexpr (std::is_floating_point_v<Element>) {
    if (data != Data::numbers) {
      return special_elements<Element>(count, data, random);
    }
  }
  std::vector<Element> x(count);
  for (Element& each : x) {
    const auto number = [&] {
      return static_cast<core::part_t<Element>>(static_cast<int>(random.below(20000)) - 9000) / 700;
    };
    if constexpr (core::is_complex<Element>) {
      each = {number(), number()};
    } else {
      each = number();
    }
  }
  return x;
}

// A copy on the device that begins `parts` parts of an element after a multiple of 16 bytes, and
// ends with the memory.
template <int width, class Element>
class Misaligned {
  using Part = core::part_t<Element>;

 public:
  Misaligned(const std::vector<Element>& x, std::size_t parts)
      : before_(parts), memory_(padded(x, parts)) {}
  const Element* data() const { return reinterpret_cast<const Element*>(memory_.data() + before_); }

 private:
  static std::vector<Part> padded(const std::vector<Element>& x, std::size_t parts) {
    constexpr std::size_t each = core::is_complex<Element> ? 2 : 1;
    std::vector<Part> all(parts + x.size() * each);
    std::memcpy(all.data() + parts, static_cast<const void*>(x.data()), x.size() * sizeof(Element));
    return all;
  }
  std::size_t before_;
  OnDevice<width, Part> memory_;
};

template <int width, class ShortSegmentsKernel>
gpu::ShortSegmentsTiles some_tiles(int warps, Random& random) {
  gpu::ShortSegmentsTiles tiles;
  tiles.rows = ShortSegmentsKernel::most_tile(width) >> random.below(4);
  tiles.half = random.coin() ? tiles.rows / 2 : 0;
  tiles.window = 32 << random.below(7);
  while (warps * ShortSegmentsKernel::warp_bytes(tiles, width) > (64 << 10)) {
    tiles.window /= 2;
  }
  tiles.by_thread = random.coin();
  tiles.shared = 64 << random.below(5);
  tiles.listed = 1 + below(random, gpu::short_segments_most_chunks);
  tiles.assigned = static_cast<int>(below(random, 3));
  tiles.chunks = tiles.window < core::chunk_elements
                     ? 0
                     : static_cast<int>(below(random, gpu::short_segments_most_chunks + 1));
  return tiles;
}

gpu::LongTiles some_long_tiles(std::int64_t room, Random& random) {
  gpu::LongTiles tiles;
  tiles.most_here = std::int64_t{1} << random.below(5);
  tiles.room = room;
  tiles.shift = static_cast<int>(random.below(4));
  tiles.assignment.turn = 1 + static_cast<int>(below(random, 32));
  return tiles;
}

// The launches behind ReduceShortSegments's: ReduceStrided takes what is left and then what is
// listed, or both at once; or ReduceLongSegments does.
enum class Behind { strided_twice, strided_once, by_chunks };
template <int width, class Fold>
Behind some_launches(Random& random) {
  constexpr bool may_be_by_chunks = width == 32 && gpu::takes_long_segments<Fold>;
  return static_cast<Behind>(random.below(may_be_by_chunks ? 3 : 2));
}

// The two or three launches that fold segments, over what is in `rows` and `places`.
template <int width, class Fold>
void fold_short_segments(const gpu::Rows<Fold>& rows, const gpu::Places& places, Random& random) {
  using ShortSegmentsKernel = gpu::ReduceShortSegments<Fold>;
  using Strided = gpu::ReduceStrided<Fold>;
  using State = typename Fold::state_type;
  constexpr std::int64_t room = 200;
  const int warps = 1 << random.below(3);
  const gpu::ShortSegmentsTiles tiles = some_tiles<width, ShortSegmentsKernel>(warps, random);
  const OnDevice<width, gpu::LeftRows> left(std::vector<gpu::LeftRows>(static_cast<std::size_t>(
      gpu::ceil_divide(rows.rows, tiles.half > 0 ? tiles.half : tiles.rows))));
  const std::vector<std::uint32_t> zeros(gpu::WorkQueue::words + 4 + room);
  const OnDevice<width, std::uint32_t> counters(zeros);
  std::uint32_t* const behind = counters.data() + gpu::WorkQueue::words;
  const gpu::SegmentsLeft rest{left.data(), behind + 1, {counters.data()}};
  const OnDevice<width, gpu::ListedTile> list{std::vector<gpu::ListedTile>(room)};
  const OnDevice<width, State> nodes{std::vector<State>(room)};
  const int blocks = 1 + static_cast<int>(random.below(20));
  const auto launch_short_segments = [&](const gpu::TileList& to) {
    launch<width>(ShortSegmentsKernel::of(rows, places, tiles, to, rest), blocks, warps,
                  static_cast<std::size_t>(ShortSegmentsKernel::shared_bytes(tiles, warps, width)));
  };
  const Behind what = some_launches<width, Fold>(random);
  if (what == Behind::by_chunks) {
    if constexpr (width == 32 && gpu::takes_long_segments<Fold>) {
      using Kernel = gpu::ReduceLongSegments<Fold, true>;
      const gpu::LongTiles long_tiles = some_long_tiles(room, random);
      const OnDevice<width, std::uint32_t> turns{std::vector<std::uint32_t>(gpu::WorkQueue::words)};
      const Kernel kernel{rows,       places,      long_tiles,     nodes.data(),
                          behind + 4, list.data(), {turns.data()}, rest};
      launch_short_segments(kernel.shared_rows());
      launch<width>(kernel, blocks, warps,
                    static_cast<std::size_t>(warps) * Kernel::warp_bytes(width));
    }
  } else {
    gpu::Sharing sharing;
    sharing.block_shift = gpu::ceil_shift(warps);
    sharing.list_shift = static_cast<int>(random.below(3));
    sharing.room = room;
    Strided strided{rows, places, sharing, nodes.data(), behind + 4, list.data(), false, {}, rest};
    launch_short_segments(strided.shared_rows());
    const std::size_t bytes = Strided::shared_bytes(warps * width, width, sharing, true);
    if (what == Behind::strided_twice) {
      launch<width>(strided, blocks, warps, bytes);
      strided.rest = {};
    }
    strided.from_list = true;
    launch<width>(strided, blocks, warps, bytes);
  }
  EXPECT_EQ(zeros, counters.content());
}

// The results and faults that run(rows, places) leaves of segments, beside those of loops.
template <int width, class Index, class Fold, class Run>
void compare_segments(const Fold& fold, const std::vector<std::int64_t>& offsets,
                      std::int64_t elements, bool checked, Random& random, Run&& run,
                      Data data = Data::numbers) {
  using Element = typename Fold::element_type;
  using Result = typename Fold::result_type;
  const auto count = static_cast<std::size_t>(elements);
  const auto x = some_elements<Element>(count, random, data);
  const auto y = some_elements<Element>(count, random, data);
  const Misaligned<width, Element> device_x(x, random.below(4));
  const Misaligned<width, Element> device_y(y, random.below(4));
  const OnDevice<width, Index> list(std::vector<Index>(offsets.begin(), offsets.end()));
  const OnDevice<width, gpu::Fault> fault(std::vector<gpu::Fault>(1));
  const std::size_t segments = offsets.size() - 1;
  const OnDevice<width, Result> result{std::vector<Result>(segments)};

  gpu::Rows<Fold> rows{};
  rows.fold = fold;
  rows.first = {device_x.data(), device_y.data()};
  rows.rows = static_cast<std::int64_t>(segments);
  rows.result = result.data();
  gpu::Places places;
  places.shape = ISOFOLD_SHAPE_segments;
  places.wide_indices = sizeof(Index) == 8;
  places.cursor_reaches = true;
  places.begins = list.data();
  places.ends = list.data() + 1;
  places.elements = elements;
  places.fault = checked ? fault.data() : nullptr;
  run(rows, places);

  const auto found = result.content();
  std::uint32_t faults = 0;
  for (std::size_t r = 0; r < segments; ++r) {
    const std::int64_t begin = offsets[r];
    const std::int64_t end = offsets[r + 1];
    const bool right = begin >= 0 && end >= begin && end <= elements;
    faults += right ? 0 : 1;
    std::vector<std::int64_t> all;
    for (std::int64_t i = begin; right && i < end; ++i) {
      all.push_back(i);
    }
    ASSERT_EQ(conformance::bits_of(packed_and_folded(fold, all, x, y)),
              conformance::bits_of(found[r]))
        << "segment " << r << " of " << segments << ", from " << begin << " to " << end;
  }
  ASSERT_EQ(faults, fault.content()[0].found);
}

template <int width, class Index, class Fold>
void fold_and_compare(const Fold& fold, std::uint64_t seed, int rounds) {
  Random random(seed);
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::int64_t> offsets = some_offsets(random);
    const std::int64_t elements = offsets.back();
    const bool checked = random.coin();
    const bool spoiled = checked && elements > 0 && random.coin();
    if (spoiled) {
      spoil(offsets, elements, sizeof(Index) == 8, random);
    }
    SCOPED_TRACE("round " + std::to_string(round) + (spoiled ? ", offsets are spoiled" : ""));
    compare_segments<width, Index>(fold, offsets, elements, checked, random,
                                   [&](const auto& rows, const auto& places) {
                                     fold_short_segments<width>(rows, places, random);
                                   });
    if (testing::Test::HasFatalFailure()) {
      return;
    }
  }
}

// Tiles that do not fit, whose second half would, were what it begins with right.
template <int width, class Index>
void spoil_halves() {
  Random random(sizeof(Index));
  for (int round = 0; round < 60; ++round) {
    const auto tile = static_cast<std::size_t>(8) << random.below(4);
    std::vector<std::int64_t> offsets{0};
    while (offsets.size() <= 3 * tile) {
      const bool is_second = (offsets.size() - 1) % tile >= tile / 2;
      offsets.push_back(offsets.back() + below(random, is_second ? 3 : 100));
    }
    const std::int64_t elements = offsets.back();
    const std::size_t spoilt = tile * random.below(3) + tile / 2;
    const std::int64_t by = 1 + below(random, 20);
    offsets[spoilt] = random.coin() ? -by : elements + by;
    SCOPED_TRACE("round " + std::to_string(round));
    compare_segments<width, Index>(core::Sum<float>{}, offsets, elements, true, random,
                                   [&](const auto& rows, const auto& places) {
                                     fold_short_segments<width>(rows, places, random);
                                   });
    if (testing::Test::HasFatalFailure()) {
      return;
    }
  }
}
// Tiles that do not fit, of whose halves each leaves a row: one that is longer than a chunk.
TEST(ShortSegmentsKernel, HalvesThatLeaveARow) {
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    const std::int64_t half = std::int64_t{4} << random.below(4);
    std::vector<std::int64_t> offsets{0};
    for (std::int64_t row = 0; row < 6 * half; ++row) {
      offsets.push_back(offsets.back() + (row % half == 0 ? 1030 + below(random, 200) : 0));
    }
    compare_segments<32, std::int64_t>(core::Sum<float>{}, offsets, offsets.back(), random.coin(),
                                       random, [&](const auto& rows, const auto& places) {
                                         fold_short_segments<32>(rows, places, random);
                                       });
    if (testing::Test::HasFatalFailure()) {
      return;
    }
  }
}
TEST(ShortSegmentsKernel, HalvesThatAreWrong) {
  spoil_halves<32, std::int64_t>();
  spoil_halves<32, std::int32_t>();
  spoil_halves<64, std::int64_t>();
}

template <class Fold>
void fold_on_both(const Fold& fold, int rounds) {
  fold_and_compare<32, std::int64_t>(fold, 1, rounds);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_and_compare<32, std::int32_t>(fold, 2, rounds);
  fold_and_compare<64, std::int64_t>(fold, 3, rounds);
  fold_and_compare<64, std::int32_t>(fold, 4, rounds);
#endif
}

TEST(ShortSegmentsKernel, Sums) {
  fold_on_both(core::Sum<float>{}, 60);
  fold_and_compare<64, std::int32_t>(core::Sum<double>{}, 5, 30);
}
TEST(ShortSegmentsKernel, Locations) { fold_on_both(core::ArgMin<float>{}, 30); }
TEST(ShortSegmentsKernel, TwoArrays) {
  fold_on_both(core::Dot<float>{}, 30);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_on_both(core::Dot<double>{}, 15);
#endif
}
TEST(ShortSegmentsKernel, TwoStages) {
  fold_on_both(core::AllMoments<double>{}, 8);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_on_both(core::LogSumExp<float>{}, 8);
#endif
}
TEST(ShortSegmentsKernel, Bounds) { fold_on_both(core::SumWithBound<double>{}, 20); }
TEST(ShortSegmentsKernel, ComplexElements) {
  fold_on_both(core::Sum<isofold_c64>{}, 20);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_on_both(core::Product<isofold_c64>{}, 20);
#endif
  fold_on_both(core::ComplexNorm2<isofold_c128>{}, 20);
}

// ---- segments of one length, which are turned ---------------------------------------------------

// The most that the threads of a warp ask of one bank at once, thread t element(t) of the window.
// Half of the threads ask at once where elements are two words.
template <class Class, class ElementOf>
int most_of_a_bank(ElementOf&& element) {
  constexpr int at_once = 32 * 4 / static_cast<int>(sizeof(Class));
  int most = 0;
  for (int first = 0; first < 32; first += at_once) {
    int asked[at_once] = {};
    for (int t = first; t < first + at_once; ++t) {
      most = std::max(most, ++asked[element(t) % at_once]);
    }
  }
  return most;
}

// most_of_a_bank() for segments of one length, at each slot, wherever the window begins.
template <class Element>
int most_of_own(int length) {
  int most = 0;
  for (int slot = 0; slot < length; ++slot) {
    for (int before = 0; before < 32; ++before) {
      most = std::max(most, most_of_a_bank<Element>([&](int thread) {
                        const int at = thread * length;
                        return before + at + (slot ^ gpu::turn_of_own<Element>(at, length));
                      }));
    }
  }
  return most;
}
template <class Element>
int most_of_shared(int length) {
  int most = 0;
  for (int slot = 0; slot < length; slot += 4) {
    for (int before = 0; before < 32; ++before) {
      most = std::max(most, most_of_a_bank<Element>([&](int thread) {
                        const int turn = gpu::turn_of_shared(thread, length);
                        return before + thread / 4 * length + ((thread % 4 + slot) ^ turn);
                      }));
    }
  }
  return most;
}

TEST(TurnedSegments, EachThreadHasABank) {
  for (const int length : {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 32}) {
    EXPECT_EQ(1, most_of_own<float>(length)) << length;
    EXPECT_EQ(length == 32 ? 2 : 1, most_of_own<double>(length)) << length;  // turned by twos
  }
  for (const int length : {32, 64, 128, 256}) {
    EXPECT_EQ(1, most_of_shared<float>(length)) << length;
    EXPECT_EQ(1, most_of_shared<double>(length)) << length;
  }
  EXPECT_EQ(1, most_of_shared<double>(16));
}

template <int width, class Fold>
void fold_alike_and_compare(const Fold& fold) {
  Random random(width);
  for (const std::int64_t length : {2, 4, 6, 8, 12, 16, 20, 24, 32, 48, 64, 96, 128, 256, 1024}) {
    for (const Data data : {Data::numbers, Data::zeros, Data::special}) {
      SCOPED_TRACE("length " + std::to_string(length) + ", data " +
                   std::to_string(static_cast<int>(data)));
      std::vector<std::int64_t> offsets{below(random, 20)};
      for (std::int64_t rows = 70 + below(random, 200); rows > 0; --rows) {
        offsets.push_back(offsets.back() + length);
      }
      if (random.below(4) == 0) {  // as many as if they were alike
        ++offsets[offsets.size() / 2];
      }
      const auto run = [&](const auto& rows, const auto& places) {
        fold_short_segments<width>(rows, places, random);
      };
      const std::int64_t elements = offsets.back() + below(random, 20);
      compare_segments<width, std::int64_t>(fold, offsets, elements, false, random, run, data);
      if (testing::Test::HasFatalFailure()) {
        return;
      }
    }
  }
}

template <class Fold>
void fold_alike_on_both(const Fold& fold) {
  fold_alike_and_compare<32>(fold);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_alike_and_compare<64>(fold);
#endif
}

TEST(TurnedSegments, Sums) {
  fold_alike_on_both(core::Sum<float>{});
  fold_alike_and_compare<64>(core::Sum<double>{});
  fold_alike_on_both(core::Sum<std::int32_t>{});
}
TEST(TurnedSegments, Extrema) {
#if ISOFOLD_TEST_ALL_KERNELS
  fold_alike_on_both(core::Minimum<float>{});
#endif
  fold_alike_on_both(core::Maximum<double>{});
}
TEST(TurnedSegments, Locations) { fold_alike_on_both(core::ArgMin<float>{}); }
TEST(TurnedSegments, TwoArrays) { fold_alike_on_both(core::Dot<double>{}); }

// ---- by ReduceStrided alone
// ------------------------------------------------------------------------

// Long segments and empty ones, in any order: some share a warp two by two, a chunk each, others
// have several chunks, of which two are folded at once.
std::vector<std::int64_t> long_offsets(Random& random) {
  std::vector<std::int64_t> lengths{0,    0,    0,    1,    127,  128,  128,  129,  1023,
                                    1024, 1024, 1024, 1024, 1024, 1025, 1151, 1152, 1153,
                                    2048, 2175, 2176, 3072, 4096, 4097, 5247, 5248};
  for (std::size_t i = lengths.size(); i > 1; --i) {
    std::swap(lengths[i - 1], lengths[random.below(i)]);
  }
  std::vector<std::int64_t> offsets{0};
  for (const std::int64_t length : lengths) {
    offsets.push_back(offsets.back() + length);
  }
  return offsets;
}

template <int width, class Fold>
void fold_long_and_compare(const Fold& fold) {
  using Strided = gpu::ReduceStrided<Fold>;
  Random random(width);
  for (int round = 0; round < 9; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const std::vector<std::int64_t> offsets = long_offsets(random);
    gpu::Sharing sharing;
    sharing.shift = 2 * (round % 3);
    sharing.longest = random.coin() ? 64 : 256;
    compare_segments<width, std::int64_t>(
        fold, offsets, offsets.back(), false, random,
        [&](const gpu::Rows<Fold>& rows, const gpu::Places& places) {
          launch<width>(Strided{rows, places, sharing, nullptr, nullptr, nullptr, false, {}},
                        1 + static_cast<std::int64_t>(random.below(3)), 2,
                        Strided::shared_bytes(2 * width, width, sharing, true));
        });
    if (testing::Test::HasFatalFailure()) {
      return;
    }
  }
}

template <class Fold>
void fold_long_on_both(const Fold& fold) {
  fold_long_and_compare<64>(fold);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_long_and_compare<32>(fold);
#endif
}

TEST(LongSegments, Sums) { fold_long_on_both(core::Sum<float>{}); }
TEST(LongSegments, Locations) { fold_long_on_both(core::ArgMin<float>{}); }
TEST(LongSegments, TwoArrays) { fold_long_on_both(core::Dot<float>{}); }
TEST(LongSegments, TwoStages) {
#if ISOFOLD_TEST_ALL_KERNELS
  fold_long_and_compare<32>(core::AllMoments<float>{});
#endif
  fold_long_on_both(core::LogSumExp<float>{});
}

// ---- by ReduceLongSegments, where waves are of 32
// -------------------------------------------------

// The two launches of ReduceLongSegments. There may be no room for some of the entries that they
// list.
template <class Fold>
void fold_by_chunks(const gpu::Rows<Fold>& rows, const gpu::Places& places, Random& random) {
  using Kernel = gpu::ReduceLongSegments<Fold>;
  constexpr int width = 32;
  const std::int64_t rooms[] = {1, 4, 200};
  gpu::LongTiles tiles = some_long_tiles(rooms[random.below(3)], random);
  const auto room = static_cast<std::size_t>(tiles.room);
  const std::vector<std::uint32_t> zeros(2 * gpu::WorkQueue::words + 2 + room);
  const OnDevice<width, std::uint32_t> counters(zeros);
  const OnDevice<width, gpu::ListedTile> list{std::vector<gpu::ListedTile>(room)};
  const OnDevice<width, typename Fold::state_type> nodes{
      std::vector<typename Fold::state_type>(room)};
  const int warps = 1 << random.below(3);
  const std::int64_t blocks = 1 + below(random, 20);
  const std::size_t bytes = static_cast<std::size_t>(warps) * Kernel::warp_bytes(width);
  tiles.assignment =
      gpu::StaticAssignment::of(rows.rows, blocks * warps, static_cast<int>(random.below(17)),
                                1 + static_cast<int>(random.below(width)), tiles.assignment.turn);
  std::uint32_t* const second = counters.data() + gpu::WorkQueue::words;
  std::uint32_t* const behind = second + gpu::WorkQueue::words + 2;
  launch<width>(Kernel{rows, places, tiles, nodes.data(), behind, list.data(), {counters.data()}},
                blocks, warps, bytes);
  gpu::SegmentsLeft rest;
  rest.turns = {counters.data()};
  launch<width>(
      gpu::ReduceLongSegments<Fold, true>{
          rows, places, tiles, nodes.data(), behind, list.data(), {second}, rest},
      blocks, warps, bytes);
  EXPECT_EQ(zeros, counters.content());
}

template <class Index, class Fold>
void fold_by_chunks_and_compare(const Fold& fold, int rounds) {
  Random random(sizeof(Index));
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::int64_t> offsets =
        round % 2 == 0 ? long_offsets(random) : some_offsets(random);
    const std::int64_t elements = offsets.back() + below(random, 40);
    const bool checked = random.coin();
    const bool spoiled = checked && elements > 0 && random.coin();
    if (spoiled) {
      spoil(offsets, elements, sizeof(Index) == 8, random);
    }
    SCOPED_TRACE("round " + std::to_string(round) + (spoiled ? ", offsets are spoiled" : ""));
    compare_segments<32, Index>(
        fold, offsets, elements, checked, random,
        [&](const auto& rows, const auto& places) { fold_by_chunks(rows, places, random); },
        round % 3 == 0 ? Data::zeros : Data::numbers);
    if (testing::Test::HasFatalFailure()) {
      return;
    }
  }
}

TEST(SegmentsByChunks, Sums) {
  fold_by_chunks_and_compare<std::int64_t>(core::Sum<float>{}, 60);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_by_chunks_and_compare<std::int32_t>(core::Sum<float>{}, 60);
  fold_by_chunks_and_compare<std::int64_t>(core::Sum<double>{}, 30);
#endif
}
TEST(SegmentsByChunks, Extrema) {
  fold_by_chunks_and_compare<std::int32_t>(core::Maximum<float>{}, 30);
}

}  // namespace
