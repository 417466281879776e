// A unit includes it first that is compiled for an instruction set (fold_table.hpp), with
// ISOFOLD_INSTRUCTION_SET_NAME and ISOFOLD_INSTRUCTION_SET_GROUP defined. The linker merges inline
// functions of one name, so a shared fold could come out as AVX-512 code and run on a machine
// without: therefore the headers of the core live in a namespace of this unit's own.
#pragma once

#include "vector_folds.hpp"

#define ISOFOLD_JOIN_(a, b, c) a##_##b##_##c
#define ISOFOLD_JOIN(a, b, c) ISOFOLD_JOIN_(a, b, c)
#define isofold ISOFOLD_JOIN(isofold, ISOFOLD_INSTRUCTION_SET_NAME, ISOFOLD_INSTRUCTION_SET_GROUP)
