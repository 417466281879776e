// Peer: a plain loop at -O3 -march=native.
#include "plain_loop.hpp"

namespace bench {
extern const Peer plain_loop;
const Peer plain_loop{"plain loop", find_loop};
}  // namespace bench
