// Shapes with a layout: the questions that the library asks of each kind; a file beside this one
// answers for each. The front asks whether a request is right, a CPU backend asks for its rows
// (packed_rows.hpp).
#pragma once

#include <cstdint>

#include <backend/interface.hpp>
#include <layout/packed_rows.hpp>
#include <request/validate.hpp>

namespace isofold {

class Layout {
 public:
  // Validates counts, pointers and the layout itself, as validate_counts() does for arrays and
  // rows. It reads no data, and no index. Pointers are null where the question is about a later
  // call.
  virtual std::int32_t validate(const isofold_request& request, const CaseFacts& facts,
                                bool with_pointers, backend_interface::Report& report) const = 0;
  // Validates index arrays in memory that the host reads: each entry, and the elements that they
  // name as a whole. It reads all of them, in parts.
  virtual std::int32_t validate_indices(const isofold_request&, const CaseFacts&, const InParts&,
                                        backend_interface::Report&) const {
    return ISOFOLD_ok;
  }
  // The number of entries to be read of each index array, or of elements of a row where the kind
  // has no index array. 0: there is nothing to read.
  virtual std::int64_t entries(const isofold_request& request) const = 0;
  // This tells whether there is one result, which has no value where there are no elements.
  virtual bool has_one_result(const isofold_request& request) const = 0;
  // This tells whether the lengths of rows are data, which the sizes of a request do not tell.
  virtual bool is_ragged() const { return false; }
  // This tells whether a mask's entries lie in another order than the elements, or with gaps.
  virtual bool has_strided_mask(const isofold_request&) const { return false; }
  // This tells whether a valid request is an array or rows, which every backend has; if so, writes
  // it as such.
  virtual bool is_plain(const isofold_request&, isofold_request*) const { return false; }

  // The rows of a valid request, in `room`.
  virtual const PackedRows* rows(void* room, const RowsOf& of) const = 0;
  // The place of the element of the first array that a location in a row has the index of, from 0
  // on; nullptr if the row has no such element. The lists and the mask of the request, which is
  // valid, are read, and no element is.
  virtual const void* address(const isofold_request& request, std::int64_t element_bytes,
                              std::int64_t row, std::int64_t index) const;
  // Words for sentences: why the one row of a request can have no elements, and what is counted
  // when rows are made.
  virtual const char* why_empty() const { return "there are none"; }
  virtual const char* what_is_counted() const { return "elements"; }

 protected:
  ~Layout() = default;
};

// The layout of a shape; nullptr for arrays, rows, and numbers that are no shape.
const Layout* layout_of(std::int32_t shape) noexcept;
// The layout of a request that has one.
inline const Layout& layout_of(const isofold_request& request) noexcept {
  return *layout_of(request.shape);
}

// Validates all that validate() asks, and more that is asked of every kind: flags, the result, and
// whether there is something to reduce.
std::int32_t validate_layout(const isofold_request& request, const CaseFacts& facts,
                             bool with_pointers, backend_interface::Report& report) noexcept;

}  // namespace isofold
