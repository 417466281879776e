// The walks for AVX2: vectors of 256 bits.
#define ISOFOLD_WALK_NAME avx2
#define ISOFOLD_WALK_BITS 256
#include "walk_table.hpp"
