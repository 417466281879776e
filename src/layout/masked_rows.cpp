// Boxes under a mask, counted block by block.
#include <layout/masked_rows.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>

#include <isofold/detail/core/tree.hpp>
#include <layout/pack_selected.hpp>
#include <layout/words.hpp>

namespace isofold_packed {
namespace {

constexpr int mask_number = 2;  // among the dimensions of arrays

// A block of the mask is counted once, and read again for the elements that it selects (elements()
// reads it for each piece that begins in it).
constexpr int mask_block = 4096;

// The distances of a mask's entries, in each dimension of a box that has elements.
struct MaskStrides {
  std::int64_t strides[ISOFOLD_MOST_DIMENSIONS];

  explicit MaskStrides(const isofold_layout& layout) {
    std::int64_t packed = 1;
    for (int d = layout.dimensions - 1; d >= 0; --d) {
      strides[d] = layout.mask_type == ISOFOLD_MASK_strided_bytes ? layout.mask_strides[d] : packed;
      packed *= layout.extents[d];
    }
  }
};

// The entries of the elements [first, first + count) of a row.
MaskWords<mask_block> read_mask(const isofold_layout& layout, const Dimensions& dimensions,
                                std::int64_t base, std::int64_t first, std::int64_t count) {
  const auto* mask = static_cast<const unsigned char*>(layout.mask);
  MaskWords<mask_block> words;
  dimensions.for_runs(first, count,
                      [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
                        if (layout.mask_type == ISOFOLD_MASK_bits) {
                          words.append_bits(mask, base + offset, stride, run);
                        } else {
                          words.append_bytes(mask + base + offset, stride, run);
                        }
                      });
  return words;
}

// The number, in their block, of the entry before which `index` others are set, and which is.
std::int64_t place_in_block(MaskWords<mask_block> words, std::int64_t index) {
  words.keep(index, 1);
  int word = 0;
  while (words.ones(word) == 0) {
    word += 64;
  }
  return word + __builtin_ctzll(words.entries(word, 64));
}

}  // namespace

MaskedRows::MaskedRows(const RowsOf& of) : PackedRows(of) {
  // Extents and strides of a box without elements may be anything: they are left alone.
  if (request_.rows != 0 && request_.length != 0) {
    const MaskStrides of_mask(layout_);
    const std::int64_t* const strides[] = {layout_.strides, layout_.second_strides,
                                           of_mask.strides};
    for (int which = 0; which <= mask_number; ++which) {
      kept_[which] = Dimensions(layout_, layout_.kept, strides[which]);
      reduced_[which] = Dimensions(layout_, ~layout_.kept, strides[which]);
    }
  }
  count_mask(of.in_parts);
}

void MaskedRows::count_mask(const isofold::InParts& in_parts) {
  const std::int64_t n = request_.length;
  const std::int64_t blocks = n / mask_block + (n % mask_block != 0);
  blocks_a_row_ = blocks;
  taken_before_.resize(static_cast<std::size_t>(request_.rows * (blocks + 1)));
  // Each block's count stands behind it at first; then the sum of all up to it.
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

std::int64_t MaskedRows::block_of(std::int64_t row, std::int64_t first) const {
  // The answer is the last block before which no more than `first` elements are selected.
  const std::int64_t* const begin = taken_before(row);
  return std::upper_bound(begin, begin + blocks_a_row_, first) - 1 - begin;
}

std::int64_t MaskedRows::index_in_array(std::int64_t row, std::int64_t index) const {
  const std::int64_t block = block_of(row, index);
  const std::int64_t first = block * mask_block;
  const std::int64_t here = std::min<std::int64_t>(mask_block, request_.length - first);
  return first + place_in_block(read_mask(layout_, reduced_[mask_number],
                                          kept_[mask_number].offset(row), first, here),
                                index - taken_before(row)[block]);
}

const void* MaskedRows::elements(int which, std::int64_t row, std::int64_t first,
                                 std::int64_t count, void* room) const {
  const std::int64_t base = kept_[which].offset(row);
  const std::int64_t mask_base = kept_[mask_number].offset(row);
  const std::int64_t block = block_of(row, first);
  std::int64_t skip = first - taken_before(row)[block];
  isofold::with_word(element_bytes_, element_alignment_, [&](auto* word) {
    using Word = std::remove_pointer_t<decltype(word)>;
    const Word* const from = static_cast<const Word*>(array(which)) + base;
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

void MaskedRows::for_taken_chunks(std::int64_t row, std::int64_t first, std::int64_t count,
                                  const TakenChunks& chunks) const {
  isofold::with_word(element_bytes_, element_alignment_, [&](auto* word) {
    pack_chunks<std::remove_pointer_t<decltype(word)>>(row, first, count, chunks);
  });
}

template <class Word>
void MaskedRows::pack_chunks(std::int64_t row, std::int64_t first, std::int64_t count,
                             const TakenChunks& chunks) const {
  constexpr int whole = isofold::core::chunk_elements;
  static_assert(taken_room >= whole + 64, "The entries of a word may go beyond a chunk.");
  const int arrays = request_.second != nullptr ? 2 : 1;
  const std::int64_t mask_base = kept_[mask_number].offset(row);
  const Word* data[2]{};
  for (int which = 0; which < arrays; ++which) {
    data[which] = static_cast<const Word*>(array(which)) + kept_[which].offset(row);
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

void read_entries(const isofold_layout& layout, std::int64_t first, std::int64_t count,
                  unsigned char* entries) {
  const auto* const mask = static_cast<const unsigned char*>(layout.mask);
  Dimensions(layout, ~0U, MaskStrides(layout).strides)
      .for_runs(first, count, [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
        for (std::int64_t i = offset; run > 0; --run, i += stride) {
          const int entry =
              layout.mask_type == ISOFOLD_MASK_bits ? mask[i / 8] >> i % 8 & 1 : mask[i];
          *entries++ = entry != 0 ? 1 : 0;
        }
      });
}

std::int64_t number_of_taken(const isofold_request& request, std::int64_t row, std::int64_t index) {
  const isofold_layout& layout = *request.layout;
  const MaskStrides of_mask(layout);
  const Dimensions reduced(layout, ~layout.kept, of_mask.strides);
  const std::int64_t base = Dimensions(layout, layout.kept, of_mask.strides).offset(row);
  for (std::int64_t first = 0; first < request.length; first += mask_block) {
    const std::int64_t here = std::min<std::int64_t>(mask_block, request.length - first);
    const MaskWords<mask_block> words = read_mask(layout, reduced, base, first, here);
    const std::int64_t taken = words.count();
    if (index < taken) {
      return first + place_in_block(words, index);
    }
    index -= taken;
  }
  return request.length;
}

}  // namespace isofold_packed
