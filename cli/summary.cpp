// The folds of the summary, and its lines.
#include "summary.hpp"

#include <algorithm>
#include <cstring>

#include "npy.hpp"
#include "types.hpp"
#include "values.hpp"

namespace cli {
namespace {

// "min    -3.0 at (0, 1, 2)"
std::string location_text(const Results& results, const Circumstances& circumstances) {
  const isofold_component& value = results.components().front();
  return value_text(static_cast<isofold::Type>(value.type),
                    static_cast<const char*>(results.at(0)) + value.offset) +
         " at " + npy::shape_text(position_of(results, circumstances));
}

}  // namespace

std::vector<isofold::Fold> folds_of_summary(isofold::Type type, bool exact) {
  std::vector<isofold::Fold> folds;
  for (const isofold::Fold fold :
       {isofold::Fold::sum, isofold::Fold::mean, isofold::Fold::argmin, isofold::Fold::argmax}) {
    if (result_bytes(fold, exact ? results_as(fold, type) : type) > 0) {
      folds.push_back(fold);
    }
  }
  return folds;
}

std::string summary_text(const std::string& file, const Circumstances& circumstances,
                         const std::vector<Results>& all) {
  std::string text = file + ": " + type_name(circumstances.type) + ", shape " +
                     npy::shape_text(*circumstances.extents) + "\ncount  " +
                     std::to_string(circumstances.count) + "\n";
  if (circumstances.nans.has_value()) {
    text += "nan    " + std::to_string(*circumstances.nans) + "\n";
  }
  for (const Results& results : all) {
    switch (results.fold()) {
      case isofold::Fold::argmin: text += "min    " + location_text(results, circumstances); break;
      case isofold::Fold::argmax: text += "max    " + location_text(results, circumstances); break;
      case isofold::Fold::mean: text += "mean   " + text_of(results, 0); break;
      default: text += "sum    " + text_of(results, 0);
    }
    text += '\n';
  }
  return text;
}

}  // namespace cli
