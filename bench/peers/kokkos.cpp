// Peer: Kokkos::parallel_reduce in Kokkos' own host execution space.
#include <Kokkos_Core.hpp>

#include <cstdlib>

#include "peer.hpp"

namespace bench {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;

// Kokkos takes its threads once, when it is started.
void start() {
  if (!Kokkos::is_initialized()) {
    Kokkos::initialize();
    std::atexit([] { Kokkos::finalize(); });
  }
}

template <isofold::Fold fold, class T>
struct ParallelReduce {
  using S = Step<fold, T>;
  using State = typename S::State;

  template <class Reducer>
  static Answer reduce(const T* x, std::int64_t n) {
    State result = S::start();
    Kokkos::parallel_reduce(
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, n),
        [x](std::int64_t i, State& state) { state = S::step(state, S::lift(x[i])); },
        Reducer(result));
    return answer(result);
  }
  static Answer run(const void* data, std::int64_t n, int) {
    const T* x = static_cast<const T*>(data);
    if constexpr (fold == isofold::Fold::sum) {
      return reduce<Kokkos::Sum<State, Kokkos::HostSpace>>(x, n);
    } else if constexpr (fold == isofold::Fold::product) {
      return reduce<Kokkos::Prod<State, Kokkos::HostSpace>>(x, n);
    } else if constexpr (fold == isofold::Fold::minimum) {
      return reduce<Kokkos::Min<State, Kokkos::HostSpace>>(x, n);
    } else {
      return reduce<Kokkos::Max<State, Kokkos::HostSpace>>(x, n);
    }
  }
};

PeerFunction find(isofold::Fold fold, isofold::Type type, int threads) {
  start();
  return threads == Space{}.concurrency() ? function_of<ParallelReduce>(fold, type) : nullptr;
}

std::string identity() {
  start();
  return "Kokkos " + std::to_string(KOKKOS_VERSION / 10000) + "." +
         std::to_string(KOKKOS_VERSION / 100 % 100) + "." + std::to_string(KOKKOS_VERSION % 100) +
         ", " + Space::name() + ", " + std::to_string(Space{}.concurrency()) + " threads";
}

}  // namespace
}  // namespace bench

BENCH_EXPORT_PEER(kokkos, bench::Peer, "Kokkos", bench::identity, bench::find)
