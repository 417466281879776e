// Tests of the places of elements: those of boxes, as a chunk's cursor computes them, in 32 bits
// and without a division, and as extents and strides say, over boxes that no test could give
// memory; those that masks select, and those of arrays that are concatenated, as kernels count,
// pack and fold them, and as loops do.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include <backends/gpu/input/compacted.hpp>
#include <backends/gpu/kernel/columns_interleaved.hpp>
#include <backends/gpu/kernel/columns_per_thread.hpp>
#include <backends/gpu/kernel/mask_to_bits_of_columns.hpp>
#include <backends/gpu/kernel/mask_to_bits_strided.hpp>
#include <backends/gpu/kernel/masked_columns_per_block.hpp>
#include <backends/gpu/kernel/masked_columns_per_thread.hpp>
#include <backends/gpu/kernel/masked_rows_per_warp.hpp>
#include <backends/gpu/kernel/rows_compacted.hpp>
#include <backends/gpu/kernel/transposed_long.hpp>
#include <backends/gpu/kernel/transposed_short.hpp>
#include <backends/gpu/plan/nodes.hpp>
#include <conformance/judge.hpp>
#include <isofold/detail/core/chunk.hpp>
#include <isofold/detail/core/folds/bounded.hpp>
#include <isofold/detail/core/folds/extremum.hpp>
#include <isofold/detail/core/folds/log_sum_exp.hpp>
#include <isofold/detail/core/folds/moments.hpp>
#include <isofold/detail/core/folds/norm2.hpp>
#include <isofold/detail/core/folds/product.hpp>
#include <isofold/detail/core/folds/products.hpp>
#include <isofold/detail/core/folds/sum.hpp>
#include <isofold/detail/core/run.hpp>

#include "on_device.hpp"
#include "ordered_fold.hpp"
#include <simulator/machine.hpp>

namespace {

using isofold::conformance::bits_of;
using isofold::gpu::Axes;
using isofold::gpu::Cursor;
using isofold::simt::launch;
using isofold::simt::OnDevice;
using isofold::simt::packed_and_folded;
using isofold::simt::Random;
namespace core = isofold::core;
namespace gpu = isofold::gpu;

// A number up to 2^most, each power of two as likely.
std::int64_t some(Random& random, int most) {
  const auto magnitude = static_cast<int>(random.below(static_cast<std::uint64_t>(most)));
  return (std::int64_t{1} << magnitude) +
         static_cast<std::int64_t>(random.next() % (std::uint64_t{1} << magnitude));
}

isofold_layout random_box(Random& random) {
  isofold_layout layout{};
  layout.dimensions = 1 + static_cast<std::int32_t>(random.below(4));
  const bool far = random.coin();
  for (int d = 0; d < layout.dimensions; ++d) {
    layout.extents[d] = some(random, d + 1 == layout.dimensions ? 20 : 8);
    layout.strides[d] = some(random, far ? 33 : 18) * (random.coin() ? 1 : -1);
  }
  return layout;
}

std::int64_t elements_of(const isofold_layout& layout) {
  std::int64_t elements = 1;
  for (int d = 0; d < layout.dimensions; ++d) {
    elements *= layout.extents[d];
  }
  return elements;
}

// The offset by division, dimension by dimension.
std::int64_t offset_of(const isofold_layout& layout, std::int64_t index) {
  std::int64_t offset = 0;
  for (int d = layout.dimensions - 1; d >= 0; --d) {
    offset += index % layout.extents[d] * layout.strides[d];
    index /= layout.extents[d];
  }
  return offset;
}

TEST(Places, AxesAreDivisions) {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    const isofold_layout layout = random_box(random);
    const Axes axes(layout, ~0U, false);
    const std::int64_t elements = elements_of(layout);
    for (const std::int64_t index : {std::int64_t{0}, elements - 1,
                                     static_cast<std::int64_t>(random.next() >> 1) % elements}) {
      ASSERT_EQ(offset_of(layout, index), axes.count > 0 ? axes.offset(0, index) : 0)
          << "round " << round << ", index " << index;
    }
  }
}

// Dimensions of which one stride covers the first array alone stay apart.
TEST(Places, AxesOfTwoArraysAreDivisions) {
  Random random(9);
  int apart = 0;
  for (int round = 0; round < 2000; ++round) {
    const isofold_layout second = random_box(random);
    isofold_layout layout = second;
    std::int64_t step = 1;
    for (int d = layout.dimensions - 1; d >= 0; --d) {
      layout.second_strides[d] = second.strides[d];
      layout.strides[d] = step;
      step *= layout.extents[d];
    }
    const Axes axes(layout, ~0U, true);
    apart += axes.count > 1 ? 1 : 0;
    const std::int64_t index = static_cast<std::int64_t>(random.next() >> 1) % elements_of(layout);
    ASSERT_EQ(index, axes.count > 0 ? axes.offset(0, index) : 0) << "round " << round;
    ASSERT_EQ(offset_of(second, index), axes.count > 0 ? axes.offset(1, index) : 0)
        << "round " << round << ", index " << index;
  }
  EXPECT_LT(300, apart);
}

class Cursors : public testing::TestWithParam<int> {};  // an element's bytes

TEST_P(Cursors, AgreeWithTheirAxes) {
  const int bytes = GetParam();
  constexpr std::int64_t chunk = isofold::core::chunk_elements;
  Random random(2);
  int near = 0;
  int covered = 0;
  for (int round = 0; round < 3000; ++round) {
    const isofold_layout layout = random_box(random);
    const Axes axes(layout, ~0U, false);
    if (axes.count < 2 || !axes.is_near(bytes)) {
      continue;  // a table, or one stretch
    }
    ++near;
    const std::int64_t elements = elements_of(layout);
    const std::int64_t inner = axes.extents[axes.count - 1];
    // The chunks in which a stretch ends are tried, too.
    for (const std::int64_t at : {std::int64_t{0}, inner - 1, elements - 1,
                                  static_cast<std::int64_t>(random.next() >> 1) % elements}) {
      const std::int64_t begin = at / chunk * chunk;
      const Cursor<1> cursor(axes, begin, bytes);
      const auto count = static_cast<int>(std::min(chunk, elements - begin));
      for (int i = 0; i < count && cursor.covers(i + 1); ++i) {
        ++covered;
        ASSERT_EQ(offset_of(layout, begin + i) * bytes,
                  cursor.is_one_stretch() ? cursor.offset_in_stretch(0, i) : cursor.offset(0, i))
            << "round " << round << ", element " << i << " from " << begin;
      }
    }
  }
  EXPECT_LT(300, near);
  EXPECT_LT(100000, covered);
}
INSTANTIATE_TEST_SUITE_P(Elements, Cursors, testing::Values(4, 8, 16));

// ---- masks -------------------------------------------------------------------------------------

// A random box with some dimensions kept, and the elements of it that a mask selects.
struct MaskedBox {
  isofold_layout layout{};
  std::int64_t rows = 1;
  std::int64_t length = 1;
  std::int64_t first = 0;     // of the elements in memory, that with index 0 everywhere
  std::int64_t elements = 1;  // of memory
  bool of_bits = false;
  std::size_t before = 0;                        // bytes before the mask
  std::vector<unsigned char> mask;               // with those
  std::vector<std::vector<std::int64_t>> taken;  // of each row, the elements' places in memory

  explicit MaskedBox(Random& random) : of_bits(random.coin()), before(random.below(20)) {
    layout.dimensions = 1 + static_cast<std::int32_t>(random.below(3));
    const std::uint64_t most[] = {40000, 150, 25};
    for (int d = layout.dimensions - 1; d >= 0; --d) {
      const auto extent = static_cast<std::int64_t>(1 + random.below(most[layout.dimensions - 1]));
      const bool is_kept = rows < 20 && random.below(4) == 0;
      const std::int64_t sign = random.below(4) == 0 ? -1 : 1;
      layout.extents[d] = extent;
      layout.strides[d] = sign * elements;
      layout.second_strides[d] = layout.strides[d];
      first += sign < 0 ? (extent - 1) * elements : 0;
      elements = elements * extent + static_cast<std::int64_t>(random.below(3));
      layout.kept |= is_kept ? 1U << d : 0U;
      (is_kept ? rows : length) *= extent;
    }
    take_some(random);
    layout.mask = mask.data();  // that there is one
  }

  // Lines of 16 elements and more with gaps between them, as ghost cells and padding make them; the
  // first dimension perhaps kept.
  static MaskedBox of_lines(Random& random) {
    MaskedBox box;
    box.of_bits = random.coin();
    box.before = random.below(20);
    isofold_layout& layout = box.layout;
    layout.dimensions = 2 + static_cast<std::int32_t>(random.below(3));
    const std::int32_t last = layout.dimensions - 1;
    box.elements = 1;
    for (int d = last; d >= 0; --d) {
      const std::uint64_t most = d == last ? 400 : d == last - 1 ? 40 : 5;
      const auto extent = static_cast<std::int64_t>((d == last ? 16 : 1) + random.below(most));
      const bool is_kept = d == 0 && layout.dimensions > 2 && random.coin();
      const auto gap = static_cast<std::int64_t>(
          random.coin() ? random.below(3)
                        : random.below(static_cast<std::uint64_t>(extent) / 2 + 1));
      layout.extents[d] = extent;
      layout.strides[d] = layout.second_strides[d] = box.elements;
      box.elements *= extent + gap;
      layout.kept |= is_kept ? 1U << d : 0U;
      (is_kept ? box.rows : box.length) *= extent;
    }
    box.take_some(random);
    layout.mask = box.mask.data();
    return box;
  }

  // Rows of lines of a multiple of 16 elements, far apart, whose bytes of a mask begin at one.
  static MaskedBox of_even_lines(Random& random) {
    MaskedBox box;
    box.before = 16 * random.below(3);
    isofold_layout& layout = box.layout;
    layout.dimensions = 3;
    layout.kept = 2;
    const std::int64_t extents[] = {1 + static_cast<std::int64_t>(random.below(60)),
                                    1 + static_cast<std::int64_t>(random.below(5)),
                                    16 * (1 + static_cast<std::int64_t>(random.below(30)))};
    for (int d = 2; d >= 0; --d) {
      layout.extents[d] = extents[d];
      layout.strides[d] = layout.second_strides[d] = box.elements;
      box.elements = box.elements * extents[d] + static_cast<std::int64_t>(random.below(3));
      ((layout.kept >> d & 1U) != 0 ? box.rows : box.length) *= extents[d];
    }
    box.take_some(random);
    layout.mask = box.mask.data();
    return box;
  }

  // Rows of at most `most` elements, in line or, with `side_by_side`, columns, perhaps some planes
  // of them.
  static MaskedBox of_short_rows(Random& random, std::int64_t most, bool side_by_side) {
    MaskedBox box;
    box.of_bits = random.coin();
    box.before = random.below(20);
    isofold_layout& layout = box.layout;
    layout.dimensions = 3;
    const std::int64_t rows = 8 + static_cast<std::int64_t>(random.below(70));
    const auto some = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most) - 1));
    const std::int64_t length = random.coin() ? 2 + some : most - some % 3;
    const std::int64_t extents[] = {1 + static_cast<std::int64_t>(random.below(3)),
                                    side_by_side ? length : rows, side_by_side ? rows : length};
    layout.kept = side_by_side ? 5 : 3;
    const bool is_turned = side_by_side && random.coin();  // from the last row to the first one
    for (int d = 2; d >= 0; --d) {
      const std::int64_t sign = d == 1 && is_turned ? -1 : 1;
      layout.extents[d] = extents[d];
      layout.strides[d] = layout.second_strides[d] = sign * box.elements;
      box.first += sign < 0 ? (extents[d] - 1) * box.elements : 0;
      box.elements = box.elements * extents[d] + static_cast<std::int64_t>(random.below(3));
      ((layout.kept >> d & 1U) != 0 ? box.rows : box.length) *= extents[d];
    }
    box.take_some(random);
    layout.mask = box.mask.data();
    return box;
  }

  // One long line, whose mask begins anywhere or, half of them, at a multiple of 4 to 16 bytes. It
  // selects stretches of a few to some thousand elements, far apart, or nothing.
  static MaskedBox of_long_line(Random& random, int number) {
    constexpr std::int64_t many = std::int64_t{256} << gpu::mask_block_shift;
    MaskedBox box;
    box.of_bits = number % 2 == 0;
    const bool is_even = number % 4 < 2;
    box.before = is_even ? 4 * static_cast<std::size_t>(number / 4 + 2) : random.below(20);
    box.first = is_even ? 0 : static_cast<std::int64_t>(random.below(5));
    box.length = (number < 8 ? 1 : 2) * many + static_cast<std::int64_t>(random.below(20000));
    box.length /= number < 4 ? 8 : 1;
    box.elements = box.first + box.length;
    box.layout.dimensions = 1;
    box.layout.extents[0] = box.length;
    box.layout.strides[0] = box.layout.second_strides[0] = 1;
    box.mask.assign(
        box.before + static_cast<std::size_t>(box.of_bits ? (box.length + 7) / 8 : box.length), 0);
    box.taken.resize(1);
    if (number != 11) {
      const std::uint64_t gaps[] = {3000, 40000, 600000};
      const std::uint64_t gap = gaps[random.below(3)];
      const std::uint64_t run = random.coin() ? 3 : 5000;
      auto at = static_cast<std::int64_t>(random.below(gap));
      for (; at < box.length; at += 1 + static_cast<std::int64_t>(random.below(gap))) {
        const std::int64_t behind =
            std::min(box.length, at + 1 + static_cast<std::int64_t>(random.below(run)));
        for (; at < behind; ++at) {
          box.take(at, 1 + random.below(255));
        }
      }
    }
    box.layout.mask = box.mask.data();
    return box;
  }

  // A line of n elements, of which all but the first few are selected.
  MaskedBox(std::int64_t n, std::int64_t left_out, bool bits)
      : length(n), of_bits(bits), before(0) {
    layout.dimensions = 1;
    layout.extents[0] = elements = n;
    layout.strides[0] = layout.second_strides[0] = 1;
    mask.assign(static_cast<std::size_t>(bits ? (n + 7) / 8 : n), 0);
    taken.resize(1);
    for (std::int64_t entry = left_out; entry < n; ++entry) {
      take(entry, 1);
    }
    layout.mask = mask.data();
  }

  std::vector<std::int64_t> index_of(std::int64_t entry) const {
    std::vector<std::int64_t> index(static_cast<std::size_t>(layout.dimensions));
    for (int d = layout.dimensions - 1; d >= 0; --d) {
      index[static_cast<std::size_t>(d)] = entry % layout.extents[d];
      entry /= layout.extents[d];
    }
    return index;
  }

 private:
  MaskedBox() = default;
  void take_some(Random& random) {
    const std::int64_t all = rows * length;
    mask.assign(before + static_cast<std::size_t>(of_bits ? (all + 7) / 8 : all), 0);
    taken.resize(static_cast<std::size_t>(rows));
    const std::uint64_t one_in[] = {1, 2, 2, 3, 40, 1000, 30000};
    const std::uint64_t rarely = one_in[random.below(7)];
    const bool far_apart = random.below(4) == 0;  // with long gaps, and some side by side
    std::vector<std::int64_t> few;
    for (int i = 0; i < 8 && far_apart; ++i) {
      few.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(all))) / 100 *
                    100);
      few.push_back(few.back() + 1);
    }
    const std::uint64_t run = random.coin() ? 1 : 1 + random.below(6000);  // entries alike
    bool takes = false;
    for (std::int64_t entry = 0; entry < all; ++entry) {
      takes = run == 1 || random.below(run) == 0 ? random.below(rarely) == 0 : takes;
      if (far_apart) {
        takes = std::find(few.begin(), few.end(), entry) != few.end();
      }
      if (takes) {
        take(entry, 1 + random.below(255));
      }
    }
  }
  void take(std::int64_t entry, std::uint64_t byte) {
    const auto place = static_cast<std::size_t>(entry);
    mask[before + (of_bits ? place / 8 : place)] |=
        static_cast<unsigned char>(of_bits ? 1U << place % 8 : byte);
    std::int64_t row = 0;
    std::int64_t at = first;
    const std::vector<std::int64_t> index = index_of(entry);
    for (int d = 0; d < layout.dimensions; ++d) {
      const std::int64_t i = index[static_cast<std::size_t>(d)];
      at += i * layout.strides[d];
      row = (layout.kept >> d & 1U) != 0 ? row * layout.extents[d] + i : row;
    }
    taken[static_cast<std::size_t>(row)].push_back(at);
  }
};

// The mask of a box, counted on an emulated GPU, its entries numbered as elements or as `spread`
// says.
template <int width>
class Counted {
 public:
  gpu::MaskedRows rows;

  Counted(const MaskedBox& box, const gpu::LinearisedMask& spread, int element_bytes,
          Random& random)
      : mask_(box.mask),
        counts_(std::vector<std::int64_t>(
            static_cast<std::size_t>(2 * box.rows * ((numbers(box, spread) >> 12) + 2)), -1)),
        bits_(std::vector<std::uint32_t>(bit_words(box, spread), ~0U)) {
    rows.places.shape = ISOFOLD_SHAPE_box;
    rows.places.kept = Axes(box.layout, box.layout.kept, true);
    rows.places.reduced = Axes(box.layout, ~box.layout.kept, true);
    rows.places.cursor_reaches = rows.places.reduced.is_near(element_bytes) && random.below(4) > 0;
    rows.entries = mask_.data() + box.before;
    rows.of_bits = box.of_bits;
    rows.in_line = rows.places.reduced.mask_in_line() && box.rows * box.length >= 64;
    rows.rows = box.rows;
    rows.length = box.length;
    rows.find_in_place();
    rows.find_pieces();
    if (!spread.is_none()) {
      rows.number_places(spread.line());
    }
    rows.selected_before = counts_.data();
    rows.taken = bits_.data();
    const gpu::RowUnits of_rows(rows.rows, rows.blocks(), random.coin());
    const std::int64_t blocks = 1 + static_cast<std::int64_t>(random.below(9));
    if (spread.is_none() && rows.neighbours() > 0 && random.coin()) {
      const int warps = 1 << random.below(3);
      launch<width>(gpu::ColumnMaskToBits(rows, width, warps * width), blocks, warps,
                    gpu::ColumnMaskToBits::shared_bytes(warps * width));
    } else if (spread.is_none()) {
      launch<width>(gpu::MaskToBits{rows, of_rows}, blocks, 2, 0);
    } else {
      launch<width>(gpu::StridedMaskToBits{rows, spread, of_rows}, blocks, 2,
                    gpu::StridedMaskToBits::shared_bytes(2 * width, width));
    }
    if (rows.blocks() > 1) {
      const int warps = 1 << random.below(3);
      gpu::ScanCounts sums(rows, warps * width);
      sums.tile = random.coin() ? sums.tile : 1 + static_cast<std::int64_t>(random.below(4));
      sums.tiles = (rows.blocks() + sums.tile - 1) / sums.tile;
      sums.by_tiles = gpu::Divisor(sums.tiles);
      launch<width>(sums, 1 + static_cast<std::int64_t>(random.below(9)), warps,
                    gpu::ScanCounts::shared_bytes(warps * width, width));
    }
  }
  // The number of elements that are selected of a row.
  std::int64_t taken(std::int64_t row) const {
    const std::int64_t blocks = rows.blocks();
    return counts_.at(row * (blocks + 1) + blocks);
  }

 private:
  static std::int64_t numbers(const MaskedBox& box, const gpu::LinearisedMask& spread) {
    return spread.is_none() ? box.length : spread.line().extents[0];
  }
  static std::size_t bit_words(const MaskedBox& box, const gpu::LinearisedMask& spread) {
    gpu::MaskedRows rows;
    rows.rows = box.rows;
    rows.length = numbers(box, spread);
    return static_cast<std::size_t>(rows.bit_words());
  }
  OnDevice<width, unsigned char> mask_;
  OnDevice<width, std::int64_t> counts_;
  OnDevice<width, std::uint32_t> bits_;
};

// Two arrays of as many elements.
template <class Element>
void fill(Random& random, std::vector<Element>& x, std::vector<Element>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<Element>(random.next() % 100000) / 7;
    y[i] = static_cast<Element>(random.next() % 100000) / 11;
  }
}

// Folds short rows under a mask, in one launch of their kernel, and by a loop.
template <int width, class Fold>
void fold_short_and_compare(const Fold& fold, std::uint64_t seed, bool side_by_side) {
  using Element = typename Fold::element_type;
  using Columns = gpu::ReduceMaskedColumns<Fold>;
  using Lines = gpu::ReduceMaskedRows<Fold>;
  Random random(seed);
  const std::size_t shared_bytes = isofold::simt::Machine::most_shared(width);
  std::int64_t most = core::chunk_elements;
  while (side_by_side && Columns::shared_bytes(most, 256) > shared_bytes) {
    --most;
  }
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const MaskedBox box = MaskedBox::of_short_rows(random, most, side_by_side);
    std::vector<Element> x(static_cast<std::size_t>(box.elements));
    std::vector<Element> y(x.size());
    fill(random, x, y);
    const OnDevice<width, Element> device_x(x);
    const OnDevice<width, Element> device_y(y);
    const OnDevice<width, unsigned char> mask(box.mask);
    const OnDevice<width, typename Fold::result_type> results(
        std::vector<typename Fold::result_type>(static_cast<std::size_t>(box.rows)));
    gpu::Rows<Fold> rows{};
    rows.fold = fold;
    rows.first = {device_x.data() + box.first, device_y.data() + box.first};
    rows.rows = box.rows;
    rows.length = box.length;
    rows.result = results.data();
    gpu::CompactedPlaces source;
    source.masked.places.kept = Axes(box.layout, box.layout.kept, true);
    source.masked.places.reduced = Axes(box.layout, ~box.layout.kept, true);
    source.masked.entries = mask.data() + box.before;
    source.masked.of_bits = box.of_bits;
    source.masked.rows = box.rows;
    source.masked.length = box.length;
    const Axes& reduced = source.masked.places.reduced;
    gpu::ShortMaskedRows at{box.rows,
                            box.length,
                            source.masked.places.kept.side_by_side(),
                            reduced.side_by_side() > 0,
                            {}};
    at.device.wave_width = width;
    at.device.shared_bytes = shared_bytes;
    const auto columns = plan_masked_columns(
        at, {Columns::columns, gpu::masked_copies<Fold>, &Columns::shared_bytes});
    const auto lines = plan_masked_lines(at, Lines::bytes_of_warp(box.length));
    ASSERT_EQ(side_by_side, columns.has_value());
    ASSERT_EQ(!side_by_side, lines.has_value());
    const std::int64_t blocks = 1 + static_cast<std::int64_t>(random.below(5));
    const gpu::Launch& size = side_by_side ? columns->launch : *lines;
    if (side_by_side) {
      launch<width>(Columns{rows, source, columns->cut}, blocks, size.threads / width,
                    size.shared_bytes);
    } else {
      launch<width>(Lines{rows, source}, blocks, size.threads / width, size.shared_bytes);
    }
    const auto compare = [&](const auto& found) {
      for (std::size_t row = 0; row < box.taken.size(); ++row) {
        const auto wanted = packed_and_folded(fold, box.taken[row], x, y);
        ASSERT_EQ(bits_of(wanted), bits_of(found[row]))
            << "row " << row << " of " << box.taken[row].size() << " taken: " << wanted << ", not "
            << found[row];
      }
    };
    compare(results.content());
    if constexpr (gpu::takes_lane_by_lane<Fold>) {
      if (!side_by_side) {
        continue;
      }
      using Lanes = gpu::ReduceMaskedColumnsByThreads<Fold>;
      at.device.multiprocessors = 0;     // as many columns as there are,
      at.device.shared_bytes = 1 << 20;  // and as many warps at once as a device needs
      const auto by_lanes = plan_masked_lanes(at, Lanes::bytes_of_thread);
      ASSERT_TRUE(by_lanes.has_value());
      const OnDevice<width, typename Fold::result_type> others(
          std::vector<typename Fold::result_type>(static_cast<std::size_t>(box.rows)));
      rows.result = others.data();
      launch<width>(Lanes{rows, source, by_lanes->cut}, blocks, by_lanes->launch.threads / width,
                    by_lanes->launch.shared_bytes);
      compare(others.content());
    }
  }
}

// Steps of 32 bits, in bytes.
TEST(Masks, RowsKnowWhichStepsFit) {
  isofold_layout layout{};
  layout.dimensions = 1;
  layout.extents[0] = 2;
  const auto fits = [&](std::int64_t stride, std::int64_t second) {
    layout.strides[0] = stride;
    layout.second_strides[0] = second;
    return gpu::MaskedRow<core::Dot<double>>::fits(Axes(layout, 1, true));
  };
  constexpr std::int64_t most = INT32_MAX / 8;
  EXPECT_TRUE(fits(most, -most));
  EXPECT_FALSE(fits(most + 1, 1));
  EXPECT_FALSE(fits(1, -most - 1));
}

// Lanes that begin with the identity (masked_row.hpp) do not change the bits, tried with the values
// that might tell.
template <class Fold>
void begin_with_identity(const Fold& fold) {
  static_assert(gpu::takes_lane_by_lane<Fold> && Fold::arrays == 1);
  using Element = typename Fold::element_type;
  const auto pass = core::first_pass(fold);
  std::vector<Element> values{0,
                              1,
                              static_cast<Element>(-1),
                              std::numeric_limits<Element>::max(),
                              std::numeric_limits<Element>::lowest(),
                              std::numeric_limits<Element>::min()};
  if constexpr (std::is_floating_point_v<Element>) {
    values.insert(values.end(), {-Element{0}, std::numeric_limits<Element>::infinity(),
                                 -std::numeric_limits<Element>::infinity(),
                                 std::numeric_limits<Element>::denorm_min(),
                                 -std::numeric_limits<Element>::denorm_min()});
  }
  for (const Element x : values) {
    const auto value = core::value_of<std::decay_t<decltype(pass)>>(x);
    ASSERT_EQ(bits_of(pass.lift(value, 0)),
              bits_of(pass.accumulate(core::lane_identity(pass), value, 0)))
        << x;
  }
}
TEST(Masks, LanesBeginWithThePadding) {
  begin_with_identity(core::Sum<float>{});
  begin_with_identity(core::Sum<std::int32_t>{});
  begin_with_identity(core::Product<std::uint64_t>{});
  begin_with_identity(core::Minimum<double>{});
  begin_with_identity(core::Maximum<float>{});
  begin_with_identity(core::Norm1<float>{});
  begin_with_identity(core::AbsoluteMaximum<double>{});
}

TEST(Masks, ShortColumns) {
  fold_short_and_compare<32>(core::Sum<float>{}, 20, true);
  fold_short_and_compare<64>(core::Sum<float>{}, 21, true);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_short_and_compare<32>(core::Sum<double>{}, 22, true);
#endif
  fold_short_and_compare<32>(core::Dot<double>{}, 23, true);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_short_and_compare<32>(core::Norm2<float>{}, 28, true);
  fold_short_and_compare<32>(core::Minimum<double>{}, 30, true);
#endif
  fold_short_and_compare<64>(core::Norm1<float>{}, 31, true);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_short_and_compare<32>(core::Sum<std::int32_t>{}, 32, true);
#endif
}
TEST(Masks, ShortLines) {
  fold_short_and_compare<32>(core::Sum<float>{}, 24, false);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_short_and_compare<64>(core::Sum<float>{}, 25, false);
  fold_short_and_compare<64>(core::Sum<double>{}, 26, false);
#endif
  fold_short_and_compare<32>(core::Dot<double>{}, 27, false);
  fold_short_and_compare<64>(core::Norm2<double>{}, 29, false);
}

gpu::LinearisedMask linearised_mask_of(const MaskedBox& box) {
  return {Axes(box.layout, ~box.layout.kept, true), box.rows, box.length, true};
}

// Packs and folds the box on an emulated GPU, by tiles and blocks as drawn, and by a loop.
template <int width, class Source, class Fold>
void pack_and_compare_by(const Fold& fold, const MaskedBox& box, const gpu::LinearisedMask& spread,
                         Random& random) {
  using Element = typename Fold::element_type;
  using Kernel = gpu::ReduceCompacted<Fold, Source>;
  using Nodes = gpu::CombineTiles<Fold, gpu::CompactedPlaces>;
  using State = typename Fold::state_type;
  std::vector<Element> x(static_cast<std::size_t>(box.elements));
  std::vector<Element> y(x.size());
  fill(random, x, y);
  const Counted<width> counted(box, spread, static_cast<int>(sizeof(Element)), random);
  const OnDevice<width, Element> device_x(x);
  const OnDevice<width, Element> device_y(y);
  const OnDevice<width, typename Fold::result_type> results(
      std::vector<typename Fold::result_type>(static_cast<std::size_t>(box.rows)));
  gpu::Rows<Fold> rows{};
  rows.fold = fold;
  rows.first = {device_x.data() + box.first, device_y.data() + box.first};
  rows.rows = box.rows;
  rows.result = results.data();
  const std::int64_t chunks = core::chunk_count(box.length);
  gpu::CompactedTiles tiles;
  const bool whole_rows = chunks <= 64 && random.coin();
  if (!whole_rows) {
    tiles.enough = 1 + static_cast<std::int64_t>(random.below(20));
    tiles.most = std::min(chunks, std::max(2 * tiles.enough, (chunks + 63) / 64));
  }
  tiles.share(box.rows,
              1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(tiles.most))),
              random.coin());
  const OnDevice<width, State> nodes(
      std::vector<State>(static_cast<std::size_t>(box.rows * tiles.most)));
  const int warps = 1 + static_cast<int>(random.below(2));
  Source source;
  source.masked = counted.rows;
  launch<width>(Kernel{rows, source, tiles, whole_rows ? nullptr : nodes.data()},
                1 + static_cast<std::int64_t>(random.below(7)), warps,
                Kernel::bytes_of_warp() * static_cast<std::size_t>(warps));
  if (!whole_rows) {
    launch<width>(Nodes{rows, source, tiles, 1, gpu::Divisor(1), nodes.data(), nullptr, nullptr},
                  1 + static_cast<std::int64_t>(random.below(3)), 2,
                  gpu::BlockMemory<State>::bytes(Nodes::shared_states, width));
  }
  const auto found = results.content();
  for (std::size_t row = 0; row < box.taken.size(); ++row) {
    ASSERT_EQ(static_cast<std::int64_t>(box.taken[row].size()),
              counted.taken(static_cast<std::int64_t>(row)))
        << "row " << row << ": elements taken";
    const auto wanted = packed_and_folded(fold, box.taken[row], x, y);
    ASSERT_EQ(bits_of(wanted), bits_of(found[row]))
        << "row " << row << ": " << wanted << ", not " << found[row];
  }
}

template <int width, class Fold>
void pack_and_compare(const Fold& fold, const MaskedBox& box, Random& random) {
  const gpu::LinearisedMask spread =
      random.below(4) > 0 ? linearised_mask_of(box) : gpu::LinearisedMask{};
  const bool is_line =
      !spread.is_none() || Axes(box.layout, ~box.layout.kept, true).is_line(Fold::arrays);
  if (is_line) {
    pack_and_compare_by<width, gpu::LineSource>(fold, box, spread, random);
  } else {
    pack_and_compare_by<width, gpu::CompactedSource>(fold, box, spread, random);
  }
}

template <int width, class Fold>
void pack_and_compare(const Fold& fold, std::uint64_t seed, int rounds) {
  Random random(seed);
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    pack_and_compare<width>(fold, MaskedBox(random), random);
    if (testing::Test::HasFatalFailure()) {
      return;
    }
  }
}

TEST(Masks, PackAndFold) {
  pack_and_compare<32>(core::Sum<float>{}, 3, 24);
  pack_and_compare<64>(core::Sum<float>{}, 4, 24);
}
template <int width>
void pack_and_compare_even_lines(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    pack_and_compare<width>(core::Sum<float>{}, MaskedBox::of_even_lines(random), random);
    if (testing::Test::HasFatalFailure()) {
      return;
    }
  }
}
TEST(Masks, EvenLines) {
  pack_and_compare_even_lines<32>(33);
  pack_and_compare_even_lines<64>(34);
}
TEST(Masks, PackAndFoldTwoArrays) {
  pack_and_compare<32>(core::Dot<double>{}, 5, 5);
  pack_and_compare<64>(core::Dot<double>{}, 6, 5);
}

template <int width>
void pack_and_compare_lines(std::uint64_t seed) {
  Random random(seed);
  int spread = 0;
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const MaskedBox box = MaskedBox::of_lines(random);
    spread += linearised_mask_of(box).is_none() ? 0 : 1;
    if (round % 4 == 0) {
      pack_and_compare<width>(core::Dot<double>{}, box, random);
    } else {
      pack_and_compare<width>(core::Sum<float>{}, box, random);
    }
    if (testing::Test::HasFatalFailure()) {
      return;
    }
  }
  EXPECT_LT(30, spread);
}

TEST(Masks, LinesWithGaps) {
  pack_and_compare_lines<32>(8);
  pack_and_compare_lines<64>(9);
}

// The numbers of elements before and behind a place in memory, against a count of all of them.
TEST(Masks, SpreadKnowsItsPlaces) {
  Random random(10);
  int boxes = 0;
  for (int round = 0; round < 100; ++round) {
    const MaskedBox box = MaskedBox::of_lines(random);
    const gpu::LinearisedMask spread = linearised_mask_of(box);
    if (spread.is_none()) {
      continue;
    }
    ++boxes;
    const Axes reduced(box.layout, ~box.layout.kept, true);
    std::vector<bool> is_element(static_cast<std::size_t>(spread.line().extents[0]));
    for (std::int64_t i = 0; i < box.length; ++i) {
      is_element[static_cast<std::size_t>(reduced.offset(0, i))] = true;
    }
    ASSERT_TRUE(is_element.back()) << "round " << round;
    std::int64_t before = 0;
    std::int64_t behind = 0;  // of the part
    gpu::LinearisedMask::Part part{};
    for (std::size_t place = 0; place < is_element.size(); ++place) {
      const auto at = static_cast<std::int64_t>(place);
      const gpu::LinearisedMask::Part found = spread.part_at(at);
      ASSERT_EQ(before, found.before) << "round " << round << ", place " << place;
      ASSERT_EQ(is_element[place], found.here > 0) << "round " << round << ", place " << place;
      if (at == behind) {  // a line begins
        part = at == 0 ? found : spread.next_line(part, at);
        behind = at + part.next;
        ASSERT_EQ(before, part.before) << "round " << round << ", line at " << place;
        ASSERT_EQ(is_element[place], part.here > 0) << "round " << round << ", line at " << place;
      }
      ASSERT_EQ(behind - at, found.next) << "round " << round << ", place " << place;
      before += is_element[place] ? 1 : 0;
    }
  }
  EXPECT_LT(50, boxes);
}

// No element lies at a place 2^31 and more behind the end of a line.
TEST(Masks, SpreadOfLongGaps) {
  isofold_layout layout{};
  layout.dimensions = 2;
  layout.mask = &layout;
  constexpr std::int64_t line = 2500000000;
  layout.extents[0] = 2;
  layout.extents[1] = line;
  layout.strides[0] = 2 * line;
  layout.strides[1] = 1;
  const gpu::LinearisedMask spread(Axes(layout, ~0U, false), 1, 2 * line, false);
  ASSERT_FALSE(spread.is_none());
  for (const std::int64_t place : {line, line + 1, 2 * line - 1}) {
    const gpu::LinearisedMask::Part part = spread.part_at(place);
    EXPECT_EQ(line, part.before);
    EXPECT_EQ(0, part.here);
    EXPECT_EQ(2 * line - place, part.next);
  }
  EXPECT_EQ(line - 5, spread.part_at(2 * line + 5).here);
}

TEST(Masks, OnlyLinesInTheOrderOfMemoryAreSpread) {
  isofold_layout interior{};
  interior.dimensions = 3;
  interior.mask = &interior;
  const std::int64_t strides[] = {18 * 34, 34, 1};
  for (int d = 0; d < 3; ++d) {
    interior.extents[d] = d < 2 ? 16 : 32;
    interior.strides[d] = interior.second_strides[d] = strides[d];
  }
  const auto is_linearised = [](const isofold_layout& layout, bool two_arrays = true) {
    std::int64_t rows = 1;
    std::int64_t length = 1;
    for (int d = 0; d < layout.dimensions; ++d) {
      ((layout.kept >> d & 1U) != 0 ? rows : length) *= layout.extents[d];
    }
    return !gpu::LinearisedMask(Axes(layout, ~layout.kept, two_arrays), rows, length, two_arrays)
                .is_none();
  };
  EXPECT_TRUE(is_linearised(interior));
  const auto changed = [&](auto change) {
    isofold_layout layout = interior;
    change(layout);
    return layout;
  };
  using Layout = isofold_layout;
  EXPECT_TRUE(is_linearised(changed([](Layout& x) { x.kept = 1; })));
  EXPECT_FALSE(
      is_linearised(changed([](Layout& x) { x.kept = 2; })));  // a plane's lines are far apart
  EXPECT_FALSE(is_linearised(changed([](Layout& x) { x.kept = 4; })));  // columns
  EXPECT_FALSE(is_linearised(changed([](Layout& x) { x.strides[1] = -34; })));
  EXPECT_FALSE(is_linearised(changed([](Layout& x) { std::swap(x.strides[0], x.strides[1]); })));
  EXPECT_FALSE(is_linearised(changed([](Layout& x) { x.strides[0] += 1; })));  // no whole lines
  EXPECT_FALSE(is_linearised(changed([](Layout& x) { x.strides[0] *= 2; })));  // more gaps than box
  EXPECT_FALSE(is_linearised(changed([](Layout& x) { x.strides[2] = 2; })));
  EXPECT_FALSE(is_linearised(changed([](Layout& x) { x.strides[0] = 8 * 34; })));  // planes overlap
  const isofold_layout other = changed([](Layout& x) { x.second_strides[0] += 34; });
  EXPECT_FALSE(is_linearised(other));
  EXPECT_TRUE(is_linearised(other, false));
  isofold_layout small = interior;
  small.dimensions = 2;
  small.extents[0] = 3;
  small.extents[1] = 16;
  small.strides[0] = small.second_strides[0] = 18;
  small.strides[1] = small.second_strides[1] = 1;
  EXPECT_FALSE(is_linearised(small));  // 48 entries
  small.extents[0] = 4;
  EXPECT_TRUE(is_linearised(small));
  small.extents[1] = 15;
  small.extents[0] = 40;
  EXPECT_FALSE(is_linearised(small));  // short lines
}

// Long lines, in long stretches of which nothing is selected.
template <int width>
void pack_and_compare_long_lines(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    pack_and_compare<width>(core::Sum<float>{}, MaskedBox::of_long_line(random, round), random);
    if (testing::Test::HasFatalFailure()) {
      return;
    }
  }
}
TEST(Masks, LongLines) {
  pack_and_compare_long_lines<32>(14);
  pack_and_compare_long_lines<64>(15);
}

// Chunks begin with elements that the last piece of the one before brought: any number of them, one
// of them and one less than a group of pieces (of 128 up to 1024) included.
TEST(Masks, PiecesEndAnywhere) {
  Random random(7);
  for (const std::int64_t group : {128, 256, 512, 1024}) {
    for (std::int64_t left_out = group - 3; left_out <= group + 3; ++left_out) {
      SCOPED_TRACE(left_out);
      for (const bool of_bits : {false, true}) {
        pack_and_compare<32>(core::Sum<float>{}, MaskedBox(6000, left_out, of_bits), random);
        ASSERT_FALSE(HasFatalFailure());
      }
    }
  }
}

// Sums before more blocks of entries than a block of threads loads at once.
template <int width>
void sum_many_counts() {
  gpu::MaskedRows masked;
  masked.rows = 2;
  masked.length = std::int64_t{9001} << gpu::mask_block_shift;
  const std::int64_t blocks = masked.blocks();
  std::vector<std::int64_t> memory(static_cast<std::size_t>(masked.counts()));
  const std::int64_t sums = masked.rows * (blocks + 1);
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(masked.rows * blocks));
  Random random(17);
  for (std::uint32_t& count : counts) {
    count = static_cast<std::uint32_t>(random.below(4097));
  }
  std::memcpy(memory.data() + sums, counts.data(), counts.size() * sizeof counts[0]);
  const OnDevice<width, std::int64_t> device(memory);
  masked.selected_before = device.data();
  launch<width>(gpu::ScanCounts(masked, width), 5, 1, gpu::ScanCounts::shared_bytes(width, width));
  const std::vector<std::int64_t> found = device.content();
  auto at = found.begin();
  for (std::int64_t unit = 0; unit < masked.rows; ++unit) {
    std::int64_t before = 0;
    for (std::int64_t block = 0; block < blocks; ++block) {
      ASSERT_EQ(*at++, before) << "row " << unit << ", block " << block;
      before += counts[static_cast<std::size_t>(unit * blocks + block)];
    }
    ASSERT_EQ(*at++, before);
  }
}
TEST(Masks, SumsOfManyCounts) {
  sum_many_counts<32>();
  sum_many_counts<64>();
}

// A source of which only the lengths are asked.
struct Lengths {
  const std::int64_t* of_rows;

  template <class Group>
  std::int64_t selected_of(const Group&, std::int64_t row) const {
    return of_rows[row];
  }
  template <class Group>
  void note_empty(const Group&, std::int64_t) const {}
};

// More nodes than a block folds.
template <int width>
void fold_many_nodes() {
  using Fold = core::Sum<double>;
  using Nodes = gpu::CombineTiles<Fold, Lengths>;
  const std::vector<std::int64_t> lengths = {0,    1,    4096 * 1024,  4096 * 1024 + 1,
                                             1025, 1024, 13000 * 1024, 8192 * 1024 - 1};
  constexpr std::int64_t most = 13000;
  const auto row_count = static_cast<std::int64_t>(lengths.size());
  Random random(7);
  std::vector<double> state(static_cast<std::size_t>(row_count * most));
  for (double& each : state) {
    each = static_cast<double>(random.next() % 100000) / 7;
  }
  const OnDevice<width, std::int64_t> device_lengths(lengths);
  const OnDevice<width, double> nodes(state);
  const OnDevice<width, double> group_nodes(std::vector<double>(lengths.size() * 4));
  const OnDevice<width, std::uint32_t> counters(std::vector<std::uint32_t>(lengths.size()));
  const OnDevice<width, double> results{std::vector<double>(lengths.size())};
  gpu::Rows<Fold> rows{};
  rows.rows = row_count;
  rows.result = results.data();
  gpu::CompactedTiles tiles;
  tiles.most = most;
  tiles.enough = most;
  for (const std::int64_t blocks : {1, 3, 32}) {
    launch<width>(Nodes{rows,
                        {device_lengths.data()},
                        tiles,
                        4,
                        gpu::Divisor(4),
                        nodes.data(),
                        group_nodes.data(),
                        counters.data()},
                  blocks, 2, gpu::BlockMemory<double>::bytes(Nodes::shared_states, width));
    const std::vector<double> found = results.content();
    for (std::size_t row = 0; row < lengths.size(); ++row) {
      core::Run<Fold> run(Fold{});
      for (std::int64_t i = 0; i < core::chunk_count(lengths[row]); ++i) {
        run.push(0, i, state[row * most + static_cast<std::size_t>(i)]);
      }
      EXPECT_EQ(lengths[row] == 0 ? 0 : run.root(), found[row]) << "row " << row;
    }
    EXPECT_EQ(std::vector<std::uint32_t>(lengths.size()), counters.content());
  }
}
TEST(Masks, ManyNodes) {
  fold_many_nodes<32>();
  fold_many_nodes<64>();
}

// ---- concatenated arrays -----------------------------------------------------------------------

constexpr std::int64_t joined_field = 6000;  // elements that arrays are parts of

// Arrays that may overlap, by where they begin in memory.
struct Arrays {
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> lengths;

  Arrays() = default;
  explicit Arrays(Random& random) {
    const std::int64_t most[] = {1, 4, 70, 1100, 5000};
    const std::int64_t counts[] = {1, 2, 31, 33, 100, 700};
    const auto count = counts[random.below(6)];
    const std::uint64_t empty = random.below(4);  // about so many of four
    const bool same = random.coin();
    const std::uint64_t kind = random.below(5);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t longest = most[same ? kind : random.below(count < 50 ? 5 : 4)];
      const auto length =
          static_cast<std::int64_t>(1 + random.below(static_cast<std::uint64_t>(longest)));
      add(random, random.below(4) < empty ? 0 : length);
    }
    for (std::uint64_t i = 0; i < random.below(3) * 80; ++i) {  // behind them, then before them
      add(random, 0);
    }
    if (random.coin()) {
      std::reverse(begins.begin(), begins.end());
      std::reverse(lengths.begin(), lengths.end());
    }
    if (random.below(8) == 0) {
      std::fill(lengths.begin(), lengths.end(), 0);
    }
  }
  void add(Random& random, std::int64_t length) {
    begins.push_back(static_cast<std::int64_t>(
        random.below(static_cast<std::uint64_t>(joined_field - length + 1))));
    lengths.push_back(length);
  }
  std::vector<std::int64_t> places() const {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      for (std::int64_t j = 0; j < lengths[i]; ++j) {
        all.push_back(begins[i] + j);
      }
    }
    return all;
  }
  // Arrays without elements are at no address.
  template <class T>
  std::vector<const T*> at(const T* x) const {
    std::vector<const T*> list;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      list.push_back(lengths[i] == 0 ? nullptr : x + begins[i]);
    }
    return list;
  }
};

// The lengths of arrays, added up on an emulated GPU.
template <int width, class Index>
class JoinedOnDevice {
 public:
  gpu::JoinedArrays arrays;

  JoinedOnDevice(const std::vector<std::int64_t>& lengths, const void* list, const void* second,
                 std::int64_t most, std::int64_t tile, int warps, gpu::Fault* fault)
      : lengths_(std::vector<Index>(lengths.begin(), lengths.end())),
        before_(std::vector<std::int64_t>(
            lengths.size() + 1 + static_cast<std::size_t>(gpu::ListedLengths::most_tiles), -1)) {
    arrays.count = static_cast<std::int64_t>(lengths.size());
    arrays.before = before_.data();
    const std::int64_t tiles = gpu::ListedLengths::tiles_of(arrays.count, tile);
    const gpu::ListedLengths listed{
        arrays, lengths_.data(), sizeof(Index) == 8, {list, second}, most, fault, tile};
    if (tiles > 1) {
      launch<width>(gpu::ScanLengths{listed}, tiles, warps,
                    gpu::ScanLengths::shared_bytes(warps * width, width));
    }
    launch<width>(gpu::ScatterLengths{listed}, tiles, warps,
                  gpu::ScatterLengths::shared_bytes(warps * width, width));
  }
  std::vector<std::int64_t> before() const {
    std::vector<std::int64_t> all = before_.content();
    all.resize(static_cast<std::size_t>(arrays.count) + 1);
    return all;
  }

 private:
  OnDevice<width, Index> lengths_;
  OnDevice<width, std::int64_t> before_;
};

template <int width, class Index, class Fold>
void join_and_compare(const Fold& fold, std::uint64_t seed, int rounds) {
  using Element = typename Fold::element_type;
  using Kernel = gpu::ReduceCompacted<Fold, gpu::CompactedSource>;
  using Nodes = gpu::CombineTiles<Fold, gpu::CompactedSource>;
  using State = typename Fold::state_type;
  Random random(seed);
  std::vector<Element> x(joined_field);
  std::vector<Element> y(joined_field);
  fill(random, x, y);
  const OnDevice<width, Element> device_x(x);
  const OnDevice<width, Element> device_y(y);
  for (int round = 0; round < rounds; ++round) {
    const Arrays of(random);
    const std::vector<std::int64_t> places = of.places();
    const auto total = static_cast<std::int64_t>(places.size());
    const OnDevice<width, const Element*> list(of.at<Element>(device_x.data()));
    const OnDevice<width, const Element*> second(of.at<Element>(device_y.data()));
    const OnDevice<width, gpu::Fault> fault(std::vector<gpu::Fault>(1));
    const std::int64_t mosts[] = {total, total + 1, std::int64_t{1} << gpu::joined_most_shift};
    const JoinedOnDevice<width, Index> joined(
        of.lengths, list.data(), Fold::arrays == 2 ? second.data() : nullptr,
        mosts[random.below(3)], 1 + static_cast<std::int64_t>(random.below(600)),
        1 << random.below(3), random.coin() ? fault.data() : nullptr);
    ASSERT_EQ(0U, fault.content()[0].found) << "round " << round;
    gpu::CompactedSource source;
    source.joins = true;
    source.joined = joined.arrays;
    const OnDevice<width, typename Fold::result_type> result(
        std::vector<typename Fold::result_type>(1));
    gpu::Rows<Fold> rows{};
    rows.fold = fold;
    rows.first = {reinterpret_cast<const Element*>(list.data()),
                  reinterpret_cast<const Element*>(second.data())};
    rows.rows = 1;
    rows.result = result.data();
    gpu::CompactedTiles tiles;
    tiles.most_shift = gpu::CompactedTiles::largest_shift;
    const bool whole_row = random.below(4) == 0;
    if (!whole_row) {
      tiles.enough = 1 + static_cast<std::int64_t>(random.below(20));
      tiles.most = 2 * tiles.enough + static_cast<std::int64_t>(random.below(2));
    }
    tiles.share(1,
                1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(tiles.most))),
                false);
    const OnDevice<width, State> nodes(std::vector<State>(static_cast<std::size_t>(tiles.most)));
    const int warps = 1 + static_cast<int>(random.below(2));
    launch<width>(Kernel{rows, source, tiles, whole_row ? nullptr : nodes.data()},
                  1 + static_cast<std::int64_t>(random.below(7)), warps,
                  Kernel::bytes_of_warp() * static_cast<std::size_t>(warps));
    if (!whole_row) {
      launch<width>(Nodes{rows, source, tiles, 1, gpu::Divisor(1), nodes.data(), nullptr, nullptr},
                    1, 2, gpu::BlockMemory<State>::bytes(Nodes::shared_states, width));
    }
    std::int64_t sum = 0;
    std::vector<std::int64_t> before{0};
    for (const std::int64_t length : of.lengths) {
      before.push_back(sum += length);
    }
    ASSERT_EQ(before, joined.before()) << "round " << round;
    const auto found = result.content();
    const auto wanted = packed_and_folded(fold, places, x, y);
    ASSERT_EQ(bits_of(wanted), bits_of(found[0]))
        << "round " << round << ", " << of.lengths.size() << " arrays of " << total
        << " elements: " << wanted << ", not " << found[0];
  }
}

TEST(Joined, PackAndFold) {
  join_and_compare<32, std::int32_t>(core::Sum<float>{}, 11, 40);
#if ISOFOLD_TEST_ALL_KERNELS
  join_and_compare<64, std::int64_t>(core::Sum<float>{}, 12, 40);
#endif
}
TEST(Joined, PackAndFoldTwoLists) {
#if ISOFOLD_TEST_ALL_KERNELS
  join_and_compare<32, std::int64_t>(core::Dot<double>{}, 13, 15);
#endif
  join_and_compare<64, std::int32_t>(core::Dot<double>{}, 14, 15);
}

// A fault in a list is reported, with its number, and leaves sums that stay inside.
template <int width>
void find_faults() {
  constexpr std::int64_t huge = INT64_MAX;
  constexpr std::int64_t unknown = std::int64_t{1} << gpu::joined_most_shift;
  struct Case {
    std::vector<std::int64_t> lengths;
    std::vector<std::size_t> nowhere;
    std::int64_t most;
    std::uint32_t found;
    std::int64_t entry;
    bool is_beyond;
    std::vector<std::int64_t> before;
  };
  Case of_several_warps{std::vector<std::int64_t>(300, 2), {}, 101, 1, 50, true, {0}};
  for (std::int64_t i = 1; i <= 300; ++i) {
    of_several_warps.before.push_back(std::min<std::int64_t>(2 * i, 100));
  }
  const Case cases[] = {
      of_several_warps,
      {{5, -3, 7}, {}, unknown, 1, 1, false, {0, 5, 5, 12}},
      {{5, 3, 7}, {2}, 12, 1, 2, false, {0, 5, 8, 8}},
      {{5, 0, 7}, {1}, 12, 0, 0, false, {0, 5, 5, 12}},
      {{5, 3, 7, 0, 9}, {}, 10, 1, 2, true, {0, 5, 8, 8, 8, 8}},
      {{5, 3, 2, 0, 1}, {}, 10, 1, 4, true, {0, 5, 8, 10, 10, 10}},
      {{5, huge, huge, huge}, {}, unknown, 1, 1, true, {0, 5, 5, 5, 5}},
      {{unknown, 0, 1}, {}, unknown, 1, 2, true, {0, unknown, unknown, unknown}},
      {{INT64_MIN}, {}, 1, 1, 0, false, {0, 0}},
  };
  for (const Case& each : cases) {
    std::vector<std::uint64_t> list(each.lengths.size(), 4096);
    for (const std::size_t i : each.nowhere) {
      list[i] = 0;
    }
    const OnDevice<width, std::uint64_t> whole(
        std::vector<std::uint64_t>(each.lengths.size(), 4096));
    const OnDevice<width, std::uint64_t> broken(list);
    for (const int variant : {0, 1, 2, 3}) {
      const bool in_second = variant % 2 != 0;
      const std::int64_t tile = variant < 2 ? 1 << 20 : each.lengths.size() > 100 ? 20 : 1;
      const OnDevice<width, gpu::Fault> fault(std::vector<gpu::Fault>(1));
      const JoinedOnDevice<width, std::int64_t> joined(
          each.lengths, in_second ? whole.data() : broken.data(),
          in_second ? broken.data() : nullptr, each.most, tile, 2, fault.data());
      EXPECT_EQ(each.before, joined.before());
      const gpu::Fault told = fault.content()[0];
      EXPECT_EQ(each.found, told.found);
      EXPECT_EQ(each.entry, told.entry);
      EXPECT_EQ(each.is_beyond, told.is_beyond);
      EXPECT_EQ(each.found == 0 ? 0 : each.lengths[static_cast<std::size_t>(each.entry)],
                told.value);
      EXPECT_EQ(each.found == 0 ? 0 : ISOFOLD_SHAPE_joined, told.shape);
    }
  }
}
TEST(Joined, WrongLists) {
  find_faults<32>();
  find_faults<64>();
}

// ---- boxes in runs, short columns and few ----------------------------------------------------

// A box without a mask, and the places in memory of each row's elements.
struct PlainBox {
  isofold_layout layout{};
  std::int64_t rows = 1;
  std::int64_t length = 1;
  std::int64_t first = 0;     // of the elements in memory, that with index 0 everywhere
  std::int64_t elements = 1;  // of memory
  std::vector<std::vector<std::int64_t>> places;

  // Dimensions with such extents, from the outermost on, a few elements between the lines. In
  // memory they follow one another from the last one on, but after `nearest`, if that is one.
  PlainBox(Random& random, const std::vector<std::int64_t>& extents, std::uint32_t kept,
           int nearest = -1) {
    layout.dimensions = static_cast<std::int32_t>(extents.size());
    layout.kept = kept;
    std::vector<int> order;
    for (int d = layout.dimensions - 1; d >= 0; --d) {
      order.insert(d == nearest ? order.begin() : order.end(), d);
    }
    for (const int d : order) {
      const std::int64_t extent = extents[static_cast<std::size_t>(d)];
      const std::int64_t sign = d + 1 < layout.dimensions && random.below(4) == 0 ? -1 : 1;
      layout.extents[d] = extent;
      layout.strides[d] = sign * elements;
      layout.second_strides[d] = layout.strides[d];
      first += sign < 0 ? (extent - 1) * elements : 0;
      elements = elements * extent + static_cast<std::int64_t>(random.below(4));
      ((kept >> d & 1U) != 0 ? rows : length) *= extent;
    }
    places.resize(static_cast<std::size_t>(rows));
    for (std::int64_t entry = 0; entry < rows * length; ++entry) {
      place(entry);
    }
  }

  Axes axes(bool of_kept) const { return {layout, of_kept ? layout.kept : ~layout.kept, true}; }

 private:
  void place(std::int64_t entry) {
    std::int64_t row = 0;
    std::int64_t step = 1;
    std::int64_t at = first;
    for (int d = layout.dimensions - 1; d >= 0; --d) {
      const std::int64_t i = entry % layout.extents[d];
      entry /= layout.extents[d];
      at += i * layout.strides[d];
      if ((layout.kept >> d & 1U) != 0) {
        row += i * step;
        step *= layout.extents[d];
      }
    }
    places[static_cast<std::size_t>(row)].push_back(at);
  }
};

// The results of the box's rows that run(rows) leaves, beside those of the elements packed.
template <int width, class Fold, class Run>
void compare_rows(const Fold& fold, const PlainBox& box, Random& random, int round, Run&& run) {
  using Element = typename Fold::element_type;
  using Result = typename Fold::result_type;
  std::vector<Element> x(static_cast<std::size_t>(box.elements));
  std::vector<Element> y(x.size());
  fill(random, x, y);
  const OnDevice<width, Element> device_x(x);
  const OnDevice<width, Element> device_y(y);
  const OnDevice<width, Result> results(
      std::vector<Result>(static_cast<std::size_t>(box.rows), Result(-1)));
  gpu::Rows<Fold> rows{};
  rows.fold = fold;
  rows.first = {device_x.data() + box.first, device_y.data() + box.first};
  rows.rows = box.rows;
  rows.length = box.length;
  rows.result = results.data();
  run(rows);
  const std::vector<Result> found = results.content();
  for (std::size_t row = 0; row < box.places.size(); ++row) {
    const Result wanted = packed_and_folded(fold, box.places[row], x, y);
    ASSERT_EQ(bits_of(wanted), bits_of(found[row]))
        << "round " << round << ", row " << row << " of " << box.rows << ", of " << box.length
        << " elements: " << wanted << ", not " << found[row];
  }
}

// Rows of so many elements each, for the launch over their nodes.
gpu::CompactedPlaces even_rows(std::int64_t length) {
  gpu::CompactedPlaces places;
  places.is_even = true;
  places.masked.length = length;
  return places;
}

// Runs of lengths around those of a row of lanes and of a chunk.
template <int width, class Fold>
void fold_runs_and_compare(const Fold& fold, std::uint64_t seed, int rounds) {
  using Kernel = gpu::ReduceCompacted<Fold, gpu::RunSource>;
  using Nodes = gpu::CombineTiles<Fold, gpu::CompactedPlaces>;
  using State = typename Fold::state_type;
  Random random(seed);
  const std::int64_t runs[] = {64,  65,  95,  127,  128,  129,  255,
                               256, 257, 510, 1023, 1024, 1025, 3000};
  for (int round = 0; round < rounds; ++round) {
    const std::int64_t run = runs[random.below(14)];
    const auto lines =
        static_cast<std::int64_t>(1 + random.below(9000) / static_cast<std::uint64_t>(run));
    const PlainBox box(random,
                       {static_cast<std::int64_t>(1 + random.below(3)), lines,
                        static_cast<std::int64_t>(1 + random.below(3)), run},
                       static_cast<std::uint32_t>(random.below(8)));
    const std::int64_t known = gpu::run_length(box.layout, true);
    const Axes reduced = box.axes(false);
    ASSERT_LE(run, known);
    ASSERT_EQ(reduced.extents[reduced.count - 1], known);
    gpu::RunSource source{{}, box.length};
    source.places.shape = ISOFOLD_SHAPE_box;
    source.places.kept = box.axes(true);
    source.places.reduced = reduced;
    const std::int64_t chunks = core::chunk_count(box.length);
    gpu::CompactedTiles tiles;
    tiles.enough = 1 + static_cast<std::int64_t>(random.below(6));
    tiles.most = std::min(chunks, std::max(2 * tiles.enough, (chunks + 63) / 64));
    tiles.share(box.rows,
                1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(tiles.most))),
                random.coin());
    const OnDevice<width, State> nodes(
        std::vector<State>(static_cast<std::size_t>(box.rows * tiles.most)));
    const int warps = 1 + static_cast<int>(random.below(2));
    compare_rows<width>(fold, box, random, round, [&](const gpu::Rows<Fold>& rows) {
      launch<width>(Kernel{rows, source, tiles, nodes.data()},
                    1 + static_cast<std::int64_t>(random.below(5)), warps,
                    Kernel::bytes_of_warp() * static_cast<std::size_t>(warps));
      launch<width>(Nodes{rows, even_rows(box.length), tiles, 1, gpu::Divisor(1), nodes.data(),
                          nullptr, nullptr},
                    2, 2, gpu::BlockMemory<State>::bytes(Nodes::shared_states, width));
    });
  }
}

TEST(Runs, Fold) {
  fold_runs_and_compare<32>(core::Sum<float>{}, 21, 40);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_runs_and_compare<64>(core::Sum<float>{}, 22, 40);
#endif
}
TEST(Runs, FoldTwoArrays) {
#if ISOFOLD_TEST_ALL_KERNELS
  fold_runs_and_compare<32>(core::Dot<double>{}, 23, 12);
#endif
  fold_runs_and_compare<64>(core::Dot<double>{}, 24, 12);
}

TEST(Runs, FoldInTwoPasses) {
  fold_runs_and_compare<32>(core::Norm2<float>{}, 27, 12);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_runs_and_compare<64>(core::Norm2<double>{}, 28, 12);
#endif
}

// Folding in order shows which of two chunks is the left one.
TEST(Runs, FoldInOrder) {
#if ISOFOLD_TEST_ALL_KERNELS
  fold_runs_and_compare<32>(isofold::simt::Ordered{}, 25, 12);
#endif
  fold_runs_and_compare<64>(isofold::simt::Ordered{}, 26, 12);
}

TEST(Runs, AreOfStrideOne) {
  isofold_layout layout{};
  layout.dimensions = 3;
  const std::int64_t extents[] = {5, 7, 100};
  const std::int64_t strides[] = {1000, 100, 1};
  for (int d = 0; d < 3; ++d) {
    layout.extents[d] = extents[d];
    layout.strides[d] = layout.second_strides[d] = strides[d];
  }
  EXPECT_EQ(700, gpu::run_length(layout, true));
  layout.second_strides[1] = 101;
  EXPECT_EQ(700, gpu::run_length(layout, false));
  EXPECT_EQ(100, gpu::run_length(layout, true));
  layout.kept = 2;
  EXPECT_EQ(100, gpu::run_length(layout, true));
  layout.kept = 4;
  EXPECT_EQ(0, gpu::run_length(layout, false));
  layout.kept = 0;
  layout.strides[2] = 2;
  EXPECT_EQ(0, gpu::run_length(layout, false));
  layout.strides[2] = -1;
  EXPECT_EQ(0, gpu::run_length(layout, false));
}

// A number from 1 to `most`.
std::int64_t up_to(Random& random, std::int64_t most) {
  return 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most)));
}

// compare_rows() for a kernel that leaves a node for each chunk, by a plan's launch but with other
// blocks.
template <int width, class Fold, class Kernel>
void fold_chunks_and_compare(const Fold& fold, const PlainBox& box, Random& random, int round,
                             Kernel kernel, const gpu::CompactedPlan& plan) {
  using Nodes = gpu::CombineTiles<Fold, gpu::CompactedPlaces>;
  using State = typename Fold::state_type;
  const OnDevice<width, State> nodes(
      std::vector<State>(static_cast<std::size_t>(box.rows * plan.tiles.most)));
  const gpu::CompactedPlaces even = even_rows(box.length);
  compare_rows<width>(fold, box, random, round, [&](const gpu::Rows<Fold>& rows) {
    kernel.rows = rows;
    kernel.nodes = nodes.data();
    launch<width>(kernel, 1 + static_cast<std::int64_t>(random.below(9)),
                  plan.launch.threads / width, plan.launch.shared_bytes);
    launch<width>(Nodes{rows, even, plan.tiles, 1, gpu::Divisor(1), nodes.data(), nullptr, nullptr},
                  2, 2, gpu::BlockMemory<State>::bytes(Nodes::shared_states, width));
  });
}

// Slabs side by side, of two chunks and more, whose nearest index is not the last: as many as fill
// lines of them and as do not, in boxes with other dimensions outside and kept.
template <int width, class Fold>
void fold_long_slabs_and_compare(const Fold& fold, std::uint64_t seed, int rounds) {
  using Kernel = gpu::ReduceLongTransposed<Fold>;
  Random random(seed);
  for (int round = 0; round < rounds; ++round) {
    const std::int64_t inner = up_to(random, 7);
    const std::int64_t lines = 2048 / inner + (random.coin() ? 1 : up_to(random, 2500) / inner + 1);
    const std::int64_t neighbours = Kernel::slabs * (random.coin() ? 1 : 2) -
                                    (random.coin() ? 0 : up_to(random, Kernel::slabs / 2));
    const PlainBox box(random, {up_to(random, 2), neighbours, up_to(random, 2), lines, inner},
                       random.below(3) == 0 ? 4 : 0, 1);
    const Axes reduced = box.axes(false);
    gpu::LongTransposedProblem at{};
    at.rows = box.rows;
    at.length = box.length;
    at.slabs = reduced.slabs(8);
    ASSERT_EQ(neighbours, at.slabs.neighbours);
    ASSERT_EQ(lines * inner * (box.layout.kept == 0 ? box.layout.extents[2] : 1), at.slabs.length);
    at.slabs_of_block = Kernel::slabs;
    at.threads = Kernel::threads(width);
    at.shared_bytes = Kernel::shared_bytes();
    at.most_threads = Kernel::max_threads;
    at.device.multiprocessors = static_cast<int>(up_to(random, 12));
    at.device.wave_width = width;
    const gpu::LongTransposedPlan plan = gpu::plan_long_slabs(at);
    fold_chunks_and_compare<width>(fold, box, random, round,
                                   Kernel{{}, box.axes(true), reduced, plan.cut, nullptr},
                                   plan.compacted);
  }
}

TEST(LongTransposed, Fold) {
  fold_long_slabs_and_compare<32>(core::Sum<float>{}, 41, 12);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_long_slabs_and_compare<64>(core::Sum<double>{}, 42, 12);
#endif
}
TEST(LongTransposed, FoldTwoArrays) {
#if ISOFOLD_TEST_ALL_KERNELS
  fold_long_slabs_and_compare<32>(core::Dot<double>{}, 43, 12);
#endif
  fold_long_slabs_and_compare<64>(core::Dot<float>{}, 44, 12);
}
TEST(LongTransposed, FoldInTwoPasses) {
  fold_long_slabs_and_compare<32>(core::Norm2<float>{}, 45, 12);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_long_slabs_and_compare<64>(core::Norm2<double>{}, 46, 12);
#endif
}
TEST(LongTransposed, FoldInOrder) {
#if ISOFOLD_TEST_ALL_KERNELS
  fold_long_slabs_and_compare<32>(isofold::simt::Ordered{}, 47, 12);
#endif
  fold_long_slabs_and_compare<64>(isofold::simt::Ordered{}, 48, 12);
}

// Slabs of fewer elements than two chunks, in rows that are several ranges, the last one cut.
template <int width, class Fold>
void fold_short_slabs_and_compare(const Fold& fold, std::uint64_t seed, int rounds) {
  using Kernel = gpu::ReduceShortTransposed<Fold>;
  Random random(seed);
  for (int round = 0; round < rounds; ++round) {
    const std::int64_t most[] = {9, 40, 300, 950};
    const std::int64_t inner = up_to(random, 7);
    const std::int64_t lines = 8 / inner + up_to(random, most[random.below(4)] / 7);
    const std::int64_t sides = up_to(random, 3);
    const PlainBox box(
        random,
        {sides, 4096 / (lines * inner * sides) + up_to(random, 30000 / (lines * inner)),
         up_to(random, 2), lines, inner},
        random.below(3) == 0 ? 4 : 0, 1);
    const Axes reduced = box.axes(false);
    gpu::ShortTransposedProblem at{};
    at.rows = box.rows;
    at.length = box.length;
    at.slabs = reduced.slabs(8);
    at.element_bytes = sizeof(typename Fold::element_type);
    at.chunk_bytes = Kernel::chunk_bytes;
    at.shared_bytes = Kernel::shared_bytes;
    at.most_threads = Kernel::max_threads;
    at.device.multiprocessors = static_cast<int>(up_to(random, 12));
    at.device.wave_width = width;
    at.device.shared_bytes = static_cast<std::size_t>(20 + 40 * random.below(5)) << 10;
    const gpu::ShortTransposedPlan plan = gpu::plan_short_slabs(at);
    fold_chunks_and_compare<width>(fold, box, random, round,
                                   Kernel{{}, box.axes(true), reduced, plan.cut, nullptr},
                                   plan.compacted);
  }
}

TEST(ShortTransposed, Fold) {
  fold_short_slabs_and_compare<32>(core::Sum<float>{}, 51, 30);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_short_slabs_and_compare<64>(core::Sum<double>{}, 52, 30);
#endif
}
TEST(ShortTransposed, FoldTwoArrays) {
#if ISOFOLD_TEST_ALL_KERNELS
  fold_short_slabs_and_compare<32>(core::Dot<double>{}, 53, 20);
#endif
  fold_short_slabs_and_compare<64>(core::Dot<float>{}, 54, 20);
}
TEST(ShortTransposed, FoldInTwoPasses) {
  fold_short_slabs_and_compare<32>(core::Norm2<float>{}, 55, 20);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_short_slabs_and_compare<64>(core::Norm2<double>{}, 56, 20);
#endif
}
TEST(ShortTransposed, FoldInOrder) {
#if ISOFOLD_TEST_ALL_KERNELS
  fold_short_slabs_and_compare<32>(isofold::simt::Ordered{}, 57, 20);
#endif
  fold_short_slabs_and_compare<64>(isofold::simt::Ordered{}, 58, 20);
}

// Every length of a short row, in one reduced dimension and in two.
template <int width, class Fold>
void fold_columns_and_compare(const Fold& fold, std::uint64_t seed) {
  using Kernel = gpu::ReduceColumnsByThreads<Fold>;
  Random random(seed);
  for (int length = 1; length <= gpu::short_column_elements; ++length) {
    const int inner = length % 3 == 0 ? 3 : 1;
    const PlainBox box(random,
                       {length / inner, static_cast<std::int64_t>(1 + random.below(3)), inner,
                        static_cast<std::int64_t>(1 + random.below(400))},
                       10);
    compare_rows<width>(fold, box, random, length, [&](const gpu::Rows<Fold>& rows) {
      launch<width>(Kernel{rows, box.axes(true), box.axes(false)},
                    1 + static_cast<std::int64_t>(random.below(3)),
                    1 + static_cast<int>(random.below(2)), Kernel::shared_bytes());
    });
  }
}

TEST(ShortColumns, OfEveryLength) {
  fold_columns_and_compare<32>(core::Sum<float>{}, 31);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_columns_and_compare<64>(core::Sum<float>{}, 32);
#endif
}
TEST(ShortColumns, OfTwoArraysAndOfTwoPasses) {
#if ISOFOLD_TEST_ALL_KERNELS
  fold_columns_and_compare<32>(core::Dot<double>{}, 33);
#endif
  fold_columns_and_compare<64>(core::Dot<float>{}, 34);
  fold_columns_and_compare<32>(core::Mean<float>{}, 35);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_columns_and_compare<64>(core::Mean<double>{}, 36);
#endif
}

// Few rows side by side, of one set or more, in one reduced dimension and in two, by blocks of all
// sizes and tiles of some chunks.
template <int width, class Fold>
void fold_few_and_compare(const Fold& fold, std::uint64_t seed, int rounds) {
  using Kernel = gpu::ReduceInterleavedColumns<Fold>;
  using Nodes = gpu::CombineTiles<Fold, gpu::CompactedPlaces>;
  using State = typename Fold::state_type;
  Random random(seed);
  for (int round = 0; round < rounds; ++round) {
    const auto below = [&](std::uint64_t bound) {
      return static_cast<std::int64_t>(random.below(bound));
    };
    const std::int64_t columns = 1 + below(gpu::most_few_columns);
    const std::int64_t length = 1 + below(std::uint64_t{1} << (5 + below(9)));
    const PlainBox box(random, {1 + below(3), 1 + length / 3, 1 + below(3), columns}, 9);
    gpu::Places places;
    places.shape = ISOFOLD_SHAPE_box;
    places.kept = box.axes(true);
    places.reduced = box.axes(false);
    places.cursor_reaches = below(4) != 0;
    int threads = width;
    while (threads < columns || (threads < 256 && random.coin())) {
      threads *= 2;
    }
    gpu::FewColumns cut(static_cast<int>(columns), threads, width);
    cut.tabled = places.needs_table();
    cut.sets = box.rows / columns;
    cut.chunks_shift = static_cast<int>(below(3));
    cut.tiles = ((core::chunk_count(box.length) - 1) >> cut.chunks_shift) + 1;
    cut.by_tiles = gpu::Divisor(cut.tiles);
    const OnDevice<width, State> nodes(
        std::vector<State>(static_cast<std::size_t>(box.rows * cut.tiles)));
    compare_rows<width>(fold, box, random, round, [&](const gpu::Rows<Fold>& rows) {
      launch<width>(Kernel{rows, places, cut, cut.tiles > 1 ? nodes.data() : nullptr}, 1 + below(5),
                    threads / width, Kernel::shared_bytes(cut.columns, cut.tabled));
      if (cut.tiles > 1) {
        const gpu::CompactedPlaces even = even_rows(box.length);
        gpu::CompactedTiles tiles;
        tiles.most_shift = cut.chunks_shift;
        tiles.most = cut.tiles;
        launch<width>(Nodes{rows, even, tiles, 1, gpu::Divisor(1), nodes.data(), nullptr, nullptr},
                      2, 2, gpu::BlockMemory<State>::bytes(Nodes::shared_states, width));
      }
    });
  }
}

TEST(FewColumns, Fold) {
  fold_few_and_compare<32>(core::Sum<float>{}, 41, 40);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_few_and_compare<64>(core::Sum<float>{}, 42, 40);
#endif
}
TEST(FewColumns, FoldTwoArrays) {
#if ISOFOLD_TEST_ALL_KERNELS
  fold_few_and_compare<32>(core::Dot<double>{}, 43, 15);
#endif
  fold_few_and_compare<64>(core::Dot<float>{}, 44, 15);
}
TEST(FewColumns, FoldInTwoPasses) {
#if ISOFOLD_TEST_ALL_KERNELS
  fold_few_and_compare<32>(core::Norm2<double>{}, 45, 15);
  fold_few_and_compare<64>(core::Mean<float>{}, 46, 15);
#endif
  fold_few_and_compare<32>(core::LogSumExp<float>{}, 47, 15);
}

// Folding in order shows which of two lanes, chunks and tiles is the left one.
TEST(FewColumns, FoldInOrder) {
#if ISOFOLD_TEST_ALL_KERNELS
  fold_few_and_compare<32>(isofold::simt::Ordered{}, 48, 20);
#endif
  fold_few_and_compare<64>(isofold::simt::Ordered{}, 49, 20);
}

// The bound of a sum alone: lanes that are not there are no additions.
struct Bound : core::SumWithBound<float> {
  using result_type = float;
  result_type finish(state_type s, std::int64_t n) const {
    return core::SumWithBound<float>::finish(s, n).bound;
  }
  result_type empty() const { return 0; }
};
TEST(FewColumns, FoldWithoutPadding) {
  fold_few_and_compare<32>(Bound{}, 50, 20);
#if ISOFOLD_TEST_ALL_KERNELS
  fold_few_and_compare<64>(Bound{}, 51, 20);
#endif
}

// Tiles of columns that are whole rows; the last chunk may have fewer elements than lanes.
template <int width>
void fold_column_tiles_and_compare(std::uint64_t seed) {
  using Kernel = gpu::ReduceColumnTiles<Bound>;
  Random random(seed);
  for (int round = 0; round < 20; ++round) {
    const auto length = static_cast<std::int64_t>(1 + random.below(64) + random.below(3) * 1024);
    const PlainBox box(random, {length, static_cast<std::int64_t>(1 + random.below(90))}, 2);
    gpu::ColumnTiles cut;
    cut.parts_shift = static_cast<int>(2 + random.below(3));
    cut.rows_shift = 8 - cut.parts_shift;
    cut.chunks_shift = gpu::columns_chunks_shift;
    cut.sets = ((box.rows - 1) >> cut.rows_shift) + 1;
    cut.by_sets = gpu::Divisor(cut.sets);
    compare_rows<width>(Bound{}, box, random, round, [&](const gpu::Rows<Bound>& rows) {
      launch<width>(Kernel{rows, box.axes(true), box.axes(false), cut, nullptr, nullptr}, 2,
                    gpu::columns_threads / width, Kernel::shared_bytes(width, cut));
    });
  }
}
TEST(ColumnTiles, FoldWithoutPadding) {
  fold_column_tiles_and_compare<32>(52);
  fold_column_tiles_and_compare<64>(53);
}

TEST(FewColumns, LaneOfEveryNumber) {
  for (int columns = 1; columns <= gpu::most_few_columns; ++columns) {
    const gpu::FewColumns cut(columns, 64, 32);
    ASSERT_LE(columns << cut.join_shift, 64);
    for (int number = 0; number < core::lanes * columns; ++number) {
      ASSERT_EQ(number / columns, cut.lane_of(number)) << number << " of " << columns;
    }
  }
}

}  // namespace
