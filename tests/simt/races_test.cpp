// The kernels under ThreadSanitizer, each GPU thread a thread of its own to it. The kernels are
// clean as they are; with one barrier left out, or the order of the hand-over, a race must be
// reported, or the detector proves nothing.
#include <cstdio>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <backends/gpu/kernel/columns_interleaved.hpp>
#include <backends/gpu/kernel/fused_ops.hpp>
#include <backends/gpu/kernel/mask_to_bits_of_columns.hpp>
#include <backends/gpu/kernel/mask_to_bits_strided.hpp>
#include <backends/gpu/kernel/masked_columns_per_block.hpp>
#include <backends/gpu/kernel/masked_rows_per_warp.hpp>
#include <backends/gpu/op/argmin_deferred.hpp>
#include <isofold/detail/core/folds/norm2.hpp>

#include "on_device.hpp"
#include "ordered_fold.hpp"
#include "sanitized_runs.hpp"
#include <simulator/race_reports.hpp>

namespace {

using isofold::simt::Case;
using isofold::simt::FoldsNodes;
using isofold::simt::Kind;
using isofold::simt::kinds;
using isofold::simt::launch;
using isofold::simt::long_walks;
using isofold::simt::machine;
using isofold::simt::Omission;
using isofold::simt::OnDevice;
using isofold::simt::Ordered;
using isofold::simt::Placement;
using isofold::simt::placements;
using isofold::simt::Platform;
using isofold::simt::race_reports;
using isofold::simt::Runner;
using isofold::simt::schedule;
using isofold::simt::Shape;
using isofold::simt::shapes;
using isofold::simt::text_of;

// Expected reports are not shown.
class Quiet {
 public:
  Quiet() : kept_(dup(2)) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, 2);
    close(nowhere);
  }
  ~Quiet() {
    dup2(kept_, 2);
    close(kept_);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  int kept_;
};

class Races : public testing::TestWithParam<Kind> {};

TEST_P(Races, NoneInTheKernels) {
  Runner runner(GetParam());
  const std::vector<Case> cases = runner.cases();
  ASSERT_FALSE(cases.empty());
  for (const Case& which : cases) {
    for (const Shape& shape : shapes()) {
      race_reports = 0;
      EXPECT_EQ("", runner.run(which, shape)) << text_of(shape);
      EXPECT_EQ(0, race_reports) << text_of(shape);
    }
  }
}

// One case: the kernel takes the same steps for all, and each of its threads costs as above.
TEST_P(Races, NoneInTheKernelForLayouts) {
  Runner runner(GetParam());
  for (const Placement& placement : placements()) {
    race_reports = 0;
    EXPECT_EQ("", runner.run(runner.cases().front(), placement)) << placement.text;
    EXPECT_EQ(0, race_reports) << placement.text;
  }
}

TEST_P(Races, NoneInTheKernelForLongWalks) {
  if (GetParam().slow_fences) {
    GTEST_SKIP() << "these kernels have no fences";
  }
  int& multiprocessors = machine(GetParam().wave_width).multiprocessors();
  const int kept = multiprocessors;
  multiprocessors = 1;
  Runner runner(GetParam());
  multiprocessors = kept;
  for (const Placement& placement : long_walks()) {
    race_reports = 0;
    EXPECT_EQ("", runner.run(runner.cases().front(), placement)) << placement.text;
    EXPECT_EQ(0, race_reports) << placement.text;
  }
}

// More nodes than a block folds at once.
template <int width>
void fold_segments_of_nodes() {
  constexpr int capacity = 4;
  const std::vector<std::uint64_t> states(5 * capacity * width + 7, 1);
  const OnDevice<width, std::uint64_t> nodes(states);
  const OnDevice<width, std::uint64_t> root(std::vector<std::uint64_t>(1));
  launch<width>(
      FoldsNodes<Ordered>{
          {}, capacity, nodes.data(), static_cast<std::int64_t>(states.size()), root.data()},
      1, 3, isofold::gpu::BlockMemory<std::uint64_t>::bytes(capacity, width));
}
TEST(RacesOfNodes, NoneInTheKernelForSegments) {
  race_reports = 0;
  fold_segments_of_nodes<32>();
  fold_segments_of_nodes<64>();
  EXPECT_EQ(0, race_reports);
}

// The places of extrema in the chunks that have them, twice, by warps with memory of their own.
using BothEnds = isofold::core::LocateBoth<double>;
struct PlacesInChunks {
  static constexpr int max_threads = 512;
  const double* x;
  std::int64_t length;
  BothEnds::state_type node;
  BothEnds::state_type* found;

  template <class Group>
  void operator()(const Group& group) const {
    const int warp = group.thread() / Group::wave_width;
    auto* const shared = static_cast<BothEnds::state_type*>(group.shared()) + warp;
    for (int round = 0; round < 2; ++round) {
      const auto places = isofold::gpu::with_places<isofold::gpu::WideLanes<double>>(
          group, node, x, length, shared);
      if (group.thread() % Group::wave_width == 0) {
        found[2 * warp + round] = places;
      }
    }
  }
};

TEST(RacesOfLatePlaces, NoneInTheKernel) {
  namespace core = isofold::core;
  std::vector<double> x(3 * 1024, 5);
  x[1900] = -2;
  x[2100] = 7;
  const OnDevice<32, double> elements(x);
  const OnDevice<32, BothEnds::state_type> found{std::vector<BothEnds::state_type>(4)};
  const BothEnds::state_type node{{core::Keys<double, core::Toward::lowest>::of(-2.), 1024},
                                  {core::Keys<double, core::Toward::highest>::of(7.), 2048}};
  race_reports = 0;
  launch<32>(PlacesInChunks{elements.data(), 3 * 1024, node, found.data()}, 1, 2, 2 * sizeof node);
  for (const BothEnds::state_type& each : found.content()) {
    EXPECT_EQ(1900, each.first.index);
    EXPECT_EQ(2100, each.second.index);
  }
  EXPECT_EQ(0, race_reports);
}

// Chunks of two arrays that come in bulk, of which folds read the first, in several rounds of a
// tile and several tiles of a block.
TEST(RacesOfLists, NoneInTheKernel) {
  using Lanes = isofold::gpu::WideLanes<float>;
  using Kernel = isofold::gpu::ReduceFusedOps<Platform<32>, float, Lanes, 2>;
  using Sum = isofold::core::Sum<float>;
  const std::vector<float> x(39 * 1024 + 5, 1.5F);
  const OnDevice<32, float> first(x);
  const OnDevice<32, float> second(x);
  const OnDevice<32, float> sums{std::vector<float>(2)};
  const OnDevice<32, float> nodes{std::vector<float>(10)};
  const OnDevice<32, std::uint32_t> counter{std::vector<std::uint32_t>(1)};
  Kernel kernel{};
  kernel.data[0] = first.data();
  kernel.data[1] = second.data();
  kernel.rows = 1;
  kernel.length = static_cast<std::int64_t>(x.size());
  kernel.tile_shift = 3;
  kernel.tiles = 5;
  kernel.counters = counter.data();
  kernel.folds = kernel.chunk_folds = 2;
  for (int i = 0; i < 2; ++i) {
    kernel.entry[i].number = Kernel::Menu::number_of<Sum>();
    kernel.entry[i].nodes = nodes.data() + 5 * i;
    kernel.entry[i].result = {sums.data() + i, 0, isofold::gpu::FusedResult::none, false};
  }
  const std::size_t state_bytes[] = {sizeof(float), sizeof(float)};
  race_reports = 0;
  launch<32>(kernel, 2, 2,
             kernel.lay_out(state_bytes, 64, Kernel::may_stage<isofold::simt::Group<32>>));
  EXPECT_EQ(std::vector<float>(2, 1.5F * static_cast<float>(x.size())), sums.content());
  EXPECT_EQ(0, race_reports);
}

// Norms of so many columns, side by side, and their kernel's places: two passes for each chunk.
template <int width>
struct NormsOfColumns {
  using Fold = isofold::core::Norm2<float>;
  static constexpr std::int64_t length = 5000;
  OnDevice<width, float> x;
  OnDevice<width, float> results;
  isofold::gpu::Rows<Fold> rows{};
  isofold::gpu::Places places;

  explicit NormsOfColumns(int columns)
      : x(std::vector<float>(static_cast<std::size_t>(length * columns), 1.5F)),
        results(std::vector<float>(static_cast<std::size_t>(columns))) {
    isofold_layout layout{};
    layout.dimensions = 2;
    layout.extents[0] = length;
    layout.extents[1] = layout.strides[0] = columns;
    layout.strides[1] = 1;
    rows.first = {x.data(), nullptr};
    rows.rows = columns;
    rows.length = length;
    rows.result = results.data();
    places.shape = ISOFOLD_SHAPE_box;
    places.kept = isofold::gpu::Axes(layout, 2, false);
    places.reduced = isofold::gpu::Axes(layout, 1, false);
  }
};

// A block that takes a tile of several chunks.
template <int width>
void fold_column_tile() {
  using Norms = NormsOfColumns<width>;
  using Kernel = isofold::gpu::ReduceColumnTiles<typename Norms::Fold>;
  const Norms norms(16);
  isofold::gpu::ColumnTiles cut;
  cut.rows_shift = cut.parts_shift = 4;
  cut.chunks_shift = 3;
  launch<width>(Kernel{norms.rows, norms.places.kept, norms.places.reduced, cut, nullptr, nullptr},
                1, isofold::gpu::columns_threads / width, Kernel::shared_bytes(width, cut));
}

// Blocks that take several tiles of several chunks.
template <int width>
void fold_few_columns(bool tabled) {
  using Norms = NormsOfColumns<width>;
  using Kernel = isofold::gpu::ReduceInterleavedColumns<typename Norms::Fold>;
  constexpr int columns = 3;
  const Norms norms(columns);
  isofold::gpu::FewColumns cut(columns, 2 * width, width);
  cut.tabled = tabled;
  cut.chunks_shift = 1;
  cut.tiles = 3;
  cut.by_tiles = isofold::gpu::Divisor(cut.tiles);
  using State = typename Norms::Fold::state_type;
  const OnDevice<width, State> nodes(std::vector<State>(static_cast<std::size_t>(3 * columns)));
  Kernel kernel{norms.rows, norms.places, cut, nodes.data()};
  kernel.places.cursor_reaches = !tabled;
  launch<width>(kernel, 2, 2, Kernel::shared_bytes(columns, tabled));
}

TEST(RacesOfColumns, NoneInTheKernels) {
  race_reports = 0;
  fold_column_tile<32>();
  fold_column_tile<64>();
  for (const bool tabled : {false, true}) {
    fold_few_columns<32>(tabled);
    fold_few_columns<64>(tabled);
  }
  EXPECT_EQ(0, race_reports);
}

// A warp that makes bits of a mask for several blocks of places.
template <int width>
void count_linearised_mask() {
  isofold_layout layout{};
  layout.dimensions = 2;
  layout.extents[0] = 40;
  layout.extents[1] = 250;
  layout.strides[0] = 257;
  layout.strides[1] = 1;
  layout.mask = &layout;
  constexpr std::int64_t n = 40 * 250;
  const isofold::gpu::Axes axes(layout, ~0U, false);
  const isofold::gpu::LinearisedMask spread(axes, 1, n, false);
  ASSERT_FALSE(spread.is_none());
  const OnDevice<width, unsigned char> mask(std::vector<unsigned char>(n, 1));
  isofold::gpu::MaskedRows rows;
  rows.entries = mask.data();
  rows.rows = 1;
  rows.number_places(spread.line());
  ASSERT_EQ(3, rows.blocks());
  const OnDevice<width, std::int64_t> counts(
      std::vector<std::int64_t>(static_cast<std::size_t>(rows.counts())));
  const OnDevice<width, std::uint32_t> bits(
      std::vector<std::uint32_t>(static_cast<std::size_t>(rows.bit_words())));
  rows.selected_before = counts.data();
  rows.taken = bits.data();
  using Kernel = isofold::gpu::StridedMaskToBits;
  const isofold::gpu::RowUnits of_rows(1, rows.blocks(), false);
  launch<width>(Kernel{rows, spread, of_rows}, 1, 1, Kernel::shared_bytes(width, width));
}

// A block that counts several blocks of entries of columns one after the other.
template <int width>
void count_columns_of_mask() {
  constexpr std::int64_t rows = 70;
  constexpr std::int64_t length = 5000;
  isofold_layout layout{};
  layout.dimensions = 2;
  layout.extents[0] = length;
  layout.extents[1] = layout.strides[0] = rows;
  layout.strides[1] = 1;
  layout.mask = &layout;
  const OnDevice<width, unsigned char> mask(
      std::vector<unsigned char>(static_cast<std::size_t>(rows * length), 1));
  isofold::gpu::MaskedRows masked;
  masked.places.kept = isofold::gpu::Axes(layout, 2, false);
  masked.places.reduced = isofold::gpu::Axes(layout, 1, false);
  masked.entries = mask.data();
  masked.rows = rows;
  masked.length = length;
  ASSERT_EQ(rows, masked.neighbours());
  const OnDevice<width, std::int64_t> counts(
      std::vector<std::int64_t>(static_cast<std::size_t>(masked.counts())));
  const OnDevice<width, std::uint32_t> bits(
      std::vector<std::uint32_t>(static_cast<std::size_t>(masked.bit_words())));
  masked.selected_before = counts.data();
  masked.taken = bits.data();
  using Kernel = isofold::gpu::ColumnMaskToBits;
  launch<width>(Kernel(masked, width, 2 * width), 1, 2, Kernel::shared_bytes(2 * width));
}

// A block, or a warp, that has several rows under a mask one after the other.
template <int width, class Fold>
void fold_short_masked(bool are_columns) {
  using Columns = isofold::gpu::ReduceMaskedColumns<Fold>;
  using Lines = isofold::gpu::ReduceMaskedRows<Fold>;
  constexpr std::int64_t rows = 70;
  constexpr std::int64_t length = 300;
  isofold_layout layout{};
  layout.dimensions = 2;
  layout.extents[0] = are_columns ? length : rows;
  layout.extents[1] = layout.strides[0] = are_columns ? rows : length;
  layout.strides[1] = 1;
  layout.mask = &layout;
  const std::uint32_t kept = are_columns ? 2 : 1;
  constexpr auto n = static_cast<std::size_t>(rows * length);
  const OnDevice<width, float> x(std::vector<float>(n, 1.5F));
  std::vector<unsigned char> entries(n);
  for (std::size_t i = 0; i < n; ++i) {
    entries[i] = i * 2654435761U >> 7 & 1;
  }
  const OnDevice<width, unsigned char> mask(entries);
  const OnDevice<width, float> results(std::vector<float>(static_cast<std::size_t>(rows)));
  isofold::gpu::Rows<Fold> all{};
  all.first = {x.data(), nullptr};
  all.rows = rows;
  all.length = length;
  all.result = results.data();
  isofold::gpu::CompactedPlaces source;
  source.masked.places.kept = isofold::gpu::Axes(layout, kept, false);
  source.masked.places.reduced = isofold::gpu::Axes(layout, ~kept, false);
  source.masked.entries = mask.data();
  if (are_columns) {
    const isofold::gpu::MaskedColumnCut cut(rows, rows, Columns::columns);
    launch<width>(Columns{all, source, cut}, 1, 2, Columns::shared_bytes(length, 2 * width));
  } else {
    launch<width>(Lines{all, source}, 1, 2, 2 * Lines::bytes_of_warp(length));
  }
}

TEST(RacesOfMasks, NoneWhereBlocksFollowOneAnother) {
  race_reports = 0;
  count_linearised_mask<32>();
  count_linearised_mask<64>();
  count_columns_of_mask<32>();
  count_columns_of_mask<64>();
  for (const bool are_columns : {false, true}) {
    fold_short_masked<32, isofold::core::Norm2<float>>(are_columns);
    fold_short_masked<64, isofold::core::Norm2<float>>(are_columns);
    fold_short_masked<32, isofold::core::Sum<float>>(are_columns);
    fold_short_masked<64, isofold::core::Sum<float>>(are_columns);
  }
  EXPECT_EQ(0, race_reports);
}

// Races reported for a shape with something left out.
int races_without(const Kind& kind, const Omission& omission, const Shape& shape) {
  const Quiet quiet;
  race_reports = 0;
  Runner runner(kind);
  machine(kind.wave_width).omission() = omission;
  runner.run(runner.cases().front(), shape);
  machine(kind.wave_width).omission() = {};
  return race_reports;
}

// The number of the first six calls of each thread that cannot be left out unnoticed.
int noticed(const Kind& kind, int Omission::*call, const Shape& shape) {
  EXPECT_EQ(0, races_without(kind, {}, shape)) << text_of(shape);
  int found = 0;
  for (int number = 0; number < 6; ++number) {
    Omission omission;
    omission.*call = number;
    found += races_without(kind, omission, shape) > 0;
  }
  return found;
}

// The first shape has one barrier, between the chunks of a tile and their fold. The second has
// tiles that follow one another, and the first warp takes the nodes. The third has the block take
// them: its hand-over also keeps the next tile from the last one's memory.
TEST_P(Races, MissingBlockBarrier) {
  const auto of_six = [](const Shape& shape) {
    return noticed(GetParam(), &Omission::barrier, shape);
  };
  EXPECT_LE(1, of_six({1, 5000, 0, 0, schedule(1, 2, 8, 0)}));
  EXPECT_LE(5, of_six({1, 96 * 1024, 0, 0, schedule(2, 2, 4, 0)}));
  EXPECT_LE(3, of_six({1, 520 * 1024, 0, 0, schedule(2, 2, 1, 0)}));
}

// Few nodes, folded by the first warp; many, by the block.
TEST_P(Races, MissingFenceInTheHandOver) {
  if (GetParam().slow_fences) {
    GTEST_SKIP() << "a second launch takes the place of the hand-over";
  }
  Omission omission;
  omission.order_of_arrival = true;
  for (const Shape& shape : {Shape{1, 12000, 0, 0, schedule(0, 1, 1, 0)},
                             Shape{1, 260 * 1024, 0, 0, schedule(4, 2, 1, 0)}}) {
    EXPECT_EQ(0, races_without(GetParam(), {}, shape)) << text_of(shape);
    EXPECT_LT(0, races_without(GetParam(), omission, shape)) << text_of(shape);
  }
}

// A warp a row; the hand-over to the first warp.
TEST_P(Races, MissingWarpBarrier) {
  EXPECT_LE(3,
            noticed(GetParam(), &Omission::warp_barrier, {9, 3000, 0, 0, schedule(1, 1, 0, 32)}));
  if (!GetParam().slow_fences) {
    EXPECT_LE(1,
              noticed(GetParam(), &Omission::warp_barrier, {1, 12000, 0, 0, schedule(0, 1, 1, 0)}));
  }
}

INSTANTIATE_TEST_SUITE_P(WaveWidth, Races, testing::ValuesIn(kinds),
                         testing::PrintToStringParamName());

}  // namespace

// The exit code is GoogleTest's: expected reports are left out by ending where the detector, which
// watches _exit, too, does not change it.
// Its option exitcode=0 would let a crash end with 0.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int code = RUN_ALL_TESTS();
  std::fflush(nullptr);
  syscall(SYS_exit_group, code);
}
