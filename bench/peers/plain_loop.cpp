// Peer: a plain loop at -O3 -march=native.
#include "plain_loop.hpp"

BENCH_EXPORT_PEER(plain_loop, bench::Peer, "plain loop", bench::compiled_by, bench::find_loop)
