// How far a result of exp or log is from the exact value, and which engines this machine can run.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "exponential_engine.hpp"

namespace exponential_test {

inline std::vector<Engine> engines() {
  std::vector<Engine> usable{scalar_engine, baseline_engine};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
    usable.push_back(avx2_engine);
    if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
        __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0) {
      usable.push_back(avx512_engine);
    }
  }
#endif
  return usable;
}

// The stand-in for the exact value: the C library's function in a wider type.
template <class T>
struct WiderOf {
  using type = long double;
};
template <>
struct WiderOf<float> {
  using type = double;
};
template <class T>
using Wider = typename WiderOf<T>::type;
static_assert(std::numeric_limits<long double>::digits >= 64,
              "Errors of doubles are measured in a wider type.");

// |result - exact| in units of the last place: the distance of T's numbers just below and above
// |exact|, that of the subnormals at the least and of the largest finite numbers at the most. An
// infinite result stands for the power of two after the largest finite number, and is right for all
// that is beyond it.
template <class T>
double ulps(T result, Wider<T> exact) {
  using Limits = std::numeric_limits<T>;
  const double wrong = std::numeric_limits<double>::infinity();
  if (result != result || exact != exact) {
    return result != result && exact != exact ? 0 : wrong;
  }
  const Wider<T> beyond = std::ldexp(Wider<T>{1}, Limits::max_exponent);
  Wider<T> value = result;
  if (std::isinf(result)) {
    value = std::copysign(beyond, value);
    if (std::fabs(exact) >= beyond) {
      return std::signbit(result) == std::signbit(exact) ? 0 : wrong;
    }
  } else if (std::isinf(exact)) {
    return wrong;
  }
  int exponent = 0;
  std::frexp(exact, &exponent);
  exponent = exact == 0 || exponent < Limits::min_exponent ? Limits::min_exponent : exponent;
  exponent = exponent > Limits::max_exponent ? Limits::max_exponent : exponent;
  return static_cast<double>(
      std::ldexp(std::fabs(value - exact), static_cast<int>(Limits::digits) - exponent));
}

}  // namespace exponential_test
