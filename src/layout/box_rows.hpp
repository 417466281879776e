// The rows of a box without a mask.
#pragma once

#include <layout/dimensions.hpp>
#include <layout/packed_rows.hpp>

namespace isofold_packed {

class BoxRows final : public PackedRows {
 public:
  explicit BoxRows(const RowsOf& of);

  using PackedRows::elements;
  const void* elements(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                       void* room) const override;
  bool lie_in_line() const override;
  bool has_long_runs() const override;
  void lane_rows(int which, std::int64_t row, std::int64_t first, std::int64_t count,
                 LaneRow* lanes) const override;
  Planes planes(std::int64_t row) const override;
  Slabs slabs() const override;
  bool slabs_lie_side_by_side(int which) const override;
  void gather_slabs(int which, std::int64_t row, std::int64_t slab, int slabs, std::int64_t first,
                    std::int64_t count, void* const* rooms) const override;
  std::int64_t columns(std::int64_t row) const override;
  std::int64_t row_offset(int which, std::int64_t row) const override {
    return kept_[which].offset(row);
  }
  void column_offsets(int which, std::int64_t first, std::int64_t count,
                      std::int64_t* offsets) const override;
  void gather_columns(int which, std::int64_t row, int columns, std::int64_t first,
                      std::int64_t count, void* room, std::int64_t pitch) const override;

 private:
  Dimensions kept_[2];  // of each array
  Dimensions reduced_[2];
};

}  // namespace isofold_packed
