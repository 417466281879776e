// Peer: the plain loop at -O3 -march=native -ffast-math, which lets the compiler reorder it.
#include "plain_loop.hpp"

BENCH_EXPORT_PEER(fast_math_loop, bench::Peer, "-ffast-math loop", bench::compiled_by,
                  bench::find_loop)
