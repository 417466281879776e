// Peer: the same loop at -O3 -march=native -ffast-math, which lets the compiler reorder it.
#include "plain_loop.hpp"

namespace bench {
extern const Peer fast_math_loop;
const Peer fast_math_loop{"-ffast-math loop", find_loop};
}  // namespace bench
