// The result of a row by exact_v1, of its words: what CPU backends write.
#pragma once

#include <backend/interface.hpp>
#include <isofold/detail/core/exact/folds.hpp>

namespace isofold {

// Writes the result of a row, or its words if the request's flags ask for them.
template <class Fold>
std::int32_t write_exact(const isofold_request& request, std::int64_t row,
                         typename Fold::state_type words, backend_interface::Report& report) {
  words.carry();
  if ((request.flags & ISOFOLD_STATE) != 0) {
    static_cast<typename Fold::state_type*>(request.result)[row] = words;
    return ISOFOLD_ok;
  }
  auto& result = static_cast<typename Fold::result_type*>(request.result)[row];
  if (words.first.terms == 0) {
    result = Fold::empty();
    return ISOFOLD_ok;
  }
  if (!core::exact::result_fits<Fold>(words)) {
    return report.fail(ISOFOLD_out_of_range,
                       "The sum of row %lld, of %lld integers, does not fit in 64 bits; their mean "
                       "does, and so do the words of exact_v1.",
                       static_cast<long long>(row), static_cast<long long>(words.first.terms));
  }
  result = Fold::finish(words);
  return ISOFOLD_ok;
}

}  // namespace isofold
