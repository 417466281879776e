// Comparing arrays by their bits: fingerprints, and the elements that differ.
#pragma once

#include "array.hpp"

namespace isofold_python {

void bind_comparisons(nb::module_& module);

}  // namespace isofold_python
