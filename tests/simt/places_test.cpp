// Where elements of boxes are: as a chunk's cursor computes it, in 32 bits and without a division,
// and as extents and strides say, over boxes that no test could give memory.
#include <gtest/gtest.h>

#include <backends/gpu/places.hpp>

#include "random.hpp"

namespace {

using isofold::gpu::Axes;
using isofold::gpu::Cursor;
using isofold::simt::Random;

// Up to 2^most, each power of two as likely.
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

// By division, dimension by dimension.
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
    // Also the chunks in which a stretch ends.
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

}  // namespace
