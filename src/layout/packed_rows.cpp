// Packing: stretches of memory copied one after the other, and masks counted block by block.
#include <isofold/detail/core/complex.hpp>
#include <isofold/detail/core/tree.hpp>
#include <layout/pack_selected.hpp>
#include <layout/packed_rows.hpp>
#include <layout/turn.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>

namespace isofold_packed {
namespace {

// Calls visit(static_cast<Word*>(nullptr)) with a type of so many bytes, of that alignment: complex
// elements are aligned as their parts are.
template <class Visit>
void with_word(std::int64_t bytes, std::int64_t alignment, Visit&& visit) {
  switch (bytes) {
    case 1: return visit(static_cast<std::uint8_t*>(nullptr));
    case 2: return visit(static_cast<std::uint16_t*>(nullptr));
    case 4: return visit(static_cast<std::uint32_t*>(nullptr));
    case 16: return visit(static_cast<isofold::core::Complex<std::uint64_t>*>(nullptr));
    default:
      return alignment == 4 ? visit(static_cast<isofold::core::Complex<std::uint32_t>*>(nullptr))
                            : visit(static_cast<std::uint64_t*>(nullptr));
  }
}

// Calls visit(indices, as the type they have).
template <class Visit>
void with_indices(const isofold_layout& layout, const void* indices, Visit&& visit) {
  if (layout.index_type == ISOFOLD_TYPE_i32) {
    visit(static_cast<const std::int32_t*>(indices));
  } else {
    visit(static_cast<const std::int64_t*>(indices));
  }
}

std::int64_t index_at(const isofold_layout& layout, const void* indices, std::int64_t i) {
  std::int64_t index = 0;
  with_indices(layout, indices, [&](const auto* all) { index = all[i]; });
  return index;
}

template <class Word>
Word* copy_run(const Word* from, std::int64_t stride, std::int64_t count, Word* to) {
  if (stride == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(Word));
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      to[i] = from[i * stride];
    }
  }
  return to + count;
}

// Where each of some columns goes, which moves on.
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

// `count` elements, of whose indices there are `all`. What asking costs is the instruction, so one
// index of eight is asked for: of indices in order those are on most of the lines that are read.
template <class Word, class Index>
void gather(const Word* from, const Index* index, std::int64_t count, std::int64_t all, Word* to) {
  constexpr std::int64_t ahead = 256;
  constexpr std::int64_t at_once = 8;
  std::int64_t i = 0;
  if (asking_pays()) {
    const std::int64_t end = std::min(count, all - ahead);
    for (; i + at_once <= end; i += at_once) {
      __builtin_prefetch(from + index[i + ahead]);
      for (std::int64_t k = i; k < i + at_once; ++k) {
        to[k] = from[index[k]];
      }
    }
  }
  for (; i < count; ++i) {
    to[i] = from[index[i]];
  }
}

constexpr int mask_number = 2;  // among the dimensions of arrays

// A block of the mask is counted once, and read again for what is taken (elements(): for each piece
// that begins in it).
constexpr int mask_block = 4096;

const void* array_of(const isofold_request& request, int which) {
  return which == 0 ? request.data : request.second;
}

}  // namespace

Dimensions::Dimensions(const isofold_layout& layout, std::uint32_t chosen,
                       const std::int64_t* strides) {
  for (int d = 0; d < layout.dimensions; ++d) {
    const std::int64_t extent = layout.extents[d];
    if ((chosen >> d & 1U) == 0 || extent == 1) {
      continue;
    }
    // Extents and strides of a box without elements may be anything.
    std::int64_t span = 0;
    std::int64_t both = 0;
    if (size_ > 0 && !__builtin_mul_overflow(extent, strides[d], &span) &&
        strides_[size_ - 1] == span &&
        !__builtin_mul_overflow(extents_[size_ - 1], extent, &both)) {
      extents_[size_ - 1] = both;
      strides_[size_ - 1] = strides[d];
    } else {
      extents_[size_] = extent;
      strides_[size_] = strides[d];
      ++size_;
    }
  }
}

std::int64_t Dimensions::offset(std::int64_t index) const {
  std::int64_t offset = 0;
  for (int d = size_ - 1; d >= 0; --d) {
    offset += index % extents_[d] * strides_[d];
    index /= extents_[d];
  }
  return offset;
}

template <class Run>
void Dimensions::for_runs(std::int64_t first, std::int64_t count, Run&& run) const {
  if (size_ == 0) {
    run(std::int64_t{0}, std::int64_t{1}, count);
    return;
  }
  const int inner = size_ - 1;
  std::int64_t at[ISOFOLD_MOST_DIMENSIONS];
  std::int64_t offset = 0;
  for (int d = inner; d >= 0; --d) {
    at[d] = first % extents_[d];
    first /= extents_[d];
    offset += at[d] * strides_[d];
  }
  while (count > 0) {
    const std::int64_t here = std::min(count, extents_[inner] - at[inner]);
    run(offset, strides_[inner], here);
    count -= here;
    offset += here * strides_[inner];
    at[inner] += here;
    for (int d = inner; d > 0 && at[d] == extents_[d]; --d) {
      offset += strides_[d - 1] - extents_[d] * strides_[d];
      at[d] = 0;
      ++at[d - 1];
    }
  }
}

PackedRows::PackedRows(const isofold_request& request, std::int64_t element_bytes,
                       std::int64_t element_alignment, const isofold::InParts& in_parts)
    : request_(request),
      layout_(*request.layout),
      element_bytes_(element_bytes),
      element_alignment_(element_alignment) {
  const auto set = [&](int which, const std::int64_t* strides) {
    kept_[which] = Dimensions(layout_, layout_.kept, strides);
    reduced_[which] = Dimensions(layout_, ~layout_.kept, strides);
  };
  if (request.shape == ISOFOLD_SHAPE_box) {
    // Extents and strides of a box without elements may be anything: they are left alone.
    const bool is_empty = request.rows == 0 || request.length == 0;
    if (!is_empty) {
      set(0, layout_.strides);
      set(1, layout_.second_strides);
    }
    if (layout_.mask != nullptr) {
      std::int64_t strides[ISOFOLD_MOST_DIMENSIONS];
      std::int64_t stride = 1;
      for (int d = layout_.dimensions - 1; !is_empty && d >= 0; --d) {
        strides[d] = stride;
        stride *= layout_.extents[d];
      }
      if (!is_empty) {
        set(mask_number, strides);
      }
      count_mask(in_parts);
    }
  } else if (request.shape == ISOFOLD_SHAPE_joined) {
    count_joined();
  }
}

std::int64_t PackedRows::elements() const {
  switch (request_.shape) {
    case ISOFOLD_SHAPE_segments:
      if (layout_.ends == nullptr && request_.rows > 0) {
        return index_at(layout_, layout_.begins, request_.rows) -
               index_at(layout_, layout_.begins, 0);
      }
      break;
    case ISOFOLD_SHAPE_batch:
    case ISOFOLD_SHAPE_joined: break;
    default: return request_.rows * request_.length;
  }
  std::int64_t sum = 0;
  for (std::int64_t row = 0; row < request_.rows; ++row) {
    sum += length(row);
  }
  return sum;
}

std::int64_t PackedRows::length(std::int64_t row) const {
  switch (request_.shape) {
    case ISOFOLD_SHAPE_segments:
      if (layout_.begins == nullptr) {
        return index_at(layout_, layout_.ends, row);
      }
      return layout_.ends != nullptr
                 ? index_at(layout_, layout_.ends, row) - index_at(layout_, layout_.begins, row)
                 : index_at(layout_, layout_.begins, row + 1) -
                       index_at(layout_, layout_.begins, row);
    case ISOFOLD_SHAPE_batch: return index_at(layout_, layout_.ends, row);
    case ISOFOLD_SHAPE_joined: return joined_before_.back();
    case ISOFOLD_SHAPE_box:
      if (layout_.mask != nullptr) {
        return taken_before(row)[blocks_a_row_];
      }
      break;
    default: break;
  }
  return request_.length;
}

const void* PackedRows::elements(int which, std::int64_t row, std::int64_t first,
                                 std::int64_t count, void* room) const {
  const auto* data = static_cast<const char*>(array_of(request_, which));
  switch (request_.shape) {
    case ISOFOLD_SHAPE_segments:
      return data + ((layout_.begins == nullptr ? row * request_.stride
                                                : index_at(layout_, layout_.begins, row)) +
                     first) *
                        element_bytes_;
    case ISOFOLD_SHAPE_batch:
      return static_cast<const char*>(reinterpret_cast<const void* const*>(data)[row]) +
             first * element_bytes_;
    case ISOFOLD_SHAPE_joined: return of_joined(which, first, count, room);
    case ISOFOLD_SHAPE_gather:
      with_word(element_bytes_, element_alignment_, [&](auto* word) {
        using Word = std::remove_pointer_t<decltype(word)>;
        with_indices(layout_, layout_.indices, [&](const auto* indices) {
          gather(reinterpret_cast<const Word*>(data), indices + first, count,
                 request_.length - first, static_cast<Word*>(room));
        });
      });
      return room;
    default:
      return layout_.mask != nullptr ? of_mask(which, row, first, count, room)
                                     : of_box(which, row, first, count, room);
  }
}

const void* PackedRows::of_box(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                               void* room) const {
  const std::int64_t base = kept_[which].offset(row);
  const Dimensions& reduced = reduced_[which];
  const auto* data = static_cast<const char*>(array_of(request_, which));
  if (reduced.is_contiguous()) {
    return data + (base + first) * element_bytes_;
  }
  with_word(element_bytes_, element_alignment_, [&](auto* word) {
    using Word = std::remove_pointer_t<decltype(word)>;
    const Word* const from = reinterpret_cast<const Word*>(data) + base;
    Word* to = static_cast<Word*>(room);
    reduced.for_runs(first, count, [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
      to = copy_run(from + offset, stride, run, to);
    });
  });
  return room;
}

bool PackedRows::lie_in_line() const {
  switch (request_.shape) {
    case ISOFOLD_SHAPE_segments:
    case ISOFOLD_SHAPE_batch: return true;
    case ISOFOLD_SHAPE_box:
      return layout_.mask == nullptr && reduced_[0].is_contiguous() &&
             (request_.second == nullptr || reduced_[1].is_contiguous());
    default: return false;
  }
}

Planes PackedRows::planes(std::int64_t row) const {
  constexpr Planes none{1, 0, {}};
  if (request_.shape != ISOFOLD_SHAPE_box || layout_.mask != nullptr) {
    return none;
  }
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

bool PackedRows::has_long_runs() const {
  constexpr std::int64_t long_run = 2 * isofold::core::lanes;
  return request_.shape == ISOFOLD_SHAPE_box && layout_.mask == nullptr &&
         reduced_[0].run() >= long_run &&
         (request_.second == nullptr || reduced_[1].run() >= long_run);
}

void PackedRows::lane_rows(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                           LaneRow* lanes) const {
  constexpr std::int64_t whole = isofold::core::lanes;
  const auto* const data = static_cast<const char*>(array_of(request_, which)) +
                           kept_[which].offset(row) * element_bytes_;
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

std::int64_t PackedRows::columns(std::int64_t row) const {
  if (request_.shape != ISOFOLD_SHAPE_box || layout_.mask != nullptr ||
      reduced_[0].is_contiguous()) {
    return 1;
  }
  const std::int64_t first = kept_[0].side_by_side(row);
  return request_.second == nullptr ? first : std::min(first, kept_[1].side_by_side(row));
}

void PackedRows::column_offsets(int which, std::int64_t first, std::int64_t count,
                                std::int64_t* offsets) const {
  reduced_[which].for_runs(first, count,
                           [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
                             for (std::int64_t i = 0; i < run; ++i) {
                               offsets[i] = offset + i * stride;
                             }
                             offsets += run;
                           });
}

void PackedRows::gather_columns(int which, std::int64_t row, int columns, std::int64_t first,
                                std::int64_t count, void* room, std::int64_t pitch) const {
  const std::int64_t base = kept_[which].offset(row);
  with_word(element_bytes_, element_alignment_, [&](auto* word) {
    using Word = std::remove_pointer_t<decltype(word)>;
    const Word* const from = static_cast<const Word*>(array_of(request_, which)) + base;
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

Slabs PackedRows::slabs() const {
  if (request_.shape != ISOFOLD_SHAPE_box || layout_.mask != nullptr) {
    return {0, 0};
  }
  // The arrays may be merged into dimensions differently: sides of fewer divide those of more.
  Slabs slabs = reduced_[0].slabs();
  if (request_.second != nullptr && slabs_lie_side_by_side(1)) {
    slabs.neighbours = std::min(slabs.neighbours, reduced_[1].slabs().neighbours);
  }
  return slabs;
}
bool PackedRows::slabs_lie_side_by_side(int which) const {
  return reduced_[which].slabs().length == reduced_[0].slabs().length;
}

void PackedRows::gather_slabs(int which, std::int64_t row, std::int64_t slab, int slabs,
                              std::int64_t first, std::int64_t count, void* const* rooms) const {
  const Dimensions& reduced = reduced_[which];
  const std::int64_t length = this->slabs().length;
  const bool side_by_side = slabs_lie_side_by_side(which);
  with_word(element_bytes_, element_alignment_, [&](auto* word) {
    using Word = std::remove_pointer_t<decltype(word)>;
    const Word* const data =
        static_cast<const Word*>(array_of(request_, which)) + kept_[which].offset(row);
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

namespace {

// The entries of the elements [first, first + count) of a row.
MaskWords<mask_block> read_mask(const isofold_layout& layout, const Dimensions& dimensions,
                                std::int64_t base, std::int64_t first, std::int64_t count) {
  const auto* mask = static_cast<const unsigned char*>(layout.mask);
  MaskWords<mask_block> words;
  dimensions.for_runs(first, count,
                      [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
                        if (layout.mask_type == ISOFOLD_MASK_bytes) {
                          words.append_bytes(mask + base + offset, stride, run);
                        } else {
                          words.append_bits(mask, base + offset, stride, run);
                        }
                      });
  return words;
}

}  // namespace

void PackedRows::count_mask(const isofold::InParts& in_parts) {
  const std::int64_t n = request_.length;
  const std::int64_t blocks = n / mask_block + (n % mask_block != 0);
  blocks_a_row_ = blocks;
  taken_before_.resize(static_cast<std::size_t>(request_.rows * (blocks + 1)));
  // Behind each block what it has; then, what all up to it have.
  in_parts(request_.rows * blocks, [&](std::int64_t unit, std::int64_t last) {
    for (; unit < last; ++unit) {
      const std::int64_t row = unit / blocks;
      const std::int64_t first = (unit - row * blocks) * mask_block;
      taken_before_[static_cast<std::size_t>(unit + row + 1)] =
          read_mask(layout_, reduced_[mask_number], kept_[mask_number].offset(row), first,
                    std::min<std::int64_t>(mask_block, n - first))
              .count();
    }
  });
  for (auto row = taken_before_.begin(); row != taken_before_.end(); row += blocks + 1) {
    std::partial_sum(row, row + blocks + 1, row);
  }
}

void PackedRows::count_joined() {
  joined_before_.resize(static_cast<std::size_t>(request_.length) + 1);
  with_indices(layout_, layout_.ends, [&](const auto* lengths) {
    for (std::size_t i = 0; i + 1 < joined_before_.size(); ++i) {
      joined_before_[i + 1] = joined_before_[i] + lengths[i];
    }
  });
}

// Where they lie, if one array has them all.
const void* PackedRows::of_joined(int which, std::int64_t first, std::int64_t count,
                                  void* room) const {
  const auto* const arrays = static_cast<const char* const*>(array_of(request_, which));
  // The last array that begins no later: the one that has the element, for it is not empty.
  const auto after = std::upper_bound(joined_before_.begin(), joined_before_.end(), first);
  auto i = static_cast<std::size_t>(after - joined_before_.begin()) - 1;
  const char* from = arrays[i] + (first - joined_before_[i]) * element_bytes_;
  const std::int64_t here = joined_before_[i + 1] - first;
  if (here >= count) {
    return from;
  }
  char* to = copy_run(from, 1, here * element_bytes_, static_cast<char*>(room));
  for (std::int64_t left = count - here; left > 0;) {
    ++i;
    const std::int64_t run = std::min(left, joined_before_[i + 1] - joined_before_[i]);
    to = run == 0 ? to : copy_run(arrays[i], 1, run * element_bytes_, to);
    left -= run;
  }
  return room;
}

std::int64_t PackedRows::block_of(std::int64_t row, std::int64_t first) const {
  // The last one before which no more than `first` are taken.
  const std::int64_t* const begin = taken_before(row);
  return std::upper_bound(begin, begin + blocks_a_row_, first) - 1 - begin;
}

const void* PackedRows::of_mask(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                                void* room) const {
  const std::int64_t base = kept_[which].offset(row);
  const std::int64_t mask_base = kept_[mask_number].offset(row);
  const std::int64_t block = block_of(row, first);
  std::int64_t skip = first - taken_before(row)[block];
  with_word(element_bytes_, element_alignment_, [&](auto* word) {
    using Word = std::remove_pointer_t<decltype(word)>;
    const Word* const from = static_cast<const Word*>(array_of(request_, which)) + base;
    Word* to = static_cast<Word*>(room);
    const Word* const end = to + count;
    for (std::int64_t at = block * mask_block; to < end; at += mask_block, skip = 0) {
      const std::int64_t here = std::min<std::int64_t>(mask_block, request_.length - at);
      MaskWords<mask_block> mask = read_mask(layout_, reduced_[mask_number], mask_base, at, here);
      mask.keep(skip, end - to);
      int i = 0;
      reduced_[which].for_runs(at, here,
                               [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
                                 to = pack_taken(mask, i, run, from + offset, stride, to);
                                 i += static_cast<int>(run);
                               });
    }
  });
  return room;
}

void PackedRows::for_taken_chunks(std::int64_t row, std::int64_t first, std::int64_t count,
                                  const TakenChunks& chunks) const {
  with_word(element_bytes_, element_alignment_, [&](auto* word) {
    pack_chunks<std::remove_pointer_t<decltype(word)>>(row, first, count, chunks);
  });
}

template <class Word>
void PackedRows::pack_chunks(std::int64_t row, std::int64_t first, std::int64_t count,
                             const TakenChunks& chunks) const {
  constexpr int whole = isofold::core::chunk_elements;
  static_assert(taken_room >= whole + 64, "The entries of a word may go beyond a chunk.");
  const int arrays = request_.second != nullptr ? 2 : 1;
  const std::int64_t mask_base = kept_[mask_number].offset(row);
  const Word* data[2]{};
  for (int which = 0; which < arrays; ++which) {
    data[which] = static_cast<const Word*>(array_of(request_, which)) + kept_[which].offset(row);
  }
  int filled = 0;  // of the rooms
  for (std::int64_t block = block_of(row, first); filled < count; ++block) {
    const std::int64_t before = taken_before(row)[block];
    const std::int64_t after = taken_before(row)[block + 1];
    if (before == after) {
      continue;
    }
    const std::int64_t at = block * mask_block;
    const std::int64_t here = std::min<std::int64_t>(mask_block, request_.length - at);
    MaskWords<mask_block> mask = read_mask(layout_, reduced_[mask_number], mask_base, at, here);
    const std::int64_t skip = std::max<std::int64_t>(first - before, 0);
    if (skip > 0 || after - before > count - filled) {
      mask.keep(skip, count - filled);
    }
    for (std::int64_t begin = 0, end = 0; begin < here; begin = end) {
      int taken = 0;
      for (; end < here && filled + taken < whole; end += 64) {
        taken += mask.ones(static_cast<int>(end));
      }
      for (int which = 0; taken > 0 && which < arrays; ++which) {
        Word* to = static_cast<Word*>(chunks.room[which]) + filled;
        auto i = static_cast<int>(begin);
        reduced_[which].for_runs(at + begin, std::min(end, here) - begin,
                                 [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
                                   to = pack_taken(mask, i, run, data[which] + offset, stride, to);
                                   i += static_cast<int>(run);
                                 });
      }
      filled += taken;
      if (filled >= whole) {
        chunks.use(chunks.context, whole);
        filled -= whole;
        count -= whole;
        for (int which = 0; which < arrays; ++which) {
          Word* const room = static_cast<Word*>(chunks.room[which]);
          std::memcpy(room, room + whole, static_cast<std::size_t>(filled) * sizeof(Word));
        }
      }
    }
  }
  if (filled > 0) {
    chunks.use(chunks.context, filled);
  }
}

std::int64_t length_of(const PackedRows& rows, std::int64_t row) { return rows.length(row); }
std::int64_t row_offset(const PackedRows& rows, int which, std::int64_t row) {
  return rows.row_offset(which, row);
}
void column_offsets(const PackedRows& rows, int which, std::int64_t first, std::int64_t count,
                    std::int64_t* offsets) {
  rows.column_offsets(which, first, count, offsets);
}
bool has_mask(const PackedRows& rows) { return rows.has_mask(); }
void for_taken_chunks(const PackedRows& rows, std::int64_t row, std::int64_t first,
                      std::int64_t count, const TakenChunks& chunks) {
  rows.for_taken_chunks(row, first, count, chunks);
}
bool lie_in_line(const PackedRows& rows) { return rows.lie_in_line(); }
bool has_long_runs(const PackedRows& rows) { return rows.has_long_runs(); }
Planes planes_of(const PackedRows& rows, std::int64_t row) { return rows.planes(row); }
void lane_rows(const PackedRows& rows, int which, std::int64_t row, std::int64_t first,
               std::int64_t count, LaneRow* lanes) {
  rows.lane_rows(which, row, first, count, lanes);
}
std::int64_t columns_of(const PackedRows& rows, std::int64_t row) { return rows.columns(row); }
void gather_columns(const PackedRows& rows, int which, std::int64_t row, int columns,
                    std::int64_t first, std::int64_t count, void* room, std::int64_t pitch) {
  rows.gather_columns(which, row, columns, first, count, room, pitch);
}
Slabs slabs_of(const PackedRows& rows) { return rows.slabs(); }
bool slabs_lie_side_by_side(const PackedRows& rows, int which) {
  return rows.slabs_lie_side_by_side(which);
}
void gather_slabs(const PackedRows& rows, int which, std::int64_t row, std::int64_t slab, int slabs,
                  std::int64_t first, std::int64_t count, void* const* rooms) {
  rows.gather_slabs(which, row, slab, slabs, first, count, rooms);
}
const void* elements_of(const PackedRows& rows, int which, std::int64_t row, std::int64_t first,
                        std::int64_t count, void* room) {
  return rows.elements(which, row, first, count, room);
}

}  // namespace isofold_packed
