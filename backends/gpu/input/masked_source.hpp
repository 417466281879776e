// A masked box as the kernels read it, made from the problem, for the plans of the kernels under
// masks.
#pragma once

#include <backends/gpu/input/compacted.hpp>
#include <backends/gpu/kernel/mask_to_bits_strided.hpp>
#include <backends/gpu/plan/problem.hpp>

namespace isofold::gpu {

// The place of a masked box in memory, if its lines have gaps between them and its elements can
// come in pieces: its mask is linearised.
template <class Fold>
LinearisedMask linearised_mask_of(const Problem& problem) {
  if (problem.converted || Pieces<Fold>::group == 0) {
    return {};
  }
  return {problem.places->reduced, problem.rows, problem.length, Fold::arrays == 2};
}

// The rows of a masked box, their entries numbered as elements.
inline MaskedRows masked_rows_as_numbered(const Problem& problem) {
  const isofold_layout& layout = *problem.request.layout;
  MaskedRows masked;
  masked.places = *problem.places;
  masked.entries = static_cast<const unsigned char*>(layout.mask);
  masked.of_bits = layout.mask_type == ISOFOLD_MASK_bits;
  masked.rows = problem.rows;
  masked.length = problem.length;
  masked.in_line =
      masked.places.reduced.mask_in_line() && masked.rows * masked.length >= some_entries;
  masked.find_in_place();
  masked.find_pieces();
  return masked;
}

template <class Fold>
MaskedRows masked_rows(const Problem& problem) {
  MaskedRows masked = masked_rows_as_numbered(problem);
  if (const LinearisedMask spread = linearised_mask_of<Fold>(problem); !spread.is_none()) {
    masked.number_places(spread.line());
  }
  return masked;
}

template <class Fold>
CompactedPlaces masked_source(const Problem& problem) {
  CompactedPlaces source;
  source.empty_fault = problem.empty_fault;
  source.masked = masked_rows<Fold>(problem);
  source.is_line = Pieces<Fold>::group > 0 && !problem.converted &&
                   source.masked.places.reduced.is_line(Fold::arrays);
  return source;
}

}  // namespace isofold::gpu
