// The walks for the compiler's baseline (SSE2, NEON): vectors of 128 bits.
#define ISOFOLD_WALK_NAME baseline
#define ISOFOLD_WALK_BITS 128
#include "walk_table.hpp"
