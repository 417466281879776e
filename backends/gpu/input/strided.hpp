// The places of the elements of rows of any shape (boxes, segments, gathers and batches), for all
// kernels that read strided rows. A row's elements are numbered in the order in which compaction
// would put them, and those of a masked box include the ones that the mask does not select
// (mask_bits.hpp).
#pragma once

#include <algorithm>

#include <isofold/detail/core/fold.hpp>
#include <isofold/detail/core/tree.hpp>
#include <isofold/detail/gpu/platform.hpp>

namespace isofold::gpu {

__extension__ typedef unsigned __int128 Wide;

// Division by a number that is known before the launch: a multiplication and a shift, where a
// division of 64-bit integers takes some hundred instructions. (Round-up method; Granlund and
// Montgomery, "Division by invariant integers using multiplication", 1994.)
class Divisor {
 public:
  Divisor() = default;
  explicit Divisor(std::int64_t by) : shift_(core::root_level(by)) {  // by >= 1
    const Wide excess = (Wide{1} << shift_) - static_cast<Wide>(by);
    factor_ = static_cast<std::uint64_t>((excess << 64) / static_cast<Wide>(by)) + 1;
  }
  // n >= 0
  ISOFOLD_DEVICE std::int64_t divide(std::int64_t n) const {
    const auto number = static_cast<std::uint64_t>(n);
    const auto high = static_cast<std::uint64_t>((static_cast<Wide>(factor_) * number) >> 64);
    return static_cast<std::int64_t>((high + number) >> shift_);
  }

 private:
  std::uint64_t factor_ = 1;
  int shift_ = 0;
};

// Units of work on rows, so many of each: those of a row one after the other, or, if rows are
// nearer to one another in memory than elements, those with equal numbers.
class RowUnits {
 public:
  struct Unit {
    std::int64_t row;
    std::int64_t number;
  };
  RowUnits() = default;
  RowUnits(std::int64_t rows, std::int64_t of_row, bool rows_first)
      : rows_first_(rows_first), minor_(rows_first ? rows : of_row), by_(minor_) {}
  ISOFOLD_DEVICE Unit unit(std::int64_t number) const {
    const std::int64_t major = by_.divide(number);
    const std::int64_t minor = number - major * minor_;
    return rows_first_ ? Unit{minor, major} : Unit{major, minor};
  }

 private:
  bool rows_first_ = false;
  std::int64_t minor_ = 1;
  Divisor by_;
};

// The arrays and the mask have strides of their own in a box; this is the mask's number.
inline constexpr int mask_array = 2;

// Parts of a row, all of one length, that lie side by side in memory.
struct Slabs {
  std::int64_t length = 0;      // elements; 0: there are none
  std::int64_t neighbours = 0;  // so many of them lie side by side
  std::int64_t step = 0;        // from one element of a slab to the next one
};

// Dimensions of a box, and offsets into the arrays from an index over them, in row-major order.
struct Axes {
  int count = 0;
  std::int64_t extents[ISOFOLD_MOST_DIMENSIONS]{};
  std::int64_t strides[mask_array + 1][ISOFOLD_MOST_DIMENSIONS]{};
  Divisor by[ISOFOLD_MOST_DIMENSIONS];
  // 2^32 over the innermost extent, rounded up, for Cursor: the extent is at most 2^15, so that its
  // product with a number below that and a chunk more is the quotient, exactly. 0 stands for a
  // larger extent.
  std::uint32_t reciprocal = 0;

  Axes() = default;
  // The dimensions of the layout whose bit in `chosen` is set, none of them empty. Dimensions of
  // one index are left out, and neighbours that one stride covers, in all arrays and the mask,
  // become one.
  Axes(const isofold_layout& layout, std::uint32_t chosen, bool two_arrays) {
    std::int64_t entries[ISOFOLD_MOST_DIMENSIONS];  // of the mask
    std::int64_t step = 1;
    for (int d = layout.dimensions - 1; d >= 0; --d) {
      const bool has_strides = layout.mask_type == ISOFOLD_MASK_strided_bytes;
      entries[d] = has_strides ? layout.mask_strides[d] : step;
      step *= layout.extents[d];
    }
    const std::int64_t* const from[] = {layout.strides,
                                        two_arrays ? layout.second_strides : layout.strides,
                                        layout.mask != nullptr ? entries : layout.strides};
    for (int d = 0; d < layout.dimensions; ++d) {
      const std::int64_t extent = layout.extents[d];
      if ((chosen >> d & 1U) == 0 || extent == 1) {
        continue;
      }
      bool joins = count > 0;
      for (int a = 0; a <= mask_array && joins; ++a) {
        joins = strides[a][count - 1] == extent * from[a][d];
      }
      count += joins ? 0 : 1;
      extents[count - 1] = joins ? extents[count - 1] * extent : extent;
      for (int a = 0; a <= mask_array; ++a) {
        strides[a][count - 1] = from[a][d];
      }
    }
    for (int d = 0; d < count; ++d) {
      by[d] = Divisor(extents[d]);
    }
    if (count > 0 && extents[count - 1] <= std::int64_t{1} << 15) {
      reciprocal = static_cast<std::uint32_t>((std::int64_t{1} << 32) / extents[count - 1] + 1);
    }
  }

  // This tells whether what Cursor computes of a chunk stays below 2^31.
  bool is_near(int element_bytes) const {
    const std::int64_t most = INT32_MAX / element_bytes;
    for (int a = 0; a < mask_array; ++a) {
      std::int64_t span = 0;
      for (int d = count < 2 ? 0 : count - 2; d < count; ++d) {
        const bool whole_stretch = count > 1 && d == count - 1 && reciprocal != 0;
        const std::int64_t steps =
            whole_stretch ? extents[d] : std::min<std::int64_t>(extents[d], core::chunk_elements);
        const std::int64_t stride = strides[a][d] < 0 ? -strides[a][d] : strides[a][d];
        if (stride > most) {
          return false;
        }
        span += steps * stride;
      }
      if (span > most) {
        return false;
      }
    }
    return true;
  }

  // This tells whether the entries of a mask that these number lie one after the other.
  bool mask_in_line() const {
    std::int64_t step = 1;
    for (int d = count - 1; d >= 0; --d) {
      if (strides[mask_array][d] != step) {
        return false;
      }
      step *= extents[d];
    }
    return true;
  }

  // This tells whether elements of each of so many arrays lie one after the other.
  bool is_line(int arrays) const {
    return count == 1 && strides[0][0] == 1 && (arrays == 1 || strides[1][0] == 1);
  }
  // How many elements of each array, and entries of the mask, lie side by side along the innermost
  // dimension; 0: none.
  std::int64_t side_by_side() const {
    bool are_near = count > 0;
    for (int a = 0; a <= mask_array && are_near; ++a) {
      are_near = strides[a][count - 1] == 1;
    }
    return are_near ? extents[count - 1] : 0;
  }

  // This tells whether a step along these is shorter than one along those, the innermost and any of
  // which there are some.
  bool nearer_than(const Axes& those) const {
    constexpr std::int64_t some = 8;
    const auto step = [](const Axes& axes, int d) {
      return axes.strides[0][d] < 0 ? -axes.strides[0][d] : axes.strides[0][d];
    };
    const std::int64_t own = count > 0 ? step(*this, count - 1) : 0;
    bool is_nearer = those.count > 0;
    for (int d = 0; d < those.count; ++d) {
      const bool counts = d == those.count - 1 || those.extents[d] >= some;
      is_nearer = is_nearer && (!counts || own < step(those, d));
    }
    return is_nearer;
  }

  // This tells whether steps along these, but the innermost, are no shorter than one along those.
  bool rest_is_beyond(const Axes& those) const {
    const auto length = [](std::int64_t stride) { return stride < 0 ? -stride : stride; };
    const std::int64_t step = those.count > 0 ? length(those.strides[0][those.count - 1]) : 0;
    bool is_beyond = true;
    for (int d = 0; d + 1 < count; ++d) {
      is_beyond = is_beyond && length(strides[0][d]) >= step;
    }
    return is_beyond;
  }

  // Slabs: the innermost dimensions below one whose steps are shorter than `most` and than those of
  // the innermost.
  Slabs slabs(std::int64_t most) const {
    const auto length = [&](int d) { return strides[0][d] < 0 ? -strides[0][d] : strides[0][d]; };
    std::int64_t inner = 1;
    for (int d = count - 1; d >= 0; --d) {
      if (length(d) < most && length(d) < length(count - 1)) {
        return {inner, extents[d], length(count - 1)};
      }
      inner *= extents[d];
    }
    return {};
  }

  ISOFOLD_DEVICE std::int64_t offset(int array, std::int64_t index) const {
    return offset_over(count, array, index);
  }
  // The offset of the first element of line number `line`, the innermost dimension making lines.
  ISOFOLD_DEVICE std::int64_t line_offset(int array, std::int64_t line) const {
    return offset_over(count - 1, array, line);
  }

 private:
  ISOFOLD_DEVICE std::int64_t offset_over(int dimensions, int array, std::int64_t index) const {
    std::int64_t offset = 0;
    for (int d = dimensions - 1; d > 0; --d) {
      const std::int64_t outer = by[d].divide(index);
      offset += (index - outer * extents[d]) * strides[array][d];
      index = outer;
    }
    return offset + index * strides[array][0];
  }
};

// The places of a chunk's elements that lie a step apart, in one stretch or in stretches that
// follow one another along the next axis of a box: few instructions each, no division, and no
// product of 64 bits. So a chunk spans less than 2^31 bytes (Axes::is_near()).
template <int arrays>
class Cursor {
 public:
  Cursor() = default;
  // One stretch: the elements from number `begin` of a row on, `step` bytes apart.
  ISOFOLD_DEVICE Cursor(const std::int64_t (&step)[arrays], std::int64_t begin) {
    for (int a = 0; a < arrays; ++a) {
      step_[a] = static_cast<std::int32_t>(step[a]);
      start_[a] = begin * step[a];
    }
  }
  // The elements of a box with two axes or more, of so many bytes each, counted from its first one.
  ISOFOLD_DEVICE Cursor(const Axes& axes, std::int64_t begin, int bytes)
      : reciprocal_(axes.reciprocal) {
    const int inner = axes.count - 1;
    const std::int64_t extent = axes.extents[inner];
    const std::int64_t outer = axes.by[inner].divide(begin);
    const std::int64_t before = begin - outer * extent;  // in the stretch that `begin` is in
    covered_ = at_most_chunk(extent - before);
    if (reciprocal_ != 0) {
      const std::int64_t lines = axes.extents[inner - 1];
      const std::int64_t line =
          inner == 1 ? outer : outer - axes.by[inner - 1].divide(outer) * lines;
      before_ = static_cast<std::int32_t>(before);
      extent_ = static_cast<std::int32_t>(extent);
      covered_ = at_most_chunk(covered_ + at_most_chunk(lines - line - 1) * extent);
    }
    for (int a = 0; a < arrays; ++a) {
      step_[a] = static_cast<std::int32_t>(axes.strides[a][inner] * bytes);
      line_[a] = static_cast<std::int32_t>(axes.strides[a][inner - 1] * bytes);
      start_[a] = axes.offset(a, begin) * bytes - std::int64_t{before_} * step_[a];
    }
  }

  // This tells whether all of `count` <= 1024 elements are in those stretches.
  ISOFOLD_DEVICE bool covers(int count) const { return count <= covered_; }
  ISOFOLD_DEVICE bool is_one_stretch() const { return reciprocal_ == 0; }

  // Bytes from an element to the next one of its stretch.
  ISOFOLD_DEVICE int step(int array) const { return step_[array]; }
  // Bytes from the row's first element to element i of the chunk, if covers(i + 1).
  ISOFOLD_DEVICE std::int64_t offset_in_stretch(int array, int i) const {
    return start_[array] + i * step_[array];
  }
  ISOFOLD_DEVICE std::int64_t offset(int array, int i) const {
    const int at = i + before_;
    const auto line = static_cast<std::int32_t>(
        (static_cast<std::uint64_t>(static_cast<std::uint32_t>(at)) * reciprocal_) >> 32);
    return start_[array] + (line * line_[array] + (at - line * extent_) * step_[array]);
  }

 private:
  ISOFOLD_DEVICE static int at_most_chunk(std::int64_t count) {
    return count < core::chunk_elements ? static_cast<int>(count) : core::chunk_elements;
  }

  // The beginning of the stretch that holds the first element; if there is one stretch alone, the
  // place of the element.
  std::int64_t start_[arrays]{};
  std::int32_t step_[arrays]{};
  std::int32_t line_[arrays]{};  // from one stretch to the next
  std::int32_t before_ = 0;      // elements of the stretch before the first
  std::int32_t extent_ = 1;      // of a stretch
  int covered_ = core::chunk_elements;
  std::uint32_t reciprocal_ = 0;  // of the extent; 0: one stretch
};

// The shares that threads, warps and blocks have of rows; its plan fills it.
struct Sharing {
  int shift = 0;           // a row has 2^shift threads of a warp
  int block_shift = 0;     // a block 2^block_shift warps; ragged: one that has tiles of the list
  int warps_shift = 0;     // of which 2^warps_shift neighbours share a row, each with a tile of it
  int tile_shift = 0;      // a warp's tile has 2^tile_shift chunks
  std::int64_t tiles = 1;  // of a row, each of as many warps; more than one: blocks share it
  Divisor by_tiles;        // integer divisions are long, on AMD's GPUs in floating point
  std::int64_t sets = 1;   // a set is the rows of a block
  std::int64_t longest = 0;  // ragged: longer rows get a warp
  std::int64_t room = 0;     // ragged: for so many tiles of rows that blocks share
  int list_shift = 0;        // of these a warp has 2^list_shift chunks at most
  bool tabled = false;       // elements are where a table says, not a step apart
  // Even rows: a warp's tile is a chunk, and a second launch folds the nodes. Warps side by side
  // have chunks of slabs side by side.
  bool by_chunks = false;
  std::int64_t slabs = 1;
  std::int64_t slab_chunks = 0;  // of each, rounded down
  Divisor by_slabs;

  // The tile that comes as number n of a row's: the first of each slab, the second ones, ...
  ISOFOLD_DEVICE std::int64_t tile_of(std::int64_t n) const {
    const std::int64_t round = by_slabs.divide(n);
    const std::int64_t slab = n - round * slabs;
    const std::int64_t longer = tiles - slab_chunks * slabs;  // the first slabs have one more
    return slab * slab_chunks + (slab < longer ? slab : longer) + round;
  }
};
inline constexpr int strided_few_sharers = 2;  // 2^2 of them
inline constexpr int strided_tile_shift = 4;   // at most; longer ragged rows are shared by blocks

// A run of so many elements is worth a search for it (strided_runs.hpp): a row of lanes then meets
// the end of one at most.
inline constexpr int least_run = core::lanes;

// The cut of columns under a mask (masked_columns_per_block.hpp, masked_columns_per_thread.hpp,
// mask_to_bits_of_columns.hpp).
struct MaskedColumnCut {
  // Neighbours.
  struct Tile {
    std::int64_t first;
    int columns;
  };
  std::int64_t side_by_side = 1;  // columns
  std::int64_t tiles = 1;         // of these
  Divisor by_tiles;
  std::int64_t units = 0;  // tiles in all

  MaskedColumnCut() = default;
  MaskedColumnCut(std::int64_t rows, std::int64_t neighbours, int columns_of_tile)
      : side_by_side(neighbours),
        tiles((neighbours + columns_of_tile - 1) / columns_of_tile),
        by_tiles(tiles),
        units(rows / neighbours * tiles) {}

  ISOFOLD_DEVICE Tile tile(std::int64_t unit, int most_columns) const {
    const std::int64_t line = by_tiles.divide(unit);
    const std::int64_t begin = (unit - line * tiles) * most_columns;
    const std::int64_t left = side_by_side - begin;
    return {line * side_by_side + begin,
            left < most_columns ? static_cast<int>(left) : most_columns};
  }
};

// The cut of short slabs (transposed_short.hpp); its plan fills it.
struct ShortSlabCut {
  std::int64_t length = 1;  // elements of a slab
  Divisor by_length;
  int mixed_bits = 31;      // of an element's place in shared memory: 31, or 0
  int chunks = 1;           // of a range: a block's
  std::int64_t ranges = 1;  // of a row
  Divisor by_ranges;
  std::int64_t nodes = 1;  // of a row: its chunks
  std::int64_t units = 0;  // ranges in all
};

// The cut of long slabs (transposed_long.hpp); its plan fills it.
struct LongSlabCut {
  std::int64_t length = 1;      // elements of a slab
  std::int64_t neighbours = 1;  // slabs side by side,
  std::int64_t sides = 1;       // so often in a row
  std::int64_t lines = 1;       // of neighbours: each a block's
  std::int64_t ranges = 1;      // of a slab: each a block's
  std::int64_t chunks = 1;      // that begin in a range, at most
  std::int64_t nodes = 1;       // of a row: its chunks
  std::int64_t units = 0;       // in all: a line's range
  Divisor by_sides;
  Divisor by_lines;
  Divisor by_ranges;
};

// The cut of few columns into tiles, a block each; its plan fills it.
struct FewColumns {
  int columns = 1;               // of a set: neighbouring rows, no more than a block has threads
  std::uint32_t reciprocal = 0;  // 2^20 over that, rounded up
  int join_shift = 0;            // 2^join_shift threads join the lanes of one
  int chunks_shift = 0;          // a tile has 2^chunks_shift chunks
  bool tabled = false;           // as in Sharing
  std::int64_t sets = 1;
  std::int64_t tiles = 1;  // of each set
  Divisor by_tiles;

  // The cut for blocks of so many threads, no fewer than columns, in waves of such a width.
  FewColumns(int of_set, int threads, int wave_width)
      : columns(of_set), reciprocal((1U << 20) / static_cast<std::uint32_t>(of_set) + 1) {
    while (columns << (join_shift + 1) <= threads && 1 << (join_shift + 1) <= wave_width) {
      ++join_shift;
    }
  }

  // number / columns, exactly: below 2^12 the product is too large by less than 1 / columns.
  ISOFOLD_DEVICE int lane_of(int number) const {
    return static_cast<int>((static_cast<std::uint32_t>(number) * reciprocal) >> 20);
  }
};
inline constexpr int most_few_columns = 63;
static_assert(core::lanes * most_few_columns <= 1 << 12, "FewColumns::lane_of() is exact.");
inline constexpr int few_columns_chunks_shift = 4;  // at most

// The faults that a kernel found in the caller's index lists, in memory that the host reads too.
struct Fault {
  std::uint32_t found;  // how many
  std::int32_t shape;   // of the request
  std::int64_t entry;   // of the first of them, its number in the list
  std::int64_t value;   // what is there
  bool is_beyond;       // of concatenated arrays: with it they have more elements than there may be
};

template <class Group>
ISOFOLD_DEVICE void complain(const Group& group, Fault* fault, std::int32_t shape,
                             std::int64_t entry, std::int64_t value, bool is_beyond = false) {
  if (group.arrive(&fault->found) == 0) {
    fault->shape = shape;
    fault->entry = entry;
    fault->value = value;
    fault->is_beyond = is_beyond;
  }
}

// A row: its first elements, and where in its arrays or lists it begins.
template <class Fold>
struct StridedRow {
  core::Elements<Fold> data;
  std::int64_t first[Fold::arrays];  // offset of its first element
  std::int64_t length;
};

// The shape of a request, for kernels.
struct Places {
  std::int32_t shape = 0;
  bool wide_indices = false;  // of 64 bits
  bool cursor_reaches = false;
  Axes kept;
  Axes reduced;
  const void* begins = nullptr;  // of segments,
  const void* ends = nullptr;    // each row's; of a batch its lengths
  const void* indices = nullptr;
  bool counted = false;  // segments: row r begins at r * stride, both lists are its counts
  std::int64_t stride = 0;
  std::int64_t most = INT64_MAX;      // a count
  std::int64_t elements = INT64_MAX;  // that lie at data
  Fault* fault = nullptr;             // null: lists are trusted

  ISOFOLD_HOST_DEVICE bool is_ragged() const {
    return shape == ISOFOLD_SHAPE_segments || shape == ISOFOLD_SHAPE_batch;
  }

  template <class Group>
  ISOFOLD_DEVICE std::int64_t entry(const Group& group, const void* list, std::int64_t i) const {
    return wide_indices
               ? group.template load<std::int64_t, 1>(static_cast<const std::int64_t*>(list) + i)
                     .value[0]
               : group.template load<std::int32_t, 1>(static_cast<const std::int32_t*>(list) + i)
                     .value[0];
  }

  template <class Group>
  ISOFOLD_DEVICE void complain(const Group& group, std::int64_t number, std::int64_t value) const {
    gpu::complain(group, fault, shape, number, value);
  }

  // Row `number` of the request; its length is `length`, except for ragged rows. If several threads
  // ask for one row, only the one that `tells` reports its faults.
  template <class Fold, class Group>
  ISOFOLD_DEVICE StridedRow<Fold> row(const Group& group, const core::Elements<Fold>& data,
                                      std::int64_t length, std::int64_t number,
                                      bool tells = true) const {
    StridedRow<Fold> row{data, {}, length};
    if (shape == ISOFOLD_SHAPE_box) {
      for (int a = 0; a < Fold::arrays; ++a) {
        row.first[a] = kept.offset(a, number);
      }
    } else if (shape == ISOFOLD_SHAPE_segments) {
      std::int64_t begin = entry(group, begins, number);
      std::int64_t end = entry(group, ends, number);
      bool too_many = false;
      if (counted) {  // behind the loads, which so travel together
        begin = number * stride;
        too_many = end > most;
        end += begin;
      }
      for (int a = 0; a < Fold::arrays; ++a) {
        row.first[a] = begin;
      }
      row.length = end - begin;
      if (fault != nullptr && (begin < 0 || end < begin || end > elements || too_many)) {
        if (tells) {
          complain(group, number, begin < 0 || end < begin ? begin : end);
        }
        row.length = 0;
      }
    } else if (shape == ISOFOLD_SHAPE_batch) {
      using Pointer = const typename Fold::element_type*;
      static_assert(sizeof(Pointer) == 8, "Pointers of a batch are loaded as words of 8 bytes.");
      const auto array = [&](const typename Fold::element_type* list) {
        return group.template load<Pointer, 1>(reinterpret_cast<const Pointer*>(list) + number)
            .value[0];
      };
      row.data.data = array(data.data);
      if constexpr (Fold::arrays == 2) {
        row.data.second = array(data.second);
      }
      row.length = entry(group, ends, number);
      const bool nowhere =
          row.data.data == nullptr || (Fold::arrays == 2 && row.data.second == nullptr);
      if (fault != nullptr && (row.length < 0 || (row.length > 0 && nowhere))) {
        if (tells) {
          complain(group, number, row.length);
        }
        row.length = 0;
      }
    }
    return row;
  }

  // This tells whether elements need not be looked up, except for the odd chunk of a box of several
  // axes.
  ISOFOLD_HOST_DEVICE bool has_cursor() const { return cursor_reaches; }
  bool needs_table() const { return !cursor_reaches || reduced.count > 1; }
  // The elements of a row from `begin` on, counted from its first; the row has a cursor.
  template <int arrays>
  ISOFOLD_DEVICE Cursor<arrays> cursor(std::int64_t begin, int bytes) const {
    if (reduced.count > 1) {
      return Cursor<arrays>(reduced, begin, bytes);
    }
    std::int64_t step[arrays];
    for (int a = 0; a < arrays; ++a) {
      step[a] = (shape == ISOFOLD_SHAPE_box ? reduced.strides[a][0] : 1) * bytes;
    }
    return Cursor<arrays>(step, begin);
  }

  // Writes the places of the elements [begin, begin + count) of a row, counted from its beginning,
  // to table[array * 1024 + i]. All rows have one such table. Collective: every lane of the warp,
  // or every thread of the block, must call; they share the work.
  template <int arrays, bool by_block, class Group>
  ISOFOLD_DEVICE void write_table(const Group& group, std::int64_t begin, int count,
                                  std::int64_t* table) const {
    const int thread = by_block ? group.thread() : group.thread() % Group::wave_width;
    const int threads = by_block ? group.threads() : Group::wave_width;
    if (shape == ISOFOLD_SHAPE_gather) {
#pragma unroll 8
      for (int i = thread; i < count; i += threads) {
        table[i] = index(group, begin + i);
        table[(arrays - 1) * core::chunk_elements + i] = table[i];
      }
    } else {
#pragma unroll 1
      for (int i = thread; i < count; i += threads) {
        for (int a = 0; a < arrays; ++a) {
          table[a * core::chunk_elements + i] = reduced.offset(a, begin + i);
        }
      }
    }
  }

  // Index `i` of a gather, which is inside the data.
  template <class Group>
  ISOFOLD_DEVICE std::int64_t index(const Group& group, std::int64_t i) const {
    const std::int64_t found = entry(group, indices, i);
    if (fault != nullptr && (found < 0 || found >= elements)) {
      complain(group, i, found);
      return 0;
    }
    return found;
  }
};

}  // namespace isofold::gpu
