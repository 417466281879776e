// An array as `isofold diff` and `isofold fingerprint` take it: a .npy file, or the fingerprint of
// one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <isofold/fingerprint.hpp>

#include "source.hpp"

namespace cli {

// The number of elements that are looked at together: 16 MiB of the widest type.
inline constexpr std::int64_t field_block = std::int64_t{1} << 20;

class Field {
 public:
  // "-" is standard input. Throws Failure(bad_input) for a file that is neither.
  explicit Field(const std::string& path);

  // For sentences: the path, or "standard input".
  const std::string& name() const noexcept { return name_; }
  isofold::Type type() const noexcept;
  const std::vector<std::int64_t>& shape() const noexcept;
  std::int64_t count() const noexcept;
  // The text "f32, shape (3, 4)".
  std::string description() const;

  bool has_data() const noexcept { return data_.has_value(); }
  // Only for data, which can be read once, from front to back.
  Source& data() { return *data_; }
  // The stored fingerprint, or one made of the data, which are read to their end.
  isofold::Fingerprint fingerprint();

 private:
  std::string name_;
  std::optional<Source> data_;
  std::optional<isofold::Fingerprint> stored_;
};

// "0x" and 16 digits.
std::string digest_text(const isofold::Fingerprint& fingerprint);

}  // namespace cli
