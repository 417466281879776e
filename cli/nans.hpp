// The number of elements that are NaN, of types that have no fold count_nan, too.
#pragma once

#include <cstdint>

#include <isofold/element.hpp>

namespace cli {

// Counts how many elements of an array in host memory are NaN, or have a part that is.
std::int64_t count_nans(isofold::Type type, const void* data, std::int64_t all);

}  // namespace cli
