// The loop that everyone writes, compiled twice: by plain_loop.cpp and by fast_math_loop.cpp.
#pragma once

#include <cmath>
#include <complex>

#include "peer.hpp"

namespace bench {
namespace {

template <isofold::Fold fold, class T>
struct Loop {
  using S = Step<fold, T>;
  static Answer run(const void* data, std::int64_t n, int) {
    const T* x = static_cast<const T*>(data);
    typename S::State s = S::start();
    for (std::int64_t i = 0; i < n; ++i) {
      s = S::step(s, S::lift(x[i]));
    }
    return answer(s);
  }
};

// Loops over std::complex.
template <isofold::Fold fold, class T>
struct ComplexLoop {
  static Answer run(const void* data, std::int64_t n, int) {
    const auto* x = static_cast<const std::complex<T>*>(data);
    const std::complex<T>* y = second_of(x);
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
    return answer(fold == isofold::Fold::norm2 ? std::sqrt(s.real()) : s);
  }
};

// Loops over numbers, with threads by OpenMP.
template <class Sum, class Term>
Sum sum_of(std::int64_t n, int threads, Term&& term) {
  Sum s{0};
#pragma omp parallel for reduction(+ : s) num_threads(threads) if (threads > 1)
  for (std::int64_t i = 0; i < n; ++i) {
    s += term(i);
  }
  return s;
}
template <class T, class Term>
T largest_of(std::int64_t n, int threads, Term&& term) {
  T s = term(0);
#pragma omp parallel for reduction(max : s) num_threads(threads) if (threads > 1)
  for (std::int64_t i = 0; i < n; ++i) {
    s = std::max(s, term(i));
  }
  return s;
}

// Folds of terms, over numbers. A norm overflows.
template <isofold::Fold fold, class T>
struct TermsLoop {
  static Answer run(const void* data, std::int64_t n, int threads) {
    using isofold::Fold;
    const T* x = static_cast<const T*>(data);
    const T* y = second_of(x);
    if constexpr (fold == Fold::dot) {
      return answer(sum_of<T>(n, threads, [=](std::int64_t i) { return x[i] * y[i]; }));
    } else if constexpr (fold == Fold::norm1) {
      return answer(sum_of<T>(n, threads, [=](std::int64_t i) { return std::abs(x[i]); }));
    } else if constexpr (fold == Fold::norm2) {
      return answer(std::sqrt(sum_of<T>(n, threads, [=](std::int64_t i) { return x[i] * x[i]; })));
    } else if constexpr (fold == Fold::absolute_maximum) {
      return answer(largest_of<T>(n, threads, [=](std::int64_t i) { return std::abs(x[i]); }));
    } else if constexpr (fold == Fold::count_nonzero) {
      return answer(
          sum_of<std::int64_t>(n, threads, [=](std::int64_t i) { return x[i] != 0 ? 1 : 0; }));
    } else if constexpr (fold == Fold::log_sum_exp) {
      const T largest = largest_of<T>(n, threads, [=](std::int64_t i) { return x[i]; });
      return answer(largest + std::log(sum_of<T>(n, threads, [=](std::int64_t i) {
                      return std::exp(x[i] - largest);
                    })));
    } else {
      const T mean =
          sum_of<T>(n, threads, [=](std::int64_t i) { return x[i]; }) / static_cast<T>(n);
      if constexpr (fold == Fold::variance) {
        return answer(
            sum_of<T>(n, threads, [=](std::int64_t i) { return (x[i] - mean) * (x[i] - mean); }) /
            static_cast<T>(n));
      } else {
        return answer(mean);
      }
    }
  }
};

PeerFunction find_loop(isofold::Fold fold, isofold::Type type, int threads) {
  using isofold::Fold;
  using isofold::Type;
  const PeerFunction of_terms =
      function_among<TermsLoop, Fold::dot, Fold::norm1, Fold::norm2, Fold::absolute_maximum,
                     Fold::count_nonzero, Fold::log_sum_exp, Fold::mean, Fold::variance>(
          fold, type, Type::f32, Type::f64);
  if (of_terms != nullptr || threads != 1) {
    return of_terms;
  }
  const PeerFunction real = function_of<Loop>(fold, type);
  return real != nullptr ? real
                         : function_among<ComplexLoop, Fold::sum, Fold::dot, Fold::norm2>(
                               fold, type, Type::c64, Type::c128);
}

}  // namespace
}  // namespace bench
