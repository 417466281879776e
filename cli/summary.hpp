// `isofold reduce` without a fold: what is in the file, at a glance.
#pragma once

#include <string>
#include <vector>

#include "results.hpp"

namespace cli {

// The folds of a summary that elements of this type have: sum, mean, argmin and argmax.
std::vector<isofold::Fold> folds_of_summary(isofold::Type type, bool exact);

// A line for the file, one for the number of its elements (and of NaNs that were left out), and one
// for each result, an extremum with its position in circumstances.extents.
std::string summary_text(const std::string& file, const Circumstances& circumstances,
                         const std::vector<Results>& all);

}  // namespace cli
