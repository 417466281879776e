// Peer: std::transform_reduce with std::execution::par_unseq, which libstdc++ runs on TBB.
#include <tbb/global_control.h>
#include <tbb/version.h>

#include <execution>
#include <functional>
#include <memory>
#include <numeric>

#include "peer.hpp"

#ifndef _PSTL_PAR_BACKEND_TBB
#error "This standard library does not run its parallel algorithms on TBB."
#endif

namespace bench {
namespace {

template <isofold::Fold fold, class T>
struct Parallel {
  using S = Step<fold, T>;
  // The standard library makes vectors of sums that it knows to be sums.
  using Combine = std::conditional_t<fold == isofold::Fold::sum, std::plus<typename S::State>,
                                     typename S::Combine>;
  static Answer run(const void* data, std::int64_t n, int threads) {
    static int limit_for = 0;
    static std::unique_ptr<tbb::global_control> limit;
    if (limit_for != threads) {
      limit.reset();
      limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                    static_cast<std::size_t>(threads));
      limit_for = threads;
    }
    const T* x = static_cast<const T*>(data);
    return answer(std::transform_reduce(std::execution::par_unseq, x, x + n, S::start(), Combine{},
                                        typename S::Lift{}));
  }
};

PeerFunction find(isofold::Fold fold, isofold::Type type, int) {
  return function_of<Parallel>(fold, type);
}

std::string identity() { return std::string("TBB ") + TBB_runtime_version(); }

}  // namespace
}  // namespace bench

BENCH_EXPORT_PEER(std_reduce, bench::Peer, "std::reduce par (TBB)", bench::identity, bench::find)
