// tests/golden/ as it was when the program was built; the build writes the definitions.
#pragma once

#include <cstddef>

namespace isofold::conformance {

extern const char* const golden_lines[];
extern const std::size_t golden_lines_count;
extern const char* const golden_file_hash;

}  // namespace isofold::conformance
