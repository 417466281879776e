// The results of one fold, one or one a row, and the printing of the results of several folds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <isofold/fold.hpp>

#include "file.hpp"

namespace cli {

class Results {
 public:
  Results(isofold::Fold fold, isofold::Type type, std::int64_t rows);

  isofold::Fold fold() const noexcept { return fold_; }
  std::int64_t size() const noexcept { return rows_; }
  void* at(std::int64_t row) { return bytes_.data() + row * each_; }
  const void* at(std::int64_t row) const { return bytes_.data() + row * each_; }
  const std::vector<isofold_component>& components() const noexcept { return components_; }
  // For results that are complex numbers, the type of the elements.
  std::optional<isofold::Type> complex_type() const noexcept { return complex_type_; }

 private:
  isofold::Fold fold_;
  std::int64_t rows_;
  std::int64_t each_;
  std::vector<unsigned char> bytes_;
  std::vector<isofold_component> components_;
  std::optional<isofold::Type> complex_type_;
};

// The input of the reduction, and the place where it ran.
struct Circumstances {
  isofold::Type type;
  std::optional<isofold::Type> accumulator;
  bool exact;          // by exact_v1, and not by tree v1
  std::int64_t count;  // reduced elements of each array
  std::string backend;
  bool same_bits;
  // One of these members is set if the results are a list.
  struct Rows {
    std::int64_t rows;
    std::int64_t length;
  };
  std::optional<Rows> rows;
  std::optional<std::vector<std::int64_t>> shape;  // of the results, in row-major order
  // The extents of the data, if the index of an extremum is to be printed as a position, too.
  std::optional<std::vector<std::int64_t>> extents;
  std::optional<std::int64_t> nans;  // if they were left out of a summary: how many

  bool has_list() const { return rows.has_value() || shape.has_value(); }
};

// One result on its line. A complex number is one value, other components stand side by side.
std::string text_of(const Results& results, std::int64_t row);
// The place of an extremum in circumstances.extents, an index for each dimension.
std::vector<std::int64_t> position_of(const Results& results, const Circumstances& circumstances);

// Writes one result a line; with the name of its fold in front if there are several folds.
void write_text(Output& out, const std::vector<Results>& all);
// Writes one object; several folds are a list in it.
void write_json(Output& out, const Circumstances& circumstances, const std::vector<Results>& all);

}  // namespace cli
