// A peer: another way to reduce on the CPU that users have, one file and one module each.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <isofold/isofold.hpp>

#include "../peer_module.hpp"

namespace bench {

// A peer's result: a number, the parts of a complex one, a minimum and a maximum, or an index.
struct Answer {
  double first = 0;
  double second = 0;
};
template <class T>
Answer answer(T value) {
  return {static_cast<double>(value), 0};
}
template <class T>
Answer answer(std::complex<T> value) {
  return {static_cast<double>(value.real()), static_cast<double>(value.imag())};
}
template <class T>
Answer answer(std::pair<T, T> value) {
  return {static_cast<double>(value.first), static_cast<double>(value.second)};
}

// Reduces x[0, n). Only peers that have threads are asked for `threads` > 1.
using PeerFunction = Answer (*)(const void* x, std::int64_t n, int threads);

struct Peer {
  const char* name;
  // The peer's own words about what runs here: its version, its kernels or vectors, its flags.
  std::string (*identity)();
  // nullptr where the peer has no such case.
  PeerFunction (*find)(isofold::Fold fold, isofold::Type type, int threads);
};

// The compiler and the flags that matter, of the file that includes this.
inline std::string compiled_by() {
  std::string text = "compiler " __VERSION__;
#ifdef __FAST_MATH__
  text += ", -ffast-math";
#endif
  return text;
}
// The bytes of the widest vectors that this file may be compiled to.
inline int widest_vector() {
#if defined(__AVX512F__)
  return 64;
#elif defined(__AVX__)
  return 32;
#else
  return 16;
#endif
}

// The function `Reduce<fold, T>::run` of a peer for run-time fold and type.
template <template <isofold::Fold, class> class Reduce, isofold::Fold fold>
PeerFunction function_of_type(isofold::Type type) {
  switch (type) {
#define BENCH_TYPE(name, number, c_type) \
  case isofold::Type::name: return Reduce<fold, c_type>::run;
    ISOFOLD_REAL_TYPES(BENCH_TYPE)
#undef BENCH_TYPE
    default: break;
  }
  return nullptr;
}
template <template <isofold::Fold, class> class Reduce>
PeerFunction function_of(isofold::Fold fold, isofold::Type type) {
  using isofold::Fold;
  switch (fold) {
    case Fold::sum: return function_of_type<Reduce, Fold::sum>(type);
    case Fold::product: return function_of_type<Reduce, Fold::product>(type);
    case Fold::minimum: return function_of_type<Reduce, Fold::minimum>(type);
    case Fold::maximum: return function_of_type<Reduce, Fold::maximum>(type);
    default: return nullptr;  // the other folds have no peers yet
  }
}

// The function of a peer that has some folds of single and of double precision alone.
template <template <isofold::Fold, class> class Reduce, isofold::Fold... folds>
PeerFunction function_among(isofold::Fold fold, isofold::Type type, isofold::Type of_float,
                            isofold::Type of_double) {
  PeerFunction found = nullptr;
  const auto take = [&](isofold::Fold one, PeerFunction single, PeerFunction twice) {
    if (fold == one) {
      found = type == of_float ? single : type == of_double ? twice : nullptr;
    }
  };
  (take(folds, Reduce<folds, float>::run, Reduce<folds, double>::run), ...);
  return found;
}

// isofold takes the array as its own second one, so peers do, by a pointer that the compiler does
// not know to be the same.
template <class T>
const T* second_of(const T* x) {
  __asm__("" : "+r"(x));
  return x;
}

// The code that a user would write for each fold: where to start, and one step.
template <isofold::Fold fold, class T>
struct Step {
  // Integer sums and products wrap, as isofold's do.
  using Result = isofold::result_t<fold, T>;
  using Sum = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;
  using State =
      std::conditional_t<fold == isofold::Fold::sum || fold == isofold::Fold::product, Sum, T>;
  static constexpr State start() {
    switch (fold) {
      case isofold::Fold::sum: return State{0};
      case isofold::Fold::product: return State{1};
      case isofold::Fold::minimum: return std::numeric_limits<State>::max();
      case isofold::Fold::maximum: return std::numeric_limits<State>::lowest();
      default: return State{};
    }
  }
  static State step(State a, State b) {
    switch (fold) {
      case isofold::Fold::sum: return a + b;
      case isofold::Fold::product: return a * b;
      case isofold::Fold::minimum: return std::min(a, b);
      case isofold::Fold::maximum: return std::max(a, b);
      default: return a;
    }
  }
  static State lift(T x) { return static_cast<State>(x); }
  // step() as a function object, which a library's templates can inline.
  struct Combine {
    State operator()(State a, State b) const { return step(a, b); }
  };
  struct Lift {
    State operator()(T x) const { return lift(x); }
  };
};

}  // namespace bench
