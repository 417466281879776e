// To be included first in a walk's translation unit, with ISOFOLD_WALK_NAME defined.
// Each such unit is compiled with its own instruction set. The linker merges inline functions of
// one name, so a shared fold or Run could come out as AVX-512 code and run on a machine without:
// therefore the headers of the core live in a namespace of this unit's own.
#pragma once

#include "walk.hpp"

#define ISOFOLD_JOIN_(a, b) a##_##b
#define ISOFOLD_JOIN(a, b) ISOFOLD_JOIN_(a, b)
#define isofold ISOFOLD_JOIN(isofold, ISOFOLD_WALK_NAME)
