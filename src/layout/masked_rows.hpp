// The rows of a box under a mask.
#pragma once

#include <cstdint>
#include <vector>

#include <layout/dimensions.hpp>
#include <layout/packed_rows.hpp>

namespace isofold_packed {

class MaskedRows final : public PackedRows {
 public:
  explicit MaskedRows(const RowsOf& of);

  std::int64_t length(std::int64_t row) const override { return taken_before(row)[blocks_a_row_]; }
  using PackedRows::elements;
  const void* elements(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                       void* room) const override;
  std::int64_t index_in_array(std::int64_t row, std::int64_t index) const override;
  bool has_mask() const override { return true; }
  void for_taken_chunks(std::int64_t row, std::int64_t first, std::int64_t count,
                        const TakenChunks& chunks) const override;

 private:
  // The block of the mask that has element number `first` of the selected ones.
  std::int64_t block_of(std::int64_t row, std::int64_t first) const;
  template <class Word>
  void pack_chunks(std::int64_t row, std::int64_t first, std::int64_t count,
                   const TakenChunks& chunks) const;
  void count_mask(const isofold::InParts& in_parts);
  const std::int64_t* taken_before(std::int64_t row) const {
    return taken_before_.data() + row * (blocks_a_row_ + 1);
  }

  Dimensions kept_[3];     // of each array, then of the mask
  Dimensions reduced_[3];  // likewise
  // The number of elements that are selected before each block of mask_block elements, row by row;
  // and all.
  std::vector<std::int64_t> taken_before_;
  std::int64_t blocks_a_row_ = 0;
};

// The number, among all elements of a row of a box, of element number `index` of those that the
// mask takes; the length of the row if it takes no more than `index`. It reads the mask of the row
// up to there.
std::int64_t number_of_taken(const isofold_request& request, std::int64_t row, std::int64_t index);

// Writes the entries [first, first + count) of a mask, numbered as the elements of its box are, as
// bytes of 0 and 1.
void read_entries(const isofold_layout& layout, std::int64_t first, std::int64_t count,
                  unsigned char* entries);

}  // namespace isofold_packed
