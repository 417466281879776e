// The walks for AVX-512: vectors of 512 bits.
#define ISOFOLD_WALK_NAME avx512
#define ISOFOLD_WALK_BITS 512
#include "walk_table.hpp"
