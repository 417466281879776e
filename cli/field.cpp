// Tells a fingerprint from a .npy file, and makes one of data in blocks.
#include "field.hpp"

#include <algorithm>
#include <utility>

#include "failure.hpp"
#include "npy.hpp"
#include "progress.hpp"
#include "types.hpp"
#include "values.hpp"

namespace cli {
namespace {

using isofold::Fingerprint;

Fingerprint read_fingerprint(Input& input) {
  const std::string bytes = input.rest();
  try {
    return Fingerprint::from_bytes(bytes.data(), bytes.size());
  } catch (const isofold::Error& error) {
    throw Failure(Exit::bad_input, "'" + input.name() + "': " + error.what());
  }
}

Fingerprint make_fingerprint(Source& data) {
  Fingerprint fingerprint(data.type(), data.extents());
  const std::int64_t element_bytes = bytes_of(data.type());
  Progress progress(static_cast<std::uint64_t>(*data.count() * element_bytes));
  for (std::int64_t first = 0; first < *data.count(); first += field_block) {
    const std::int64_t some = std::min(field_block, *data.count() - first);
    fingerprint.add(data.next(some), first, some);
    progress.advance(static_cast<std::uint64_t>(some * element_bytes));
  }
  data.expect_end();
  return fingerprint;
}

}  // namespace

Field::Field(const std::string& path) {
  Input input(path);
  name_ = input.name();
  if (input.peek(Fingerprint::magic.size()) == Fingerprint::magic) {
    stored_.emplace(read_fingerprint(input));
  } else {
    data_.emplace(std::move(input), RawFormat(), Use::field);
  }
}

isofold::Type Field::type() const noexcept { return data_ ? data_->type() : stored_->type(); }
const std::vector<std::int64_t>& Field::shape() const noexcept {
  return data_ ? data_->extents() : stored_->shape();
}
std::int64_t Field::count() const noexcept { return data_ ? *data_->count() : stored_->count(); }

std::string Field::description() const {
  return type_name(type()) + ", shape " + npy::shape_text(shape());
}

Fingerprint Field::fingerprint() { return data_.has_value() ? make_fingerprint(*data_) : *stored_; }

std::string digest_text(const Fingerprint& fingerprint) {
  const std::uint64_t digest = fingerprint.digest();
  return bits_text(isofold::Type::u64, &digest);
}

}  // namespace cli
