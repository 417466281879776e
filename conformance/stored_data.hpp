// Data whose elements are not of the type that folds compute in: as bytes, stored and converted, so
// that one body serves every such type. The conversions here share nothing with the library's.
#pragma once

#include "batch.hpp"
#include <request/converted_elements.hpp>

namespace isofold::conformance {

using Bytes = std::vector<unsigned char>;

struct StoredType {
  std::int32_t type;
  std::int32_t accumulator;
};

// Those whose elements are computed with as `computed`.
std::vector<StoredType> stored_types_of(std::int32_t computed);

std::string name_of(const StoredType& stored);

// An array twice.
struct StoredData {
  Bytes stored;
  Bytes computed;
};
StoredData converted(const StoredType& stored, Bytes elements);

bool has_stored_recipe(const StoredType& stored, Recipe recipe);
StoredData stored_set(const StoredType& stored, Recipe recipe, std::uint64_t seed, std::int64_t n);
// Every bit pattern of a narrow type, in order; of a wider type as many random ones.
StoredData every_pattern(const StoredType& stored);

// The places of a request's elements in two arrays, counted in elements.
struct Layout {
  std::int64_t offset;
  std::int64_t rows;
  std::int64_t length;
  std::int64_t stride;
};

// A fold over stored data: the elements that count_in_range compares with are elements, too.
struct StoredCase {
  Question question;  // of the type that is computed in
  StoredType stored;
  StoredData data;
  StoredData second;
  StoredData range;
};
StoredCase stored_case(const Question& question, const StoredType& stored, StoredData data,
                       StoredData second);

// The case over the converted array, by the reference backend: the bits that are right.
Bytes expected_of(const StoredCase& which, const Layout& layout);

// "" when the target takes elements of the type, else why not.
std::string refusal_of(Target& target, const StoredCase& which);

// The stored data in memory of a target.
class PlacedCase {
 public:
  PlacedCase(Target& target, const StoredCase& which)
      : which_(which), data_(target, which.data.stored), second_(target, which.second.stored) {}
  isofold_request request(const Layout& layout, void* results) const;

 private:
  const StoredCase& which_;
  Placed<unsigned char> data_;
  Placed<unsigned char> second_;
};

}  // namespace isofold::conformance
