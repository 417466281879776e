// Peer: OpenMP's reduction clause: `omp simd`, and `omp parallel for simd` with threads.
#include "peer.hpp"

namespace bench {
namespace {

template <isofold::Fold fold, class T>
struct Simd {
  using S = Step<fold, T>;
  static Answer run(const void* data, std::int64_t n, int threads) {
    const T* x = static_cast<const T*>(data);
    typename S::State s = S::start();
#define BENCH_LOOP(pragma) \
  _Pragma(pragma) for (std::int64_t i = 0; i < n; ++i) { s = S::step(s, S::lift(x[i])); }
    if constexpr (fold == isofold::Fold::sum) {
      if (threads == 1) {
        BENCH_LOOP("omp simd reduction(+ : s)")
      } else {
        BENCH_LOOP("omp parallel for simd reduction(+ : s) num_threads(threads)")
      }
    } else if constexpr (fold == isofold::Fold::product) {
      if (threads == 1) {
        BENCH_LOOP("omp simd reduction(* : s)")
      } else {
        BENCH_LOOP("omp parallel for simd reduction(* : s) num_threads(threads)")
      }
    } else if constexpr (fold == isofold::Fold::minimum) {
      if (threads == 1) {
        BENCH_LOOP("omp simd reduction(min : s)")
      } else {
        BENCH_LOOP("omp parallel for simd reduction(min : s) num_threads(threads)")
      }
    } else {
      if (threads == 1) {
        BENCH_LOOP("omp simd reduction(max : s)")
      } else {
        BENCH_LOOP("omp parallel for simd reduction(max : s) num_threads(threads)")
      }
    }
#undef BENCH_LOOP
    return answer(s);
  }
};

PeerFunction find(isofold::Fold fold, isofold::Type type, int) {
  return function_of<Simd>(fold, type);
}

std::string identity() { return "OpenMP " + std::to_string(_OPENMP) + ", " + compiled_by(); }

}  // namespace
}  // namespace bench

BENCH_EXPORT_PEER(omp_simd, bench::Peer, "omp simd reduction", bench::identity, bench::find)
