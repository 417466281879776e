// Peer: std::transform_reduce with std::execution::par_unseq, which libstdc++ runs on TBB.
#include <tbb/global_control.h>

#include <execution>
#include <memory>
#include <numeric>

#include "../measure.hpp"
#include "peer.hpp"

namespace bench {
namespace {

template <isofold::Fold fold, class T>
struct Parallel {
  using S = Step<fold, T>;
  static void run(const void* data, std::int64_t n, int threads) {
    static int limit_for = 0;
    static std::unique_ptr<tbb::global_control> limit;
    if (limit_for != threads) {
      limit.reset();
      limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                    static_cast<std::size_t>(threads));
      limit_for = threads;
    }
    const T* x = static_cast<const T*>(data);
    keep(std::transform_reduce(std::execution::par_unseq, x, x + n, S::start(),
                               typename S::Combine{}, typename S::Lift{}));
  }
};

PeerFunction find(isofold::Fold fold, isofold::Type type, int) {
  return function_of<Parallel>(fold, type);
}

}  // namespace
extern const Peer std_reduce;
const Peer std_reduce{"std::reduce par (TBB)", find};
}  // namespace bench
