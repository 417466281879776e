// The loop that everyone writes, compiled twice: by plain_loop.cpp and by fast_math_loop.cpp.
#pragma once

#include "../measure.hpp"
#include "peer.hpp"

namespace bench {
namespace {

template <isofold::Fold fold, class T>
struct Loop {
  using S = Step<fold, T>;
  static void run(const void* data, std::int64_t n, int) {
    const T* x = static_cast<const T*>(data);
    typename S::State s = S::start();
    for (std::int64_t i = 0; i < n; ++i) {
      s = S::step(s, S::lift(x[i]));
    }
    keep(s);
  }
};

PeerFunction find_loop(isofold::Fold fold, isofold::Type type, int threads) {
  return threads == 1 ? function_of<Loop>(fold, type) : nullptr;
}

}  // namespace
}  // namespace bench
