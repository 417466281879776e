// The loop that everyone writes, compiled twice: by plain_loop.cpp and by fast_math_loop.cpp.
#pragma once

#include <cmath>
#include <complex>

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

// Over std::complex. isofold takes the array as its own second one, so this does, in a pointer that
// the compiler does not know to be the same.
template <isofold::Fold fold, class T>
struct ComplexLoop {
  static void run(const void* data, std::int64_t n, int) {
    const auto* x = static_cast<const std::complex<T>*>(data);
    const std::complex<T>* y = x;
    __asm__("" : "+r"(y));
    std::complex<T> s{};
    for (std::int64_t i = 0; i < n; ++i) {
      if constexpr (fold == isofold::Fold::sum) {
        s += x[i];
      } else if constexpr (fold == isofold::Fold::dot) {
        s += std::conj(x[i]) * y[i];
      } else {
        s += std::norm(x[i]);
      }
    }
    keep(fold == isofold::Fold::norm2 ? std::sqrt(s.real()) : s);
  }
};

// Folds of terms, over numbers: with threads, by OpenMP. A mean is a sum here, and a norm
// overflows.
template <isofold::Fold fold, class T>
struct TermsLoop {
  static void run(const void* data, std::int64_t n, int threads) {
    const T* x = static_cast<const T*>(data);
    const T* y = x;
    __asm__("" : "+r"(y));
    T s{0};
#pragma omp parallel for reduction(+ : s) num_threads(threads) if (threads > 1)
    for (std::int64_t i = 0; i < n; ++i) {
      if constexpr (fold == isofold::Fold::dot) {
        s += x[i] * y[i];
      } else if constexpr (fold == isofold::Fold::norm1) {
        s += std::abs(x[i]);
      } else if constexpr (fold == isofold::Fold::norm2) {
        s += x[i] * x[i];
      } else {
        s += x[i];
      }
    }
    keep(fold == isofold::Fold::norm2 ? std::sqrt(s) : s / static_cast<T>(n));
  }
};

// Of the element types of single and of double precision.
template <template <isofold::Fold, class> class AnyLoop, isofold::Fold fold>
PeerFunction loop_of(isofold::Type type, isofold::Type of_float, isofold::Type of_double) {
  return type == of_float    ? AnyLoop<fold, float>::run
         : type == of_double ? AnyLoop<fold, double>::run
                             : nullptr;
}
template <isofold::Fold fold>
PeerFunction terms_loop_of(isofold::Type type) {
  return loop_of<TermsLoop, fold>(type, isofold::Type::f32, isofold::Type::f64);
}
template <isofold::Fold fold>
PeerFunction complex_loop_of(isofold::Type type) {
  return loop_of<ComplexLoop, fold>(type, isofold::Type::c64, isofold::Type::c128);
}

PeerFunction find_terms_loop(isofold::Fold fold, isofold::Type type) {
  switch (fold) {
    case isofold::Fold::dot: return terms_loop_of<isofold::Fold::dot>(type);
    case isofold::Fold::norm1: return terms_loop_of<isofold::Fold::norm1>(type);
    case isofold::Fold::norm2: return terms_loop_of<isofold::Fold::norm2>(type);
    case isofold::Fold::mean: return terms_loop_of<isofold::Fold::mean>(type);
    default: return nullptr;
  }
}

PeerFunction find_complex_loop(isofold::Fold fold, isofold::Type type) {
  switch (fold) {
    case isofold::Fold::sum: return complex_loop_of<isofold::Fold::sum>(type);
    case isofold::Fold::dot: return complex_loop_of<isofold::Fold::dot>(type);
    case isofold::Fold::norm2: return complex_loop_of<isofold::Fold::norm2>(type);
    default: return nullptr;
  }
}

PeerFunction find_loop(isofold::Fold fold, isofold::Type type, int threads) {
  const PeerFunction of_terms = find_terms_loop(fold, type);
  if (of_terms != nullptr || threads != 1) {
    return of_terms;
  }
  const PeerFunction real = function_of<Loop>(fold, type);
  return real != nullptr ? real : find_complex_loop(fold, type);
}

}  // namespace
}  // namespace bench
