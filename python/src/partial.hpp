// Partial results: words of exact_v1, which anything that adds integers merges, and Forests of tree
// v1.
#pragma once

#include "array.hpp"

namespace isofold_python {

void bind_partial_results(nb::module_& module);

}  // namespace isofold_python
