// The indices in the results of a fold, by their places in memory.
#pragma once

#include <cstdint>

#include <isofold/isofold.h>
#include <ops/result_components.hpp>
#include <request/converted_elements.hpp>

namespace isofold {

struct LocationIndices {
  std::int64_t result_bytes = 0;
  std::int32_t at[2]{};
  std::int32_t count = 0;  // 0: the fold has no locations
};

template <class Fold>
constexpr LocationIndices location_indices() {
  LocationIndices all;
  if constexpr (core::HoldsIndices<Fold>::value) {
    const ComponentList components = components_of<Fold>();
    all.result_bytes = sizeof(typename Fold::result_type);
    all.count = components.count / 2;  // each behind its value
    for (int k = 0; k < all.count; ++k) {
      all.at[k] = components.component[2 * k + 1].offset;
    }
  }
  return all;
}

inline LocationIndices location_indices_of(const isofold_request& request) {
  LocationIndices all;
  visit_case(request.fold, computed_type(request),
             [&](auto fold) { all = location_indices<decltype(fold)>(); });
  return all;
}

}  // namespace isofold
