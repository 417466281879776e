// A call of Python as a reduction: arguments in, an object out.
#pragma once

#include "array.hpp"

namespace isofold_python {

// The type that a result has if none was asked for.
enum Rule : int {
  as_fold = 0,     // the fold's own (docs/folds.md)
  as_sum = 1,      // the input's; integers and booleans: 64 bits
  as_element = 2,  // the input's
  as_mean = 3      // the input's; integers and booleans: f64
};

enum Flag : int {
  allow_empty = 1,      // no elements are no error: the caller has an initial value
  keep_parts = 2,       // complex elements: a result for each of the two parts
  reduce_parts = 4,     // complex elements: both parts are elements
  accumulate_f64 = 8,   // f32 is computed in f64
  integers_as_f64 = 16  // integers and booleans are converted to f64, by a copy
};

constexpr int all_components = -1;

// One result or, for all_components, a tuple of them; a list of these if `fold` is a tuple of
// folds.
nb::object reduce(nb::handle fold, nb::handle x, nb::handle axis, nb::handle keepdims,
                  nb::handle where, int definition, int rule, DType wanted, int component,
                  nb::handle y, int flags, nb::handle initial);

// A result for each segment [offsets[r], offsets[r + 1]) of an array of one dimension.
nb::object segment_reduce(int fold, nb::handle x, nb::handle offsets, int definition, int rule,
                          DType wanted);

}  // namespace isofold_python
