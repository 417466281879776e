// The input of a reduction: one file, or two of one type and shape side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine.hpp"
#include "source.hpp"

namespace cli {

class Inputs {
 public:
  // Opens one or two paths. Throws Failure(bad_input) if the two do not go together.
  Inputs(const std::vector<std::string>& paths, const RawFormat& raw, Use use);

  // For sentences: the first file.
  const std::string& name() const noexcept { return first_.name(); }
  int arrays() const noexcept { return second_.has_value() ? 2 : 1; }
  isofold::Type type() const noexcept { return first_.type(); }
  // Elements of each array; empty if the end of one is not known yet.
  std::optional<std::int64_t> count() const noexcept;
  // Extents of the dimensions of each array; for raw input whose end is not known yet, only after
  // all().
  const std::vector<std::int64_t>& extents() const noexcept { return first_.extents(); }
  // Only for 2-D data.
  std::int64_t rows() const noexcept { return extents()[0]; }
  std::int64_t length() const noexcept { return extents()[1]; }

  // The functions of Source, for both files; arrays that turn out to have different ends throw.
  Elements next(std::int64_t count);
  Elements next_some(std::int64_t most, std::int64_t& count);
  Elements all(std::int64_t& count);
  void expect_end();

 private:
  void check_type() const;
  void check_shape(Use use) const;
  void check_same(std::int64_t first, std::int64_t second) const;

  Source first_;
  std::optional<Source> second_;
};

}  // namespace cli
