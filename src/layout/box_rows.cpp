// Boxes without a mask: stretches at constant distances.
#include <layout/box_rows.hpp>

#include <algorithm>
#include <cstdlib>
#include <type_traits>

#include <isofold/detail/core/tree.hpp>
#include <layout/turn.hpp>
#include <layout/words.hpp>

namespace isofold_packed {
namespace {

// The place that each of some columns goes to; it moves on with every piece.
template <class Word>
struct ColumnRooms {
  Word* of[most_gathered];
  int columns;
  void take(const Word* from, std::int64_t stride, std::int64_t count) {
    turn(from, stride, count, columns, of);
    for (int c = 0; c < columns; ++c) {
      of[c] += count;
    }
  }
};

}  // namespace

BoxRows::BoxRows(const RowsOf& of) : PackedRows(of) {
  // Extents and strides of a box without elements may be anything: they are left alone.
  if (request_.rows != 0 && request_.length != 0) {
    const std::int64_t* const strides[] = {layout_.strides, layout_.second_strides};
    for (int which = 0; which < 2; ++which) {
      kept_[which] = Dimensions(layout_, layout_.kept, strides[which]);
      reduced_[which] = Dimensions(layout_, ~layout_.kept, strides[which]);
    }
  }
}

const void* BoxRows::elements(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                              void* room) const {
  const std::int64_t base = kept_[which].offset(row);
  const Dimensions& reduced = reduced_[which];
  const auto* data = static_cast<const char*>(array(which));
  if (reduced.is_contiguous()) {
    return data + (base + first) * element_bytes_;
  }
  isofold::with_word(element_bytes_, element_alignment_, [&](auto* word) {
    using Word = std::remove_pointer_t<decltype(word)>;
    const Word* const from = reinterpret_cast<const Word*>(data) + base;
    Word* to = static_cast<Word*>(room);
    reduced.for_runs(first, count, [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
      to = isofold::copy_run(from + offset, stride, run, to);
    });
  });
  return room;
}

bool BoxRows::lie_in_line() const {
  return reduced_[0].is_contiguous() && (request_.second == nullptr || reduced_[1].is_contiguous());
}

Planes BoxRows::planes(std::int64_t row) const {
  constexpr Planes none{1, 0, {}};
  Planes planes{request_.rows - row, reduced_[0].run(), {}};
  for (int which = 0; which < (request_.second == nullptr ? 1 : 2); ++which) {
    std::int64_t distance = 0;
    planes.rows = std::min(planes.rows, kept_[which].at_one_distance(row, &distance));
    planes.distance[which] = distance * element_bytes_;
    // A row of lanes is cut at most once, and the next row is nearer than the next run.
    if (reduced_[which].run() < isofold::core::lanes ||
        std::abs(distance) >= std::abs(reduced_[which].between_runs())) {
      return none;
    }
  }
  return planes;
}

bool BoxRows::has_long_runs() const {
  constexpr std::int64_t long_run = 2 * isofold::core::lanes;
  return reduced_[0].run() >= long_run &&
         (request_.second == nullptr || reduced_[1].run() >= long_run);
}

void BoxRows::lane_rows(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                        LaneRow* lanes) const {
  constexpr std::int64_t whole = isofold::core::lanes;
  const auto* const data =
      static_cast<const char*>(array(which)) + kept_[which].offset(row) * element_bytes_;
  LaneRow* next = lanes;
  std::int64_t missing = 0;  // elements of the row before the next one
  reduced_[which].for_runs(first, count, [&](std::int64_t offset, std::int64_t, std::int64_t run) {
    const char* from = data + offset * element_bytes_;
    if (missing != 0) {
      next[-1].rest = from - next[-1].split * element_bytes_;
      from += missing * element_bytes_;
      run -= missing;
      count -= missing;
      missing = 0;
    }
    for (; run > 0; ++next) {
      const std::int64_t wanted = std::min(count, whole);
      const std::int64_t here = std::min(run, wanted);
      *next = {from, from, here == wanted ? whole : here};
      missing = wanted - here;
      from += here * element_bytes_;
      run -= here;
      count -= here;
    }
  });
}

std::int64_t BoxRows::columns(std::int64_t row) const {
  if (reduced_[0].is_contiguous()) {
    return 1;
  }
  const std::int64_t first = kept_[0].side_by_side(row);
  return request_.second == nullptr ? first : std::min(first, kept_[1].side_by_side(row));
}

void BoxRows::column_offsets(int which, std::int64_t first, std::int64_t count,
                             std::int64_t* offsets) const {
  reduced_[which].for_runs(first, count,
                           [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
                             for (std::int64_t i = 0; i < run; ++i) {
                               offsets[i] = offset + i * stride;
                             }
                             offsets += run;
                           });
}

void BoxRows::gather_columns(int which, std::int64_t row, int columns, std::int64_t first,
                             std::int64_t count, void* room, std::int64_t pitch) const {
  const std::int64_t base = kept_[which].offset(row);
  isofold::with_word(element_bytes_, element_alignment_, [&](auto* word) {
    using Word = std::remove_pointer_t<decltype(word)>;
    const Word* const from = static_cast<const Word*>(array(which)) + base;
    ColumnRooms<Word> to;
    to.columns = columns;
    for (int c = 0; c < columns; ++c) {
      to.of[c] = static_cast<Word*>(room) + c * pitch;
    }
    reduced_[which].for_runs(first, count,
                             [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
                               to.take(from + offset, stride, run);
                             });
  });
}

Slabs BoxRows::slabs() const {
  // The arrays may be merged into dimensions differently: sides of fewer divide those of more.
  Slabs slabs = reduced_[0].slabs();
  if (request_.second != nullptr && slabs_lie_side_by_side(1)) {
    slabs.neighbours = std::min(slabs.neighbours, reduced_[1].slabs().neighbours);
  }
  return slabs;
}
bool BoxRows::slabs_lie_side_by_side(int which) const {
  return reduced_[which].slabs().length == reduced_[0].slabs().length;
}

void BoxRows::gather_slabs(int which, std::int64_t row, std::int64_t slab, int slabs,
                           std::int64_t first, std::int64_t count, void* const* rooms) const {
  const Dimensions& reduced = reduced_[which];
  const std::int64_t length = this->slabs().length;
  const bool side_by_side = slabs_lie_side_by_side(which);
  isofold::with_word(element_bytes_, element_alignment_, [&](auto* word) {
    using Word = std::remove_pointer_t<decltype(word)>;
    const Word* const data = static_cast<const Word*>(array(which)) + kept_[which].offset(row);
    const int columns = side_by_side ? slabs : 1;
    for (int s = 0; s < slabs; s += columns) {
      const Word* const from = data + reduced.offset((slab + s) * length);
      ColumnRooms<Word> to;
      to.columns = columns;
      for (int c = 0; c < columns; ++c) {
        to.of[c] = static_cast<Word*>(rooms[s + c]);
      }
      reduced.for_runs(first, count,
                       [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
                         to.take(from + offset, stride, run);
                       });
    }
  });
}

}  // namespace isofold_packed
