// The elements that are left where NaNs are left out: how many, and which one has a number.
#pragma once

#include <cstdint>

#include <isofold/element.hpp>

namespace cli {

// Elements of an array in host memory, which must outlive this, but those that are NaN or have a
// part that is.
class Taken {
 public:
  Taken(isofold::Type type, const void* data, std::int64_t all);

  std::int64_t count() const noexcept { return count_; }
  // How many are left out.
  std::int64_t nans() const noexcept { return all_ - count_; }
  // The index among all elements of the one that has this number among those that are taken.
  std::int64_t place_of(std::int64_t number) const;

 private:
  isofold::Type type_;
  const void* data_;
  std::int64_t all_;
  std::int64_t count_;
};

}  // namespace cli
