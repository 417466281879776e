// The elements of one input file, for the commands: their type, how many, and the next of them in
// host memory, little-endian and in C order whatever they are in the file. A .npy is recognised by
// its magic number; everything else is raw and needs a type from the user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <isofold/fold.hpp>

#include "file.hpp"
#include "memory.hpp"
#include "npy.hpp"

namespace cli {

// The use of a file, which decides how many dimensions it has and which types.
enum class Use {
  array,     // one result of all elements, whatever their dimensions
  rows,      // one result for each row of 2-D data
  box,       // any part, of any number of dimensions
  field,     // any number of dimensions, element by element
  segments,  // parts of 1-D data
  mask,      // which elements of a box are taken
  offsets    // where segments begin and end
};

// The user's description of raw binary, which has no header.
struct RawFormat {
  RawFormat() = default;
  explicit RawFormat(std::optional<isofold::Type> type) : type(type) {}

  std::optional<isofold::Type> type;
  std::optional<std::vector<std::int64_t>> shape;  // without it, one dimension up to the end
  bool fortran_order = false;                      // the first dimension runs fastest
};

class Source {
 public:
  // A .npy says its format itself, and `raw` must not disagree.
  Source(const std::string& path, RawFormat raw, Use use);
  // Takes an input that was looked at, but of which nothing was read.
  Source(Input input, RawFormat raw, Use use);

  // For sentences: the path, or "standard input".
  const std::string& name() const noexcept { return input_.name(); }
  isofold::Type type() const noexcept { return type_; }
  // Elements in all; empty if the end of raw input is not known yet.
  std::optional<std::int64_t> count() const noexcept { return count_; }
  // Extents of the dimensions; for raw input whose end is not known yet, only after all().
  const std::vector<std::int64_t>& extents() const noexcept { return extents_; }

  // The next `elements` in host memory, valid until the next call. Throws if the input ends before.
  const void* next(std::int64_t elements);
  // As next(), but at most `most`: fewer at the end of the input, which a header may have told.
  const void* next_some(std::int64_t most, std::int64_t& elements);
  // Everything up to the end, in memory; for a backend that cannot work in pieces.
  const void* all(std::int64_t& elements);
  // Throws if the input goes on after its last element.
  void expect_end();

 private:
  void read_npy_header(const RawFormat& raw);
  void use_raw(const RawFormat& raw);
  void use_shape(const std::vector<std::int64_t>& shape, bool fortran_order);
  void check_dimensions() const;
  [[noreturn]] void refuse_what_is_no_npy();
  void refuse_other_files(const RawFormat& raw);
  std::int64_t whole_elements(std::size_t bytes) const;
  // As many of them as there are, without a look at the header.
  const void* take(std::int64_t most, std::int64_t& elements);
  // As take(), but in the order of the file.
  const void* take_stored(std::int64_t most, std::int64_t& elements);
  void convert(void* elements, std::size_t bytes) const;
  // Reads everything, and puts it in C order.
  void put_in_c_order();
  [[noreturn]] void refuse_truncated(std::int64_t missing) const;

  Input input_;
  Use use_;
  isofold::Type type_{};
  npy::Conversion conversion_ = npy::Conversion::none;
  bool is_transposed_ = false;                 // in Fortran order, and that makes a difference
  const char* authority_ = "its .npy header";  // says how many elements there are
  std::int64_t element_bytes_ = 0;
  std::optional<std::int64_t> count_;
  std::int64_t taken_ = 0;
  std::vector<std::int64_t> extents_;
  HostMemory memory_;
  HostMemory ordered_;  // everything in C order, once there is a need
};

}  // namespace cli
