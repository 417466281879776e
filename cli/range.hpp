// --range LOW,HIGH: two elements that bound the elements to be counted.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <isofold/fold.hpp>

namespace cli {

// The two ends, one after the other as elements of `type`, in the form of a request's parameters.
// Throws Failure(bad_input) for a number that the type does not hold.
using Range = std::array<std::uint64_t, 2>;
Range range_of(const std::string& text, isofold::Type type);

}  // namespace cli
