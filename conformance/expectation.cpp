// The expectation of each fold of the library's list: one that has none in expectations/ does not
// link.
#include "expectation.hpp"

#include <stdexcept>
#include <string>

namespace isofold::conformance {

#define ISOFOLD_DECLARE(name, number) const Expectation& expected_##name();
ISOFOLD_FOLDS(ISOFOLD_DECLARE)
#undef ISOFOLD_DECLARE

const Expectation& expectation_of(std::int32_t fold) {
  switch (fold) {
#define ISOFOLD_FIND(name, number) \
  case number: return expected_##name();
    ISOFOLD_FOLDS(ISOFOLD_FIND)
#undef ISOFOLD_FIND
    default: throw std::logic_error("The suite was asked about fold " + std::to_string(fold) + ".");
  }
}

}  // namespace isofold::conformance
