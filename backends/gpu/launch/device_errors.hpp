// The messages for faults that kernels found in index lists, and for a blocking call on elements of
// which the device counted none.
#pragma once

#include <backend/interface.hpp>
#include <backends/gpu/input/concatenated.hpp>
#include <backends/gpu/input/strided.hpp>
#include <backends/gpu/op/exact_finish.hpp>

namespace isofold::gpu {

inline std::int32_t report_joined(const Fault& found, backend_interface::Report& report) {
  const auto entry = static_cast<long long>(found.entry);
  const auto value = static_cast<long long>(found.value);
  if (found.is_beyond) {
    return report.fail(ISOFOLD_invalid_argument,
                       "Entry %lld of the lengths, %lld, takes the joined arrays beyond the most "
                       "elements that the layout says there are (2^%d where it says nothing). "
                       "It and those that follow were taken as empty.",
                       entry, value, joined_most_shift);
  }
  if (value == 0) {
    return report.fail(ISOFOLD_empty_input,
                       "The fold of no elements has no value, and all the joined arrays are "
                       "empty; reduce into memory to get the empty value of docs/folds.md.");
  }
  return report.fail(ISOFOLD_invalid_argument,
                     "Array %lld of the joined batch, of length %lld, has a negative length or a "
                     "null pointer. Such arrays (%u) were taken as empty.",
                     entry, value, found.found);
}

inline std::int32_t report_fault(const Fault& found, backend_interface::Report& report) {
  const auto entry = static_cast<long long>(found.entry);
  const auto value = static_cast<long long>(found.value);
  switch (found.shape) {
    case ISOFOLD_SHAPE_segments:
      return report.fail(ISOFOLD_invalid_argument,
                         "Segment %lld has a bound of %lld: it must not end before it begins, "
                         "nor lie outside the data. Such segments (%u) were taken as empty.",
                         entry, value, found.found);
    case ISOFOLD_SHAPE_box:
      return report.fail(ISOFOLD_empty_input,
                         "The fold of no elements has no value, and the mask takes none; reduce "
                         "into memory to get the empty value of docs/folds.md.");
    case ISOFOLD_SHAPE_gather:
      return report.fail(ISOFOLD_invalid_argument,
                         "Entry %lld of the indices is %lld, which is outside the data. Such "
                         "entries (%u) were taken as 0.",
                         entry, value, found.found);
    case ISOFOLD_SHAPE_joined: return report_joined(found, report);
    case fault_of_range:
      return report.fail(ISOFOLD_out_of_range,
                         "The sum of row %lld, of %lld integers, does not fit in 64 bits; their "
                         "mean does, and so do the words of exact_v1.",
                         entry, value);
    default:
      return report.fail(ISOFOLD_invalid_argument,
                         "Array %lld of the batch, of length %lld, has a negative length or a "
                         "null pointer. Such arrays (%u) were taken as empty.",
                         entry, value, found.found);
  }
}

}  // namespace isofold::gpu
